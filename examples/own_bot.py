"""A user's own bot in a few lines, which tries every move and chooses the one that leaves it furthest ahead.

fairdeal simulate chi --bots own_bot:OneAhead,random      # in this folder
"""

from itertools import islice

from fairdeal.engine.state import State, Table

MOST_MOVES = 200


class OneAhead:
    """A bot that looks one move ahead, guessing the cards that it cannot see."""

    recall = 100

    def __init__(self, table: Table, seat: int, key: bytes) -> None:
        pass

    def choose(self, view: State, player: int, turn: int) -> tuple[int, ...]:
        deal = view.guess()

        def lead(move: tuple[int, ...]) -> float:
            after = deal.copy()
            after.play_actions(player, move)
            scores = after.returns()
            return scores.pop(player) - max(scores, default=0)

        return max(islice(view.action_moves(player), MOST_MOVES), key=lead)
