"""The search for options that meet the targets, in the made-up game, whose results follow from its tree."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import msgspec
import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.lab.simulate.executors import Workers
from fairdeal.lab.simulate.simulation import nobody
from fairdeal.lab.studies.recipe import Setup, Study, read_study, setups_of
from fairdeal.lab.tuning import SavedParts, recipe_of, told_tuned, tune
from tests.conftest import refusal
from tests.lab.made_up import made_up

WEIGHTS = {"seat": (0, 1, 2), "hand": (0, 2, 6), "later": (0, 1, 10)}
"""What the parts of the made-up game may weigh: 27 combinations."""

TARGETS = {"first": (0.7, 0.8), "shared": (0.0, 0.02)}


def silent(words, games):
    return nobody


def truth(seat, hand, later):
    """Return the first player's share of wins and the share of shared first places, from all four throws of coins."""
    ahead = [seat + hand * one + later * other for one, other in product((-1, 1), repeat=2)]
    return sum((one > 0) + (one == 0) / 2 for one in ahead) / 4, ahead.count(0) / 4


def candidates(weights=WEIGHTS):
    return [
        Setup(f"{chosen}", made_up(**dict(zip(weights, chosen, strict=True))), ("greedy", "greedy"), Study(game="chi"))
        for chosen in product(*weights.values())
    ]


def meeting(targets, weights=WEIGHTS):
    """Return the combinations that truly meet the targets."""
    return [
        f"{chosen}"
        for chosen in product(*weights.values())
        if all(
            low <= value <= high
            for value, (low, high) in zip(
                truth(**dict(zip(weights, chosen, strict=True))), targets.values(), strict=True
            )
        )
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_only_combination_that_meets_the_targets_is_found(seed):
    (known,) = meeting(TARGETS)
    found = tune(Study(game="chi", games=4000, targets=TARGETS, seed=seed), candidates(), 1, silent)
    assert (found.rows[0].name, found.best) == (known, "meets")
    assert [row.name for row in found.rows if row.state == "meets"] == [known]
    assert found.games <= 12_000  # of 108,000
    looks = 27 * len(TARGETS) * (6 + 1)  # at most six rounds, and one after them
    assert all(one.corrected == min(1.0, one.p * looks) for row in found.rows for one in row.verdicts)
    assert told_tuned(found).startswith(f"“{known}” meets all targets. Of 27 combinations, ")


@pytest.mark.parametrize("seed", range(8))
def test_targets_that_no_combination_meets_cannot_be_had(seed):
    targets = {"first": (0.57, 0.67), "shared": (0.0, 0.02)}
    few = {"seat": (0, 1, 2), "hand": (0, 2), "later": (0, 1)}
    assert meeting(targets, few) == []
    found = tune(Study(game="chi", games=2000, targets=targets, seed=seed), candidates(few), 1, silent)
    assert found.best == "misses"
    said = told_tuned(found)
    assert said.startswith("The targets cannot be had with these options: 12 combinations miss one for certain, after ")


def test_only_the_nearest_to_the_targets_play_on():
    weights = {"seat": (1, 0), "hand": (2,), "later": (1, 0)}
    study = Study(game="chi", games=800, targets={"first": (0.3, 0.7)})
    found = tune(study, candidates(weights), 1, silent)
    assert [truth(seat, 2, later)[0] for seat, later in product((1, 0), repeat=2)] == [0.625, 0.5, 0.5, 0.5]
    assert sorted(row.games for row in found.rows) == [200, 200, 400, 800]
    assert (found.rows[-1].name, found.rows[-1].games) == ("(1, 2, 1)", 200)  # the first that is listed


def test_what_is_at_the_end_of_a_target_is_not_proven():
    weights = {"seat": (2,), "hand": (2,), "later": (1, 0)}
    found = tune(Study(game="chi", games=400, targets={"first": (0.6, 0.75)}), candidates(weights), 1, silent)
    assert found.best == "open"
    assert told_tuned(found).startswith("Not proven: “(2, 2, ")
    assert [row.games for row in found.rows] == [400, 400]


def test_an_interrupted_search_goes_on_where_it_was(tmp_path):
    study, setups, path = Study(game="chi", games=800, targets=TARGETS), candidates(), tmp_path / "progress"
    whole = tune(study, setups, 1, silent)
    played = []

    def interrupt(words, games):
        played.append(words)
        if len(played) == 20:
            raise KeyboardInterrupt
        return nobody

    with pytest.raises(KeyboardInterrupt):
        tune(study, setups, 1, interrupt, path)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"part": "cut o')  # the program was killed while it wrote
    assert len(SavedParts(path, study, setups).parts) == 19
    again = []
    assert tune(study, setups, 1, lambda words, games: again.append(words) or nobody, path) == whole
    assert len(again) + 19 == len(SavedParts(path, study, setups).parts)
    assert tune(study, setups, 1, lambda words, games: pytest.fail(words), path) == whole
    with refusal("has the games of another search: delete it"):
        tune(msgspec.structs.replace(study, seed=1), setups, 1, silent, path)


def test_any_workers_find_the_same():
    study = Study(game="chi", games=200, watched=30, targets={"first": (0.4, 0.5), "minutes": (7.0, 11.0)})
    study = msgspec.structs.replace(study, sweep={"stacks_to_end": [6, 4]})
    once = tune(study, setups_of(study), 1, silent)
    with ThreadPoolExecutor(3) as pool:
        assert tune(study, setups_of(study), Workers(pool, 3), silent) == once
    assert once.rows[0].name == "Stacks to end the game: 6"
    assert [one.measure for one in once.rows[0].verdicts] == ["first", "minutes"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "there is nothing to search for: the recipe has no [targets]"),
        ({"targets": {"score": (0.0, 1.0)}}, "Chi has no measure `score`, for which there is a target"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(asked, says):
    study = Study(game="chi", games=100, **asked)
    with pytest.raises(FairdealError) as refused:
        tune(study, setups_of(study), 1, silent)
    assert str(refused.value) == says


# --- the command ------------------------------------------------------------------------------------------------


RECIPE = """game = 'chi'
games = 200
title = 'A "shorter" Chi'
targets = { moves = [20, 40], shared = [0, 0.05] }
sweep = { stacks_to_end = [6, 4], draw_source = ['row', 'row_or_deck'] }
"""


def test_the_best_settings_are_written_as_a_recipe(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chi.toml").write_text(RECIPE, "utf-8")
    code, out, err = run("tune", "chi.toml", "--out", "best.toml", "--json", "all.json", "--jobs", 1)
    assert (code, err) == (0, "")
    assert "Stacks to end the game: 4" in out.splitlines()[0]
    assert " meets all targets. Of 4 combinations, 2 miss one for certain, after " in out
    assert "* misses the target for certain" in out
    assert not (tmp_path / "chi.toml.progress").exists()
    best = read_study(tmp_path / "best.toml")
    (setup,) = setups_of(best)
    assert setup.table.options.stacks_to_end == 4
    assert (best.title, best.games, best.targets) == ('A "shorter" Chi', 200, read_study(tmp_path / "chi.toml").targets)
    assert (tmp_path / "best.toml").read_text("utf-8").startswith("# “Stacks to end the game: 4")
    code, out, err = run("study", "best.toml", "--games", 100, "--watched", 2, "--jobs", 1)
    assert "meets all targets" in out


def test_a_search_that_cannot_succeed_writes_no_recipe(run, tmp_path):
    path = tmp_path / "chi.toml"
    path.write_text(RECIPE.replace("[20, 40]", "[400, 500]"), "utf-8")
    code, out, _ = run("tune", path, "--out", tmp_path / "best.toml", "--progress", tmp_path / "p", "--games", 100)
    assert (code, (tmp_path / "best.toml").exists(), (tmp_path / "p").exists()) == (0, False, True)
    assert out.startswith("The targets cannot be had with these options: 4 combinations miss one for certain")


def test_recipes_are_written_with_everything_that_matters(tmp_path):
    study = Study(
        game="war-xtreme",
        title='“quotes” "and" \\ more',
        catalogue="",
        options={"sets": [1, 2], "equipment": True},
        players=4,
        bots=("greedy",),
        targets={"moves": (1.0, 2.0)},
        precision=0.5,
        sweep={"max_rounds": [50]},
        seed="word",
    )
    (setup,) = setups_of(study)
    path = tmp_path / "one.toml"
    path.write_text(recipe_of(study, setup, tmp_path, "comment"), "utf-8")
    again = read_study(path)
    (same,) = setups_of(again)
    assert (same.table.options, same.bots) == (setup.table.options, setup.bots)
    own = {"options": {}, "sweep": {}, "players": 4, "bots": ("greedy",)}
    assert msgspec.structs.replace(again, **own) == msgspec.structs.replace(study, **own)
