"""Statistics, compared with results by hand, in closed form, or by counting how often they are wrong."""

import numpy as np
import pytest

from fairdeal.lab.estimates import NORMAL_95, Estimate, mean, share
from fairdeal.lab.studies.comparing import at_any_time, differences_of, holm, is_clear, p_of_share, paired


def test_pairs_are_compared_by_their_own_differences():
    games, estimate, p = paired(np.array([1.0, 1.0, 2.0, 2.0]), np.array([2.0, 2.0, 5.0, 5.0, 99.0]))
    assert games == 4  # the fifth has no partner
    assert estimate.value == 2
    assert estimate.high - estimate.value == pytest.approx(NORMAL_95 * np.sqrt(4 / 3) / 2)
    assert p == pytest.approx(0.000532, abs=1e-6)  # twice the tail beyond 2 / 0.577 = 3.464


def test_what_never_differs_is_no_difference_and_what_always_does_is_one():
    same = np.array([1.0, 2.0, 3.0])
    assert paired(same, same)[2] == 1
    assert paired(same, same + 1)[2] == 0


def test_wilsons_interval_excludes_what_the_score_test_rejects():
    for wins in range(101):
        found = share(np.repeat([1.0, 0.0], [wins, 100 - wins]))
        assert (p_of_share(wins / 100, 0.25, 100) < 0.05) == (not found.low <= 0.25 <= found.high)


def test_luck_that_is_shared_drops_out():
    luck = np.random.default_rng(1).normal(0, 100, 500)
    skill = np.random.default_rng(2).normal(1, 1, 500)
    assert paired(luck, luck + skill)[1].low > 0.8
    assert mean(luck + skill).low < 0 < mean(luck + skill).high


def test_holm_corrects_in_steps_and_gives_back_the_order():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_all_measures_of_all_tables_are_corrected_together():
    rng = np.random.default_rng(3)
    base = rng.normal(size=400)
    samples = {
        "a": {"x": base, "y": base},
        "b": {"x": base + rng.normal(0.5, 1, 400), "y": base + rng.normal(0, 1, 400), "only here": base},
        "c": {"x": base + rng.normal(0, 1, 400)},
    }
    found = differences_of(samples, {"x": ("X", "number"), "y": ("Y", "number")})
    assert [(one.setup, one.measure) for one in found] == [("b", "x"), ("b", "y"), ("c", "x")]
    assert [one.corrected for one in found] == pytest.approx(holm([one.p for one in found]))
    assert [one.clear for one in found] == [True, False, False]


def test_the_interval_for_any_time_is_that_of_the_paper():
    values = np.array([0.0, 1.0] * 50)
    found = at_any_time(values, most=400)
    assert found.value == 0.5
    # ρ² = (5.9915 + ln 6.9915) / 100 = 0.079361; 0.5 √(2 · 8.93615 / (100² · 0.079361) · ln(√8.93615 / 0.05))
    assert found.high - found.value == pytest.approx(0.15176, abs=1e-5)


def test_repeated_looks_are_seldom_wrong_with_it_and_often_with_the_usual_interval():
    rng, wrong, usual, looks, runs = np.random.default_rng(4), 0, 0, range(100, 2001, 50), 200
    for _ in range(runs):
        values = rng.integers(0, 2, 2000).astype(float)
        wrong += any(is_clear(at_any_time(values[:games], 2000), 0.5, 0) for games in looks)
        usual += any(is_clear(mean(values[:games]), 0.5, 0) for games in looks)
    assert wrong <= 0.05 * runs
    assert usual > 0.15 * runs


def test_an_answer_is_clear_when_fair_is_left_out_or_the_interval_is_narrow():
    wide, narrow = Estimate(0.6, 0.52, 0.68), Estimate(0.5, 0.495, 0.505)
    assert is_clear(wide, 0.5, 0.01)
    assert not is_clear(wide, 0.55, 0.01)
    assert is_clear(narrow, 0.5, 0.01)
    assert not is_clear(wide, None, 0.01)


def test_games_that_are_all_alike_prove_little_at_first():
    assert at_any_time(np.ones(100), 1000).low < 0.97
