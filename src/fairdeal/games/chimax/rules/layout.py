"""CHIMAX: layouts of face-down cards, and the stall rule that ends a game without progress (MEM-01 to MEM-08)."""

import numpy as np

from fairdeal.engine.kit.hidden import fill, shuffle_unseen
from fairdeal.engine.kit.piles import clear, find, push
from fairdeal.engine.kit.sets import set_of
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import CARDS
from fairdeal.games.chimax.rules.unseen import take_from


@rule
def lay_out(layout: Record, pack: Record) -> None:
    """Lay out the cards of a pack face down, in place of any earlier layout (MEM-01)."""
    for place in range(len(layout.cards)):
        layout.cards[place] = pack.cards[place] if place < pack.length else 0
    layout.length = pack.length
    clear(layout.open)
    clear(layout.seen)
    layout.dead = 0
    layout.live = 0


@rule
def is_down(layout: Record, place: int) -> bool:
    """Return whether a face-down card lies at `place`."""
    return layout.cards[place] != EMPTY and find(layout.open, place) < 0


@rule
def turn_up(layout: Record, place: int) -> None:
    """Turn a card up for all seats to see. Turning a place for the first time makes the turn live (MEM-02, 06)."""
    push(layout.open, place)
    if find(layout.seen, place) < 0:
        push(layout.seen, place)
        layout.live = 1


@rule
def claim(layout: Record, place: int) -> int:
    """Remove and return the card at a place, leaving a gap, and make the turn live (MEM-01)."""
    card = layout.cards[place]
    layout.cards[place] = EMPTY
    layout.live = 1
    return card


@rule
def end_turn(layout: Record) -> None:
    """Turn the open cards face down again, and count the turn (MEM-04, 06)."""
    clear(layout.open)
    count_turn(layout)


@rule
def count_turn(layout: Record) -> None:
    """Count a dead turn, or reset the count after a live one (MEM-06)."""
    if layout.live == 1:
        layout.dead = 0
    else:
        layout.dead += 1
    layout.live = 0


@rule
def break_turn_off(layout: Record) -> None:
    """Turn the open cards face down again without counting the turn (TOUR-05)."""
    clear(layout.open)
    layout.live = 0


@rule
def stall_limit(layout: Record, limit: int) -> int:
    """Return the number of dead turns after which the layout is stalled: by default, twice the cards laid out
    (MEM-07)."""
    return limit if limit > 0 else 2 * int(layout.length)


@rule
def is_stalled(layout: Record, limit: int) -> bool:
    """Return whether the next card turned must be an unseen one (MEM-07). Turning it makes the turn live."""
    return layout.live == 0 and layout.dead >= stall_limit(layout, limit)


@rule
def is_unseen(layout: Record, place: int) -> bool:
    """Return whether the card at `place` has never been turned up."""
    return layout.cards[place] != EMPTY and find(layout.seen, place) < 0


@rule
def alike_place(layout: Record, place: int) -> int:
    """Return the first unseen place for any unseen place, because all of them are equivalent, and `place` itself for
    any other place."""
    if not is_unseen(layout, place):
        return place
    first = 0
    while not is_unseen(layout, first):
        first += 1
    return first


@rule
def unseen_left(layout: Record) -> bool:
    """Return whether any card has never been turned up (MEM-07)."""
    for place in range(layout.length):
        if is_unseen(layout, place):
            return True
    return False


@rule
def write_flips(layout: Record, unseen_only: bool, first_action: int, actions: Record) -> int:
    """Write the actions that turn the cards that may be turned, starting at `first_action`, and return their number
    (MEM-03, 07)."""
    barred = set_of(layout.seen) if unseen_only else set_of(layout.open)
    count = 0
    for place in range(layout.length):
        if layout.cards[place] != EMPTY and not barred >> place & 1:
            actions[count] = first_action + place
            count += 1
    return count


@rule
def remembers(layout: Record, place: int, viewer: int, recall: int) -> bool:
    """Return whether a memory of `recall` percent still holds this place (MEM-05).

    The result is a hash of public numbers, so that it is the same on every call.
    """
    order = find(layout.seen, place)
    if order < 0:
        return False
    mixed = (place * 7919 + order * 104729 + (viewer + 2) * 1299709 + int(layout.seen.cards[0]) * 15485863) % 1009
    return mixed * 100 < recall * 1009


@rule
def conceal_layout(layout: Record, viewer: int, recall: int) -> None:
    """Hide the face-down cards, except for the share of seen cards that a memory of `recall` percent holds (MEM-02,
    05)."""
    for place in range(layout.length):
        if is_down(layout, place) and not remembers(layout, place, viewer, recall):
            layout.cards[place] = UNKNOWN


@rule
def count_unknown(layout: Record) -> int:
    """Return the number of unknown cards."""
    unknown = 0
    for place in range(layout.length):
        if layout.cards[place] == UNKNOWN:
            unknown += 1
    return unknown


@rule
def resample_layout(layout: Record, left: Record, source: Record) -> None:
    """Fill the unknown places at random with the faces counted in `left`, minus those that already lie in the layout
    (MEM-05)."""
    faces = np.empty(CARDS, np.int8)
    for place in range(layout.length):
        take_from(left, layout.cards[place])
    fill(layout.cards, layout.length, faces, shuffle_unseen(left, faces, source))
