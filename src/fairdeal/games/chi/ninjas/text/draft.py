"""Chaos Ninjas: an attack put together from cards and a target, in any order, as people tap.

A draft is the tuple of picks: the target's action, and for each Attacker WITH + colour, or FIRST + colour for the
second one of that colour. The engine's own order of steps is written only when the attack is whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from fairdeal.engine.records import Record
from fairdeal.games.chi.ninjas.rules.legal import first_cards, legal_targets, second_cards
from fairdeal.games.chi.ninjas.state import (
    ACTIONS,
    ANSWER,
    FIRST,
    SPIRIT,
    TARGET,
    WITH,
    WITH_SPIRIT,
)
from fairdeal.games.chi.ninjas.text.notation import attackers_of

ATTACK = 200
"""The pick that carries out a whole attack."""


def belongs_to_attack(pick: int) -> bool:
    return TARGET <= pick < ANSWER or pick == WITH_SPIRIT


def listed(count: int, actions: Sequence[int]) -> list[int]:
    return [int(action) for action in actions[:count]]


def attacks(state: Record, player: int) -> Iterator[tuple[int, ...]]:
    """Every attack that a player may make, as its actions (NINJA-10, 11)."""
    found = np.zeros(len(ACTIONS), np.int16)
    for target in listed(legal_targets(state, player, found, 0), found.tolist()):
        for card in listed(first_cards(state, player, target - TARGET, found), found.tolist()):
            if not FIRST <= card < ANSWER:
                yield target, card
                continue
            count = second_cards(state, player, target - TARGET, card - FIRST, found)
            yield from ((target, card, second) for second in listed(count, found.tolist()))


class Attack:
    """The picks of a half-made attack, and what can become of them."""

    def __init__(self, state: Record, player: int, picks: Sequence[int]) -> None:
        self.picks = tuple(pick for pick in picks if belongs_to_attack(pick))
        self.target = next((pick for pick in self.picks if pick < WITH), None)
        self.cards = Counter(card_of(pick) for pick in self.picks if pick >= WITH)
        self.open = [attack for attack in attacks(state, player) if self.fits(attack)]
        exact = [attack for attack in self.open if Counter(attackers_of(attack)) == self.cards]
        whole = exact or (self.open if self.picks else [])
        self.whole = whole[0] if len(whole) == 1 else None

    def fits(self, attack: Sequence[int]) -> bool:
        if self.target is not None and attack[0] != self.target:
            return False
        return self.cards <= Counter(attackers_of(attack))

    @property
    def targets(self) -> set[int]:
        """The targets that can be chosen with these cards."""
        return {attack[0] for attack in self.open}

    def takes(self, kind: int) -> bool:
        """Can one more card of this kind join?"""
        more = self.cards + Counter([kind])
        return any(more <= Counter(attackers_of(attack)) for attack in self.open)

    def picked(self, choice: int) -> tuple[int, ...]:
        """The picks after another one: a card is added or taken back, one target takes the place of another."""
        if choice in self.picks:
            return tuple(pick for pick in self.picks if pick != choice)
        kept = self.picks if choice >= WITH else tuple(pick for pick in self.picks if pick >= WITH)
        return (*kept, choice)


def card_of(pick: int) -> int:
    """The kind of an Attacker that was picked."""
    if pick == WITH_SPIRIT:
        return SPIRIT
    return pick - (FIRST if pick >= FIRST else WITH)


def pick_of(kind: int, picks: Sequence[int]) -> int:
    """The pick that adds one more card of a kind."""
    if kind == SPIRIT:
        return WITH_SPIRIT
    return FIRST + kind if WITH + kind in picks else WITH + kind
