"""WAR X-TREME: a war and its steps: stakes, recruits and clash (WAR-35 to 48)."""

from fairdeal.engine.kit.seats import act_alone, is_in, lowest_seat, size_of
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.effects import open_window
from fairdeal.games.war_xtreme.rules.kit import piles
from fairdeal.games.war_xtreme.rules.kit.seats import ring_seat
from fairdeal.games.war_xtreme.rules.regroup import is_short, regroup
from fairdeal.games.war_xtreme.rules.reveal import earn, end_fight, open_race, sweep
from fairdeal.games.war_xtreme.rules.taxes import centre_to_tax, empty_slot, filled_slots, refill, take_tax

STAKES = 3
"""WAR-36, 44: number of stakes in a step, and number up to which a warrior with fewer cards borrows."""


@rule
def next_war(state: Record) -> None:
    """WAR-50: begin the highest-ranked remaining war, or end the round."""
    if state.war_count == 0:
        state.phase = xtreme.ENDING
    else:
        begin_step(state)


@rule
def begin_step(state: Record) -> None:
    """WAR-36, 42: begin another step of the war."""
    state.wars[0].depth += 1
    state.picked = 0
    fight.forget_fight(state)
    state.phase = xtreme.STAKING


# --- stakes ------------------------------------------------------------------------------------------------------


@rule
def stake_goal(state: Record, seat: int) -> int:
    """WAR-36, 80: return the number of stakes that a seat has to lay, including `stake` effects."""
    return STAKES + fight.lasting(state, seat, printed.STAKE, printed.NOW)


@rule
def lay_stakes(state: Record) -> None:
    """WAR-36, 44, 47, 60: regroup the warriors who have too few cards, and then lay all stakes, in ring order."""
    war = state.wars[0]
    staking = int(war.warriors) & ~int(war.borrowing)
    if war.source == printed.FROM_ARMY:
        for number in range(state.players):
            seat = ring_seat(state, number)
            short = is_in(staking, seat) and is_short(state, seat, stake_goal(state, seat))
            if short and regroup(state, seat, xtreme.FOR_STAKES):
                return
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(staking, seat):
            lay_own_stakes(state, seat)
    war.source = printed.FROM_ARMY
    open_window(state, xtreme.BRACE)


@rule
def lay_own_stakes(state: Record, seat: int) -> None:
    """WAR-24, 44: lay a seat's stakes, after Rise Up first from its camp, and borrow the missing cards."""
    war, deck, goal, laid = state.wars[0], state.decks[seat], stake_goal(state, seat), 0
    if war.source == printed.FROM_CAMP:
        while laid < goal and deck.camp > 0:
            piles.put_in_centre(state, seat, piles.pick_from_camp(state, deck))
            laid += 1
    while laid < goal and deck.army > 0:
        lay_stake(state, seat, piles.take_top(deck))
        laid += 1
    while laid < goal and deck.camp > 0:
        piles.put_in_centre(state, seat, piles.pick_from_camp(state, deck))
        laid += 1
    if laid < STAKES:
        war.borrowing |= 1 << seat
        borrow(state, seat, STAKES - laid)


@rule
def lay_stake(state: Record, seat: int, card: int) -> None:
    """Put a stake into the pot, face down, so that neither end of a double counts as up."""
    piles.put_in_centre(state, seat, printed.kind_of(card))


@rule
def borrow(state: Record, seat: int, cards: int) -> None:
    """WAR-44, 48: lay up to `cards` cards from the tax pile as stakes."""
    for _ in range(cards):
        card = take_tax(state)
        if card == EMPTY:
            return
        lay_stake(state, seat, card)


# --- recruits ----------------------------------------------------------------------------------------------------


@rule
def pick_recruits(state: Record) -> None:
    """WAR-36, 40, 41: ask warriors, in ring order, to pick a slot. If all slots are empty, warriors use their own
    cards."""
    warriors = int(state.wars[0].warriors)
    if state.picked == 0 and filled_slots(state) < size_of(warriors):
        refill(state)
    for number in range(state.players):
        seat = ring_seat(state, number)
        if is_in(warriors & ~int(state.picked), seat):
            if filled_slots(state) > 0:
                act_alone(state, xtreme.RECRUITING, seat)
                return
            recruit_own_card(state, seat)
    for seat in range(state.players):
        if is_in(warriors, seat):
            state.turned[seat] = state.faces[seat]
    open_window(state, xtreme.CLASH)


@rule
def recruit_own_card(state: Record, seat: int) -> None:
    """WAR-41: use the army's top card as the recruit, or else a random camp card, or else leave the hand empty."""
    deck = state.decks[seat]
    if deck.army > 0:
        state.faces[seat] = piles.take_top(deck)
    elif deck.camp > 0:
        state.faces[seat] = piles.pick_from_camp(state, deck)
    state.picked |= 1 << seat


@rule
def recruit(state: Record, player: int, action: int) -> None:
    """WAR-36: take the recruit from the chosen slot. It stays hidden until all warriors have picked."""
    state.faces[player] = empty_slot(state, action - xtreme.RECRUIT)
    state.picked |= 1 << player
    state.phase = xtreme.PICKING


# --- clash -------------------------------------------------------------------------------------------------------


@rule
def resolve_clash(state: Record) -> None:
    """WAR-37 to 39, section 7: resolve a clash: the strongest special kind acts, or else the highest recruit wins."""
    warriors = fight.fighters(state)
    kinds = fight.kinds_present(state, warriors)
    acting = fight.acting_kind(kinds)
    if acting == printed.TAX:
        tax_takes_war(state)
    elif acting == printed.WIN:
        settle(state, fight.seats_of_kind(state, warriors, printed.WIN), False)
    elif acting == printed.SPEED:
        open_race(state, warriors)
    elif acting == printed.WAR:
        fight_on_by_war_card(state, warriors)
    elif kinds >> printed.WILD & 1 and fight.wild_may_call(state, warriors):
        act_alone(state, xtreme.CALLING, lowest_seat(fight.seats_of_kind(state, warriors, printed.WILD)))
    else:
        settle(state, fight.top_warriors(state, warriors, fight.all_powers(state, warriors)), True)


@rule
def fight_on_by_war_card(state: Record, warriors: int) -> None:
    """WAR-21, 22, 24: continue the war with the owners of War cards and the seats they name."""
    powers = fight.all_powers(state, warriors)
    owners = fight.seats_of_kind(state, warriors, printed.WAR)
    chosen = fight.choose_war_card(state, warriors, powers)
    state.wars[0].source = fight.source_of(state, chosen)
    settle(state, owners | fight.named_by(state, chosen, warriors & ~owners, powers), False)


@rule
def settle(state: Record, left: int, by_rank: bool) -> None:
    """WAR-37, 38: give the war to the only remaining warrior, or begin another step if several remain."""
    if left & (left - 1) == 0:
        win_war(state, lowest_seat(left), by_rank)
        return
    recruits_to_pot(state)
    state.wars[0].warriors = left
    begin_step(state)


@rule
def recruits_to_pot(state: Record) -> None:
    """Move the recruits of this step into the pot, face up."""
    for seat in range(state.players):
        if state.faces[seat] != EMPTY:
            piles.put_in_centre(state, xtreme.POT_UP, state.faces[seat])
            state.faces[seat] = EMPTY


@rule
def win_war(state: Record, winner: int, by_rank: bool) -> None:
    """WAR-37, 42, 45: give the winner the pot, and the decks of borrowers who lost."""
    war = state.wars[0]
    earn(state, winner, int(war.depth), state.faces[winner] if by_rank else EMPTY)
    recruits_to_pot(state)
    piles.pot_to_camp(state, winner, piles.pot_size(state))
    for seat in range(state.players):
        if is_in(war.borrowing, seat) and seat != winner:
            give_up_deck(state, seat, winner)
    end_war(state)
    sweep(state, winner)


@rule
def give_up_deck(state: Record, loser: int, winner: int) -> None:
    """WAR-45: move the whole deck of a borrower who lost to the winner's camp."""
    deck = state.decks[loser]
    while deck.army > 0:
        piles.put_in_camp(state.decks[winner], piles.take_top(deck))
    while deck.camp > 0:
        piles.put_in_camp(state.decks[winner], piles.take_from_camp(deck, 0))


@rule
def tax_takes_war(state: Record) -> None:
    """WAR-16, 42, 45: move the pot to the tax pile. The war has neither a winner nor losers."""
    recruits_to_pot(state)
    state.swept = 0
    centre_to_tax(state, piles.pot_size(state))
    end_war(state)
    end_fight(state)


@rule
def end_war(state: Record) -> None:
    """Remove the finished war and renumber the pots of the others."""
    fight.forget_fight(state)
    state.picked = 0
    for place in range(state.centre.length):
        if state.centre.tags[place] < xtreme.ON_TABLE:
            state.centre.tags[place] -= xtreme.POT
    state.war_count -= 1
    for number in range(state.war_count):
        copy_war(state.wars[number], state.wars[number + 1])
    clear_war(state.wars[state.war_count])


@rule
def copy_war(war: Record, other: Record) -> None:
    war.rank = other.rank
    war.depth = other.depth
    war.source = other.source
    war.warriors = other.warriors
    war.borrowing = other.borrowing


@rule
def clear_war(war: Record) -> None:
    war.rank = 0
    war.depth = 0
    war.source = printed.FROM_ARMY
    war.warriors = 0
    war.borrowing = 0
