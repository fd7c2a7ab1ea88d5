"""The pairings and the standings of an evening.

Everything follows from the players and the games so far. Players who enter earlier have lower numbers, which decide
where nothing else does.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from fairdeal.protocol.bodies import EveningGame, EveningPlayer
from fairdeal.table.names import isolated

SWAPS = 5000
"""Number of attempts to seat players better at tables of more than two."""

Table = tuple[int, ...]
"""The players of a table, by seat."""


class Entrant(NamedTuple):
    """A player of an evening, as stored."""

    evening: str
    number: int
    guest: str | None
    name: str
    plays: str
    left: bool = False


def totals(games: Iterable[EveningGame], scale: Sequence[float] = ()) -> defaultdict[int, float]:
    """Return the points of all players: those of `scale` by place, or one for each player behind. Players at the same
    place share them.

    >>> dict(totals([EveningGame("", 1, (7, 8), (1, 1))]))
    {7: 0.5, 8: 0.5}
    >>> dict(totals([EveningGame("", 1, (1, 2, 3), (1, 3, 1))], (4, 2, 1)))
    {1: 3.0, 2: 1.0, 3: 3.0}
    """
    found: defaultdict[int, float] = defaultdict(float)
    for game in games:
        of_place = [*scale, *[0.0] * len(game.players)] if scale else range(len(game.players))[::-1]
        for player, place in zip(game.players, game.places, strict=False):
            shared = of_place[place - 1 :][: game.places.count(place)]
            found[player] += sum(shared) / len(shared)
    return found


def standings(
    players: Sequence[Entrant], games: Sequence[EveningGame], scale: Sequence[float] = ()
) -> tuple[EveningPlayer, ...]:
    """Return the standings, the first place first. Players with the same points and tie-breaks share a place."""
    points, opponents, beaten = totals(games, scale), defaultdict[int, float](float), defaultdict[int, float](float)
    for game in games:
        there = [*zip(game.players, game.places, strict=False)]
        for (one, place), (other, others) in permutations(there, 2):
            opponents[one] += points[other]
            beaten[one] += points[other] * ((place < others) + (place == others) / 2)
    keys = [(points[one.number], opponents[one.number], beaten[one.number]) for one in players]
    order = sorted(keys, reverse=True)
    found = [
        EveningPlayer(isolated(one.name), one.plays, one.left, one.number, order.index(key) + 1, *key)
        for one, key in zip(players, keys, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: one.place))


def swiss(players: Sequence[int], games: Sequence[EveningGame], rounds: int) -> list[Table]:
    """Return the tables of the next round by the Dutch system of FIDE, where the player at the first seat has the white
    pieces. If it has none, few players meet again. One player too many sits there with None."""
    from caissify_pairings import generate_pairings

    done = max((game.round for game in games), default=0)
    met = {pair for game in games for pair in permutations(game.players)}
    colours, floats = (defaultdict[int, list[str]](list) for _ in range(2))
    for game in games:
        points = totals(one for one in games if one.round < game.round)
        for one, other, colour in zip(game.players, game.players[::-1], ("white", "black"), strict=True):
            ahead = points[one] - points[other]
            colours[one].append(colour)
            floats[one].append("down" if ahead > 0 else "up" if ahead else "none")
    points = totals(games)
    facts = [
        {"id": one, "score": points[one], "color_hist": colours[one], "float_history": floats[one]} for one in players
    ]
    found = generate_pairings("dutch", facts, met, done + 1, rounds)
    if len(found) > (len(players) + 1) // 2:  # the library lets more players sit out than let two meet again
        return balanced(players, 2, games, random.Random(done))
    return [(pair["white_id"], pair["black_id"]) for pair in found]


def balanced(players: Sequence[int], size: int, games: Iterable[EveningGame], chance: random.Random) -> list[Table]:
    """Return tables at which few players meet again, and at which all have had every seat about equally often. Players
    change places by chance, unless more would meet again."""
    met = Counter(pair for game in games for pair in permutations(game.players, 2))
    sat = Counter(seat for game in games for seat in enumerate(game.players))

    starts = range(0, len(players), size)

    def repeats(order: Sequence[int]) -> int:
        return sum(met[pair] ** 2 for at in starts for pair in combinations(order[at : at + size], 2))

    best = chance.sample(players, len(players))
    for _ in range(SWAPS):
        other, (one, two) = [*best], chance.sample(range(len(best)), 2)
        other[one], other[two] = best[two], best[one]
        best = min(other, best, key=repeats)
    return [
        min(permutations(best[at : at + size]), key=lambda seats: sum(sat[seat] for seat in enumerate(seats)))
        for at in starts
    ]
