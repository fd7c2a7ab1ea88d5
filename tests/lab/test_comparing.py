"""Statistics, compared with results by hand, in closed form, or by counting how often they are wrong."""

import numpy as np
import pytest

from fairdeal.lab.estimates import Estimate, mean, p_of_share, share
from fairdeal.lab.studies.comparing import at_any_time, holm, is_clear, p_at_any_time, paired, together


def test_pairs_are_compared_by_their_own_differences():
    games, estimate, p = paired(np.repeat([1.0, 2.0], 16), np.repeat([2.0, 3.0, 1.0, 99.0], [16, 8, 8, 8]))
    assert games == 32  # the others have no partners
    assert estimate.value == 0.5
    assert estimate.high - estimate.value == pytest.approx(2.039513 * (24 / 31 / 32) ** 0.5)
    assert p == pytest.approx(0.0030473, abs=1e-7)  # twice the tail of t beyond 0.5 / √(24 / 31 / 32) = 3.2146
    assert paired(np.zeros(29), np.arange(29.0))[2] is None, "too few games are not judged"


def test_what_never_differs_is_no_difference_and_what_always_does_is_one():
    same = np.arange(40.0)
    assert paired(same, same)[2] == 1
    assert paired(same, same + 1)[2] == 2**-39


def test_a_few_equal_values_do_not_show_that_all_are_equal():
    """If one of 5 values differed by 1, the standard deviation would be √(1/5), and the half-width t · √(1/5) / √5."""
    found = mean(np.full(5, 7.0))
    assert (found.value, found.high - 7, 7 - found.low) == pytest.approx((7, 2.776445 / 5, 2.776445 / 5))
    assert mean(np.full(10_000, 7.0)).high - 7 < 0.0002
    assert mean(np.array([1.0, 2.0])).high - 1.5 == pytest.approx(12.7062 / 2, abs=1e-4)


def test_few_differences_prove_little_however_alike_they_are():
    """In 5 of 40 pairs the second is larger by 1: by chance, all 5 have the same sign in 1 of 16 cases."""
    some = np.repeat([1.0, 0.0], [5, 35])
    assert paired(np.zeros(40), some, binary=True)[2] == pytest.approx(1 / 16)
    assert paired(np.zeros(40), some)[2] == pytest.approx(1 / 16)
    assert paired(np.zeros(40), some / 2, binary=True)[2] > 1 / 16, "shared places count half"


def test_the_exact_interval_of_a_share_excludes_what_the_exact_test_rejects():
    for count in (30, 100):
        for wins in range(2 * count + 1):
            found = share(np.array([1.0] * (wins // 2) + [0.5] * (wins % 2) + [0.0] * (count - wins // 2 - wins % 2)))
            for fair in (0.5, 0.25, 0.125):
                assert (p_of_share(found.value, fair, count) < 0.05) == (not found.low <= fair <= found.high)


def test_luck_that_is_shared_drops_out():
    luck = np.random.default_rng(1).normal(0, 100, 500)
    skill = np.random.default_rng(2).normal(1, 1, 500)
    assert paired(luck, luck + skill)[1].low > 0.8
    assert mean(luck + skill).low < 0 < mean(luck + skill).high


def test_holm_corrects_in_steps_and_gives_back_the_order():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_main_question_counts_as_much_as_all_others_together():
    assert holm([0.01, 0.02, 0.03], [3, 1, 1]) == pytest.approx([5 / 3 * 0.01, 0.04, 0.04])
    assert together([0.01], [0.001] + [0.5] * 39)[0] == pytest.approx([0.02])
    assert together([0.01], []) == ([0.01], [])
    assert together([], [0.01, 0.04]) == ([], pytest.approx([0.02, 0.04]))


def test_weighted_corrections_are_wrong_in_one_of_twenty_studies():
    rng = np.random.default_rng(5)
    wrong = [min(min(part) for part in together([*rng.random(2)], [*rng.random(30)])) < 0.05 for _ in range(4000)]
    assert np.mean(wrong) == pytest.approx(0.049, abs=0.009)  # 0.05 less their overlap, within 2.6 standard errors


def test_the_interval_for_any_time_is_that_of_the_paper():
    values = np.array([0.0, 1.0] * 50)
    found = at_any_time(values, most=400)
    assert found.value == 0.5
    # ρ² = (5.9915 + ln 6.9915) / 100 = 0.079361; 0.5 √(2 · 8.93615 / (100² · 0.079361) · ln(√8.93615 / 0.05))
    assert found.high - found.value == pytest.approx(0.15176, abs=1e-5)


def test_the_p_value_for_any_time_agrees_with_the_interval():
    values = np.array([0.0, 1.0] * 50)
    for level in (0.05, 0.01):
        for fair in np.linspace(0.2, 0.8, 61):
            found = at_any_time(values, 400, level)
            assert (p_at_any_time(values, fair, 400, level) < level) == (not found.low <= fair <= found.high)


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
