"""A declared state as a whole: its record, its JSON both ways, what observations show, and what must hold."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields, fields_of
from fairdeal.engine.kit.forms import Observed
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import NOBODY, Record, game_state
from fairdeal.engine.written.cards import Cards
from fairdeal.engine.written.fields import Derived, Field, Phase, forms_of, is_bare, plain, read, types_of, written


class Condition(NamedTuple):
    """A requirement on a state: the place in JSON that errors name, the reason with its clause, a function that returns
    whether a state breaks it, and the phases to which it applies (default: all). The reason may be a function, too. If
    the place has braces, they stand for a seat, which the functions are also given.

    >>> empty = Condition("deck", "there must be cards [CHI-03]", lambda state: state.deck.length == 0)
    >>> [*broken([empty], load("chi").blank().seen_by(0).shown)]
    [('deck', 'there must be cards [CHI-03]')]
    """

    path: str
    reason: str | Callable[..., str]
    wrong: Callable[..., object]
    phases: tuple[int, ...] = ()


def broken(conditions: Iterable[Condition], state: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the path and the reason of each condition that a state breaks.

    >>> [*broken(load("chi").game.conditions, load("chi").deal(seed=7).seen_by(0).shown)]
    []
    """
    for path, reason, wrong, phases in conditions:
        if phases and state.phase not in phases:
            continue
        for given in [(seat,) for seat in range(state.players)] if "{}" in path else [()]:
            if wrong(state, *given):
                yield path.format(*given), reason if isinstance(reason, str) else reason(state, *given)


COMMON: tuple[tuple[str, Any, Any], ...] = (("game", str, ""), ("options", dict[str, Any], {}))
"""Fields that every position may have."""


class Position:
    """The state of a game: its cards, the type of its options in the record, the number of its seats, and its own
    fields, in the order of the record, which is also that of positions.

    Fields are named as in the record. In a game with a field `turn`, only that seat may act, unless the game's
    `settle_position` sets `state.to_act`.

    >>> cards = Cards(("ace", "king"), in_deck=(4, 4), examples="ace, king", clauses="FISH-01")
    >>> position = Position(cards, record(lucky=i1), 4, turn=Seat("who asks"), deck=Deck(room=8))
    >>> position.state["deck"]
    dtype([('length', 'i1'), ('cards', 'i1', (8,))], align=True)
    """

    def __init__(self, cards: Cards, options: np.dtype[Any] | None = None, seats: int = 0, /, **fields: Field) -> None:
        self.cards = cards
        self.fields = {name: one.bound(name, cards) for name, one in fields.items()}
        self.phase = next((one for one in self.fields.values() if isinstance(one, Phase)), None)
        own = [part for one in self.fields.values() for part in one.json()]
        self.form = msgspec.defstruct("Position", [*COMMON, *own], forbid_unknown_fields=True, kw_only=True)
        self.state: np.dtype[Any] | None = None
        if options is not None:
            self.state = game_state(seats, options, **types_of(self.fields, seats, options))

    def write(self, state: Snapshot) -> dict[str, Any]:
        """Return a state in JSON, with `?` for unknown cards."""
        found: dict[str, Any] = {}
        phase = self.phase.names[state.phase] if self.phase else ""
        for one in sorted(self.fields.values(), key=lambda field: field.sparse):
            part = written([one], state) if phase in one.phases or not one.phases else {one.key: None}
            found |= {} if one.sparse and is_bare([*part.values()]) else part
        return found

    def read(
        self,
        position: Mapping[str, Any],
        state: Record,
        conditions: Iterable[Condition] = (),
        prepare: Callable[[Fields], None] | None = None,
        settle: Callable[[Fields], None] | None = None,
    ) -> None:
        """Write a position into a blank state that has its options, and check it. Raises BadPosition if it is
        invalid."""
        given: Any
        given, state = converted(position, self.form), fields_of(state)
        (prepare or start_alone)(state)
        self.check_phases(given)
        read(self.fields.values(), given, state, self.cards.counter(state))
        waits = "turn" in self.fields and state.turn != NOBODY and not state.over
        state.to_act = 1 << state.turn if waits else 0
        for path, reason in broken(conditions, snapshot(state)):
            raise BadPosition(path, value_at(given, path), reason)
        if settle:
            settle(state)
        for one in self.fields.values():
            if isinstance(one, Derived) and (not one.when or one.when(state)):
                one.check(given, snapshot(state))

    def check_phases(self, given: Any) -> None:
        """Check that the fields of certain phases are given in those phases only. Raises BadPosition otherwise."""
        phase = getattr(given, self.phase.key) if self.phase else ""
        for one in self.fields.values() if self.phase and phase in self.phase.names else []:
            value = getattr(given, one.key) if one.phases else None
            if one.phases and (value is not None) != (phase in one.phases):
                phases = f"phase{'s' if one.phases[1:] else ''} {' and '.join(one.phases)}"
                raise BadPosition(one.path, plain(value), f"required in {phases}, not allowed in others{one.why}")

    def functions(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is derived from the declaration for a game, by field name. `found` holds the game's `conditions`,
        `prepare_position` and `settle_position`, if it has them."""
        given = [found.get(name) for name in ("prepare_position", "settle_position")]

        def read_position(position: Mapping[str, Any], state: Record) -> None:
            self.read(position, state, found.get("conditions", ()), *given)

        derived = {"write_position": self.write, "read_position": read_position, "observed": self.observed()}
        derived["in_scene"] = tuple(shown for one in self.fields.values() for shown in one.in_scene())
        return derived | ({} if self.state is None else {"state": self.state})

    def observed(self) -> Observed:
        """Return the forms and the limits of the fields in observations."""
        fields = self.fields.values()
        limits = {name: found for one in fields if one.own for name, found in one.limits().items()}
        return Observed(forms_of(one for one in fields if one.own or one.words), bounds=limits)


def converted(position: Mapping[str, Any], form: type[msgspec.Struct]) -> msgspec.Struct:
    """Convert a position to the struct type `form`. Raises BadPosition if a field is unknown or has the wrong type.

    >>> import msgspec
    >>> class Position(msgspec.Struct, forbid_unknown_fields=True):
    ...     turn: int = 0
    >>> converted({"turn": 1}, Position).turn
    1
    >>> converted({"turn": "one"}, Position)
    Traceback (most recent call last):
    BadPosition: position, at turn: Expected `int`, got `str`
    """
    try:
        return msgspec.convert(dict(position), form)
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None


def start_alone(state: Fields) -> None:
    """Begin a match of one game."""
    start_match(state, 1, 0)


def value_at(given: Any, path: str) -> Any:
    """Return the value at a place of a position that has been read, as errors show it: None if it was left out.

    >>> value_at(SimpleNamespace(duel=SimpleNamespace(cards=["chi"])), "duel.cards[0]")
    'chi'
    >>> value_at(SimpleNamespace(mods={"0": 2}), "mods.0")
    2
    """
    for name, place in re.findall(r"([a-z]\w*)|(\d+)", path):
        if given is None:
            break
        if isinstance(given, dict):
            given = given.get(name or place, "")
        else:
            given = getattr(given, name) if name else given[int(place)]
    return plain(given)
