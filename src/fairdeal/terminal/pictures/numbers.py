"""Draw numbers as text: the counters of a seat, and digits three lines high."""

from rich.cells import cell_len
from textual.renderables.digits import DIGITS, DIGITS3X3_BOLD

from fairdeal.engine.scene import Seat

ICONS = {"chip": "●", "cards": "▮", "flag": "▸", "trophy": "★"}
"""Characters for the icons of a scene."""


def counters_of(seat: Seat, width: int) -> str:
    """Return the counters of a seat in a line, with labels if they fit."""
    whole = "  ".join(f"{counter.value} {counter.label}" for counter in seat.counters)
    if cell_len(whole) <= width:
        return whole
    parts, met = [], set()
    for counter in seat.counters:
        if counter.icon:
            parts.append(f"{'+' if counter.icon in met else ICONS.get(counter.icon, '●')}{counter.value}")
        else:
            parts.append(f"{counter.value} {counter.label}")
        met.add(counter.icon)
    return "  ".join(parts)


def big_digits(number: str) -> list[str]:
    """Return a number as three lines of text."""
    rows = [DIGITS3X3_BOLD[DIGITS.index(digit) * 3 : DIGITS.index(digit) * 3 + 3] for digit in number]
    return [" ".join(f"{digit[line]:<3}" for digit in rows) for line in range(3)]
