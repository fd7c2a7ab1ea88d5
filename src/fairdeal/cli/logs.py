"""Commands that read logs: replay, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.shared import Json, admitted, app, print_json


@app.command()
def replay(
    log: Annotated[Path, typer.Argument(help="A log of a finished game.")],
    upto: Annotated[int | None, typer.Option(help="Stop after so many moves.", min=0)] = None,
    json: Json = False,
) -> None:
    """Tell a finished game move by move."""
    from fairdeal.engine.errors import BadLog
    from fairdeal.engine.records import SPECTATOR
    from fairdeal.table.log import read_log
    from fairdeal.table.sitting import replay as replayed

    read = read_log(log.read_text("utf-8"))
    if read.seed is None:
        raise BadLog(len(read.moves), "this game still runs: its seed is not revealed")
    sitting = replayed(read, read.seed, upto)
    told = [[event.text for event in sitting.events(n, SPECTATOR)] for n in range(1, sitting.moves_made + 1)]
    if json:
        moves = [{"seat": m.seat, "move": m.text, "told": t} for m, t in zip(sitting.log.moves, told, strict=True)]
        state = sitting.state
        print_json({"moves": moves, "position": state.position(), "over": state.over, "scores": state.scores})
        return
    for number, lines in enumerate(told, start=1):
        print(f"{number:4} {' '.join(lines)}")
    if sitting.over:
        for seat, player in enumerate(read.players):
            print(f"     {player.name}: place {sitting.state.ranks[seat]}, score {sitting.state.scores[seat]}")


@app.command()
def verify(
    log: Annotated[Path, typer.Argument(help="A log of a finished game.")],
    kept: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What your own program kept while you played.")
    ] = None,
    bots: Annotated[
        str | None, typer.Option(help="Your own bots that played, as MODULE:CLASS; they are asked again.")
    ] = None,
    json: Json = False,
) -> None:
    """Recompute everything a finished log claims: the promise, the deal, every move, the bots, the result, the
    signatures; and hold it against what you kept."""
    from fairdeal.engine.errors import BadLog
    from fairdeal.table.kept import read_kept
    from fairdeal.table.verification import unproven
    from fairdeal.table.verification import verify as verified

    own = read_kept(kept) if kept else None
    if bots:
        admitted(bots, None)
    try:
        read, checked = verified(log.read_text("utf-8"), own)
    except BadLog as problem:
        if json:
            print_json({"verified": False, "line": problem.line, "reason": problem.reason})
            raise typer.Exit(1) from None
        raise
    if json:
        found = {"checked": checked, "unproven": unproven(read, own), "branch": read.branch is not None}
        print_json({"verified": True, "game": read.game, "moves": len(read.moves)} | found)
        return
    for line in checked:
        print(f"  ✓ {line}")
    for line in unproven(read, own):
        print(f"  ? not proven: {line}")
    print("verified, but not as a first game" if read.branch else "verified")
