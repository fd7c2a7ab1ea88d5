"""WAR X-TREME: preparation, before the cards turn: hiding and catching, disputes and shadow wars (WAR-73, 83 to 90)."""

import numpy as np

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.kit.seats import act_alone, size_of
from fairdeal.engine.kit.sets import write_set
from fairdeal.engine.records import NOBODY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.tables import CARDS_OF_A_SET, SPEED, TAX, TURNED, WAR, WIN
from fairdeal.games.war_xtreme.options import CATCH_THEM, ENDS_GAME, ENFORCED
from fairdeal.games.war_xtreme.rules.aiming import could_lose_a_card, equipment_allowed, is_must, write_equipment
from fairdeal.games.war_xtreme.rules.effects import play_equipment
from fairdeal.games.war_xtreme.rules.fight import card_kind, card_rank
from fairdeal.games.war_xtreme.rules.finish import best_deck_after, finish, leave
from fairdeal.games.war_xtreme.rules.kit.equipment import equipment_at, move_in_order, zone_size
from fairdeal.games.war_xtreme.rules.kit.piles import is_double, pick_from_camp, put_in_camp, take_from_camp, take_top
from fairdeal.games.war_xtreme.rules.kit.seats import ask_all
from fairdeal.games.war_xtreme.rules.kit.sets import numbered_card, sets_in_play
from fairdeal.games.war_xtreme.rules.taxes import put_on_tax, shuffle_tax

BOUT = 4
"""WAR-90: number of shadow cards of each side in a bout, of which the last ones are compared."""


@rule
def open_preparation(state: Record) -> None:
    """Open the preparation (section 6): no seat has flipped, accused or challenged yet."""
    state.flipped = 0
    for seat in range(xtreme.SEATS):
        state.seats[seat].said = 0
    go_on_preparing(state)


@rule
def go_on_preparing(state: Record) -> None:
    """WAR-30: ask every living seat that has not flipped. Turn the cards when all seats have flipped."""
    waiting = int(state.alive) & ~int(state.flipped)
    if waiting == 0:
        state.phase = xtreme.TURNING
    else:
        ask_all(state, xtreme.PREP, waiting)


@rule
def due_card(state: Record, player: int) -> int:
    """WAR-83: return the index in hand of a must-play-now card that is due, or NOBODY."""
    if equipment_allowed(state):
        for place in range(zone_size(state.equipment, xtreme.IN_HAND + player)):
            if is_must(state, equipment_at(state.equipment, xtreme.IN_HAND + player, place)):
                return place
    return NOBODY


@rule
def write_preparation(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions in PREP (section 6; WAR-86, 87, 89) and return their number."""
    if state.options.must_play == ENFORCED and due_card(state, player) != NOBODY:
        return write_equipment(state, player, True, actions, 0)
    actions[0] = xtreme.FLIP
    count = 1
    said = int(state.seats[player].said)
    others = int(state.alive) & ~(1 << player)
    if equipment_allowed(state) and state.options.must_play == CATCH_THEM and said & xtreme.SAID_CATCH == 0:
        count = write_set(others, xtreme.CATCH, actions, count)
    if state.options.dispute == 1 and said & xtreme.SAID_DISPUTE == 0:
        count = write_set(others, xtreme.DISPUTE, actions, count)
    if equipment_allowed(state):
        count = write_equipment(state, player, False, actions, count)
    return count


@rule
def prepare(state: Record, player: int, action: int) -> None:
    """Carry out an action of a seat in PREP (section 7, `prep`)."""
    if action == xtreme.FLIP:
        hide_due_cards(state, player)
        state.flipped |= 1 << player
    elif action >= xtreme.EQUIP:
        play_equipment(state, player, action)
    elif action >= xtreme.DISPUTE:
        state.seats[player].said |= xtreme.SAID_DISPUTE
        state.challenger = player
        act_alone(state, xtreme.DISPUTING, action - xtreme.DISPUTE)
        return
    else:
        state.seats[player].said |= xtreme.SAID_CATCH
        catch(state, player, action - xtreme.CATCH)
        if state.over:
            return
    go_on_preparing(state)


# --- cheaters ----------------------------------------------------------------------------------------------------


@rule
def hide_due_cards(state: Record, player: int) -> None:
    """WAR-84: hide the due cards of a seat that flips without having played them."""
    place = due_card(state, player)
    while place != NOBODY:
        move_in_order(state.equipment, xtreme.IN_HAND + player, place, xtreme.HIDDEN + player)
        place = due_card(state, player)


@rule
def catch(state: Record, accuser: int, accused: int) -> None:
    """WAR-85, 86: carry out an accusation. A cheater loses the game, and a false accusation costs cards."""
    if zone_size(state.equipment, xtreme.HIDDEN + accused) == 0:
        pay_for_false_catch(state, accuser, accused)
        return
    state.caught |= 1 << accused
    if state.options.caught == ENDS_GAME:
        finish(state, 1 << best_deck_after(state, accused))
        return
    throw_out(state, accused)
    if size_of(int(state.alive)) == 1:
        finish(state, int(state.alive))


@rule
def throw_out(state: Record, seat: int) -> None:
    """WAR-85, `caught = out`: eliminate a seat, shuffling its deck into the tax pile."""
    deck = state.decks[seat]
    while deck.army > 0:
        put_on_tax(state, take_top(deck))
    while deck.camp > 0:
        put_on_tax(state, take_from_camp(deck, 0))
    shuffle_tax(state)
    leave(state, seat)


@rule
def pay_for_false_catch(state: Record, accuser: int, accused: int) -> None:
    """WAR-86, section 7, `pay`: pay for a false accusation, from the top of the army, then at random from the camp."""
    deck = state.decks[accuser]
    for _ in range(state.options.false_catch):
        if not could_lose_a_card(state, accuser):
            return
        card = take_top(deck) if deck.army > 1 else pick_from_camp(state, deck)
        put_in_camp(state.decks[accused], card)


# --- disputes ----------------------------------------------------------------------------------------------------


@rule
def answer_dispute(state: Record, player: int, action: int) -> None:
    """WAR-89: carry out the answer to a challenge, then continue the preparation."""
    if action == xtreme.YES:
        winner = shadow_war(state, int(state.challenger), player)
        if winner != NOBODY:
            state.seats[winner].brag += 1
    state.challenger = 0
    go_on_preparing(state)


@rule
def shadow_war(state: Record, challenger: int, other: int) -> int:
    """WAR-90: play bouts with a new copy of all cards of the game. Return the seat that may brag, or NOBODY.

    Of the eight cards of a bout, only the two that are compared are drawn, because the others have no effect.
    """
    sets = sets_in_play(state)
    cards = CARDS_OF_A_SET * size_of(sets)
    drawn = np.empty(xtreme.CARDS, np.int64)
    for bout in range(cards // (2 * BOUT)):
        one = shadow_card(state, sets, cards, drawn, 2 * bout)
        two = shadow_card(state, sets, cards, drawn, 2 * bout + 1)
        kinds = 1 << card_kind(state, one) | 1 << card_kind(state, two)
        if kinds >> TAX & 1:
            return NOBODY
        if not is_new_bout(kinds, card_rank(state, one) - card_rank(state, two)):
            return challenger if card_rank(state, one) > card_rank(state, two) else other
    return challenger if draw(state.chance, 2) == 0 else other


@rule
def shadow_card(state: Record, sets: int, cards: int, drawn: Record, count: int) -> int:
    """WAR-90: draw a random card of the game that is not among the first `count` cards in `drawn`, with a random end
    up."""
    number, before = draw(state.chance, cards), 0
    while before < count:
        if drawn[before] == number:
            number, before = draw(state.chance, cards), 0
        else:
            before += 1
    drawn[count] = number
    kind = numbered_card(state, sets, number)
    if is_double(state, kind) and draw(state.chance, 2) == 1:
        return TURNED - kind
    return kind


@rule
def is_new_bout(kinds: int, difference: int) -> bool:
    """WAR-90: return whether another bout is needed, because the ranks are equal or there is a War card without a Speed
    or Win card."""
    return difference == 0 or (kinds >> WAR & 1 == 1 and kinds & (1 << SPEED | 1 << WIN) == 0)
