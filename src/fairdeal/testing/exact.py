"""What every move of a late position is worth, worked out in full: all deals that fit what the seat knows, and all ways
in which chance may fall later, with everybody playing on by the game's greedy rule.

So a bot can be asked whether it finds the best move, where what is best is no opinion. It is for positions in which few
cards are unknown: the deals of ten different ones are millions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fairdeal.engine.compile import compiled
from fairdeal.engine.fields import on_fields, structure_of
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance, hidden, piles
from fairdeal.engine.records import UNKNOWN, Record, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import State

MOST_STATES = 20_000
"""A position that leads to more states than these is too large to be worked out."""

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Solved:
    """What each whole move of a seat is worth: its share of the first place, of one player alone the score; in how many
    deals that was found, and how many states of the game were looked at."""

    values: dict[Actions, Fraction]
    deals: int
    states: int

    @property
    def best(self) -> Fraction:
        return max(self.values.values())


class Lots:
    """Draws that fall every way they can, one way after the other, in the place of chance."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.weights: list[list[int]] = []
        self.place = 0
        self.unseen: list[int] = []

    def choose(self, weights: list[int]) -> int:
        """One of several numbers, the likelier the more it weighs."""
        if self.place == len(self.drawn):
            self.drawn.append(0)
            self.weights.append(weights)
        self.place += 1
        return self.drawn[self.place - 1]

    def draw(self, source: Record, bound: int) -> int:
        """In the place of `chance.draw`."""
        return self.choose([1] * int(bound))

    def pick(self, cards: list[int]) -> int:
        """Take one of some cards; equal ones are not told apart, which leaves far fewer ways."""
        kinds = Counter(cards)
        card = [*kinds][self.choose([*kinds.values()])]
        cards.remove(card)
        return card

    def shuffle_cards(self, cards: Record, size: int, source: Record) -> None:
        """In the place of `piles.shuffle_cards`."""
        left = [int(cards[place]) for place in range(size)]
        for place in range(size):
            cards[place] = self.pick(left)

    def shuffle_unseen(self, unseen: Record, cards: Record, source: Record) -> int:
        """In the place of `hidden.shuffle_unseen`: a card is picked when it is dealt, so that the order of those
        that nobody gets is left open. Dealt in another way they are unknown, which `Solver.deals` refuses."""
        size = piles.spread(unseen, cards)
        self.unseen = [int(cards[place]) for place in range(size)]
        for place in range(size):
            cards[place] = UNKNOWN
        return size

    def next_card(self, cards: Record, place: int) -> int:
        """In the place of `hidden.next_card`: one of those not seen where their order is open."""
        return self.pick(self.unseen) if cards[place] == UNKNOWN else int(cards[place])

    def ways(self, play: Callable[[], State]) -> Iterator[tuple[State, Fraction]]:
        """What comes of playing, once for each way that the draws in it may fall, and how likely that way is."""
        self.drawn, self.weights = [], []
        while True:
            self.place = 0
            after, likely = play(), Fraction(1)
            for number, weights in zip(self.drawn, self.weights, strict=True):
                likely *= Fraction(weights[number], sum(weights))
            yield after, likely
            while self.drawn and self.drawn[-1] == len(self.weights[-1]) - 1:
                self.drawn.pop()
                self.weights.pop()
            if not self.drawn:
                return
            self.drawn[-1] += 1


class Solver:
    """Works out positions of one game, and remembers every state that it has looked at."""

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
        """All deals that fit what a seat knows, and how likely each is. Raises ValueError where there are too many."""

        def deal() -> State:
            found, source = view.copy(), new(chance_record)
            found.viewer = None
            self.resample(found.record, player, source)
            return found

        found, left = self.gathered(deal), unknown_in(view.guess())
        if any(unknown_in(guess) != left for guess, _ in found.values()):
            raise ValueError("cards that nobody sees are dealt in a way that is not known here")
        return found

    def after(self, state: State, player: int, actions: Actions) -> dict[bytes, tuple[State, Fraction]]:
        """The states that a whole move may lead to, and how likely each is."""
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
        """The different states that playing may lead to."""
        found: dict[bytes, State] = {}
        likely: dict[bytes, Fraction] = defaultdict(Fraction)
        for number, (state, chance_of_it) in enumerate(self.lots.ways(play)):
            check_size(number)
            chance.blank(state.record.chance)
            found.setdefault(key_of(state), state)
            likely[key_of(state)] += chance_of_it
        return {key: (state, likely[key]) for key, state in found.items()}

    def worth_of(self, state: State, player: int, game: int) -> Fraction:
        """What a state is worth to a seat when everybody plays on by greedy to the end of this game of a match."""
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
        """The move of the greedy rule, which sees what the seat may know."""
        plan = compiled.scratch(self.game)
        length = compiled.ready(self.game).greedy(state.view(player, self.game.recall).record, player, plan)
        return tuple(plan[:length].tolist())

    def solve(self, state: State, player: int) -> Solved:
        """What every move of a seat is worth, by what it knows. Raises ValueError where there are too many deals,
        or too many states that they lead to."""
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
    """Raises ValueError where a position leads to too many states."""
    if number > MOST_STATES:
        raise ValueError(f"this position leads to more than {MOST_STATES} states")


def unknown_in(state: State) -> int:
    """How many bytes of a state say `UNKNOWN`; some may say `NOBODY`, which is the same number."""
    shown = state.copy()
    chance.blank(shown.record.chance)
    return key_of(shown).count(UNKNOWN.to_bytes(1, signed=True))


def key_of(state: State) -> bytes:
    found: bytes = state.record.tobytes()
    return found


def share_of(scores: list[Any], player: int) -> Fraction:
    """A seat's share of the first place; of one player alone, the score."""
    if len(scores) == 1:
        return Fraction(scores[0])
    return Fraction(scores[player] == max(scores), scores.count(max(scores)))
