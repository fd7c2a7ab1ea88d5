"""CHI: the JSON form of positions (docs/rules/chi.md, part 1, section 4)."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import (
    CardCounter,
    codes_of,
    in_range,
    number_of,
    opened,
    read_deck,
    read_hand,
    sized,
)
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.cards import CODES, KIND_OF, stack_cards
from fairdeal.games.chi.colours import colour_of
from fairdeal.games.chi.rules import play as rules
from fairdeal.games.chi.text.written import Written, read_discard, read_row, write_piles

PHASES = ("act", "duel", "discard", "over")
TWO_SEATS = "give one item for each of the two seats"


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return the JSON form of a state (section 4), with `?` for unknown cards.

    `seen` lists the cards of each hand that were taken from the row, for viewers with recall.
    """
    seen = [codes_of(CODES, pile.held) for pile in state.seen]
    position: dict[str, Any] = {
        "start": state.match.first,
        "turn": state.turn,
        "phase": PHASES[state.phase],
        "turn_no": state.turn_no,
        "last_turn": bool(state.last_turn),
        "hands": [codes_of(CODES, hand.held) for hand in state.hands],
        "areas": [[codes_of(CODES, stack_cards(stack)) for stack in area.held] for area in state.areas],
        **write_piles(state, CODES),
        "duel": write_duel(state),
    }
    return position | ({"seen": seen} if any(seen) else {})


def write_duel(state: Snapshot) -> dict[str, Any] | None:
    if state.phase != chi.DUEL:
        return None
    duel = state.duel
    cards = codes_of(CODES, [chi.YIN + duel.colour, *[chi.CHI] * duel.counters])
    return {"attacker": duel.attacker, "cards": cards, "target": duel.target, "to_act": duel.answering}


class Duel(msgspec.Struct, forbid_unknown_fields=True):
    """The current conflict: the attacker, the cards played, the index of the attacked stack, and the seat that must
    respond."""

    attacker: int
    cards: list[str]
    target: int
    to_act: int


def two_empty() -> list[Any]:
    """Return an empty list for each seat."""
    return [[], []]


class Position(Written):
    """The fields of a position. Fields that can be omitted have a default."""

    last_turn: bool = False
    areas: list[list[list[str]]] = msgspec.field(default_factory=two_empty)
    duel: Duel | None = None
    seen: list[list[str]] = msgspec.field(default_factory=two_empty)


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    start_match(state, 1, in_range("start", given.start, 0, 1))
    state.turn = in_range("turn", given.turn, 0, 1)
    state.turn_no = read_turn_number(given)
    state.last_turn = given.last_turn
    state.phase = number_of("phase", given.phase, PHASES)
    in_deck = chi.IN_DECK[state.options.yang_layout].tolist()
    counted = CardCounter(CODES, in_deck, "yin-red, yang3-red, yang6-teal, chi", "CHI-01, CHI-02")
    read_cards(state, given, counted)
    read_duel(state, given, counted)
    read_deck(state.deck, given.deck, given.deck_size, counted)
    read_turn(state, given)


def read_turn_number(given: Position) -> int:
    """Return the number of the turn. Turns are counted from 1, and the start player has the odd ones."""
    if given.turn_no is None:
        return 1 if given.turn == given.start else 2
    number = in_range("turn_no", given.turn_no, 1, 2000)
    if (number % 2 == 1) != (given.turn == given.start):
        raise BadPosition("turn_no", number, "odd turns belong to the start player, even turns to the other [CHI-10]")
    return number


def read_cards(state: Record, given: Position, counted: CardCounter) -> None:
    for seat, codes in enumerate(sized("hands", given.hands, chi.SEATS, TWO_SEATS)):
        read_hand(state.hands[seat], f"hands[{seat}]", codes, chi.MOST_IN_HAND - 1, counted)
    for seat, codes in enumerate(sized("seen", given.seen, chi.SEATS, TWO_SEATS)):
        held = Counter(given.hands[seat])
        for place, text in enumerate(codes):
            if text not in KIND_OF or not held[text]:
                raise BadPosition(f"seen[{seat}][{place}]", text, "this card is not in the hand of that seat")
            held[text] -= 1
            piles.insert(state.seen[seat], KIND_OF[text])
    for seat, stacks in enumerate(sized("areas", given.areas, chi.SEATS, TWO_SEATS)):
        read_area(state, seat, stacks, counted)
    read_row(state, given.row, counted)
    read_discard(state, given.discard, counted)


def read_area(state: Record, seat: int, stacks: list[list[str]], counted: CardCounter) -> None:
    """CHI-31..34: read the stacks of an area, which are single Yang or two 3s of a colour."""
    area, most = state.areas[seat], state.options.stacks_to_end
    if len(stacks) > most:
        raise BadPosition(f"areas[{seat}]", len(stacks), f"an area has at most {most} stacks [CHI-60]")
    for number, codes in enumerate(stacks):
        path = f"areas[{seat}][{number}]"
        kinds = counted.read(path, codes)
        if not kinds or not all(chi.YANG_3 <= kind < chi.CHI for kind in kinds):
            raise BadPosition(path, codes, "a stack must be one Yang, or two 3-point Yang of one colour [CHI-31]")
        stack = kinds[0] - chi.YANG_3
        if len(kinds) > 1:
            if len(kinds) > 2 or kinds[0] != kinds[1] or kinds[0] >= chi.YANG_6:
                raise BadPosition(path, codes, "only two 3-point Yang of one colour can form a stack [CHI-31]")
            stack = kinds[0] - chi.YANG_3 + chi.PAIR_OF_3
        if piles.find(area, stack) >= 0:
            raise BadPosition(path, codes, f"{CODES[kinds[0]]} has a stack already; equal 3s go on one stack [CHI-31]")
        piles.push(area, stack)


def read_duel(state: Record, given: Position, counted: CardCounter) -> None:
    """CHI-40, 41: read the cards of the current conflict."""
    if (given.duel is not None) != (given.phase == "duel"):
        raise BadPosition("duel", None if given.duel is None else "", "required in phase duel, not allowed in others")
    if given.duel is None:
        return
    duel, attacker = state.duel, in_range("duel.attacker", given.duel.attacker, 0, 1)
    if attacker != given.turn:
        raise BadPosition("duel.attacker", attacker, "the attacker must be the player on turn [CHI-40]")
    kinds = counted.read("duel.cards", given.duel.cards)
    if not kinds or kinds[0] >= chi.YANG_3 or any(kind != chi.CHI for kind in kinds[1:]):
        raise BadPosition("duel.cards", given.duel.cards, "give a Yin, then each Chi played since [CHI-41]")
    area = state.areas[1 - attacker]
    target = in_range("duel.target", given.duel.target, 0, area.length - 1)
    stack = area.cards[target]
    if stack >= chi.PAIR_OF_3 or colour_of(stack) != colour_of(kinds[0]):
        raise BadPosition("duel.target", target, "the target must be a single Yang of the Yin's colour [CHI-40]")
    counters = len(kinds) - 1
    answering = in_range("duel.to_act", given.duel.to_act, 0, 1)
    if answering != (1 - attacker if counters % 2 == 0 else attacker):
        raise BadPosition("duel.to_act", answering, "defender and attacker must answer in turn [CHI-41]")
    duel.attacker, duel.colour, duel.target = attacker, colour_of(kinds[0]), target
    duel.counters, duel.answering = counters, answering


def read_turn(state: Record, given: Position) -> None:
    """Set the seats that may act in the phase, and check that the phase fits the hands and areas."""
    turn, phase = state.turn, state.phase
    size, limit = state.hands[turn].length, state.options.hand_limit
    if phase == chi.DISCARDING and size <= limit:
        reason = f"the player on turn has {count_of(size, 'card')} and the limit is {limit} [CHI-11]"
        raise BadPosition("phase", given.phase, reason)
    if phase == chi.OVER:
        state.over = 1
        state.to_act = 0
        return
    if phase == chi.ACT and rules.has_full_area(state) and not given.last_turn:
        raise BadPosition("last_turn", False, "a player has all stacks, so this must be the last turn [CHI-60]")
    state.to_act = 1 << (state.duel.answering if phase == chi.DUEL else turn)
