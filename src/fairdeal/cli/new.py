"""`fairdeal new`, which writes the skeleton of a game as a package."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.shared import app, fail

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of your game, such as `go-fish`.")],
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder in which to create the package.")] = Path(),
) -> None:
    """Start a game of your own. Writes a package with a playable toy, its rules, cases and tests."""
    from fairdeal.engine.registry import game_names

    if not NAME.fullmatch(name):
        fail(f"{name!r} is no name for a game: write small letters, digits and single hyphens, such as go-fish")
    if name in game_names():
        fail(f"there is a game called {name} already")
    into = folder / name
    if into.exists():
        fail(f"{into} exists already: nothing is written over")
    words = name.split("-")
    title = " ".join(word.capitalize() for word in words)
    named = {
        "my_game": name.replace("-", "_"),
        "my-game": name,
        "My Game": title,
        "MyGame": title.replace(" ", ""),
        "MINE-": f"{words[-1].upper()}-",
        '"MINE"': f'"{words[-1].upper()}"',
    }
    written = sorted(write(files("fairdeal") / "skeleton", into, named))
    for path in written:
        print(path)
    print(f"\nNext: pip install -e {into} and then fairdeal play {name}; pytest {into} runs its tests.")


def write(source: Traversable, into: Path, named: dict[str, str]) -> list[Path]:
    """Copy a folder of the skeleton under new names and return the written files."""
    into.mkdir(parents=True)
    found = []
    for part in source.iterdir():
        if part.name == "__pycache__":
            continue
        path = into / renamed(part.name, named)
        if part.is_dir():
            found += write(part, path, named)
        else:
            path.write_text(renamed(part.read_text("utf-8"), named), "utf-8")
            found.append(path)
    return found


def renamed(text: str, named: dict[str, str]) -> str:
    for old, chosen in named.items():
        text = text.replace(old, chosen)
    return text
