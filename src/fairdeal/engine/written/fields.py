"""Fields of a declared state that hold numbers, words and seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, get_args

import msgspec
import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import Form, Limits, number, one_of, one_seat, some_seats
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.kit.matches import MOST_GAMES
from fairdeal.engine.kit.positions import CardCounter, in_range, number_of, sized
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import NOBODY, i1, i2, i4, record
from fairdeal.engine.scene.shown import InScene, counter_of, size_in


class Field(Frozen):
    """A field of a state. `words` describe it in observations, if its name does not.

    key       name of the field in JSON (default: its name in the declaration)
    at        place in the record, such as `match.totals` or `wars.0.rank`, of a field that needs no place of its own
    phases    the phases in which a position must have the field; in others it is null
    clause    clause that errors name
    sparse    whether positions leave the field out while it is empty
    required  whether every position must have the field
    default   value of a field that a position omits, or a function of the position and the state that returns it
    when      whether positions have the field now; if it returns False, they leave it out
    only      when positions may have the field, in words for errors: `in a playoff`
    store     type in the record, in place of the usual one
    form      form in observations, in place of the usual one; of a pile, that of its cards
    shown     forms of the fields of a record in observations, by name
    zone      id of the zone in scenes that shows the field's cards or their number; `{}` stands for a seat
    counter   label of the seats' counter in scenes that shows the field, in the singular
    path      place of the field in JSON; `Position` sets it
    own       whether the record has a place for the field; `Position` sets it
    """

    words: str = ""
    key: str = ""
    at: str = ""
    phases: tuple[str, ...] = ()
    clause: str = ""
    sparse: bool = False
    required: bool = False
    default: Any = None
    when: Callable[[Any], object] | None = None
    only: str = ""
    store: Any = None
    form: Form | None = None
    shown: Mapping[str, Form] = {}
    zone: str = ""
    counter: str = ""
    path: str = ""
    own: bool = True

    kind: ClassVar[Any] = int
    """The type of the field in JSON."""

    late: ClassVar[bool] = False
    """Whether the field is read at the end, because it depends on other fields."""

    def bound(self, name: str, cards: Any, whole: str = "", within: str = "") -> Field:
        """Return the field under its name in the declaration, for a game's cards. A part of another field has that
        field's place in the record and in JSON, `whole` and `within`, before its own."""
        key = self.key or name
        return self.replaced(key=key, at=whole + (self.at or name), path=within + key, own=not self.at)

    @property
    def usual(self) -> Any:
        """The value in JSON of a field that a position omits, or None if it has to be derived or cannot be omitted."""
        return None if callable(self.default) else self.default

    def json(self) -> list[tuple[Any, ...]]:
        """Return the names of the field in JSON, each with its type and, if a position may omit it, its default."""
        found = callable(self.default)
        optional = not self.required and (bool(self.phases) or found or type(None) in get_args(self.kind))
        if self.required or (self.usual is None and not optional):
            return [(self.key, self.kind)]
        return [(self.key, self.kind | None if optional else self.kind, None if found else self.usual)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        """Return the type of the field in the record."""
        return i1

    def write(self, state: Snapshot) -> dict[str, Any]:
        """Return the names of the field in JSON, each with its value."""
        return {self.key: self.in_json(state)}

    def in_json(self, state: Snapshot) -> Any:
        """Return the value of the field in JSON."""
        return self.get(state)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        """Write the value that a position gives for the field into a state. Raises BadPosition if the value is
        invalid."""
        raise NotImplementedError

    def refuse(self, given: Any) -> None:
        """Raise BadPosition if a position has the field, which it may not have now."""
        for name, _, *usual in self.json() if self.only else []:
            value = getattr(given, name)
            if value not in usual and not is_bare(value):
                raise BadPosition(name, plain(value), f"allowed only {self.only}{self.why}")

    def forms(self) -> dict[str, Form]:
        """Return the usual forms that show the field in observations."""
        return {self.at: number(self.words)} if self.words else {}

    def limits(self) -> dict[str, Limits]:
        """Return the limits of the field in observations, if those of its type are too wide."""
        return {}

    def in_scene(self) -> list[InScene]:
        """Return what scenes show of the field."""
        size, counter = size_in(self.zone, self.at), counter_of(self.counter, self.at)
        return [size] * bool(self.zone) + [counter] * bool(self.counter)

    def get(self, state: Any) -> Any:
        """Return the value of the field in a record."""
        return value_at(state, self.at)

    def set(self, state: Fields, value: Any) -> None:
        """Write a value into the record."""
        whole, name = self.whole(state), self.at.rpartition(".")[2]
        if name.isdigit():
            whole[int(name)] = value
        else:
            setattr(whole, name, value)

    def whole(self, state: Any) -> Any:
        """Return the record that contains the field."""
        path = self.at.rpartition(".")[0]
        return value_at(state, path) if path else state

    def told(self, given: Any, state: Fields) -> Any:
        """Return the value that a position gives for the field. If it is omitted, the default is calculated."""
        value = getattr(given, self.key)
        return self.default(given, state) if value is None and callable(self.default) else value

    def items(self, given: Any, state: Fields, usual: Any) -> Sequence[Any]:
        """Return the values that a position gives for each seat, or `usual` for each. Raises BadPosition for another
        number of values."""
        values = self.told(given, state)
        if values is None:
            return [usual] * state.players
        return sized(self.path, values, state.players, f"give one item for each of the {state.players} seats")

    @property
    def why(self) -> str:
        """The clause as errors end with it."""
        return self.clause and f" [{self.clause}]"


class Seat(Field):
    """The number of a seat.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Position(cards, turn=Seat("seat on turn")).write(load("chi").deal(seed=7).seen_by(0).shown)
    {'turn': 1}
    """

    @property
    def usual(self) -> Any:
        return None if self.required or self.phases else 0

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        self.set(state, in_range(self.path, self.told(given, state), 0, state.players - 1))

    def forms(self) -> dict[str, Form]:
        return {self.at: one_seat(self.words)}


class SeatOrNobody(Seat):
    """The number of a seat, or NOBODY (null in JSON).

    >>> from types import SimpleNamespace
    >>> SeatOrNobody().bound("asked", None).write(SimpleNamespace(asked=NOBODY))
    {'asked': None}
    """

    kind: ClassVar[Any] = int | None

    @property
    def usual(self) -> Any:
        return None

    def in_json(self, state: Snapshot) -> Any:
        seat = self.get(state)
        return None if seat == NOBODY else seat

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        seat = self.told(given, state)
        self.set(state, NOBODY if seat is None else in_range(self.path, seat, 0, state.players - 1))


class Seats(Field):
    """A set of seats, as bits in the record and as a list in JSON.

    >>> from types import SimpleNamespace
    >>> Seats().bound("winners", None).write(SimpleNamespace(winners=0b101))
    {'winners': [0, 2]}
    """

    kind: ClassVar[Any] = list[int] | None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return i1 if seats < 8 else i2

    def in_json(self, state: Snapshot) -> Any:
        return members(self.get(state))

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        found, seats = 0, self.told(given, state) or []
        for place, seat in enumerate(seats):
            found |= 1 << in_range(f"{self.path}[{place}]", seat, 0, state.players - 1)
        if found.bit_count() < len(seats):
            raise BadPosition(self.path, seats, f"give each seat only once{self.why}")
        self.set(state, found)

    def forms(self) -> dict[str, Form]:
        return {self.at: some_seats(self.words)}


class Number(Field):
    """A number from `lowest` to `highest`, which is a number, the name of an option, `players`, or a function of the
    state. It is `lowest` if a position omits it and no default is given.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> position = Position(cards, turn_no=Number(lowest=1, highest="turn_limit"))
    >>> position.read({"turn_no": 0}, load("chi").blank().record)
    Traceback (most recent call last):
    BadPosition: position, at turn_no: 0: give a number from 1 to 400
    """

    lowest: int = 0
    highest: int | str | Callable[[Fields], int] = 127

    @property
    def usual(self) -> Any:
        return None if self.required else self.lowest if self.default is None else self.default

    def most(self, state: Fields) -> int:
        """Return the highest number at the table of a state."""
        if isinstance(self.highest, str):
            return int(state.players if self.highest == "players" else getattr(state.options, self.highest))
        return self.highest(state) if callable(self.highest) else self.highest

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        if isinstance(self.highest, str):
            return i1 if self.highest == "players" else options[self.highest]
        return i1 if callable(self.highest) or self.highest < 1 << 7 else i2 if self.highest < 1 << 15 else i4

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        self.set(state, in_range(self.path, self.told(given, state), self.lowest, self.most(state)))

    def limits(self) -> dict[str, Limits]:
        if callable(self.highest) or self.highest == "players":
            return {}
        return {self.at: (min(0, self.lowest), self.highest)}


class TurnNumber(Number):
    """The number of the turn, counted from 1 in the order of the seats. A position may omit it.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, turn=Seat(), turn_no=TurnNumber()).read({"turn": 1}, state)
    >>> int(state.turn_no)
    2
    """

    kind: ClassVar[Any] = int | None

    @property
    def usual(self) -> Any:
        return None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if getattr(given, self.key) is None:
            self.set(state, 1 + (state.turn - state.match.first) % state.players)
        else:
            super().read(given, state, counter)


class Flag(Field):
    """True or false.

    >>> load("chi").deal(seed=7).position()["last_turn"]
    False
    """

    kind: ClassVar[Any] = bool

    @property
    def usual(self) -> Any:
        return False

    def in_json(self, state: Snapshot) -> Any:
        return bool(self.get(state))

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        self.set(state, getattr(given, self.key))


class Word(Field):
    """A word from a fixed list, stored in the record as its index. It is the first word if a position omits it and no
    default is given.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, phase=Word(names=("act", "duel", "discard", "over"))).read({"phase": "discard"}, state)
    >>> int(state.phase)
    2
    """

    names: Sequence[str] = ()
    kind: ClassVar[Any] = str

    @property
    def usual(self) -> Any:
        return self.default or self.names[0]

    def in_json(self, state: Snapshot) -> Any:
        return self.names[self.get(state)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        self.set(state, number_of(self.path, self.told(given, state), self.names))

    def forms(self) -> dict[str, Form]:
        return {self.at: one_of(len(self.names), words=self.words)}


class Phase(Word):
    """The phase, by name. In phase `over` the game is over.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> state = load("chi").blank().record
    >>> Position(cards, phase=Phase(names=("act", "over"))).read({"phase": "over"}, state)
    >>> int(state.over)
    1
    """

    over: str = "over"

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        state.over = self.told(given, state) == self.over


class Match(Number):
    """The number of the current game of a match, from 1. The match has `games` games, or is one to a target if that is
    0.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> Position(cards, round=Match()).write(load("chi").deal(seed=7).seen_by(0).shown)
    {'round': 1}
    """

    at: str = "match.game"
    lowest: int = 1
    highest: int | str | Callable[[Fields], int] = MOST_GAMES
    games: int = 0

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        state.match.games = self.games


class Numbers(Number):
    """For each seat, a number from `lowest` to `highest`.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> position = Position(cards, bank=Numbers("points in the bank"))
    >>> position.write(load("chip-it", players=3).deal(seed=7).seen_by(0).shown)
    {'bank': [3, 3, 3]}
    """

    kind: ClassVar[Any] = list[int] | None

    @property
    def usual(self) -> Any:
        return None

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return super().type(seats, options), seats

    def in_json(self, state: Snapshot) -> Any:
        return self.get(state)[: state.players]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        numbers, most = self.get(state), self.most(state)
        for seat, value in enumerate(self.items(given, state, super().usual)):
            numbers[seat] = in_range(f"{self.path}[{seat}]", value, self.lowest, most)


class Derived(Field, kw_only=True):
    """A value that follows from the rest of the state: `value(state)`. A position may omit it. If it gives another
    value, the error is `reason`, in which `{}` stands for the right value, and `{state.turn}` for a field of the state.
    `of` is its type in JSON. The record has it only if `store` gives its type there.

    >>> from types import SimpleNamespace
    >>> halves = Derived(value=lambda state: state.turn_no // 2).bound("round", None)
    >>> halves.write(SimpleNamespace(turn_no=7))
    {'round': 3}
    """

    value: Callable[[Snapshot], Any]
    reason: str = "it must be {}"
    of: Any = Any
    late: ClassVar[bool] = True

    def json(self) -> list[tuple[Any, ...]]:
        return [(self.key, self.of | None, None)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return None

    def in_json(self, state: Snapshot) -> Any:
        return self.value(state)

    def check(self, given: Any, state: Snapshot) -> None:
        """Raise BadPosition if a position gives another value than the state."""
        told, right = getattr(given, self.key), self.value(state)
        if told is not None and told != right:
            raise BadPosition(self.path, plain(told), self.reason.format(right, state=state) + self.why)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if self.store:
            self.set(state, self.value(state))


class Unwritten(Field):
    """A part of the record that positions do not have: it follows from other fields, or belongs to an unfinished move.

    >>> Unwritten().bound("draft", None).json()
    []
    """

    def json(self) -> list[tuple[Any, ...]]:
        return []

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        pass


class Part(Field, kw_only=True):
    """A record within the record, such as an attack, whose fields are written as an object. It is null in other
    `phases`, or while `there` returns False. The fields of a `flat` part are fields of the position itself.

    >>> from types import SimpleNamespace
    >>> top = Part(parts={"owner": Seat(), "value": Number()}, there=lambda state: state.top.value > 0)
    >>> top = top.bound("top", None)
    >>> top.write(SimpleNamespace(top=SimpleNamespace(owner=1, value=7)))
    {'top': {'owner': 1, 'value': 7}}
    """

    parts: Mapping[str, Field]
    there: Callable[[Snapshot], object] | None = None
    flat: bool = False

    def bound(self, name: str, cards: Any, whole: str = "", within: str = "") -> Field:
        own = super().bound(name, cards, whole, within)
        path = within if self.flat else f"{own.path}."
        return own.replaced(
            parts={part: one.bound(part, cards, f"{own.at}.", path) for part, one in self.parts.items()}
        )

    def json(self) -> list[tuple[Any, ...]]:
        return self.parts_in_json() if self.flat else [(self.key, self.struct() | None, None)]

    def parts_in_json(self) -> list[tuple[Any, ...]]:
        """Return the names of the parts in JSON, as `json` does."""
        return [field for one in self.parts.values() for field in one.json()]

    def struct(self) -> Any:
        """Return the type of the object in JSON."""
        fields = self.parts_in_json()
        return msgspec.defstruct(self.key.capitalize(), fields, forbid_unknown_fields=True, kw_only=True)

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return record(**types_of(self.parts, seats, options))

    def write(self, state: Snapshot) -> dict[str, Any]:
        if self.there and not self.there(state):
            return {self.key: None}
        found = written(self.parts.values(), state)
        return found if self.flat else {self.key: found}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        own = given if self.flat else getattr(given, self.key)
        if own is not None:
            read(self.parts.values(), own, state, counter)

    def forms(self) -> dict[str, Form]:
        return forms_of(self.parts.values())

    def limits(self) -> dict[str, Limits]:
        return {name: limits for one in self.parts.values() for name, limits in one.limits().items()}

    def in_scene(self) -> list[InScene]:
        return [shown for one in self.parts.values() for shown in one.in_scene()]


def value_at(state: Any, path: str) -> Any:
    """Return the value at a place in a record.

    >>> value_at(load("chi").deal(seed=7).record, "hands.1.length")
    3
    """
    for name in path.split("."):
        state = state[int(name)] if name.isdigit() else getattr(state, name)
    return state


def types_of(fields: Mapping[str, Field], seats: int, options: np.dtype[Any]) -> dict[str, Any]:
    """Return the types of the fields that have a place of their own in a record, by name."""
    own = {name: one for name, one in fields.items() if one.own}
    types = {name: one.type(seats, options) if one.store is None else one.store for name, one in own.items()}
    return {name: kind for name, kind in types.items() if kind is not None}


def forms_of(fields: Iterable[Field]) -> dict[str, Form]:
    """Return the forms that show fields in observations."""
    found: dict[str, Form] = {}
    for one in fields:
        pile = one.store[0] if isinstance(one.store, tuple) else one.store
        place = f"{one.at}.cards" if "cards" in (getattr(pile, "names", None) or ()) else one.at
        found |= dict.fromkeys(one.forms() or [place], one.form) if one.form else one.forms()
        found |= {f"{one.at}.{name}": form for name, form in one.shown.items()}
    return found


def written(fields: Iterable[Field], state: Snapshot) -> dict[str, Any]:
    """Return the JSON of fields."""
    found: dict[str, Any] = {}
    for one in fields:
        if not one.when or one.when(state):
            found |= one.write(state)
    return found


def read(fields: Iterable[Field], given: Any, state: Fields, counter: CardCounter) -> None:
    """Read fields in order, and those that are late at the end."""
    for one in sorted(fields, key=lambda field: field.late):
        if one.when and not one.when(state):
            one.refuse(given)
        elif not one.phases or getattr(given, one.key) is not None:
            one.read(given, state, counter)


def is_bare(value: Any) -> bool:
    """Return whether a value of JSON is null or empty, or a list of such values."""
    return all(map(is_bare, value)) if isinstance(value, list) else value in (None, "")


def plain(value: Any) -> Any:
    """Return a value as errors show it, which leave out objects and give the length of long lists.

    >>> plain(["chi"]), plain(["chi"] * 11)
    (['chi'], 11)
    """
    if isinstance(value[0] if isinstance(value, list) and value else value, msgspec.Struct):
        return ""
    return len(value) if isinstance(value, list) and len(value) > 10 else value
