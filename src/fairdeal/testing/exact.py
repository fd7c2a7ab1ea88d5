"""Exact solution of late positions: the value of every move if all seats continue by the game's greedy rule.

A value is the mean over all deals that are consistent with the seat's knowledge and over all later random events. Tests
compare a bot's move with the best one. Only positions with few unknown cards can be solved: ten different unknown cards
give millions of deals.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.enumeration import Draws
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance, hidden, piles
from fairdeal.engine.records import UNKNOWN, Record, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State

MOST_STATES = 20_000
"""Maximum number of states to which a position may lead."""

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Solved:
    """The value of each move of a seat, with the number of deals and the number of visited states of the game. A value
    is a share of first place, or the score in a single-player game."""

    values: dict[Actions, Fraction]
    deals: int
    states: int

    @property
    def best(self) -> Fraction:
        return max(self.values.values())


class Lots:
    """A replacement for the random number generator that goes through every possible outcome of its draws."""

    def __init__(self) -> None:
        self.draws, self.weights = Draws(), list[list[int]]()
        self.unseen: list[int] = []

    def choose(self, weights: list[int]) -> int:
        """Return the current outcome of a draw, as an index of `weights`, which are proportional to the
        probabilities."""
        self.weights.append(weights)
        return self.draws.draw(len(weights))

    def draw(self, source: Record, bound: int) -> int:
        """Return the current outcome of a draw below `bound`. This replaces `chance.draw`."""
        return self.choose([1] * int(bound))

    def pick(self, cards: list[int]) -> int:
        """Remove one of these cards and return it. Equal cards count as a single outcome."""
        kinds = Counter(cards)
        card = [*kinds][self.choose([*kinds.values()])]
        cards.remove(card)
        return card

    def shuffle_cards(self, cards: Record, size: int, source: Record) -> None:
        """Put the first `size` cards into the current order. This replaces `piles.shuffle_cards`."""
        left = [int(cards[place]) for place in range(size)]
        for place in range(size):
            cards[place] = self.pick(left)

    def shuffle_unseen(self, unseen: Record, cards: Record, source: Record) -> int:
        """Record the unseen cards and return their number. This replaces `hidden.shuffle_unseen`. Cards are drawn only
        when they are dealt, so that the order of the others stays undetermined. If a game deals cards in another way,
        they stay unknown, and `Solver.deals` rejects them."""
        size = piles.spread(unseen, cards)
        self.unseen = [int(cards[place]) for place in range(size)]
        for place in range(size):
            cards[place] = UNKNOWN
        return size

    def next_card(self, cards: Record, place: int) -> int:
        """Return the card at `place`, drawing an unseen card if it is unknown. This replaces `hidden.next_card`."""
        return self.pick(self.unseen) if cards[place] == UNKNOWN else int(cards[place])

    def ways(self, play: Callable[[], State]) -> Iterator[tuple[State, Fraction]]:
        """Yield each possible result of `play`, with its probability."""
        self.draws, goes_on = Draws(), True
        while goes_on:
            self.weights = []
            after, likely = play(), Fraction(1)
            for number, weights in zip(self.draws.results, self.weights, strict=True):
                likely *= Fraction(weights[number], sum(weights))
            yield after, likely
            goes_on = self.draws.advance()


class Solver:
    """A solver of late positions of one game, which caches the values of the states that it has reached.

    >>> position = {"layout": ["5", None, "100", "1"], "seen": [1], "taken": [["half", "3"], ["2"]],
    ...     "points": [4, 2], "turn": 1, "phase": "flip", "wheel": "5"}
    >>> state = load("chimax-fate").setup(position)
    >>> solved = Solver(state.game).solve(state, 1)
    >>> solved.deals, solved.best
    (2, Fraction(1, 1))
    """

    def __init__(self, game: Game) -> None:
        self.game, self.lots = game, Lots()
        roots = {"apply": game.rules.apply, "resample": game.rules.resample}
        instead: dict[Callable[..., Any], Callable[..., Any]] = {
            chance.draw: self.lots.draw,
            piles.shuffle_cards: self.lots.shuffle_cards,
            hidden.shuffle_unseen: self.lots.shuffle_unseen,
            hidden.next_card: self.lots.next_card,
        }
        bound, state = compiled.bound_plainly(roots, {}, instead), structure_of(game.state)
        self.apply = on_fields(bound["apply"], state)
        self.resample = on_fields(bound["resample"], state, None, structure_of(chance_record))
        self.worth: dict[bytes, Fraction] = {}

    def deals(self, view: State, player: int) -> dict[bytes, tuple[State, Fraction]]:
        """Return all deals that are consistent with a seat's knowledge, with their probabilities. Raises ValueError if
        there are too many."""

        def deal() -> State:
            found, source = view.copy(), new(chance_record)
            found.viewer = None
            self.resample(found.record, player, source)
            return found

        found, left = self.gathered(deal), unknown_in(view.guess())
        if any(unknown_in(guess) != left for guess, _ in found.values()):
            raise ValueError("the game deals unseen cards in a way that the solver cannot follow")
        return found

    def after(self, state: State, player: int, actions: Actions) -> dict[bytes, tuple[State, Fraction]]:
        """Return the possible states after a move, with their probabilities."""
        after = state.copy()
        after.play_actions(player, actions)
        if after.record.chance.tobytes() == state.record.chance.tobytes():
            return {key_of(after): (after, Fraction(1))}

        def play() -> State:
            after = state.copy()
            for action in actions:
                self.apply(after.record, player, int(action))
            return after

        return self.gathered(play)

    def gathered(self, play: Callable[[], State]) -> dict[bytes, tuple[State, Fraction]]:
        """Return the different states that a function may return, with their probabilities."""
        found: dict[bytes, State] = {}
        likely: dict[bytes, Fraction] = defaultdict(Fraction)
        for number, (state, chance_of_it) in enumerate(self.lots.ways(play)):
            check_size(number)
            chance.blank(state.record.chance)
            found.setdefault(key_of(state), state)
            likely[key_of(state)] += chance_of_it
        return {key: (state, likely[key]) for key, state in found.items()}

    def worth_of(self, state: State, player: int, game: int) -> Fraction:
        """Return a state's value for a seat if all seats continue by the greedy rule until the end of this game of a
        match."""
        if state.over or int(state.record.match.game) != game:
            return share_of(state.returns(), player)
        key = key_of(state)
        if key not in self.worth:
            check_size(len(self.worth))
            total = Fraction(0)
            for acting in state.to_act:
                actions = self.greedy(state, acting)
                for after, likely in self.after(state, acting, actions).values():
                    total += likely * self.worth_of(after, player, game)
            self.worth[key] = total / len(state.to_act)
        return self.worth[key]

    def greedy(self, state: State, player: int) -> Actions:
        """Return the move of the greedy rule, given only the information available to the seat."""
        plan = compiled.scratch(self.game)
        length = compiled.ready(self.game).greedy(state.view(player, self.game.recall).record, player, plan)
        return tuple(plan[:length].tolist())

    def solve(self, state: State, player: int) -> Solved:
        """Return the value of every move of a seat, given its knowledge. Raises ValueError if there are too many deals
        or states."""
        self.worth.clear()
        deals, game = self.deals(state.view(player, self.game.recall), player), int(state.record.match.game)
        values = {
            tuple(actions): sum(
                (
                    likely * later * self.worth_of(after, player, game)
                    for deal, likely in deals.values()
                    for after, later in self.after(deal, player, actions).values()
                ),
                Fraction(0),
            )
            for actions in state.action_moves(player)
        }
        return Solved(values, len(deals), len(self.worth))


def check_size(number: int) -> None:
    """Raise ValueError if a position leads to too many states."""
    if number > MOST_STATES:
        raise ValueError(f"this position leads to more than {MOST_STATES} states")


def unknown_in(state: State) -> int:
    """Return the number of bytes of a state that equal `UNKNOWN`. Some of them may be `NOBODY`, which has the same
    value."""
    shown = state.copy()
    chance.blank(shown.record.chance)
    return key_of(shown).count(UNKNOWN.to_bytes(1, signed=True))


def key_of(state: State) -> bytes:
    found: bytes = state.record.tobytes()
    return found


def share_of(scores: list[Any], player: int) -> Fraction:
    """Return a seat's share of first place, or the score in a single-player game."""
    if len(scores) == 1:
        return Fraction(scores[0])
    return Fraction(scores[player] == max(scores), scores.count(max(scores)))
