"""Chaos Ninjas: why a move is not legal, or a card that is tapped cannot be chosen, in words and with the clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import EMPTY
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF, a_card
from fairdeal.games.chi.ninjas.rules.legal import (
    cards_in_play,
    kind_in_play,
    number_in_play,
    open_to_pairs,
    walls,
)
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import (
    ACT,
    ACTIONS,
    COUNTER,
    DECOYING,
    DEFENDER,
    DUEL,
    ROBBING,
    SAME_COLOUR,
    SPIRIT,
    SPIRIT_IN_PLAY,
    STRIKING,
    TAKING,
    WILD,
)
from fairdeal.games.chi.ninjas.text.asked import ASKED
from fairdeal.games.chi.ninjas.text.draft import belongs_to_attack
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, read_move

Why = tuple[str, str]
"""Words and a clause."""

FITTING = {
    ACT: ("draw", "play", "target", "no_action"),
    STRIKING: ("target", "skip"),
    ROBBING: ("rob",),
    DUEL: ("answer", "pass"),
    DECOYING: ("skip", "use_decoy"),
    TAKING: ("card", "skip"),
}
"""What a phase asks for; all others ask for a card."""

NOT_ON_TURN: dict[str, Why] = {
    "rob": ("only a Pickpocket that arrives robs somebody", "NINJA-34"),
    "answer": ("a Counter answers an attack, and there is none", "CHI-41"),
    "pass": ("a turn may not be passed: draw, play a card, or attack", "CHI-13"),
    "skip": ("there is nothing to decline", "NINJA-30"),
    "use_decoy": ("a Decoy falls only in place of another card", "NINJA-41"),
}
NO_DISCARD = "cards are discarded only at the end of a turn, above the limit", "NINJA-03"


def explain(state: Snapshot, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    actions = read_move(state, player, text)
    reason = wrong_phase(state, player, actions[0]) or not_possible(state, player, actions)
    return IllegalMove(text, *reason) if reason else None


def wrong_phase(state: Snapshot, player: int, action: int) -> Why | None:
    verb = ACTIONS.decode(action).verb
    if verb in FITTING.get(state.phase, ("card",)):
        return None
    if state.phase in ASKED:
        asked = ASKED[state.phase]
        return asked.move.format(limit=hand_limit(state, player)), asked.clause
    return NOT_ON_TURN.get(verb, NO_DISCARD)


def not_possible(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    hand = state.hands[player].held
    match ACTIONS.decode(actions[0]):
        case "draw", place if state.row[place] == EMPTY:
            return "this place of the row is empty", "CHI-51"
        case "play", number:
            return no_play(state, hand, kind_in_play(number))
        case "target", _:
            return no_attack(state, player, actions)
        case "answer", _ if COUNTER not in hand:
            return "there is no Counter in your hand", "CHI-41"
        case "rob", _:
            return "rob somebody who has more hand cards than you", "NINJA-34"
        case "card", kind:
            pile = "in the discard pile" if state.phase == TAKING else "in your hand"
            return f"{CODES[kind]} is not {pile}", ASKED[state.phase].clause
        case "no_action", _:
            return "something else can be done", "CHI-13"
    return None


def no_play(state: Snapshot, hand: list[int], kind: int) -> Why | None:
    if kind == SPIRIT and state.options.spirit == WILD:
        return "at this table a Spirit attacks, and is not played in front of you", "NINJA-20"
    if kind not in hand:
        return f"{CODES[kind]} is not in your hand", "NINJA-20" if kind == SPIRIT else "NINJA-05"
    return None


def no_attack(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    """NINJA-07, 10, 11, 20, 35, 40."""
    cards = attackers_of(actions)
    seat, kind = aimed_at(state, player, actions[0])
    number = number_in_play(kind)
    missing = Counter(cards) - Counter(state.hands[player].held)
    if SPIRIT in cards and state.options.spirit != WILD:
        return "at this table a Spirit is played in front of you, and does not attack", "NINJA-20"
    if missing:
        twice = " twice" if len(set(cards)) < len(cards) else ""
        return f"{CODES[min(missing)]} is not in your hand{twice}", "NINJA-10"
    if not cards_in_play(state, seat) >> number & 1:
        return "two Defenders that lie on each other are safe", "NINJA-07"
    return no_pair(state, seat, number, cards) if len(cards) == 2 else no_single(state, number, cards[0])


def no_single(state: Snapshot, number: int, kind: int) -> Why | None:
    """NINJA-10, 20, 40: why one card does not attack another."""
    if number == SPIRIT_IN_PLAY:
        return "a Spirit falls only to two Attackers", "NINJA-20"
    if walls(state) >> number & 1:
        return "a Wall falls only to two Attackers", "NINJA-40"
    if kind not in (number, SPIRIT):
        return f"one Attacker must be {COLOUR_NAMES[number]}; of other colours it takes two", "NINJA-10"
    return None


def no_pair(state: Snapshot, seat: int, number: int, cards: Sequence[int]) -> Why | None:
    """NINJA-11, 35: why two cards do not attack another."""
    if not open_to_pairs(state, seat) >> number & 1:
        return "a Shieldbearer guards it against two cards", "NINJA-35"
    if number in cards and not walls(state) >> number & 1:
        return f"{a_card(number)} suffices alone: two must both be of other colours", "NINJA-11"
    if state.options.pair_attack == SAME_COLOUR and cards[0] != cards[1]:
        return "at this table two Attackers must be of one colour", "NINJA-11"
    return None


# --- cards that are tapped --------------------------------------------------------------------------------------


def why(state: Snapshot, viewer: int, picks: Sequence[int], card: str) -> Why:
    """Why a card of the table cannot be chosen now, and the clause."""
    if state.over:
        return "The game is over.", "NINJA-06"
    if viewer not in state.acting:
        if state.phase == DUEL:
            return "Only the two who fight may answer.", "NINJA-12"
        return "It is not your turn.", "NINJA-02"
    code, _, copy = card.partition(".")
    if code not in KIND_OF or not copy.isdecimal() or len(copy) > 2:
        return "Nobody may look at this card.", "CHI-05"
    if state.phase not in (ACT, STRIKING):
        return ASKED[state.phase].tap, ASKED[state.phase].clause
    kind, attacking = KIND_OF[code], any(belongs_to_attack(pick) for pick in picks)
    zone = zone_of(state, viewer, kind, int(copy))
    if zone == "hand" and kind == COUNTER:
        return "A Counter answers an attack; on your own turn it stays in hand.", "NINJA-12"
    if zone == "hand" and kind < DEFENDER:
        if attacking:
            return "This Attacker does not go with what is chosen.", "NINJA-11"
        return "Nothing in front of others falls to it alone, nor to it and another Attacker of yours.", "NINJA-10"
    if zone == "hand" and kind == SPIRIT and state.options.spirit == WILD:
        return "A Spirit attacks alone, and there is no Defender that it could fell.", "NINJA-20"
    if zone in ("hand", "row"):  # on a plain turn it can be played, or taken
        return ASKED[STRIKING].tap, ASKED[STRIKING].clause
    if zone == "discard":
        return "Only a Medic that arrives takes a card from the discard pile.", "NINJA-39"
    if zone == viewer:
        return "This is yours: you attack what lies in front of others.", "NINJA-10"
    return not_attacked(state, int(zone), kind, attacking)


def zone_of(state: Snapshot, viewer: int, kind: int, copy: int) -> str | int:
    """Where a card lies: scenes number the copies of a kind from the discard pile over the areas and the hand to the
    row. An area is told by its seat."""
    piles: list[tuple[str | int, int]] = [
        ("discard", state.discard[kind]),
        *((seat, area.held.count(kind)) for seat, area in enumerate(state.areas)),
        ("hand", state.hands[viewer].held.count(kind)),
    ]
    for zone, number in piles:
        if copy <= number:
            return zone
        copy -= number
    return "row"


def not_attacked(state: Snapshot, seat: int, kind: int, attacking: bool) -> Why:
    """NINJA-07, 10, 20, 35, 40: why a card of an opponent is out of reach."""
    number = number_in_play(kind)
    if not cards_in_play(state, seat) >> number & 1:
        return "Two Defenders that lie on each other are safe.", "NINJA-07"
    if attacking:
        return "What is chosen does not attack this card.", "NINJA-10"
    wall = walls(state) >> number & 1
    if not open_to_pairs(state, seat) >> number & 1:
        if wall:
            return "Only two Attackers could fell it, and a Shieldbearer guards it against two.", "NINJA-35"
        return f"Behind a Shieldbearer it takes {a_card(number)}, and you have none.", "NINJA-35"
    clause = "NINJA-10" if not wall else "NINJA-20" if number == SPIRIT_IN_PLAY else "NINJA-40"
    return needed(state, seat, kind), clause


def needed(state: Snapshot, seat: int, kind: int) -> str:
    """NINJA-10, 20, 35, 40: what brings a card in play down."""
    number = number_in_play(kind)
    if walls(state) >> number & 1:
        return "It takes two Attackers, of any colours."
    if not open_to_pairs(state, seat) >> number & 1:
        return f"It takes {a_card(number)}: a Shieldbearer guards it against two."
    return f"It takes {a_card(number)}, or two of other colours."
