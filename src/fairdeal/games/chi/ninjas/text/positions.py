"""Chaos Ninjas: the JSON form of positions (docs/rules/chi.md, part 2, section 4)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import CardCounter, codes_of, in_range, number_of, opened, read_deck, sized
from fairdeal.engine.kit.snapshots import Snapshot, seats_in
from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas.cards import CODES
from fairdeal.games.chi.ninjas.rules.attacks import may_use_decoy
from fairdeal.games.chi.ninjas.rules.hands import hold
from fairdeal.games.chi.ninjas.rules.play import clear_table, copies_in_deck, may_heal, may_rob
from fairdeal.games.chi.ninjas.rules.turns import begin_turn, finish, hand_limit
from fairdeal.games.chi.ninjas.state import COUNTER, DEFENDER, MOST_IN_HAND, PHASES, SPIRIT, TO_WIN, WILD
from fairdeal.games.chi.ninjas.text.explain import out_of_reach
from fairdeal.games.chi.text.written import Written, read_discard, read_row, write_piles

MOST_GIVEN = MOST_IN_HAND - 4
"""Maximum number of cards in a hand of a given position. More cards can be drawn or returned during the turn."""

VIEWERS = "0123s"
"""The characters for viewers: `0` to `3` for seats, and `s` for spectators."""


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return the JSON form of a state (section 4), with `?` for unknown cards."""
    hands, areas = state.hands[: state.players], state.areas[: state.players]
    seen = [[viewers(known) for known in hand.known[: hand.length]] for hand in hands]
    position: dict[str, Any] = {
        "start": state.match.first,
        "turn": state.turn,
        "phase": PHASES[state.phase],
        "turn_no": state.turn_no,
        "hands": [codes_of(CODES, hand.held) for hand in hands],
        "areas": [codes_of(CODES, area.held) for area in areas],
        **write_piles(state, CODES),
        "duel": write_duel(state),
        "robbed": state.robbed if PHASES[state.phase] == "give" else None,
    }
    if state.over:
        position["winners"] = list(seats_in(state.winners))
    return position | ({"seen": seen} if any(map(any, seen)) else {})


def viewers(known: int) -> str:
    """Return a set of viewers as text, such as `02s`."""
    return "".join(sign for number, sign in enumerate(VIEWERS) if known >> number & 1)


def write_duel(state: Snapshot) -> dict[str, Any] | None:
    if PHASES[state.phase] not in ("duel", "decoy"):
        return None
    duel = state.duel
    kinds = [kind for kind in duel.cards if kind != EMPTY] + [COUNTER] * duel.counters
    cards, target = codes_of(CODES, kinds), [duel.defender, duel.target]
    return {"attacker": duel.attacker, "cards": cards, "target": target, "to_act": duel.answering}


class Duel(msgspec.Struct, forbid_unknown_fields=True):
    """The current attack: the attacker, the cards played, the target as seat and index, and the seat that must
    respond."""

    attacker: int
    cards: list[str]
    target: list[int]
    to_act: int


class Position(Written):
    """The fields of a position. Fields that can be omitted have a default."""

    areas: list[list[str]] | None = None
    duel: Duel | None = None
    robbed: int | None = None
    winners: list[int] | None = None
    seen: list[list[str]] | None = None


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options.

    If a turn begins, the game may end by NINJA-06. No other automatic step is carried out.
    """
    given, state = opened(position, Position, state)
    players = state.players
    clear_table(state)
    start_match(state, 1, in_range("start", given.start, 0, players - 1))
    state.turn = in_range("turn", given.turn, 0, players - 1)
    state.turn_no = read_turn_number(state, given)
    state.phase = number_of("phase", given.phase, PHASES)
    in_deck = [int(copies_in_deck(state, kind)) for kind in range(len(CODES))]
    counted = CardCounter(CODES, in_deck, "atk-red, def-red, counter, spirit", "NINJA-01")
    read_hands(state, given, counted)
    for seat, codes in enumerate(sized("areas", given.areas or [[]] * players, players, seats_of(players))):
        read_area(state, seat, codes, counted)
    read_row(state, given.row, counted)
    read_discard(state, given.discard, counted)
    read_duel(state, given, counted)
    read_deck(state.deck, given.deck, given.deck_size, counted)
    read_asked(state, given)


def seats_of(players: int) -> str:
    return f"give one item for each of the {players} seats"


def read_turn_number(state: Record, given: Position) -> int:
    """NINJA-02: return the number of the turn. Turns are counted from 1, in the order of the seats."""
    players = state.players
    distance = (given.turn - given.start) % players
    if given.turn_no is None:
        return 1 + distance
    number = in_range("turn_no", given.turn_no, 1, state.options.turn_limit)
    if (number - 1) % players != distance:
        reason = f"seat {given.turn} has turn {1 + distance} and every {players} turns after it [NINJA-02]"
        raise BadPosition("turn_no", number, reason)
    return number


def read_hands(state: Record, given: Position, counted: CardCounter) -> None:
    players = state.players
    hands = sized("hands", given.hands, players, seats_of(players))
    seen = sized("seen", given.seen or [[""] * len(hand) for hand in hands], players, seats_of(players))
    for seat, codes in enumerate(hands):
        if len(codes) > MOST_GIVEN:
            raise BadPosition(f"hands[{seat}]", len(codes), f"a hand has at most {MOST_GIVEN} cards")
        sized(
            f"seen[{seat}]",
            seen[seat],
            len(codes),
            f"give {count_of(len(codes), 'item')}, one for each card in that hand",
        )
        for place, text in enumerate(codes):
            known = read_viewers(f"seen[{seat}][{place}]", seen[seat][place], players, text)
            hold(state.hands[seat], counted.kind(f"hands[{seat}][{place}]", text, unknown=True), known)


def read_viewers(path: str, given: str, players: int, text: str) -> int:
    known = 0
    for sign in given:
        if sign not in VIEWERS[:players] + "s" or text == "?":
            raise BadPosition(
                path, given, "list the seats that have seen the card, and `s` for spectators, such as `02s`"
            )
        known |= 1 << VIEWERS.index(sign)
    return known


def read_area(state: Record, seat: int, codes: list[str], counted: CardCounter) -> None:
    """NINJA-06, 20: read the cards in play: Defenders, and Spirits if they are guardians."""
    path = f"areas[{seat}]"
    if len(codes) > TO_WIN:
        raise BadPosition(path, len(codes), f"a player has at most {TO_WIN} cards in play [NINJA-06]")
    for place, kind in enumerate(counted.read(path, codes)):
        if not DEFENDER <= kind < COUNTER and (kind != SPIRIT or state.options.spirit == WILD):
            reason = "only Defenders and guardian Spirits can be in play [NINJA-05, NINJA-20]"
            raise BadPosition(f"{path}[{place}]", codes[place], reason)
        piles.push(state.areas[seat], kind)


def read_duel(state: Record, given: Position, counted: CardCounter) -> None:
    """NINJA-10, 12, 14: read the cards of the current attack."""
    if (given.duel is not None) != (given.phase in ("duel", "decoy")):
        raise BadPosition(
            "duel", None if given.duel is None else "", "required in phases duel and decoy, not allowed in others"
        )
    if given.duel is None:
        return
    duel, last = state.duel, state.players - 1
    duel.attacker = in_range("duel.attacker", given.duel.attacker, 0, last)
    if given.duel.attacker != given.turn:
        raise BadPosition("duel.attacker", given.duel.attacker, "the attacker must be the player on turn [NINJA-10]")
    read_target(state, given.duel)
    kinds = counted.read("duel.cards", given.duel.cards)
    duel.answering = in_range("duel.to_act", given.duel.to_act, 0, last)
    if given.phase == "duel":
        read_fight(state, given.duel, kinds)
    elif kinds or given.duel.to_act != duel.defender or not may_use_decoy(state):
        reason = "phase decoy needs a defender with a Decoy to act, and no cards [NINJA-41]"
        raise BadPosition("duel", "", reason)


def read_target(state: Record, given: Duel) -> None:
    seat, number = sized("duel.target", given.target, 2, "give a seat and the index of a card in front of it")
    state.duel.defender = in_range("duel.target[0]", seat, 0, state.players - 1)
    if seat == given.attacker:
        raise BadPosition("duel.target[0]", seat, "the target must be an opponent's card [NINJA-10]")
    state.duel.target = in_range("duel.target[1]", number, 0, state.areas[seat].length - 1)


def read_fight(state: Record, given: Duel, kinds: list[int]) -> None:
    """NINJA-10, 11, 12: read one or two attacking cards and the Counters played on them."""
    cards = sorted(kind for kind in kinds if kind != COUNTER)
    counters = len(kinds) - len(cards)
    if not 1 <= len(cards) <= 2 or kinds[len(cards) :] != [COUNTER] * counters:
        reason = "give one or two attacking cards, then the Counters [NINJA-10, NINJA-12]"
        raise BadPosition("duel.cards", given.cards, reason)
    duel = state.duel
    kind = state.areas[duel.defender].cards[duel.target]
    attackers = cards[-1] < COLOURS or (cards == [SPIRIT] and state.options.spirit == WILD)
    if not attackers or out_of_reach(state, duel.defender, kind, cards):
        raise BadPosition("duel.cards", given.cards, "these cards cannot attack that target [NINJA-10, NINJA-11]")
    if given.to_act != (duel.attacker if counters % 2 else duel.defender):
        raise BadPosition("duel.to_act", given.to_act, "defender and attacker must answer in turn [NINJA-12]")
    duel.cards[0], duel.cards[1] = (*cards, EMPTY)[:2]
    duel.counters = counters


def read_asked(state: Record, given: Position) -> None:
    """Set the seats that may act in the phase, and check that they have something to choose."""
    phase, last = given.phase, state.players - 1
    if (given.robbed is not None) != (phase == "give"):
        raise BadPosition("robbed", given.robbed, "required in phase give, not allowed in others [NINJA-34]")
    if (given.winners is not None) != (phase == "over"):
        raise BadPosition("winners", given.winners, "required in phase over, not allowed in others [NINJA-06]")
    if given.winners is not None:
        seats = {in_range(f"winners[{place}]", seat, 0, last) for place, seat in enumerate(given.winners)}
        if not seats:
            raise BadPosition("winners", given.winners, "give at least one winner [NINJA-06, NINJA-09]")
        finish(state, sum(1 << seat for seat in seats))
        return
    if phase == "act":
        state.turn_no -= 1
        begin_turn(state, given.turn)
        return
    asked = given.turn
    if given.duel is not None:
        asked = given.duel.to_act
    elif given.robbed is not None:
        state.robbed = asked = in_range("robbed", given.robbed, 0, last)
    reason = not_asked(state, phase, asked)
    if reason:
        raise BadPosition("phase", given.phase, reason)
    state.to_act = 1 << asked


def not_asked(state: Record, phase: str, asked: int) -> str:
    """Return the reason why a phase is impossible, for example because nothing can be chosen. Return an empty string if
    it is possible."""
    turn = state.turn
    size, limit = state.hands[asked].length, hand_limit(state, asked)
    if phase not in ("duel", "discard") and not state.options.abilities:
        return "Defenders have no abilities at this table [NINJA-30]"
    if phase == "discard" and size <= limit:
        return f"the player on turn has {count_of(size, 'card')} and the limit is {limit} [NINJA-03]"
    if phase == "rob" and not may_rob(state, asked):
        return "nobody has more cards in hand than the player on turn [NINJA-34]"
    if phase == "give" and (asked == turn or size <= state.hands[turn].length):
        return "the robbed player must have more cards in hand than the player on turn [NINJA-34]"
    if phase == "take" and not may_heal(state):
        return "there is no Defender in the discard pile [NINJA-39]"
    if phase in ("scout", "give", "thorn", "discard") and size == 0:
        return "the player to act has no cards in hand"
    return ""
