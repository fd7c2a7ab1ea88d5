"""The games in OpenSpiel: its own random games, clones, information states, and algorithms that run on them."""

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
    """A state in the middle of a move."""
    state, dice = dealt("chip-it"), np.random.default_rng(2)
    while not state.turns.draft:
        play(state, dice, 1)
    return state


def seats(state):
    return range(state.num_players())


def test_random_games(name):
    game = pyspiel.load_game(called(name), SHORT.get(name, {}))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ["chi", "chip-it", "war-xtreme"])
def test_what_a_game_did_follows_from_its_actions(game):
    state = dealt(game, deal=3)
    assert state.turns.state == fairdeal.load(game).deal(3)
    play(state, np.random.default_rng(1), 60)
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again.turns.state == state.turns.state
    assert again.seen == state.seen
    assert [again.information_state_string(seat) for seat in seats(state)] == [
        state.information_state_string(seat) for seat in seats(state)
    ]


@pytest.mark.parametrize("way", ["clone", "serialize", "pickle"])
def test_a_clone_plays_on_by_itself(way):
    state = half_made()
    before = str(state), state.information_state_string()
    if way == "clone":
        other = state.clone()
    elif way == "serialize":
        other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    else:
        other = pickle.loads(pickle.dumps(state))
    assert (str(other), other.information_state_string()) == before
    assert other.history() == state.history()
    play(other, np.random.default_rng(3), 40)
    assert (str(state), state.information_state_string()) == before
    play(state, np.random.default_rng(3), 40)
    assert str(other) == str(state)


def test_an_information_state_is_all_that_a_seat_has_seen_and_done():
    one, other = dealt("chi", 0), dealt("chi", 1)
    assert one.information_state_string() != other.information_state_string()
    state = dealt("chimax-match-2")
    first, second = (state.child(action) for action in state.legal_actions()[:2])
    assert first.information_state_string(0) != second.information_state_string(0)
    back = [child.observation_string(0) for child in (first, second)]
    assert len(set(back)) == 2


def test_what_was_seen_before_counts_where_all_looks_the_same_now():
    one, other = dealt("chi"), dealt("chi")
    other.seen = (other.seen[0], b"something else")
    for state in (one, other):
        play(state, np.random.default_rng(1), 5)
    assert one.turns.state == other.turns.state
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.information_state_string(1) != other.information_state_string(1)


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_no_other_seat_s_cards_change_an_information_state(game):
    """States drawn for a seat show it the same, whatever it does next; the other seats' cards differ."""
    state, differing = dealt(game), 0
    play(state, np.random.default_rng(6), 9)
    seat = state.current_player()
    for _ in range(5):
        guess = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert guess.information_state_string(seat) == state.information_state_string(seat)
        assert guess.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert guess.observation_string(seat) == state.observation_string(seat)
        assert guess.shown(seat) == state.shown(seat)
        assert guess.legal_actions() == state.legal_actions()
        differing += str(guess) != str(state)
        others = [other for other in seats(state) if other != seat]
        assert all(guess.information_state_string(other) != state.information_state_string(other) for other in others)
        assert not guess.history()
    assert differing == 5


def test_only_its_own_seat_is_told_of_a_move_that_is_half_made():
    state = half_made()
    told = [", then " in state.observation_string(seat) for seat in seats(state)]
    assert told == [seat == state.current_player() for seat in seats(state)]


def test_tensors_are_what_a_perfect_memory_knows_and_what_lies_open():
    state = dealt("chimax-match-2")
    play(state, np.random.default_rng(1), 12)
    layout = state.get_game().layout
    for perfect, recall in ((True, 100), (False, 0)):
        tensor = state.information_state_tensor(0) if perfect else state.observation_tensor(0)
        assert tensor == layout.observe(state.turns.view(0, recall), 0).tolist()
    assert state.information_state_tensor(0) != state.observation_tensor(0)


def test_wins_are_bounded_and_sum_to_nothing():
    game = pyspiel.load_game("fairdeal_chip_it(players=3)")
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-0.5, 1.0, 0.0)
    alone = pyspiel.load_game("fairdeal_chimax_jackpot")
    assert alone.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    state = dealt("chimax-cut", rewards="scores", shuffles=5)
    play(state, np.random.default_rng(1), 1000)
    assert state.returns() == state.turns.state.returns()
    assert len(state.get_game().new_initial_state().chance_outcomes()) == 5


def test_options_are_given_as_numbers_truths_words_and_lists():
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


def test_every_option_of_every_game_is_a_parameter_and_its_default_means_itself(name):
    kind = find_game(name).options
    defaults = defaults_of(kind)
    assert set(defaults) == set(option_fields(kind))
    files = {option for option, field in option_fields(kind).items() if part_of(field.type)}
    told = options_of(kind, {option: value for option, value in defaults.items() if option not in files})
    assert read_options(kind, told) == read_options(kind, {})
    assert pyspiel.load_game(called(name)).table.options == read_options(kind, {})


def test_no_option_of_a_game_has_the_name_of_a_choice_that_every_game_has(name):
    ours = {"shuffles", "rewards", "recall", "preset", "opponents", "seat", "max_cycles", "illegal_reward"}
    assert not ours & set(option_fields(find_game(name).options))


def test_what_is_wrong_is_said():
    with pytest.raises(BadOption, match="It takes a number from"):
        pyspiel.load_game("fairdeal_chi(hand_limit=99)")
    with pytest.raises(FairdealError, match="shuffles must be at least 1"):
        pyspiel.load_game("fairdeal_chi(shuffles=0)")
    with pytest.raises(FairdealError, match="no rewards 'points'"):
        pyspiel.load_game("fairdeal_chi(rewards=points)")
    with pytest.raises(pyspiel.SpielError, match="hand_limits"):
        pyspiel.load_game("fairdeal_chi(hand_limits=4)")


def test_information_set_search_runs():
    state = dealt("chi", stacks_to_end=4)
    bot = ismcts.ISMCTSBot(
        state.get_game(), mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 2.0, 8,
        random_state=np.random.RandomState(1),
    )  # fmt: skip
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
