"""Charts that matplotlib draws as SVG, in the colours and the typeface of the page that contains them."""

import io
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from fairdeal.engine.errors import missing
from fairdeal.lab.estimates import Estimate
from fairdeal.table.analysis.view import DASHES

INKS = {
    "#010101": "var(--ink)",
    "#020202": "var(--quiet)",
    "#030303": "var(--line)",
    "#040404": "var(--paper)",
    **{f"#0000{number:02x}": f"var(--data{number})" for number in range(1, 9)},
}
"""Colours that stand for the page's colours while matplotlib draws."""

INK, QUIET, LINE, PAPER = list(INKS)[:4]
DATA = list(INKS)[4:]
"""Colours of data, as many as the page's stylesheet defines."""

MARKERS = "osD^vP*X"
STYLES: Sequence[Any] = ["-" if not dash else (0, [length / 2 for length in dash]) for dash in DASHES.values()]

HATCHES = ("", "///", "...", "xxx", "---", "|||")

WIDTH = 4.2
"""Width of a chart in inches; pages scale it."""

LONGEST_LINE = 22
"""Maximum number of letters in a line of a row's name."""

DASHED: dict[str, Any] = {"color": INK, "ls": (0, (2, 1.5))}
"""The look of a line at a fair value, a median or a limit."""

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "fairdeal",
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.facecolor": "none",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": INK,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
    "legend.frameon": False,
}
"""Matplotlib's settings for all charts."""


@dataclass(frozen=True)
class Point:
    """A named estimate, with its fair value and its colour."""

    name: str
    estimate: Estimate
    fair: float | None = None
    data: int = 0


def require() -> Any:
    """Import and return matplotlib. Raises FairdealError with installation instructions."""
    try:
        import matplotlib
    except ImportError:
        raise missing("pictures need matplotlib", "study") from None
    return matplotlib


def drawn(
    draw: Callable[..., None], height: float, words: str, panels: tuple[int, int] = (1, 1), **shared: Any
) -> Markup:
    """Return a chart as SVG for a page. `draw` is called with the figure and its axes. `words` is the accessible
    description."""
    with require().rc_context(STYLE):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots(*panels, squeeze=False, **shared)
        draw(figure, axes.ravel())
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return inlined(text.getvalue(), words)


def inlined(svg: str, words: str) -> Markup:
    """Return SVG for use in a page: with the page's colours and typeface, an accessible name, and unique ids."""
    opening = re.search(r'<svg[^>]*viewBox="([^"]*)"[^>]*>', svg)
    assert opening is not None, "matplotlib says how large a picture is"
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[opening.end() :], flags=re.DOTALL)
    for placeholder, colour in INKS.items():
        svg = svg.replace(placeholder, colour)
    svg = re.sub(r"font: ([^;\"]*?)([\d.]+px)[^;\"]*", r"font: \1\2 var(--ui)", svg)
    svg = svg.replace("xlink:href", "href")
    used = set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    content = Markup(re.sub(r"\s*\n\s*", "\n", svg).rstrip())  # noqa: S704 - matplotlib escapes what it writes
    return Markup("<svg role='img' aria-label='{}' viewBox=\"{}\">{}").format(words, opening[1], content)


def scale(axis: Any, kind: str) -> None:
    """Format an axis as percentages if its values are shares."""
    if kind == "share":
        axis.set_major_formatter(lambda value, _: f"{100 * value:.4g} %")


def intervals(points: Sequence[Point], kind: str, words: str) -> Markup:
    """Draw estimates as dots with their intervals, one below another, with a line at the fair value."""

    def draw(figure: Any, axes: Any) -> None:
        from matplotlib.ticker import MaxNLocator

        axis = axes[0]
        for row, point in enumerate(points):
            colour, marker = DATA[point.data % len(DATA)], MARKERS[point.data % len(MARKERS)]
            axis.plot([point.estimate.low, point.estimate.high], [row, row], color=colour, lw=2.2)
            axis.plot(point.estimate.value, row, marker, color=colour, ms=6, mec=PAPER, mew=0.8)
            if point.fair is not None:
                axis.plot([point.fair] * 2, [row - 0.42, row + 0.42], lw=1.2, **DASHED)
        name_rows(axis, names)
        axis.grid(axis="x")
        axis.spines["left"].set_visible(False)
        axis.xaxis.set_major_locator(MaxNLocator(5, min_n_ticks=3))
        axis.margins(x=0.08)
        scale(axis.xaxis, kind)

    names = [wrapped(point.name) for point in points]
    return drawn(draw, 0.62 + row_height(names) * len(points), words)


def name_rows(axis: Any, names: Sequence[str]) -> None:
    """Name the rows of a chart, the first one at the top."""
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)


def wrapped(name: str) -> str:
    """Return the name of a row, broken into lines so that it leaves room for the chart."""
    return textwrap.fill(name, LONGEST_LINE)


def row_height(names: Sequence[str]) -> float:
    """Return the height of a row in inches, given the names of all rows."""
    return 0.13 + 0.14 * max(name.count("\n") + 1 for name in names)


@dataclass(frozen=True)
class Bars:
    """A named histogram: the start and width of its bins, the share of games in each, and the median."""

    name: str
    start: float
    width: float
    shares: Sequence[float]
    median: float


def histograms(bars: Sequence[Bars], label: str, words: str) -> Markup:
    """Draw histograms one below another, each with its median."""

    def draw(figure: Any, axes: Any) -> None:
        for number, (axis, own) in enumerate(zip(axes, bars, strict=True)):
            places = [own.start + own.width * place for place in range(len(own.shares))]
            axis.bar(places, own.shares, own.width * 0.88, align="edge", color=DATA[number % len(DATA)])
            axis.axvline(own.median, lw=1.2, **DASHED)
            axis.set_yticks([])
            axis.spines["left"].set_visible(False)
            if len(bars) > 1:
                axis.set_title(own.name)
        axes[-1].set_xlabel(label)

    return drawn(draw, 0.55 + (1.25 if len(bars) == 1 else 0.65 * len(bars)), words, (len(bars), 1), sharex=True)


@dataclass(frozen=True)
class Curve:
    """A named line: its x values, and estimates with intervals as y values."""

    name: str
    places: Sequence[float]
    estimates: Sequence[Estimate]


def curves(lines: Sequence[Curve], label: str, words: str, sure: float) -> Markup:
    """Draw the chances over the course of a game, with a line at `sure`, the chance above which a game counts as
    decided."""

    def draw(figure: Any, axes: Any) -> None:
        axis = axes[0]
        for number, line in enumerate(lines):
            colour = DATA[number % len(DATA)]
            low, high = [one.low for one in line.estimates], [one.high for one in line.estimates]
            axis.fill_between(line.places, low, high, color=colour, alpha=0.18, lw=0)
            axis.plot(
                line.places,
                [one.value for one in line.estimates],
                color=colour,
                lw=2,
                ls=STYLES[number % len(STYLES)],
                marker=MARKERS[number % len(MARKERS)],
                markevery=(number, 5),
                ms=5,
                label=line.name,
            )
        axis.axhline(sure, lw=1, **DASHED)
        axis.set_xlabel(label)
        axis.set_ylim(None, 1.02)
        axis.set_xlim(0, 1)
        axis.grid(axis="y")
        scale(axis.xaxis, "share")
        scale(axis.yaxis, "share")
        axis.legend(loc="upper left", bbox_to_anchor=(0, -0.22), fontsize=9, handlelength=3.2, ncols=1)

    return drawn(draw, 2.5 + 0.19 * len(lines), words)


def stacks(rows: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str], words: str) -> Markup:
    """Draw stacked bars, one for each row, and label the parts that are wide enough."""

    def draw(figure: Any, axes: Any) -> None:
        axis = axes[0]
        for row, (_, shares) in enumerate(rows):
            left = 0.0
            for number, share in enumerate(shares):
                axis.barh(row, share, 0.66, left, color=DATA[number], ec=PAPER, lw=1.2, hatch=HATCHES[number])
                if share >= 0.07:
                    box = {"boxstyle": "round,pad=0.25", "fc": PAPER, "ec": "none"}
                    axis.text(
                        left + share / 2,
                        row,
                        f"{share:.0%}".replace("%", " %"),
                        ha="center",
                        va="center",
                        fontsize=8,
                        bbox=box,
                    )
                left += share
        name_rows(axis, names)
        axis.set_xlim(0, 1)
        axis.spines[["left", "bottom"]].set_visible(False)
        axis.set_xticks([])
        handles = [axis.barh(0, 0, color=DATA[n], hatch=HATCHES[n], ec=PAPER) for n in range(len(parts))]
        look = {"fontsize": 8, "columnspacing": 1.2, "handlelength": 1.4}
        figure.legend(handles, parts, loc="outside lower center", ncols=min(3, len(parts)), **look)

    names = [wrapped(name) for name, _ in rows]
    return drawn(draw, 0.6 + 0.2 * (len(parts) > 3) + (0.07 + row_height(names)) * len(rows), words)
