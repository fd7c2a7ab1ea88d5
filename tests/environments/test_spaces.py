"""Observation spaces have the bounds of their fields, so that wrappers can rescale observations."""

import numpy as np
from gymnasium.wrappers import DtypeObservation, RescaleObservation

import fairdeal
from fairdeal.engine.observe.layout import layout_of
from fairdeal.environments import pettingzoo
from fairdeal.environments.gymnasium import GameEnv
from fairdeal.environments.spaces import seen_in
from fairdeal.environments.vector import VectorGames
from fairdeal.testing.play import must_have, random_states, table_of, viewers


def outside(layout, seen):
    """Return the planes of an observation with numbers outside their bounds."""
    numbers = layout.unflatten(seen)
    return {
        plane.name: (plane.lowest, plane.highest, numbers[plane.name].tolist())
        for plane in layout.planes
        if numbers[plane.name].min() < plane.lowest or numbers[plane.name].max() > plane.highest
    }


def test_every_observation_is_in_its_space(name):
    game, looks = fairdeal.find_game(name), 0
    for preset in game.presets:
        table = table_of(game, preset=preset)
        layout = layout_of(table)
        space = seen_in(layout)
        for state, dice, where in random_states(table, f"bounds {preset}", 25, steps=40):
            for viewer in viewers(state):
                seen = layout.observe(state.view(viewer, dice.choice((0, 100))), viewer)
                assert outside(layout, seen) == {}, f"{table}, {where}"
                assert space.contains(seen)
                looks += 1
    must_have(looks, 25 * len(game.presets), f"observations of {name}")


def test_rescaled_observations_vary_where_observations_do(name):
    game = RescaleObservation(DtypeObservation(GameEnv(name), np.float32), 0, 1)
    table, dice, seen, rescaled = game.unwrapped, np.random.default_rng(1), [], []
    for seed in range(4):
        _, info = game.reset(seed=seed)
        for _ in range(30):
            observation, _, over, _, info = game.step(dice.choice(np.flatnonzero(info["action_mask"])))
            assert game.observation_space.contains(observation.astype(np.float32))
            seen.append(table.seen())
            rescaled.append(observation)
            if over:
                break
    varies = np.ptp(seen, axis=0) > 0
    must_have(varies.sum(), 10, f"numbers of {name} that vary")
    assert np.isfinite(rescaled).all()
    assert (np.array(rescaled) >= 0).all()
    assert (np.array(rescaled) <= 1).all()
    assert (np.ptp(rescaled, axis=0) > 0).tolist() == varies.tolist()


def test_all_environments_have_the_same_space(name):
    space = GameEnv(name).observation_space
    assert (space.low < space.high).all()
    assert VectorGames(name, 2).single_observation_space == space
    table = pettingzoo.GameEnv(name)
    assert all(table.observation_space(agent)["observation"] == space for agent in table.possible_agents)
