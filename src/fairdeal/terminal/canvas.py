"""A grid of styled characters that knows what lies where, so that a click finds its target."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

PLAIN = Style()


@dataclass(frozen=True)
class Hit:
    """A rectangle that can be clicked, and what it stands for."""

    left: int
    top: int
    right: int
    bottom: int
    target: str


@dataclass
class Canvas:
    """`width` x `height` cells; what is drawn outside is cut off."""

    width: int
    height: int
    ground: Style = PLAIN
    hits: list[Hit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells: list[list[tuple[str, Style]]] = [[(" ", self.ground)] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write text from a cell on; the cell after it. The ground shows through where the style has none."""
        for character in text:
            wide = cell_len(character)
            if 0 <= y < self.height and 0 <= x < self.width - wide + 1:
                under = self.cells[y][x][1]
                self.cells[y][x] = (character, under + style)
                for extra in range(1, wide):
                    self.cells[y][x + extra] = ("", under + style)
            x += max(wide, 0)
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def centre(self, y: int, text: str, style: Style = PLAIN, left: int = 0, width: int | None = None) -> None:
        """Write text in the middle of a span."""
        room = self.width - left if width is None else width
        self.put(left + max(0, (room - cell_len(text)) // 2), y, shortened(text, room), style)

    def mark(self, x: int, y: int, width: int, height: int, target: str) -> None:
        """Let a rectangle stand for a target; later ones lie on top."""
        self.hits.append(Hit(x, y, x + width, y + height, target))

    def target_at(self, x: int, y: int) -> str | None:
        for hit in reversed(self.hits):
            if hit.left <= x < hit.right and hit.top <= y < hit.bottom:
                return hit.target
        return None

    def text(self) -> Text:
        """The canvas as lines of styled text."""
        whole = Text(no_wrap=True, end="")
        for number, row in enumerate(self.cells):
            if number:
                whole.append("\n")
            run, style = "", row[0][1] if row else PLAIN
            for character, cell_style in row:
                if cell_style is not style and cell_style != style:
                    whole.append(run, style)
                    run, style = "", cell_style
                run += character
            whole.append(run, style)
        return whole


def shortened(text: str, width: int) -> str:
    """Text that fits a width, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return text[: max(0, width - 1)] + "…" if width > 0 else ""
