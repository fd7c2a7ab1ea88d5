"""Plain Python calculates as compiled code does: rules widen the small numbers that they read from records."""

import random

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot
from fairdeal.engine import chance, compiled, drivers
from fairdeal.engine.records import HOUSE, SPECTATOR, blank_array, i1, new, record, rule
from fairdeal.engine.records import chance as chance_record
from fairdeal.games.war_xtreme.state import RACE
from fairdeal.testing.arithmetic import Arithmetic, Source, functions_in, sources_of_all_rules

LOOKS, MOVES = 6, 4


def test_no_rule_calculates_with_small_numbers():
    sources = sources_of_all_rules()
    assert len(sources) > 750
    assert drivers.simulate in {source.rule for source in sources}
    assert Arithmetic(sources).found() == []


TABLE = np.array([1, 2], np.int8)
WIDE_TABLE = np.array([1, 2], np.int64)
LIMIT, BIT = 100, 128


@pytest.mark.parametrize(
    "text",
    [
        "1 << state.turn",
        "state.turn + 1",
        "1 - state.turn",
        "-state.turn",
        "3 * state.hands[turn].length",
        "BIT >> state.turn",
        "state.turn & BIT",
        "turn % state.players",
        "TABLE[turn] + 1",
        "max(state.turn, 1) * 2",
        "(state.turn if turn else 0) + 1",
        "(state.turn == 1) + (state.turn == 2)",
    ],
)
def test_small_numbers_are_found_where_they_are_read(text):
    assert found_in(f"def count(state, turn):\n    return {text}\n")


@pytest.mark.parametrize(
    "lines",
    [
        ["turn = state.turn", "return turn + 1"],
        ["one, two = state.turn, 2", "return one + two"],
        ["total = 0", "total += state.turn", "return total"],
        ["for card in state.cards:", "    turn += card", "return turn"],
        ["return widened(state.turn)"],
        ["return read(state) + 1"],
    ],
    ids=" ".join,
)
def test_small_numbers_are_found_behind_names_and_calls(lines):
    helpers = "def widened(seat):\n    return 1 << seat\n\ndef read(state):\n    return state.turn\n"
    assert found_in("\n    ".join(["def count(state, turn):", *lines]) + f"\n\n{helpers}")


@pytest.mark.parametrize(
    "text",
    [
        "1 << int(state.turn)",
        "int(state.turn) + 1",
        "WIDE_TABLE[turn] + 1",
        "state.to_act >> turn & 1",
        "state.turn % LIMIT",
        "state.seats & state.others",
        "turn + (state.turn == 1)",
        "len(state.cards) + 1",
        "turn + 1 if state.over else 0",
    ],
)
def test_wide_numbers_are_let_pass(text):
    assert not found_in(f"def count(state, turn):\n    return {text}\n")


def found_in(text):
    scope = {"TABLE": TABLE, "WIDE_TABLE": WIDE_TABLE, "LIMIT": LIMIT, "BIT": BIT, "__name__": "some"}
    exec(text, scope)
    return Arithmetic([Source(rule(scope[name]), tree) for name, tree in functions_in(text).items()]).found()


def test_a_field_does_calculate_small_in_plain_python():
    """What all this is about; if NumPy ever changes it, the rules need not widen any more."""
    state = new(record(turn=i1))
    state.turn = 7
    assert 1 << state.turn == -128
    with pytest.raises(OverflowError):
        128 >> state.turn


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Whatever other tests have compiled, rules run as plain Python; an overflow raises."""
    monkeypatch.setattr(compiled, "_compiled", {})
    with np.errstate(all="raise"):
        yield


def test_every_preset_runs_interpreted_without_overflow(name, preset):
    assert play_interpreted(fairdeal.load(name, preset=preset), preset) > 1


def test_the_smallest_and_largest_tables_run_interpreted_without_overflow(name):
    """With few players hands are long, with many seats have high numbers."""
    calm = {"ask_extreme": False} if name == "war-xtreme" else {}
    for players in fairdeal.find_game(name).players:
        assert play_interpreted(fairdeal.load(name, players=players, **calm), f"{players} players") > 1


def play_interpreted(table, seed):
    """Let random and greedy bots and the house move, and one after the other look on; how often they did."""
    state, bot, source = table.deal(f"interpreted {seed}"), GreedyBot(table.game.recall), new(chance_record)
    chance.set_key(source, chance.key_of(seed))
    for number in range(LOOKS):
        played = compiled.plain(table.game).random_moves(state.record, source, compiled.scratch(table.game), MOVES)
        if state.over:
            return number
        assert played == MOVES
        player = state.to_act[number % len(state.to_act)]
        actions = bot.choose(state.view(player, bot.recall), player).actions
        if number % 3 == 2 and state.legal_actions(HOUSE):
            player, actions = HOUSE, tuple(state.legal_actions(HOUSE)[-1:])
        before = state.copy()
        state.play_actions(player, actions)
        look_on(before, state, player, actions, number % (table.players + 1) + SPECTATOR, source)
    return LOOKS


def look_on(before, after, player, actions, viewer, source):
    """All that a screen, a log and a search bot ask for."""
    assert before.narrate(after, player, actions, viewer)
    view = after.view(viewer, 100)
    assert view.scene(viewer).zones
    view.resample(source)
    assert len(after.scores) == after.players
    assert after.table.setup(after.position()).position() == after.position()


def test_drivers_run_interpreted_without_overflow(name):
    """They hand on the ids of actions as they lie in an array of small numbers."""
    table = fairdeal.load(name, players=fairdeal.find_game(name).players[1])
    states, sources = blank_array(table.game.state, 3), blank_array(chance_record, 2)
    states[0] = table.blank().record
    chance.set_key(sources[0], chance.key_of("drivers"))
    scores, lengths = np.zeros((1, table.players)), np.zeros((1, 2), np.int64)
    bots = np.arange(table.players) % 2
    engine = compiled.plain(table.game)
    engine.simulate(states, sources, compiled.scratch(table.game), bots, 0, 1, scores, lengths)
    assert lengths[0, 0] > 3


def test_seeded_races_of_eight_seats_run_interpreted():
    """WAR-20: the actions printed on all Speed cards are bits of one number, the seats three bits each."""
    races = 0
    for seed in range(12):
        state = fairdeal.load("war-xtreme", players=8, race="seeded", ask_extreme=False).deal(seed)
        choice, source, actions = random.Random(seed), new(chance_record), compiled.scratch(state.game)
        chance.set_key(source, chance.key_of(seed))
        while not state.over:
            if state.record.phase == RACE:
                races += 1
                for seat in state.to_act:
                    state.apply(seat, choice.choice(state.legal_actions(seat)[1:]))
            compiled.plain(state.game).random_moves(state.record, source, actions, 1)
    assert races > 5
