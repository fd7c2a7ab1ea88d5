"""`fairdeal new`, which writes the skeleton of a game as a package."""

import re
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.merging import merged
from fairdeal.cli.shared import app, fail
from fairdeal.engine.files import read_text, write_whole
from fairdeal.terminal.plain import say

SKELETON = files("fairdeal") / "skeleton"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of your game, such as `go-fish`.")],
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder in which to create the package.")] = Path(),
    like: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="The kind of example game to start from: simultaneous, tricks or rounds (default: turns).",
        ),
    ] = "",
) -> None:
    """Start your own game. Writes a package with a playable example game, its rules, cases and tests."""
    from fairdeal.engine.registry import game_names

    if not NAME.fullmatch(name):
        fail(f"{name!r} is not a valid game name: use lowercase letters, digits and single hyphens, such as go-fish")
    if name in game_names():
        fail(f"a game called {name} already exists")
    into = folder / name
    if into.exists():
        fail(f"{into} already exists and was not overwritten")
    kinds = sorted(kind.name for kind in (SKELETON / "like").iterdir() if kind.name[0] not in "_.")
    if like and like not in kinds:
        fail(f"{like!r} is not an example game; choose one of {', '.join(kinds)}")
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
    layers = [SKELETON, SKELETON / "like" / like] if like else [SKELETON]
    written = sorted(write(layers, into, named))
    for path in written:
        say(str(path))
    say("", f"Next: pip install -e {into} and then fairdeal play {name}; pytest {into} runs its tests.")


def write(layers: Sequence[Traversable], into: Path, named: dict[str, str]) -> list[Path]:
    """Copy layers of the skeleton under new names, later layers over earlier ones. Return the written files."""
    into.mkdir(parents=True)
    found = []
    for name in dict.fromkeys(part.name for layer in layers for part in layer.iterdir()):
        if name in ("__pycache__", "like"):
            continue
        parts = [layer / name for layer in layers if (layer / name).is_dir() or (layer / name).is_file()]
        path = into / renamed(name, named)
        if parts[0].is_dir():
            found += write(parts, path, named)
        else:
            write_whole(path, renamed(laid_over(name, [read_text(part) for part in parts]), named), syncs=False)
            found.append(path)
    return found


def laid_over(name: str, texts: Sequence[str]) -> str:
    """Return a file that exists in several layers. Python modules are merged; for other files, the last layer is
    used."""
    stem, _, kind = name.rpartition(".")
    return merged(texts[0], texts[-1], stem) if kind == "py" and len(texts) > 1 else texts[-1]


def renamed(text: str, named: dict[str, str]) -> str:
    for old, chosen in named.items():
        text = text.replace(old, chosen)
    return text
