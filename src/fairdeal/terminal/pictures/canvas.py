"""A grid of styled characters that maps clicks to targets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from textwrap import wrap

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

PLAIN, BOLD = Style(), Style(bold=True)


@dataclass(frozen=True)
class Hit:
    """A rectangle that can be clicked, with its target."""

    left: int
    top: int
    right: int
    bottom: int
    target: str


@dataclass
class Canvas:
    """A canvas of `width` x `height` cells. Anything drawn outside is clipped."""

    width: int
    height: int
    ground: Style = PLAIN
    hits: list[Hit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells: list[list[tuple[str, Style]]] = [[(" ", self.ground)] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write text starting at a cell, and return the cell after it. The background shows through if `style` has
        none."""
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self.cells[y]
        under: Style | None = None
        mixed = style
        for character in text:
            wide = 1 if " " <= character <= "~" else cell_len(character)
            if 0 <= x < self.width - wide + 1:
                if row[x][1] is not under:
                    under = row[x][1]
                    mixed = under + style
                row[x] = (character, mixed)
                for extra in range(1, wide):
                    row[x + extra] = ("", mixed)
            x += wide
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def centre(self, y: int, text: str, style: Style, left: int = 0, width: int | None = None) -> None:
        """Write text in the middle of a span of cells."""
        room = self.width - left if width is None else width
        self.put(left + max(0, (room - cell_len(text)) // 2), y, shortened(text, room), style)

    def mark(self, x: int, y: int, width: int, height: int, target: str) -> None:
        """Map clicks in a rectangle to a target. Later rectangles lie on top."""
        self.hits.append(Hit(x, y, x + width, y + height, target))

    def target_at(self, x: int, y: int) -> str | None:
        for hit in reversed(self.hits):
            if hit.left <= x < hit.right and hit.top <= y < hit.bottom:
                return hit.target
        return None

    def runs(self) -> Iterator[Iterator[tuple[str, Style]]]:
        """Yield, for each line, the runs of text that share a style."""
        for row in self.cells:
            together = groupby(row, key=itemgetter(1))
            yield (("".join(character for character, _ in cells), style) for style, cells in together)

    def text(self) -> Text:
        """Return the canvas as lines of styled text."""
        lines = (Text.assemble(*line, no_wrap=True, end="") for line in self.runs())
        return Text("\n", no_wrap=True, end="").join(lines)

    def strips(self, ground: Style) -> list[Strip]:
        """Return the canvas as the lines of a widget."""
        return [Strip([Segment(text, ground + style) for text, style in line], self.width) for line in self.runs()]


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of text of a width, which is at least one cell even on a screen without room for it."""
    return wrap(text, max(1, width))


def shortened(text: str, width: int) -> str:
    """Return text shortened to a width with an ellipsis. A numbered name keeps its number: `Ju… 2`."""
    if cell_len(text) <= width:
        return text
    numbered = re.fullmatch(r"([A-Za-z]+)( \d)", text)
    if numbered and width > 3:
        return numbered[1][: width - 3] + "…" + numbered[2]
    return text[: max(0, width - 1)] + "…" if width > 0 else ""
