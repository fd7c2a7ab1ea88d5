"""What the tests share."""

from __future__ import annotations

import gc
import inspect
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

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
"""What answers in a minute: files of tests that start no server, no browser and no compiler."""


GAMES = "tests/games/test_games.py::"

COMPUTING = (f"{GAMES}TestWarXtreme", GAMES, "tests/fuzz/test_parsers.py", "tests/bots/test_positions.py")
"""What keeps a processor busy and never waits, nor needs an event loop: the longest first."""

LONG = (
    "tests/test_examples.py",
    "tests/test_docs.py::test_a_tutorial",
    "tests/test_docs.py::test_the_site",
    "tests/server/test_kill.py",
    "tests/test_wheel.py",
    "tests/compatibility/test_other_versions.py",
    "tests/server/test_browser.py",
)
"""What takes long is begun first, so that no worker is left with it when the others have nothing more to do."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`-m quick` reads only the files that have tests of that selection."""
    if is_quick(config) and collection_path.name.startswith("test_"):
        file = collection_path.relative_to(config.rootpath).as_posix()
        return file not in (*QUICK, "tests/games/test_games.py") or None
    return None


SELDOM = 200
"""After so many looks for garbage among younger objects comes one among all: twenty times as many as Python chooses."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`-m quick`: every case of every game, by the plain rules, and the tests of what everything stands on."""
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
    """When its turn comes, and what it does. Tests of rooms and terminals often wait, so those that compute are spread
    among them: without an event loop beside those that visit a room in Chromium, which follow each other as they share
    it, and others beside the rest."""
    if computes(item):
        return 0, "computes"
    if item.nodeid.startswith(LONG) or "visit" in item.fixturenames:
        return 0, "waits"
    return 1, "waits" if item.nodeid.startswith(("tests/server/", "tests/terminal/")) else "computes"


def computes(item: pytest.Item) -> bool:
    return item.nodeid.startswith(COMPUTING)


def first_of(item: pytest.Item, beginnings: tuple[str, ...]) -> int:
    """Which of these its name begins with, or how many there are."""
    return next((n for n, beginning in enumerate(beginnings) if item.nodeid.startswith(beginning)), len(beginnings))


def pytest_collection_finish() -> None:
    """What is there now stays to the end, so it is not looked through again and again for what could be freed."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Chromium runs as long as tests follow that visit a room, or compute: no other could run an event loop."""
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
    """Say in one line what was skipped and for which reasons; a reason says how to get what is missing."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        told = "; ".join(f"{number} {reason}" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"Skipped: {told}", yellow=True)


def is_quick(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "quick")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Twice as many workers as processors: tests of pages, rooms and the terminal wait much of their time; quick ones
    never do."""
    return (1 if is_quick(config) else 2) * (os.cpu_count() or 1)


class GameByGame(LoadScopeScheduling):  # type: ignore[misc]
    """Any worker takes the next test as soon as it is free; the tests of a game's class stay with one worker, which
    loads the game's compiled rules and makes its states once."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.rpartition("::")[0] if nodeid.startswith(GAMES) else nodeid


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


def presets() -> list[tuple[str, str]]:
    """Every installed game with each of its presets."""
    return [(name, preset) for name in fairdeal.game_names() for preset in find_game(name).presets]


def at_most_two(name: str) -> int:
    """How many play where a test wants few: one at a game for one, else two."""
    return min(2, find_game(name).players[1])


def names_for(most: int, least: int) -> list[str]:
    """The installed games whose largest table has so many seats."""
    return [name for name in fairdeal.game_names() if least <= find_game(name).players[1] <= most]


OF_A_KIND = ("chi", "chip-it", "chimax-books", "chimax-jackpot", "chimax-match-2", "war-xtreme")
"""Games whose tables look or are played differently: enough where a test is of the page, not of a game."""

WITH_DRAFTS = ("chi", "chip-it")
"""Games in which a card is picked first and played then."""


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
"""Options that let a whole game end soon, for tests that click their way through one."""


def installed(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in fairdeal.game_names()]


def opening(name: str) -> dict[str, object]:
    """Options for a small table at which the first seat begins."""
    players = at_most_two(name)
    begins = {"first_player": 0, "first_dealer": players - 1}
    known = option_fields(find_game(name).options)
    return {"players": players} | {option: value for option, value in begins.items() if option in known}


def moments(name: str, games: int = 3, moves: int = 40) -> Iterator[tuple[State, random.Random]]:
    """Yield the states of random games at that table after whole moves, each with the chance that plays them."""
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
    """These at the first seats of that table, and bots at the others."""
    players = at_most_two(name)
    return [*first[:players], *["greedy"] * (players - len(first))]


GROUPS: dict[str, Callable[[], list[str]]] = {
    "name": fairdeal.game_names,
    "name_for_several": lambda: names_for(least=2, most=8),
    "name_for_one": lambda: names_for(least=1, most=1),
    "name_of_a_kind": lambda: installed(OF_A_KIND),
    "name_with_drafts": lambda: installed(WITH_DRAFTS),
}
"""Which games a test gets one by one that asks for one by this name."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"name", "preset"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("name", "preset"), presets(), ids=[" ".join(pair) for pair in presets()])
        return
    for group in GROUPS.keys() & set(metafunc.fixturenames):
        metafunc.parametrize(group, GROUPS[group]())
