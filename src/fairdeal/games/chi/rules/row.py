"""The row, the deck and the discard pile of CHI and Chaos Ninjas. Clause ids refer to docs/rules/chi.md, part 1.

In both games, the first twelve kinds of cards are the ones that attack (Yin or Attackers), one for each colour.
"""

from fairdeal.engine.kit.piles import pop, shuffle, spread
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.state import ROW

AT_ONCE, WHEN_NEEDED = 0, 1
"""CHI-50: the times at which the discard pile can become the deck: as soon as the deck is empty, or when a card is
needed."""


@rule
def reshuffle(state: Record) -> None:
    """CHI-50: shuffle the discard pile and make it the deck."""
    state.deck.length = spread(state.discard, state.deck.cards)
    for kind in range(len(state.discard)):
        state.discard[kind] = 0
    shuffle(state.deck, state.chance)


@rule
def draw_card(state: Record) -> int:
    """CHI-46, 50, 51: remove and return the top card of the deck, or EMPTY if both piles are empty."""
    if state.deck.length == 0:
        reshuffle(state)
    if state.deck.length == 0:
        return EMPTY
    card = pop(state.deck)
    if state.deck.length == 0 and state.options.reshuffle == AT_ONCE:
        reshuffle(state)
    return card


@rule
def lay_row(state: Record) -> None:
    """CHI-03: lay out the first row from the deck."""
    for place in range(ROW):
        state.row[place] = EMPTY
    fill_row(state)


@rule
def fill_row(state: Record) -> None:
    """CHI-20, 51: refill the empty places from left to right, and then flush the row if necessary."""
    filled = False
    for place in range(ROW):
        if state.row[place] == EMPTY:
            state.row[place] = draw_card(state)
            filled |= state.row[place] != EMPTY
    if filled:
        flush_row(state)


@rule
def take_from_row(state: Record, place: int) -> int:
    """CHI-20, 52: remove and return a card of the row, and refill its place immediately."""
    card = state.row[place]
    state.row[place] = draw_card(state)
    flush_row(state)
    return card


@rule
def flush_row(state: Record) -> None:
    """CHI-52, 53: discard the row and deal a new one, as long as all its cards attack."""
    while is_all_attack(state) and has_other_than_attack(state):
        for place in range(ROW):
            state.discard[state.row[place]] += 1
            state.row[place] = EMPTY
        for place in range(ROW):
            state.row[place] = draw_card(state)


@rule
def has_gap(state: Record) -> bool:
    """CHI-51: return whether any place of the row is empty."""
    for place in range(ROW):
        if state.row[place] == EMPTY:
            return True
    return False


@rule
def attacks(card: int) -> bool:
    """Return whether a card is a Yin or an Attacker."""
    return 0 <= card < COLOURS


@rule
def is_all_attack(state: Record) -> bool:
    for place in range(ROW):
        if not attacks(state.row[place]):
            return False
    return True


@rule
def has_other_than_attack(state: Record) -> bool:
    """CHI-53: return whether a pile holds a card that does not attack, so that flushing the row can end."""
    for kind in range(COLOURS, len(state.discard)):
        if state.discard[kind] > 0:
            return True
    for i in range(state.deck.length):
        if not attacks(state.deck.cards[i]):
            return True
    return False


# Each id is written before its legality is known and counts only if it is legal, which avoids mispredicted branches.


@rule
def legal_draws(state: Record, actions: Record) -> int:
    """CHI-20: write a draw for every card of the row and return their number."""
    count = 0
    for place in range(ROW):
        actions[count] = place
        count += state.row[place] != EMPTY
    return count


@rule
def legal_from(hand: Record, allowed: int, first_id: int, actions: Record, count: int) -> int:
    """Append an action id, `first_id` + kind, for each kind in a hand that is in the bit set `allowed`.

    Ids are written starting at index `count`. Return the new number of actions.
    """
    previous = -1
    for place in range(hand.length):
        card = int(hand.cards[place])
        actions[count] = first_id + card
        count += (card != previous) & ((allowed >> card) & 1)
        previous = card
    return count


@rule
def copies(hand: Record, card: int) -> int:
    """Return the number of cards of a kind in a hand."""
    count = 0
    for place in range(hand.length):
        count += hand.cards[place] == card
    return count
