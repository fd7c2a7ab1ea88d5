"""WAR X-TREME: the end of a round and of the game (WAR-33, WAR-85, 87, WAR-92 to 95)."""

from fairdeal.engine.kit.seats import is_in, size_of
from fairdeal.engine.records import Record, rule
from fairdeal.games.war_xtreme.rules.kit.equipment import draw_equipment, scrap_all, zone_size
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.rules.kit.seats import left_of, ring_seat
from fairdeal.games.war_xtreme.rules.kit.sets import was_dealt_in
from fairdeal.games.war_xtreme.rules.taxes import refill
from fairdeal.games.war_xtreme.state import HIDDEN, OPENING, OVER

# WAR-95: base values of placings, from the top: winners; living seats, plus the size of the deck; other seats, plus the
# round in which they went out; caught seats; seats that were not dealt in.
WINNERS, LIVING, OTHERS, CAUGHT, NOT_DEALT_IN = 1 << 41, 1 << 40, 1, 1, 0


@rule
def end_round(state: Record) -> None:
    """WAR-33, section 7, `end_round`: end the round, and the game if a condition for its end is met."""
    gone = retire_the_empty(state)
    living = size_of(int(state.alive))
    if living < 2:
        finish(state, int(state.alive) if living == 1 else gone)
        return
    refill(state)
    draw_earned(state)
    if state.options.max_rounds > 0 and state.round_no >= state.options.max_rounds:
        finish(state, biggest_decks(state))
        return
    state.round_no += 1
    state.marshal = left_of(state, int(state.marshal))
    state.phase = OPENING


@rule
def retire_the_empty(state: Record) -> int:
    """WAR-02, 33: eliminate the living seats that have no cards, and return them."""
    gone = 0
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(state.alive, seat) and deck_size(state.decks[seat]) == 0:
            gone |= 1 << seat
            leave(state, seat)
    return gone


@rule
def leave(state: Record, seat: int) -> None:
    """WAR-02, 33: eliminate a seat and move its equipment to junk."""
    state.alive &= ~(1 << seat)
    state.flipped &= ~(1 << seat)
    state.seats[seat].out_round = state.round_no
    scrap_all(state.equipment, seat)


@rule
def draw_earned(state: Record) -> None:
    """WAR-33, 42: let living seats draw the equipment that they earned, in the order in which the pots were swept."""
    for place in range(state.earned.length):
        seat = state.earned.seats[place]
        if is_in(state.alive, seat):
            for _ in range(state.earned.numbers[place]):
                if not draw_equipment(state, seat):
                    break
    forget_earned(state)


@rule
def forget_earned(state: Record) -> None:
    for place in range(state.earned.length):
        state.earned.seats[place] = 0
        state.earned.numbers[place] = 0
    state.earned.length = 0


@rule
def biggest_decks(state: Record) -> int:
    """WAR-94: return the living seats with the biggest deck. Ties are broken by the number of wars won."""
    best, decks, wars = 0, -1, -1
    for seat in range(state.players):
        if is_in(state.alive, seat):
            size, won = deck_size(state.decks[seat]), int(state.seats[seat].wars_won)
            if size > decks or (size == decks and won > wars):
                best, decks, wars = 0, size, won
            if size == decks and won == wars:
                best |= 1 << seat
    return best


@rule
def best_deck_after(state: Record, caught: int) -> int:
    """WAR-85: return the other living seat with the biggest deck, or the nearest one clockwise if several tie."""
    best, seat = left_of(state, caught), left_of(state, caught)
    while seat != caught:
        if deck_size(state.decks[seat]) > deck_size(state.decks[best]):
            best = seat
        seat = left_of(state, seat)
    return best


# --- placings ----------------------------------------------------------------------------------------------------


@rule
def height(state: Record, seat: int) -> int:
    """WAR-95: return the sort value of a seat for its place. Higher is better, and equal values share a place."""
    if is_in(state.winners, seat):
        return WINNERS
    if is_in(state.caught, seat):
        return CAUGHT
    if is_in(state.alive, seat):
        return LIVING + deck_size(state.decks[seat])
    if was_dealt_in(state, seat):
        return OTHERS + int(state.seats[seat].out_round)
    return NOT_DEALT_IN


@rule
def places_below(state: Record, seat: int) -> int:
    """Return the number of seats placed below a seat, which is its score."""
    below = 0
    for other in range(state.players):
        if height(state, other) < height(state, seat):
            below += 1
    return below


# --- the end -----------------------------------------------------------------------------------------------------


@rule
def finish(state: Record, winners: int) -> None:
    """WAR-92 to 94: end the game. A final inspection may replace the winners."""
    state.winners = winners
    if state.options.final_inspection == 1:
        inspect(state)
    forget_earned(state)
    state.phase = OVER
    state.turn = 0
    state.flipped = 0
    state.to_act = 0
    state.over = 1


@rule
def hides_a_card(state: Record, seat: int) -> bool:
    return zone_size(state.equipment, HIDDEN + seat) > 0


@rule
def inspect(state: Record) -> None:
    """WAR-87: catch would-be winners who hide a card, and let the next place win, unless all places are tainted."""
    looked_at = 0
    while True:
        best, placing = CAUGHT, 0
        for seat in range(state.players):
            if not is_in(looked_at | int(state.caught), seat) and height(state, seat) >= best:
                if height(state, seat) > best:
                    best, placing = height(state, seat), 0
                placing |= 1 << seat
        if best == CAUGHT:
            return
        clean = 0
        for seat in range(state.players):
            if is_in(placing, seat) and not hides_a_card(state, seat):
                clean |= 1 << seat
        looked_at |= placing
        if clean != 0:
            state.caught |= looked_at & ~clean
            state.winners = clean
            return
