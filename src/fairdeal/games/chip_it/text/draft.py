"""CHIP IT: a play put together card by card, in any order, as people tap.

A draft is the tuple of picks: FIRST_CARD + kind for each card, then VALUE + value if a value was picked. The engine's
own order of steps (specification, section 8) is written only when the play is whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.engine.scene import Picked
from fairdeal.games.chip_it.cards import cost
from fairdeal.games.chip_it.rules.combinations import cheapest, value_of
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import COMPLETE, FIRST_CARD, FIRST_POINTS, LOWEST_RAISE
from fairdeal.games.chip_it.text.notation import Play, read_move

TAKE_BACK = 200
VALUE = 1000


class Draft:
    """The picks of a half-made play, and what can become of them."""

    def __init__(self, state: Record, player: int, picks: Sequence[int]) -> None:
        self.state = state
        self.player = player
        self.picks = tuple(picks)
        self.kinds = tuple(sorted(pick - FIRST_CARD for pick in picks if pick < FIRST_POINTS))
        self.prices = dict(self.plays())
        wanted = next((pick - VALUE for pick in picks if pick >= VALUE), None)
        self.value = wanted if wanted in self.prices else min(self.prices, default=None)

    @property
    def need(self) -> int:
        """How many cards are still to be chosen in a contested round."""
        return 0 if is_open(self.state) else int(self.state.top.count) - len(self.kinds)

    def rest(self) -> Counter[int]:
        """The cards of the hand that are not chosen."""
        hand = self.state.hands[self.player]
        held = Counter(hand.cards.tolist()[: int(hand.length)])
        held.subtract(self.kinds)
        return +held

    def plays(self) -> Iterator[tuple[int, int]]:
        """The legal values of exactly the chosen cards, each with its price in points (CHIP-22..29)."""
        if not self.kinds or self.need != 0:
            return
        for value, price in self.affordable(self.kinds):
            yield value, price
            if int(self.state.options.raise_) == LOWEST_RAISE:
                return

    def affordable(self, kinds: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The values above the top at which these cards together fit the pool, each with its price."""
        pool, highest = int(self.state.pool), highest_value(self.state)
        for points in range(pool + 1):
            value = int(value_of(kinds[-1], points))
            if value > highest:
                return
            costs = [cost(kind, value) for kind in kinds]
            if value > int(self.state.top.value) and None not in costs:
                price = sum(points for points in costs if points is not None)
                if price <= pool:
                    yield value, price

    def can_add(self, kind: int) -> bool:
        """Can this card join the chosen ones so that some legal play comes of it?"""
        missing = self.need - 1
        if not is_open(self.state) and missing < 0:
            return False
        kinds = tuple(sorted((*self.kinds, kind)))
        for value, price in self.affordable(kinds):
            if missing <= 0 or self.cheapest_rest(kinds, value, missing) <= int(self.state.pool) - price:
                return True
        return False

    def cheapest_rest(self, kinds: Sequence[int], value: int, count: int) -> int:
        """The least that further cards of the hand cost at a value."""
        hand = self.state.hands[self.player]
        used, left = 0, Counter(kinds)
        for place in range(int(hand.length)):
            kind = int(hand.cards[place])
            if left[kind]:
                left[kind] -= 1
                used |= 1 << place
        return int(cheapest(hand, 0, value, count, used))

    def addable(self) -> set[int]:
        """The kinds that may be chosen next."""
        return {kind for kind in self.rest() if self.can_add(kind)}


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """What picking a choice of the scene leads to."""
    draft = Draft(state, player, picks)
    cards = tuple(FIRST_CARD + kind for kind in draft.kinds)
    if choice < FIRST_CARD:
        return Picked((), (choice,))
    if choice == COMPLETE:
        if draft.value is None:
            raise IllegalMove("play", "the combination is not complete", "CHIP-22")
        return Picked((), tuple(read_move(state, player, Play(draft.kinds, draft.value).text())))
    if choice >= VALUE:
        return Picked((*cards, choice))
    if choice >= TAKE_BACK:
        kept = list(cards)
        kept.remove(choice - TAKE_BACK + FIRST_CARD)
        return Picked(tuple(kept))
    return Picked((*(pick for pick in draft.picks if pick < FIRST_POINTS), choice))
