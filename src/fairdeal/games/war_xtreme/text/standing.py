"""WAR X-TREME: queries on a state, for both texts and pictures."""

from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_size, zone_start
from fairdeal.games.war_xtreme.state import HIDDEN, IN_HAND

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
"""WAR-67: the titles, each with the number of net cards at which it no longer applies."""


def title_of(cards: int) -> str:
    """WAR-67: return the title of a seat with `cards` net cards."""
    return next((title for below, title in TITLES if cards < below), TOP_TITLE)


def in_ring_order(state: Snapshot, seats: int) -> list[int]:
    """WAR-07: return the seats of a set in ring order, starting with the marshal."""
    return sorted(members(seats), key=lambda seat: (seat - state.marshal) % state.players)


def kit_in(state: Snapshot, zone: int) -> list[int]:
    """Return the numbers of the equipment in a zone."""
    return state.equipment.cards[zone_start(state.equipment, zone) : state.equipment.ends[zone]]


def kit_count(state: Snapshot, seat: int) -> int:
    """WAR-72, 84: return the number of pieces in a seat's hand, including hidden ones."""
    return zone_size(state.equipment, IN_HAND + seat) + zone_size(state.equipment, HIDDEN + seat)


def tagged(state: Snapshot, tag: int) -> list[int]:
    """Return the cards in the centre with this tag, such as the stakes of a seat."""
    return [card for card, other in zip(state.centre.held, state.centre.tags, strict=False) if other == tag]


def swept_by(state: Snapshot) -> int:
    """Return the seat that took the last pot, or NOBODY."""
    return state.swept - 1
