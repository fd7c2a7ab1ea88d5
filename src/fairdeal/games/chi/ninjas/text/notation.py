"""Chaos Ninjas: moves in writing (docs/rules/chi.md, part 2, section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.piles import find
from fairdeal.engine.records import Record
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas.cards import CODES, EXAMPLES, KIND_OF, kind_in_play
from fairdeal.games.chi.ninjas.rules.legal import target_seat
from fairdeal.games.chi.ninjas.state import (
    ANSWER,
    CARD,
    COUNTER,
    DEFENDER,
    DISCARDING,
    FIRST,
    GIVING,
    IN_PLAY,
    NO_ACTION,
    PASS,
    PLAY,
    ROB,
    SCOUTING,
    SKIP,
    SPIRIT,
    SPIRIT_IN_PLAY,
    SUFFERING,
    TAKING,
    TARGET,
    USE_DECOY,
    WITH,
    WITH_SPIRIT,
)
from fairdeal.games.chi.state import ROW

WORDS = {"counter": ANSWER, "pass": PASS, "skip": SKIP, "decoy": USE_DECOY, "none": NO_ACTION}
VERBS = {GIVING: "give", TAKING: "take", SCOUTING: "discard", SUFFERING: "discard", DISCARDING: "discard"}
"""What a card of the ids from CARD is for, by phase."""

NOT_NOW = {
    "give": ("only who is robbed gives a card", "NINJA-34"),
    "take": ("cards of the discard pile are taken only by a Medic that arrives", "NINJA-39"),
    "discard": ("a card is discarded to a Scout, to a Thorn, or above the limit", "NINJA-03"),
}
MOVE = re.compile(r"(draw|play|rob|give|take|discard) (\S{1,20})")
ATTACK = re.compile(r"attack (\d{1,3}):(\d{1,3}) (\S{1,20})(?: (\S{1,20}))?")
KNOWN = (
    "`draw 3`, `play def-red`, `attack 1:0 atk-red`, `attack 1:0 atk-blue atk-pink`, `counter`, `pass`, `decoy`, "
    "`rob 1`, `give atk-red`, `take def-red`, `discard atk-red`, `skip` or `none`"
)


def write_move(state: Record, player: int, actions: Sequence[int]) -> str:
    """The text of a move: an attack is two actions or three, everything else one."""
    action = actions[0]
    if TARGET <= action < WITH:
        return write_attack(state, player, actions)
    if action < PLAY:
        return f"draw {action}"
    if action < TARGET:
        return f"play {CODES[kind_in_play(action - PLAY)]}"
    if ROB <= action < CARD:
        return f"rob {(player + action - ROB + 1) % int(state.players)}"
    if CARD <= action < NO_ACTION:
        return f"{VERBS.get(int(state.phase), 'discard')} {CODES[action - CARD]}"
    return next(word for word, number in WORDS.items() if number == action)


def write_attack(state: Record, player: int, actions: Sequence[int]) -> str:
    target = actions[0] - TARGET
    seat = int(target_seat(state, player, target))
    place = int(find(state.areas[seat], kind_in_play(target % IN_PLAY)))
    cards = " ".join(CODES[kind] for kind in attackers_of(actions))
    return f"attack {seat}:{place} {cards}"


def attackers_of(actions: Sequence[int]) -> list[int]:
    """The attacking cards of an attack's actions."""
    first = {WITH_SPIRIT: SPIRIT}
    return [first.get(action, action - (FIRST if action >= FIRST else WITH)) for action in actions[1:]]


def read_move(state: Record, player: int, text: str) -> list[int]:
    """The actions of a move. Raises IllegalMove for what cannot be read or can never be an action."""
    if text in WORDS:
        return [WORDS[text]]
    attack = ATTACK.fullmatch(text)
    if attack:
        return read_attack(state, player, text, attack)
    parts = MOVE.fullmatch(text)
    if not parts:
        raise IllegalMove(text, f"write {KNOWN}")
    verb, what = parts.groups()
    if verb == "draw":
        return [read_number(text, what, 0, ROW - 1, "the row has the places", "CHI-20")]
    if verb == "rob":
        return [read_robbery(state, player, text, what)]
    kind = read_kind(text, what)
    if verb == "play":
        return [read_play(text, kind)]
    if verb != VERBS.get(int(state.phase), "discard"):
        raise IllegalMove(text, NOT_NOW[verb][0], NOT_NOW[verb][1])
    if verb == "take" and not DEFENDER <= kind < COUNTER:
        raise IllegalMove(text, f"{what} is no Defender", "NINJA-39")
    return [CARD + kind]


def read_number(text: str, number: str, lowest: int, highest: int, which: str, clause: str) -> int:
    if not number.isdecimal() or len(number) > 4 or not lowest <= int(number) <= highest:
        raise IllegalMove(text, f"{which} {lowest} to {highest}", clause)
    return int(number)


def read_kind(text: str, card: str) -> int:
    kind = KIND_OF.get(card)
    if kind is None:
        raise IllegalMove(text, f"{card!r} is no card: {EXAMPLES}", "NINJA-01")
    return kind


def read_play(text: str, kind: int) -> int:
    if kind == SPIRIT:
        return PLAY + SPIRIT_IN_PLAY
    if not DEFENDER <= kind < COUNTER:
        raise IllegalMove(text, "only Defenders and Spirits are played in front of you", "NINJA-05")
    return PLAY + kind - DEFENDER


def read_robbery(state: Record, player: int, text: str, seat: str) -> int:
    robbed = read_number(text, seat, 0, int(state.players) - 1, "the seats are", "NINJA-34")
    if robbed == player:
        raise IllegalMove(text, "nobody robs himself", "NINJA-34")
    return ROB + (robbed - player) % int(state.players) - 1


def read_attack(state: Record, player: int, text: str, parts: re.Match[str]) -> list[int]:
    """Two Attackers are read in any order; cards of a kind in play are the same target."""
    seat = read_number(text, parts[1], 0, int(state.players) - 1, "the seats are", "NINJA-10")
    if seat == player:
        raise IllegalMove(text, "only cards of opponents are attacked", "NINJA-10")
    area = state.areas[seat]
    if int(parts[2]) >= area.length:
        raise IllegalMove(text, f"seat {seat} has {int(area.length)} cards in play, counted from 0", "NINJA-10")
    number = min(int(area.cards[int(parts[2])]) - DEFENDER, SPIRIT_IN_PLAY)
    target = TARGET + IN_PLAY * ((seat - player) % int(state.players) - 1) + number
    cards = sorted(read_kind(text, card) for card in parts.groups()[2:] if card)
    if cards == [SPIRIT]:
        return [target, WITH_SPIRIT]
    if any(kind >= COLOURS for kind in cards):
        raise IllegalMove(text, "Attackers attack, alone or two together", "NINJA-11")
    if len(cards) == 1:
        return [target, WITH + cards[0]]
    return [target, FIRST + cards[0], WITH + cards[1]]
