"""The games in Gymnasium: its own check, and an agent among bots."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import fairdeal
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.registry import find_game
from fairdeal.environments.gymnasium import GameEnv, id_of
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.versions import versions_of
from tests.conftest import refusal


def play(game, seed):
    """Play one game at random, and return its reward."""
    dice = np.random.default_rng(seed)
    game.reset(seed=seed)
    while True:
        _, reward, over, broken_off, _ = game.step(dice.choice(np.flatnonzero(game.action_masks())))
        if over or broken_off:
            return reward


def test_gymnasium_s_own_check(name_of_a_kind):
    game = gymnasium.make(id_of(name_of_a_kind, max(versions_of(find_game(name_of_a_kind)))), render_mode="ansi")
    assert game.unwrapped.turns.table.game.name == name_of_a_kind
    check_env(game.unwrapped, skip_render_check=True)
    assert "\x1b[" in game.unwrapped.render()


def test_a_game_is_found_by_its_name_and_version():
    game = gymnasium.make("fairdeal/ChipIt-v1", players=3, opponents=("otto", "pip"))
    assert game.unwrapped.turns.table.players == 3
    _, info = game.reset(seed=1)
    assert set(np.flatnonzero(info["action_mask"])) == set(game.unwrapped.turns.legal_actions(info["seat"]))


def test_an_id_that_names_the_module_needs_no_import():
    name = "fairdeal.environments.gymnasium:fairdeal/Chi-v1"
    code = f"import gymnasium; print(gymnasium.make({name!r}).reset(seed=7)[1]['action_mask'].sum())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(told) > 0


def test_scores_are_whole_and_wins_go_by_the_tie_break():
    table, returns = fairdeal.load("chimax-fate"), [3.5, 3.25]
    assert rewards_by("scores", table)(returns) == [3, 3]
    assert rewards_by("wins", table)(returns) == [1, -1]


def test_every_render_mode_passes_the_check_of_gymnasium():
    check_env(gymnasium.make("fairdeal/Chi-v1", render_mode="rgb_array").unwrapped)


def test_a_seed_gives_the_same_game_and_seats_take_turns():
    seats = set()
    for seed in range(8):
        games = [GameEnv("chi", opponents=("juno",)) for _ in range(2)]
        assert play(games[0], seed) == play(games[1], seed)
        assert games[0].turns.state == games[1].turns.state
        seats.add(games[0].seat)
    assert seats == {0, 1}


def test_a_seat_that_was_chosen_stays():
    game = GameEnv("chi", seat=1)
    for seed in range(3):
        assert game.reset(seed=seed)[1]["seat"] == 1
        assert game.turns.player == 1


def test_bots_sit_to_the_left_of_the_agent_and_play_by_their_views():
    game = GameEnv("chip-it", opponents=("pip", "greedy"), players=3, seat=1)
    game.reset(seed=3)
    assert [type(game.bots[seat]).__name__ for seat in (2, 0)] == ["LevelBot", "GreedyBot"]
    pip, asked = game.bots[2], []

    class Watching:
        recall = 0

        def choose(self, view, player, turn):
            asked.append((view.viewer, player))
            return pip.choose(view, player, turn)

    game.bots[2] = Watching()
    for _ in range(4):
        game.step(np.flatnonzero(game.action_masks())[0])
    assert set(asked) == {(2, 2)}


def test_the_reward_is_that_of_the_agent_s_seat():
    found = set()
    for seed in range(4):
        game = GameEnv("chimax-cut", opponents=("pip",), rewards="wins")
        reward = play(game, seed)
        assert reward == game.rewards_of(game.turns.state.returns())[game.seat]
        found.add(reward > 0)
    assert found == {True, False}


def test_an_illegal_action_ends_the_game_or_is_refused():
    for seed in range(2):
        strict, mild = GameEnv("chi", illegal_reward=None), GameEnv("chi", illegal_reward=-5.0)
        strict.reset(seed=seed), mild.reset(seed=seed)
        illegal = int(np.flatnonzero(~strict.action_masks())[0])
        with pytest.raises(IllegalMove, match=f"action {illegal}"):
            strict.step(illegal)
        _, reward, over, _, info = mild.step(illegal)
        assert (reward, over) == (-5.0, True)
        assert f"action {illegal}" in info["illegal"]


def test_one_player_plays_alone():
    game = GameEnv("chimax-jackpot")
    assert game.opponents == ()
    assert play(game, 1) == game.turns.state.returns()[0]


@pytest.mark.parametrize(
    ("game", "arguments", "words"),
    [
        ("chi", {"opponents": ("jun",)}, "no bot 'jun'; did you mean juno"),
        ("chip-it", {"opponents": ("juno", "pip")}, "one for each of the 3 seats, not 2"),
        ("chi", {"seat": 2}, "no seat 2; the seat must be from 0 to 1"),
        ("chi", {"players": 5}, "“5” is not possible"),
    ],
)
def test_a_wrong_argument_is_refused(game, arguments, words):
    with refusal(words):
        GameEnv(game, **arguments)
