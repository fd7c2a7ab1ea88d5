"""WAR X-TREME: the equipment that a seat may play now, and its legal targets (WAR-73 to 75, 80, 83)."""

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.rules.fight import in_clash, is_plain
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_size, zone_start
from fairdeal.games.war_xtreme.rules.taxes import tax_owed
from fairdeal.games.war_xtreme.state import BRACE, CLASH, EQUIP, IN_HAND, IN_PLAY, PREP, REACT, SLOTS, TARGETS


@rule
def equipment_allowed(state: Record) -> bool:
    """WAR-73: return whether equipment may be played, which it never may at a table without equipment or in the first
    round."""
    return state.options.equipment == 1 and state.round_no > 1


@rule
def window_of(phase: int) -> int:
    """WAR-75: return the bit of `equipment_windows` for a phase, or 0 if the phase is not a window."""
    if phase == PREP:
        return printed.IN_PREP
    if phase == REACT:
        return printed.IN_REACT
    if phase == BRACE:
        return printed.IN_BRACE
    return printed.IN_CLASH if phase == CLASH else 0


@rule
def fits_window(state: Record, number: int) -> bool:
    """WAR-75: return whether a piece of equipment may be played in the current window."""
    return int(state.options.catalogue.equipment_windows[number - 1]) & window_of(state.phase) != 0


@rule
def is_must(state: Record, number: int) -> bool:
    return state.options.catalogue.equipment_kind[number - 1] == printed.MUST


@rule
def could_lose_a_card(state: Record, seat: int) -> bool:
    """WAR-80: return whether a `move` can take a card from a seat. The last card of an army cannot be taken."""
    return state.decks[seat].camp > 0 or state.decks[seat].army > 1


@rule
def tax_could_pay(state: Record) -> bool:
    """WAR-66, 80: return whether the tax pile has a card, or a levy would produce one."""
    if state.tax.length > 0:
        return True
    for seat in range(state.players):
        if is_in(state.alive, seat) and tax_owed(state, seat) > 0:
            return True
    return False


@rule
def newest_to_scrap(state: Record, player: int, seat: int) -> int:
    """WAR-80: return the index of the card that `scrap` would remove: the player's own newest curse, or a rival's
    newest continuous card. Return -1 if there is none."""
    wanted, start = printed.CURSE if seat == player else printed.CONTINUOUS, zone_start(state.equipment, IN_PLAY + seat)
    for place in range(zone_size(state.equipment, IN_PLAY + seat) - 1, -1, -1):
        number = int(state.equipment.cards[start + place])
        if state.options.catalogue.equipment_kind[number - 1] == wanted:
            return place
    return -1


@rule
def is_aim(state: Record, player: int, number: int, target: int) -> bool:
    """WAR-80: return whether a target is of the kind that the card needs.

    `target` is encoded as in the actions: 0 for no target, or else 1 + a seat or 1 + the index of a slot.
    """
    wanted = state.options.catalogue.equipment_target[number - 1]
    if wanted == printed.AT_NOTHING or target == 0:
        return wanted == printed.AT_NOTHING and target == 0
    if wanted in (printed.AT_RIVAL, printed.AT_SEAT):
        return is_in(state.alive, target - 1) and (wanted == printed.AT_SEAT or target - 1 != player)
    return state.slots[target - 1] != EMPTY


@rule
def can_move(state: Record, player: int, number: int, target: int) -> bool:
    """WAR-80: return whether a `move` could move at least one card."""
    source = state.options.catalogue.equipment_from[number - 1]
    if source == printed.SELF:
        return could_lose_a_card(state, player)
    if source == printed.TARGET:
        return could_lose_a_card(state, target - 1)
    return tax_could_pay(state)


@rule
def has_effect(state: Record, player: int, number: int, target: int) -> bool:
    """WAR-80: return whether a card would have an effect on a target."""
    tables = state.options.catalogue
    operation = tables.equipment_op[number - 1]
    if operation == printed.MOD:
        if tables.equipment_when[number - 1] != printed.NOW:
            return True
        return is_plain(state, target - 1 if tables.equipment_to[number - 1] == printed.TARGET else player)
    if operation == printed.REDRAW:
        return state.faces[player] != EMPTY and state.decks[player].army > 0
    if operation == printed.WITHDRAW:
        return state.faces[player] != EMPTY and not in_clash(state)
    if operation == printed.DECLARE:
        return is_plain(state, player) and target - 1 != player and state.faces[target - 1] != EMPTY
    if operation == printed.SCRAP:
        return newest_to_scrap(state, player, target - 1) >= 0
    if operation == printed.MOVE:
        return can_move(state, player, number, target)
    return True


@rule
def has_aim(state: Record, player: int, number: int) -> bool:
    """Return whether a card has a target of the right kind."""
    for target in range(TARGETS):
        if is_aim(state, player, number, target):
            return True
    return False


@rule
def may_aim(state: Record, player: int, number: int, target: int) -> bool:
    """WAR-80: return whether a target is legal.

    A must-play-now card may be played without an effect, with target 0 if there is no target.
    """
    if is_must(state, number):
        return is_aim(state, player, number, target) or (target == 0 and not has_aim(state, player, number))
    return is_aim(state, player, number, target) and has_effect(state, player, number, target)


@rule
def most_targets(state: Record, number: int) -> int:
    """Return the highest number of a target that can be legal for a card."""
    wanted = state.options.catalogue.equipment_target[number - 1]
    if wanted == printed.AT_NOTHING:
        return 0
    return int(state.players) if wanted in (printed.AT_RIVAL, printed.AT_SEAT) else SLOTS


@rule
def can_play_equipment(state: Record, player: int) -> bool:
    """WAR-76: return whether a seat has a card that it may play in this window."""
    before = 0
    for place in range(zone_start(state.equipment, IN_HAND + player), state.equipment.ends[IN_HAND + player]):
        number = int(state.equipment.cards[place])
        if number != before and fits_window(state, number):
            for target in range(most_targets(state, number) + 1):
                if may_aim(state, player, number, target):
                    return True
        before = number
    return False


@rule
def write_equipment(state: Record, player: int, only_must: bool, actions: Record, count: int) -> int:
    """WAR-74 to 87: append a seat's legal `equip` actions at index `count`, and return the new number of actions."""
    before = 0
    for place in range(zone_start(state.equipment, IN_HAND + player), state.equipment.ends[IN_HAND + player]):
        number = int(state.equipment.cards[place])
        if number != before and fits_window(state, number) and (not only_must or is_must(state, number)):
            for target in range(most_targets(state, number) + 1):
                if may_aim(state, player, number, target):
                    actions[count] = EQUIP + TARGETS * (number - 1) + target
                    count += 1
        before = number
    return count
