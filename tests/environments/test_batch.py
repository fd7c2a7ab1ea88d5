"""Batches: many games are stepped at once, and each goes as it would by itself."""

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.drivers import acting_player
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit import chance
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.environments import rewards, stepping
from fairdeal.environments.batch import Batch, batch
from tests.conftest import refusal

SEED = "batches"


def played(games, steps):
    """Play random steps. Return the actions of each step, and copies of the arrays that it returned."""
    generator = np.random.default_rng(1)
    found = []
    for _ in range(steps):
        actions = games.sample(generator).copy()
        found.append([actions, *(array.copy() for array in games.step(actions))])
    return found


def check_same(steps, others):
    """Check that two batches had the same actions and arrays in each step."""
    for step, other in zip(steps, others, strict=True):
        for array, there in zip(step, other, strict=True):
            np.testing.assert_array_equal(array, there)


def illegal(games, place):
    """Return an action that is not legal in a game."""
    return np.flatnonzero(~games.arrays.mask[place])[0]


class Alone:
    """A game of a batch, by its number, played by itself with states of the engine."""

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
def test_every_game_goes_as_it_would_by_itself(game, players):
    table = fairdeal.load(game, players=players)
    games, layout = Batch(table, 5, seed=SEED), layout_of(table)
    alone = [Alone(table, number) for number in range(5)]
    arrays, ended, half_made = games.arrays, 0, 0
    generator = np.random.default_rng(7)

    def seen_by(one):
        return layout.observe(one.state.view(one.player, 100), one.player).tolist()

    for _ in range(300):
        for place, one in enumerate(alone):
            assert arrays.player[place] == one.player
            assert np.flatnonzero(arrays.mask[place]).tolist() == one.state.legal_actions(one.player)
            assert arrays.observation[place].tolist() == seen_by(one)
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
                assert arrays.final[place].tolist() == seen_by(one)
                assert games.numbers[place] == numbers[place] + 5
                alone[place] = Alone(table, int(games.numbers[place]))
            else:
                assert not arrays.reward[place].any()
                one.next()
    assert ended >= 5
    assert half_made >= (100 if game == "chip-it" else 0)


def test_any_number_of_threads_plays_the_same_games():
    one, more = (played(batch("chi", 300, seed=SEED, threads=threads), 100) for threads in (1, 3))
    assert sum(done.sum() for *_, done, _ in one) > 100, "games that were over"
    check_same(one, more)


class LateHelpers:
    """Helpers that come when everything is done; some even come a step later."""

    def __init__(self):
        self.tasks = []

    def ask(self, task):
        self.tasks.append(task)

    def wait(self, done):
        assert done(), "the caller waits for a helper that has nothing to do"


def test_threads_that_come_too_late_do_nothing_and_are_not_waited_for():
    alone, games = batch("chi", 300, seed=SEED, threads=1), batch("chi", 300, seed=SEED, threads=3)
    games.helpers = LateHelpers()
    steps = played(games, 30)
    assert [task() for task in games.helpers.tasks] == 2 * 30 * [-1]
    check_same(steps, played(alone, 30))
    assert games.games.states.tobytes() == alone.games.states.tobytes()


class EarlyHelpers(LateHelpers):
    """Helpers that come before the caller has begun."""

    def ask(self, task):
        self.tasks.append(task())


def test_nothing_is_done_before_all_actions_were_found_legal():
    games = batch("chi", 300, seed=SEED, threads=3)
    games.helpers = EarlyHelpers()
    before = games.games.states.tobytes()
    actions = games.sample(np.random.default_rng(1))
    actions[299] = illegal(games, 299)
    with pytest.raises(IllegalMove):
        games.step(actions)
    assert games.helpers.tasks == [-1, -1]
    assert games.games.states.tobytes() == before


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_every_legal_action_is_chosen_for_its_share_of_random_numbers(game):
    games, generator = batch(game, 64, seed=SEED), np.random.default_rng(1)
    most = 0
    for _ in range(30):
        counts = games.arrays.mask.sum(axis=1)
        most = max(most, counts.max())
        legal = [np.flatnonzero(mask) for mask in games.arrays.mask]
        for choice in range(counts.max()):
            chances = np.minimum((choice + 0.5) / counts, 0.999999)
            chosen = np.zeros(64, np.int16)
            games.engine.choose(games.games, chances, chosen)
            for place in np.flatnonzero(counts > choice):
                assert chosen[place] == legal[place][choice]
        games.step(games.sample(generator))
    assert game == "chi" or most > 2 * stepping.FEW


def test_actions_are_chosen_by_the_numbers_of_the_callers_generator():
    games = batch("chi", 200, seed=SEED)
    chosen, chances = games.sample(np.random.default_rng(3)), np.random.default_rng(3).random(200)
    for mask, action, share in zip(games.arrays.mask, chosen, chances, strict=True):
        legal = np.flatnonzero(mask)
        assert action == legal[int(share * len(legal))]


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

    def bytes_of_games():
        return [array.tobytes() for array in (games.games.states, games.games.places, games.arrays.observation)]

    before = bytes_of_games()
    actions = games.sample(np.random.default_rng(1)).astype(np.int64)
    for wrong in (illegal(games, 6), -1, 10_000):
        actions[6] = wrong
        words = rf"'action {wrong}' is not legal: in game 6 \(number 6 of its seed\), the legal actions of"
        with pytest.raises(IllegalMove, match=words):
            games.step(actions)
    assert bytes_of_games() == before
    with refusal("one action for each of the 8 games"):
        games.step([0, 1])


def test_an_action_is_refused_when_it_is_no_longer_legal():
    games, generator = batch("chi", 8, seed=SEED), np.random.default_rng(1)
    refused = 0
    for _ in range(60):
        actions, before = games.sample(generator), games.arrays.mask.copy()
        for game, action in np.argwhere(before & ~games.step(actions).mask):
            wrong = games.sample(generator)
            wrong[game] = action
            with pytest.raises(IllegalMove):
                games.step(wrong)
            refused += 1
    assert refused > 300


def test_a_mask_that_is_written_over_allows_no_other_action():
    games = batch("chi", 2, seed=SEED)
    action = illegal(games, 0)
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
    assert games.step(games.sample(generator)) is second, "the arrays that were used last"


def test_bots_play_all_seats_but_that_of_the_learner_which_moves_round():
    games = batch("chi", 40, seed=SEED, bots=("greedy",), rewards="wins")
    generator, seats, won, ended = np.random.default_rng(1), set(), 0.0, 0
    for _ in range(60):
        learner = games.numbers % 2  # the learner is at seat 0 in game 0 and moves back by one with each game
        assert games.arrays.player.tolist() == learner.tolist()
        seats |= {*learner.tolist()}
        arrays = games.step(games.sample(generator))
        over = np.flatnonzero(arrays.done)
        assert np.allclose(arrays.reward.sum(axis=1), 0)
        won += arrays.reward[over, learner[over]].sum()
        ended += len(over)
    assert seats == {0, 1}
    assert ended > 40
    assert won < -0.8 * ended, "a random player loses against greedy"


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
def test_a_batch_that_cannot_be_played_is_refused(given, words):
    with refusal(words):
        batch("chi", **{"n": 2} | given)


def test_a_game_for_one_has_no_wins():
    with refusal("needs at least two players; use rewards='scores'"):
        batch("chimax-jackpot", 2, rewards="wins")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([3, 1], [1, -1]),
        ([1, 3], [-1, 1]),
        ([2, 2], [0, 0]),
        ([5, 1, 5], [0.25, -0.5, 0.25]),
        ([0, 0, 0], [0, 0, 0]),
        ([1, 2, 3, 4], [-1 / 3, -1 / 3, -1 / 3, 1]),
    ],
)
def test_wins_are_shared_by_the_winners_here_and_in_other_environments(scores, expected):
    found = [stepping.won(np.array(scores, float), len(scores), seat) for seat in range(len(scores))]
    assert found == pytest.approx(expected)
    assert rewards.wins(scores) == pytest.approx(expected)


def test_a_state_is_restored_with_the_last_results():
    games, generator = batch("chi", 130, seed=SEED, stacks_to_end=4), np.random.default_rng(1)
    played(games, 60)
    saved, choices, arrays = games.state(), games.sample(generator).copy(), [array.copy() for array in games.arrays]
    after = [array.copy() for array in games.step(choices)]
    played(games, 20)
    other = batch("chi", 130, seed="another", stacks_to_end=4)
    for again in (games, other):
        check_same([again.restore(saved)], [arrays])
        assert (again.sample(np.random.default_rng(1)) == choices).all()
        check_same([again.step(choices)], [after])
    check_same(played(other, 90), played(games, 90))
    assert other.games.master.tobytes() == games.games.master.tobytes(), "the seed of the games that follow"


def test_a_copy_goes_on_by_itself():
    games = batch("chi", 130, seed=SEED, bots="greedy", rewards="wins", threads=2)
    played(games, 30)
    before = games.state()
    twin = games.copy()
    steps = played(twin, 40)
    check_same([games.state().values()], [before.values()])
    check_same(steps, played(games, 40))


def test_a_state_of_other_games_is_refused_and_changes_nothing():
    games = batch("chi", 8, seed=SEED)
    before = games.state()
    lacking = batch("chi", 8).state()
    del lacking["places"]
    for state, words in (
        (batch("chi", 9).state(), "not the state of a batch of 8 games"),
        (batch("chip-it", 8).state(), "not the state of a batch of 8 games"),
        (lacking, "not the state of a batch of 8 games"),
        (batch("chi", 8, stacks_to_end=4).state(), "other rules than those of <Chi: players=2>"),
    ):
        with refusal(words):
            games.restore(state)
    check_same([games.state().values()], [before.values()])
