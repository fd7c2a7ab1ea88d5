"""The rules of games as WebAssembly modules, with which pages replay finished games and search for hints.

The package contains those of the built-in games. Any other module is written when a hint or a finished game first
needs it, by a low-priority process. Modules and their descriptions are named by their hashes.
"""

import asyncio
import hashlib
import logging
import subprocess
from typing import NamedTuple

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.modules import files_in_package, kept_wasm
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.observe.interface import description_of
from fairdeal.server.long_work import program

WRITER = "fairdeal.engine.compile.writer"

NICENESS = 19
"""Niceness of the writing process; 19 is the lowest priority."""

LONGEST = 120.0
"""Maximum time for writing a module, in seconds."""

PATIENCE = 1.0
"""Maximum time, in seconds, for which a request waits for a module."""

AGAIN = 60.0
"""Time, in seconds, before another attempt to write a module after a failure."""

log = logging.getLogger(__name__)


class NoModule(FairdealError):
    """Raised if the room has no module of a game. The message gives the reason."""


class NotYet(NoModule):
    """Raised while a module is being written."""


class Names(NamedTuple):
    """The hashes of a module and of its description, in hexadecimal digits."""

    module: str
    description: str


def addresses_of(names: Names) -> tuple[str, str]:
    """Return the addresses of a module and of its description in a room."""
    return f"/modules/{names.module}.wasm", f"/modules/{names.description}.json"


class Modules:
    """The modules of a room, those that are not in the package written one at a time. If `compiles` is false, the room
    writes no modules, and offers only those that are in the package or in the cache."""

    def __init__(self, compiles: bool) -> None:
        self.compiles = compiles
        self.files: dict[str, bytes] = {}  # modules and descriptions, by hash
        self.made: dict[str, asyncio.Task[Names]] = {}  # by game
        self.one = asyncio.Lock()
        for data in files_in_package():
            self.keep(data)

    async def of(self, game: Game) -> Names:
        """Return the names of a game's module and description. Raises NoModule if there are none."""
        task = self.asked(game)
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
        if not done:
            raise NotYet("the room is writing the rules; ask again")
        if task.cancelled():
            raise NoModule("the room is closing")
        return task.result()

    def at_hand(self, game: Game) -> Names | None:
        """Return the names of a game's module and description if the room has them now. Otherwise, start to read or
        write them."""
        task = self.asked(game)
        return task.result() if task.done() and not task.cancelled() and not task.exception() else None

    def asked(self, game: Game) -> asyncio.Task[Names]:
        """Return the task that reads or writes a game's module."""
        task = self.made.get(game.name)
        if task is None:
            task = self.made[game.name] = asyncio.create_task(self.make(game))
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # mark as retrieved
        return task

    async def make(self, game: Game) -> Names:
        """Read or write a game's module. Raises NoModule if that fails; it is tried again on a later request."""
        try:
            return await self.made_of(game)
        except Exception as problem:  # of the game, of the machine, or of the cache
            log.warning("the rules of %s cannot be written as WebAssembly: %s", game.name, problem)
            asyncio.get_running_loop().call_later(AGAIN, self.made.pop, game.name, None)
            raise problem if isinstance(problem, NoModule) else NoModule(str(problem)) from None

    async def made_of(self, game: Game) -> Names:
        module = await asyncio.to_thread(kept_wasm, game)
        if module is None and self.compiles:
            async with self.one:
                await write(game)
            module = await asyncio.to_thread(kept_wasm, game)
        if module is None:
            raise NoModule(f"the room has not compiled the rules of {game.title}")
        return Names(self.keep(module.code), self.keep(description_of(game, module).as_json()))

    def keep(self, data: bytes) -> str:
        """Store a file in memory, and return its hash."""
        name = hashlib.sha256(data).hexdigest()
        self.files[name] = data
        return name

    async def close(self) -> None:
        """Stop writing modules."""
        for task in self.made.values():
            task.cancel()
        await asyncio.gather(*self.made.values(), return_exceptions=True)


async def write(game: Game) -> None:
    """Run the program that writes a game's module. Raises NoModule with the reason if it fails or takes too long."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    try:
        async with asyncio.timeout(LONGEST), program(WRITER, game.name, str(NICENESS), **pipes) as process:
            _, errors = await process.communicate()
    except TimeoutError:
        raise NoModule(f"writing the rules of {game.title} as WebAssembly took too long") from None
    if process.returncode:
        told = errors.decode(errors="replace").strip()
        log.warning("the program that writes the rules of %s failed: %s", game.name, told[-compiled.LONGEST :])
        raise NoModule(told.splitlines()[-1] if told else f"the rules of {game.title} could not be written")
