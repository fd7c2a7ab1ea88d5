"""Chaos Ninjas: attacks that are built from cards and a target, in any order.

A draft is a tuple of picks: the action of the target and, for each Attacker, WITH + colour, or FIRST + colour for the
second Attacker of a colour. Once the attack is complete, the picks are put into the order that the rules need.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chi.ninjas.rules.legal import first_cards, legal_targets, second_cards
from fairdeal.games.chi.ninjas.state import ACTIONS, FIRST, SPIRIT, TARGET, WITH, WITH_SPIRIT
from fairdeal.games.chi.ninjas.text.notation import attacker, attackers_of

ATTACK = 200
"""The pick that plays a complete attack."""


def is_target(pick: int) -> bool:
    return ACTIONS.decode(pick).verb == "target"


def belongs_to_attack(pick: int) -> bool:
    return ACTIONS.decode(pick).verb in ("target", "with", "first", "with_spirit")


def attacks(state: Snapshot, player: int) -> Iterator[tuple[int, ...]]:
    """Yield the actions of every legal attack of a player (NINJA-10, 11)."""
    found = [0] * len(ACTIONS)
    for target in found[: legal_targets(state, player, found, 0)]:
        for card in found[: first_cards(state, player, target - TARGET, found)]:
            verb, colour = ACTIONS.decode(card)
            if verb == "first":
                count = second_cards(state, player, target - TARGET, colour, found)
                yield from ((target, card, second) for second in found[:count])
            else:
                yield target, card


class Attack:
    """An unfinished attack, with the legal attacks that can complete it."""

    def __init__(self, state: Snapshot, player: int, picks: Sequence[int]) -> None:
        self.picks = tuple(pick for pick in picks if belongs_to_attack(pick))
        self.target = next((pick for pick in self.picks if is_target(pick)), None)
        self.cards = Counter(attacker(pick) for pick in self.picks if not is_target(pick))
        self.open = [
            attack
            for attack in attacks(state, player)
            if self.target in (None, attack[0]) and self.cards <= Counter(attackers_of(attack))
        ]
        exact = [attack for attack in self.open if Counter(attackers_of(attack)) == self.cards]
        whole = exact or (self.open if self.picks else [])
        self.whole = whole[0] if len(whole) == 1 else None

    @property
    def targets(self) -> set[int]:
        """The targets that the picked cards can attack."""
        return {attack[0] for attack in self.open}

    def takes(self, kind: int) -> bool:
        """Return whether one more card of this kind can join the attack."""
        more = self.cards + Counter([kind])
        return any(more <= Counter(attackers_of(attack)) for attack in self.open)

    def picked(self, choice: int) -> tuple[int, ...]:
        """Return the picks after one more pick, which adds or removes a card, or replaces the target."""
        if choice in self.picks:
            return tuple(pick for pick in self.picks if pick != choice)
        return (*(pick for pick in self.picks if not (is_target(choice) and is_target(pick))), choice)


def picks_of(state: Snapshot, player: int, actions: Sequence[int]) -> list[int]:
    """Return the picks of a move: the target and then the attacking cards of an attack, or otherwise the action
    itself."""
    if not is_target(actions[0]):
        return [*actions]
    picks = [actions[0]]
    for kind in attackers_of(actions):
        if Attack(state, player, picks).whole == tuple(actions):
            break
        picks.append(pick_of(kind, picks))
    return picks


def pick_of(kind: int, picks: Sequence[int]) -> int:
    """Return the pick that adds one more card of a kind."""
    if kind == SPIRIT:
        return WITH_SPIRIT
    return FIRST + kind if WITH + kind in picks else WITH + kind
