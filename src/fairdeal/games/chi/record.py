"""CHI: the record of a game, its JSON form and what observations show of it (docs/rules/chi.md, part 1, section 4)."""

from collections import Counter
from typing import Any, ClassVar

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit import piles
from fairdeal.engine.kit.forms import Form, one_of
from fairdeal.engine.kit.positions import CardCounter
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import pile
from fairdeal.engine.scene import count_of
from fairdeal.engine.scene.shown import InScene, cards_in
from fairdeal.engine.written import (
    Cards,
    Condition,
    Counts,
    Deck,
    Field,
    Flag,
    Hands,
    Number,
    Part,
    Phase,
    Position,
    Row,
    Seat,
    TurnNumber,
    Unwritten,
)
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.cards import CODES, KIND_OF, stack_cards
from fairdeal.games.chi.colours import colour_of
from fairdeal.games.chi.options import ChiOptions
from fairdeal.games.chi.rules.play import has_full_area

STACKS = tuple(tuple(CODES[kind] for kind in stack_cards(stack)) for stack in range(chi.CHI))
"""The codes of the cards of each stack."""


class Seen(Hands):
    """The cards of each hand that were taken from the row, in view of both players."""

    kind: ClassVar[Any] = list[list[str]] | None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for seat, codes in enumerate(self.items(given, state, [])):
            held = Counter(given.hands[seat])
            for place, code in enumerate(codes):
                if code not in KIND_OF or not held[code]:
                    raise BadPosition(f"seen[{seat}][{place}]", code, "this card is not in the hand of that seat")
                held[code] -= 1
                piles.insert(state.seen[seat], KIND_OF[code])


class Areas(Field):
    """CHI-31..34: for each seat, stacks of cards, each stored as one number."""

    kind: ClassVar[Any] = list[list[list[str]]] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(chi.MOST_STACKS), seats

    def in_json(self, state: Snapshot) -> Any:
        return [[list(STACKS[stack]) for stack in area.held] for area in state.areas]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        most = state.options.stacks_to_end
        for seat, stacks in enumerate(self.items(given, state, [])):
            if len(stacks) > most:
                raise BadPosition(f"areas[{seat}]", len(stacks), f"an area has at most {most} stacks [CHI-60]")
            for place, codes in enumerate(stacks):
                self.read_stack(f"areas[{seat}][{place}]", codes, state.areas[seat], counter)

    def read_stack(self, path: str, codes: list[str], area: Fields, counter: CardCounter) -> None:
        """Add a stack to an area. Raises BadPosition if its cards cannot be one."""
        counter.read(path, codes)
        if tuple(codes) not in STACKS:
            raise BadPosition(path, codes, "a stack must be one Yang, or two 3-point Yang of one colour [CHI-31]")
        stack = STACKS.index(tuple(codes))
        if piles.find(area, stack) >= 0:
            raise BadPosition(path, codes, f"{codes[0]} has a stack already; equal 3s go on one stack [CHI-31]")
        piles.push(area, stack)

    def forms(self) -> dict[str, Form]:
        words = "stacks, in order: single 3s, single 6s and pairs of 3s by colour"
        return {"areas.cards": one_of(chi.CHI, words=words)}

    def in_scene(self) -> list[InScene]:
        return [cards_in("area{}", "areas.cards", STACKS)]


class Played(Field):
    """CHI-40, 41: the Yin of the conflict and each Chi played since, stored as `colour` and `counters`."""

    kind: ClassVar[Any] = list[str]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return None

    def in_json(self, state: Snapshot) -> Any:
        return [CODES[chi.YIN + state.duel.colour], *[CODES[chi.CHI]] * state.duel.counters]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        kinds = counter.read("duel.cards", given.cards)
        if not kinds or kinds[0] >= chi.YANG_3 or any(kind != chi.CHI for kind in kinds[1:]):
            raise BadPosition("duel.cards", given.cards, "give a Yin, then each Chi played since [CHI-41]")
        state.duel.colour, state.duel.counters = kinds[0], len(kinds) - 1


def last_target(state: Fields) -> int:
    """Return the index of the last stack of the player who is attacked."""
    return state.areas[1 - state.duel.attacker].length - 1


POSITION = Position(
    Cards(
        CODES,
        lambda state: chi.IN_DECK[state.options.yang_layout],
        "yin-red, yang3-red, yang6-teal, chi",
        "CHI-01, CHI-02",
    ),
    options_record(ChiOptions),
    chi.SEATS,
    start=Seat(at="match.first"),
    turn=Seat("seat on turn"),
    phase=Phase("act, answer an attack, discard, over", names=("act", "duel", "discard", "over")),
    turn_no=TurnNumber(lowest=1, highest="turn_limit"),
    last_turn=Flag(),
    hands=Hands(room=chi.MOST_IN_HAND, most=chi.MOST_IN_HAND - 1, zone="hand{}", counter="in hand"),
    seen=Seen("cards of the hand taken face up from the row", room=chi.MOST_IN_HAND, sparse=True),
    areas=Areas(),
    row=Row(room=chi.ROW, clause="CHI-03", zone="row"),
    deck=Deck(room=chi.CARDS, zone="deck"),
    discard=Counts("number of cards of each kind", zone="discard"),
    duel=Part(
        phases=("duel",),
        parts={
            "attacker": Seat(required=True),
            "colour": Unwritten(form=one_of(chi.YANG_3)),
            "cards": Played(),
            "target": Number("index of the attacked stack", highest=last_target, required=True),
            "counters": Unwritten("number of Chi played so far"),
            "answering": Seat(key="to_act", required=True),
        },
    ),
)


def is_wrong_target(state: Snapshot) -> bool:
    stack = state.areas[1 - state.duel.attacker].cards[state.duel.target]
    return bool(stack >= chi.PAIR_OF_3 or colour_of(stack) != state.duel.colour)


def size_of_hand(state: Snapshot) -> str:
    held = count_of(state.hands[state.turn].length, "card")
    return f"the player on turn has {held} and the limit is {state.options.hand_limit} [CHI-11]"


CONDITIONS = (
    Condition(
        "turn_no",
        "odd turns belong to the start player, even turns to the other [CHI-10]",
        lambda state: (state.turn_no % 2 == 1) != (state.turn == state.match.first),
    ),
    Condition(
        "duel.attacker",
        "the attacker must be the player on turn [CHI-40]",
        lambda state: state.duel.attacker != state.turn,
        (chi.DUEL,),
    ),
    Condition(
        "duel.target",
        "the target must be a single Yang of the Yin's colour [CHI-40]",
        is_wrong_target,
        (chi.DUEL,),
    ),
    Condition(
        "duel.to_act",
        "defender and attacker must answer in turn [CHI-41]",
        lambda state: (state.duel.attacker + state.duel.counters + state.duel.answering) % 2 == 0,
        (chi.DUEL,),
    ),
    Condition(
        "phase",
        size_of_hand,
        lambda state: state.hands[state.turn].length <= state.options.hand_limit,
        (chi.DISCARDING,),
    ),
    Condition(
        "last_turn",
        "a player has all stacks, so this must be the last turn [CHI-60]",
        lambda state: has_full_area(state) and not state.last_turn,
        (chi.ACT,),
    ),
)
"""The conditions of every state."""


def settle_position(state: Fields) -> None:
    """Let the player act who must respond to an attack."""
    if state.phase == chi.DUEL:
        state.to_act = 1 << state.duel.answering
