"""The games in OpenSpiel: its own random games, clones, information states, and algorithms."""

import pickle
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

import fairdeal
from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.engine.options import option_fields, part_of, read_options
from fairdeal.engine.registry import find_game
from fairdeal.environments import openspiel
from fairdeal.environments.parameters import defaults_of, options_of
from tests.conftest import SHORT

ROOT = Path(__file__).parents[2]


def called(name):
    return f"fairdeal_{name.replace('-', '_')}"


def dealt(name, deal=0, **parameters):
    state = pyspiel.load_game(called(name), parameters).new_initial_state()
    state.apply_action(deal)
    return state


def play(state, dice, actions):
    for _ in range(actions):
        if not state.is_terminal():
            state.apply_action(int(dice.choice(state.legal_actions())))


def half_made():
    """Return a state in the middle of a move."""
    state, dice = dealt("chip-it"), np.random.default_rng(2)
    while not state.turns.draft:
        play(state, dice, 1)
    return state


def seats(state):
    return range(state.num_players())


def information(state):
    """Return the information state of every seat."""
    return [state.information_state_string(seat) for seat in seats(state)]


def test_random_games(name_of_a_kind):
    game = pyspiel.load_game(called(name_of_a_kind), SHORT.get(name_of_a_kind, {}))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_the_number_that_chance_draws_is_the_seed_of_the_deal():
    assert dealt("chi", deal=3).turns.state == fairdeal.load("chi").deal(3)


@pytest.mark.parametrize("way", ["clone", "serialize", "pickle"])
def test_a_clone_plays_on_by_itself(way):
    """Serialized states are dealt and played again from their actions."""
    state = half_made()
    before = str(state), information(state), state.history()
    if way == "clone":
        other = state.clone()
    elif way == "serialize":
        other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    else:
        other = pickle.loads(pickle.dumps(state))
    assert (str(other), information(other), other.history()) == before
    play(other, np.random.default_rng(3), 40)
    assert (str(state), information(state), state.history()) == before
    play(state, np.random.default_rng(3), 40)
    assert str(other) == str(state)


def test_an_information_state_is_all_that_a_seat_has_seen_and_done():
    assert dealt("chi", 0).information_state_string() != dealt("chi", 1).information_state_string()
    state = dealt("chimax-match-2")
    first, second = (state.child(action) for action in state.legal_actions()[:2])
    assert first.information_state_string(0) != second.information_state_string(0)
    assert first.observation_string(0) != second.observation_string(0)


def test_an_information_state_contains_what_was_seen_before():
    one, other = dealt("chi"), dealt("chi")
    other.seen = (other.seen[0], b"something else")
    for state in (one, other):
        play(state, np.random.default_rng(1), 5)
    assert one.turns.state == other.turns.state
    assert [mine == theirs for mine, theirs in zip(information(one), information(other), strict=True)] == [True, False]


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_an_information_state_does_not_depend_on_the_cards_of_other_seats(game):
    """States drawn for a seat look the same to it, whatever it does next; the cards of other seats differ."""
    state = dealt(game)
    play(state, np.random.default_rng(6), 9)
    seat = state.current_player()
    for _ in range(5):
        guess = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        for look in ("information_state_string", "information_state_tensor", "observation_string", "shown"):
            assert getattr(guess, look)(seat) == getattr(state, look)(seat), look
        assert guess.legal_actions() == state.legal_actions()
        assert str(guess) != str(state)
        same = [mine == theirs for mine, theirs in zip(information(guess), information(state), strict=True)]
        assert same == [other == seat for other in seats(state)]
        assert not guess.history()


def test_a_half_made_move_is_shown_to_its_own_seat_only():
    state = half_made()
    shown = [", then " in state.observation_string(seat) for seat in seats(state)]
    assert shown == [seat == state.current_player() for seat in seats(state)]


def test_tensors_show_a_perfect_memory_and_what_lies_open():
    state = dealt("chimax-match-2")
    play(state, np.random.default_rng(1), 12)
    remembered, open_now = state.information_state_tensor(0), state.observation_tensor(0)
    observe = state.get_game().layout.observe
    assert remembered == observe(state.turns.view(0, 100), 0).tolist()
    assert open_now == observe(state.turns.view(0, 0), 0).tolist()
    assert remembered != open_now


def test_wins_are_bounded_and_sum_to_nothing():
    game = pyspiel.load_game("fairdeal_chip_it(players=3)")
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-0.5, 1.0, 0.0)
    alone = pyspiel.load_game("fairdeal_chimax_jackpot")
    assert alone.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    state = dealt("chimax-cut", rewards="scores", shuffles=5)
    play(state, np.random.default_rng(1), 1000)
    assert state.returns() == state.turns.state.returns()
    assert len(state.get_game().new_initial_state().chance_outcomes()) == 5


def test_options_are_numbers_booleans_words_and_lists():
    game = pyspiel.load_game(
        "fairdeal_chi(hand_limit=4,first_player=1,keep_one=False,draw_source=row_or_deck,shuffles=2)"
    )
    wanted = fairdeal.load("chi", hand_limit=4, first_player=1, keep_one=False, draw_source="row_or_deck")
    assert game.table.options == wanted.options
    assert len(game.new_initial_state().chance_outcomes()) == 2
    assert pyspiel.load_game("fairdeal_chi(first_player=-1)").table.options.first_player == "random"
    duel = pyspiel.load_game("fairdeal_chip_it(mode=duel,duel_points=[3 1])")
    assert duel.table.options == fairdeal.load("chip-it", mode="duel", duel_points=(3, 1)).options
    for again in (game, duel):
        assert pyspiel.load_game(str(again)).table.options == again.table.options
    catalogue = ROOT / "examples" / "my-war-catalogue.toml"
    own = pyspiel.load_game("fairdeal_war_xtreme", {"catalogue": str(catalogue)})
    assert own.table.options.catalogue != fairdeal.load("war-xtreme").options.catalogue


def test_every_option_of_a_game_is_a_parameter_with_a_default(name):
    kind = find_game(name).options
    defaults = defaults_of(kind)
    assert set(defaults) == set(option_fields(kind))
    own = {option: defaults[option] for option, field in option_fields(kind).items() if not part_of(field.type)}
    assert read_options(kind, options_of(kind, own)) == read_options(kind, {})
    assert pyspiel.load_game(called(name)).table.options == read_options(kind, {})


def test_no_option_of_a_game_has_the_name_of_a_parameter_of_all_games(name):
    ours = {"shuffles", "rewards", "recall", "preset", "opponents", "seat", "max_cycles", "illegal_reward"}
    assert not ours & set(option_fields(find_game(name).options))


@pytest.mark.parametrize(
    ("parameter", "error", "words"),
    [
        ("hand_limit=99", BadOption, "It takes a number from"),
        ("shuffles=0", FairdealError, "shuffles must be at least 1"),
        ("rewards=points", FairdealError, "no rewards 'points'"),
        ("hand_limits=4", pyspiel.SpielError, "hand_limits"),
    ],
)
def test_a_wrong_parameter_is_refused(parameter, error, words):
    with pytest.raises(error, match=words):
        pyspiel.load_game(f"fairdeal_chi({parameter})")


def test_information_set_search_runs():
    state, dice = dealt("chi", stacks_to_end=4), np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(state.get_game(), rollouts, 2.0, 8, random_state=dice)
    assert bot.step(state) in state.legal_actions()


def test_outcome_sampling_runs():
    game = pyspiel.load_game("fairdeal_chimax_cut(players=2,shuffles=3)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    state = dealt("chimax-cut", players=2, shuffles=3)
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)
    assert openspiel.usual_rewards(1) == "scores"
