"""Targets of a game, and the tables that meet them.

A target is an interval of a mean or a share. A table meets it if tests reject both ends (two one-sided tests, D. J.
Schuirmann, 1987), and misses it if a test rejects the end beyond which the table lies. Two-sided p-values are used in
both cases, so that the choice of the case by the data costs nothing.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate, beyond, mean, p_of_share, share
from fairdeal.lab.studies.comparing import LEVEL, holm
from fairdeal.lab.studies.measures import STATISTICS, Samples

State = Literal["meets", "misses", "open"]
"""The verdict on the targets of a table: `open` means that neither is proven."""

Target = tuple[float, float]
"""The least and the most value that a measure should have."""


class Verdict(Frozen):
    """The result of a table for a target: the value of the measure, its distance beyond the target (0 within), and the
    p-value of the claim that the table meets or misses the target, also corrected for all targets and tables."""

    setup: str
    measure: str
    least: float
    most: float
    games: int
    estimate: Estimate
    by: float
    p: float
    corrected: float

    @property
    def state(self) -> State:
        return "open" if self.corrected >= LEVEL else "misses" if self.by else "meets"


def verdicts_of(samples: Mapping[str, Samples], targets: Mapping[str, Target]) -> tuple[Verdict, ...]:
    """Return the verdict on every target of every table, corrected together. `samples[setup][measure]` has a value for
    each game. Tables without a measure have no verdict on its target."""
    found = [
        verdict_of(setup, key, measures[key], target)
        for setup, measures in samples.items()
        for key, target in targets.items()
        if key in measures
    ]
    corrected = holm([one.p for one in found])
    return tuple(one.replaced(corrected=p) for one, p in zip(found, corrected, strict=True))


def verdict_of(setup: str, key: str, values: NDArray[Any], target: Target, tests: int = 1) -> Verdict:
    """Return the verdict on one target of a table, corrected for this number of tests (C. E. Bonferroni, 1936)."""
    binary, (least, most) = STATISTICS[key].binary, target
    estimate = share(values) if binary else mean(values)
    value = estimate.value
    by = value - most if value > most else min(0.0, value - least)
    ends = [end for end in target if not binary or 0 < end < 1]
    if by:
        ends = [most if by > 0 else least]
    p = max((p_of(values, end, binary) for end in ends), default=0.0) if len(values) >= FEWEST_GAMES else 1.0
    return Verdict(setup, key, least, most, len(values), estimate, by, p, min(1.0, p * tests))


def p_of(values: NDArray[Any], end: float, binary: bool) -> float:
    """Return the two-sided p-value of a mean or a share that is compared with an end of a target."""
    games, value = len(values), float(np.mean(values))
    if value == end:
        return 1.0
    if binary:
        return p_of_share(value, end, games) if 0 < end < 1 else 0.0
    error = float(np.std(values, ddof=1)) / math.sqrt(games)
    return beyond((value - end) / error, games - 1) if error else 2.0 ** (1 - games)


def state_of(verdicts: Sequence[Verdict]) -> State:
    """Return whether a table meets all its targets or misses one, or "open" if neither is proven or it has none."""
    states = {one.state for one in verdicts}
    return "misses" if "misses" in states else "meets" if states == {"meets"} else "open"


def distance(verdicts: Sequence[Verdict]) -> float:
    """Return how far the values of a table are from the middle of its targets: at most 1 if all are within."""
    return max(map(off_middle, verdicts), default=0.0)


def off_middle(one: Verdict) -> float:
    """Return the distance of a value from the middle of its target, as a multiple of that of an end. The middle of a
    target with one end is as far from it as possible: that of `at most 2 %` is 0."""
    binary = STATISTICS[one.measure].binary
    if one.least <= 0:
        return max(0.0, one.estimate.value) / one.most
    if binary and one.most >= 1:
        return (1 - one.estimate.value) / (1 - one.least)
    return abs(one.estimate.value - (one.least + one.most) / 2) / ((one.most - one.least) / 2)
