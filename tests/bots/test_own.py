"""Bots of one's own: found by name where a command names them, held to the rules and to their time."""

import itertools
import threading
from pathlib import Path

import pytest

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.bots import GreedyBot, Suggestion, ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.lab.simulate.simulation import simulate
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verify
from fairdeal.testing.play import must_have, random_states

EXAMPLES = Path(__file__).parents[2] / "examples"
HANGING = threading.Event()


class First:
    """Plays the first legal move."""

    recall = 0

    def __init__(self, table, seat, key):
        self.asked = []

    def choose(self, view, player, turn):
        self.asked.append(view)
        return next(view.moves(player))


class ByActions(First):
    def choose(self, view, player, turn):
        return next(view.action_moves(player))


class WithReason(First):
    def choose(self, view, player, turn):
        return Suggestion(next(view.action_moves(player)), "Because.")


class Cheat(First):
    def choose(self, view, player, turn):
        return "play everything"


class Silent(First):
    def choose(self, view, player, turn):
        return None


class Broken(First):
    def choose(self, view, player, turn):
        raise KeyError("lost")


class Slow(First):
    def choose(self, view, player, turn):
        HANGING.wait(20)
        return next(view.moves(player))


class NoRecall:
    def __init__(self, table, seat, key):
        pass

    def choose(self, view, player, turn):
        return ""


class Knowing(NoRecall):
    recall = 101


class Deaf:
    recall = 0


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    """No bot is admitted by another test."""
    monkeypatch.setattr(custom, "_admitted", {})


def seated(kind, seconds=custom.TIME_LIMIT, game="chi"):
    name = f"{__name__}:{kind.__name__}"
    custom.admit([name], seconds)
    return find_bot(name, fairdeal.load(game), 0, bytes(32))


@pytest.mark.parametrize("kind", [First, ByActions, WithReason])
def test_a_move_may_be_notation_actions_or_a_suggestion(kind):
    bot, state = seated(kind), fairdeal.load("chi").deal(1)
    player = state.to_act[0]
    found = ask(bot, state, player, 0)
    assert state.is_legal_move(player, found.actions)
    assert found.actions == next(state.view(player).action_moves(player))
    assert found.reason == ("Because." if kind is WithReason else "")
    assert not bot.forfeits


def test_the_moves_of_a_view_are_those_of_the_game(name):
    """What is legal for a seat can be listed from what it sees."""
    looked = 0
    for state, _, where in random_states(fairdeal.load(name), "moves of views", 15):
        for player in state.to_act:
            there, seen = (itertools.islice(one.moves(player), 60) for one in (state, state.view(player)))
            assert [*there] == [*seen], where
            looked += 1
    must_have(looked, 10, "views whose moves were listed")


@pytest.mark.parametrize(
    ("kind", "sort", "words"),
    [
        (Cheat, "illegal", "returned an illegal move: 'play everything'"),
        (Silent, "illegal", "returned None, which is neither a string nor a list of actions"),
        (Broken, "failed", "failed: KeyError: 'lost'"),
    ],
)
def test_who_gives_no_legal_move_leaves_it_to_greedy_and_hears_why(kind, sort, words):
    bot, state = seated(kind), fairdeal.load("chi").deal(1)
    player = state.to_act[0]
    found = ask(bot, state, player, 3)
    assert found.actions == ask(GreedyBot(0), state, player, 3).actions
    assert found.reason.startswith(custom.FORFEIT)
    ((turn, forfeited, why),) = [(one.turn, one.kind, one.why) for one in bot.forfeits]
    assert (turn, forfeited) == (3, sort)
    assert words in why
    assert words in found.reason


def test_who_takes_too_long_forfeits_and_is_not_waited_for_again():
    bot, state = seated(Slow, seconds=0.05), fairdeal.load("chi").deal(1)
    player = state.to_act[0]
    ask(bot, state, player, 0)
    ask(bot, state, player, 1)
    HANGING.set()
    bot.thinking.join()
    assert [one.why.partition(" ")[2] for one in bot.forfeits] == [
        "took longer than 0.05 s",
        "is still choosing an earlier move",
    ]
    assert ask(bot, state, player, 2).reason == ""


def test_a_bot_is_given_a_copy_of_what_its_seat_sees():
    bot, state = seated(First), fairdeal.load("chi").deal(1)
    player = state.to_act[0]
    view = state.view(player)
    bot.choose(view, player, 0)
    (given,) = bot.bot.asked
    assert given == view
    assert given.viewer == player
    assert given.record is not view.record


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("no_such_module:Bot", "cannot import 'no_such_module': ModuleNotFoundError"),
        (f"{__name__}:Nobody", "has no class 'Nobody'"),
        (f"{__name__}:Deaf", "it must be a class with choose"),
        (f"{__name__}:seated", "it must be a class with choose"),
    ],
)
def test_what_is_missing_is_said(word, says):
    with pytest.raises(FairdealError, match=says):
        custom.admit([word])


@pytest.mark.parametrize(
    ("kind", "says"), [(NoRecall, "cannot be created: AttributeError"), (Knowing, "from 0 to 100, not 101")]
)
def test_who_cannot_sit_down_says_why(kind, says):
    with pytest.raises(FairdealError, match=says):
        seated(kind)


def test_only_what_was_named_is_ever_imported(tmp_path, monkeypatch):
    """A name in a log, or one that comes to a room, imports nothing."""
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FairdealError, match="plays only in commands that name it, as in --bots trap:Bot"):
        find_bot("trap:Bot", fairdeal.load("chi"), 0, bytes(32))


def test_the_example_beats_any_legal_move_and_forfeits_nothing(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    bots = ("own_bot:OneAhead", "random")
    custom.admit(bots)
    results = simulate(fairdeal.load("chi"), 40, bots, jobs=2)
    assert results.forfeits == ()
    assert results.by_bot[0].wins.low > 0.5


def test_a_simulation_counts_what_was_forfeited():
    bots = f"{__name__}:Cheat", f"{__name__}:Broken"
    custom.admit(bots)
    results = simulate(fairdeal.load("chi"), 2, bots)
    broken, cheat = results.forfeits
    assert (broken.illegal, cheat.failed, broken.late) == (0, 0, 0)
    assert cheat.illegal > 5
    assert broken.failed > 5
    assert "illegal move" in cheat.reason


def test_a_log_with_ones_own_bot_is_proven_where_the_bot_is_named_and_nowhere_else():
    name = f"{__name__}:First"
    custom.admit([name])
    sitting = Sitting.open(fairdeal.load("chi"), [Player("One", name), Player("Two", "greedy")], "own")
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    log, checked = verify(sitting.log.text())
    assert log.players[0].plays == name
    assert any("bots" in line for line in checked)
    custom._admitted.clear()
    with pytest.raises(BadLog, match="plays only in commands that name it"):
        verify(sitting.log.text())
