"""CHIMAX BOOKS: the deal and the legal actions. Clause ids refer to docs/rules/chimax.md, section 1."""

from fairdeal.engine.kit.piles import clear
from fairdeal.engine.kit.seats import is_in, seat_after
from fairdeal.engine.kit.sets import set_of, write_set
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record, rule
from fairdeal.games.chimax.books.rules.book import begin_book, clear_taken, lowest_slot, step
from fairdeal.games.chimax.books.rules.events import end_time, expose, write_exposures
from fairdeal.games.chimax.books.rules.rounds import clear_round, questions_of
from fairdeal.games.chimax.books.state import DECLARING, EXPOSE, FACE, SLOT, SLOTS, TOP, TOP_ONLY
from fairdeal.games.chimax.deck import EACH
from fairdeal.games.chimax.rules.layer import layer_actions, layer_step
from fairdeal.games.chimax.rules.playoff import write_declarations
from fairdeal.games.chimax.rules.tournament import draw_dealer, ready_to_deal, set_table, write_returns
from fairdeal.games.chimax.rules.trick import begin_first_trick
from fairdeal.games.chimax.state import CLOCK, DEALING, DECLARE, OWN_PHASE

# --- set-up ------------------------------------------------------------------------------------------------------


@rule
def deal(state: Record) -> None:
    """Choose the dealer and deal. The seat to the dealer's left leads the first Book (GEN-12, BOOKS-08)."""
    set_table(state, 1)
    set_customs(state)
    draw_dealer(state)
    state.book.leader = seat_after(state, state.dealer)
    shuffle_and_deal(state)


@rule
def set_customs(state: Record) -> None:
    """Copy the options for playing a Book into its record."""
    state.book.scope = state.options.declare_scope
    state.book.takes_book = state.options.actual_card
    state.book.simultaneous = state.options.reveal
    state.book.peek = state.options.peek


@rule
def shuffle_and_deal(state: Record) -> None:
    """Begin the next round: shuffle, and deal unless a player has to cut first (GEN-15)."""
    if state.pack.length == 0:
        clear_round(state)
        clear_taken(state)
        begin_first_trick(state.book, state.book.leader)
    if ready_to_deal(state, EACH, questions_of(state)):
        deal_round(state)


@rule
def deal_round(state: Record) -> None:
    """Deal single cards, starting at the dealer's left. The last card dealt to a hand is in slot 1, its top (BOOKS-02,
    04, 05)."""
    size = int(state.pack.length) // int(state.players)
    seat = int(state.dealer)
    for dealt in range(size * int(state.players)):
        seat = seat_after(state, seat)
        state.hands[seat].cards[size - 1 - dealt // int(state.players)] = state.pack.cards[dealt]
    for seat in range(state.players):
        state.hands[seat].length = size
        state.hands[seat].left = size
    clear(state.pack)
    begin_book(state, state.book.leader)


# --- actions -----------------------------------------------------------------------------------------------------


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player in ascending order, and return their number."""
    if player == HOUSE or state.phase < OWN_PHASE:
        count = layer_actions(state, player, actions)
        return write_exposures(state, actions, count) if state.phase >= OWN_PHASE else count
    if not is_in(state.to_act, player):
        return 0
    if state.phase == DECLARING:
        return write_declarations(state, player, actions)
    return plays(state, player, actions)


@rule
def plays(state: Record, player: int, actions: Record) -> int:
    """Write the legal plays, and return their number (BOOKS-06, 07). They are the top card, any slot of an unseen hand,
    or any face of a hand that its owner sees."""
    hand, count = state.hands[player], 0
    if state.options.pick == TOP_ONLY:
        actions[0] = TOP
        return 1
    if state.options.peek == 0:
        for slot in range(hand.length):
            actions[count] = SLOT + slot
            count += hand.cards[slot] != EMPTY
        return count
    return write_set(set_of(hand), FACE, actions, 0)


@rule
def apply(state: Record, player: int, action: int) -> None:
    """Apply a legal action."""
    if state.phase == DEALING:
        shuffle_and_deal(state)
    elif state.phase < OWN_PHASE:
        clear_taken(state)
        layer_step(state, player, action)
    elif action >= EXPOSE:
        expose(state, (action - EXPOSE) // SLOTS, (action - EXPOSE) % SLOTS)
    elif action == CLOCK:
        end_time(state)
    else:
        step(state, player, action - DECLARE if state.phase == DECLARING else slot_of(state, player, action))


@rule
def slot_of(state: Record, player: int, action: int) -> int:
    """Return the slot that an action plays."""
    if action == TOP:
        return lowest_slot(state, player, NOBODY)
    return action - SLOT if action < FACE else lowest_slot(state, player, action - FACE)


@rule
def returns(state: Record, out: Record) -> None:
    """Write the final scores into `out`: the totals, with ties broken by a playoff (BOOKS-28)."""
    write_returns(state, out)
