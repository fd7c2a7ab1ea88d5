"""Reports on tables that are alike name nothing, and their intervals hold: a small form of benchmarks/controls.py."""

import re
import types
from collections import defaultdict
from typing import Union, get_args, get_origin

import msgspec
import numpy as np
import pytest
from msgspec.structs import fields

from benchmarks.controls import FORMS, WORDS, Controls, Size, statistic_of
from fairdeal.lab.estimates import Estimate, exact, mean
from fairdeal.lab.studies.comparing import Difference, paired
from fairdeal.lab.studies.findings import Findings
from fairdeal.lab.studies.measures import STATISTICS, Measure
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "laboratory.md"

REPORTS = 30
"""Number of reports of each form and size."""

SIZES = Size(5, 5, 5), Size(30, 30, 30, 100)

SMALL = [name for name, form in FORMS.items() if len(form.tables) <= 2 and form.players <= 2]
"""Forms of reports that are soon made."""

UNLIKELY = 0.001
"""The share of failures if the statistics are right."""


@pytest.fixture(scope="module")
def results():
    """The results of all reports, by form and size."""
    controls = Controls.of(games=50, deals=400, playouts=2, jobs=2, tables=(1, 2))
    return {
        (name, size): [controls.report(name, size, number) for number in range(REPORTS)]
        for name in SMALL
        for size in SIZES
    }


# --- whole reports ----------------------------------------------------------------------------------------------


def test_reports_on_tables_that_are_alike_seldom_name_a_difference(results):
    """One of twenty may."""
    few, enough = ([one.named for name in SMALL for one in results[name, size]] for size in SIZES)
    assert not any(few)
    assert len(enough) == REPORTS * len(SMALL) >= 150
    assert sum(enough) > 0, "reports that can name nothing prove nothing"
    assert exact(sum(enough), len(enough), UNLIKELY).low <= 0.05


def test_intervals_of_reports_contain_the_true_value(results):
    """Nineteen of twenty should."""
    held = defaultdict(list)
    for name, size in results:
        for one in results[name, size]:
            for statistic, values in one.held.items():
                held[statistic, size.games].append(values)
    assert {
        statistic: np.mean(values)
        for statistic, values in held.items()
        if exact(float(sum(values)), len(values), UNLIKELY).high < 0.95
    } == {}


# --- estimates --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [2, 5, 30])
def test_intervals_of_means_hold_at_every_size(games):
    source = np.random.default_rng(games)
    found = [mean(values) for values in source.normal(7, 100, (10_000, games))]
    assert np.mean([one.low <= 7 <= one.high for one in found]) == pytest.approx(0.95, abs=0.0075)


def test_p_values_are_right_at_every_level():
    """Holm's correction needs them to be right far below 5 %."""
    source = np.random.default_rng(0)
    chances = np.array([paired(*values)[2] for values in source.normal(0, 1, (10_000, 2, 30))])
    for level in (0.05, 0.02, 0.005):
        assert np.mean(chances < level) == pytest.approx(level, rel=3.3 / (10_000 * level) ** 0.5), level


# --- every statistic --------------------------------------------------------------------------------------------


def structs_of(kind):
    """Return a struct and all structs in its fields."""
    if get_origin(kind) in (tuple, Union, types.UnionType):
        return set().union(*map(structs_of, get_args(kind)))
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return set()
    return {kind}.union(*(structs_of(field.type) for field in fields(kind)))


def test_everything_that_reports_test_is_tested_on_tables_that_are_alike(results):
    tested = {kind for kind in structs_of(Findings) if "corrected" in kind.__struct_fields__}
    assert len(tested) >= 4
    assert frozenset().union(*(one.tested for own in results.values() for one in own)) == tested


def test_every_interval_of_reports_is_compared_with_the_true_value(results):
    """And docs/laboratory.md says how often it holds."""
    shown = {
        (kind, field.name)
        for kind in structs_of(Findings)
        for field in fields(kind)
        if field.type is Estimate or Estimate in get_args(field.type)
    }
    by_measure = {(Measure, "estimate"), (Difference, "estimate")}
    assert shown == WORDS.keys() | by_measure
    statistics = {*WORDS.values(), *(statistic_of(*one, key) for one in by_measure for key in STATISTICS)}
    assert {statistic for own in results.values() for one in own for statistic in one.held} == statistics
    table = PAGE.read_text("utf-8").partition("Intervals of 95 %")[2].partition("\n## ")[0]
    assert {*re.findall(r"^\| (\w[^|]*?) \|", table, re.MULTILINE)} == statistics
