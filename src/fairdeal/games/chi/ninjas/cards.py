"""Chaos Ninjas: the codes of cards, such as `atk-red` and `def-red`, their names and their faces."""

from collections.abc import Mapping

from fairdeal.engine.options import Options
from fairdeal.engine.scene import Face, Ink, Skin, with_article
from fairdeal.games.chi.colours import CLOTH, CLOTH_2, COLOUR_NAMES, GLYPHS, INKS, LIGHT_INKS, colour_of
from fairdeal.games.chi.ninjas.options import NinjaOptions
from fairdeal.games.chi.ninjas.state import COUNTER, DEFENDER, KINDS, SPIRIT

CODES = (
    *(f"atk-{colour}" for colour in COLOUR_NAMES),
    *(f"def-{colour}" for colour in COLOUR_NAMES),
    "counter",
    "spirit",
)
"""Codes of the kinds of cards, indexed by kind."""

KIND_OF = {code: kind for kind, code in enumerate(CODES)}

EXAMPLES = "write atk-red, def-red, counter or spirit"

ABILITIES = (
    ("Striker", "When it arrives, you may make one attack at once.", "NINJA-31"),
    ("Scout", "When it arrives, draw the top card of the deck, then discard a card.", "NINJA-32"),
    ("Quartermaster", "Your hand may hold two cards more.", "NINJA-33"),
    ("Pickpocket", "When it arrives, somebody with more hand cards than you gives you one.", "NINJA-34"),
    ("Shieldbearer", "Your other cards cannot be attacked with two cards.", "NINJA-35"),
    ("Phantom", "When an attack fells it, it returns to your hand.", "NINJA-36"),
    ("Scholar", "When you draw an Attacker from the row, draw from the deck as well.", "NINJA-37"),
    ("Thorn", "When an attack fells it, the attacker discards a card.", "NINJA-38"),
    ("Medic", "When it arrives, you may take a Defender from the discard pile.", "NINJA-39"),
    ("Wall", "Only two Attackers bring it down, of any colours.", "NINJA-40"),
    ("Decoy", "When another card of yours would fall, this one may fall instead.", "NINJA-41"),
    ("Shadow", "Your attacks with two cards cannot be countered.", "NINJA-42"),
)
"""NINJA-31 to 42: name, ability and clause of each Defender, in order of colour."""


def ability_of(kind: int) -> str:
    """Return the name of a Defender."""
    return ABILITIES[colour_of(kind)][0]


def name_of(kind: int) -> str:
    """Return the name of a card, such as `red Attacker`, `teal Defender`, `Counter` or `Spirit`."""
    if kind >= COUNTER:
        return "Counter" if kind == COUNTER else "Spirit"
    return f"{COLOUR_NAMES[colour_of(kind)]} {'Attacker' if kind < DEFENDER else 'Defender'}"


def a_card(kind: int) -> str:
    """Return the name of a card as it appears in a sentence, such as `a red Attacker` or `an orange Defender`."""
    return with_article(name_of(kind))


def title_of(kind: int, abilities: bool) -> str:
    """Return the usual name of a card in play, such as `Phantom`, `Spirit`, or `blue Defender` at a table without
    abilities."""
    return ability_of(kind) if abilities and kind < COUNTER else name_of(kind)


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the 26 kinds of cards, by code. At a table without abilities, Defenders do not show them."""
    assert isinstance(options, NinjaOptions)
    return {CODES[kind]: face_of(kind, options) for kind in range(KINDS)}


def face_of(kind: int, options: NinjaOptions) -> Face:
    if kind == COUNTER:
        return Face(
            kind="counter",
            name="Counter",
            glyph="☯",
            art="taiji",
            text="Blocks an attack, or the Counter that blocked yours.",
            clause="NINJA-12",
        )
    if kind == SPIRIT:
        return spirit_face(options)
    colour = colour_of(kind)
    name = COLOUR_NAMES[colour]
    if kind < DEFENDER:
        return Face(
            kind="attacker",
            name=f"Attacker {name}",
            glyph=GLYPHS[colour],
            art=f"chi-{name}",
            corner_art=f"chi-{name}",
            tone=colour,
            ring=True,
            text=f"Fells {with_article(name)} Defender alone, or one of another colour with a second Attacker.",
            clause="NINJA-10",
        )
    title, text, clause = ABILITIES[colour] if options.abilities else ("", "It has no ability.", "NINJA-30")
    return Face(
        kind="defender",
        name=f"Defender {name}, {title}" if title else f"Defender {name}",
        glyph=f"[{GLYPHS[colour]}]",  # the shape of a shield, for screens without drawings
        art=f"ninja-{title.lower()}" if title else f"chi-{name}",
        corner_art=f"chi-{name}",
        tone=colour,
        ring=True,
        foot=title,
        text=text,
        clause=clause,
    )


def spirit_face(options: NinjaOptions) -> Face:
    text = "Counts in play, and falls only to two Attackers, of any colours."
    if options.spirit == "wild":
        text = "Attacks alone, as an Attacker of any colour" + (", but not a Wall." if options.abilities else ".")
    return Face(kind="spirit", name="Spirit", glyph="✦", art="star", foot="Spirit", text=text, clause="NINJA-20")


SKIN = Skin(
    name="chaos-ninjas",
    cloth=CLOTH,
    cloth_2=CLOTH_2,
    kinds={
        "attacker": Ink("#17181b", "#f4f1e8"),
        "defender": Ink("#fbf6ea", "#1d1a16"),
        "counter": Ink("#8b8a86", "#111214"),
        "spirit": Ink("#8d9aa5", "#17181b"),
    },
    back=Ink("#22262b", "#d24a35"),
    back_sign="✦",
    back_art="star",
    tones=INKS,
    light_tones=LIGHT_INKS,
)
