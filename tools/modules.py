"""Build the WebAssembly modules of all built-in games, with their descriptions, as files of the package (docs/wasm.md).

    uv run python -m tools.modules

Their bytes depend on the versions in `engine/compile/built/compiler.txt`. If others are installed, uv makes an
environment with those.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import fairdeal
from fairdeal.engine.compile.modules import FOLDER, built, names_of
from fairdeal.engine.observe.interface import description_of
from fairdeal.engine.registry import find_game

ROOT = Path(__file__).parents[1]


def pinned() -> dict[str, str]:
    """Return the versions with which the files of the package are built."""
    return dict(line.split("==") for line in (FOLDER / "compiler.txt").read_text("utf-8").split())


def installed() -> dict[str, str]:
    """Return the installed versions of the same programs."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {name: python if name == "python" else version(name) for name in pinned()}


def files_of(name: str) -> dict[str, bytes]:
    """Return the files of a game, by name, as the installed compiler builds them."""
    game = find_game(name)
    module = built(game)
    return dict(zip(names_of(name), (module.code, description_of(game, module).as_json()), strict=True))


def write_all(folder: Path) -> None:
    """Write the files of all games, as the pinned compiler builds them."""
    if installed() == pinned():
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            for files in pool.map(files_of, fairdeal.game_names()):
                for name, data in files.items():
                    (folder / name).write_bytes(data)
        return
    libraries = pinned()
    command = ["uv", "run", "--isolated", "--no-project", "--python", libraries.pop("python")]
    command += ["--with-editable", str(ROOT), *(f"--with={name}=={number}" for name, number in libraries.items())]
    subprocess.run([*command, "python", "-m", "tools.modules", str(folder)], cwd=ROOT, check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FAIRDEAL_CACHE"] = cache  # nothing that another version of this package compiled
        write_all(Path(sys.argv[1] if len(sys.argv) > 1 else str(FOLDER)))
