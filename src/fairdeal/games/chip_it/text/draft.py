"""CHIP IT: a play built card by card, in any order, by tapping.

A draft is a tuple of picks: `card` for each card, followed by `value` if a value has been picked. The picks are
converted to actions, in the order that the rules need (specification, section 8), when the play is complete.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from fairdeal.engine.kit.actions import Actions, Verb
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Picked
from fairdeal.games.chip_it.cards import price
from fairdeal.games.chip_it.rules.combinations import cheapest, value_of
from fairdeal.games.chip_it.rules.legal import highest_value, is_open, least_points
from fairdeal.games.chip_it.state import ACTIONS, FIRST_CARD, HIGHEST_VALUE, KINDS, LOWEST_RAISE
from fairdeal.games.chip_it.text.notation import Play, played, read_move

PICKS = Actions(ACTIONS, take_back=Verb(KINDS, at=200), value=Verb(HIGHEST_VALUE + 1, at=1000))
"""Everything that can be picked: the actions, a chosen card to take back, and a value."""

TAKE_BACK, VALUE = PICKS.firsts


class Draft:
    """The picks of an unfinished play, and the plays to which it can be completed."""

    def __init__(self, state: Snapshot, player: int, picks: Sequence[int]) -> None:
        self.state = state
        self.player = player
        self.picks = tuple(picks)
        picked = [PICKS.decode(pick) for pick in picks]
        self.kinds = tuple(sorted(kind for verb, kind in picked if verb == "card"))
        self.need = 0 if is_open(state) else state.top.count - len(self.kinds)
        """Number of cards that must still be chosen in a contested round."""
        self.prices = self.plays()
        wanted = next((value for verb, value in picked if verb == "value"), None)
        self.value = wanted if wanted in self.prices else min(self.prices, default=None)

    def rest(self) -> Counter[int]:
        """Return the cards of the hand that are not chosen."""
        return Counter(self.state.hands[self.player].held) - Counter(self.kinds)

    def plays(self) -> dict[int, int]:
        """Return the legal values of exactly the chosen cards, each with its price in points (CHIP-22..29)."""
        if not self.kinds or self.need != 0:
            return {}
        only_lowest = self.state.options.raise_ == LOWEST_RAISE
        return dict(itertools.islice(self.affordable(self.kinds), 1 if only_lowest else None))

    def affordable(self, kinds: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the values above the top that these cards can share with the points of the pool, each with its
        price."""
        pool, highest = self.state.pool, highest_value(self.state)
        for points in range(least_points(self.state, kinds[-1]), pool + 1):
            value = int(value_of(kinds[-1], points))
            if value > highest:
                return
            needed = price(kinds, value)
            if needed is not None and needed <= pool:
                yield value, needed

    def can_add(self, kind: int) -> bool:
        """Return whether a card of this kind can join the chosen cards in any legal play."""
        missing = self.need - 1
        if not is_open(self.state) and missing < 0:
            return False
        kinds = sorted((*self.kinds, kind))
        return any(
            missing <= 0 or needed + self.cheapest_rest(kinds, value, missing) <= self.state.pool
            for value, needed in self.affordable(kinds)
        )

    def cheapest_rest(self, kinds: Sequence[int], value: int, count: int) -> int:
        """Return the lowest cost of `count` further cards of the hand at a value."""
        hand = self.state.hands[self.player]
        used, left = 0, Counter(kinds)
        for place, kind in enumerate(hand.held):
            if left[kind]:
                left[kind] -= 1
                used |= 1 << place
        return cheapest(hand, 0, value, count, used)

    def addable(self) -> set[int]:
        """Return the kinds that may be chosen next."""
        return {kind for kind in self.rest() if self.can_add(kind)}


def picks_of(state: Snapshot, player: int, actions: Sequence[int]) -> list[int]:
    """Return the picks of a move: a pass, or the cards of a play, and its value unless it is the default value."""
    play = played(actions)
    if play is None:
        return [*actions]
    cards = [FIRST_CARD + kind for kind in play.kinds]
    return cards if Draft(state, player, cards).value == play.value else [*cards, VALUE + play.value]


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the result of a choice of the scene: the new picks, or the complete move."""
    draft = Draft(state, player, picks)
    cards = [FIRST_CARD + kind for kind in draft.kinds]
    match PICKS.decode(choice):
        case "pass", _:
            return Picked((), (choice,))
        case "complete", _:
            assert draft.value is not None
            return Picked((), tuple(read_move(state, player, Play(draft.kinds, draft.value).text)))
        case "value", _:
            return Picked((*cards, choice))
        case "take_back", kind:
            cards.remove(FIRST_CARD + kind)
            return Picked(tuple(cards))
    return Picked((*(pick for pick in picks if PICKS.decode(pick).verb == "card"), choice))
