"""The pairings and the standings of an evening.

Everything follows from the numbers of the players and the games so far. Players who enter earlier have lower numbers,
which decide where nothing else does.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

TRIES = 20
"""Number of attempts to seat players at tables of more than two."""

Table = tuple[int, ...]
"""The players of a table, by seat."""


class Game(NamedTuple):
    """A game in a round. `places` are empty while it is not over."""

    round: int
    players: Table
    places: Sequence[int] = ()


class Standing(NamedTuple):
    """A player's place, points, the points of all opponents, and those of the opponents who finished behind, half of
    them where both shared a place."""

    number: int
    place: int
    points: float
    opponents: float
    beaten: float


def points_of(game: Game, scale: Sequence[float] = ()) -> dict[int, float]:
    """Return the points of each player: those of `scale` by place, or one for each player behind. Players at the same
    place share them.

    >>> points_of(Game(1, (7, 8), (1, 1)))
    {7: 0.5, 8: 0.5}
    >>> points_of(Game(1, (1, 2, 3), (1, 3, 1)), (4, 2, 1))
    {1: 3.0, 2: 1.0, 3: 3.0}
    """
    players, places = game.players, [*game.places]
    of_place = [*scale, *[0.0] * len(players)] if scale else [*range(len(players) - 1, -1, -1)]
    shared = {place: of_place[place - 1 : place - 1 + places.count(place)] for place in places}
    return {
        player: sum(shared[place]) / len(shared[place]) for player, place in zip(players, places, strict=bool(places))
    }


def totals(games: Iterable[Game], scale: Sequence[float] = ()) -> defaultdict[int, float]:
    """Return the points of all players."""
    found: defaultdict[int, float] = defaultdict(float)
    for game in games:
        for player, points in points_of(game, scale).items():
            found[player] += points
    return found


def standings(players: Iterable[int], games: Sequence[Game], scale: Sequence[float] = ()) -> list[Standing]:
    """Return the standings, the first place first. Players with the same points and tie-breaks share a place."""
    points, opponents, beaten = totals(games, scale), defaultdict[int, float](float), defaultdict[int, float](float)
    for game in games:
        there = [*zip(game.players, game.places, strict=False)]
        for (one, place), (other, others) in permutations(there, 2):
            opponents[one] += points[other]
            beaten[one] += points[other] * ((place < others) + (place == others) / 2)
    keys = {one: (points[one], opponents[one], beaten[one]) for one in players}
    order = sorted(keys.values(), reverse=True)
    found = [Standing(one, order.index(key) + 1, *key) for one, key in keys.items()]
    return sorted(found, key=lambda one: (one.place, one.number))


def swiss(players: Sequence[int], games: Sequence[Game], rounds: int) -> list[Table]:
    """Return the tables of the next round by the Dutch system of FIDE, where the player at the first seat has the white
    pieces. If it has none, few players meet again. One player too many is alone."""
    from caissify_pairings import generate_pairings

    done = max((game.round for game in games), default=0)
    colours, floats = ({one: ["none"] * done for one in players} for _ in range(2))
    met = {pair for game in games for pair in permutations(game.players)}
    for game in games:
        points = totals(one for one in games if one.round < game.round)
        for seat, one in enumerate(game.players):
            if one in colours:
                ahead = points[one] - points[game.players[1 - seat]]
                colours[one][game.round - 1] = "black" if seat else "white"
                floats[one][game.round - 1] = "down" if ahead > 0 else "up" if ahead else "none"
    points = totals(games)
    facts = [
        {"id": one, "name": "", "score": points[one], "rating": -one, "starting_number": one, "bye_count": 0}
        | {"color_hist": sorted(colours[one], key="none".__ne__), "float_history": floats[one]}
        for one in players
    ]
    found = generate_pairings("dutch", facts, met, done + 1, rounds)
    pairs = [tuple(one for one in (pair["white_id"], pair["black_id"]) if one is not None) for pair in found]
    if len(pairs) > -(-len(players) // 2):  # the library lets more players sit out than let two meet again
        return balanced(players, 2, games, random.Random(done))
    return pairs


def robin(players: int, number: int) -> list[Table]:
    """Return the tables of round `number` for an even number of players by the Berger tables of FIDE."""
    from caissify_pairings.engines.round_robin import berger_round

    return [tuple(pair) for pair in berger_round(players, number)]


def balanced(players: Sequence[int], size: int, games: Iterable[Game], chance: random.Random) -> list[Table]:
    """Return tables at which few players meet again, and at which all have had every seat about equally often."""
    met: dict[int, Counter[int]] = {one: Counter() for one in players}
    sat: dict[int, Counter[int]] = {one: Counter() for one in players}
    for game in games:
        for seat, one in enumerate(game.players):
            if one in met:
                sat[one][seat] += 1
                met[one].update(other for other in game.players if other != one)

    def cost(table: Iterable[int]) -> int:
        return sum(met[one][other] ** 2 for one, other in combinations(table, 2))

    best: list[list[int]] = []
    for _ in range(TRIES):
        order = chance.sample(players, len(players))
        tables = [order[first : first + size] for first in range(0, len(order), size)]
        while improved(tables, cost):
            pass
        if not best or sum(map(cost, tables)) < sum(map(cost, best)):
            best = tables
        if not any(map(cost, best)):
            break
    return [
        min(permutations(sorted(table)), key=lambda seats: sum(sat[one][seat] for seat, one in enumerate(seats)))
        for table in best
    ]


def improved(tables: list[list[int]], cost: Callable[[Iterable[int]], int]) -> bool:
    """Let two players change places if that makes their tables better. Return whether any have."""
    for one, other in combinations(tables, 2):
        before = cost(one) + cost(other)
        for first in range(len(one)):
            for second in range(len(other)):
                one[first], other[second] = other[second], one[first]
                if cost(one) + cost(other) < before:
                    return True
                one[first], other[second] = other[second], one[first]
    return False
