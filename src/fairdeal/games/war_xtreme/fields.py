"""WAR X-TREME: the kinds of fields that only its record has.

Much of what belongs to a seat or a war is stored elsewhere: all equipment is in one array, and so are all cards in pots
and on tables.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.positions import CardCounter, in_range, sized
from fairdeal.engine.kit.seats import is_in, members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.scene.shown import InScene, cards_in
from fairdeal.engine.written import Cards, Derived, Field, Number, Part, Row, Seat, SeatOrNobody, Seats
from fairdeal.engine.written.fields import read, written
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.names import Words
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, words_of
from fairdeal.games.war_xtreme.catalogue.tables import kind_of
from fairdeal.games.war_xtreme.rules.kit.equipment import add_equipment
from fairdeal.games.war_xtreme.rules.kit.piles import is_double, put_in_centre
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, swept_by, tagged

UNSEEN = "?"
MOST = 1_000_000_000
"""Maximum value of counters that have no limit of their own."""
MOST_EARNED = 127
REVEALS = (xtreme.REACT, xtreme.CALLING, xtreme.RACE, xtreme.CHOICE)
"""The phases of a fight that may be a reveal. The first three may belong to a war, too."""

CODES = BUILT_IN.words.codes
LOWEST = min(CODES)
FACES = [CODES.get(card, "") for card in range(LOWEST, 1 + max(CODES))]


class Several(Field):
    """A field that is empty if a position omits it."""

    kind: ClassVar[Any] = list[str]
    empty: ClassVar[Any] = []

    @property
    def usual(self) -> Any:
        return self.empty if self.default is None else self.default


# --- cards -------------------------------------------------------------------------------------------------------


def code_of(state: Snapshot, card: int) -> str:
    """Return the code of a card with its upper end first, such as `ninja/9:6`, or `?` for an unknown card."""
    return UNSEEN if card == UNKNOWN else words_of(state).codes[card]


def card_of(state: Fields, path: str, code: str) -> int:
    """Return the card with a code. Raises BadPosition if there is no such card."""
    card = words_of(state).card_of.get(code)
    if card is None:
        raise BadPosition(path, code, "no such card: write ninja/K, ninja/9:6 or robot/tax")
    return card if is_double(state, kind_of(card)) else kind_of(card)


class CatalogueReader(CardCounter):
    """A reader of the codes of a table's catalogue, which rejects more cards than all sets have."""

    def __init__(self, state: Fields) -> None:
        super().__init__((), (), "", "")
        self.state = state

    def kind(self, path: str, text: str, unknown: bool = False) -> int:
        self.met[UNKNOWN] += 1
        if self.met[UNKNOWN] > xtreme.CARDS:
            raise BadPosition(path, text, f"there are at most {xtreme.CARDS} cards [WAR-04]")
        return UNKNOWN if text == UNSEEN and unknown else card_of(self.state, path, text)


class CatalogueCards(Cards):
    """The cards of a table's catalogue."""

    def counter(self, state: Fields) -> CardCounter:
        return CatalogueReader(state)


class Slots(Row):
    """WAR-05: the recruits around the tax pile."""

    kind: ClassVar[Any] = list[str | None] | None

    def in_json(self, state: Snapshot) -> Any:
        return [None if card == EMPTY else code_of(state, card) for card in state.slots]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        codes = [None] * self.room if given.slots is None else given.slots
        reason = f"there are {self.room} slots; write null for an empty one"
        for slot, code in enumerate(sized("slots", codes, self.room, reason)):
            state.slots[slot] = EMPTY if code is None else counter.kind(f"slots[{slot}]", code, unknown=True)


# --- numbers and seats -------------------------------------------------------------------------------------------


class Round(Number):
    """The number of a round (WAR-94)."""

    highest: int | str | Callable[[Fields], int] = "max_rounds"

    def most(self, state: Fields) -> int:
        return MOST


class Warriors(Seats):
    """WAR-35: the seats of a war, in ring order."""

    def in_json(self, state: Snapshot) -> Any:
        return in_ring_order(state, self.get(state))


class Chosen(Several):
    """A set of words or numbers from a list, as bits in the record."""

    names: tuple[Any, ...] = ()
    kind: ClassVar[Any] = list[str | int]

    def in_json(self, state: Snapshot) -> Any:
        return [self.names[place] for place in members(self.get(state))]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        found, names = 0, getattr(given, self.key)
        for place, name in enumerate(names):
            if name not in self.names or name in names[:place]:
                reason = f"give {', '.join(map(str, self.names))}, each at most once{self.why}"
                raise BadPosition(f"{self.path}[{place}]", name, reason)
            found |= 1 << self.names.index(name)
        self.set(state, found)


class Acting(Derived):
    """The seats that may act. Where any seat might be asked, one that is given is asked (WAR-32, 76)."""

    late: ClassVar[bool] = False

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        seats = given.acting or []
        state.turn = in_range("acting[0]", seats[0], 0, state.players - 1) if len(seats) == 1 else NOBODY


class Dispute(Seat):
    """WAR-89: the seat that challenges, and the seat on turn, which it challenges."""

    kind: ClassVar[Any] = tuple[int, int]

    def in_json(self, state: Snapshot) -> Any:
        return [state.challenger, state.turn]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        seats = [in_range(f"dispute[{place}]", seat, 0, state.players - 1) for place, seat in enumerate(given.dispute)]
        state.challenger, state.turn = seats


class Swept(SeatOrNobody):
    """The seat that took the last pot, stored as its number + 1."""

    def in_json(self, state: Snapshot) -> Any:
        return None if swept_by(state) == NOBODY else swept_by(state)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        state.swept += 1


class Earned(Several):
    """WAR-42: the equipment to draw at the end of the round, in the order in which the pots were swept."""

    kind: ClassVar[Any] = list[tuple[int, int]]

    def in_json(self, state: Snapshot) -> Any:
        earned = zip(state.earned.seats, state.earned.numbers, strict=True)
        return [[*pot] for pot in earned][: state.earned.length]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        state.earned.length = len(given.earned)
        if state.earned.length + state.war_count > xtreme.WARS:
            raise BadPosition("earned", len(given.earned), f"a round has at most {xtreme.WARS} pots")
        for place, (seat, pieces) in enumerate(given.earned):
            state.earned.seats[place] = in_range(f"earned[{place}]", seat, 0, state.players - 1)
            state.earned.numbers[place] = in_range(f"earned[{place}]", pieces, 1, MOST_EARNED)


# --- values of some seats ----------------------------------------------------------------------------------------


def seat_named(state: Fields, path: str, name: str) -> int:
    """Return the seat for the name of a field, such as `"0"`. Raises BadPosition if there is no such seat."""
    if name not in map(str, range(state.players)):
        raise BadPosition(path, name, f"the seats are 0 to {state.players - 1}")
    return int(name)


class BySeat(Several):
    """A number from `lowest` to `highest` for some seats. The record stores the number + `first`, and `nothing` for
    other seats."""

    empty: ClassVar[Any] = {}
    lowest: int = 0
    highest: int = 0
    first: int = 0
    nothing: int = 0
    kind: ClassVar[Any] = dict[str, int]

    def in_json(self, state: Snapshot) -> Any:
        values = enumerate(self.get(state))
        return {str(seat): self.code(state, value) for seat, value in values if value != self.nothing}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for name, value in getattr(given, self.key).items():
            self.get(state)[seat_named(state, self.path, name)] = self.number(state, f"{self.path}.{name}", value)

    def code(self, state: Snapshot, value: int) -> Any:
        """Return the JSON of a number of the record."""
        return value - self.first

    def number(self, state: Fields, path: str, value: Any) -> int:
        """Return the number of the record for a value. Raises BadPosition if the value is invalid."""
        return self.first + in_range(path, value, self.lowest, self.highest)


class Turned(BySeat):
    """Cards of seats."""

    nothing: int = EMPTY
    kind: ClassVar[Any] = dict[str, str]

    def code(self, state: Snapshot, value: int) -> Any:
        return code_of(state, value)

    def number(self, state: Fields, path: str, value: Any) -> int:
        return card_of(state, path, value)

    def in_scene(self) -> list[InScene]:
        return [cards_in(self.zone, self.at, FACES, LOWEST)]


class Fight(Turned):
    """The face-up cards of a fight, which positions also list with the seats and the wars. If a position gives some,
    they must belong to the same seats."""

    late: ClassVar[bool] = True

    def in_json(self, state: Snapshot) -> Any:
        return super().in_json(state) if state.phase in (*REVEALS, xtreme.CLASH) else {}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        named, seats = sorted(given.fight), sorted(self.in_json(state))
        if named not in ([], seats):
            fewer = f"there can be no fight in phase {xtreme.PHASES[state.phase]}"
            raise BadPosition("fight", named, f"the seats with face-up cards are {seats}" if seats else fewer)


class Choices(BySeat):
    """WAR-03, 20, 51: the answers of seats that are asked together."""

    kind: ClassVar[Any] = dict[str, str]

    def code(self, state: Snapshot, value: int) -> Any:
        known = answers(state.phase, words_of(state), state.war_count)
        return next(text for text, answer in known.items() if answer == value)

    def number(self, state: Fields, path: str, value: Any) -> int:
        known = answers(state.phase, words_of(state), state.war_count)
        if value not in known:
            raise BadPosition(path, value, f"give {', '.join(known)}")
        return known[value]


def answers(phase: int, words: Words, wars: int) -> Mapping[str, int]:
    """Return the possible answers in a phase, as a mapping from their texts to their numbers."""
    if phase == xtreme.EXTREME:
        known = {"yes": xtreme.SAID_YES, "no": xtreme.SAID_NO}
    elif phase == xtreme.RACE:
        known = {"pass": xtreme.RACED_PASS}
        known |= {f"act {name}": xtreme.RACED + number for number, name in enumerate(words.actions)}
    else:
        known = {"flee": xtreme.FLEES, "spoils": xtreme.IS_SPOILS}
        known |= {f"buy-in {number}": xtreme.BUYS + number for number in range(wars)}
    return known | ({UNSEEN: UNKNOWN} if phase != xtreme.REGROUP else {})


# --- seats and wars ----------------------------------------------------------------------------------------------


class Rows(Part):
    """A list of `room` records within the record, which are written as objects. The state has their number as
    `length`."""

    room: int = xtreme.SEATS
    length: str = "players"
    rows: tuple[Mapping[str, Field], ...] = ()

    def bound(self, name: str, cards: Any, whole: str = "", within: str = "") -> Field:
        own = super().bound(name, cards, whole, within)
        places = [(f"{own.at}.{row}.", f"{own.path}[{row}].") for row in range(self.room)]
        rows = [{part: one.bound(part, cards, *place) for part, one in self.parts.items()} for place in places]
        return own.replaced(rows=tuple(rows))

    def json(self) -> list[tuple[Any, ...]]:
        return [(self.key, list[self.struct()], [])]  # type: ignore[misc]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return super().type(seats, options), self.room

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {self.key: [written(row.values(), state) for row in self.rows[: state[self.length]]]}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        rows = getattr(given, self.key)
        if self.length == "players":
            self.items(given, state, None)
        elif len(rows) > self.room:
            raise BadPosition(self.path, len(rows), f"there are at most {self.room}")
        setattr(state, self.length, len(rows))
        for row, parts in zip(rows, self.rows, strict=False):
            read(parts.values(), row, state, counter)


class Elsewhere(Several):
    """A part of a row that the record stores at another place, `of`, in which `{}` stands for the number of the row."""

    of: str = ""
    row: int = 0

    def bound(self, name: str, cards: Any, whole: str = "", within: str = "") -> Field:
        row = whole.rstrip(".").rpartition(".")[2]
        at, place = (self.of.format(row), int(row)) if row.isdigit() else (self.of.replace(".{}", ""), 0)
        return super().bound(name, cards, whole, within).replaced(at=at, row=place)

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return None


class Member(Elsewhere):
    """Whether a seat is in a set of seats."""

    default: Any = False
    kind: ClassVar[Any] = bool

    def in_json(self, state: Snapshot) -> Any:
        return is_in(self.get(state), self.row)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        self.set(state, self.get(state) | getattr(given, self.key) << self.row)


class Pile(Elsewhere, kw_only=True):
    """Cards in order. `held` returns those of a row, and `put` adds one to a row, `from_below` from the last one on."""

    held: Callable[[Snapshot, int], list[int]]
    put: Callable[[Fields, int, int], None]
    unknown: bool = False
    from_below: bool = False

    def in_json(self, state: Snapshot) -> Any:
        return [code_of(state, card) for card in self.held(state, self.row)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        cards = counter.read(self.path, getattr(given, self.key), self.unknown)
        for card in cards[::-1] if self.from_below else cards:
            self.put(state, self.row, card)


class Kit(Elsewhere):
    """The equipment in a zone, `zones` + the number of the row. It is sorted, unless its order matters (`in_order`)."""

    zones: int = 0
    in_order: bool = False
    kind: ClassVar[Any] = list[int]

    def in_json(self, state: Snapshot) -> Any:
        pieces = kit_in(state, self.zones + self.row)
        return [UNSEEN if piece == UNKNOWN else piece for piece in pieces]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        pieces, most = [], state.options.catalogue.equipment_count
        for place, piece in enumerate(getattr(given, self.key)):
            path = f"{self.path}[{place}]"
            if state.equipment.ends[xtreme.JUNK] + place >= xtreme.EQUIPMENT:
                raise BadPosition(path, piece, f"there are at most {xtreme.EQUIPMENT} pieces of equipment")
            pieces.append(UNKNOWN if piece == UNSEEN else in_range(path, piece, 1, most))
        for piece in pieces if self.in_order else sorted(pieces):
            add_equipment(state.equipment, self.zones + self.row, piece)


class HiddenKit(Kit):
    """Equipment that others may not see: `?` stands for an unknown piece."""

    kind: ClassVar[Any] = list[int | Literal["?"]]


class PotDown(Elsewhere):
    """WAR-36: the stakes of a war by seat. The upper end of a double does not matter."""

    empty: ClassVar[Any] = {}
    kind: ClassVar[Any] = dict[str, list[str]]

    def in_json(self, state: Snapshot) -> Any:
        stakes = {str(seat): tagged(state, self.row * xtreme.POT + seat) for seat in range(state.players)}
        return {seat: [code_of(state, card) for card in laid] for seat, laid in stakes.items() if laid}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for name, codes in given.pot_down.items():
            tag = self.row * xtreme.POT + seat_named(state, self.path, name)
            for card in counter.read(f"{self.path}.{name}", codes, unknown=True):
                put_in_centre(state, tag, card if card == UNKNOWN else kind_of(card))


class Recruits(Elsewhere):
    """WAR-36: the recruits picked in a step of the war in progress by seat, with null for an empty hand."""

    empty: ClassVar[Any] = {}
    kind: ClassVar[Any] = dict[str, str | None]

    def in_json(self, state: Snapshot) -> Any:
        picked = members(state.picked) if self.row == 0 and state.wars[0].depth > 0 else []
        faces = [(str(seat), state.faces[seat]) for seat in picked]
        return {seat: None if card == EMPTY else code_of(state, card) for seat, card in faces}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for name, code in given.recruits.items():
            seat = seat_named(state, self.path, name)
            if state.wars[0].depth == 0 or self.row or state.faces[seat] != EMPTY:
                reason = "only the war in progress has recruits, and its warriors have no cards on tables"
                raise BadPosition(self.path, name, reason)
            state.picked |= 1 << seat
            if code is not None:
                unknown = state.phase == xtreme.RECRUITING
                state.faces[seat] = counter.kind(f"{self.path}.{name}", code, unknown)
