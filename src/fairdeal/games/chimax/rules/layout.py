"""CHIMAX: layouts of face-down cards, and the end of a game of which nobody wants the rest (MEM-01 to MEM-08)."""

import numpy as np

from fairdeal.engine.kit.hidden import fill, shuffle_unseen
from fairdeal.engine.kit.piles import clear, find, push
from fairdeal.engine.kit.sets import set_of
from fairdeal.engine.records import EMPTY, UNKNOWN, Record, rule
from fairdeal.games.chimax.deck import CARDS
from fairdeal.games.chimax.rules.unseen import take_from


@rule
def lay_out(layout: Record, pack: Record) -> None:
    """MEM-01: the cards of a pack, face down; what lay there is gathered."""
    for place in range(len(layout.cards)):
        layout.cards[place] = pack.cards[place] if place < pack.length else 0
    layout.length = pack.length
    clear(layout.open)
    clear(layout.seen)
    layout.dead = 0
    layout.live = 0


@rule
def is_down(layout: Record, place: int) -> bool:
    """Does a face-down card lie there?"""
    return layout.cards[place] != EMPTY and find(layout.open, place) < 0


@rule
def turn_up(layout: Record, place: int) -> None:
    """MEM-02, 06: all see this card until it is turned back; a place never turned before is news."""
    push(layout.open, place)
    if find(layout.seen, place) < 0:
        push(layout.seen, place)
        layout.live = 1


@rule
def claim(layout: Record, place: int) -> int:
    """MEM-01: take a card; its place stays as a gap. Taking one is news."""
    card = layout.cards[place]
    layout.cards[place] = EMPTY
    layout.live = 1
    return card


@rule
def end_turn(layout: Record) -> None:
    """MEM-04, 06: what was turned goes back, and a turn that brought nothing is counted."""
    clear(layout.open)
    count_turn(layout)


@rule
def count_turn(layout: Record) -> None:
    """MEM-06: a turn that brought nothing is counted; any other ends the count."""
    if layout.live == 1:
        layout.dead = 0
    else:
        layout.dead += 1
    layout.live = 0


@rule
def break_turn_off(layout: Record) -> None:
    """TOUR-05: what was turned goes back; the turn does not count."""
    clear(layout.open)
    layout.live = 0


@rule
def stall_limit(layout: Record, limit: int) -> int:
    """MEM-07: so many turns without news; by default twice the cards laid out."""
    return limit if limit > 0 else 2 * int(layout.length)


@rule
def is_stalled(layout: Record, limit: int) -> bool:
    """MEM-07: must the next card be one never seen? Once it is turned, the turn has brought news."""
    return layout.live == 0 and layout.dead >= stall_limit(layout, limit)


@rule
def is_unseen(layout: Record, place: int) -> bool:
    """A face-down card that was never turned."""
    return layout.cards[place] != EMPTY and find(layout.seen, place) < 0


@rule
def alike_place(layout: Record, place: int) -> int:
    """Of the cards that nobody has seen any is as good as another: the first of them, or the card itself."""
    if not is_unseen(layout, place):
        return place
    first = 0
    while not is_unseen(layout, first):
        first += 1
    return first


@rule
def unseen_left(layout: Record) -> bool:
    """MEM-07: is there a card that was never turned?"""
    for place in range(layout.length):
        if is_unseen(layout, place):
            return True
    return False


@rule
def write_flips(layout: Record, unseen_only: bool, first_action: int, actions: Record) -> int:
    """MEM-03, 07: the cards that may be turned, as actions from `first_action` on."""
    barred = set_of(layout.seen) if unseen_only else set_of(layout.open)
    count = 0
    for place in range(layout.length):
        if layout.cards[place] != EMPTY and not barred >> place & 1:
            actions[count] = first_action + place
            count += 1
    return count


@rule
def remembers(layout: Record, place: int, viewer: int, recall: int) -> bool:
    """MEM-05: does a memory of so many percent still hold this place?

    What is forgotten is decided by a mix of numbers that all may know, so that it is the same whenever it is asked.
    """
    order = find(layout.seen, place)
    if order < 0:
        return False
    mixed = (place * 7919 + order * 104729 + (viewer + 2) * 1299709 + int(layout.seen.cards[0]) * 15485863) % 1009
    return mixed * 100 < recall * 1009


@rule
def conceal_layout(layout: Record, viewer: int, recall: int) -> None:
    """MEM-02, 05: face-down cards are seen by nobody; `recall` is the share of seen ones that a memory holds."""
    for place in range(layout.length):
        if is_down(layout, place) and not remembers(layout, place, viewer, recall):
            layout.cards[place] = UNKNOWN


@rule
def count_unknown(layout: Record) -> int:
    """How many cards are not known."""
    unknown = 0
    for place in range(layout.length):
        if layout.cards[place] == UNKNOWN:
            unknown += 1
    return unknown


@rule
def resample_layout(layout: Record, left: Record, source: Record) -> None:
    """MEM-05: any spread over the unknown places of those faces, of the counts given, that do not lie there already."""
    faces = np.empty(CARDS, np.int8)
    for place in range(layout.length):
        take_from(left, layout.cards[place])
    fill(layout.cards, layout.length, faces, shuffle_unseen(left, faces, source))
