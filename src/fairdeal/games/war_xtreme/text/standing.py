"""WAR X-TREME: how things stand, for words and pictures."""

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
"""WAR-67: the titles by net cards below which they are held."""


def title_of(cards: int) -> str:
    """WAR-67: what a seat is, by its net cards."""
    return next((title for below, title in TITLES if cards < below), TOP_TITLE)


def in_ring_order(state: Snapshot, seats: int) -> list[int]:
    """WAR-07: the seats of a set, the marshal first."""
    return sorted(members(seats), key=lambda seat: (seat - state.marshal) % state.players)


def kit_in(state: Snapshot, zone: int) -> list[int]:
    """The numbers of the equipment in a zone."""
    return state.equipment.cards[zone_start(state.equipment, zone) : state.equipment.ends[zone]]


def kit_count(state: Snapshot, seat: int) -> int:
    """WAR-72, 84: equipment in hand, hidden cards among it."""
    return zone_size(state.equipment, IN_HAND + seat) + zone_size(state.equipment, HIDDEN + seat)


def tagged(state: Snapshot, tag: int) -> list[int]:
    """The cards of the centre with this tag: a pot's turned cards, a seat's stakes, what lies under its card."""
    return [card for card, other in zip(state.centre.held, state.centre.tags, strict=False) if other == tag]


def swept_by(state: Snapshot) -> int:
    """Who took the last pot; NOBODY if Tax did, or nobody."""
    return state.swept - 1
