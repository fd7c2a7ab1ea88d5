"""CHI: the codes of cards, such as `yin-red` and `yang3-red`, their names and their faces."""

import functools
from collections.abc import Mapping

from fairdeal.engine.options import Options
from fairdeal.engine.scene import Face, Ink, Skin, with_article
from fairdeal.games.chi.colours import CLOTH, CLOTH_2, COLOUR_NAMES, GLYPHS, INKS, LIGHT_INKS, colour_of
from fairdeal.games.chi.state import CHI, KINDS, PAIR_OF_3, SINGLE_6, YANG_3, YANG_6

CODES = (
    *(f"yin-{colour}" for colour in COLOUR_NAMES),
    *(f"yang3-{colour}" for colour in COLOUR_NAMES),
    *(f"yang6-{colour}" for colour in COLOUR_NAMES),
    "chi",
)
"""Codes of the kinds of cards, indexed by kind."""

KIND_OF = {code: kind for kind, code in enumerate(CODES)}


@functools.cache
def name_of(kind: int) -> str:
    """Return the name of a card as it appears in a sentence, such as `a red Yin`, `an orange Yang` or `a Chi`."""
    if kind == CHI:
        return "a Chi"
    return with_article(f"{COLOUR_NAMES[colour_of(kind)]} {'Yin' if kind < YANG_3 else 'Yang'}")


NAMES = {"": "a card"} | {code: name_of(kind) for code, kind in KIND_OF.items()}
"""Names of cards in a sentence, by code. The empty code stands for a card that the viewer cannot see."""


def points_of(kind: int) -> int:
    """Return the points printed on a Yang."""
    return 3 if kind < YANG_6 else 6


def stack_cards(stack: int) -> list[int]:
    """Return the kinds of the cards in a stack."""
    if stack >= PAIR_OF_3:
        return [YANG_3 + stack - PAIR_OF_3] * 2
    return [YANG_3 + stack]


def stack_points(stack: int) -> int:
    """CHI-63: return the points of a stack."""
    return 3 if stack < SINGLE_6 else 6


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the 37 kinds of cards, by code."""
    return {CODES[kind]: face_of(kind) for kind in range(KINDS)}


def face_of(kind: int) -> Face:
    if kind == CHI:
        return Face(
            kind="chi",
            name="Chi, counter",
            glyph="☯",
            art="taiji",
            title="CHI",
            foot="CHI",
            text="Blocks a Yin, or the Chi that blocked yours.",
            clause="CHI-41",
        )
    colour = colour_of(kind)
    name, glyph = COLOUR_NAMES[colour], GLYPHS[colour]
    if kind < YANG_3:
        return Face(
            kind="yin",
            name=f"{name} Yin, attack",
            glyph=glyph,
            art=f"chi-{name}",
            corner_art=f"chi-{name}",
            tone=colour,
            ring=True,
            foot="YIN",
            text=f"Attacks a single {name} stack of the other player.",
            clause="CHI-40",
        )
    points = points_of(kind)
    return Face(
        kind="yang",
        name=f"{name} Yang, {points} points",
        corner=str(points),
        glyph=glyph,
        art=f"chi-{name}",
        corner_art=f"chi-{name}",
        tone=colour,
        ring=True,
        value=points,
        pips=points,
        text="Two of them on each other are safe." if points == 3 else "Only one of its colour in your area.",
        clause="CHI-31" if points == 3 else "CHI-33",
    )


SKIN = Skin(
    name="chi",
    cloth=CLOTH,
    cloth_2=CLOTH_2,
    kinds={
        "yin": Ink("#17181b", "#f4f1e8"),
        "yang": Ink("#fbf6ea", "#1d1a16"),
        "chi": Ink("#8b8a86", "#111214"),
    },
    back=Ink("#17181b", "#f4f1e8"),
    back_sign="☯",
    back_art="taiji",
    tones=INKS,
    light_tones=LIGHT_INKS,
)
