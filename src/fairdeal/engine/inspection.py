"""A card looked at closely: its name, where it lies, what it does, what it could do now, what is known of its kind.

Everything comes from the scene of one viewer and from faces that everybody may see, so there is nothing in it to hide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.page import Page, page_of
from fairdeal.engine.scene import Card, Face, Scene, Zone, count_of, lies, listed

Why = Callable[[str], tuple[str, str]]


class Inspection(msgspec.Struct, frozen=True, omit_defaults=True):
    """All there is to say about a card, in the order in which it is said; what is empty is left out.

    name    name of the card
    where   where it lies
    text    what it does
    now     what it could do now, or why not
    seen    where others of its kind lie open, and how many the viewer cannot see
    clause  the clause that says so
    face    a key of the catalogue; empty if the viewer may not see the card
    """

    name: str
    where: str = ""
    text: str = ""
    now: str = ""
    seen: str = ""
    clause: str = ""
    face: str = ""


def inspect(game: Game, faces: Mapping[str, Face], scene: Scene, card: str, why: Why | None) -> Inspection:
    """What a viewer can be told of a card of their scene, or of the top of a stack by the name of its zone and `-top`.
    `why` says why a card cannot be chosen; without it nothing is said of now. Raises FairdealError if the card is not
    there."""
    found = lies(scene, card)
    if found is None:
        raise FairdealError("that card does not lie here any more")
    zone, one = found
    if not zone.cards:
        return of_back(scene, zone, None)
    if one.face is None or remembered(zone, one):
        told = of_back(scene, zone, one)
    else:
        told = of_face(page_of(game), faces, scene, zone, one)
    return with_now(told, scene, card, why)


def remembered(zone: Zone, card: Card) -> bool:
    """Was it turned over and back, so that nobody but memory knows it?"""
    return zone.layout == "grid" and card.down


def with_now(told: Inspection, scene: Scene, card: str, why: Why | None) -> Inspection:
    """The same with what the card could do now, or why it can do nothing."""
    labels = list(dict.fromkeys(choice.label for choice in scene.choices if choice.on == card and choice.label))
    if labels:
        could = listed([label[:1].lower() + label[1:] for label in labels], "or")
        return msgspec.structs.replace(told, now=f"You can {could}.")
    if why is None or scene.viewer < 0 or scene.mode == "over" or any(choice.on == card for choice in scene.choices):
        return told
    reason, clause = why(card)
    return msgspec.structs.replace(told, now=reason, clause=told.clause or clause)


def of_face(page: Page, faces: Mapping[str, Face], scene: Scene, zone: Zone, card: Card) -> Inspection:
    """A card that the viewer can see."""
    face = faces[str(card.face)]
    laid = [
        f"Stands for {card.as_}." if card.as_ else "",
        f"Counts as {card.value}, with {count_of(card.load, 'point')} on it." if card.load else "",
    ]
    words, clause = words_of(page, faces, str(card.face))
    return Inspection(
        name=titled(face),
        where=place_of(scene, zone, card),
        text=" ".join(filter(None, [*laid, words])),
        seen=in_sight(scene, card),
        clause=clause,
        face=str(card.face),
    )


def titled(face: Face) -> str:
    """The name of a card to begin a line with; of a card with a title the title, as its text is said below."""
    name = face.title if face.printed else face.name
    return name[:1].upper() + name[1:]


def words_of(page: Page, faces: Mapping[str, Face], key: str) -> tuple[str, str]:
    """What a card does, and the clause: as the page says it where it draws this very card; else what its face says, or
    what the page says of its kind."""
    face = faces[key]
    own = next((kind for kind in page.cards if kind.faces == (key,)), None)
    alike = next((kind for kind in page.cards if any(of_a_sort(faces, face, other) for other in kind.faces)), None)
    if own and own.text:
        return own.text, own.clause or face.clause
    if face.text:
        return face.text, face.clause
    return (alike.text, alike.clause or face.clause) if alike else ("", face.clause)


def of_a_sort(faces: Mapping[str, Face], face: Face, other: str) -> bool:
    return other in faces and faces[other].kind == face.kind


def place_of(scene: Scene, zone: Zone, card: Card) -> str:
    """Where a card lies, seen by the viewer."""
    label = zone.label or zone.say.partition(",")[0]
    if card.mark:
        label = f"{label}, {card.mark}" if label else card.mark
    if zone.place.startswith("seat:"):
        seat = int(zone.place.removeprefix("seat:"))
        owner = next((one.name for one in scene.seats if one.seat == seat), "")
        return f"{owner}: {label}" if label else owner
    return label[:1].upper() + label[1:]


def in_sight(scene: Scene, card: Card) -> str:
    """Where other cards with the same face lie open; what stands for something may be a sign and no card."""
    if card.as_:
        return ""
    found: Counter[str] = Counter()
    for zone in scene.zones:
        for one in zone.cards:
            if one.face == card.face and one.id != card.id and not one.as_ and not remembered(zone, one):
                found[place_of(scene, zone, msgspec.structs.replace(one, mark=""))] += 1
    if not found:
        return ""
    return f"Others in sight: {listed([f'{number} ({place})' for place, number in found.items()])}."


def of_back(scene: Scene, zone: Zone, card: Card | None) -> Inspection:
    """A card that lies face down, or the top of a pile: how many there are that the viewer has not seen."""
    hidden = unseen(scene, zone, card)
    lies = place_of(scene, zone, card or Card(zone.id))
    pile = zone.layout == "stack" and zone.count > 1
    return Inspection(
        name="A face-down card" if not pile else f"{zone.label or lies}: {count_of(zone.count, 'card')}, face down",
        where=lies,
        seen=f"One of {hidden} that you cannot see." if hidden > 1 else "The only card that you cannot see.",
    )


def unseen(scene: Scene, zone: Zone, card: Card | None) -> int:
    """How many cards with the same back lie on this table face down."""
    usual = scene.skin
    wanted = (card.back if card else "") or usual
    return sum(hidden(other) for other in scene.zones if back_of(other, usual) == wanted)


def back_of(zone: Zone, usual: str) -> str:
    """The back of what lies face down in a zone; nothing if nothing can."""
    backs = [card.back for card in zone.cards if card.back not in ("", "gap")]
    return "" if zone.icon else backs[0] if backs else usual


def hidden(zone: Zone) -> int:
    """How many cards lie face down in a zone, those in the middle of a ring included."""
    cards = [card for card in zone.cards if card.back != "gap"]
    down = sum(card.face is None or remembered(zone, card) for card in cards)
    more = zone.count - len(cards) if zone.layout == "stack" and down == len(cards) else 0
    return down + max(0, more) + zone.under
