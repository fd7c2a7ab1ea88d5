"""A batch as a vector environment of Gymnasium."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from fairdeal.environments.gymnasium import id_of
from fairdeal.environments.vector import VectorGames


def random_actions(infos, generator):
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])


def test_an_agent_sits_at_one_seat_of_every_game():
    games = VectorGames("chi", 32, opponents="greedy", rewards="wins", stacks_to_end=4)
    generator = np.random.default_rng(1)
    observations, infos = games.reset(seed=7)
    assert games.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert (games.num_envs, *games.single_observation_space.shape) == observations.shape
    ended = won = 0
    for _ in range(60):
        assert games.observation_space.contains(observations)
        seats = infos["seat"].copy()
        observations, rewards, over, cut_off, infos = games.step(random_actions(infos, generator))
        assert not cut_off.any()
        assert not rewards[~over].any()
        assert (infos["seat"][~over] == seats[~over]).all()
        if over.any():
            seen = games.games.layout.unflatten(infos["final_obs"][infos["_final_obs"]])
            assert (seen["over"] == 1).all()
        ended += over.sum()
        won += (rewards > 0).sum()
    assert ended > 60
    assert won < ended / 4


def test_equal_seeds_deal_equal_games_and_each_further_deal_differs():
    games = VectorGames("chi", 4)
    first, second, third = (games.reset(seed=seed)[0].tolist() for seed in (7, None, None))
    assert second != third
    assert [games.reset(seed=seed)[0].tolist() for seed in (7, None)] == [first, second]
    with pytest.raises(ValueError, match="a single number"):
        games.reset(seed=[1, 2, 3, 4])


def test_a_step_does_not_change_the_observations_of_the_step_before():
    games, generator = VectorGames("chi", 4), np.random.default_rng(1)
    observations, infos = games.reset(seed=7)
    before = observations.copy()
    actions = random_actions(infos, generator)
    assert (games.step(actions)[0] != before).any()
    assert (observations == before).all()


def test_gymnasium_makes_it_by_its_id():
    name = id_of("chi", 1)
    games = gymnasium.make_vec(name, 3, vectorization_mode="vector_entry_point", opponents="random")
    assert isinstance(games, VectorGames)
    assert games.reset(seed=7)[0].shape == (3, games.games.layout.size)
