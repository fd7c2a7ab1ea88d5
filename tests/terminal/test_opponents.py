"""Opponents in the terminal: offered by name and strength, and thinking without holding up the screen."""

import threading

import pytest
from textual.widgets import Select, Static

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.levels import FACES, levels_of
from fairdeal.engine.registry import find_game, game_names
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.screens import table_screen
from fairdeal.terminal.screens.new_table import name_for
from fairdeal.terminal.screens.opponents import Opponents, offered
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.terminal.driving import app_for, at_menu, comes, until


def test_a_second_of_a_kind_has_a_name_of_its_own_and_people_keep_theirs():
    names = ["Vix"]
    for bot in ("vix", "vix:100-0-8", "bram", "greedy", "mine:Careful", "mine:Careful", "random"):
        names.append(name_for(bot, names))
    assert names == ["Vix", "Bo", "Cleo", "Bram", "Dai", "Careful", "Eli", "Fay"]
    assert name_for("bram", ["BRAM"]) == "Bo"


async def says(pilot, screen, words):
    await until(pilot, lambda: words in str(screen.query_one("#line", Static).content), words)


async def test_the_menu_offers_the_opponents_of_a_game_and_keeps_who_was_chosen(tmp_path):
    kept = tmp_path / "opponents.json"
    async with at_menu(opponents=Opponents(kept)) as (pilot, screen):
        bots, levels = screen.query_one("#bots", Select), [*levels_of(screen.game)]
        await until(pilot, lambda: bots.value)
        assert [value for _, value in bots._options] == levels
        assert bots.value == "juno"
        for name in levels:
            bots.value = name
            await says(pilot, screen, FACES[name].line)
            (label,) = (label for label, value in bots._options if value == name)
            assert label.startswith(FACES[name].name)
            assert label.count("●") == FACES[name].pips
        bots.value = "otto"
        await pilot.press("f5")
        assert (await comes(pilot, TableScreen)).sitting.names[1] == "Otto"
    assert Opponents(kept).last(screen.game) == "otto"
    assert Opponents(None).last(screen.game) == "juno"


async def test_the_menu_offers_a_net_where_one_has_learned_the_game_and_says_where_it_cannot_play(tmp_path):
    assert [name for name in game_names() if "learned" in dict(map(reversed, offered(find_game(name))))] == ["chi"]
    kept = tmp_path / "opponents.json"
    async with at_menu("chi", opponents=Opponents(kept)) as (pilot, screen):
        bots, preset = screen.query_one("#bots", Select), screen.query_one("#preset", Select)
        await until(pilot, lambda: screen.query("#option-stacks_to_end"))
        bots.value, preset.value = "learned", "mixed"
        await says(pilot, screen, "learned the game by playing")
        await pilot.press("f5")
        await until(pilot, lambda: "yang_layout" in str(screen.query_one("#problem", Static).content))
        preset.value = "standard"
        await pilot.press("f5")
        assert (await comes(pilot, TableScreen)).sitting.names[1] == "Learned"
    assert Opponents(kept).last(find_game("chi")) == "learned"
    assert Opponents(kept).last(find_game("chip-it")) == "juno"


THINKS = {"bots": ["vix:100-0-1"], "seed": "thinks", "options": {"first_player": 1}}
"""A table at which a bot that searches begins."""


@pytest.fixture
def thinking(monkeypatch):
    """An event; bots that search choose their moves when it is set."""
    free, choose = threading.Event(), Sitting.bot_move

    def wait(sitting, seat):
        free.wait(60)
        return choose(sitting, seat)

    monkeypatch.setattr(Sitting, "bot_move", wait)
    monkeypatch.setattr(table_screen, "SAYS_AFTER", 0.001)
    yield free
    free.set()


async def test_the_screen_goes_on_while_a_bot_thinks(thinking):
    async with app_for("chi", **THINKS).run_test(size=(80, 24)) as pilot:
        screen = await comes(pilot, TableScreen, lambda screen: screen.view.note)
        assert screen.view.note == "Vix is thinking."
        assert screen.thinking == {1}
        await pilot.press("l")
        assert screen.has_class("panel")
        await pilot.press("escape")
        assert screen.sitting.moves_made == 0
        thinking.set()
        await until(pilot, lambda: screen.sitting.moves_made)
        assert screen.sitting.log.moves[0].seat == 1
        assert "thinking" not in screen.view.note


async def test_the_choice_of_a_bot_is_dropped_if_the_table_has_moved_on(thinking):
    async with app_for("chi", **THINKS).run_test(size=(80, 24)) as pilot:
        screen = await comes(pilot, TableScreen, lambda screen: screen.thinking)
        state = screen.sitting.state
        screen.sitting.play(1, next(state.moves(1)))
        made = screen.sitting.log.moves[0].text
        thinking.set()
        await until(pilot, lambda: not screen.thinking)
        assert screen.sitting.log.moves[0].text == made


class Cheat:
    recall = 0

    def __init__(self, table, seat, key):
        pass

    def choose(self, view, player, turn):
        return "nonsense"


async def test_a_users_own_bot_plays_here_and_its_forfeits_are_reported(monkeypatch):
    monkeypatch.setattr(custom, "_admitted", {})
    name = f"{__name__}:Cheat"
    custom.admit([name])
    told = []
    monkeypatch.setattr(TableScreen, "notify", lambda screen, words, **_: told.append(words))
    async with app_for("chi", bots=[name], seed="own", options={"first_player": 1}).run_test() as pilot:
        sitting = (await comes(pilot, TableScreen, lambda _: told)).sitting
        assert sitting.names == ("Ada", "Cheat")
        assert sitting.moves_made
        assert told[0].startswith(custom.FORFEIT)
        assert "illegal move" in told[0]
    assert fairdeal.find_game("chi").name == "chi"
