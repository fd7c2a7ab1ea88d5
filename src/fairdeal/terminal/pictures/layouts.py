"""Cards arranged in two dimensions: grids with fixed places, and columns of overlapping cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.style import Style

from fairdeal.engine.scene import Card, Zone
from fairdeal.terminal.pictures.canvas import Canvas, shortened
from fairdeal.terminal.pictures.cards import COMPACT, FULL, SLIP, Size
from fairdeal.terminal.pictures.targets import is_gap

DrawCard = Callable[[Card, int, int, Size], None]
"""A function that draws a card with its upper left corner at a cell."""


@dataclass(frozen=True)
class Head:
    """The text above a column, and the pile that it refers to."""

    text: str
    target: str = ""
    style: Style = field(default_factory=Style)


def fitted(zone: Zone, width: int, height: int) -> tuple[int, Size]:
    """Return the number of columns of a grid, and the largest size of cards at which the grid fits into `width` x
    `height` cells."""
    wide = zone.cols or len(zone.cards)
    ways = [(wide, rows_of(zone, wide))] + ([zone.narrow] if zone.narrow[0] else [])
    for size in (FULL, COMPACT, SLIP):
        for columns, rows in ways:
            if columns * (size[0] + 1) - 1 <= width and rows * size[1] <= height:
                return columns, size
    return max(1, min(wide, (width + 1) // (SLIP[0] + 1))), SLIP


def rows_of(zone: Zone, columns: int) -> int:
    return -(-len(zone.cards) // columns) if columns else 0


def grid_lines(zone: Zone, width: int, height: int) -> int:
    """Return the number of lines of a grid."""
    columns, size = fitted(zone, width, height)
    return rows_of(zone, columns) * size[1]


def draw_grid(
    canvas: Canvas, zone: Zone, left: int, top: int, width: int, height: int, draw: DrawCard, faint: Style
) -> int:
    """Draw a grid in the middle of a span, with faint dots for empty places. Return the line below it."""
    columns, size = fitted(zone, width, height)
    x = left + max(0, (width - columns * (size[0] + 1) + 1) // 2)
    for number, card in enumerate(zone.cards):
        across, down = x + number % columns * (size[0] + 1), top + number // columns * size[1]
        if is_gap(card):
            canvas.put(across + size[0] // 2, down + size[1] // 2, "·", faint)
        else:
            draw(card, across, down, size)
    return top + rows_of(zone, columns) * size[1]


def column_size(zones: Sequence[Zone], height: int) -> tuple[Size, int]:
    """Return the size of the newest card of a column and the number of visible lines of each card below it, chosen so
    that the longest column fits."""
    longest = max(1, *(len(zone.cards) for zone in zones))
    for size, strip in ((FULL, 2), (FULL, 1), (COMPACT, 1)):
        if (longest - 1) * strip + size[1] <= height:
            return size, strip
    return COMPACT, 1


def column_lines(zones: Sequence[Zone], height: int) -> int:
    """Return the number of lines of columns side by side, including a line for their heads."""
    size, strip = column_size(zones, height - 1)
    longest = max(1, *(len(zone.cards) for zone in zones))
    return min(height, 1 + (longest - 1) * strip + size[1])


def draw_columns(
    canvas: Canvas, zones: Sequence[Zone], heads: Sequence[Head], top: int, width: int, height: int, draw: DrawCard
) -> int:
    """Draw columns side by side, each under its head, and return the line below them. The newest card of each column is
    drawn in full, and all columns end on the same line, so that they can be read across."""
    size, strip = column_size(zones, height - 1)
    span = min(20, width // len(zones))
    first = (width - span * len(zones)) // 2
    bottom = top + column_lines(zones, height)
    for number, (zone, head) in enumerate(zip(zones, heads, strict=True)):
        left = first + span * number
        if head.target:
            canvas.mark(left, top, span, 1, head.target)
        canvas.centre(top, shortened(head.text, span - 1), head.style + Style(bold=zone.heed), left, span)
        shown = zone.cards[-(1 + (bottom - top - 1 - size[1]) // strip) :]
        y = bottom - size[1] - strip * (len(shown) - 1)
        for card in shown:
            under = strip == 1 and card is not shown[-1]
            draw(card, left + (span - size[0]) // 2, y, (size[0], 1) if under else size)
            y += strip
    return bottom
