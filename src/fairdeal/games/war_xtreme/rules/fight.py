"""WAR X-TREME: the comparison of face-up cards: effective ranks, the special kind that acts, and the seats called to
war.

Sets and tables are packed into integers. A set of seats has bit s for seat s, a set of ranks has bit r for rank r, and
the powers of all seats take five bits for each seat.
"""

from fairdeal.engine.kit.chance import draw
from fairdeal.engine.kit.seats import is_in, lowest_seat, size_of
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.options import MORE_WARS
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_start
from fairdeal.games.war_xtreme.rules.kit.seats import in_ring
from fairdeal.games.war_xtreme.state import IN_PLAY

BITS = 5
"""Number of bits for a rank (0..21) in packed powers."""
ONE_POWER = (1 << BITS) - 1


@rule
def in_clash(state: Record) -> bool:
    """Return whether the face-up cards are recruits of a war, rather than cards turned at a reveal."""
    return state.war_count > 0 and state.wars[0].depth > 0


@rule
def fighters(state: Record) -> int:
    """Return the seats in the fight: the warriors of a clash, or all seats with a face-up card."""
    if in_clash(state):
        return int(state.wars[0].warriors)
    seats = 0
    for seat in range(state.players):
        if state.faces[seat] != EMPTY:
            seats |= 1 << seat
    return seats


@rule
def unique_number(card: int) -> int:
    """Return a card's index among the unique cards of the catalogue, or a negative number for a regular card."""
    return printed.unique_of(printed.kind_of(card))


@rule
def card_kind(state: Record, card: int) -> int:
    """WAR-15: return the kind of a card."""
    return printed.kind_of_card(state.options.catalogue, printed.kind_of(card))


@rule
def card_rank(state: Record, card: int) -> int:
    """WAR-10, 12: return the rank of a card; for a double, the rank of its upper end."""
    unique = unique_number(card)
    if unique >= 0:
        return int(state.options.catalogue.unique_rank[unique])
    if card >= 0:
        return int(state.options.catalogue.face_ranks[2 * (int(card) % printed.FACES)])
    return int(state.options.catalogue.face_ranks[2 * (printed.kind_of(card) % printed.FACES) + 1])


@rule
def kind_at(state: Record, seat: int) -> int:
    """Return the kind of a seat's face-up card (section 7, `kind`). A declared card is a War card."""
    if state.faces[seat] == EMPTY:
        return printed.REGULAR
    return printed.WAR if state.declared[seat] != 0 else card_kind(state, state.faces[seat])


@rule
def is_plain(state: Record, seat: int) -> bool:
    """WAR-80: return whether a seat's face-up card is regular and not declared."""
    return state.faces[seat] != EMPTY and kind_at(state, seat) == printed.REGULAR


@rule
def lasting(state: Record, seat: int, operation: int, when: int) -> int:
    """WAR-79, 80: return the total that cards in play with this operation and time add to a seat's stakes or ranks."""
    tables, total = state.options.catalogue, 0
    for place in range(zone_start(state.equipment, IN_PLAY + seat), state.equipment.ends[IN_PLAY + seat]):
        number = int(state.equipment.cards[place]) - 1
        if tables.equipment_op[number] == operation and tables.equipment_when[number] == when:
            total += int(tables.equipment_amount[number])
    return total


@rule
def effective_rank(state: Record, seat: int) -> int:
    """WAR-14, 80, section 7, `eff`: return the effective rank of a seat's face-up card in this fight."""
    card = state.faces[seat]
    if card == EMPTY:
        return 0
    if state.declared[seat] != 0:
        return printed.WAR_RANK
    if state.called[seat] != 0:
        return int(state.called[seat])
    rank = card_rank(state, card)
    if card_kind(state, card) != printed.REGULAR:
        return rank
    when = printed.AT_RECRUIT if in_clash(state) else printed.AT_FLIP
    return min(max(rank + int(state.mods[seat]) + lasting(state, seat, printed.MOD, when), printed.TWO), printed.ACE)


@rule
def all_powers(state: Record, seats: int) -> int:
    """Return the packed effective ranks of a set of seats."""
    powers = 0
    for seat in range(state.players):
        if is_in(seats, seat):
            powers |= effective_rank(state, seat) << (BITS * seat)
    return powers


@rule
def power_of(powers: int, seat: int) -> int:
    """Return the effective rank of a seat, taken from packed ranks."""
    return powers >> (BITS * seat) & ONE_POWER


@rule
def seats_with(state: Record, seats: int, powers: int, rank: int) -> int:
    """Return the seats of a set that have this effective rank."""
    found = 0
    for seat in range(state.players):
        if is_in(seats, seat) and power_of(powers, seat) == rank:
            found |= 1 << seat
    return found


@rule
def highest_power(state: Record, seats: int, powers: int) -> int:
    best = 0
    for seat in range(state.players):
        if is_in(seats, seat):
            best = max(best, power_of(powers, seat))
    return best


@rule
def lowest_power(state: Record, seats: int, powers: int) -> int:
    best = ONE_POWER
    for seat in range(state.players):
        if is_in(seats, seat):
            best = min(best, power_of(powers, seat))
    return best


@rule
def tied_ranks(state: Record, seats: int, powers: int) -> int:
    """WAR-35: return the set of ranks shared by two or more of these seats."""
    once, twice = 0, 0
    for seat in range(state.players):
        if is_in(seats, seat):
            rank = 1 << power_of(powers, seat)
            twice |= once & rank
            once |= rank
    return twice


@rule
def kinds_present(state: Record, seats: int) -> int:
    """Return the set of kinds of these seats' face-up cards."""
    kinds = 0
    for seat in range(state.players):
        if is_in(seats, seat):
            kinds |= 1 << kind_at(state, seat)
    return kinds


@rule
def seats_of_kind(state: Record, seats: int, kind: int) -> int:
    """Return the seats of a set that have a face-up card of this kind."""
    found = 0
    for seat in range(state.players):
        if is_in(seats, seat) and state.faces[seat] != EMPTY and kind_at(state, seat) == kind:
            found |= 1 << seat
    return found


@rule
def acting_kind(kinds: int) -> int:
    """WAR-15: return the strongest of Tax, Win, Speed and War among `kinds`, or REGULAR."""
    for kind in range(printed.TAX, printed.WAR - 1, -1):
        if kinds >> kind & 1:
            return kind
    return printed.REGULAR


# --- Wild --------------------------------------------------------------------------------------------------------


@rule
def callable_ranks(state: Record, seats: int) -> int:
    """WAR-26: return the set of ranks that a Wild may be called: 16, and the ranks of other regular cards in the
    fight."""
    ranks = 1 << printed.WILD_RANK
    for seat in range(state.players):
        if is_in(seats, seat) and is_plain(state, seat):
            ranks |= 1 << effective_rank(state, seat)
    return ranks


@rule
def wild_may_call(state: Record, seats: int) -> bool:
    """WAR-26: return whether the only Wild may still be called a number, which requires that no stronger kind is in the
    fight."""
    kinds = kinds_present(state, seats)
    if kinds >> printed.WILD & 1 == 0 or kinds >> printed.JOKER != 0:
        return False
    owners = seats_of_kind(state, seats, printed.WILD)
    if size_of(owners) != 1 or state.called[lowest_seat(owners)] != 0:
        return False
    return callable_ranks(state, seats) != 1 << printed.WILD_RANK


# --- Speed -------------------------------------------------------------------------------------------------------


@rule
def printed_actions(state: Record, seats: int) -> int:
    """WAR-18: return the set of action numbers printed on the Speed cards of the fight."""
    actions = 0
    for seat in range(state.players):
        if is_in(seats, seat) and state.faces[seat] != EMPTY and kind_at(state, seat) == printed.SPEED:
            actions |= 1 << int(state.options.catalogue.unique_action[unique_number(state.faces[seat])])
    return actions


# --- War cards ---------------------------------------------------------------------------------------------------


@rule
def source_of(state: Record, seat: int) -> int:
    """WAR-24: return the source of the stakes in the war of a seat's War card."""
    if state.declared[seat] != 0:
        return printed.FROM_ARMY
    return int(state.options.catalogue.unique_source[unique_number(state.faces[seat])])


@rule
def named_by(state: Record, owner: int, others: int, powers: int) -> int:
    """WAR-21, 80: return the opponents that a War card names among the seats that have no War card."""
    if state.declared[owner] != 0:
        return others & (1 << (int(state.declared[owner]) - 1))
    target = state.options.catalogue.unique_target[unique_number(state.faces[owner])]
    if target == printed.ALL or others == 0:
        return others
    if target == printed.HIGH:
        return seats_with(state, others, powers, highest_power(state, others, powers))
    return seats_with(state, others, powers, lowest_power(state, others, powers))


@rule
def wars_beside(state: Record, others: int, powers: int) -> int:
    """WAR-22, 23: return the size of a layout outside its main war: 16 for each war plus 1 for each warrior."""
    tied, size = tied_ranks(state, others, powers), 0
    for seat in range(state.players):
        if is_in(others, seat) and tied >> power_of(powers, seat) & 1:
            size += 1
    return size + 16 * size_of(tied)


@rule
def layout_size(state: Record, owners: int, named: int, others: int, powers: int) -> int:
    """WAR-23: return the size of a layout, in which wars weigh more than warriors."""
    if in_clash(state):
        return size_of(owners | named)
    return size_of(owners | named) + wars_beside(state, others & ~named, powers)


@rule
def choose_war_card(state: Record, seats: int, powers: int) -> int:
    """WAR-21 to 23, section 7, `layout`: return the owner of the War card whose layout is played."""
    owners = seats_of_kind(state, seats, printed.WAR)
    if owners & (owners - 1) == 0:
        return lowest_seat(owners)
    others, kept, best = seats & ~owners, owners, 0
    if state.options.war_conflict == MORE_WARS:
        for owner in range(state.players):
            if is_in(owners, owner):
                size = layout_size(state, owners, named_by(state, owner, others, powers), others, powers)
                if size > best:
                    best, kept = size, 0
                if size == best:
                    kept |= 1 << owner
    first = in_ring(state, kept, 0)
    if layouts_differ(state, kept, first, others, powers):
        return in_ring(state, kept, draw(state.chance, size_of(kept)))
    return first


@rule
def layouts_differ(state: Record, kept: int, first: int, others: int, powers: int) -> bool:
    """WAR-23: return whether these War cards name different warriors or different sources of stakes."""
    named, source = named_by(state, first, others, powers), source_of(state, first)
    for owner in range(state.players):
        if is_in(kept, owner) and source_of(state, owner) != source:
            return True
        if is_in(kept, owner) and named_by(state, owner, others, powers) != named:
            return True
    return False


@rule
def top_warriors(state: Record, seats: int, powers: int) -> int:
    """WAR-37, 38, 41: return the seats with the highest recruit. If all hands are empty, return a random seat."""
    best = highest_power(state, seats, powers)
    if best == 0:
        return 1 << in_ring(state, seats, draw(state.chance, size_of(seats)))
    return seats_with(state, seats, powers, best)


@rule
def forget_fight(state: Record) -> None:
    """WAR-80: clear the modifiers, declarations and called numbers at the end of a fight."""
    for seat in range(state.players):
        state.mods[seat] = 0
        state.declared[seat] = 0
        state.called[seat] = 0
