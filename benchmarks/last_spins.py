"""How much greedy leaves lying at the end of a deal of Jackpot: `uv run python -m benchmarks.last_spins`.

Greedy plays deals until the last spins begin. From there on its own play and the best by what is known are worked out:
every choice, and every card that could be turned, as likely as it is. Before the very last spin a few of these cards
are drawn in place of all, the same for both: the best play then knows which they are, so that it gains too much.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine import drivers
from fairdeal.engine.compile import compiled
from fairdeal.engine.records import blank_array
from fairdeal.engine.state import State, Table
from fairdeal.games.chimax.deck import EACH, FACES, QUESTION
from fairdeal.games.chimax.jackpot.state import CARDS, FLIP, QUESTIONS, REEL, REELS
from fairdeal.lab.estimates import Estimate, mean

MOST_STEPS, SPINS = 68, 14
"""A deal has fewer than these."""


def solver_of(table: Table) -> Callable[..., float]:
    """Return the compiled function of the value of a state, by the best play or by greedy's: `worth(states, actions,
    left, depth, by_greedy, luck)`. `left` counts the unseen cards by face; `luck` are numbers below 1 by spin and reel,
    each of which draws one of them."""
    twins = compiled.compiled(table.game).twins
    legal_actions, apply = twins[drivers.legal_actions_first], twins[drivers.apply_first]
    greedy = twins[table.game.greedy]

    @njit
    def worth(states: Any, actions: Any, left: Any, depth: int, by_greedy: bool, luck: Any) -> float:
        if states[depth].over:
            return float(states[depth].points)
        if by_greedy:
            count = 1
            greedy(states[depth], 0, actions[depth])
        else:
            count = legal_actions(states[depth : depth + 1], 0, actions[depth])
        best = -1.0
        for number in range(count):
            action = int(actions[depth, number])
            value = 0.0
            if action != FLIP:
                states[depth + 1] = states[depth]
                apply(states[depth + 1 : depth + 2], 0, action)
                value = worth(states, actions, left, depth + 1, by_greedy, luck)
            else:
                reel, spin, every = int(states[depth].reel), int(states[depth].spin), left.sum()
                is_last, drawn = spin >= states[depth].options.spins, luck.shape[2]
                for choice in range(FACES if is_last else drawn):
                    face, weight = choice, left[choice % FACES] / every
                    if not is_last:
                        card, face, weight = int(luck[spin, reel, choice] * every), 0, 1 / drawn
                        while card >= left[face]:
                            card -= left[face]
                            face += 1
                    if left[face] > 0:
                        states[depth + 1] = states[depth]
                        pile = states[depth + 1].stock[reel]
                        pile.cards[int(pile.length) - 1] = face
                        left[face] -= 1
                        apply(states[depth + 1 : depth + 2], 0, action)
                        value += weight * worth(states, actions, left, depth + 1, by_greedy, luck)
                        left[face] += 1
            best = max(best, value)
        return best

    return worth  # type: ignore[no-any-return]


def at_last_spins(table: Table, number: int, spins: int) -> State | None:
    """Return a deal of greedy's with `spins` spins left, or None if it is over before."""
    state, greedy = table.deal(f"last spins {number}"), GreedyBot(table.game.recall)
    while not state.over:
        begins = state.record.phase == REEL and state.record.flipped == 0 and state.record.reel == 0
        if begins and state.record.options.spins - state.record.spin + 1 == spins:
            return state
        state.play_actions(0, ask(greedy, state, 0, 0).actions)
    return None


def unseen(view: State) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the number of cards of each face in the piles."""
    left = np.full(FACES, EACH, np.int64)
    left[QUESTION] = QUESTIONS
    for pile in (*view.record.columns, view.record.books):
        for card in pile.cards[: pile.length]:
            left[card if 0 <= card < FACES else QUESTION] -= 1
    assert left.sum() == sum(int(pile.length) for pile in view.record.stock) <= CARDS
    return left


def gains(table: Table, deals: int, spins: int, drawn: int) -> tuple[Estimate, Estimate]:
    """Return the points of greedy's play of the last spins in a deal, and the difference to the best play."""
    worth, found, gained = solver_of(table), [], []
    states = blank_array(table.game.state, MOST_STEPS)
    actions = np.zeros((MOST_STEPS, len(table.game.actions) + 1), np.int16)
    for number in range(deals):
        state = at_last_spins(table, number, spins)
        if state is None:
            continue
        view = state.view(0, table.game.recall)
        states[0], left = view.record, unseen(view)
        luck = (np.arange(drawn) + np.random.default_rng(number).random((SPINS, REELS, drawn))) / drawn
        by_greedy = worth(states, actions, left, 0, True, luck)
        found.append(by_greedy - int(view.record.points))
        gained.append(worth(states, actions, left, 0, False, luck) - by_greedy)
    return mean(np.array(found)), mean(np.array(gained))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.last_spins", description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="deals (default 200)")
    parser.add_argument("--spins", type=int, default=2, help="spins that are left (default 2)")
    parser.add_argument("--drawn", type=int, default=4, help="cards drawn at a turn (default 4)")
    chosen = parser.parse_args()
    table = fairdeal.load("chimax-jackpot")
    print("| spins left | greedy's points | 95 % | the best: more | 95 % |\n|---|---|---|---|---|")
    found, gained = gains(table, chosen.deals, chosen.spins, chosen.drawn)
    cells = [f"{one.value:.3f} | {one.low:.3f} to {one.high:.3f}" for one in (found, gained)]
    print(f"| {chosen.spins} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
