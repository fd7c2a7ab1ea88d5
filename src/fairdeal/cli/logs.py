"""Commands that read logs: replay, verify, analyse."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.shared import Jobs, Json, admitted, app, check_writable, print_json, progress_bar
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from fairdeal.table.analysis import Analysis, Step
    from fairdeal.table.log import Log
    from fairdeal.table.sitting import Sitting

LogFile = Annotated[Path, typer.Argument(metavar="LOG", help="A log of a finished game.")]


@app.command()
def replay(
    log: LogFile,
    upto: Annotated[int | None, typer.Option(metavar="NUMBER", help="Stop after this number of moves.", min=0)] = None,
    json: Json = False,
) -> None:
    """Print a finished game move by move."""
    from fairdeal.engine.files import read_text
    from fairdeal.table.log import read_log

    sitting = replayed(read_log(read_text(log)), upto)
    if json:
        moves = [
            {"seat": move.seat, "move": move.text, "told": told}
            for move, told in zip(sitting.log.moves, told_moves(sitting), strict=True)
        ]
        state = sitting.state
        print_json({"moves": moves, "position": state.position(), "over": state.over, "scores": state.scores})
        return
    print_moves(sitting)


def replayed(log: Log, upto: int | None = None) -> Sitting:
    """Return a game, or its first moves. Raises BadLog if it is not over, or if its log is wrong."""
    from fairdeal.engine.errors import BadLog
    from fairdeal.table.sitting import replay

    if log.seed is None:
        raise BadLog(len(log.entries), "this game is still running: its seed has not been revealed")
    return replay(log, log.seed, upto)


def told_moves(sitting: Sitting) -> list[list[str]]:
    """Return the lines about each move that a spectator reads."""
    from fairdeal.engine.records import SPECTATOR
    from fairdeal.engine.scene import as_text

    numbers = range(1, sitting.moves_made + 1)
    return [[as_text(line.text) for _, line in sitting.events_of(number, SPECTATOR)] for number in numbers]


def print_moves(sitting: Sitting) -> None:
    """Print a game move by move, and its result if it is over."""
    for number, lines in enumerate(told_moves(sitting), start=1):
        if any(lines):  # passes in a window have no line
            say(f"{number:4} {' '.join(lines)}")
    if sitting.over:
        for seat, player in enumerate(sitting.log.players):
            say(f"     {player.name}: place {sitting.state.ranks[seat]}, score {sitting.state.scores[seat]}")


NO_RECORD = "That this is the game that you played: give the record that your own program saved, with --kept FILE."
"""The claim that remains unproven without a record."""

NO_DAY = "That the cards follow from the numbers of deal No. {}: give its record from /today, with --daily FILE."
"""The claim about a deal of the day that remains unproven without the record of the day."""


@app.command()
def verify(
    log: LogFile,
    kept: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The records that your own program saved during play.")
    ] = None,
    daily: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The record of the day, if the log is of a deal of the day.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME]", help="Your own bots in the log, as MODULE:CLASS, to repeat their moves."),
    ] = None,
    json: Json = False,
) -> None:
    """Verify a finished log. Recomputes the deal, moves, bots and result, checks the commitment and the signatures, and
    compares your own records, if you have any."""
    import msgspec

    from fairdeal.engine.errors import BadLog, FairdealError
    from fairdeal.engine.files import read_json, read_text
    from fairdeal.protocol.daily import DayRecord, check_record
    from fairdeal.protocol.record import read_record
    from fairdeal.table.verdict import code_of
    from fairdeal.table.verification import verify as verified

    own = read_record(kept) if kept else None
    if bots:
        admitted(bots, None)
    try:
        read, found = verified(read_text(log), own)
    except BadLog as problem:
        if json:
            told = {"check": problem.check, "line": problem.line, "reason": problem.reason}
            print_json({"verified": False} | told)
            raise typer.Exit(1) from None
        raise
    checked: dict[str, str] = {one.check: one.text for one in found if one.ok}
    unproven: dict[str, str] = {one.check: one.text for one in found if one.ok is None}
    is_verified = "moves" in checked and ("signed" in checked or not read.room)
    if own is None:
        unproven["record"] = NO_RECORD
    if daily:
        try:
            record = read_json(daily, DayRecord)
        except msgspec.MsgspecError as problem:
            raise FairdealError(f"{daily}: not the record of a deal of the day: {problem}") from None
        checked["daily"] = check_record(record, read)
    elif read.day:
        unproven["daily"] = NO_DAY.format(read.day.number)
    if json:
        told = {"checked": checked, "unproven": unproven, "branch": read.branch is not None}
        print_json({"verified": is_verified, "game": read.game, "moves": len(read.moves)} | told)
        raise typer.Exit(not is_verified)
    for check, text in checked.items():
        say(f"  ✓ {check}: {text}")
    for check, text in unproven.items():
        say(f"  ? {check}: not proven. {text}")
    if not is_verified:
        raise FairdealError("not verified, because the moves or the signatures are not proven")
    if read.signed_end:
        say(f"code to compare: {code_of(read)}")
    say(f"verified{', but not as a first game' if read.branch else ''}")


@app.command()
def analyse(
    log: LogFile,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the analysis to an HTML file.")] = None,
    playouts: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Number of playouts of each move.", min=2)
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Analyse a finished game. Shows the cost of every decision based on what its player could know, each player's
    chances, and what the cards gave, and saves the analysis next to the log."""

    from fairdeal.engine.files import read_text, write_whole
    from fairdeal.table.analysis.analyse import keep, kept
    from fairdeal.table.analysis.view import view_of
    from fairdeal.table.log import read_log
    from fairdeal.terminal.console import PlainConsole
    from fairdeal.terminal.screens.analysis_text import told_analysis

    check_writable(html)
    read = read_log(read_text(log))
    found = kept(log, read.chain(), playouts)
    if found is None:
        found = analysis_of(replayed(read), playouts, jobs)
        with suppress(OSError):  # the folder may be read-only
            keep(log, found)
    if html:
        from fairdeal.table.analysis.page import page_of

        write_whole(html, page_of(found))
    if json:
        print_json(found)
    elif not html:
        console = PlainConsole()
        console.print(told_analysis(view_of(found), min(console.width, 120)))


def analysis_of(sitting: Sitting, playouts: int | None, jobs: int | None) -> Analysis:
    """Analyse a finished game, with a progress bar. Raises FairdealError if it cannot be analysed."""
    from fairdeal.engine.compile import compiled
    from fairdeal.table.analysis.analyse import analyse as analysed

    with progress_bar() as shown:
        task = shown.add_task("compiling the rules", total=None)
        compiled.compiled(sitting.table.game)
        shown.update(task, description="the course of the game")

        def progress(step: Step) -> None:
            shown.update(task, completed=step.done, total=step.of)
            if step.begun:
                shown.update(task, description="the decisions")

        return analysed(sitting, playouts, jobs, progress)
