"""My Game on the table: faces, zones and choices."""

from collections.abc import Mapping

from fairdeal.engine.options import Options
from fairdeal.engine.scene import Face, Ink, Skin

from .words import CODES, NUMBERS, SUITS

SKIN = Skin(
    name="my-game",
    cloth=("#dfe8d8", "#141c16"),
    cloth_2=("#cbd8c2", "#1f2a22"),
    kinds={suit: Ink("#fbf6ea", "#a11d2b" if suit in ("diamonds", "hearts") else "#1c2230") for suit in SUITS},
    back=Ink("#27543a", "#e4f2e8"),
    back_sign="♠",
)
SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the cards."""
    suits = {code: next(suit for suit in SUITS if suit[0] == code[0]) for code in CODES}
    return {
        code: Face(kind=suit, name=NUMBERS[code], big=code[1], corner=f"{code[1]}{SIGNS[suit]}", clause="MINE-11")
        for code, suit in suits.items()
    }
