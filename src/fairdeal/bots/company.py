"""The company at a table: the bots that fill several seats together, and the names of all bots.

A name identifies the player, and a bot's id, such as `juno` or `greedy`, its way of playing. One of the six opponents
has its own name the first time it sits at a table. Every other bot there has a different name and portrait.
"""

from collections.abc import Callable, Collection
from itertools import chain, product

from fairdeal.bots import custom
from fairdeal.bots.levels import FACES, levels_of
from fairdeal.bots.registry import LEARNED, name_of
from fairdeal.engine.game import Game

NAMES = ("Bo", "Cleo", "Dai", "Eli", "Fay", "Gus", "Hana", "Ike", "Jo")
"""Display names for all bots but the first of each opponent. The room's pages have a portrait for each."""

ALIKE = 200
"""Maximum difference between the ratings of two opponents of about the same strength. At this difference, the stronger
one wins about three games out of four."""


def company(bot: str, seats: int, game: Game, beside: Collection[str] = ()) -> tuple[str, ...]:
    """Return the bots that take `seats` seats if one bot is chosen for all of them: that bot, the opponents of about
    the same strength, the nearest first, and, for the remaining seats, more bots that play like it. Opponents that are
    already at the table (`beside`) are not used again."""
    seated = {word.partition(":")[0] for word in beside}
    different = [one for one in alike(bot, game) if one not in seated]
    return (*different, *[bot] * seats)[:seats]


def alike(bot: str, game: Game) -> list[str]:
    """Return a bot, followed by the opponents of about the same strength, the nearest first. A bot without a rating is
    returned alone."""
    ratings = {name: level.rating for name, level in levels_of(game).items() if level.rating}
    if bot not in ratings:
        return [bot]
    apart = {name: abs(rating - ratings[bot]) for name, rating in ratings.items()}
    return sorted((name for name in apart if apart[name] <= ALIKE), key=lambda name: (apart[name], name != bot))


def called(bot: str, is_free: Callable[[str], bool]) -> str:
    """Return a display name for a bot that is not taken: its own, if it has one, or else one of NAMES, or two of them
    if all are taken."""
    has_name = bot.partition(":")[0] in FACES or bot == LEARNED or custom.is_own(bot)
    doubles = (f"{first} {second}" for first, second in product(NAMES, NAMES) if first != second)
    names = chain([name_of(bot)] if has_name else [], NAMES, doubles)
    return next(name for name in names if is_free(name))
