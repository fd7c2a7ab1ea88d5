"""Decide which moves may be undone: only those that revealed nothing to any viewer."""

import math
from collections.abc import Callable, Iterable, Sequence

from fairdeal.engine.events import Drew, Event, Revealed, WithCards
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, new
from fairdeal.engine.state import State

DEALS = 120
"""Minimum number of deals drawn for each viewer to check a move. For one viewer, a difference that occurs in a deal
with probability s is missed with a probability of at most (1 - s) ** DEALS: 5 % for one in forty."""

FEW, WAYS = 64, 720
"""Maximum number of different deals for which all of them are examined, and the maximum number of ways to draw them for
which this is certain."""

MISSES = 10_000
"""Inverse of the probability that one of a few deals is missed after `enough` draws."""


OFFERED = 2.5
"""Minimum number of seconds for which a move may be undone before a bot answers it, if one person plays only against
bots. The speed of the bots scales it."""

DRAWN, TURNED_UP, SEEN, LEARNED = (
    "a card was drawn",
    "a card was turned up",
    "others have seen your card",
    "somebody has learned something from it",
)


def why_not(events: Iterable[Event], seat: int, names: Sequence[str]) -> str:
    """Return the reason why moves with these events, which a seat knows of, cannot be undone for that seat. It depends
    only on the events, so it does not reveal which other seat learned something.

    >>> why_not([Drew(0, ("",))], 0, ("Ada", "Juno")), why_not([Revealed(1, ("ace",))], 0, ("Ada", "Juno"))
    ('a card was drawn', 'a card was turned up')
    """
    found = [event for event in events if isinstance(event, WithCards)]
    shown = [event for event in found if event.shown]
    if any(isinstance(event, Drew) for event in found):
        return DRAWN
    if any(isinstance(event, Revealed) for event in shown):
        return TURNED_UP
    if any(event.seat == seat for event in shown):
        return SEEN
    return f"{names[shown[0].seat]} has shown a card" if shown else LEARNED


def enough(deals: int) -> int:
    """Return the number of draws after which all of `deals` equally likely deals have appeared, except with a
    probability of 1 in MISSES. Return 0 if there are no deals or more than FEW. Deals that are less likely than others
    are missed more often."""
    return math.ceil(deals * math.log(deals * MISSES)) if 0 < deals <= FEW else 0


def undisturbed() -> None:
    """Do nothing. This is the default for a check that is never interrupted."""


def tells_nothing(
    before: State, player: int, actions: Sequence[int], after: State, key: bytes, rest: Callable[[], None] = undisturbed
) -> bool:
    """Return whether a move has revealed nothing except itself.

    A move reveals nothing if every viewer, including the player and spectators, could have predicted everything that
    they see after it: in every deal that is consistent with the viewer's knowledge, the move is legal and looks the
    same. A card that is turned up reveals something, and so does a rule that depends on a hidden card, such as one that
    skips a seat without a playable card. Deals are drawn for each viewer. If only a few appear, all are examined.
    Anyone who knows `key`, the key of their RNG, can predict which deals are drawn. A move that uses random numbers or
    ends the game always counts as revealing. `rest` is called before each draw, and may raise an exception to end the
    check.
    """
    if after.over or before.record.chance.tobytes() != after.record.chance.tobytes():
        return False
    source = new(before.record.chance.dtype)
    chance.set_key(source, key)
    viewers = sorted((SPECTATOR, *range(before.players)), key=lambda viewer: viewer != player)  # the player learns most
    return all(foresees(viewer, before, player, actions, after, source, rest) for viewer in viewers)


def foresees(
    viewer: int,
    before: State,
    player: int,
    actions: Sequence[int],
    after: State,
    source: Record,
    rest: Callable[[], None] = undisturbed,
) -> bool:
    """Return whether a move leads to the view that `viewer` has in `after`, in each of the deals examined, which are
    consistent with the viewer's knowledge in `before`."""
    known, seen = before.view(viewer, 100), after.view(viewer, 100)
    examined: set[bytes] = set()

    def differs(deal: State) -> bool:
        rest()
        examined.add(deal_of(deal))
        otherwise = deal.after(player, actions)
        return otherwise is None or otherwise.view(viewer, 100) != seen

    for _ in range(DEALS):
        if differs(known.resample(source)):
            return False
    every = known.every_deal(WAYS, rest) if len(examined) <= FEW else []
    if every is not None:
        return not any(differs(deal) for deal in every if deal_of(deal) not in examined)
    drawn = DEALS
    while drawn < enough(len(examined)):
        if differs(known.resample(source)):
            return False
        drawn += 1
    return True


def deal_of(state: State) -> bytes:
    """Return the bytes of a state without its random number generator, which every draw sets anew."""
    raw: bytes = state.record.tobytes()
    kind, start = state.record.dtype.fields["chance"][:2]
    return raw[:start] + raw[start + kind.itemsize :]
