"""The details of a card: its name, place and effect, the actions it can be used for, and other visible cards of its
kind.

They are derived only from one viewer's scene and from public faces, so they reveal nothing hidden.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.page import Page, page_of
from fairdeal.engine.scene import Card, Face, Scene, Zone, capital, count_of, lies, listed

Why = Callable[[str], tuple[str, str]]


class Inspection(Frozen, omit_defaults=True):
    """The details of a card, in the order in which screens show them; empty ones are omitted.

    name    name of the card
    where   place of the card
    text    effect of the card
    now     actions that it can be used for now, or the reason why there are none
    seen    places of other visible cards of its kind, and the number of cards that the viewer cannot see
    clause  clause of the effect
    face    key of the catalogue; empty if the viewer may not see the card
    """

    name: str
    where: str = ""
    text: str = ""
    now: str = ""
    seen: str = ""
    clause: str = ""
    face: str = ""


def inspect(game: Game, faces: Mapping[str, Face], scene: Scene, card: str, why: Why | None) -> Inspection:
    """Return the details of a card of a scene, or of the top of a stack, whose id is the zone's id followed by `-top`.
    `why` returns the reason why a card cannot be chosen; without it, `now` stays empty. Raises FairdealError if the
    card is not in the scene."""
    found = lies(scene, card)
    if found is None:
        raise FairdealError("that card is no longer here")
    zone, one = found
    if not zone.cards:
        return of_back(scene, zone, None)
    if one.face is None or remembered(zone, one):
        told = of_back(scene, zone, one)
    else:
        told = of_face(page_of(game), faces, scene, zone, one)
    return with_now(told, scene, card, why)


def remembered(zone: Zone, card: Card) -> bool:
    """Return whether a card was turned over and back, so that players know it only from memory."""
    return zone.layout == "grid" and card.down


def with_now(told: Inspection, scene: Scene, card: str, why: Why | None) -> Inspection:
    """Return the details of a card with its possible actions, or with the reason why there are none."""
    labels = list(dict.fromkeys(choice.label for choice in scene.choices if choice.on == card and choice.label))
    if labels:
        could = listed([label[:1].lower() + label[1:] for label in labels], "or")
        return told.replaced(now=f"You can {could}.")
    if why is None or scene.viewer < 0 or scene.mode == "over" or any(choice.on == card for choice in scene.choices):
        return told
    reason, clause = why(card)
    return told.replaced(now=reason, clause=told.clause or clause)


def of_face(page: Page, faces: Mapping[str, Face], scene: Scene, zone: Zone, card: Card) -> Inspection:
    """Return the details of a card that the viewer can see."""
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
    """Return the name of a card for the start of a line. If the card's text is printed on it, return its title, because
    the text follows below."""
    name = face.title if face.printed else face.name
    return capital(name)


def words_of(page: Page, faces: Mapping[str, Face], key: str) -> tuple[str, str]:
    """Return the effect of a card and its clause. They come from the page's entry for this exact card, or else from the
    card's face, or else from the page's entry for the kind of card."""
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
    """Return the place of a card, from the viewer's point of view."""
    label = zone.label or zone.say.partition(",")[0]
    if card.mark:
        label = f"{label}, {card.mark}" if label else card.mark
    if zone.place.startswith("seat:"):
        seat = int(zone.place.removeprefix("seat:"))
        owner = next((one.name for one in scene.seats if one.seat == seat), "")
        return f"{owner}: {label}" if label else owner
    return capital(label)


def in_sight(scene: Scene, card: Card) -> str:
    """Return the places of other visible cards with the same face. Return "" if the card stands for another card,
    because it may be a token."""
    if card.as_:
        return ""
    found: Counter[str] = Counter()
    for zone in scene.zones:
        for one in zone.cards:
            if one.face == card.face and one.id != card.id and not one.as_ and not remembered(zone, one):
                found[place_of(scene, zone, one.replaced(mark=""))] += 1
    if not found:
        return ""
    return f"Others in sight: {listed([f'{number} ({place})' for place, number in found.items()])}."


def of_back(scene: Scene, zone: Zone, card: Card | None) -> Inspection:
    """Return the details of a face-down card, or of the top of a pile, with the number of cards that the viewer has not
    seen."""
    hidden = unseen(scene, zone, card)
    lies = place_of(scene, zone, card or Card(zone.id))
    pile = zone.layout == "stack" and zone.count > 1
    return Inspection(
        name="A face-down card" if not pile else f"{zone.label or lies}: {count_of(zone.count, 'card')}, face down",
        where=lies,
        seen=f"One of {hidden} that you cannot see." if hidden > 1 else "The only card that you cannot see.",
    )


def unseen(scene: Scene, zone: Zone, card: Card | None) -> int:
    """Return the number of face-down cards with the same back on this table."""
    usual = scene.skin
    wanted = (card.back if card else "") or usual
    return sum(hidden(other) for other in scene.zones if back_of(other, usual) == wanted)


def back_of(zone: Zone, usual: str) -> str:
    """Return the back of the face-down cards in a zone; "" if it cannot hold any."""
    backs = [card.back for card in zone.cards if card.back not in ("", "gap")]
    return "" if zone.icon else backs[0] if backs else usual


def hidden(zone: Zone) -> int:
    """Return the number of face-down cards in a zone, including those in the middle of a ring."""
    cards = [card for card in zone.cards if card.back != "gap"]
    down = sum(card.face is None or remembered(zone, card) for card in cards)
    more = zone.count - len(cards) if zone.layout == "stack" and down == len(cards) else 0
    return down + max(0, more) + zone.under
