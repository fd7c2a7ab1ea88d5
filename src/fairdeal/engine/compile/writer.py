"""A program that writes a game's WebAssembly module next to its compiled code, at low priority: `writer GAME NICENESS`.

A room runs it when it needs a module that is neither in the package nor in the cache.
"""

import os
import sys

from fairdeal.engine.compile.modules import built
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game

if __name__ == "__main__":
    if sys.platform != "win32":
        os.nice(int(sys.argv[2]))
    try:
        built(find_game(sys.argv[1]))
    except FairdealError as problem:
        sys.exit(str(problem))
