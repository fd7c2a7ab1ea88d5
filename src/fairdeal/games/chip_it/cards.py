"""CHIP IT: card codes such as `5g` and `11p`, and the faces of the cards."""

import functools
from collections.abc import Mapping, Sequence

from fairdeal.engine.options import Options
from fairdeal.engine.scene import Face, Ink, Skin
from fairdeal.games.chip_it.rules.combinations import cost_at, value_of
from fairdeal.games.chip_it.state import GREENS, KINDS, NUMBER

CODES = tuple(f"{number}{'g' if kind < GREENS else 'p'}" for kind, number in enumerate(NUMBER.tolist()))
"""The code of each kind."""

KIND_OF = {code: kind for kind, code in enumerate(CODES)}

EXAMPLES = "green cards are 2g to 21g, purple cards 2p to 11p"
"""A summary of the card codes, for error messages."""


NUMBERS = tuple(NUMBER.tolist())
"""The number on each kind, as Python integers."""

WRITING_ORDER = tuple((number, kind) for kind, number in enumerate(NUMBERS))
"""Sort keys that define the order in which kinds are written: lowest number first, green before purple."""


WRITTEN = tuple(sorted(range(KINDS), key=WRITING_ORDER.__getitem__))
"""All kinds in writing order."""


def number_of(kind: int) -> int:
    return NUMBERS[kind]


def by_number(kinds: Sequence[int]) -> list[int]:
    """Return kinds in writing order: lowest number first, green before purple."""
    return sorted(kinds, key=WRITING_ORDER.__getitem__)


@functools.lru_cache(4096)
def cost(kind: int, value: int) -> int | None:
    """Return the number of points that raise a card to a value, or None if it cannot reach the value (CHIP-23, 24)."""
    points = int(cost_at(kind, value))
    return points if value_of(kind, points) == value else None


def price(kinds: Sequence[int], value: int) -> int | None:
    """Return the number of points that raise all these cards to a value, or None if one of them cannot reach it
    (CHIP-25)."""
    costs = [cost(kind, value) for kind in kinds]
    return None if None in costs else sum(points or 0 for points in costs)


def spoken(kind: int) -> str:
    """Return the spoken name of a card, such as `purple 5`."""
    return f"{'green' if kind < GREENS else 'purple'} {number_of(kind)}"


def faces(options: Options) -> Mapping[str, Face]:
    """Return the printed face of each of the thirty kinds of cards, by code."""
    return {
        CODES[kind]: Face(
            kind="green" if kind < GREENS else "purple",
            name=spoken(kind),
            big=str(number_of(kind)),
            corner=str(number_of(kind)),
            value=number_of(kind),
            step="+1" if kind < GREENS else "×",
            shape=True,
            text=climbs(kind),
            clause="CHIP-23" if kind < GREENS else "CHIP-24",
        )
        for kind in range(KINDS)
    }


def climbs(kind: int) -> str:
    """Return a sentence about the increase in a card's value for each point."""
    if kind < GREENS:
        return "Climbs by 1 for each point."
    return f"Climbs by {number_of(kind)} for each point."


SKIN = Skin(
    name="chip-it",
    cloth=("#f7ddcc", "#2a1a17"),
    cloth_2=("#ecc6ae", "#402a24"),
    kinds={"green": Ink("#17693c", "#ffffff"), "purple": Ink("#5b2c9a", "#ffffff")},
    back=Ink("#d2543c", "#fbf6ea"),
    back_sign="=",
)
