"""CHI: the legal actions. Clause ids refer to docs/rules/chi.md, part 1."""

from fairdeal.engine.kit.piles import find
from fairdeal.engine.records import Record, rule
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.colours import ALL_COLOURS
from fairdeal.games.chi.rules.row import legal_draws, legal_from


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player in ascending order, and return their number."""
    if state.over or not (state.to_act >> player) & 1:
        return 0
    if state.phase == chi.DUEL:
        return legal_answers(state, player, actions)
    if state.phase == chi.DISCARDING:
        return legal_discards(state, player, actions)
    count = legal_draws(state, actions)
    if may_play_card(state, player):
        count = legal_yang(state, player, actions, count)
        count = legal_yin(state, player, actions, count)
    if count == 0 or can_draw_deck(state):
        actions[count] = chi.DRAW_DECK  # CHI-13: stands for `none` if the deck cannot be drawn from
        count += 1
    return count


@rule
def may_play_card(state: Record, player: int) -> bool:
    """CHI-12: return whether a player may play a card, given that the last card of a hand may not be played."""
    return state.hands[player].length >= 2 or (not state.options.keep_one and state.hands[player].length == 1)


@rule
def can_draw_deck(state: Record) -> bool:
    """CHI-21: return whether a card can be drawn from the deck, which requires `draw_source: row_or_deck`."""
    if state.options.draw_source != chi.ROW_OR_DECK:
        return False
    if state.deck.length > 0:
        return True
    for kind in range(chi.KINDS):
        if state.discard[kind] > 0:
            return True
    return False


@rule
def stacks_of(area: Record) -> int:
    """Return the stacks of an area as a bit set."""
    stacks = 0
    for i in range(area.length):
        stacks |= 1 << int(area.cards[i])
    return stacks


@rule
def legal_yang(state: Record, player: int, actions: Record, count: int) -> int:
    """CHI-30, 33, 34: append the playable Yang at index `count`, and return the new number of actions.

    Any 3 can be played. A 6 can be played only if the player's area has no Yang of its colour (which may be a 3 in
    `mixed`).
    """
    stacks = stacks_of(state.areas[player])
    colours = (stacks | stacks >> chi.SINGLE_6 | stacks >> chi.PAIR_OF_3) & ALL_COLOURS
    playable = (ALL_COLOURS << chi.YANG_3) | ((ALL_COLOURS & ~colours) << chi.YANG_6)
    return legal_from(state.hands[player], playable, chi.PLAY_3 - chi.YANG_3, actions, count)


@rule
def legal_yin(state: Record, player: int, actions: Record, count: int) -> int:
    """CHI-32, 40: append the Yin that match a single stack of the other area, and return the new number of actions.

    Attacks on a 3 come before those on a 6.
    """
    stacks = stacks_of(state.areas[1 - player])
    count = legal_from(state.hands[player], stacks & ALL_COLOURS, chi.ATTACK_3, actions, count)
    return legal_from(state.hands[player], (stacks >> chi.SINGLE_6) & ALL_COLOURS, chi.ATTACK_6, actions, count)


@rule
def legal_answers(state: Record, player: int, actions: Record) -> int:
    """CHI-41, 45: write the responses to an attack, and return their number.

    They are a Chi, if the player has one that may be played, and always `pass`.
    """
    count = 0
    if may_play_card(state, player) and find(state.hands[player], chi.CHI) >= 0:
        actions[count] = chi.ANSWER_CHI
        count += 1
    actions[count] = chi.PASS
    return count + 1


@rule
def legal_discards(state: Record, player: int, actions: Record) -> int:
    """CHI-11: write a discard for every kind of card in the hand, and return the number of actions."""
    return legal_from(state.hands[player], chi.ALL_KINDS, chi.DISCARD, actions, 0)
