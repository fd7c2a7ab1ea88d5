"""WAR X-TREME: how things stand, read from a record for words and pictures."""

from __future__ import annotations

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.rules.equipment import zone_size, zone_start
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.rules.seats import ring_seat
from fairdeal.games.war_xtreme.state import HIDDEN, IN_HAND, POT

TITLES = (
    (16, "Unemployed"),
    (20, "Lemonade Stand CEO"),
    (25, "Seasonal Employee"),
    (30, "Karate Teacher"),
    (35, "Animal Breeder"),
    (40, "Inventor Of Things"),
    (45, "Race Car Driver"),
    (50, "Teen Celebrity"),
    (55, "Zoo Owner"),
)
TOP_TITLE = "President Of Everything"
"""WAR-67: the titles by net cards below which they are held."""


def title_of(state: Record, seat: int) -> str:
    """WAR-67: what a seat is, by its net cards."""
    cards = deck_size(state.decks[seat])
    return next((title for below, title in TITLES if cards < below), TOP_TITLE)


def seats_in(state: Record, seats: int) -> list[int]:
    """The seats of a set, in ring order."""
    ring = (ring_seat(state, number) for number in range(int(state.players)))
    return [seat for seat in ring if is_in(int(seats), seat)]


def kit_count(state: Record, seat: int) -> int:
    """WAR-72, 84: equipment in hand, hidden cards among it."""
    return zone_size(state.equipment, IN_HAND + seat) + zone_size(state.equipment, HIDDEN + seat)


def kit_in(state: Record, zone: int) -> list[int]:
    """The numbers of the equipment in a zone."""
    start, end = zone_start(state.equipment, zone), int(state.equipment.ends[zone])
    return [int(number) for number in state.equipment.cards[start:end]]


def tagged(state: Record, tag: int) -> list[int]:
    """The cards of the centre with this tag: a pot's turned cards, a seat's stakes, what lies under its card."""
    length = int(state.centre.length)
    pairs = zip(state.centre.cards[:length], state.centre.tags[:length], strict=True)
    return [int(card) for card, other in pairs if int(other) == tag]


def pot_size(state: Record, war: int) -> int:
    """Cards at stake in a war that has been called; recruits that face each other are not yet among them."""
    length = int(state.centre.length)
    return sum(POT * war <= int(tag) < POT * (war + 1) for tag in state.centre.tags[:length])


def is_fought(state: Record, war: int) -> bool:
    """Is this war under way, with stakes laid?"""
    return war == 0 and bool(in_clash(state))


def shown_card(state: Record, seat: int) -> int:
    """The card face up on a seat's table in a reveal; EMPTY if there is none, or a war is being fought."""
    return EMPTY if in_clash(state) else int(state.faces[seat])


def acts(state: Record, seat: int) -> bool:
    return seat >= 0 and is_in(int(state.to_act), seat)


def swept_by(state: Record) -> int:
    """Who took the last pot; NOBODY if Tax did, or nobody."""
    return int(state.swept) - 1
