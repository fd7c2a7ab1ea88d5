"""Hooks, parameters and helpers for all tests."""

from __future__ import annotations

import gc
import inspect
import logging
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from xdist.scheduler import LoadScopeScheduling

import fairdeal
from fairdeal.engine.options import option_fields
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State

pytest_plugins = ["pytester"]

# or every worker, and every program that a test starts, would compile all modules again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

QUICK = (
    "tests/engine/test_chance.py",
    "tests/engine/test_options.py",
    "tests/engine/test_records_and_piles.py",
    "tests/engine/test_registry.py",
    "tests/games/test_chip_it_moves.py",
    "tests/games/test_inspection.py",
    "tests/games/test_refusals.py",
    "tests/games/test_rooms.py",
    "tests/games/test_war_catalogue.py",
    "tests/lab/test_cases.py",
    "tests/table/test_clocks.py",
    "tests/testing/test_kit.py",
    "tests/test_readme.py",
)
"""Files of the quick selection: their tests start no server and no browser."""


GAMES = "tests/games/test_games.py::"

COMPUTING = (
    f"{GAMES}TestWarXtreme",
    GAMES,
    "tests/engine/test_packaged.py::test_the_files",
    "tests/fuzz/test_parsers.py",
    "tests/bots/test_positions.py",
)
"""Tests that keep a processor busy and need no event loop, the longest first."""

LONG = (
    "tests/test_examples.py::test_a_package",
    "tests/test_docs.py::test_a_tutorial",
    "tests/test_docs.py::test_the_site",
    "tests/server/test_model.py::test_no_history",
    "tests/test_wheel.py",
    "tests/server/test_browser.py",
    "tests/server/test_kept_names.py::test_devices_at_two_workers",
    "tests/server/test_daily.py::test_the_terminal",
)
"""Long tests, which begin first, so that no worker is left with one when the others have nothing more to do."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read only the files of the quick selection with `-m quick`."""
    if is_quick(config) and collection_path.name.startswith("test_"):
        file = collection_path.relative_to(config.rootpath).as_posix()
        return file not in (*QUICK, GAMES.removesuffix("::")) or None
    return None


PARTS, PARTS_OF_LONG = 12, 3
"""Number of parts into which the examples of a test are divided, and the tests of pages and other long tests with a
single example. Each commit is tested with one part."""

DIVIDED = tuple(
    f"tests/{name}"
    for name in ("compatibility/", "environments/", "fuzz/", "lab/", "server/", "table/", "terminal/", "test_")
)
"""Files and folders whose tests run for many games, sizes, rooms or logs, beside GAMES. All examples of other tests run
with each commit, and so does every case of every game."""

SHARING = (GAMES, "tests/test_release.py", "tests/test_wheel.py")
"""Tests of a class or a file that share what takes long to make: the compiled rules of a game, a room, a wheel."""

SELDOM = 200
"""Number of collections of younger objects after which the garbage collector looks at all objects: twenty times
Python's own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part",
        choices=["all", *map(str, range(PARTS))],
        help="run all examples of the tests, or one part of them (default: all if files are named, else one by commit)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the part by the commit, unless all is asked for. Workers get it with the other options."""
    if config.option.part is None:
        whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not is_quick(config)
        config.option.part = str(commit(config.rootpath) % PARTS) if whole else "all"


def commit(folder: Path) -> int:
    """Return the hash of the current commit as a number, or 0 outside a checkout."""
    if shutil.which("git") is None:
        return 0
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True, check=False)
    return int(found.stdout or "0", 16)


def divided(items: list[pytest.Item], part: int) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests of a part, and the rest. Each divided test keeps at least one example with each database, but
    tests of pages and other long tests with a single example are divided, too."""
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.nodeid.startswith((GAMES, *DIVIDED)) and "::test_cases_by" not in item.nodeid:
            file, _, name = item.nodeid.partition("::")
            test = name.split("[")[0].rpartition("::")[2], "postgresql" in name
            groups.setdefault(f"{file}::{test}", []).append(item)
    left = set()
    for name, examples in groups.items():
        examples.sort(key=lambda item: crc32(item.nodeid.encode()))
        mark = examples[0].get_closest_marker("parts")
        most = mark.args[0] if mark else PARTS
        takes_long = "visit" in examples[0].fixturenames or name.startswith(LONG)
        parts = min(max(len(examples), PARTS_OF_LONG if takes_long else 1), most)
        left |= {item for at, item in enumerate(examples) if (at + crc32(name.encode()) + part) % parts}
    return [item for item in items if item not in left], [item for item in items if item in left]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the other parts. Mark the quick tests: all cases by the plain rules, and the tests of QUICK. Sort all
    tests by their turns."""
    if config.option.part != "all":
        items[:], left = divided(items, int(config.option.part))
        config.hook.pytest_deselected(items=left)
    kinds: dict[tuple[int, str], list[pytest.Item]] = {}
    for item in items:
        if item.nodeid.startswith(QUICK) or "::test_cases_by_plain_rules" in item.nodeid:
            item.add_marker(pytest.mark.quick)
        kinds.setdefault(kind(item), []).append(item)
    when = {}
    for (turn, _), alike in kinds.items():
        alike.sort(key=lambda item: first_of(item, (*COMPUTING, *LONG)))
        when |= {item: (turn, place / len(alike)) for place, item in enumerate(alike)}
    items.sort(key=lambda item: when[item])


def kind(item: pytest.Item) -> tuple[int, str]:
    """Return the turn of a test, and whether it computes or waits. Tests that compute are spread among those that wait:
    in the first turn, those without an event loop among those that share Chromium, in the second turn the rest."""
    if computes(item):
        return 0, "computes"
    if item.nodeid.startswith(LONG) or "visit" in item.fixturenames:
        return 0, "waits"
    return 1, "waits" if item.nodeid.startswith(("tests/server/", "tests/terminal/")) else "computes"


def computes(item: pytest.Item) -> bool:
    return item.nodeid.startswith(COMPUTING)


def first_of(item: pytest.Item, beginnings: tuple[str, ...]) -> int:
    """Return the index of the string with which the name of a test begins, or the number of strings."""
    return next((n for n, beginning in enumerate(beginnings) if item.nodeid.startswith(beginning)), len(beginnings))


def pytest_collection_finish() -> None:
    """Exempt all objects of now, which stay to the end, from garbage collection."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close Chromium before a test that neither visits a room nor computes: it could not run an event loop."""
    yield
    visiting = sys.modules.get("tests.server.visiting")
    if visiting and (nextitem is None or not ("visit" in nextitem.fixturenames or computes(nextitem))):
        visiting.BROWSER.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Add what a test expects, the first paragraph of its docstring, to the first line of its failure. Without one,
    the name says it."""
    report = yield
    if report.failed and (told := inspect.getdoc(getattr(item, "obj", None))):
        file, line, name = report.location
        expected = " ".join(told.partition("\n\n")[0].split())
        report.location = file, line, f"{name}: {expected}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the part that ran, and the number of skipped tests by reason; a reason says how to get what is missing."""
    part = getattr(terminalreporter.config.option, "part", "all")
    if part != "all":
        terminalreporter.write_line(f"Examples: part {part} of 0 to {PARTS - 1}; --part all runs all of them.")
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        told = "; ".join(f"{number} {reason}" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"Skipped: {told}", yellow=True)


def is_quick(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "quick")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return two workers for each processor, because tests of pages, rooms and the terminal spend much of their time
    waiting. Quick tests do not."""
    return (1 if is_quick(config) else 2) * (os.cpu_count() or 1)


class GameByGame(LoadScopeScheduling):  # type: ignore[misc]
    """Any worker takes the next test as soon as it is free; tests that share something stay with one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.rpartition("::")[0] if nodeid.startswith(SHARING) else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GameByGame:
    config.option.loadscopereorder = False  # or the classes of games would come first, one beside the other
    return GameByGame(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Before several workers start, compile each game once, with all that its tests call."""
    config = session.config
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput") and not is_quick(config):
        largest_first = sorted(fairdeal.game_names(), key=lambda name: -len(find_game(name).actions))
        with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
            list(pool.map(compile_one, largest_first))


def compile_one(name: str) -> None:
    from tests.games.test_games import OurTests

    gc.disable()  # this process ends soon
    next(tests for tests in OurTests.__subclasses__() if tests.game == name).compile()


ROOT = Path(__file__).parents[1]
"""The folder of the project."""


def refusal(words: str) -> pytest.RaisesExc[fairdeal.FairdealError]:
    """Expect an error of this package whose text has these words, a regular expression."""
    return pytest.raises(fairdeal.FairdealError, match=words)


def rows_of(table: str) -> list[list[str]]:
    """Return the rows of a table: lines of text, with ` -> ` between the cells."""
    return [line.split(" -> ") for line in table.strip().splitlines()]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int | str | None, str, str]]:
    """Run a command of `fairdeal`; return exit code, standard output and standard error."""
    from fairdeal import cli

    log = logging.getLogger()
    monkeypatch.setattr(log, "handlers", [*log.handlers])  # `fairdeal serve` logs to the standard error of this test
    monkeypatch.setattr(logging, "_handlerList", [])  # nor does it close handlers, of which absl's closes its stream

    def running(command: str = "", *more: object) -> tuple[int | str | None, str, str]:
        monkeypatch.setattr(sys, "argv", ["fairdeal", *command.split(), *map(str, more)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return running


def run_module(command: str, **more: Any) -> str:
    """Run `python -m COMMAND`, which has to succeed, and return what it prints."""
    words = [sys.executable, "-m", *command.split()]
    found = subprocess.run(words, capture_output=True, text=True, timeout=1200, **more)
    assert found.returncode == 0, f"python -m {command} fails:\n{found.stdout[-6000:]}{found.stderr[-2000:]}"
    return found.stdout


def build_wheel(package: Path, folder: Path) -> Path:
    """Build the wheel of a package into an empty folder, and return its path."""
    run_module(f"hatchling build -t wheel -d {folder}", cwd=package)
    (wheel,) = folder.glob("*.whl")
    return wheel


def presets() -> list[tuple[str, str]]:
    """Return every installed game with each of its presets."""
    return [(name, preset) for name in fairdeal.game_names() for preset in find_game(name).presets]


def at_most_two(name: str) -> int:
    """Return the number of players of a small table: one at a game for one, else two."""
    return min(2, find_game(name).players[1])


def names_for(most: int, least: int) -> list[str]:
    """Return the installed games whose largest table has `least` to `most` seats."""
    return [name for name in fairdeal.game_names() if least <= find_game(name).players[1] <= most]


OF_A_KIND = ("chi", "chip-it", "chimax-books", "chimax-jackpot", "chimax-match-2", "war-xtreme")
"""Games whose tables differ in look and play: enough for a test of the page, not of a game."""

WITH_DRAFTS = ("chi", "chip-it")
"""Games in which a card is picked before it is played."""


SHORT: dict[str, dict[str, object]] = {
    "chi": {"stacks_to_end": 4},
    "chip-it": {"duel_games": 2},
    "chimax-books": {"max_rounds": 1},
    "chaos-ninjas": {"turn_limit": 50},
    "chimax-fate": {"stall_limit": 1},
    "chimax-match-2": {"stall_limit": 1},
    "chimax-match-3": {"stall_limit": 1},
    "war-xtreme": {"max_rounds": 3, "ask_extreme": False},
}
"""Options with which a whole game ends soon."""


def installed(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in fairdeal.game_names()]


def opening(name: str) -> dict[str, object]:
    """Return options for a small table at which the first seat begins."""
    players = at_most_two(name)
    begins = {"first_player": 0, "first_dealer": players - 1}
    known = option_fields(find_game(name).options)
    return {"players": players} | {option: value for option, value in begins.items() if option in known}


def moments(name: str, games: int = 3, moves: int = 40) -> Iterator[tuple[State, random.Random]]:
    """Yield states of random games at that table after whole moves, each with the RNG that plays them."""
    for seed in range(games):
        state, chance = fairdeal.load(name, **opening(name)).deal(seed), random.Random(seed)
        for _ in range(moves):
            if state.over:
                break
            seat = chance.choice(state.to_act)
            state.apply(seat, chance.choice(state.legal_actions(seat)))
            if not state.composing:
                yield state, chance


def chairs(name: str, *first: str) -> list[str]:
    """Return `first` for the first seats of that table, and bots for the others."""
    players = at_most_two(name)
    return [*first[:players], *["greedy"] * (players - len(first))]


GROUPS: dict[str, Callable[[], list[str]]] = {
    "name": fairdeal.game_names,
    "name_for_several": lambda: names_for(least=2, most=8),
    "name_for_one": lambda: names_for(least=1, most=1),
    "name_of_a_kind": lambda: installed(OF_A_KIND),
    "name_with_drafts": lambda: installed(WITH_DRAFTS),
}
"""The games with which a test runs, by the name of its argument."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"name", "preset"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("name", "preset"), presets(), ids=[" ".join(pair) for pair in presets()])
        return
    for group in GROUPS.keys() & set(metafunc.fixturenames):
        metafunc.parametrize(group, GROUPS[group]())
