"""The games in PettingZoo: its own tests, and checks that these do not make."""

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import fairdeal
from fairdeal.engine.errors import BadOption, FairdealError, UnknownGame
from fairdeal.environments.pettingzoo import env
from fairdeal.environments.rendering import MODES

ITS_OWN_LIST = [  # its test knows the environments that observe a dictionary by their names
    "ignore:Observation is not a NumPy array:UserWarning:pettingzoo.test.api_test",
    "ignore:Observation space for each agent probably should be:UserWarning:pettingzoo.test.api_test",
]


def play(game, cycles=10_000):
    """Play at random. Return the sum of the rewards of each agent, and the number of its actions."""
    dice = np.random.default_rng(4)
    rewards, acted = dict.fromkeys(game.agents, 0.0), dict.fromkeys(game.agents, 0)
    for agent in game.agent_iter(cycles):
        seen, reward, terminated, truncated, _ = game.last()
        rewards[agent] += reward
        if terminated or truncated:
            game.step(None)
        else:
            acted[agent] += 1
            game.step(dice.choice(np.flatnonzero(seen["action_mask"])))
    return rewards, acted


@pytest.mark.filterwarnings(*ITS_OWN_LIST)
def test_api(name_of_a_kind, capsys):
    api_test(env(name_of_a_kind), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def test_seeds(name_of_a_kind):
    seed_test(lambda: env(name_of_a_kind), num_cycles=8)


def test_rendering(capsys):
    game = env("chi", render_mode="ansi")
    assert game.metadata["render_modes"] == [*MODES]
    render_test(lambda render_mode: env("chi", render_mode=render_mode))
    assert "\x1b[" in capsys.readouterr().out


@pytest.mark.parametrize("rewards", ["scores", "wins"])
def test_a_whole_game_rewards_every_agent_with_its_score(rewards):
    game = env("chimax-cut", rewards=rewards)
    game.reset(seed=5)
    found, acted = play(game)
    returns = game.unwrapped.turns.state.returns()
    assert game.agents == []
    assert list(found.values()) == game.unwrapped.rewards_of(returns)
    assert (sum(found.values()) == pytest.approx(0)) == (rewards == "wins")
    assert sum(acted.values()) > 10


def test_a_seed_deals_as_the_table_does_and_decides_the_next_game():
    deals = []
    for _ in range(2):
        game = env("chi")
        game.reset(seed=7)
        assert game.unwrapped.turns.state == fairdeal.load("chi").deal(7)
        game.reset()
        deals.append(game.unwrapped.turns.state)
    assert deals[0] == deals[1] != fairdeal.load("chi").deal(7)


def test_only_the_agent_selected_has_actions():
    game = env("chip-it", players=3)
    game.reset(seed=1)
    for agent in game.agents:
        assert game.observe(agent)["action_mask"].any() == (agent == game.agent_selection)


def test_a_game_is_broken_off_when_an_agent_has_acted_often_enough():
    game = env("chimax-match-2", max_cycles=6)
    game.reset(seed=2)
    rewards, acted = play(game)
    assert max(acted.values()) == 6
    assert set(rewards.values()) == {0.0}
    assert game.agents == []


def test_memory_can_be_short():
    shown = {}
    for recall in (0, 100):
        game = env("chimax-match-2", recall=recall)
        game.reset(seed=2)
        play(game, 20)
        shown[recall] = game.observe(game.agent_selection)["observation"]
    assert not np.array_equal(shown[0], shown[100])


@pytest.mark.parametrize(
    ("game", "arguments", "error", "words"),
    [
        ("chii", {}, UnknownGame, "did you mean chi"),
        ("chi", {"hand_limits": 3}, BadOption, "did you mean hand_limit"),
        ("chi", {"preset": "longest"}, BadOption, "preset"),
        ("chi", {"render_mode": "svg"}, FairdealError, "no render mode 'svg'; the modes are human, ansi, rgb_array"),
    ],
)
def test_a_wrong_argument_is_refused(game, arguments, error, words):
    with pytest.raises(error, match=words):
        env(game, **arguments)
