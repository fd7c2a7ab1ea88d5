"""CHI: the greedy bot.

The bot sees only a concealed state. It values every legal action in tenths of a point and plays the best one. The value
of a Yang is its points, plus an extra value if it is safe afterwards. The value of a Yin is that of the cards it
destroys. Cards of the row are valued by what they may bring later.
"""

from collections.abc import Sequence

from fairdeal.engine.kit.piles import find
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.cards import points_of
from fairdeal.games.chi.colours import colour_of
from fairdeal.games.chi.rules.legal import legal_actions
from fairdeal.games.chi.rules.play import has_full_area, score
from fairdeal.games.chi.rules.row import copies

ENDING = 1000
WIN_OR_LOSE = 400


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return its length, which is always one action."""
    count = legal_actions(state, player, plan)
    best, best_action = -(10**6), int(plan[0])
    for i in range(count):
        worth = worth_of(state, player, int(plan[i]))
        if worth > best:
            best, best_action = worth, int(plan[i])
    plan[0] = best_action
    return 1


@rule
def worth_of(state: Record, player: int, action: int) -> int:
    """Return the value of an action for a player, in tenths of a point."""
    if action < chi.PLAY_3:
        return worth_in_hand(state, player, int(state.row[action])) + denial(state, player, int(state.row[action]))
    if action < chi.PLAY_6:
        return worth_of_3(state, player, action - chi.PLAY_3) + ending(state, player, 3, action - chi.PLAY_3)
    if action < chi.ATTACK_3:
        return 50 + ending(state, player, 6, -1)
    if action < chi.ATTACK_6:
        return 45 + breaking(state, player)
    if action < chi.ANSWER_CHI:
        return 70 + breaking(state, player)
    if action == chi.ANSWER_CHI:
        return worth_of_chi(state, player)
    if action == chi.PASS:
        return 0
    if action < chi.DRAW_DECK:
        return -worth_kept(state, player, action - chi.DISCARD)
    return 5


@rule
def worth_of_3(state: Record, player: int, colour: int) -> int:
    """CHI-31: return the value of playing a 3. It is higher for the second 3 of a colour, which makes both safe."""
    if find(state.areas[player], chi.SINGLE_3 + colour) >= 0:
        return 48
    return 32


@rule
def ending(state: Record, player: int, points: int, colour: int) -> int:
    """CHI-60: return the value of ending the game with the last stack. It is positive only for the leader."""
    area = state.areas[player]
    grows = colour < 0 or find(area, chi.SINGLE_3 + colour) < 0
    if state.last_turn:
        return points * 20
    if not grows or int(area.length) + 1 < state.options.stacks_to_end:
        return 0
    ahead = score(state, player) + points - 1 - score(state, 1 - player)
    reply = 6 if player == state.match.first else 0
    if ahead > reply:
        return ENDING
    return -WIN_OR_LOSE


@rule
def breaking(state: Record, player: int) -> int:
    """CHI-60, 61: return the extra value of a Yin that may undo a lead or prevent the other player's last stack."""
    other = state.areas[1 - player]
    if state.last_turn:
        return WIN_OR_LOSE
    if int(other.length) + 1 >= state.options.stacks_to_end and not has_full_area(state):
        return 40
    return 0


@rule
def worth_of_chi(state: Record, player: int) -> int:
    """CHI-41: return the value of responding with a Chi.

    The bot always defends a 6, and a 3 only if another Chi is left or the end is near.
    """
    area = state.areas[1 - int(state.duel.attacker)]
    if area.cards[state.duel.target] >= chi.SINGLE_6 or copies(state.hands[player], chi.CHI) > 1 or state.last_turn:
        return 10
    return 5 if area.length >= int(state.options.stacks_to_end) - 2 else -5


@rule
def worth_in_hand(state: Record, player: int, card: int) -> int:
    """Return the value of adding a card of this kind to the hand, minus the cost of a turn."""
    if card == EMPTY:
        return -ENDING
    if card == chi.CHI:
        return 26 - 8 * copies(state.hands[player], chi.CHI)
    if card >= chi.YANG_6:
        return 12 if blocked(state, player, card - chi.YANG_6) else 38
    if card >= chi.YANG_3:
        if find(state.areas[player], chi.SINGLE_3 + card - chi.YANG_3) >= 0:
            return 40
        return 34 if copies(state.hands[player], card) > 0 else 22
    if find(state.areas[1 - player], chi.SINGLE_6 + card) >= 0:
        return 44 - 20 * copies(state.hands[player], card)
    if find(state.areas[1 - player], chi.SINGLE_3 + card) >= 0:
        return 28 - 20 * copies(state.hands[player], card)
    return 6 - 4 * copies(state.hands[player], card)


@rule
def worth_kept(state: Record, player: int, card: int) -> int:
    """Return the loss from discarding a card of the hand, given the other cards in the hand."""
    worth = worth_in_hand(state, player, card)
    if card == chi.CHI:
        return worth + 8
    if card < chi.YANG_3:
        return worth + 4
    if card < chi.YANG_6 and copies(state.hands[player], card) == 1 and worth == 34:
        return 22
    return worth


@rule
def denial(state: Record, player: int, card: int) -> int:
    """Return the small extra value of taking a card of the row that the other player needs."""
    if card in (EMPTY, chi.CHI):
        return 0
    mine, other = state.areas[player], state.areas[1 - player]
    if card < chi.YANG_3:
        if find(mine, chi.SINGLE_6 + card) >= 0:
            return 14
        return 6 if find(mine, chi.SINGLE_3 + card) >= 0 else 0
    return 6 if card < chi.YANG_6 and find(other, chi.SINGLE_3 + card - chi.YANG_3) >= 0 else 0


@rule
def blocked(state: Record, player: int, colour: int) -> bool:
    """CHI-33, 34: return whether a Yang of this colour in the player's area prevents a 6."""
    area = state.areas[player]
    if find(area, chi.SINGLE_6 + colour) >= 0:
        return True
    return find(area, chi.SINGLE_3 + colour) >= 0 or find(area, chi.PAIR_OF_3 + colour) >= 0


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    match chi.ACTIONS.decode(actions[0]):
        case "draw", place:
            return reason_to_take(state, player, state.row[place])
        case "play_3", colour if chi.SINGLE_3 + colour in state.areas[player].held:
            return "Three points more, and the stack is safe for good."
        case "play_3", _:
            return "Three points, and a place for the second one."
        case "play_6", _:
            return "Six points at once."
        case "attack_3", _:
            return "It takes 3 points off them, and you draw a card."
        case "attack_6", _:
            return "It takes 6 points off them, and you draw a card."
        case "answer_chi", _:
            return "This stack is worth a Chi."
        case "pass", _:
            return "A Chi is worth more later, or there is none to spare."
        case "discard", _:
            return "Of all your cards it promises least."
    return "The deck may hold something better than the row."


def reason_to_take(state: Snapshot, player: int, kind: int) -> str:
    if kind == chi.CHI:
        return "A Chi guards what lies on the table."
    if kind < chi.YANG_3:
        return "It strikes what they have, or cannot strike you any more."
    if kind < chi.YANG_6 and chi.SINGLE_3 + colour_of(kind) in state.areas[player].held:
        return "It makes a stack of two, safe from attacks."
    return f"It is worth {points_of(kind)} points next turn."
