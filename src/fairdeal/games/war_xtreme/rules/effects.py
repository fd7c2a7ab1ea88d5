"""WAR X-TREME: the effects of equipment, by primitive (WAR-80, 81), and the windows for playing it (WAR-76)."""

from fairdeal.engine.kit.seats import act_alone, is_in, size_of
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.rules import aiming
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.rules.kit import equipment as kit
from fairdeal.games.war_xtreme.rules.kit.piles import (
    pick_from_camp,
    put_in_camp,
    put_in_centre,
    table_to_camp,
    take_top,
)
from fairdeal.games.war_xtreme.rules.kit.seats import left_of
from fairdeal.games.war_xtreme.rules.taxes import put_on_tax, shuffle_tax, take_tax

# --- windows -----------------------------------------------------------------------------------------------------


@rule
def open_window(state: Record, phase: int) -> None:
    """WAR-75, 76, section 7, `window`: open a window, asking the living seats in ring order, starting with the
    marshal."""
    if not aiming.equipment_allowed(state):
        close_window(state, phase)
        return
    state.passes = 0
    marshal = int(state.marshal)
    ask_next(state, phase, marshal if is_in(state.alive, marshal) else left_of(state, marshal))


@rule
def ask_next(state: Record, phase: int, seat: int) -> None:
    """WAR-76: ask the first seat, starting at `seat`, that can play a card. Close the window after a round of
    passes."""
    living = size_of(int(state.alive))
    state.phase = phase
    while state.passes < living:
        if aiming.can_play_equipment(state, seat):
            act_alone(state, phase, seat)
            return
        state.passes += 1
        seat = left_of(state, seat)
    close_window(state, phase)


@rule
def close_window(state: Record, phase: int) -> None:
    """Close a window and set the phase that follows (section 6)."""
    state.passes = 0
    state.phase = xtreme.PICKING if phase == xtreme.BRACE else xtreme.RESOLVING


@rule
def answer_window(state: Record, player: int, action: int) -> None:
    """WAR-76: play a seat's card or pass, and then ask the next seat."""
    if action == xtreme.PASS:
        state.passes += 1
    else:
        play_equipment(state, player, action)
        state.passes = 0
    ask_next(state, state.phase, left_of(state, player))


# --- playing a card ----------------------------------------------------------------------------------------------


@rule
def equipment_of_action(action: int) -> int:
    """Return the number of the equipment that an `equip` action plays."""
    return (action - xtreme.EQUIP) // xtreme.TARGETS + 1


@rule
def target_of_action(action: int) -> int:
    """Return the target of an `equip` action: 0 for no target, or else 1 + a seat or 1 + the index of a slot."""
    return (action - xtreme.EQUIP) % xtreme.TARGETS


@rule
def play_equipment(state: Record, player: int, action: int) -> None:
    """WAR-74, 81, section 7, `play`: play a piece of equipment.

    A ward blocks it. Otherwise, the piece stays in play, or takes effect and goes to junk. Only a must-play-now card
    may be played without an effect.
    """
    number, target = equipment_of_action(action), target_of_action(action)
    kind, zone = state.options.catalogue.equipment_kind[number - 1], xtreme.IN_HAND + player
    place = kit.find_equipment(state.equipment, zone, number)
    if is_warded(state, number, target):
        kit.to_junk(state.equipment, zone, place)
    elif kind == printed.CONTINUOUS:
        kit.put_in_play(state.equipment, zone, place, player)
    elif kind == printed.CURSE:
        kit.put_in_play(state.equipment, zone, place, target - 1)
    else:
        if aiming.is_aim(state, player, number, target) and aiming.has_effect(state, player, number, target):
            act_out(state, player, number, target)
        kit.to_junk(state.equipment, zone, kit.find_equipment(state.equipment, zone, number))


@rule
def is_warded(state: Record, number: int, target: int) -> bool:
    """WAR-81: use up a ward in front of the targeted rival, if there is one. Return whether there was one."""
    tables = state.options.catalogue
    if tables.equipment_target[number - 1] != printed.AT_RIVAL or target == 0:
        return False
    zone = xtreme.IN_PLAY + target - 1
    start = kit.zone_start(state.equipment, zone)
    for place in range(kit.zone_size(state.equipment, zone)):
        if tables.equipment_op[int(state.equipment.cards[start + place]) - 1] == printed.WARD:
            kit.to_junk(state.equipment, zone, place)
            return True
    return False


@rule
def act_out(state: Record, player: int, number: int, target: int) -> None:
    """WAR-80: carry out the effect of a card that does not stay in play. A targeted rival is seat `target` - 1."""
    tables = state.options.catalogue
    operation, amount = tables.equipment_op[number - 1], int(tables.equipment_amount[number - 1])
    if operation == printed.MOD:
        state.mods[target - 1 if tables.equipment_to[number - 1] == printed.TARGET else player] += amount
    elif operation == printed.REDRAW:
        redraw(state, player)
    elif operation == printed.PEEK:
        peek(state, player, target - 1, amount)
    elif operation == printed.MOVE:
        move_cards(state, player, number, target - 1)
    elif operation == printed.WITHDRAW:
        withdraw(state, player)
    elif operation == printed.DECLARE:
        state.declared[player] = target
    elif operation == printed.SCRAP:
        kit.to_junk(state.equipment, xtreme.IN_PLAY + target - 1, aiming.newest_to_scrap(state, player, target - 1))
    elif operation == printed.PASS_CAMPS:
        pass_camps(state)
    elif operation == printed.DRAW:
        for _ in range(amount):
            kit.draw_equipment(state, player)


# --- the primitives ----------------------------------------------------------------------------------------------


@rule
def redraw(state: Record, player: int) -> None:
    """WAR-76, 80: replace the face-up card with the army's top card. The old card stays on the table or in the pot."""
    put_in_centre(state, xtreme.POT_UP if in_clash(state) else xtreme.ON_TABLE + player, state.faces[player])
    state.faces[player] = take_top(state.decks[player])
    state.turned[player] = state.faces[player]
    state.mods[player] = 0
    state.declared[player] = 0


@rule
def peek(state: Record, player: int, slot: int, number: int) -> None:
    """WAR-80: peek at `number` recruits from `slot` on. Empty slots are skipped, and slot 1 follows slot 8."""
    for _ in range(xtreme.SLOTS):
        if number > 0 and state.slots[slot] != EMPTY:
            state.seats[player].seen |= 1 << slot
            number -= 1
        slot += 1
        if slot == xtreme.SLOTS:
            slot = 0


@rule
def lose_card(state: Record, seat: int) -> int:
    """WAR-80: remove and return a card for a `move`: a random camp card, or else the army's top card unless it is the
    last one, or else EMPTY."""
    if not aiming.could_lose_a_card(state, seat):
        return EMPTY
    if state.decks[seat].camp > 0:
        return pick_from_camp(state, state.decks[seat])
    return take_top(state.decks[seat])


@rule
def move_cards(state: Record, player: int, number: int, target: int) -> None:
    """WAR-80: move the cards of a `move` one by one, until the source runs out."""
    tables = state.options.catalogue
    source, goal = tables.equipment_from[number - 1], tables.equipment_to[number - 1]
    receiver = player
    for _ in range(tables.equipment_amount[number - 1]):
        if source == printed.SELF:
            card = lose_card(state, player)
        elif source == printed.TARGET:
            card = lose_card(state, target)
        else:
            card = take_tax(state)
        if card == EMPTY:
            break
        if goal == printed.SELF:
            put_in_camp(state.decks[player], card)
        elif goal == printed.TARGET:
            put_in_camp(state.decks[target], card)
        elif goal == printed.OTHERS:
            receiver = left_of(state, receiver)
            if receiver == player:
                receiver = left_of(state, receiver)
            put_in_camp(state.decks[receiver], card)
        else:
            put_on_tax(state, card)
            shuffle_tax(state)


@rule
def withdraw(state: Record, player: int) -> None:
    """WAR-77, 80: move a seat's table cards to its camp, and cancel the declarations against it."""
    table_to_camp(state, player, player)
    state.mods[player] = 0
    state.declared[player] = 0
    for seat in range(state.players):
        if state.declared[seat] == player + 1:
            state.declared[seat] = 0


@rule
def pass_camps(state: Record) -> None:
    """WAR-80: pass all camps to the left at the same time, by swapping one camp with each of the others in turn."""
    first = left_of(state, int(state.marshal))
    seat = left_of(state, first)
    while seat != first:
        swap_camps(state.decks[first], state.decks[seat])
        seat = left_of(state, seat)


@rule
def swap_camps(one: Record, other: Record) -> None:
    """Swap the camps of two decks."""
    size = int(max(one.camp, other.camp))
    for place in range(xtreme.CARDS - size, xtreme.CARDS):
        card = one.cards[place]
        one.cards[place] = other.cards[place]
        other.cards[place] = card
    size = int(one.camp)
    one.camp = other.camp
    other.camp = size
