"""WAR X-TREME: the zones of the equipment cards. Cards are only moved, never created or lost (section 9,
conservation)."""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.records import Record, rule
from fairdeal.games.war_xtreme.state import HIDDEN, IN_HAND, IN_PLAY, JUNK, STORE


@rule
def zone_start(equipment: Record, zone: int) -> int:
    """Return the array index of the first card of a zone."""
    return 0 if zone == 0 else int(equipment.ends[int(zone) - 1])


@rule
def zone_size(equipment: Record, zone: int) -> int:
    """Return the number of cards in a zone."""
    return int(equipment.ends[zone]) - zone_start(equipment, zone)


@rule
def equipment_at(equipment: Record, zone: int, place: int) -> int:
    """Return the number of the card at index `place` of a zone."""
    return int(equipment.cards[zone_start(equipment, zone) + place])


@rule
def find_equipment(equipment: Record, zone: int, number: int) -> int:
    """Return the first index in a zone of a card with this number, or -1."""
    start = zone_start(equipment, zone)
    for place in range(start, equipment.ends[zone]):
        if equipment.cards[place] == number:
            return place - start
    return -1


@rule
def add_equipment(equipment: Record, zone: int, number: int) -> None:
    """Add a new card at the end of a zone. It is called only during set-up."""
    for place in range(equipment.ends[JUNK], equipment.ends[zone], -1):
        equipment.cards[place] = equipment.cards[place - 1]
    equipment.cards[equipment.ends[zone]] = number
    for later in range(zone, JUNK + 1):
        equipment.ends[later] += 1


@rule
def move_equipment(equipment: Record, source: int, place: int, target: int, target_place: int) -> None:
    """Move the card at index `place` of a zone to index `target_place` of another zone."""
    here = zone_start(equipment, source) + place
    number = equipment.cards[here]
    there = zone_start(equipment, target) + target_place
    if target > source:
        there -= 1
        for i in range(here, there):
            equipment.cards[i] = equipment.cards[i + 1]
        for zone in range(source, target):
            equipment.ends[zone] -= 1
    else:
        for i in range(here, there, -1):
            equipment.cards[i] = equipment.cards[i - 1]
        for zone in range(target, source):
            equipment.ends[zone] += 1
    equipment.cards[there] = number


@rule
def move_in_order(equipment: Record, source: int, place: int, target: int) -> None:
    """Move a card to a zone that is sorted by number."""
    number, start, target_place = equipment_at(equipment, source, place), zone_start(equipment, target), 0
    while start + target_place < equipment.ends[target] and equipment.cards[start + target_place] < number:
        target_place += 1
    move_equipment(equipment, source, place, target, target_place)


@rule
def to_junk(equipment: Record, source: int, place: int) -> None:
    """WAR-74: move a used card to the junk pile."""
    move_in_order(equipment, source, place, JUNK)


@rule
def put_in_play(equipment: Record, source: int, place: int, seat: int) -> None:
    """WAR-74: put a card into play in front of a seat, after the cards already there."""
    move_equipment(equipment, source, place, IN_PLAY + seat, zone_size(equipment, IN_PLAY + seat))


@rule
def shuffle_store(state: Record) -> None:
    """WAR-06, 78: shuffle the store, which must be sorted before."""
    first, size = zone_start(state.equipment, STORE), zone_size(state.equipment, STORE)
    for last in range(size - 1, 0, -1):
        other = first + draw(state.chance, last + 1)
        number = state.equipment.cards[first + last]
        state.equipment.cards[first + last] = state.equipment.cards[other]
        state.equipment.cards[other] = number


@rule
def draw_equipment(state: Record, seat: int) -> bool:
    """WAR-42, 78: draw the top card of the store into a seat's hand, restocking an empty store from the junk pile.

    Return False if both are empty.
    """
    equipment = state.equipment
    if zone_size(equipment, STORE) == 0:
        if zone_size(equipment, JUNK) == 0:
            return False
        equipment.ends[STORE] = equipment.ends[JUNK]
        shuffle_store(state)
    move_in_order(equipment, STORE, 0, IN_HAND + int(seat))
    return True


@rule
def scrap_all(equipment: Record, seat: int) -> None:
    """WAR-33, 85: move all equipment of a seat to junk."""
    for zone in (IN_HAND, HIDDEN, IN_PLAY):
        while zone_size(equipment, int(zone) + int(seat)) > 0:
            to_junk(equipment, int(zone) + int(seat), 0)
