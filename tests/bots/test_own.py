"""Bots of users: found by name if a command names them, and held to the rules and to their time."""

import itertools
import threading

import pytest

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.bots import GreedyBot, Suggestion, ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.errors import BadLog
from fairdeal.lab.simulate.simulation import simulate
from fairdeal.table.verification import verify
from fairdeal.testing.play import must_have, random_states
from tests.conftest import ROOT, refusal
from tests.table.sittings import finished

EXAMPLES = ROOT / "examples"
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
    """No bot is admitted, even if another test admitted one."""
    monkeypatch.setattr(custom, "_admitted", {})


def word_of(kind):
    return f"{__name__}:{kind.__name__}"


def seated(kind, seconds=custom.TIME_LIMIT):
    """Return a bot at a table of CHI, and the state and the player that it is asked about."""
    custom.admit([word_of(kind)], seconds)
    state = fairdeal.load("chi").deal(1)
    return find_bot(word_of(kind), state.table, 0, bytes(32)), state, state.to_act[0]


@pytest.mark.parametrize("kind", [First, ByActions, WithReason])
def test_a_move_may_be_notation_actions_or_a_suggestion(kind):
    bot, state, player = seated(kind)
    found = ask(bot, state, player, 0)
    assert state.is_legal_move(player, found.actions)
    assert found.actions == next(state.view(player).action_moves(player))
    assert found.reason == ("Because." if kind is WithReason else "")
    assert not bot.forfeits


def test_the_legal_moves_of_a_seat_can_be_listed_from_its_view(name):
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
def test_greedy_plays_for_a_bot_without_a_legal_move_and_the_reason_is_given(kind, sort, words):
    bot, state, player = seated(kind)
    found = ask(bot, state, player, 3)
    assert found.actions == ask(GreedyBot(0), state, player, 3).actions
    assert found.reason.startswith(custom.FORFEIT)
    (forfeit,) = bot.forfeits
    assert (forfeit.turn, forfeit.kind) == (3, sort)
    assert words in forfeit.why
    assert words in found.reason


def test_a_bot_that_takes_too_long_forfeits_and_is_not_waited_for_again():
    bot, state, player = seated(Slow, seconds=0.05)
    for turn in range(2):
        ask(bot, state, player, turn)
    HANGING.set()
    bot.thinking.join()
    assert [one.why.partition(" ")[2] for one in bot.forfeits] == [
        "took longer than 0.05 s",
        "is still choosing an earlier move",
    ]
    assert ask(bot, state, player, 2).reason == ""


def test_a_bot_is_given_a_copy_of_the_view_of_its_seat():
    bot, state, player = seated(First)
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
def test_the_error_of_a_bot_that_cannot_be_found_says_what_is_missing(word, says):
    with refusal(says):
        custom.admit([word])


@pytest.mark.parametrize(
    ("kind", "says"), [(NoRecall, "cannot be created: AttributeError"), (Knowing, "from 0 to 100, not 101")]
)
def test_the_error_of_a_bot_that_cannot_play_says_why(kind, says):
    with refusal(says):
        seated(kind)


def test_a_bot_is_imported_only_if_a_command_names_it(tmp_path, monkeypatch):
    """A name in a log, or one that is sent to a room, imports nothing."""
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with refusal("plays only in commands that name it, as in --bots trap:Bot"):
        find_bot("trap:Bot", fairdeal.load("chi"), 0, bytes(32))


def test_the_example_beats_random_moves_and_forfeits_nothing(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    bots = ("own_bot:OneAhead", "random")
    custom.admit(bots)
    results = simulate(fairdeal.load("chi"), 24, bots, jobs=2)
    assert results.forfeits == ()
    assert results.by_bot[0].wins.low > 0.5


def test_a_simulation_counts_forfeits():
    bots = word_of(Cheat), word_of(Broken)
    custom.admit(bots)
    broken, cheat = simulate(fairdeal.load("chi"), 2, bots).forfeits
    assert (broken.illegal, cheat.failed, broken.late) == (0, 0, 0)
    assert cheat.illegal > 5
    assert broken.failed > 5
    assert "illegal move" in cheat.reason


def test_a_log_with_the_bot_of_a_user_is_verified_only_if_a_command_names_the_bot():
    name = word_of(First)
    custom.admit([name])
    sitting = finished("chi", (name, "greedy"), "own", ("One", "Two"))
    log, found = verify(sitting.log.text())
    assert log.players[0].plays == name
    assert ("bots", True) in {(one.check, one.ok) for one in found}
    custom._admitted.clear()
    with pytest.raises(BadLog, match="plays only in commands that name it"):
        verify(sitting.log.text())
