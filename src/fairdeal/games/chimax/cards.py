"""CHIMAX: card codes such as `inf`, `25` and `?25`, and the faces of the cards."""

from collections.abc import Mapping
from typing import Any

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.options import Options
from fairdeal.engine.records import EMPTY, UNKNOWN
from fairdeal.engine.scene import Card, Face, Ink, Skin
from fairdeal.games.chimax.deck import DECLARED, FACES, FIFTEEN, HALF, HUNDRED, INFINITY, QUESTION, ZERO, face_of

FACE_CODES = ("half", "1", "2", "3", "5", "10", "15", "25", "50", "100", "0", "?", "inf")
"""GEN-02: the code of each face, in the printed sequence."""

CODES = (*FACE_CODES, *(f"?{code}" for code in FACE_CODES))
"""The code of each kind: a face, or a question mark declared as a face."""

DECLARABLE = FACE_CODES[FIFTEEN : HUNDRED + 1]
"""BOOKS-15: codes of the values that a question mark may be declared as."""

KIND_OF = {code: kind for kind, code in enumerate(CODES)}

FACE_OF = {code: FACE_CODES[face_of(kind)] for kind, code in enumerate(CODES)}
"""The face code of each card, by card code. The face of a declared question mark is `?`."""

SIGNS = ("½", *FACE_CODES[1:11], "?", "∞")
"""The signs of the faces, as printed on the cards."""

SIGN_OF = dict(zip(FACE_CODES, SIGNS, strict=True))
"""The sign of each face, by code."""

FACE_NAMES = ("a half", *FACE_CODES[1:10], "zero", "a question mark", "infinity")
NAMES = dict(zip(CODES, (*FACE_NAMES, *(f"a ? for {sign}" for sign in SIGNS)), strict=True))
"""The name of each card in a sentence, by code, such as `a half`, `25`, `infinity` or `a ? for 25`."""


def name_of(kind: int) -> str:
    """Return the name of a kind in a sentence."""
    return NAMES[CODES[kind]]


CARD_FACES = tuple(FACE_CODES[face_of(kind)] for kind in range(len(CODES)))
"""The face of each kind of card. A declared question mark has the face of a question mark."""


def code_of(kind: int) -> str | None:
    """Return the code of a card: None for a gap, and `x` for a hidden card, because `?` is a face in these games."""
    if kind == EMPTY:
        return None
    return "x" if kind == UNKNOWN else CODES[kind]


def read_code(path: str, code: object) -> int:
    """Return the kind of card for a code, which may also be given as a number. Raises BadPosition for any other
    value."""
    if code is None:
        return EMPTY
    text = str(code)
    if text == "x":
        return UNKNOWN
    if text not in KIND_OF or isinstance(code, bool):
        raise BadPosition(path, code, f"a card is one of {' '.join(FACE_CODES)}, a ? with its value, such as ?25, or x")
    return KIND_OF[text]


def card_on_table(identity: str, kind: int, **more: Any) -> Card:
    """Return a card as drawn in a scene. A declared question mark is drawn as `?` with its value."""
    if kind == UNKNOWN:
        return Card(id=identity, face=None, down=True, back="chimax", **more)
    as_ = SIGNS[kind - DECLARED] if kind >= DECLARED else ""
    return Card(id=identity, face=FACE_CODES[face_of(kind)], as_=as_, **more)


SPECIAL = {
    HALF: ("half", "one half", "Nothing is lower."),
    ZERO: ("zero", "Zero", "Second to infinity alone."),
    QUESTION: ("q", "question mark", "Stands for a number, just under the real one."),
    INFINITY: ("inf", "Infinity", "Nothing is higher."),
}
"""The kind, spoken name and text of each face that is not a number."""


def faces(options: Options) -> Mapping[str, Face]:
    """Return the printed design of each of the thirteen faces, by code."""
    return {FACE_CODES[face]: printed(face) for face in range(FACES)}


def printed(face: int) -> Face:
    """Return the printed design of a face."""
    code = FACE_CODES[face]
    kind, name, text = SPECIAL.get(face, (f"n{code}", code, ""))
    return Face(
        kind=kind,
        name=name,
        big=SIGNS[face],
        corner="" if face == HALF else SIGNS[face],
        foot=" ".join(DECLARABLE) if face == QUESTION else "",
        text=text,
        clause="BOOKS-15" if face == QUESTION else "GEN-04",
    )


NUMBER_GROUNDS = ("#3d5a98", "#2766a5", "#126b78", "#12704f", "#486d1a", "#7a600a", "#9e4c0b", "#b3391a", "#b81f4b")
"""Background colours of the number cards, from cold for 1 to hot for 100."""

SKIN = Skin(
    name="chimax",
    cloth=("#e3e4ea", "#16171f"),
    cloth_2=("#d0d2dc", "#272934"),
    kinds={
        **{
            f"n{code}": Ink(ground, "#fbf6ea")
            for code, ground in zip(FACE_CODES[1 : HUNDRED + 1], NUMBER_GROUNDS, strict=True)
        },
        "half": Ink("#ddd6c4", "#1d1a16"),
        "zero": Ink("#fbf6ea", "#b3261e"),
        "q": Ink("#fbf6ea", "#1d1a16"),
        "inf": Ink("#ecdcae", "#17181f"),
    },
    back=Ink("#17181f", "#ecdcae"),
    back_sign="∞",
)

DESIGNER = "the makers of Chimax"
PUBLISHER = "who are not named in print"
"""Text in place of the designer and the publisher, who are not named in the rulebook."""
