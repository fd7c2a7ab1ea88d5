"""The wins of the players who were dealt each card.

Cards are dealt at random, so a player who was dealt a card wins more often than a fair share only because of the card.
A player who played a card may also have played it because of being ahead.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.state import State, Table
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate, p_of_share, share
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.following import Followed
from fairdeal.lab.simulate.jobs import Order
from fairdeal.lab.simulate.simulation import Progress, nobody, parts
from fairdeal.lab.studies.comparing import holm, is_significant
from fairdeal.table.analysis.hands import unconcealed
from fairdeal.table.analysis.holdings import faces_at

OPENING = 16
"""Maximum number of moves before the cards are dealt, such as answers to a question about the rules."""

FEWEST_SEATS = 30
"""Minimum number of seats that were dealt a card, and of those that were not, for its wins to be reported."""

Hands = tuple[frozenset[str], ...]
"""The faces of the cards that each seat was dealt."""


class Card(Frozen):
    """A card, the number of games, the number of seats that were dealt it, and their share of first places with the
    fair share and the p-value, before and after the correction for other tests. The interval is corrected for the
    number of cards and tables: with a probability of 95 %, those of all cards of a study hold together."""

    name: str
    words: str
    games: int
    seats: int
    wins: Estimate
    fair: float
    p: float | None
    corrected: float | None

    @property
    def side(self) -> int:
        """1 if players who are dealt the card win more than a fair share, -1 if they win less, and 0 if these games
        cannot tell."""
        return ((self.wins.value > self.fair) - (self.wins.value < self.fair)) * is_significant(self.corrected)


def hands_from(order: Order, games: int, jobs: Jobs, progress: Progress = nobody) -> list[Hands]:
    """Return what each seat was dealt in the first games of an order."""
    return [*chain.from_iterable(parts(order, 0, games, jobs, hands_part, progress, in_python=True))]


def cards_in(table: Table, hands: Sequence[Hands], wins: NDArray[np.float64], tables: int) -> tuple[Card, ...]:
    """Return the wins of the players who were dealt each card in the first games, the card with the most wins first,
    given each seat's cards and wins by game. Cards that everybody is dealt are left out. The intervals hold for the
    cards of `tables` tables together."""
    wins = wins[: len(hands)]
    held: dict[str, list[float]] = {}
    for game, own in enumerate(hands):
        for seat, cards in enumerate(own):
            for card in cards:
                held.setdefault(card, []).append(float(wins[game, seat]))
    known = {card: shares for card, shares in held.items() if FEWEST_SEATS <= len(shares) <= wins.size - FEWEST_SEATS}
    faces, fair = table.game.faces(table.options), 1 / table.players
    enough = len(hands) >= FEWEST_GAMES
    tests = [p_of_share(float(np.mean(shares)), fair, len(shares)) for shares in known.values()] if enough else []
    found = [
        Card(
            *(card, faces[card].name, len(hands), len(shares)),
            *(share(np.array(shares), tables * len(known)), fair, p, corrected),
        )
        for (card, shares), p, corrected in zip_longest(known.items(), tests, holm(tests))
    ]
    return tuple(sorted(found, key=lambda card: (-card.wins.value, card.name)))


def hands_part(order: Order, first: int, last: int) -> list[Hands]:
    """Return what each seat was dealt in one part of an order's games."""
    return [hands_of(Followed(order, number)) for number in range(first, last)]


def hands_of(followed: Followed) -> Hands:
    """Return what each seat is dealt: its cards in the first position in which any seat has some. If only one has, it
    took them, and nothing is dealt."""
    moves = followed.moves()
    for _ in range(OPENING):
        hands = cards_by_seat(followed.state)
        having = sum(map(bool, hands))
        if having > 1:
            return hands
        if having or next(moves, None) is None:
            break
    return ()


def cards_by_seat(state: State) -> Hands:
    """Return the faces of each seat's own cards, also of those that it may not see: the cards in its hand, and
    those that the position lists for it, such as a deck of its own."""
    faces = state.table.game.faces(state.table.options)
    hands = [set(faces_at(unconcealed(state, seat).seen_by(seat).scene(), ("hand",))) for seat in range(state.players)]
    for seat, card in listed_by_seat(state.position(), state.players):
        hands[seat].add(card)
    return tuple(frozenset(hand & faces.keys()) for hand in hands)


def listed_by_seat(position: object, players: int) -> Iterator[tuple[int, str]]:
    """Yield every text in a position's lists by seat, with its seat."""
    for value in position.values() if isinstance(position, dict) else ():
        if isinstance(value, list) and len(value) == players:
            for seat, own in enumerate(value):
                lists = own.values() if isinstance(own, dict) else [own]
                yield from (
                    (seat, one) for part in lists if isinstance(part, list) for one in part if isinstance(one, str)
                )
