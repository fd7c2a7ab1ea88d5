"""CHIMAX ORDER: the greedy bot, which reads a concealed state that shows only remembered cards."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN, Record, rule
from fairdeal.games.chimax.bots import alike_cut
from fairdeal.games.chimax.order.rules import board_of, is_wanted, legal_actions
from fairdeal.games.chimax.order.state import ACTIONS, FLIP, FLIPPING
from fairdeal.games.chimax.order.text.prompts import wanted
from fairdeal.games.chimax.rules.layout import alike_place, is_unseen
from fairdeal.games.chimax.state import DECLARE


@rule
def alike(state: Record, player: int, action: int) -> int:
    """Return the first action equivalent to `action`: all unseen cards are equivalent (MEM-03)."""
    if action < FLIP:
        return alike_cut(action)
    return FLIP + alike_place(state.boards[board_of(state, player)], action - FLIP)


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return the number of its actions, which is always 1."""
    count = legal_actions(state, player, plan)
    if state.phase == FLIPPING:
        plan[0] = best_flip(state, player, plan, count)
    elif plan[0] >= DECLARE:
        plan[0] = plan[count - 1]  # the highest free value
    else:
        plan[0] = plan[count // 2]
    return 1


@rule
def best_flip(state: Record, player: int, plan: Record, count: int) -> int:
    """Return the flip of the wanted card if its place is known, or else of an unseen card, or else of the forgotten
    cards in turn."""
    board = state.boards[board_of(state, player)]
    unseen, forgotten = -1, 0
    for i in range(count):
        place = int(plan[i]) - FLIP
        if board.cards[place] == UNKNOWN:
            forgotten += 1
            if unseen < 0 and is_unseen(board, place):
                unseen = place
        elif is_wanted(state, player, int(board.cards[place])):
            return FLIP + place
    if unseen >= 0:
        return FLIP + unseen
    if forgotten == 0:
        return int(plan[0])
    number = int(state.misses[player]) % forgotten
    for i in range(count):
        if board.cards[int(plan[i]) - FLIP] == UNKNOWN:
            if number == 0:
                return int(plan[i])
            number -= 1
    return int(plan[0])


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    verb, place = ACTIONS.decode(actions[0])
    if verb != "flip":
        return REASONS[verb]
    board, face = state.boards[board_of(state, player)], wanted(state, player)
    if board.cards[place] >= 0 and is_wanted(state, player, board.cards[place]):
        return f"That is where {face} was seen."
    if is_unseen(board, place):
        return f"Nobody has seen {face} yet: a new card may be it."
    return f"What lies there is forgotten: it may be {face}."


REASONS = {
    "deal": "One place is as good as any other here.",
    "cut": "One place is as good as any other here.",
    "declare": "The highest value that is free.",
    "playoff_card": "There is no other card.",
}
