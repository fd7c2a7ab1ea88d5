"""The commands. Everything heavy is imported by the command that needs it, so that help is instant."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairdeal.engine.errors import FairdealError

if TYPE_CHECKING:
    from fairdeal.engine.game import Game
    from fairdeal.engine.state import State, Table
    from fairdeal.lab.simulation import Estimate, Simulation

app = typer.Typer(
    name="fairdeal",
    help="A card room: published card games as exact rules, to play, to simulate and to study.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

MOST_COUNTED = 1000
"""Legal moves that a summary counts; a hand can have tens of thousands."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; `fairdeal games` lists them.")]
Players = Annotated[int | None, typer.Option(help="How many play.")]
Option = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option; repeatable.")
]
Preset = Annotated[str, typer.Option(help="A named set of options.")]
Seed = Annotated[str | None, typer.Option(help="A word or number; the same one deals the same cards.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def main() -> None:
    """Run a command; a bad input ends in one line on standard error."""
    try:
        app()
    except FairdealError as problem:
        fail(str(problem))
    except OSError as problem:
        fail(f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem))
    except UnicodeDecodeError as problem:
        fail(f"not a text file: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


def fail(message: str) -> None:
    print(f"fairdeal: {message}", file=sys.stderr)
    sys.exit(1)


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"fairdeal {version('fairdeal')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A card room: published card games as exact rules, to play, to simulate and to study."""


def chosen_options(options: list[str] | None) -> dict[str, object]:
    """The options given as NAME=VALUE."""
    from fairdeal.engine.errors import BadOption
    from fairdeal.engine.options import parse_value

    chosen: dict[str, object] = {}
    for text in options or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(name, "", "write it as NAME=VALUE")
        chosen[name.strip()] = parse_value(value.strip())
    return chosen


def open_table(name: str, players: int | None, preset: str, options: list[str] | None) -> Table:
    from fairdeal.engine.state import load

    given = chosen_options(options) | ({} if players is None else {"players": players})
    return load(name, preset=preset, **given)


def print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value)).decode())


# --- looking ----------------------------------------------------------------------------------------------------


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game, with its options.")] = None,
    json: Json = False,
) -> None:
    """List the games, or the options of one."""
    from rich.console import Console
    from rich.table import Table as Grid

    from fairdeal.engine.options import allowed, fields_of
    from fairdeal.engine.registry import find_game, game_names

    if json:
        print_json([facts_of(find_game(one)) for one in ([name] if name else game_names())])
        return
    if name is None:
        grid = Grid("name", "title", "by", "players", "minutes", "presets", box=None, header_style="bold")
        for one in map(find_game, game_names()):
            players, minutes = span(one.players), span(one.minutes)
            grid.add_row(one.name, one.title, one.designer, players, minutes, ", ".join(one.presets))
        Console().print(grid)
        return
    game = find_game(name)
    print(f"{game.title}, by {game.designer}, published by {game.publisher} (unofficial edition)\n{game.blurb}\n")
    grid = Grid("option", "takes", "default", "", "clauses", box=None, header_style="bold")
    for field in fields_of(game.options).values():
        hint: Any = field.type
        about = hint.__metadata__[-1]
        clauses = " ".join(about.extra_json_schema["clauses"])
        grid.add_row(field.encode_name, allowed(hint), str(field.default), about.description, clauses)
    Console().print(grid)


def span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def facts_of(game: Game) -> dict[str, Any]:
    """What a program may want to know of a game, with the JSON schema of its options."""
    import msgspec

    return {
        "name": game.name,
        "title": game.title,
        "designer": game.designer,
        "publisher": game.publisher,
        "players": game.players,
        "minutes": game.minutes,
        "rules_version": game.rules_version,
        "actions": game.actions,
        "state_bytes": game.state.itemsize,
        "presets": dict(game.presets),
        "options": msgspec.json.schema(game.options),
    }


@app.command()
def rules(
    game: GameName,
    clause: Annotated[str | None, typer.Argument(metavar="[CLAUSE]", help="Such as CHIP-44.")] = None,
) -> None:
    """Print the rules of a game, or one clause."""
    from fairdeal.engine import rulebook
    from fairdeal.engine.registry import find_game

    page = find_game(game).specification
    if clause is None:
        print(rulebook.specification(page))
    else:
        found = rulebook.clause(page, clause.upper())
        print(f"{found.id} [{found.mark}] {found.text}")


# --- logs -------------------------------------------------------------------------------------------------------


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
    json: Json = False,
) -> None:
    """Recompute everything a finished log claims: the promise, the deal, every move, the result."""
    from fairdeal.engine.errors import BadLog
    from fairdeal.table.verification import verify as verified

    try:
        read, checked = verified(log.read_text("utf-8"))
    except BadLog as problem:
        if json:
            print_json({"verified": False, "line": problem.line, "reason": problem.reason})
            raise typer.Exit(1) from None
        raise
    if json:
        print_json({"verified": True, "game": read.game, "moves": len(read.moves), "checked": checked})
        return
    for line in checked:
        print(f"  ✓ {line}")
    print("verified")


# --- the laboratory ---------------------------------------------------------------------------------------------


@app.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1000,
    bots: Annotated[str, typer.Option(help="One bot for all seats, or one for each: greedy,random,...")] = "greedy",
    seed: Annotated[str, typer.Option(help="A word or number; the same one gives the same results.")] = "0",
    jobs: Annotated[int | None, typer.Option(help="Threads; all cores if left out.", min=1)] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    json: Json = False,
) -> None:
    """Let bots play many games: results by seat and by bot with 95 % intervals, and lengths."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from fairdeal.engine import compiled
    from fairdeal.lab.simulation import seats_for
    from fairdeal.lab.simulation import simulate as simulated

    table = open_table(game, players, preset, option)
    seats_for(table, bots.split(","))
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        compiling = bar.add_task("compiling the rules", total=None)
        compiled.compiled(table.game, lambda done, of, name: bar.update(compiling, completed=done, total=of))
        bar.remove_task(compiling)
        playing = bar.add_task(f"playing {table.game.title}", total=games)
        results = simulated(table, games, bots.split(","), seed, jobs, lambda done: bar.update(playing, completed=done))
    if json:
        print_json(results)
    else:
        print_simulation(results)


def print_simulation(results: Simulation) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    def percent(share: Estimate) -> str:
        return f"{share.value:6.1%}  {share.low:.1%} to {share.high:.1%}"

    def number(value: Estimate) -> str:
        return f"{value.value:.2f} ± {value.high - value.value:.2f}"

    console = Console()
    for title, records in (("bot", results.by_bot), ("seat", results.by_seat)):
        grid = Grid(title, "wins", "mean score", "mean place", "games", box=None, header_style="bold")
        for record in records:
            row = percent(record.wins), number(record.score), number(record.place), str(record.games)
            grid.add_row(record.name, *row)
        console.print(grid)
        print()
    moves = results.moves
    print(
        f"moves a game: {number(moves.mean)}, median {moves.median:.0f}, 90 % from {moves.low_5:.0f} to "
        f"{moves.high_5:.0f}, longest {moves.longest}"
    )
    print(f"shared wins: {percent(results.shared_wins).strip()}")
    print(
        f"{results.games} games in {results.seconds:.1f} s, {results.moves_per_second / 1e6:.2f} million moves a second"
    )


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Case files in YAML (docs/cases.md).")],
    compiled: Annotated[bool, typer.Option(help="Run plain and compiled rules and compare them.")] = False,
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
            print(f"✗ {outcome.file}: {outcome.case}: {outcome.problem}")
        print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


@app.command()
def position(
    game: GameName,
    seed: Annotated[str, typer.Option(help="Deal from this seed.")] = "0",
    file: Annotated[Path | None, typer.Option(help="Read a position instead of dealing.")] = None,
    moves: Annotated[int, typer.Option("--after", "--moves", help="Play so many random moves first.", min=0)] = 0,
    viewer: Annotated[int | None, typer.Option(help="Show only what this seat may see; -1 is a spectator.")] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
) -> None:
    """Print a position as JSON: dealt from a seed, or read from a file and checked."""
    state = position_of(open_table(game, players, preset, option), seed, file)
    play_random(state, moves, seed)
    if viewer is not None:
        if not -1 <= viewer < state.players:
            raise FairdealError(f"the seats are 0 to {state.players - 1}, and -1 is a spectator; there is no {viewer}")
        state = state.view(viewer)
    print_json(state.position())
    if file is not None:
        print(summary(state), file=sys.stderr)


def summary(state: State) -> str:
    """Whose turn it is and how many whole moves there are, for a person who checks a position."""
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

    from fairdeal.engine.errors import BadPosition

    if file is None:
        return table.deal(seed)
    try:
        given = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except msgspec.MsgspecError as problem:
        raise BadPosition("", file.name, f"not a JSON object: {problem}") from None
    return table.setup(given, seed)


def play_random(state: State, moves: int, seed: str) -> None:
    from fairdeal.bots.bots import RandomBot

    bot = RandomBot(f"position {seed}".encode())
    for _ in range(moves):
        if state.over:
            return
        seat = state.to_act[0]
        state.play_actions(seat, bot.choose(state.view(seat), seat).actions)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(help="How many whole moves deep.", min=0)],
    file: Annotated[Path | None, typer.Option("--position", help="A position in JSON.")] = None,
    seed: Annotated[str, typer.Option(help="Deal from this seed.")] = "0",
    divide: Annotated[bool, typer.Option(help="A count for each first move.")] = False,
    players: Players = None,
    option: Option = None,
    preset: Preset = "",
    json: Json = False,
) -> None:
    """Count the sequences of whole moves from a position, as chess programs do to find rule errors."""
    from fairdeal.lab import perft as counting

    state = position_of(open_table(game, players, preset, option), seed, file)
    if divide and depth < 1:
        raise FairdealError("dividing needs a depth of at least 1")
    counts = counting.divide(state, depth) if divide else {}
    total = sum(counts.values()) if divide else counting.perft(state, depth)
    if json:
        print_json({"depth": depth, "count": total} | ({"divide": counts} if divide else {}))
        return
    for move, count in counts.items():
        print(f"{move}  {count}")
    print(total)


if __name__ == "__main__":
    main()
