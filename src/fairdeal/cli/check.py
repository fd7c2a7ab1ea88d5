"""Commands that test rules: check, position, perft."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairdeal.cli.shared import GameName, Json, Option, Players, Preset, app, open_table, print_json
from fairdeal.engine.errors import FairdealError
from fairdeal.terminal.plain import say

if TYPE_CHECKING:
    from fairdeal.engine.state import State, Table

MOST_COUNTED = 1000
"""Maximum number of legal moves that a summary counts. A hand can have tens of thousands."""


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Case files in YAML (docs/cases.md).")],
    compiled: Annotated[
        bool, typer.Option("--compiled", help="Run plain and compiled rules and compare them.")
    ] = False,
    json: Json = False,
) -> None:
    """Run case files: worked examples of the rules."""
    from fairdeal.lab.cases import run_file

    outcomes = [outcome for file in files for outcome in run_file(file, with_twin=compiled)]
    failed = [outcome for outcome in outcomes if outcome.problem]
    if json:
        print_json([{"file": o.file, "case": o.case, "passed": not o.problem, "problem": o.problem} for o in outcomes])
    else:
        for outcome in failed:
            say(f"✗ {outcome.file}: {outcome.case}: {outcome.problem}")
        say(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


@app.command()
def position(
    game: GameName,
    seed: Annotated[str, typer.Option(metavar="SEED", help="Deal from this seed.")] = "0",
    file: Annotated[Path | None, typer.Option(metavar="FILE", help="Read a position instead of dealing.")] = None,
    moves: Annotated[
        int, typer.Option("--after", "--moves", metavar="NUMBER", help="Number of random moves to play first.", min=0)
    ] = 0,
    viewer: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Show only what this seat may see; -1 for a spectator.")
    ] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
) -> None:
    """Print a position as JSON. The position is dealt from a seed, or read from a file and checked."""
    state = position_of(open_table(game, players, preset, option), seed, file)
    play_random(state, moves, seed)
    if viewer is not None:
        if not -1 <= viewer < state.players:
            raise FairdealError(f"the seats are 0 to {state.players - 1}, and -1 for a spectator, not {viewer}")
        state = state.view(viewer)
    print_json(state.position())
    if file is not None:
        say(summary(state), error=True)


def summary(state: State) -> str:
    """Return a summary of a position for people: the seats to act, and the number of moves."""
    from itertools import islice

    if state.over:
        return f"the game is over, scores {', '.join(map(str, state.scores))}"
    seats = []
    for seat in state.to_act if state.viewer is None else ():
        count = sum(1 for _ in islice(state.action_moves(seat), MOST_COUNTED + 1))
        seats.append(f"seat {seat} to act, {count if count <= MOST_COUNTED else f'over {MOST_COUNTED}'} legal moves")
    return "; ".join(seats) or f"seat {', '.join(map(str, state.to_act))} to act"


def position_of(table: Table, seed: str, file: Path | None) -> State:
    import msgspec

    from fairdeal.engine.files import read_json

    if file is None:
        return table.deal(seed)
    try:
        given = read_json(file, dict[str, Any])
    except msgspec.MsgspecError as problem:
        raise FairdealError(f"{file}: not a JSON object: {problem}") from None
    return table.setup(given, seed)


def play_random(state: State, moves: int, seed: str) -> None:
    from fairdeal.bots.bots import RandomBot

    bot = RandomBot(f"position {seed}".encode())
    for turn in range(moves):
        if state.over:
            return
        seat = state.to_act[0]
        state.play_actions(seat, bot.choose(state.view(seat), seat, turn).actions)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(metavar="NUMBER", help="Number of complete moves.", min=0)],
    file: Annotated[Path | None, typer.Option("--position", metavar="FILE", help="A position in JSON.")] = None,
    seed: Annotated[str, typer.Option(metavar="SEED", help="Deal from this seed.")] = "0",
    divide: Annotated[bool, typer.Option("--divide", help="Print the count for each first move.")] = False,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    json: Json = False,
) -> None:
    """Count the sequences of complete moves from a position. Chess programs do this to find errors in rules."""
    from fairdeal.lab import perft as counting

    state = position_of(open_table(game, players, preset, option), seed, file)
    if divide and depth < 1:
        raise FairdealError("--divide needs a depth of at least 1")
    counts = counting.divide(state, depth) if divide else {}
    total = sum(counts.values()) if divide else counting.perft(state, depth)
    if json:
        print_json({"depth": depth, "count": total} | ({"divide": counts} if divide else {}))
        return
    for move, count in counts.items():
        say(f"{move}  {count}")
    say(str(total))
