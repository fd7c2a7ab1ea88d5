"""Arithmetic in rules: small numbers from records are widened, so that plain Python equals compiled code."""

import random
from types import ModuleType

import numpy as np
import pytest

import fairdeal
from fairdeal.engine import drivers
from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import i1, new, record, rule
from fairdeal.games.war_xtreme.state import RACE
from fairdeal.testing.arithmetic import Arithmetic, Source, functions_in, on_numpy, sources_of


def test_the_rules_of_the_engine_and_of_all_games_are_read():
    read = {source.rule for name in fairdeal.game_names() for source in sources_of(fairdeal.find_game(name))}
    assert len(read) > 750
    assert drivers.simulate in read


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
        "home.TABLE[turn] + 1",
        "home.LIMIT + state.turn",
        "state.seats & home.BIT",
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
        "state.turn % home.LIMIT",
        "home.WIDE_TABLE[turn] + home.LIMIT",
        "state.seats & state.others",
        "turn + (state.turn == 1)",
        "len(state.cards) + 1",
        "turn + 1 if state.over else 0",
    ],
)
def test_wide_numbers_are_let_pass(text):
    assert not found_in(f"def count(state, turn):\n    return {text}\n")


def found_in(text):
    constants = {"TABLE": TABLE, "WIDE_TABLE": WIDE_TABLE, "LIMIT": LIMIT, "BIT": BIT}
    home = ModuleType("home")
    vars(home).update(constants)
    scope = constants | {"home": home, "__name__": "some"}
    exec(text, scope)
    return Arithmetic([Source(rule(scope[name]), tree) for name, tree in functions_in(text).items()]).found()


def test_a_field_does_calculate_small_in_plain_python():
    """If NumPy changes this, rules need not widen numbers."""
    state = new(record(turn=i1))
    state.turn = 7
    assert 1 << state.turn == -128
    with pytest.raises(OverflowError):
        128 >> state.turn


def test_seeded_races_of_eight_seats_run_interpreted():
    """WAR-20: the actions printed on all Speed cards are bits of one number, the seats three bits each."""
    races, game = 0, fairdeal.find_game("war-xtreme")
    with on_numpy(game):
        for seed in range(5):
            races += races_in_a_game(seed)
    assert races > 1


def races_in_a_game(seed):
    races, state = 0, fairdeal.load("war-xtreme", players=8, race="seeded", ask_extreme=False).deal(seed)
    choice, source, actions = random.Random(seed), new(chance_record), compiled.scratch(state.game)
    chance.set_key(source, chance.key_of(seed))
    while not state.over:
        if state.record.phase == RACE:
            races += 1
            for seat in state.to_act:
                state.apply(seat, choice.choice(state.legal_actions(seat)[1:]))
        compiled.plain(state.game).random_moves(state.record, source, actions, 1)
    return races
