"""WAR X-TREME: resolving a reveal: a winner, a race, wars and bystanders (WAR-15 to 32, WAR-50 to 54)."""

from fairdeal.engine.kit.seats import act_alone, is_in, lowest_seat
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size, table_to_camp, table_to_pot, take_top
from fairdeal.games.war_xtreme.rules.kit.seats import ask_all, ring_seat
from fairdeal.games.war_xtreme.rules.regroup import is_short, regroup
from fairdeal.games.war_xtreme.rules.taxes import centre_to_tax, put_on_tax, shuffle_tax

PRICE = 2
"""WAR-51: price of buying into a war, in cards."""


@rule
def resolve_reveal(state: Record) -> None:
    """Resolve a reveal (section 7, `resolve_reveal`): the strongest special kind acts, or else ranks are compared."""
    seats = fight.fighters(state)
    if seats == 0:
        end_fight(state)
        return
    kinds = fight.kinds_present(state, seats)
    acting = fight.acting_kind(kinds)
    if acting == printed.TAX:
        tax_takes_all(state)
    elif seats & (seats - 1) == 0:
        award_reveal(state, lowest_seat(seats), False)
    elif acting == printed.WIN:
        win_reveal(state, fight.seats_of_kind(state, seats, printed.WIN), printed.WIN_RANK)
    elif acting == printed.SPEED:
        open_race(state, seats)
    elif acting == printed.WAR:
        call_to_war(state, seats)
    elif kinds >> printed.WILD & 1 and fight.wild_may_call(state, seats):
        act_alone(state, xtreme.CALLING, lowest_seat(fight.seats_of_kind(state, seats, printed.WILD)))
    else:
        compare(state, seats)


@rule
def tax_takes_all(state: Record) -> None:
    """WAR-16: move all cards of the reveal to the tax pile."""
    for seat in range(state.players):
        if state.faces[seat] != EMPTY:
            put_on_tax(state, state.faces[seat])
            state.faces[seat] = EMPTY
    centre_to_tax(state, int(state.centre.length))
    end_fight(state)


@rule
def end_fight(state: Record) -> None:
    """End the reveal without a sweep and continue with the next war, or with the end of the round."""
    fight.forget_fight(state)
    state.phase = xtreme.NEXT_WAR


@rule
def win_reveal(state: Record, owners: int, rank: int) -> None:
    """WAR-17, 19: give all cards to a single owner, or start a war between several owners.

    In a war, the cards of the other seats are spoils.
    """
    if owners & (owners - 1) == 0:
        award_reveal(state, lowest_seat(owners), False)
        return
    add_war(state, rank, owners)
    for seat in range(state.players):
        table_to_pot(state, seat, xtreme.POT_UP)
    end_fight(state)


@rule
def compare(state: Record, seats: int) -> None:
    """WAR-31, 35, 50: compare the ranks. Ties start wars, the highest first; without a tie, the highest card takes all
    cards."""
    powers = fight.all_powers(state, seats)
    tied = fight.tied_ranks(state, seats, powers)
    if tied == 0:
        best = fight.highest_power(state, seats, powers)
        award_reveal(state, lowest_seat(fight.seats_with(state, seats, powers, best)), True)
        return
    add_tied_wars(state, seats, powers, tied)
    place_bystanders(state, seats, powers)


@rule
def add_tied_wars(state: Record, seats: int, powers: int, tied: int) -> None:
    """WAR-50: add a war for each tied rank, in decreasing order."""
    for rank in range(printed.TAX_RANK, 0, -1):
        if tied >> rank & 1:
            add_war(state, rank, fight.seats_with(state, seats, powers, rank))


@rule
def add_war(state: Record, rank: int, warriors: int) -> None:
    """Add a war of this round after the higher-ranked ones."""
    war = state.wars[state.war_count]
    war.rank = rank
    war.depth = 0
    war.source = printed.FROM_ARMY
    war.warriors = warriors
    war.borrowing = 0
    state.war_count += 1


@rule
def call_to_war(state: Record, seats: int) -> None:
    """WAR-21 to 24: start the war of the War card, and the wars of ties among the other seats."""
    powers = fight.all_powers(state, seats)
    owners = fight.seats_of_kind(state, seats, printed.WAR)
    chosen = fight.choose_war_card(state, seats, powers)
    main = owners | fight.named_by(state, chosen, seats & ~owners, powers)
    add_war(state, printed.WAR_RANK, main)
    state.wars[0].source = fight.source_of(state, chosen)
    others = seats & ~main
    add_tied_wars(state, others, powers, fight.tied_ranks(state, others, powers))
    place_bystanders(state, seats, powers)


# --- the prize ---------------------------------------------------------------------------------------------------


@rule
def award_reveal(state: Record, winner: int, by_rank: bool) -> None:
    """WAR-31, 32: move all cards of the reveal to the winner's camp."""
    card = state.faces[winner]
    earn(state, winner, 0, card if by_rank else EMPTY)
    for seat in range(state.players):
        table_to_camp(state, seat, winner)
    fight.forget_fight(state)
    sweep(state, winner)


@rule
def earn(state: Record, seat: int, depth: int, card: int) -> None:
    """WAR-25, 42: record the equipment earned by winning an n-fold war, or by a Joker that won by its rank."""
    number = depth
    if card != EMPTY and fight.card_kind(state, card) == printed.JOKER:
        number += int(state.options.catalogue.unique_draw[fight.unique_number(card)])
    if depth > 0:
        state.seats[seat].wars_won += 1
    if number > 0:
        state.earned.seats[state.earned.length] = seat
        state.earned.numbers[state.earned.length] = number
        state.earned.length += 1


@rule
def sweep(state: Record, winner: int) -> None:
    """WAR-32: ask the winner to sweep, or continue immediately with `auto_sweep`."""
    state.swept = winner + 1
    if state.options.auto_sweep == 1:
        state.phase = xtreme.NEXT_WAR
    else:
        act_alone(state, xtreme.SWEEPING, winner)


# --- Speed -------------------------------------------------------------------------------------------------------


@rule
def open_race(state: Record, seats: int) -> None:
    """WAR-18, 19: open a race for all seats in the fight."""
    state.locked = 0
    ask_all(state, xtreme.RACE, seats)


# --- bystanders --------------------------------------------------------------------------------------------------


@rule
def all_warriors(state: Record) -> int:
    """Return the warriors of all wars of the round."""
    seats = 0
    for number in range(state.war_count):
        seats |= int(state.wars[number].warriors)
    return seats


@rule
def place_bystanders(state: Record, seats: int, powers: int) -> None:
    """WAR-51 to 54: ask bystanders whose cards are above a war for their choice. Cards below all wars are spoils."""
    bystanders, asked = seats & ~all_warriors(state), 0
    for seat in range(state.players):
        if is_in(bystanders, seat):
            if fight.power_of(powers, seat) < state.wars[int(state.war_count) - 1].rank:
                state.choices[seat] = xtreme.IS_SPOILS
            elif deck_size(state.decks[seat]) < PRICE:
                state.choices[seat] = xtreme.FLEES
            else:
                state.choices[seat] = xtreme.UNANSWERED
                asked |= 1 << seat
    if asked == 0:
        close_choices(state)
    else:
        ask_all(state, xtreme.CHOICE, asked)


@rule
def may_buy_into(state: Record, seat: int, number: int) -> bool:
    """WAR-51, 53, 54: return whether a war is ranked below the seat's card."""
    return state.wars[number].rank < fight.effective_rank(state, seat)


@rule
def choose(state: Record, player: int, choice: int) -> None:
    """WAR-54: store a bystander's secret choice, and close the choices when all bystanders have chosen."""
    state.choices[player] = choice
    state.to_act &= ~(1 << player)
    if state.to_act == 0:
        close_choices(state)


@rule
def close_choices(state: Record) -> None:
    """WAR-53: turn the card of each seat that flees from below a war into spoils, and end the fight."""
    for seat in range(state.players):
        if state.choices[seat] == xtreme.FLEES and fight.effective_rank(state, seat) < state.wars[0].rank:
            state.choices[seat] = xtreme.IS_SPOILS
    fight.forget_fight(state)
    state.phase = xtreme.JOINING


@rule
def carry_out_choices(state: Record) -> None:
    """WAR-51 to 54, section 7: carry out the choices of bystanders in ring order."""
    for number in range(state.players):
        seat = ring_seat(state, number)
        choice = int(state.choices[seat])
        if choice == xtreme.IS_SPOILS:
            table_to_pot(state, seat, xtreme.POT_UP)
        elif choice == xtreme.FLEES:
            table_to_camp(state, seat, seat)
        elif choice >= xtreme.BUYS:
            if is_short(state, seat, PRICE) and regroup(state, seat, xtreme.FOR_PRICE):
                return
            pay_price(state, seat)
            state.wars[choice - xtreme.BUYS].warriors |= 1 << seat
        state.choices[seat] = xtreme.UNANSWERED
    for number in range(state.war_count):
        for seat in range(state.players):
            if is_in(state.wars[number].warriors, seat):
                table_to_pot(state, seat, number * xtreme.POT + xtreme.POT_UP)
    end_fight(state)


@rule
def pay_price(state: Record, seat: int) -> None:
    """WAR-51, 54: shuffle the top two cards of the army into the tax pile without revealing them."""
    for _ in range(PRICE):
        put_on_tax(state, take_top(state.decks[seat]))
    shuffle_tax(state)
