"""Freeze what this version writes, for tests/compatibility to open for ever.

    uv run --group test python -m tests.compatibility.freeze

It writes a folder named after the version, and refuses if that is there. Run it once per release, from the released
version, and commit the folder. Never run it to make a failing test green: the files stand for those that people have,
and a test that fails on them says that theirs would fail too. It needs Chromium, takes some minutes, and writes other
files at every run, since the seeds are new.
"""

import contextlib
import gzip
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.bots import RandomBot
from fairdeal.bots.levels import levels_of
from fairdeal.bots.registry import STAND_IN
from fairdeal.engine.compile.compiled import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import HOUSE
from fairdeal.engine.state import table_for
from fairdeal.table.clocks import CLOCK
from fairdeal.table.log import Player
from fairdeal.table.sitting import PERSON, Sitting
from tests.conftest import SHORT, build_wheel, run_module

ROOT = Path(__file__).parents[2]
LOGS = 50
"""Number of logs of a title."""

SIGNED = 5
"""Number of them that a room has signed."""

WHOLE = 4
"""Number of logs of a title that are of any length; the others are of the shorter of two games."""

LEFT_OUT = re.compile(
    r"fairdeal/(server/web/|lab/|environments/|testing/|skeleton/|rulebook/(?!chi\.md)|games/(?!__init__|chi/))"
    r"|fairdeal/games/chi/(ninjas/|cases/|lessons/|look/|learned)|.*/(RECORD|METADATA\.json|WHEEL|licenses/.*)$"
)
"""Files that a terminal and a room without pages do not need for one game."""

SEARCH = "vix:100-10-6"
"""A bot that plays games out, few enough for a test to ask it again."""


def table_of(title: str, number: int):
    """Return a table of a title: its presets in turn, each with all numbers of players that it allows."""
    game = fairdeal.find_game(title)
    presets, (fewest, most) = list(game.presets), game.players
    if game.learned and number % 10 == 7:
        return table_for(title, {})  # which the net has learned
    preset = presets[number % len(presets)]
    return fitting(title, preset, fewest + number // len(presets) % (most - fewest + 1), short=number >= WHOLE)[0]


def fitting(title: str, preset: str, players: int, short: bool):
    """Return a table with a preset, for `players` if it allows them, and its options."""
    for options in (SHORT.get(title, {}) if short else {}, {}):
        for more in ({"players": players}, {}):
            with contextlib.suppress(FairdealError):
                return table_for(title, options | more, preset), options | more
    raise AssertionError(f"{title}, {preset}")


def players_of(table, number: int) -> list[Player]:
    """Return people and all kinds of bots in turn, or bots alone; at every tenth table sits a bot that searches."""
    levels = [name for name, level in levels_of(table.game).items() if not level.playouts]
    kinds = [PERSON, "greedy", "random", *levels, PERSON, "greedy-40", "forgetful"]
    if not number % 6:
        kinds = [kind for kind in kinds if kind != PERSON]
    seated = [kinds[(number + seat) % len(kinds)] for seat in range(table.players)]
    if number % 10 == 3:
        seated[-1] = SEARCH
    if table.game.learned and number % 10 == 7:
        seated[-1] = "learned"
    return [Player(f"Guest {seat}" if plays == PERSON else f"Bot {seat}", plays) for seat, plays in enumerate(seated)]


def move_on(sitting: Sitting, chance: random.Random) -> None:
    """Make a move: a bot's; a person's, which is any legal one, or taken back; a stand-in's; or the clock's."""
    state = sitting.state
    often = 0.3 if state.game.calm_race else 0.03  # a race is short
    if state.game.limit(state.record) and chance.random() < often:
        with contextlib.suppress(FairdealError):
            sitting.play(HOUSE, state.read_move(HOUSE, CLOCK))
            return
    seat = chance.choice(state.to_act)
    if seat in sitting.bots:
        sitting.play_bot(seat)
    elif chance.random() < 0.05:
        sitting.play(seat, sitting.stand_in(seat).actions, by=STAND_IN)
    else:
        bot = RandomBot(chance.randbytes(32))
        sitting.play(seat, bot.choose(state.view(seat, 100), seat, 0).actions)
        if chance.random() < 0.1 and sitting.may_take_back():
            sitting.take_back()


def played(table, number: int, moves: int | None = None, again: int = 0) -> Sitting:
    """Play at a table, to the end or for `moves` moves, and return the sitting."""
    chance = random.Random(f"{table.game.name} {number} {again}")
    sitting = Sitting.open(table, players_of(table, number))
    while not sitting.over and (moves is None or sitting.moves_made < moves):
        move_on(sitting, chance)
    return sitting


def write_lines(path: Path, lines) -> None:
    """Write JSON, a line for each piece, compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def play_logs() -> dict[str, list[str]]:
    """Return logs of every title, without those that a room signs."""
    found = {}
    for title in fairdeal.game_names():
        compiled(fairdeal.find_game(title))
        logs = []
        for number in range(LOGS - SIGNED):
            tries = [played(table_of(title, number), number, again=n) for n in range(1 if number < WHOLE else 2)]
            logs.append(min(tries, key=lambda one: len(one.log.entries)).log.text())
        found[title] = logs
        print(f"{title}: {sum(log.count(chr(10)) for log in logs)} lines", flush=True)
    return found


def freeze_unfinished(folder: Path) -> None:
    """Save an unfinished game of each title, as the terminal does."""
    for title in fairdeal.game_names():
        sitting = played(table_for(title, {}), 1, moves=3)
        assert not sitting.over, title
        sitting.save(folder / "unfinished" / f"{title}.log")


def freeze_analysis(folder: Path) -> None:
    """Save a game and its analysis, as `fairdeal analyse` does."""
    sitting = played(table_for("chi", {"stacks_to_end": 4}), 2)
    sitting.save(folder / "analysis" / "game.log")
    run_module(f"fairdeal analyse {folder / 'analysis' / 'game.log'} --playouts 20")


def freeze_own_bot(folder: Path) -> None:
    """Save a bot of a third party, and the log of a game that it played."""
    shutil.copy(ROOT / "examples" / "own_bot.py", folder / "own_bot.py")
    sys.path.insert(0, str(folder))
    custom.admit(["own_bot:OneAhead"], custom.TIME_LIMIT)
    players = [Player("Mine", "own_bot:OneAhead"), Player("Bo", "greedy")]
    sitting = Sitting.open(table_for("chi", {"stacks_to_end": 4}), players)
    while not sitting.over:
        sitting.play_bot(sitting.state.to_act[0])
    sitting.save(folder / "own_bot.log")


def freeze_third_party(folder: Path) -> None:
    """Save Go Fish as a wheel, and logs of its games."""
    wheel = build_wheel(ROOT / "examples" / "go-fish", folder)
    with tempfile.TemporaryDirectory() as packages:
        shutil.unpack_archive(wheel, packages, "zip")
        play = f"from tests.compatibility.freeze import freeze_strangers; freeze_strangers({str(folder)!r})"
        told = os.environ | {"PYTHONPATH": packages}
        subprocess.run([sys.executable, "-c", play], cwd=ROOT, check=True, env=told)


def freeze_program(root: Path, folder: Path) -> None:
    """Freeze the program of a source tree: its room without pages, and its terminal, with one game."""
    with tempfile.TemporaryDirectory() as place:
        wheel = build_wheel(root, Path(place))
        program = Path(place) / "program"
        shutil.unpack_archive(wheel, program, "zip")
        (entries,) = program.glob("*.dist-info/entry_points.txt")
        (line,) = [line for line in entries.read_text().splitlines() if line.startswith("chi = ")]
        entries.write_text(f"[fairdeal.games]\n{line}\n")
        for path in [path for path in program.rglob("*") if path.is_file()]:
            if LEFT_OUT.match(path.relative_to(program).as_posix()):
                path.unlink()
        shutil.make_archive(str(folder / "program"), "xztar", program)


def freeze_strangers(folder: str) -> None:
    """Save logs of Go Fish, in a process that has it."""
    made = []
    for number in range(6):
        game = fairdeal.find_game("go-fish")
        table = table_for("go-fish", {}, list(game.presets)[number % len(game.presets)])
        made.append(played(table, number).log.text())
    write_lines(Path(folder) / "logs" / "go-fish.jsonl.gz", made)


if __name__ == "__main__":
    from importlib.metadata import version

    from tests.compatibility.freeze_room import freeze_room

    place = Path(__file__).parent / version("fairdeal")
    if place.exists():
        sys.exit(f"{place} is there: what was frozen stays as it is")
    place.mkdir()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        room = pool.submit(freeze_room, place)
        made = play_logs()
        freeze_analysis(place)
        freeze_own_bot(place)
        freeze_unfinished(place)
        freeze_third_party(place)
        freeze_program(ROOT, place)
        signed = room.result()
    for title, logs in made.items():
        assert len(logs + signed[title]) == LOGS, title
        write_lines(place / "logs" / f"{title}.jsonl.gz", logs + signed[title])
