"""Compare the bytes of states after rules that are linked, compiled by Numba alone, and in plain Python.

    uv run --group test python -m tests.engine.compare_numba [GAME ...]

compares all games with the Numba that is installed. CONTRIBUTING.md says how to install the lowest and
the newest version that fairdeal allows.
"""

from __future__ import annotations

import os
import sys
import tempfile

from fairdeal.engine.compile import compiled, compiler, linking
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.state import load
from fairdeal.testing.agreement import check_agreement


def engine_of(game, linked):
    """Return the engine of a game, compiled now: linked, or by Numba alone."""
    before = {name: os.environ.get(name) for name in (linking.SWITCH, "FAIRDEAL_CACHE")}
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {linking.SWITCH: "1" if linked else "0", "FAIRDEAL_CACHE": folder}
        try:
            assert linking.is_left_to_numba() is not linked
            compiler._parts.clear()
            return compiled.compile_engine(game, None)
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def compare(name, steps=600):
    """Play the same random games in all three ways. Return the number of actions that were compared in each pair."""
    game, table = find_game(name), load(name)
    linked, alone = engine_of(game, True), engine_of(game, False)
    assert not linking.is_left_to_numba(), "this Numba cannot link"
    pairs = [(linked, alone), (linked, compiled.plain(game)), (alone, compiled.plain(game))]
    return [check_agreement(table, *pair, steps)["actions"] for pair in pairs]


if __name__ == "__main__":
    import numba

    for name in sys.argv[1:] or game_names():
        print(f"numba {numba.__version__}, {name}: {compare(name)} actions compared", flush=True)
