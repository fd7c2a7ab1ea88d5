"""Chaos Ninjas: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import EMPTY, Record
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import CODES, a_card, kind_in_play
from fairdeal.games.chi.ninjas.rules.legal import cards_in_play, open_to_pairs, target_seat, walls
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import (
    ACT,
    ANSWER,
    CARD,
    COUNTER,
    DECOYING,
    DISCARDING,
    DUEL,
    GIVING,
    IN_PLAY,
    NO_ACTION,
    PASS,
    PLAY,
    ROB,
    ROBBING,
    SAME_COLOUR,
    SCOUTING,
    SKIP,
    SPIRIT,
    SPIRIT_IN_PLAY,
    STRIKING,
    SUFFERING,
    TAKING,
    TARGET,
    USE_DECOY,
    WILD,
    WITH,
)
from fairdeal.games.chi.ninjas.text.notation import attackers_of, read_move
from fairdeal.games.chi.text.telling import cards_of

Why = tuple[str, str]
"""Words and a clause."""

ASKED: dict[int, Why] = {
    DUEL: ("an attack must be answered first: `counter` or `pass`", "CHI-41"),
    DECOYING: ("say first whether the Decoy falls instead: `decoy` or `skip`", "NINJA-41"),
    STRIKING: ("the Striker may attack now: `attack` something, or `skip`", "NINJA-31"),
    SCOUTING: ("after a Scout a card is discarded", "NINJA-32"),
    ROBBING: ("choose whom the Pickpocket robs", "NINJA-34"),
    GIVING: ("you are robbed: `give` a card", "NINJA-34"),
    TAKING: ("the Medic may `take` a Defender from the discard pile, or `skip`", "NINJA-39"),
    SUFFERING: ("the Thorn makes you discard a card", "NINJA-38"),
}
"""What the phases other than a plain turn ask for."""

NOT_ON_TURN: dict[int, Why] = {
    ANSWER: ("a Counter answers an attack, and there is none", "CHI-41"),
    PASS: ("a turn may not be passed: draw, play a card, or attack", "CHI-13"),
    SKIP: ("there is nothing to decline", "NINJA-30"),
    USE_DECOY: ("a Decoy falls only in place of another card", "NINJA-41"),
}


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    actions = read_move(state, player, text)
    reason = wrong_phase(state, player, actions[0]) or not_possible(state, player, actions)
    return IllegalMove(text, *reason) if reason else None


def fits_phase(phase: int, action: int) -> bool:
    """Is an action of the sort that a phase asks for?"""
    if phase == ACT:
        return action < WITH or action == NO_ACTION
    if phase == STRIKING:
        return TARGET <= action < WITH or action == SKIP
    if phase == ROBBING:
        return ROB <= action < CARD
    if phase == DUEL:
        return action in (ANSWER, PASS)
    if phase == DECOYING:
        return action in (SKIP, USE_DECOY)
    return CARD <= action < NO_ACTION or (phase == TAKING and action == SKIP)


def wrong_phase(state: Record, player: int, action: int) -> Why | None:
    phase = int(state.phase)
    if fits_phase(phase, action):
        return None
    if phase == DISCARDING:
        return f"you have more than {hand_limit(state, player)} cards: discard one", "NINJA-03"
    if phase in ASKED:
        return ASKED[phase]
    if ROB <= action < CARD:
        return "only a Pickpocket that arrives robs somebody", "NINJA-34"
    return NOT_ON_TURN.get(action, ("cards are discarded only at the end of a turn, above the limit", "NINJA-03"))


def not_possible(state: Record, player: int, actions: Sequence[int]) -> Why | None:
    action = actions[0]
    if action < PLAY:
        return ("this place of the row is empty", "CHI-51") if state.row[action] == EMPTY else None
    if action < TARGET:
        return no_play(state, player, kind_in_play(action - PLAY))
    if action < WITH:
        return no_attack(state, player, actions)
    if action == ANSWER and find(state.hands[player], COUNTER) < 0:
        return "there is no Counter in your hand", "CHI-41"
    if ROB <= action < CARD:
        return "rob somebody who has more hand cards than you", "NINJA-34"
    if CARD <= action < NO_ACTION:
        if int(state.phase) == TAKING:
            return f"{CODES[action - CARD]} is not in the discard pile", "NINJA-39"
        return f"{CODES[action - CARD]} is not in your hand", ASKED.get(int(state.phase), ("", "NINJA-03"))[1]
    return ("something else can be done", "CHI-13") if action == NO_ACTION else None


def no_play(state: Record, player: int, kind: int) -> Why | None:
    if kind == SPIRIT and state.options.spirit == WILD:
        return "at this table a Spirit attacks, and is not played in front of you", "NINJA-20"
    if find(state.hands[player], kind) < 0:
        return f"{CODES[kind]} is not in your hand", "NINJA-20" if kind == SPIRIT else "NINJA-05"
    return None


def no_attack(state: Record, player: int, actions: Sequence[int]) -> Why | None:
    """NINJA-07, 10, 11, 20, 35, 40."""
    target, cards = actions[0] - TARGET, attackers_of(actions)
    missing = Counter(cards) - Counter(cards_of(state.hands[player]))
    seat, card = int(target_seat(state, player, target)), target % IN_PLAY
    if SPIRIT in cards and state.options.spirit != WILD:
        return "at this table a Spirit is played in front of you, and does not attack", "NINJA-20"
    if missing:
        return (
            f"{CODES[min(missing)]} is not in your hand{' twice' if len(set(cards)) < len(cards) else ''}",
            "NINJA-10",
        )
    if not cards_in_play(state, seat) >> card & 1:
        return "two Defenders that lie on each other are safe", "NINJA-07"
    if len(cards) == 2:
        return no_pair(state, seat, card, cards)
    return no_single(state, card, cards[0])


def no_single(state: Record, card: int, kind: int) -> Why | None:
    """NINJA-10, 20, 40: why one card does not attack another."""
    if card == SPIRIT_IN_PLAY:
        return "a Spirit falls only to two Attackers", "NINJA-20"
    if walls(state) >> card & 1:
        return "a Wall falls only to two Attackers", "NINJA-40"
    if kind not in (card, SPIRIT):
        return f"one Attacker must be {COLOUR_NAMES[card]}; of other colours it takes two", "NINJA-10"
    return None


def no_pair(state: Record, seat: int, card: int, cards: Sequence[int]) -> Why | None:
    """NINJA-11, 35: why two cards do not attack another."""
    if not open_to_pairs(state, seat) >> card & 1:
        return "a Shieldbearer guards it against two cards", "NINJA-35"
    if card in cards and not walls(state) >> card & 1:
        return f"{a_card(card)} suffices alone: two must both be of other colours", "NINJA-11"
    if state.options.pair_attack == SAME_COLOUR and cards[0] != cards[1]:
        return "at this table two Attackers must be of one colour", "NINJA-11"
    return None
