"""The command that writes a game's rules as WebAssembly."""

from __future__ import annotations

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
) -> None:
    """Write the rules of a game as a WebAssembly module, with a description as JSON (docs/wasm.md). Print the SHA-256
    hashes of both, and whether they match the published ones."""
    import hashlib

    from fairdeal.engine.compile.modules import wasm_of
    from fairdeal.engine.compile.published import compare
    from fairdeal.engine.observe.interface import description_of
    from fairdeal.engine.registry import find_game

    found = find_game(game)
    module = wasm_of(found)
    description = description_of(found, module)
    text = description.written()
    out.write_bytes(module.code)
    out.with_name(f"{out.name}.json").write_bytes(text)
    say(f"{out}: {len(module.code):,} bytes, and {out.name}.json")
    say(f"SHA-256 {description.sha256}: {compare(found, description.sha256)}")
    digest = hashlib.sha256(text).hexdigest()
    say(f"SHA-256 of the description {digest}: {compare(found, digest, 'description')}")
