"""Chaos Ninjas: why a card that is tapped cannot be chosen now, in words and with the clause."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chi.ninjas.cards import KIND_OF, a_card
from fairdeal.games.chi.ninjas.rules.legal import cards_in_play, open_to_pairs, walls
from fairdeal.games.chi.ninjas.state import (
    ACT,
    COUNTER,
    DECOYING,
    DEFENDER,
    DISCARDING,
    DUEL,
    GIVING,
    ROBBING,
    SCOUTING,
    SPIRIT,
    SPIRIT_IN_PLAY,
    STRIKING,
    SUFFERING,
    TAKING,
    WILD,
)
from fairdeal.games.chi.ninjas.text.draft import belongs_to_attack
from fairdeal.games.chi.ninjas.text.explain import Why
from fairdeal.games.chi.text.telling import cards_of

ASKED: dict[int, Why] = {
    DUEL: ("An attack must be answered first, with a Counter or by letting it happen.", "CHI-41"),
    DECOYING: ("First say whether your Decoy falls instead.", "NINJA-41"),
    SCOUTING: ("The Scout asks for a card of your hand to discard.", "NINJA-32"),
    ROBBING: ("First choose whom your Pickpocket robs.", "NINJA-34"),
    GIVING: ("You are robbed: choose a card of your hand to give.", "NINJA-34"),
    TAKING: ("Your Medic may take a Defender from the discard pile.", "NINJA-39"),
    SUFFERING: ("The Thorn asks for a card of your hand to discard.", "NINJA-38"),
    DISCARDING: ("Your hand is over the limit: a card of it must be discarded first.", "NINJA-03"),
}


def why(state: Record, viewer: int, picks: Sequence[int], card: str) -> Why:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return "The game is over.", "NINJA-06"
    if viewer < 0 or not int(state.to_act) >> viewer & 1:
        if int(state.phase) == DUEL:
            return "Only the two who fight may answer.", "NINJA-12"
        return "It is not your turn.", "NINJA-02"
    code, _, copy = card.partition(".")
    kind = KIND_OF.get(code)
    if kind is None:
        return "Nobody may look at this card.", "CHI-05"
    if int(state.phase) in ASKED:
        return ASKED[int(state.phase)]
    zone = zone_of(state, viewer, kind, int(copy))
    if zone == "hand":
        return not_from_hand(state, kind, picks)
    if zone == "row":  # on a plain turn it can be taken
        return "A Striker may attack and do nothing else.", "NINJA-31"
    if zone == "discard":
        return "Only a Medic that arrives takes a card from the discard pile.", "NINJA-39"
    if zone == viewer:
        return "This is yours: you attack what lies in front of others.", "NINJA-10"
    return not_attacked(state, int(zone), kind, picks)


def zone_of(state: Record, viewer: int, kind: int, copy: int) -> str | int:
    """Where a card lies: scenes number the copies of a kind from the discard pile over the areas and the hand to the
    row. An area is told by its seat."""
    piles: list[tuple[str | int, int]] = [("discard", int(state.discard[kind]))]
    piles += [(seat, cards_of(state.areas[seat]).count(kind)) for seat in range(int(state.players))]
    piles += [("hand", cards_of(state.hands[viewer]).count(kind))]
    for zone, number in piles:
        if copy <= number:
            return zone
        copy -= number
    return "row"


def not_from_hand(state: Record, kind: int, picks: Sequence[int]) -> Why:
    if kind == COUNTER:
        return "A Counter answers an attack; on your own turn it stays in hand.", "NINJA-12"
    if kind < DEFENDER:
        if any(belongs_to_attack(pick) for pick in picks):
            return "This Attacker does not go with what is chosen.", "NINJA-11"
        return "Nothing in front of others falls to it alone, nor to it and another Attacker of yours.", "NINJA-10"
    if kind == SPIRIT and state.options.spirit == WILD:
        return "A Spirit attacks alone, and there is no Defender that it could fell.", "NINJA-20"
    if int(state.phase) == STRIKING or int(state.phase) == ACT:
        return "A Striker may attack and do nothing else.", "NINJA-31"
    return "This card cannot be played now.", "NINJA-05"


def not_attacked(state: Record, seat: int, kind: int, picks: Sequence[int]) -> Why:
    """NINJA-07, 10, 20, 35, 40: why a card of an opponent is out of reach."""
    number = min(kind - DEFENDER, SPIRIT_IN_PLAY)
    if not cards_in_play(state, seat) >> number & 1:
        return "Two Defenders that lie on each other are safe.", "NINJA-07"
    if any(belongs_to_attack(pick) for pick in picks):
        return "What is chosen does not attack this card.", "NINJA-10"
    wall = bool(walls(state) >> number & 1)
    if not open_to_pairs(state, seat) >> number & 1:
        if wall:
            return "Only two Attackers could fell it, and a Shieldbearer guards it against two.", "NINJA-35"
        return f"Behind a Shieldbearer it takes {a_card(number)}, and you have none.", "NINJA-35"
    if wall:
        return "It takes two Attackers, of any colours.", "NINJA-20" if number == SPIRIT_IN_PLAY else "NINJA-40"
    return f"It takes {a_card(number)}, or two of other colours.", "NINJA-10"
