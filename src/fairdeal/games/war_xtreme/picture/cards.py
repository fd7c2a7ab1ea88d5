"""WAR X-TREME: the faces of the cards, and the colours of the suits."""

from collections.abc import Mapping

from fairdeal.engine.options import Options
from fairdeal.engine.scene import Face, Ink, Skin
from fairdeal.games.war_xtreme.catalogue.checks import op_of
from fairdeal.games.war_xtreme.catalogue.effects_told import BANDS, kit_text, special_foot, special_text
from fairdeal.games.war_xtreme.catalogue.entries import Equipment, Unique
from fairdeal.games.war_xtreme.catalogue.names import Words, rank_name, titled
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, Catalogue
from fairdeal.games.war_xtreme.catalogue.tables import CARD_KINDS, FACES, REGULAR_FACES, TURNED, kind_of

GLYPHS = "♛✦☠☻⚙▼♠∅"
"""One symbol for each of the eight suits, for terminals without enough colours."""

INKS = ("#b82373", "#2b2b33", "#4a731d", "#7a3fb5", "#1e6594", "#a3161b", "#0d7262", "#655e53")
LIGHT_INKS = ("#ff8fc4", "#d8d4e4", "#a9d67a", "#c9a2f5", "#7cc0ee", "#ff9088", "#62d1bd", "#cfc6b8")
"""The ink of each suit, on light card stock and on the dark background of special cards."""

SUIT_ART = BUILT_IN.words.suits
KIT_ART = BUILT_IN.words.kit_of
"""The suits and equipment that have their own drawings. Others use the drawing of a suit's index or of an effect."""

ART_OF_EFFECT = {
    "mod": "rocket-boots",
    "redraw": "second-wind",
    "peek": "spyglass",
    "move": "sticky-fingers",
    "withdraw": "smoke-bomb",
    "declare": "gauntlet",
    "scrap": "magnet",
    "tax_share": "accountant",
    "ward": "bodyguard",
    "stake": "ball-and-chain",
    "pass_camps": "prisoner-exchange",
    "draw": "donation-drive",
}
CLAUSE_OF_KIND = {"once": "WAR-74", "continuous": "WAR-79", "curse": "WAR-79", "must": "WAR-83"}


def kit_key(kit: Equipment) -> str:
    """Return the key of an equipment card's face."""
    return f"kit/{kit.id}"


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of a catalogue's cards: doubles with each end up, special cards, and equipment."""
    catalogue = getattr(options, "catalogue", None)
    assert isinstance(catalogue, Catalogue)
    words = catalogue.words
    cards = [*range(CARD_KINDS), *(TURNED - kind for kind in range(CARD_KINDS) if kind % FACES < REGULAR_FACES)]
    found = {words.codes[card]: face_of(words, card) for card in reversed(cards)}
    return found | {kit_key(kit): kit_face(kit) for kit in words.equipment}


def face_of(words: Words, card: int) -> Face:
    """Return the face of a playing card."""
    suit = kind_of(card) // FACES
    unique = words.unique_card(card)
    return special_face(words, suit, unique) if unique else regular_face(words, suit, card)


def art_of(words: Words, suit: int) -> str:
    """Return the emblem of a suit."""
    name = words.suits[suit]
    return name if name in SUIT_ART else SUIT_ART[suit]


def regular_face(words: Words, suit: int, card: int) -> Face:
    ends, ranks = words.ends(card), words.ranks(card)
    double = len(ends) == 2
    name = words.name_of(card)
    return Face(
        kind="double" if double else "rank",
        name=f"{name}, double with {rank_name(ranks[1])}" if double else name,
        corner=ends[0],
        glyph=GLYPHS[suit],
        art=art_of(words, suit),
        tone=suit,
        value=ranks[0],
        ends=(ends[0], ends[-1]),
        foot=f"⇅{ends[1]}" if double else "",
        text="Counts as the end that is up." if double else "",
        clause="WAR-12" if double else "WAR-10",
    )


def special_face(words: Words, suit: int, card: Unique) -> Face:
    text, clause = special_text(card)
    return Face(
        kind="special",
        name=f"{card.name}, {titled(card.suit)}, {card.kind} {card.rank}",
        corner=str(card.rank),
        glyph=GLYPHS[suit],
        art=card.kind,
        corner_art=art_of(words, suit),
        tone=suit,
        value=card.rank,
        title=card.name,
        foot=special_foot(card),
        text=text,
        clause=clause,
    )


def kit_face(kit: Equipment) -> Face:
    return Face(
        kind="kit",
        name=f"{kit.name}, equipment, {BANDS[kit.kind]}: {kit_text(kit)}",
        art=kit.id if kit.id in KIT_ART else ART_OF_EFFECT[op_of(kit)],
        title=kit.name,
        foot=BANDS[kit.kind],
        tag=kit.kind,
        text=kit_text(kit),
        printed=True,
        clause=CLAUSE_OF_KIND[kit.kind],
    )


SKIN = Skin(
    name="war-xtreme",
    cloth=("#dfe2ce", "#191d17"),
    cloth_2=("#c8ccb2", "#2b3226"),
    kinds={
        "rank": Ink("#fbf6ea", "#1d1a16"),
        "double": Ink("#fbf6ea", "#1d1a16"),
        "special": Ink("#24211b", "#fbf6ea"),
        "kit": Ink("#dcb989", "#38260c"),
    },
    back=Ink("#1d3146", "#fbf6ea"),
    back_sign="⚔",
    back_art="war",
    tones=INKS,
    light_tones=LIGHT_INKS,
)
