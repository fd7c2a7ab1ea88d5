"""Plain plots as SVG: histograms, intervals, bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray

from fairdeal.lab.simulate.simulation import Estimate

matplotlib.use("svg")
from matplotlib import pyplot as plt

plt.rcParams.update(
    {"svg.hashsalt": "fairdeal", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "figure.dpi": 96}
)
INKS = ("#2766a5", "#b3391a", "#12704f", "#7a600a")

Named = Sequence[tuple[str, Estimate, float | None]]
"""An estimate: its name, the estimate, and the fair value."""


def histogram(path: Path, values: Mapping[str, NDArray[np.float64]], label: str, title: str) -> None:
    """Plot the share of games at each whole value, a row for each name."""
    figure, axes = plt.subplots(len(values), 1, sharex=True, figsize=(6.4, 1.3 * len(values) + 0.7))
    for axis, (name, found), ink in zip(np.atleast_1d(axes), values.items(), INKS, strict=False):
        steps, counts = np.unique(found, return_counts=True)
        axis.bar(steps, counts / len(found), color=ink, width=0.8)
        axis.set_ylabel(name, rotation=0, ha="right", va="center")
        axis.set_yticks([])
    np.atleast_1d(axes)[-1].set_xlabel(label)
    write(path, figure, title)


def bars(path: Path, named: Named, label: str, title: str) -> None:
    """Plot estimates as bars with their intervals."""
    figure, axis = plt.subplots(figsize=(6.4, 0.28 * len(named) + 1.1))
    rows = range(len(named))
    values = [estimate.value for _, estimate, _ in named]
    ends = [[e.value - e.low for _, e, _ in named], [e.high - e.value for _, e, _ in named]]
    axis.barh(rows, values, xerr=ends, color=INKS[0], ecolor="#1d1a16")
    axis.set_yticks(rows, [name for name, _, _ in named])
    axis.invert_yaxis()
    axis.set_xlabel(label)
    write(path, figure, title)


def write(path: Path, figure: plt.Figure, title: str) -> None:
    figure.suptitle(title)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": "fairdeal"})
    plt.close(figure)
