"""The ladder, which rates bots, and calibration, which finds levels in steps of a wanted size."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.levels import Level, read_levels
from fairdeal.bots.registry import code_of
from fairdeal.engine import drivers
from fairdeal.lab.ratings import calibration
from fairdeal.lab.ratings import results as findings
from fairdeal.lab.ratings.calibration import (
    STEP,
    Trials,
    calibrate,
    first_that_wins,
    half_way,
    rising,
    weaknesses,
)
from fairdeal.lab.ratings.ladder import Lineup, before, ladder, lineups, rated
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import ask_games, blank_games, play, simulate
from tests.conftest import refusal


def test_bots_of_near_ranks_meet():
    assert lineups(4, 2) == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    assert lineups(3, 3) == [(0, 1, 2)]
    assert (0, 1, 2, 5) not in lineups(6, 4)
    assert (0, 1, 2, 4) in lineups(6, 4)


def won(share, games):
    """Return scores of two bots, of which the second wins this share of games, spread evenly."""
    wins = np.diff(np.floor(np.arange(games + 1) * share)) > 0
    return np.stack([~wins, wins], axis=1).astype(float)


def test_ratings_follow_from_shares_of_wins():
    """A difference of 400 points is ten to one, as in chess."""
    for share in (0.5, 2 / 3, 0.9):
        met = [Lineup((0, 1), won(share, 6000), [])]
        (low, deviation), (anchor, _) = rated(2, met, anchor=1)
        assert anchor == 1400
        assert 1400 - low == pytest.approx(400 * math.log10(share / (1 - share)), abs=15)
        assert 2 < deviation < 15
    assert rated(2, [Lineup((0, 1), won(0.5, 40), [])], 1)[0][1] > 3 * deviation


def test_shared_places_count_half():
    met = [Lineup((0, 1), np.array([[1.0, 1.0], [0.0, 2.0], [3.0, 0.0], [1.0, 2.0]]), [])]
    assert before(met, 1, 0).value == 0.625
    assert before(met, 0, 1).value == 0.375


def test_a_bot_has_its_own_column_wherever_it_sat():
    games = play(order_of(fairdeal.load("chip-it", players=3), ("greedy", "random", "random")), 60)
    greedy, *others = games.by_bot.T
    for number, (scores, row) in enumerate(zip(games.scores, games.by_bot, strict=True)):
        assert [scores[(bot - number) % 3] for bot in range(3)] == [*row]
    assert greedy.mean() > max(other.mean() for other in others)


def test_blunders_in_compiled_code_come_as_often_as_they_should():
    """A bot is weaker the more it blunders; without blunders it is greedy, and with blunders only it is random."""
    table = fairdeal.load("chi")
    shares = []
    for blunders in (0, 30, 60):
        results = simulate(table, 1500, (f"juno:0-{blunders}-0", "random"), seed=4)
        shares.append(simulate(table, 1500, ("greedy", f"juno:0-{blunders}-0"), seed=4).by_bot[0].wins.value)
        assert results.by_bot[0].wins.value > 0.5
    assert shares[0] == pytest.approx(0.5, abs=0.05)
    assert shares[0] < shares[1] - 0.1 < shares[2] - 0.15
    assert code_of("juno:0-100-0", table.game) == drivers.RANDOM
    assert code_of("otto", table.game) == code_of("greedy", table.game)
    assert code_of("vix:100-0-5", table.game) is None
    same = [play(order_of(table, (bot, "random"), 9), 50).scores for bot in ("greedy", "otto:100-0-0")]
    assert same[0].tobytes() == same[1].tobytes()


def test_bots_that_are_asked_in_python_play_the_same_games_as_in_compiled_code(name_of_a_kind):
    """Greedy bots draw no random numbers, so scores, moves and actions are the same, game by game."""
    table = fairdeal.load(name_of_a_kind)
    order = order_of(table, ("greedy",) * table.players, "same")
    quick, asked = play(order, 2), blank_games(order.bots, 2)
    ask_games(order, 0, asked)
    assert asked.scores.tolist() == quick.scores.tolist()
    assert asked.lengths.tolist() == quick.lengths.tolist()


def test_a_ladder_has_its_rungs_in_the_order_they_were_named():
    table = fairdeal.load("chi")
    bots = {"low": "juno:0-60-0", "otto": "otto"}
    found, again = (ladder(table, bots, 300, 10, seed=2, jobs=jobs) for jobs in (1, 2))
    assert found == again
    low, otto = found.rungs
    assert (low.name, low.plays) == ("low", "the greedy rule, 60 % of its moves are random")
    assert low.rating < 1300 < otto.rating == 1400
    assert otto.wins.low > 0.6
    assert otto.games == 300


def test_alone_the_scores_at_the_same_deals_are_compared(name_for_one):
    table = fairdeal.load(name_for_one, players=1)
    found = ladder(table, {"pip": "random", "otto": "greedy"}, 200, 10)
    assert found.rungs[1].wins.low > 0.5


def test_a_ladder_needs_as_many_bots_as_seats():
    with refusal("needs at least 3 different bots, not 2"):
        ladder(fairdeal.load("chip-it", players=3), {"pip": "pip", "otto": "otto"}, 1, 1)


# --- calibration ----------------------------------------------------------------------------------------------------


def test_levels_forget_before_they_blunder():
    assert weaknesses(0)[:2] == [Level(), Level(blunders=1)]
    assert weaknesses(0)[-1].blunders == 100
    forgetting = weaknesses(100)
    assert forgetting[0] == Level()
    assert forgetting[100] == Level(memory=0)
    assert forgetting[101] == Level(memory=0, blunders=1)
    assert len({level.way for level in forgetting}) == len(forgetting)


def trials_of(strength, **wishes):
    """Return trials in which the strength of levels determines shares of wins: a difference of 1 is e to 1."""
    table = wishes.pop("table", fairdeal.load("chi"))
    trials = Trials(table, 10, 10, 1.0, 0, 1, lambda words: None)

    def wins(upper, lower):
        return 1 / (1 + math.exp(strength(lower) - strength(upper)))

    return SimpleNamespace(table=table, wins=wins, say=trials.say, minutes=1.0, search_games=10)


def test_below_otto_each_loses_two_of_three_to_the_next_but_pip_is_easier():
    found = calibration.weaker(trials_of(lambda level: -level.blunders / 10), Level())
    assert [level.blunders for level in found] == [7, 14, 31]
    assert STEP == 2 / 3


@pytest.mark.parametrize(
    ("gain", "there"), [(0.02, []), (0.06, ["vix"]), (0.25, ["vix", "nox"]), (0.6, ["vix", "nox"])]
)
def test_above_otto_are_those_that_search_makes_better(gain, there, monkeypatch):
    monkeypatch.setattr(calibration, "milliseconds", lambda table: 0.1)
    monkeypatch.setattr(calibration, "game_seconds", lambda table: 0.01)
    trials = trials_of(lambda level: gain * math.log2(1 + level.playouts))
    found = calibration.stronger(trials, Level())
    assert [*found] == there
    if len(there) == 2:
        assert found["vix"].playouts < found["nox"].playouts <= 3000
        assert found["vix"].playouts <= 300
        steps = trials.wins(found["vix"], Level()), trials.wins(found["nox"], found["vix"])
        assert min(steps) > 0.6


def test_the_time_for_search_bounds_what_is_tried(monkeypatch):
    monkeypatch.setattr(calibration, "milliseconds", lambda table: 0.001)
    monkeypatch.setattr(calibration, "game_seconds", lambda table: 3.0)
    found = calibration.stronger(trials_of(lambda level: level.playouts / 20), Level())
    assert max(level.playouts for level in found.values()) <= 50


@pytest.mark.parametrize(
    ("reach", "names"),
    [(0.3, ["otto"]), (0.5, ["pip", "otto"]), (1.2, ["pip", "juno", "otto"]), (1.9, ["pip", "juno", "bram", "otto"])],
)
def test_names_go_to_the_weakest_first_and_fewer_levels_differ_where_luck_decides(reach, names, monkeypatch):
    monkeypatch.setattr(calibration, "stronger", lambda trials, otto: {})
    found = calibrate(trials_of(lambda level: -reach * level.blunders / 100))
    assert [*found] == names
    blunders = [level.blunders for level in found.values()]
    assert blunders == sorted(blunders, reverse=True)


def test_only_two_are_calibrated_at_a_time():
    with refusal("one or two players, not 4"):
        calibrate(trials_of(lambda level: 0.0, table=fairdeal.load("chip-it", players=4)))


def test_playouts_rise_by_half():
    assert rising(8, 100) == [8, 11, 16, 23, 32, 45, 64, 91]
    assert rising(8, 7) == []
    assert first_that_wins(trials_of(lambda level: 0.0), [], Level(), 0.6) is None


def test_two_steps_of_half_the_way_are_the_whole():
    assert half_way(0.9) == pytest.approx(0.75)
    assert half_way(0.5) == pytest.approx(0.5)


# --- writing it down ------------------------------------------------------------------------------------------------


def test_what_was_found_is_written_and_reads_back(tmp_path, monkeypatch):
    game = fairdeal.find_game("chi")
    levels = {"pip": Level(memory=0, blunders=60), "otto": Level()}
    words = {name: f"{name}:{level.way}" for name, level in levels.items()}
    found = ladder(fairdeal.load("chi"), words, 50, 10)
    package = tmp_path / "findings_here"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "levels.toml").touch()
    monkeypatch.syspath_prepend(tmp_path)
    there = SimpleNamespace(levels="findings_here:levels.toml", name="chi", title="Chi", recall=0)
    findings.write_levels(there, levels, found)
    read = read_levels("findings_here:levels.toml")
    assert [*read] == ["pip", "otto"]
    assert (read["pip"].blunders, read["pip"].rating) == (60, found.rungs[0].rating)
    page = tmp_path / "ladder.md"
    page.write_text("# The ladder\n\nWords.\n\n## Azul\n\nkept\n\n## Chi\n\nold\n\n## Zoo\n\nkept too\n")
    monkeypatch.setattr(findings, "page_path", lambda: page)
    findings.write_page(game, levels, found)
    text = page.read_text()
    assert text.startswith("# The ladder\n\nWords.\n\n## Azul\n\nkept\n\n## Chi\n\n| | level")
    assert text.endswith("## Zoo\n\nkept too\n")
    assert "| Pip | the greedy rule, 60 % of its moves are random | " in text
    assert "old" not in text


def test_a_game_without_a_file_for_its_levels_says_so():
    with refusal("has no file for its levels"):
        findings.levels_path(SimpleNamespace(levels="", title="Azul"))
