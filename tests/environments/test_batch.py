"""Batches: many games are stepped at once, and each is the game that it would be by itself."""

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.drivers import acting_player
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.kit import chance
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.environments import rewards, stepping
from fairdeal.environments.batch import Batch, batch

SEED = "batches"


def played(games, steps, seed=1):
    """Random steps: all actions, and copies of what each step told."""
    generator = np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        actions = games.sample(generator).copy()
        told.append((actions, [array.copy() for array in games.step(actions)]))
    return told


class Alone:
    """The game of one number, played by itself with states of the engine."""

    def __init__(self, table, number):
        master, sources = blank_array(chance_record, 1), blank_array(chance_record, 2)
        chance.set_key(master[0], chance.key_of(SEED))
        chance.derive(sources[0], master[0], 2 * number)
        chance.derive(sources[1], master[0], 2 * number + 1)
        self.state = table.deal_from(sources[0].key.tobytes())
        self.order = sources[1]
        self.next()

    def next(self):
        if not self.state.over and not self.state.composing:
            self.player = acting_player(self.state.record, self.order)


@pytest.mark.parametrize(("game", "players"), [("chi", 2), ("chip-it", 4), ("chaos-ninjas", 3)])
def test_every_game_is_what_it_would_be_by_itself(game, players):
    table = fairdeal.load(game, players=players)
    games, layout = Batch(table, 5, seed=SEED), layout_of(table)
    alone = [Alone(table, number) for number in range(5)]
    arrays, ended, half_made = games.arrays, 0, 0
    generator = np.random.default_rng(7)
    for _ in range(300):
        for place, one in enumerate(alone):
            assert arrays.player[place] == one.player
            assert np.flatnonzero(arrays.mask[place]).tolist() == one.state.legal_actions(one.player)
            view = one.state.view(one.player, 100)
            assert (arrays.observation[place] == layout.observe(view, one.player)).all()
            half_made += one.state.composing
        actions = games.sample(generator).copy()
        numbers = games.numbers.copy()
        arrays = games.step(actions)
        for place, one in enumerate(alone):
            one.state.apply(one.player, int(actions[place]))
            assert arrays.done[place] == one.state.over
            if one.state.over:
                ended += 1
                assert arrays.reward[place].tolist() == one.state.returns()
                assert (arrays.final[place] == layout.observe(one.state.view(one.player, 100), one.player)).all()
                assert games.numbers[place] == numbers[place] + 5
                alone[place] = Alone(table, int(games.numbers[place]))
            else:
                assert not arrays.reward[place].any()
                one.next()
    assert ended >= 5
    assert half_made >= (100 if game == "chip-it" else 0)


def test_any_number_of_threads_plays_the_same_games():
    one, more = (played(batch("chi", 300, seed=SEED, threads=threads), 100) for threads in (1, 3))
    assert sum(arrays[4].sum() for _, arrays in one) > 100  # games that were over
    for (actions, arrays), (others, other_arrays) in zip(one, more, strict=True):
        assert (actions == others).all()
        for array, other in zip(arrays, other_arrays, strict=True):
            assert (array == other).all()


class LateHelpers:
    """Helpers who come when everything is done; they may even come a step later."""

    def __init__(self):
        self.tasks = []

    def ask(self, task):
        self.tasks.append(task)

    def wait(self, done):
        assert done(), "somebody is waited for who has nothing to do"


def test_threads_that_come_too_late_do_nothing_and_are_not_waited_for():
    alone, games = batch("chi", 300, seed=SEED, threads=1), batch("chi", 300, seed=SEED, threads=3)
    games.helpers = LateHelpers()
    steps = played(games, 30)
    assert [task() for task in games.helpers.tasks] == 2 * 30 * [-1]
    for (actions, arrays), (others, other_arrays) in zip(steps, played(alone, 30), strict=True):
        assert (actions == others).all()
        assert all((array == other).all() for array, other in zip(arrays, other_arrays, strict=True))
    assert games.games.states.tobytes() == alone.games.states.tobytes()


class EarlyHelpers(LateHelpers):
    """Helpers who come before the caller has begun."""

    def ask(self, task):
        self.tasks.append(task())


def test_nothing_is_done_before_all_actions_were_found_legal():
    games = batch("chi", 300, seed=SEED, threads=3)
    games.helpers = EarlyHelpers()
    before = games.games.states.tobytes()
    actions = games.sample(np.random.default_rng(1))
    actions[299] = np.flatnonzero(~games.arrays.mask[299])[0]
    with pytest.raises(IllegalMove):
        games.step(actions)
    assert games.helpers.tasks == [-1, -1]
    assert games.games.states.tobytes() == before


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_every_legal_action_is_chosen_in_its_turn(game):
    games, generator = batch(game, 64, seed=SEED), np.random.default_rng(1)
    most = 0
    for _ in range(100):
        counts = games.arrays.mask.sum(axis=1)
        most = max(most, counts.max())
        for choice in range(counts.max()):
            chances = np.minimum((choice + 0.5) / counts, 0.999999)
            chosen = np.zeros(64, np.int16)
            games.engine.choose(games.games, chances, chosen)
            for place in np.flatnonzero(counts > choice):
                assert chosen[place] == np.flatnonzero(games.arrays.mask[place])[choice]
        games.step(games.sample(generator))
    assert game == "chi" or most > 2 * stepping.FEW


def test_actions_are_chosen_by_the_numbers_of_the_callers_generator():
    games, generator = batch("chi", 200, seed=SEED), np.random.default_rng(3)
    chosen, chances = games.sample(np.random.default_rng(3)), generator.random(200)
    for place in range(200):
        legal = np.flatnonzero(games.arrays.mask[place])
        assert chosen[place] == legal[int(chances[place] * len(legal))]


def test_a_reset_begins_the_games_of_its_seed_again():
    games = batch("chi", 8, seed=SEED)
    first = games.arrays.observation.copy()
    played(games, 70)
    assert (games.reset("others").observation != first).any()
    assert (games.reset(SEED).observation == first).all()
    assert games.numbers.tolist() == list(range(8))
    assert not games.arrays.done.any()


def test_an_illegal_action_is_refused_and_changes_nothing():
    games = batch("chi", 8, seed=SEED)
    played(games, 5)
    before = games.games.states.tobytes(), games.games.places.tobytes(), games.arrays.observation.copy()
    actions = games.sample(np.random.default_rng(1)).astype(np.int64)
    for wrong in (np.flatnonzero(~games.arrays.mask[6])[0], -1, 10_000):
        actions[6] = wrong
        with pytest.raises(
            IllegalMove,
            match=rf"'action {wrong}' is not legal: in game 6 \(number 6 of its seed\), the legal actions of",
        ):
            games.step(actions)
    assert (games.games.states.tobytes(), games.games.places.tobytes()) == before[:2]
    assert (games.arrays.observation == before[2]).all()
    with pytest.raises(FairdealError, match="one action for each of the 8 games"):
        games.step([0, 1])


def test_what_was_legal_once_is_refused_when_it_no_longer_is():
    games, generator = batch("chi", 8, seed=SEED), np.random.default_rng(1)
    refused = 0
    for _ in range(200):
        actions, before = games.sample(generator), games.arrays.mask.copy()
        mask = games.step(actions).mask
        for game in range(8):
            for action in np.flatnonzero(before[game] & ~mask[game]):
                wrong = games.sample(generator)
                wrong[game] = action
                with pytest.raises(IllegalMove):
                    games.step(wrong)
                refused += 1
    assert refused > 1000


def test_a_mask_that_its_owner_writes_over_allows_nothing():
    games = batch("chi", 2, seed=SEED)
    action = np.flatnonzero(~games.arrays.mask[0])[0]
    games.arrays.mask[:] = True
    with pytest.raises(IllegalMove):
        games.step([action, action])


def test_a_step_writes_into_the_arrays_of_its_caller():
    games, generator = batch("chi", 4, seed=SEED), np.random.default_rng(1)
    first, second = games.arrays, games.new_arrays()
    seen = first.observation.copy()
    assert games.step(games.sample(generator), second) is second
    assert (first.observation == seen).all()
    assert (second.observation != seen).any()
    third = games.step(games.sample(generator))
    assert third is second  # the arrays that were used last


def test_bots_play_all_seats_but_one_which_goes_round():
    games = batch("chi", 40, seed=SEED, bots=("greedy",), rewards="wins")
    generator, seats, won, ended = np.random.default_rng(1), set(), 0.0, 0
    for _ in range(60):
        learner = games.numbers % 2  # the learner is at seat 0 in game 0 and moves back by one with each game
        assert (games.arrays.player == learner).all()
        seats |= set(learner.tolist())
        before = learner.copy()
        arrays = games.step(games.sample(generator))
        over = np.flatnonzero(arrays.done)
        assert np.allclose(arrays.reward.sum(axis=1), 0)
        won += arrays.reward[over, before[over]].sum()
        ended += len(over)
    assert seats == {0, 1}
    assert ended > 40
    assert won < -0.8 * ended  # who plays at random loses against greedy


def test_one_bot_for_each_other_seat_sits_to_the_left_of_the_learner():
    games = batch("chip-it", 12, seed=SEED, players=3, bots=("random", "greedy"))
    assert set(((-games.numbers) % 3).tolist()) == {0, 1, 2}
    generator = np.random.default_rng(1)
    for _ in range(40):
        assert (games.arrays.player == (-games.numbers) % 3).all()
        games.step(games.sample(generator))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"rewards": "fame"}, "choose scores or wins"),
        ({"recall": 101}, "0 to 100 percent"),
        ({"bots": ("nox",)}, "cannot play in compiled code"),
        ({"bots": ("greedy", "greedy")}, "one bot for all"),
        ({"hand_limit": 99}, "Cards in hand"),
    ],
)
def test_what_cannot_be_played_is_refused(given, words):
    with pytest.raises(FairdealError, match=words):
        batch("chi", **{"n": 2} | given)


def test_whoever_plays_alone_wins_against_nobody():
    with pytest.raises(FairdealError, match="needs at least two players"):
        batch("chimax-jackpot", 2, rewards="wins")


@pytest.mark.parametrize("scores", [[3, 1], [1, 3], [2, 2], [5, 1, 5], [0, 0, 0], [1, 2, 3, 4]])
def test_wins_are_those_of_the_other_environments(scores):
    found = [stepping.won(np.array(scores, float), len(scores), seat) for seat in range(len(scores))]
    assert found == pytest.approx(rewards.wins(scores))
