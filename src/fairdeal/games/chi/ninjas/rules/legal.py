"""Chaos Ninjas: the legal actions. Clause ids refer to docs/rules/chi.md."""

from fairdeal.engine.kit.piles import find
from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.sets import write_set
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi.colours import ALL_COLOURS, COLOURS
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.rules.row import legal_draws, legal_from


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player in ascending order, and return their number."""
    if state.over or not (state.to_act >> player) & 1:
        return 0
    if state.composing:
        return legal_attackers(state, player, actions)
    if state.phase == ninjas.ACT:
        return legal_turn(state, player, actions)
    if state.phase == ninjas.DUEL:
        return legal_answers(state, player, actions)
    if state.phase == ninjas.DECOYING:
        actions[0] = ninjas.SKIP
        actions[1] = ninjas.USE_DECOY
        return 2
    if state.phase == ninjas.STRIKING:
        count = legal_targets(state, player, actions, 0)
        actions[count] = ninjas.SKIP
        return count + 1
    if state.phase == ninjas.ROBBING:
        return legal_robberies(state, player, actions)
    if state.phase == ninjas.TAKING:
        return legal_from_discard(state, actions)
    return legal_from(state.hands[player], ninjas.ALL_KINDS, ninjas.CARD, actions, 0)


@rule
def legal_turn(state: Record, player: int, actions: Record) -> int:
    """NINJA-04, 05, 20, CHI-13: write the actions of a turn, and return their number.

    They are draws, Defenders, Spirits and attacks, or `none` if no other action is possible. The last card of a hand
    may be played.
    """
    count = legal_draws(state, actions)
    hand = state.hands[player]
    count = legal_from(hand, ninjas.DEFENDERS, ninjas.PLAY - ninjas.DEFENDER, actions, count)
    if state.options.spirit == ninjas.GUARDIAN:
        actions[count] = ninjas.PLAY + ninjas.SPIRIT_IN_PLAY
        count += holds_spirit(hand)
    count = legal_targets(state, player, actions, count)
    if count == 0:
        actions[0] = ninjas.NO_ACTION
        count = 1
    return count


@rule
def legal_answers(state: Record, player: int, actions: Record) -> int:
    """CHI-41, 45, NINJA-04, 12: write the responses to an attack, and return their number.

    They are a Counter, if the player has one, and always `pass`.
    """
    actions[0] = ninjas.ANSWER
    count = int(find(state.hands[player], ninjas.COUNTER) >= 0)
    actions[count] = ninjas.PASS
    return count + 1


@rule
def legal_robberies(state: Record, player: int, actions: Record) -> int:
    """NINJA-34: write the opponents with more cards in hand, clockwise, and return their number."""
    count = 0
    for number in range(int(state.players) - 1):
        actions[count] = ninjas.ROB + number
        count += state.hands[rival(state, player, number)].length > state.hands[player].length
    return count


@rule
def legal_from_discard(state: Record, actions: Record) -> int:
    """NINJA-39: write `skip` and the actions that take a Defender from the discard pile, and return their number."""
    actions[0] = ninjas.SKIP
    count = 1
    for kind in range(ninjas.DEFENDER, ninjas.COUNTER):
        actions[count] = ninjas.CARD + kind
        count += state.discard[kind] > 0
    return count


# --- attacks ----------------------------------------------------------------------------------------------------
#
# Cards in play are numbered by colour, with 12 for Spirits (`state.IN_PLAY`); sets of them are bit sets.


@rule
def kind_in_play(number: int) -> int:
    """Return the kind of a card from its number in play, which counts only Defenders and Spirits."""
    return ninjas.DEFENDER + number + (number == ninjas.SPIRIT_IN_PLAY)


@rule
def number_in_play(kind: int) -> int:
    """Return the number in play of a Defender or a Spirit, which counts only these kinds."""
    return min(kind - ninjas.DEFENDER, ninjas.SPIRIT_IN_PLAY)


@rule
def has_ability(state: Record, player: int, defender: int) -> bool:
    """NINJA-30: return whether a player has a Defender of this kind in play and the table uses abilities."""
    return state.options.abilities == 1 and find(state.areas[player], defender) >= 0


@rule
def holds_spirit(hand: Record) -> bool:
    """Return whether a hand has a Spirit, which would be its last card."""
    return hand.length > 0 and hand.cards[int(hand.length) - 1] == ninjas.SPIRIT


@rule
def attackers_in(hand: Record) -> int:
    """Return a bit set of the colours of the Attackers in a hand. A colour of which there are two has another bit,
    COLOURS places higher."""
    colours = 0
    for place in range(hand.length):
        if hand.cards[place] >= COLOURS:
            break
        if hand.cards[place] >= 0:
            bit = 1 << int(hand.cards[place])
            colours |= bit | ((colours & bit) << COLOURS)
    return colours


@rule
def walls(state: Record) -> int:
    """NINJA-20, 40: return the cards in play that match no colour: Spirits, and Walls if the table uses abilities."""
    return (1 << ninjas.SPIRIT_IN_PLAY) | (int(state.options.abilities) << ninjas.WALL_IN_PLAY)


@rule
def cards_in_play(state: Record, player: int) -> int:
    """NINJA-07: return a player's cards in play that can be attacked. Stacks of two are safe."""
    area, cards, safe = state.areas[player], 0, 0
    for place in range(area.length):
        bit = 1 << number_in_play(int(area.cards[place]))
        safe |= cards & bit
        cards |= bit
    if state.options.same_colour == ninjas.STACK:
        cards &= ~(safe & ALL_COLOURS)
    return cards


@rule
def open_to_pairs(state: Record, defender: int) -> int:
    """NINJA-35: return the cards that can be attacked with two cards: only the Shieldbearer, if there is one."""
    if has_ability(state, defender, ninjas.SHIELD):
        return 1 << ninjas.SHIELD_IN_PLAY
    return (1 << ninjas.IN_PLAY) - 1


@rule
def reach_of(state: Record, hand: Record) -> tuple[int, int]:
    """NINJA-10, 11, 20: return the cards in play that a single card of a hand matches, and a set that is empty if no
    two cards of the hand can attack together."""
    found = attackers_in(hand)
    colours, twice = found & ALL_COLOURS, found >> COLOURS
    pairs = twice
    if state.options.pair_attack != ninjas.SAME_COLOUR:
        pairs |= colours & (colours - 1)
    if state.options.spirit == ninjas.WILD and holds_spirit(hand):
        colours = ALL_COLOURS
    return colours & ~walls(state), pairs


@rule
def targets_at(state: Record, seat: int, matched: int, pairs: int) -> int:
    """NINJA-10, 35: return the cards of a seat that a hand can attack, given the two sets that `reach_of` returns."""
    targets = matched
    if pairs != 0:
        targets |= open_to_pairs(state, seat)
    return targets & cards_in_play(state, seat)


@rule
def legal_targets(state: Record, player: int, actions: Record, count: int) -> int:
    """NINJA-10, 11, 20, 35, 40: append the opponents' cards that the hand can attack, clockwise.

    Actions are written starting at index `count`. Return the new number of actions.
    """
    matched, pairs = reach_of(state, state.hands[player])
    if matched == 0 and pairs == 0:
        return count
    for number in range(int(state.players) - 1):
        targets = targets_at(state, rival(state, player, number), matched, pairs)
        count = write_set(targets, ninjas.TARGET + ninjas.IN_PLAY * number, actions, count)
    return count


@rule
def has_target(state: Record, player: int) -> bool:
    """NINJA-31: return whether the hand can attack any card."""
    matched, pairs = reach_of(state, state.hands[player])
    for number in range(int(state.players) - 1):
        if targets_at(state, rival(state, player, number), matched, pairs) != 0:
            return True
    return False


@rule
def bit_number(bit: int) -> int:
    """Return the index of the highest bit of a set."""
    number = 0
    while bit > 1:
        bit >>= 1
        number += 1
    return number


@rule
def target_seat(state: Record, player: int, target: int) -> int:
    """Return the seat of a target."""
    return rival(state, player, target // ninjas.IN_PLAY)


@rule
def pairing(state: Record, player: int, target: int, attackers: int) -> int:
    """NINJA-10, 11, 35, 40: return those of `attackers` that can attack a target together with another one.

    The result is encoded as by `attackers_in`.
    """
    card = target % ninjas.IN_PLAY
    if not open_to_pairs(state, target_seat(state, player, target)) >> card & 1:
        return 0
    if walls(state) >> card & 1:
        return attackers
    return attackers & ~((1 << card) | (1 << (card + COLOURS)))


@rule
def firsts_of(state: Record, usable: int) -> int:
    """NINJA-11: return a bit set of the colours that can be the lower-numbered of two Attackers."""
    firsts = usable >> COLOURS
    if state.options.pair_attack != ninjas.SAME_COLOUR:
        colours = usable & ALL_COLOURS
        firsts |= colours & ~highest_bit(colours)
    return firsts


@rule
def seconds_of(state: Record, usable: int, first: int) -> int:
    """NINJA-11: return a bit set of the colours that the second of two Attackers can have, given the first."""
    seconds = (usable >> COLOURS) & (1 << first)
    if state.options.pair_attack != ninjas.SAME_COLOUR:
        seconds |= (usable & ALL_COLOURS) & ~((2 << first) - 1)
    return seconds


@rule
def legal_attackers(state: Record, player: int, actions: Record) -> int:
    """NINJA-10: write the actions that continue an attack whose target has been chosen, and return their number."""
    if state.draft.first == EMPTY:
        return first_cards(state, player, int(state.draft.target), actions)
    return second_cards(state, player, int(state.draft.target), int(state.draft.first), actions)


@rule
def first_cards(state: Record, player: int, target: int, actions: Record) -> int:
    """NINJA-10, 11, 20: write the actions for the first card of an attack on a target, and return their number.

    The card is either a single one that matches, or the lower-numbered of two.
    """
    count, card = 0, target % ninjas.IN_PLAY
    matches = not walls(state) >> card & 1
    if matches:
        actions[0] = ninjas.WITH + card
        count = int(find(state.hands[player], card) >= 0)
    usable = pairing(state, player, target, attackers_in(state.hands[player]))
    count = write_set(firsts_of(state, usable), ninjas.FIRST, actions, count)
    if matches and state.options.spirit == ninjas.WILD:
        actions[count] = ninjas.WITH_SPIRIT
        count += holds_spirit(state.hands[player])
    return count


@rule
def second_cards(state: Record, player: int, target: int, first: int, actions: Record) -> int:
    """NINJA-11: write the actions for the second of two Attackers, ordered by colour, and return their number."""
    usable = pairing(state, player, target, attackers_in(state.hands[player]))
    return write_set(seconds_of(state, usable, first), ninjas.WITH, actions, 0)


@rule
def highest_bit(colours: int) -> int:
    """Return the highest bit of a set, or 0 for an empty set."""
    if colours == 0:
        return 0
    return 1 << bit_number(colours)
