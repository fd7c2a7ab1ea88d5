"""WAR X-TREME: functions that read a catalogue of cards from a file, check it and write it into a state record.

The catalogue is an option of the game, so logs and positions carry a catalogue that differs from the built-in one.
Rules read its tables from the record; `words_of` returns its names.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
import weakref
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Any, ClassVar, get_args

import msgspec

from fairdeal.engine.fields import fields_of
from fairdeal.engine.files import read_text
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Part
from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.catalogue import entries, tables
from fairdeal.games.war_xtreme.catalogue.checks import op_of, place, problems
from fairdeal.games.war_xtreme.catalogue.names import Words


def numbered(words: Any) -> dict[str, int]:
    """Return the words of a Literal with their indices, which match the numbers in `tables`."""
    return {word: number for number, word in enumerate(get_args(words))}


KINDS = {kind: tables.TAX - number for kind, number in numbered(entries.Kind).items()}
OPPONENTS, SOURCES = numbered(entries.Opponents), numbered(entries.Source)
EQUIPMENT_KINDS, TARGETS, MOMENTS = numbered(entries.EquipmentKind), numbered(entries.Target), numbered(entries.Moment)
WINDOWS = {window: 1 << number for window, number in numbered(entries.Window).items()}
OPS = {effect.__struct_config__.tag: number for number, effect in enumerate(get_args(entries.AnyEffect))}
PLACES = {"self": tables.SELF, "target": tables.TARGET, "others": tables.OTHERS, "tax": tables.TAX_PILE}

KNOWN: weakref.WeakValueDictionary[bytes, Words] = weakref.WeakValueDictionary()
"""Names of the catalogues in use, by digest, because a record holds only the digest. An entry lives as long as its
catalogue."""


class Catalogue(Part):
    """All cards and equipment of a game."""

    store: ClassVar[Any] = tables.catalogue

    suit: tuple[entries.Suit, ...]
    regular: tuple[entries.Regular, ...]
    unique: tuple[entries.Unique, ...]
    equipment: Annotated[tuple[entries.Equipment, ...], msgspec.Meta(max_length=entries.MOST_EQUIPMENT)]

    def __post_init__(self) -> None:
        """Run the checks of section 3.5. Raises ValueError with the first error."""
        problem = next(problems(self.suit, self.regular, self.unique, self.equipment), None)
        if problem:
            raise ValueError(problem)

    @classmethod
    def read(cls, value: object) -> Catalogue:
        """Return a catalogue from TOML, or from its data. Raises ValueError if it cannot be read."""
        try:
            data = tomllib.loads(value) if isinstance(value, str) else value
            return msgspec.convert(data, cls, strict=True)
        except tomllib.TOMLDecodeError as problem:
            raise ValueError(f"this is not TOML: {problem}") from None
        except msgspec.ValidationError as problem:
            raise ValueError(in_words(str(problem), data)) from None

    @cached_property
    def words(self) -> Words:
        """The codes and names of the cards, shared by equal catalogues."""
        words = KNOWN.get(self.digest)
        if words is None:
            words = KNOWN[self.digest] = Words(self.suit, self.regular, self.unique, self.equipment)
        return words

    @cached_property
    def digest(self) -> bytes:
        """A 16-byte hash of the catalogue."""
        return hashlib.sha256(msgspec.json.encode(self)).digest()[:16]

    def write_into(self, record: Record) -> None:
        """Write the tables that rules read, and the digest with which `words_of` finds the names."""
        words, record = self.words, fields_of(record)
        record.digest[:] = [int.from_bytes(self.digest[at : at + 4], "little") for at in range(0, 16, 4)]
        record.suit_set[:] = [suit.set for suit in self.suit]
        record.face_ranks[:] = [rank for one in self.regular for rank in (one.ranks[0], one.ranks[-1])]
        record.face_copies[:] = [one.copies for one in self.regular]
        for number, unique in enumerate(words.unique):
            record.unique_kind[number] = KINDS[unique.kind]
            record.unique_rank[number] = unique.rank
            record.unique_target[number] = OPPONENTS[unique.target] if unique.target else 0
            record.unique_source[number] = SOURCES[unique.source] if unique.source else 0
            record.unique_action[number] = words.action_of[unique.action] if unique.action else 0
            record.unique_draw[number] = drawn_by(unique)
        record.action_count = len(words.actions)
        record.equipment_count = len(self.equipment)
        for number, kit in enumerate(self.equipment):
            write_equipment(record, number, kit)


def in_words(problem: str, data: object) -> str:
    """Return a msgspec error with a readable place, such as `unique, entry 4 (ninja/joker), rank: Expected int, got
    str`."""
    found = re.fullmatch(r"(.*) - at `\$\.(\w+)(?:\[(\d+)\])?\.?(.*)`", problem, re.DOTALL)
    if not found:
        return problem
    what, table, number, field = found.groups()
    where = table
    if number is not None:
        where = place(table, int(number) + 1, named(data, table, int(number)))
    return f"{where}{f', {field}' if field else ''}: {what}"


def named(data: object, table: str, number: int) -> str:
    """Return the name of a catalogue entry, taken from its suit, face or id, or `?` if it has none."""
    try:
        entry = data[table][number]  # type: ignore[index]
        names = [entry[field] for field in ("suit", "face", "id") if isinstance(entry.get(field), str)]
    except (LookupError, TypeError, AttributeError):
        return "?"
    return "/".join(names)[:60] or "?"


def drawn_by(unique: entries.Unique) -> int:
    """WAR-25: return the number of pieces of equipment that a card draws. The default for a Joker is 1."""
    if unique.kind != "joker":
        return 0
    return 1 if unique.draw is None else unique.draw


def write_equipment(record: Record, number: int, kit: entries.Equipment) -> None:
    """Write the fields of one piece of equipment into the tables."""
    effect: entries.AnyEffect = kit.effect
    record.equipment_kind[number] = EQUIPMENT_KINDS[kit.kind]
    record.equipment_windows[number] = sum(WINDOWS[window] for window in kit.windows)
    record.equipment_target[number] = TARGETS[kit.target]
    record.equipment_op[number] = OPS[op_of(kit)]
    record.equipment_amount[number] = effect.p[0] if isinstance(effect, entries.TaxShare) else getattr(effect, "n", 0)
    record.equipment_divisor[number] = effect.p[1] if isinstance(effect, entries.TaxShare) else 1
    record.equipment_when[number] = MOMENTS[effect.when] if isinstance(effect, entries.Mod) else 0
    record.equipment_from[number] = PLACES[effect.from_] if isinstance(effect, entries.Move) else 0
    record.equipment_to[number] = to_of(effect)


def to_of(effect: entries.AnyEffect) -> int:
    """Return the place whose card a `mod` changes, or the place to which a `move` moves cards."""
    if isinstance(effect, entries.Mod):
        return PLACES[effect.whose or "self"]
    return PLACES[effect.to] if isinstance(effect, entries.Move) else 0


BUILT_IN = Catalogue.read(read_text(files("fairdeal.games.war_xtreme.catalogue") / "catalogue.toml"))
"""The catalogue that comes with the game."""


def words_of(state: Record | Snapshot) -> Words:
    """Return the names for a state's catalogue. They exist as long as the table of the state."""
    return KNOWN[b"".join(int(part).to_bytes(4, "little") for part in state.options.catalogue.digest)]
