"""Lines and bars in characters: the chances of all seats over a game, drawn in braille dots."""

from collections.abc import Sequence
from itertools import cycle

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from fairdeal.table.analysis.view import DASHES, apart

STYLES = ("#5f86c6", "#c0643a", "#6b9440", "#b06ab8", "#3f9a9e", "#a9812f", "#c95f80", "#808793")
"""Colours of the seats, which are readable on light and dark backgrounds. Each seat also has its own dash pattern."""

PATTERNS = [
    "".join(" •"[place % 2 == 0] * length for place, length in enumerate(dash)) or "•" for dash in DASHES.values()
]
"""Dash patterns, with a sign for each dot and a space for each that is skipped."""

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of the dots of a braille character, by row and column."""

EIGHTHS = " ▏▎▍▌▋▊▉"
LABELS = 4


def curve(
    chances: Sequence[Sequence[float]],
    names: Sequence[str],
    width: int,
    height: int,
    at: int | None = None,
    ticks: tuple[str, str, str] = ("100", "50", "0"),
) -> list[Text]:
    """Draw the chance of every seat, from 0 at the bottom to 1 at the top, with names at the ends of the lines. Moment
    `at` is highlighted. `ticks` are the labels at the top, in the middle and at the bottom."""
    most, inner = widths(names, width)
    cells = [[0] * inner for _ in range(height)]
    styles = [["dim"] * inner for _ in range(height)]
    for seat in reversed(range(len(names))):
        draw_line(cells, styles, [row[seat] for row in chances], seat)
    marked = None if at is None else column(at, len(chances), 2 * inner) // 2
    ends = name_ends(chances[-1], height)
    found = []
    for row in range(height):
        head = dict(zip((0, (height - 1) // 2, height - 1), ticks, strict=True)).get(row, "")
        line = Text().append(f"{head:>{LABELS - 1}} ", "dim")
        for place in range(inner):
            under = " reverse" if place == marked else ""
            line.append(chr(0x2800 + cells[row][place]), f"{styles[row][place]}{under}")
        for seat in ends.get(row, []):
            line.append(f" {set_cell_size(names[seat], min(most, cell_len(names[seat])))}", f"bold {STYLES[seat % 8]}")
        found.append(line)
    return found


def widths(names: Sequence[str], width: int) -> tuple[int, int]:
    """Return the widths of the names beside a curve, and of the curve itself."""
    most = min(14, max(cell_len(name) for name in names))
    return most, max(8, width - LABELS - most - 1)


def column(moment: int, moments: int, width: int) -> int:
    """Return the position of a moment on a line of `width` dots."""
    return round(moment * (width - 1) / max(1, moments - 1))


def draw_line(cells: list[list[int]], styles: list[list[str]], values: Sequence[float], seat: int) -> None:
    """Draw one seat's line with its dash pattern."""
    width, height = 2 * len(cells[0]), 4 * len(cells)
    pattern = cycle(PATTERNS[seat % 8])
    before = None
    for x in range(width):
        place = x * (len(values) - 1) / (width - 1)
        low = min(int(place), len(values) - 2)
        value = values[low] + (values[low + 1] - values[low]) * (place - low)
        y = round((1 - value) * (height - 1))
        reached = range(y, y + 1) if before is None else range(min(y, before), max(y, before) + 1)
        for dot in reached:
            if next(pattern) == "•":
                cells[dot // 4][x // 2] |= DOTS[dot % 4][x % 2]
                styles[dot // 4][x // 2] = STYLES[seat % 8]
        before = y


def name_ends(last: Sequence[float], height: int) -> dict[int, list[int]]:
    """Return the seats to be named in each row, at the ends of their lines, with one seat in a row if possible."""
    found: dict[int, list[int]] = {}
    for seat, place in enumerate(apart([(1 - chance) * (height - 1) for chance in last], 1, height - 1)):
        found.setdefault(max(0, int(place + 0.5)), []).append(seat)
    return found


def marks_under(moments: Sequence[int], of: int, names: Sequence[str], width: int) -> Text:
    """Return a line of numbers, from 1, below the given moments of a curve. If two moments share a position, the number
    of the first is shown."""
    _, inner = widths(names, width)
    line = [" "] * inner
    for number, moment in enumerate(moments, start=1):
        place = column(moment, of, 2 * inner) // 2
        if line[place] == " ":
            line[place] = str(number)
    return Text(" " * LABELS + "".join(line), style="bold")


def bar(share: float, width: int) -> str:
    """Return a bar that fills `share` of its width."""
    eighths = max(0, min(8 * width, round(8 * width * share)))
    return f"{'█' * (eighths // 8)}{EIGHTHS[eighths % 8].strip()}"
