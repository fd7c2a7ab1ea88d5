"""An analysis, prepared for display in the terminal, the browser and the page: numbers as text, curves, and
sentences."""

from collections.abc import Sequence
from itertools import cycle
from typing import TypeVar

import msgspec

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import capital, count_of
from fairdeal.table.advice import Option
from fairdeal.table.analysis import Analysis, Decision, Share

V = TypeVar("V", bound=msgspec.Struct)

LEAST = 0.01
"""Minimum remainder of the chances that is not just rounding."""

REST = "The chances do not add up to 100 %, because each is estimated from what its player could know."

DASHES: dict[str, tuple[int, ...]] = {
    "solid": (),
    "dashed": (9, 4),
    "dotted": (2, 4),
    "dash-dotted": (12, 3, 2, 3),
    "evenly dashed": (5, 5),
    "widely dotted": (1, 6),
    "long-dashed": (16, 4),
    "mixed": (7, 3, 1, 3),
}
"""Dash patterns of the seats' lines, by which they differ without colours: lengths drawn and skipped, in turn."""

APART = 11
"""Minimum distance of two names beside the curve, in percent of its height."""


class OptionView(Option, kw_only=True):
    """A move that a seat could have made, prepared for display.

    shown   the chance as text
    margin  half the width of the interval
    height  height of the chance in the curve, from 0 to 1
    """

    shown: str
    margin: str
    height: float


class DecisionView(Decision, kw_only=True):
    """A decision, prepared for display.

    lost    the cost, such as `−12`; empty if the decision cost nothing
    margin  half the width of the interval
    change  the cost as a change of the chance; `0` if the decision cost nothing
    """

    options: tuple[OptionView, ...]
    lost: str
    margin: str
    change: str


class ShareView(Share, kw_only=True):
    """The sources of a seat's result, prepared for display.

    cells     start, luck, own decisions, those of rivals if there are any, and result
    bars      lengths of the bars for all sources except start and result, from -1 to 1
    sums      luck and decisions in a line
    sentence  start, luck, decisions and result in a sentence
    """

    cells: tuple[str, ...]
    bars: tuple[float, ...]
    sums: str
    sentence: str


class AnalysisView(Analysis, kw_only=True):
    """An analysis, prepared for display to one viewer.

    rows     the chances
    rests    the remainder to 100 %, such as `neither 7 %`; empty if there is none
    curves   heights of the chances in the curve, from 0 to 1
    levels   the chances at the foot of the curve, at each quarter, and at its top
    names    the name of each seat; the viewer is `You`
    whose    the names as possessives, such as `your` and `Ada’s`
    courses  the curve of each seat in words
    ahead    a sentence about the part of the game in which each seat's chance was the highest
    ends     place of each name beside the curve, in percent from its top
    swings   the change at each turning point, such as `47 → 62`
    dashes   the dash pattern of each seat's line, as in SVG
    """

    shares: tuple[ShareView, ...]
    decisions: tuple[DecisionView, ...]
    rows: tuple[tuple[str, ...], ...]
    rests: tuple[str, ...]
    curves: tuple[tuple[float, ...], ...]
    levels: tuple[str, ...]
    names: tuple[str, ...]
    whose: tuple[str, ...]
    courses: tuple[str, ...]
    ahead: tuple[str, ...]
    ends: tuple[float, ...]
    swings: tuple[str, ...]
    dashes: tuple[str, ...]


def view_of(found: Analysis, viewer: int = SPECTATOR) -> AnalysisView:
    """Return an analysis, prepared for display to a viewer."""
    low, high = found.span
    curves = tuple(tuple(map(found.height, row)) for row in found.chances)
    names, whose = list(found.seats), [f"{name}’s" for name in found.seats]
    if viewer != SPECTATOR:
        names[viewer], whose[viewer] = "You", "your"
    return grown(
        AnalysisView,
        found,
        decisions=tuple(decision_view(found, one) for one in found.decisions),
        shares=tuple(share_view(found, share, names[share.seat], share.seat == viewer) for share in found.shares),
        rows=tuple(tuple(map(found.points, row)) for row in found.chances),
        rests=tuple(rest(found, row) for row in found.chances),
        curves=curves,
        levels=tuple(found.points(low + part * (high - low)) for part in (0, 0.25, 0.5, 0.75, 1)),
        names=tuple(names),
        whose=tuple(whose),
        courses=tuple(course(found, seat, owner) for seat, owner in enumerate(whose)),
        ahead=tuple(ahead(found, seat, name, seat == viewer) for seat, name in enumerate(names)),
        ends=tuple(apart([100 - 100 * height for height in curves[-1]], APART, 100)),
        swings=tuple(f"{found.points(turn.before)} → {found.points(turn.after)}" for turn in found.turns),
        dashes=tuple(" ".join(map(str, dash)) for _, dash in zip(names, cycle(DASHES.values()), strict=False)),
    )


def grown(kind: type[V], one: msgspec.Struct, **added: object) -> V:
    """Return a struct of type `kind` with the fields of `one` and the `added` fields."""
    return kind(**msgspec.structs.asdict(one) | added)


def decision_view(found: Analysis, one: Decision) -> DecisionView:
    """Return a decision of an analysis, prepared for display."""
    return grown(
        DecisionView,
        one,
        options=tuple(option_view(found, option) for option in one.options),
        lost=f"−{found.points(one.cost)}" if one.cost else "",
        margin=found.points(one.error),
        change=change(found, -one.cost),
    )


def option_view(found: Analysis, one: Option) -> OptionView:
    shown, margin = found.points(one.chance), found.points(one.error)
    return grown(OptionView, one, shown=shown, margin=margin, height=found.height(one.chance))


def share_view(found: Analysis, one: Share, name: str, own: bool) -> ShareView:
    parts = (one.luck, one.play) if found.alone else (one.luck, one.play, one.gifts)
    widest = max(0.01, *(abs(part) for share in found.shares for part in (share.luck, share.play, share.gifts)))
    changes = [change(found, part) for part in parts]
    return grown(
        ShareView,
        one,
        cells=(found.points(one.start), *map(found.signed, parts), found.points(one.result)),
        bars=tuple(part / widest for part in parts),
        sums=" · ".join(f"{what} {by}" for what, by in zip(("cards", "play", "others"), changes, strict=False)),
        sentence=origin(found, one, name, "your" if own else "their", changes),
    )


def change(found: Analysis, by: float) -> str:
    """Return a change of a chance with its sign, or 0."""
    shown = found.signed(by)
    return "0" if shown == "0.0" else shown


def rest(found: Analysis, row: Sequence[float]) -> str:
    """Return the remainder of the chances to 100 %, such as `neither 7 %`, or an empty string if there is none."""
    left = 100 - sum(round(100 * chance) for chance in row)
    if found.alone or left < 1 or 1 - sum(row) < LEAST:
        return ""
    return f"{'neither' if len(row) == 2 else 'nobody'} {left} %"


def apart(places: Sequence[float], least: float, most: float) -> list[float]:
    """Move `places` apart, so that they are at least `least` apart and at most `most`, and return them."""
    found, order = list(places), sorted(range(len(places)), key=places.__getitem__)
    before = -least
    for seat in order:
        before = found[seat] = max(found[seat], before + least)
    for seat in reversed(order):
        found[seat] = min(found[seat], most)
        most -= least
    return found


# --- sentences --------------------------------------------------------------------------------------------------


def course(found: Analysis, seat: int, owner: str) -> str:
    """Return a description of a seat's curve."""
    moves = count_of(len(found.chances) - 1, "move")
    first, last = (f"{found.points(row[seat])}{found.sign}" for row in (found.chances[0], found.chances[-1]))
    if found.alone:
        return f"The expected score over {moves}: {first} at the deal, {last} at the end."
    turns = count_of(len(found.turns), "turning point")
    return (
        f"{capital(owner)} chance of winning over {moves}: {first} at the deal, {last} at the end. The best chance of "
        f"all before {leads(found, seat)} of them. {turns}."
    )


def ahead(found: Analysis, seat: int, name: str, own: bool) -> str:
    """Return a sentence about the times at which a seat's chance was the highest, and about the method of the
    analysis."""
    played = f"{found.playouts:,} games, using only what its player could know"
    games = f"Every move was compared with the others in {played}."
    if found.alone:
        return f"The numbers are the expected score. {games}"
    moves = count_of(len(found.chances) - 1, "move")
    known = f" {REST}" if any(rest(found, row) for row in found.chances) else ""
    return f"{name} {'were' if own else 'was'} ahead before {leads(found, seat)} of {moves}. {games}{known}"


def leads(found: Analysis, seat: int) -> int:
    """Return the number of moves before which a seat's chance was higher than all others."""
    return sum(sorted(row)[-2] < row[seat] for row in found.chances[:-1])


def origin(found: Analysis, one: Share, name: str, owner: str, changes: Sequence[str]) -> str:
    """Return a sentence about the sources of a seat's result."""
    start, result = found.points(one.start), found.points(one.result)
    causes = "the cards", f"{owner} own decisions", "those of others"
    parts = [changed(*part) for part in zip(causes, changes, strict=False)]
    if found.alone:
        return f"At the deal, the expected score was {start}: {', and '.join(parts)}. The result is {result}."
    return f"{name} began with a chance of {start} %: {', '.join(parts)}. The end is {result} %."


def changed(what: str, by: str) -> str:
    """Return a description of the change by one cause."""
    if by == "0":
        return f"{what} changed nothing"
    return f"{what} {'took' if by.startswith('−') else 'gave'} {by[1:]}"
