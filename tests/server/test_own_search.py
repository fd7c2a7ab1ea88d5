"""Hints that a program searches by itself, from what its seat knows. The room only puts them into words."""

import asyncio
import contextlib
import json

import pytest

import fairdeal
from fairdeal.bots.search import SearchBot
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.drivers.search import MOST_MOVES
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.observe.interface import description_of
from fairdeal.engine.records import restored
from fairdeal.engine.state import State
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.websocket import read
from fairdeal.server.extras.modules import Modules, Names
from fairdeal.table import advice
from fairdeal.table.advice import known_record
from fairdeal.testing.play import must_have, random_states
from tests.conftest import opening
from tests.server.conftest import PORT, ForkedRoom
from tests.server.in_process import Viewer
from tests.server.visiting import BROWSER, STILL, open_with, traffic_of, wait_until

CHI = {"game": "chi", "chairs": ("you", "greedy"), "options": {"first_player": 0}}


def searching(*_):
    raise AssertionError("the room searches")


@pytest.fixture(autouse=True, scope="module")
def written():
    """The module of CHI is in the cache."""
    return wasm_of(fairdeal.find_game("chi"))


@pytest.fixture
async def ada(inside, monkeypatch):
    """A guest of a room that has the module of CHI at hand, and that must not search."""
    monkeypatch.setattr(advice, "advise", searching)
    await inside.modules.asked(fairdeal.find_game("chi"))
    return Viewer(inside, await open_table(inside, "ada", **CHI), "ada")


async def asked(ada, look=0, **fields):
    """Return the response to a request that a program sends."""
    told = {"type": "hint", "id": f"hint {len(ada.heard)}", "look": look, "searches": True, **fields}
    try:
        request = read(json.dumps(told))
    except FairdealError as problem:
        return {"type": "refused", "reason": str(problem)}
    return await ada.ask(request)


def searched(ada, search):
    """Return what a program tries, given what the room has sent it."""
    state = ada.live.sitting.state
    view = State(state.table, restored(bytes.fromhex(search["view"]), state.record.dtype), viewer=0)
    thoughts = SearchBot(state.game, b"own", 2000).think(view, 0, 0)
    return [{"actions": one.actions, "games": one.games, "wins": one.wins} for one in thoughts]


async def test_the_room_puts_into_words_what_a_program_has_found(ada):
    first = await asked(ada)
    assert first["look"] == 1
    assert first["search"]["seconds"] == advice.SECONDS[1]
    tried = searched(ada, first["search"])
    second = await asked(ada, 1, seq=first["search"]["seq"], tried=tried)
    assert second["options"][0]["chance"] == tried[0]["wins"]
    state = ada.live.sitting.state
    assert second["move"] == state.game.write_move(state.record, 0, tried[0]["actions"])
    assert second["of"] == "to win"
    assert second["look"] == 2
    assert second["search"]["seconds"] == advice.SECONDS[2]
    last = await asked(ada, 3, seq=first["search"]["seq"], tried=tried)
    assert "look" not in last
    assert "search" not in last


async def test_only_a_program_that_searches_gets_the_parameters(ada):
    assert "search" not in await ada.ask(m.Hint(id="h"))


async def test_a_room_without_the_module_searches_itself(ada, monkeypatch):
    monkeypatch.setattr(ada.room, "modules", Modules(compiles=False))
    assert "search" not in await asked(ada)
    await asyncio.wait([ada.room.modules.asked(fairdeal.find_game("chi"))])
    assert "search" in await asked(ada)


def test_what_a_seat_is_sent_is_made_from_the_position_that_it_may_read(name):
    """It is the same record as that of the view from which a room searches, so the results are the same."""
    looked = 0
    for state, _, where in random_states(fairdeal.load(name), "known", 20):
        for seat in state.to_act:
            assert known_record(state, seat) == state.view(seat, state.game.recall).record.tobytes(), where
            looked += 1
    must_have(looked, 10, f"{name}: records")


MOVE = {"actions": [0], "games": 100, "wins": 0.5}


BAD = [
    ([MOVE | {"wins": 1.5}], "not a request: Expected `float` <= 1.0 - at `$.tried[0].wins`"),
    ([MOVE | {"games": 0}], "not a request: Expected `int` >= 1 - at `$.tried[0].games`"),
    ([MOVE | {"actions": []}], "not a request: Expected `array` of length >= 1 - at `$.tried[0].actions`"),
    ([MOVE | {"actions": [0] * (MOST_STEPS + 1)}], "not a request: Expected `array` of length <= 24"),
    ([MOVE | {"actions": [-1]}], "not a request: Expected `int` >= 0 - at `$.tried[0].actions[0]`"),
    ([MOVE | {"actions": [1 << 40]}], "not a request: Expected `int` <= 32767"),
    ([MOVE | {"lead": 1}], "not a request: Object contains unknown field `lead` - at `$.tried[0]`"),
    ([MOVE] * (MOST_MOVES + 1), "not a request: Expected `array` of length <= 64 - at `$.tried`"),
    ([MOVE, MOVE | {"actions": [32_000]}], "move 2 of your search is not legal: [32000]"),
    ([MOVE, MOVE | {"actions": [0, 0]}], "move 2 of your search is not legal: [0, 0]"),
]


async def test_bad_results_of_a_search_are_refused_with_one_reason_and_so_are_those_for_another_moment(ada):
    for tried, reason in BAD:
        answer = await asked(ada, 1, seq=ada.live.number, tried=tried)
        assert answer["type"] == "refused", reason
        assert answer["reason"].startswith(reason)
    answer = await asked(ada, 1, seq=ada.live.number + 1, tried=[MOVE])
    assert answer["type"] == "refused"
    assert "moved on" in answer["reason"]


def have_modules_at_hand():
    def at_hand(modules, game):
        module = wasm_of(game)
        return Names(modules.keep(module.code), modules.keep(description_of(game, module).as_json()))

    Modules.at_hand = at_hand


def leave_searching_to_the_page():
    have_modules_at_hand()
    advice.advise = searching


@contextlib.contextmanager
def table_in(room, game="chi"):
    """A page at a table of a room, with what it sends and receives."""
    with contextlib.ExitStack() as stack:
        stack.callback(room.stop)
        visit = stack.enter_context(BROWSER.visits(room.address))
        page = visit(**STILL)
        said, heard = traffic_of(page)
        page.goto(f"/t/{open_with(page, game, CHI['chairs'], options=opening(game))}")
        page.wait_for_selector(".prompt[data-yours]")
        yield page, said, heard


def files_of(page):
    return page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_a_page_searches_for_a_hint_and_the_room_does_not(game, tmp_path, deal):
    """Moves of one action, and moves of several."""
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=deal, change=leave_searching_to_the_page)
    with table_in(room, game) as (page, said, heard):
        assert not any("/fair/search" in url for url in files_of(page)), "nothing is loaded before a hint is asked"
        page.keyboard.press("h")
        page.get_by_role("button", name="the next best moves").wait_for()
        wait_until(page, lambda: sum(one["type"] == "answer" for one in heard) == 4)
        answers = {one["id"]: one for one in heard if one["type"] == "answer"}
        first, *found = [one for one in said if one["id"] in answers]
        assert len(found) == 3
        assert len(answers[first["id"]]["search"]["view"]) == 2 * fairdeal.find_game(game).state.itemsize
        shown = {asked["id"]: answers[asked["id"]].get("options", ()) for asked in found}
        assert any(shown.values()), "a busy machine plays too few games out, but not three times"
        for asked in found:
            for option in shown[asked["id"]][:1]:
                assert option["chance"] == asked["tried"][0]["wins"], (asked, answers)
            must_have(sum(one["games"] for one in asked["tried"]), 20, "games that the page has played out")


def test_a_page_that_cannot_search_leaves_it_to_the_room(tmp_path, deal):
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=deal, change=have_modules_at_hand)
    with table_in(room) as (page, said, heard):
        page.evaluate("delete window.Worker")
        page.keyboard.press("h")
        page.get_by_role("button", name="the next best moves").wait_for()
        asked = [one for one in said if one["type"] == "hint"]
        assert [one.get("searches") for one in asked[:2]] == [True, False]
        assert not any(one.get("tried") for one in asked)
        assert "search" not in [one for one in heard if one["type"] == "answer"][1]
