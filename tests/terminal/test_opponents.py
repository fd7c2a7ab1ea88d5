"""Opponents in the terminal: offered by name and strength, and thinking without holding up the screen."""

import threading

import pytest
from textual.widgets import OptionList, Select, Static

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.levels import FACES, levels_of
from fairdeal.engine.registry import find_game, game_names
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.screens import new_table, table_screen
from fairdeal.terminal.screens.new_table import Plan, name_for
from fairdeal.terminal.screens.opponents import Opponents, offered
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.terminal.test_playing import until


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    """Logs of tests are kept in a folder of their own."""
    monkeypatch.setattr(new_table, "logs_folder", lambda: tmp_path / "logs")


def test_a_second_of_a_kind_has_a_number_and_people_keep_their_names():
    names = ["Vix"]
    for bot in ("vix", "vix:100-0-8", "bram", "greedy", "mine:Careful", "mine:Careful", "random"):
        names.append(name_for(bot, names))
    assert names == ["Vix", "Vix 2", "Vix 3", "Bram", "Bo", "Careful", "Careful 2", "Cleo"]
    assert name_for("bram", ["BRAM"]) == "Bram 2"


async def says(pilot, screen, words):
    await until(pilot, lambda: words in str(screen.query_one("#line", Static).content))


async def test_the_menu_offers_the_opponents_of_a_game_and_keeps_who_was_chosen(tmp_path):
    kept = tmp_path / "opponents.json"
    app = FairdealApp(pause=0, opponents=Opponents(kept))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen) and app.screen.query_one("#bots", Select).value)
        screen = app.screen
        bots = screen.query_one("#bots", Select)
        levels = [*levels_of(screen.game)]
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
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert app.screen.sitting.names[1] == "Otto"
    assert Opponents(kept).last(screen.game) == "otto"
    assert Opponents(None).last(screen.game) == "juno"


async def test_the_menu_offers_a_net_where_one_has_learned_the_game_and_says_where_it_cannot_play(tmp_path):
    assert [name for name in game_names() if "learned" in dict(map(reversed, offered(find_game(name))))] == ["chi"]
    kept = tmp_path / "opponents.json"
    app = FairdealApp(pause=0, opponents=Opponents(kept))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen) and app.screen.query_one("#bots", Select).value)
        screen = app.screen
        screen.query_one("#games", OptionList).highlighted = [game.name for game in screen.games].index("chi")
        bots, preset = screen.query_one("#bots", Select), screen.query_one("#preset", Select)
        await until(pilot, lambda: screen.query("#option-stacks_to_end"))
        bots.value, preset.value = "learned", "mixed"
        await says(pilot, screen, "learned the game by playing")
        await pilot.press("f5")
        await until(pilot, lambda: "yang_layout" in str(screen.query_one("#problem", Static).content))
        preset.value = "standard"
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert app.screen.sitting.names[1] == "Learned"
    assert Opponents(kept).last(find_game("chi")) == "learned"
    assert Opponents(kept).last(find_game("chip-it")) == "juno"


@pytest.fixture
def thinking(monkeypatch):
    """Bots that search answer when this is set."""
    free, choose = threading.Event(), Sitting.bot_move

    def wait(sitting, seat):
        free.wait(60)
        return choose(sitting, seat)

    monkeypatch.setattr(Sitting, "bot_move", wait)
    monkeypatch.setattr(table_screen, "SAYS_AFTER", 0.001)
    yield free
    free.set()


async def test_the_screen_goes_on_while_a_bot_thinks(thinking):
    plan = Plan("chi", bots=["vix:100-0-1"], seed="thinks", options={"first_player": 1})
    app = FairdealApp((plan.open(), None, plan), pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TableScreen) and app.screen.view.note)
        screen = app.screen
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


async def test_what_was_thought_of_a_table_that_has_moved_on_is_forgotten(thinking):
    plan = Plan("chi", bots=["vix:100-0-1"], seed="thinks", options={"first_player": 1})
    app = FairdealApp((plan.open(), None, plan), pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TableScreen) and app.screen.thinking)
        screen = app.screen
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


async def test_a_bot_of_ones_own_plays_here_and_what_it_forfeits_is_told(monkeypatch):
    monkeypatch.setattr(custom, "_admitted", {})
    name = f"{__name__}:Cheat"
    custom.admit([name])
    plan = Plan("chi", bots=[name], seed="own", options={"first_player": 1})
    told = []
    monkeypatch.setattr(TableScreen, "notify", lambda screen, words, **_: told.append(words))
    app = FairdealApp((plan.open(), None, plan), pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TableScreen) and told)
        assert app.screen.sitting.names == ("Ada", "Cheat")
        assert app.screen.sitting.moves_made
        assert told[0].startswith(custom.FORFEIT)
        assert "illegal move" in told[0]
    assert fairdeal.find_game("chi").name == "chi"
