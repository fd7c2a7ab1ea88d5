"""The command that writes a game's rules as WebAssembly."""

from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.shared import GameName, app
from fairdeal.terminal.plain import say


@app.command()
def wasm(
    game: GameName,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="Write the module to this file, and its description to FILE.json."),
    ],
    build: Annotated[
        bool, typer.Option("--build", help="Build the module here, even if this package contains it.")
    ] = False,
) -> None:
    """Write the rules of a game as a WebAssembly module, with a description as JSON (docs/wasm.md). Print the SHA-256
    hashes of both, and whether the module is the one in this package."""
    import hashlib

    from fairdeal.engine.compile.modules import built, packaged, wasm_of
    from fairdeal.engine.observe.interface import description_of
    from fairdeal.engine.registry import find_game

    found = find_game(game)
    known = packaged(found)
    module = built(found) if build else wasm_of(found)
    description = description_of(found, module)
    text = description.as_json()
    out.write_bytes(module.code)
    out.with_name(f"{out.name}.json").write_bytes(text)
    say(f"{out}: {len(module.code):,} bytes, and {out.name}.json")
    if known is None:
        compared = "built here; the package has no module of these rules"
    elif module.code == known.code:
        compared = "the module in the package"
    else:
        compared = f"not the module in the package, which Numba {known.numba} built (this is {module.numba})"
    say(f"SHA-256 {description.sha256}: {compared}")
    say(f"SHA-256 of the description {hashlib.sha256(text).hexdigest()}")
