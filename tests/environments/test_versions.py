"""Versions of environments: the old names play as before, and the newest of each game begins with decisions."""

import warnings

import gymnasium
import numpy as np
import pyspiel
import pytest

import fairdeal
from fairdeal.engine.errors import UnknownGame
from fairdeal.engine.registry import find_game, game_names
from fairdeal.environments import openspiel
from fairdeal.environments.batch import batch
from fairdeal.environments.gymnasium import id_of
from fairdeal.environments.pettingzoo import env
from fairdeal.environments.versions import table_of, version_in, versions_of

DECIDING = {"war-xtreme": "at-once", "chimax-books": "strategic"}


def made(name, version):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        game = gymnasium.make(id_of(name, version))
    return game.unwrapped, " ".join(str(one.message) for one in told)


def random_game(table, seed):
    """Play one game at random, and return its number of actions and that of the choices among them."""
    dice, state, actions, choices = np.random.default_rng(seed), table.deal(seed), 0, 0
    while not state.over:
        player = int(dice.choice(state.to_act))
        moves = list(state.action_moves(player))
        state.play_actions(player, moves[dice.integers(len(moves))])
        actions, choices = actions + 1, choices + (len(moves) > 1)
        if actions == 60:
            break
    return actions, choices


def test_the_old_names_play_as_before(name):
    game, usual = find_game(name), fairdeal.load(name).options
    old = game.rules_version
    assert versions_of(game)[old] == ""
    for called in (name, f"{name}-v{old}"):
        assert table_of(called, {})[0].options == usual
        assert str(env(called)) == f"fairdeal_{name.replace('-', '_')}_v{old}"
        assert batch(called, 2).table.options == usual
    assert made(name, old)[0].turns.table.options == usual
    assert pyspiel.load_game(f"fairdeal_{name.replace('-', '_')}").table.options == usual


def test_the_newest_version_plays_by_the_first_preset(name):
    game = find_game(name)
    (*_, newest) = versions_of(game)
    first = next(iter(game.presets))
    wanted = fairdeal.load(name, **game.presets[first]).options
    assert (newest > game.rules_version) == (name in DECIDING) == (wanted != fairdeal.load(name).options)
    called = f"{name}-v{newest}"
    assert version_in(called) == (game, newest)
    assert table_of(called, {})[0].options == env(called).unwrapped.turns.table.options == wanted
    assert batch(called, 2).table.options == wanted
    gym, told = made(name, newest)
    assert gym.turns.table.options == wanted
    assert "out of date" not in told
    vector = gymnasium.make_vec(id_of(name, newest), 2, vectorization_mode="vector_entry_point")
    assert vector.unwrapped.games.table.options == wanted
    assert str(env(called)).endswith(f"_v{newest}")


def test_random_games_of_the_newest_versions_have_decisions(name):
    """Of the random games of war-xtreme-v1, most end with the question whether somebody feels extreme."""
    game = find_game(name)
    (*_, newest) = versions_of(game)
    table, _ = table_of(f"{name}-v{newest}", {})
    played = [random_game(table, seed) for seed in range(12)]
    assert min(actions for actions, _ in played) > 2
    assert min(choices for _, choices in played) > 0


def test_games_of_the_old_version_of_war_end_at_once():
    table, _ = table_of("war-xtreme-v1", {})
    assert sum(random_game(table, seed)[0] <= 2 for seed in range(40)) > 20


@pytest.mark.parametrize("older", DECIDING)
def test_an_older_version_says_that_there_is_a_newer_one(older):
    assert "out of date" in made(older, find_game(older).rules_version)[1]


@pytest.mark.parametrize(("title", "preset"), DECIDING.items())
def test_openspiel_knows_the_newest_version_and_its_parameters(title, preset):
    game = find_game(title)
    (*_, newest) = versions_of(game)
    wished = dict(game.presets[preset])
    called = f"fairdeal_{title.replace('-', '_')}_v{newest}"
    assert called in pyspiel.registered_names()
    loaded = pyspiel.load_game(called)
    assert loaded.table.options == fairdeal.load(title, **wished).options
    assert {option: openspiel.parameters_of(game, newest)[option] for option in wished} == wished
    (option, value), *_ = wished.items()
    other = pyspiel.load_game(called, {option: not value})
    assert getattr(other.table.options, option) == (not value)
    pyspiel.random_sim_test(pyspiel.load_game(called, {"shuffles": 2}), num_sims=1, serialize=True, verbose=False)


def test_options_and_presets_still_overrule_a_version():
    assert table_of("war-xtreme-v2", {"ask_extreme": True})[0].options.ask_extreme
    assert table_of("war-xtreme-v2", {}, "standard")[0].options.ask_extreme
    assert table_of("war-xtreme", {}, "at-once")[0].options.ask_extreme is False


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("war-xtreme-v3", "'war-xtreme-v3'; did you mean war-xtreme-v1 or war-xtreme-v2"),
        ("chi-v0", "'chi-v0'; did you mean chi-v1"),
        ("ward-v1", "no game called 'ward'"),
        ("chi-v", "no game called 'chi-v'"),
    ],
)
def test_an_unknown_version_is_refused(wrong, words):
    assert wrong not in game_names()
    for make in (version_in, env, lambda called: batch(called, 2)):
        with pytest.raises(UnknownGame, match=words):
            make(wrong)
