"""Where cards lie hidden, zone by zone, from the tables of docs/rules; and states of each game that between them hide
something in every zone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from tests.games.hidden import set_aside

PLAYOFF = {"playoff: hands.*.*": "playoff"}

ZONES: dict[str, dict[str, str]] = {
    "chi": {"deck.*": "cards", "hands.*[]": "cards"},
    "chaos-ninjas": {"deck.*": "cards", "hands.*[]": "cards"},
    "chip-it": {"hands.*[]": "cards"},
    "chimax-books": {"hands.*.*": "cards", "won.*.*": "cards", "deck.*": "deck", "committed.*": "slots"} | PLAYOFF,
    "chimax-cut": {"deck.*": "cards"} | PLAYOFF,
    "chimax-fate": {"layout.*": "cards", "deck.*": "deck"} | PLAYOFF,
    "chimax-jackpot": {"stock.*.*": "cards", "deck.*": "deck"},
    "chimax-match-2": {"layout.*": "cards", "deck.*": "deck"} | PLAYOFF,
    "chimax-match-3": {"layout.*": "cards", "deck.*": "deck"} | PLAYOFF,
    "chimax-order": {"layout.*": "cards", "layout.*.*": "board", "deck.*": "deck"} | PLAYOFF,
    "war-xtreme": {
        "seats.*.army.*": "cards",
        "tax.*": "cards",
        "slots.*": "cards",
        "wars.*.pot_down.*[]": "cards",
        "wars.*.recruits.*": "cards",
        "seats.*.hand[]": "equipment",
        "seats.*.hidden[]": "equipment",
        "store.*": "equipment",
        "EXTREME: choices.*": "answers",
        "RACE: choices.*": "answers",
        "CHOICE: choices.*": "answers",
    },
}
"""For each game the zones in which it hides cards or choices, and what lies in them: zones of a kind share their cards.

`hands.*.*` is every place of every hand; `hands.*[]` every hand as a pile whose order says nothing; `playoff: ` a zone
in that phase only.
"""

KNOWLEDGE = {"seen"}
"""Fields that tell who has seen which card; they change with the cards."""

TABLES: dict[str, list[dict[str, object]]] = {
    "chimax-books": [{"reveal": "simultaneous", "players": 3}],
    "chip-it": [{"players": 6}],
    "war-xtreme": [{"race": "seeded", "players": 3, "equipment": False, "ask_extreme": False}],
}
"""Options that hide what no preset does, or from more seats."""

REMEMBERED = {"won.*.*"}
"""Zones of which all have seen what went into them: hidden from those who forget."""

IN_PLAYOFF: dict[str, object] = {
    "phase": "playoff",
    "tied": [0, 2],
    "dealer": 0,
    "hands": [["x"], [], ["x"], []],
    "leader": 2,
    "turn": 2,
}
TIED: dict[str, object] = {"players": 4, "tie_break": "playoff"}

MOMENTS: dict[str, tuple[dict[str, object], dict[str, object], tuple[str, ...]]] = {
    "chimax-books": (TIED, IN_PLAYOFF, ()),
    "chimax-cut": (TIED, IN_PLAYOFF, ()),
    "chimax-fate": (TIED, IN_PLAYOFF, ()),
    "chimax-match-2": (TIED, IN_PLAYOFF, ()),
    "chimax-match-3": (TIED, IN_PLAYOFF, ()),
    "chimax-order": (TIED, IN_PLAYOFF | {"layout": ["x"] * 13}, ()),
    "war-xtreme": (
        {"players": 4, "ask_extreme": False},
        {
            "round": 5,
            "seats": [{"army": [card, *["?"] * 9]} for card in ("ninja/7", "princess/7", "zombie/K", "monster/Q")],
            "slots": ["?"] * 8,
            "tax": ["?"] * 20,
            "store": ["?"] * 9,
        },
        ("0: flip", "1: flip", "2: flip", "3: flip", "3: flee"),
    ),
}
"""Moments that random games reach too seldom: options, a position, moves."""


def states_of_every_zone(name: str, steps: int, of_each: int) -> Iterator[tuple[fairdeal.State, random.Random]]:
    """States of random games of all presets: in each so many with something hidden in a zone, if it comes to that."""
    tables = [*({"preset": preset} for preset in find_game(name).presets), *TABLES.get(name, [])]
    for options in tables:
        kept: Counter[str] = Counter()
        dice = random.Random(f"{name} {options}")
        state = None
        for _ in range(steps):
            if state is None or state.over:
                state = fairdeal.load(name, **options).deal(seed=dice.random())
            hidden = hidden_cards(name, state.position(), state.view(SPECTATOR).position())
            met = {zone for zone, _ in hidden}
            if any(kept[zone] < of_each for zone in met) or (hidden and dice.random() < 0.03):
                kept.update(met)
                yield state.copy(), dice
            player = dice.choice(state.to_act)
            state.apply(player, dice.choice(state.legal_actions(player)))
            while state.composing:
                state.apply(player, dice.choice(state.legal_actions(player)))
    if name in MOMENTS:
        options, position, moves = MOMENTS[name]
        state = fairdeal.load(name, **options).setup(position)
        for move in moves:
            state.play(int(move.split(": ")[0]), move.split(": ")[1])
        yield state, random.Random(name)


def places(value: Any, steps: list[str], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of a position that a zone's steps lead to."""
    if not steps:
        yield path
        return
    keys = [steps[0]] if steps[0] != "*" else list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        found = at(value, (key,))
        if len(steps) == 1 or isinstance(found, dict | list):
            yield from places(found, steps[1:], (*path, key))


def at(position: Any, path: tuple[Any, ...]) -> Any:
    """The value at a path; None if there is none."""
    for step in path:
        if isinstance(position, dict):
            position = position.get(step)
        else:
            position = position[step] if isinstance(position, list) and step < len(position) else None
    return position


def cards_at(position: Any, path: tuple[Any, ...]) -> Counter[Any]:
    """The cards at a path, a place or a pile."""
    found = at(position, path)
    return Counter(found if isinstance(found, list) else [] if found is None else [found])


def paths_of_zones(name: str, position: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The zones of a position and their paths: of every place, or of every pile."""
    for zone in ZONES[name]:
        phase, _, pattern = zone.rpartition(": ")
        in_playoff = position.get("phase") == "playoff" and f"playoff: {pattern}" in ZONES[name]
        if position.get("phase") == phase or (not phase and not in_playoff):
            for path in places(position, pattern.removesuffix("[]").split(".")):
                if isinstance(at(position, path), list) == pattern.endswith("[]"):
                    yield zone, path


def hidden_cards(name: str, position: Any, shown: Any) -> dict[tuple[str, tuple[Any, ...]], Counter[Any]]:
    """By zone and path, the cards that a position holds and a view of it does not show."""
    hidden = {
        (zone, path): cards_at(position, path) - cards_at(shown, path) for zone, path in paths_of_zones(name, position)
    }
    return {where: cards for where, cards in hidden.items() if cards}


def can_move(
    name: str, position: Any, shown: Any, hidden: dict[tuple[str, tuple[Any, ...]], Counter[Any]]
) -> set[tuple[str, tuple[Any, ...], Any]]:
    """The hidden cards that need not lie where they lie: there are cards enough elsewhere that are not like them.

    Of N cards that may lie anywhere K are alike; a place or pile of n of them holds at least n - (N - K) of these.
    """
    told = {path for _, path in hidden if is_told(shown, path)}
    hidden = {(zone, path): cards for (zone, path), cards in hidden.items() if path not in told}
    pools: dict[tuple[Any, ...], Counter[Any]] = {}
    for (zone, path), cards in hidden.items():
        pools.setdefault(pool_of(name, zone, path), Counter()).update(cards)
    if ("cards",) in pools:
        pools["cards",].update(set_aside(name, position))
    found = set()
    for (zone, path), cards in hidden.items():
        pool = pools[pool_of(name, zone, path)]
        for card, count in cards.items():
            others = pool.total() - pool[card]
            if ZONES[name][zone] == "slots":
                others = sum(slot is not None for slot in position["hands"][path[-1]]) - 1
            elif ZONES[name][zone] in ("answers", "playoff"):
                others = 1  # yes or no, some action or none, flee or not; any of forty cards
            if cards.total() - others < count:
                found.add((zone, path, card))
    return found


def is_told(shown: Any, path: tuple[Any, ...]) -> bool:
    """MEM-04: `missed` names the place of a card that was just turned back, for all to see."""
    missed = shown.get("missed") or []
    return path[0] == "layout" and any(
        path[-1] + 1 == one["place"] and (len(path) == 2 or path[1] == one["seat"])
        for one in ([missed] if isinstance(missed, dict) else missed)
    )


def pool_of(name: str, zone: str, path: tuple[Any, ...]) -> tuple[Any, ...]:
    """Which hidden cards could change places with these."""
    kind = ZONES[name][zone]
    return (kind,) if kind in ("cards", "equipment", "deck") else (kind, *path[:2])


def differing(one: Any, other: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths at which two positions differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differing(one.get(key), other.get(key), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differing(*pair, (*path, number))
    elif one != other:
        yield path
