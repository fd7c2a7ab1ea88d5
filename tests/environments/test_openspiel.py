"""The games in OpenSpiel: its own random games, clones, information states, and algorithms."""

import pickle
from copy import deepcopy

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

import fairdeal
from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.engine.options import option_fields, part_of, read_options
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.environments import openspiel, resampling
from fairdeal.environments.parameters import defaults_of, options_of, parameter_of
from fairdeal.environments.sights import Step
from fairdeal.lab.simulate import simulation
from fairdeal.lab.simulate.jobs import order_of
from tests.conftest import ROOT, SHORT


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


def seen_in(game, history):
    """Play a history, and return the state with what each seat has seen and done: its own actions and, after every
    complete move, its view with a perfect memory and whether it is to act."""
    state, seen = game.new_initial_state(), [[] for _ in range(game.num_players())]
    for action in history:
        player = state.current_player()
        state.apply_action(action)
        for seat, trace in enumerate(seen):
            view = None if state.turns.draft else state.turns.view(seat, 100).record.tobytes()
            if seat == player or view:
                trace.append((action if seat == player else None, view, state.current_player() == seat))
    return state, [repr(trace) for trace in seen]


def shown_by(state, seat):
    """Return everything that OpenSpiel shows a seat of a state."""
    kinds = ("information_state_string", "information_state_tensor", "observation_string", "observation_tensor")
    own = state.legal_actions() if state.current_player() == seat else None
    return [getattr(state, kind)(seat) for kind in kinds], own


UNIFORM = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def test_information_states_are_equal_if_and_only_if_a_seat_has_seen_the_same(name):
    """Random games, and the histories drawn at each of their states for each seat, which have the shuffles of the game
    and can be played again."""
    game = pyspiel.load_game(called(name), SHORT.get(name, {}) | {"shuffles": 2})
    dice, strings, traces, drawn = np.random.default_rng(4), {}, {}, 0
    for shuffle in (0, 1, 0):
        state = game.new_initial_state()
        state.apply_action(shuffle)
        for _ in range(6):
            play(state, dice, int(dice.integers(1, 9)))
            histories = {tuple(state.history()): None}
            for seat in seats(state):
                guess = state.resample_from_infostate(seat, UNIFORM)
                again, _ = seen_in(game, guess.history())
                assert again.history_str() == guess.history_str()
                assert str(again) == str(guess)
                assert shown_by(guess, seat) == shown_by(again, seat) == shown_by(state, seat)
                assert guess.history()[0] in range(2)
                histories[tuple(guess.history())] = None
                drawn += 1
            for history in histories:
                one, seen = seen_in(game, history)
                for seat, trace in enumerate(seen):
                    string = one.information_state_string(seat)
                    assert strings.setdefault((seat, string), trace) == trace
                    assert traces.setdefault((seat, trace), string) == string
    assert drawn == 18 * game.num_players()
    assert len(strings) == len(traces) > 5


def test_drawn_histories_are_all_that_fit():
    """Nobody sees where a rival cuts, so cuts of equal cards are one information state."""
    game = pyspiel.load_game("fairdeal_chimax_cut(players=2,mode=one_cut,rounds=1,recuts=0,shuffles=4)")
    tried = 0
    for shuffle in range(4):
        state = game.new_initial_state()
        state.apply_action(shuffle)
        cutter = state.current_player()
        state.apply_action(state.legal_actions()[3])
        rival = 1 - cutter
        fit = set()
        for other in game.new_initial_state().legal_actions():
            dealt_so = game.new_initial_state().child(other)
            for action in dealt_so.legal_actions():
                after = dealt_so.child(action)
                if after.information_state_string(rival) == state.information_state_string(rival):
                    fit.add(tuple(after.history()))
        drawn = {tuple(state.resample_from_infostate(rival, UNIFORM).history()) for _ in range(200)}
        assert drawn == fit
        assert all(history[:2] == tuple(state.history()) for history in kept_by(state, cutter))
        tried += len(fit) > 1
    assert tried == 4


def kept_by(state, seat):
    """Return the histories that are drawn for a seat."""
    return {tuple(state.resample_from_infostate(seat, UNIFORM).history()) for _ in range(20)}


def test_a_drawn_history_leaves_out_the_unfinished_move_of_a_rival():
    state = half_made()
    player = state.current_player()
    for seat in seats(state):
        guess = state.resample_from_infostate(seat, UNIFORM)
        assert bool(guess.turns.draft) == (seat == player)
        assert guess.information_state_string(seat) == state.information_state_string(seat)


def test_a_search_that_takes_too_long_gives_the_history_itself(monkeypatch):
    state, unfinished, dice = dealt("chimax-cut", players=2, shuffles=3), half_made(), np.random.default_rng(5)
    play(state, dice, 9)
    monkeypatch.setattr(resampling, "MOST_RETURNS_IN_ALL", 0)
    assert state.resample_from_infostate(0, UNIFORM).history() == state.history()
    for seat in seats(unfinished):
        made = 0 if seat == unfinished.current_player() else len(unfinished.turns.draft)
        history = unfinished.history()
        assert unfinished.resample_from_infostate(seat, UNIFORM).history() == history[: len(history) - made]


def test_a_long_game_can_be_pickled_and_copied():
    state = dealt("chi")
    for _ in range(1500):
        state.past = Step(state.past, 0, 0, state.turns)
    for other in (pickle.loads(pickle.dumps(state)), deepcopy(state)):
        assert len(other.past.all()) == 1501
        assert information(other) == information(state)


def test_information_states_are_written_in_the_words_of_the_game():
    state = dealt("chi", deal=7)
    for move in ("draw 0", "draw 3"):
        state.apply_action(state.turns.state.read_move(state.current_player(), move)[0])
    deal, own, rival = state.information_state_string(1).splitlines()
    assert deal.startswith('deal: start: 1; turn: 1; phase: "act"')
    assert 'hands: [["?", "?", "?"], ["' in deal
    assert "deck: [40 x " in deal
    assert deal.endswith("(your turn)")
    assert own.startswith('you draw 0: turn: 0; turn_no: 2; hands[1]: ["')
    assert rival.startswith("move: turn: 1; turn_no: 3; ")


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


def test_no_game_exceeds_the_limits_for_open_spiel(name):
    """Games of random and of greedy bots, with every preset and with every number of players of the defaults."""
    kind = find_game(name)
    low, high = kind.players
    tables = [table_for(name, {"players": players}) for players in range(low, high + 1)]
    tables += [table_for(name, {}, preset) for preset in kind.presets]
    for table in tables:
        given = {option: parameter_of(field, getattr(table.options, field.name)) for option, field in changed(table)}
        game = pyspiel.load_game(called(name), given | {"rewards": "scores"})
        assert game.table.options == table.options
        for bot in ("random", "greedy"):
            played = simulation.play(order_of(table, (bot,) * table.players, "limits"), 40, 1)
            assert 0 < played.lengths[:, 1].max() <= game.max_game_length()
            assert game.min_utility() <= played.scores.min() <= played.scores.max() <= game.max_utility()
        assert game.max_chance_nodes_in_history() == 1
        assert abs(game.min_utility()) <= 5000 or table.options.bounds() is None
        assert abs(game.max_utility()) <= 100 or table.options.bounds() is None


def changed(table):
    """Return the options of a table that differ from the defaults, with their fields."""
    return [(name, field) for name, field in option_fields(table.game.options).items() if name in table.changed]


UNLIMITED = {"war-xtreme"}
"""Games of which no limit of the length is known."""


def test_limits_are_near_the_games_that_are_played(name):
    """With the usual options, random games are not 150 times shorter than the limit."""
    game = pyspiel.load_game(called(name), {"rewards": "scores"})
    played = simulation.play(order_of(game.table, ("random",) * game.table.players, "near"), 100, 1)
    assert game.max_utility() - game.min_utility() <= 110
    if name in UNLIMITED:
        assert game.max_game_length() == openspiel.LONGEST
    else:
        assert played.lengths[:, 1].max() > game.max_game_length() / 150


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
