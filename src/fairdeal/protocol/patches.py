"""Patches: scenes as their changes to the scene sent before, which take a fraction of the bytes of whole scenes.

docs/messages.md describes their form. A patch is computed from two scenes that were drawn for the same viewer, and from
nothing else, so it reveals only what the second scene reveals.
"""

import functools
from itertools import compress
from operator import ne
from typing import Any

import msgspec
from msgspec.structs import astuple

from fairdeal.engine.files import any_problem
from fairdeal.engine.scene import Card, Counter, Scene, Seat, Zone, differing
from fairdeal.protocol import messages as m

REMOVED, ADDED = "-", "+"
"""Keys in the changes to an array: the ids of removed elements, and new elements with their positions."""

Changes = dict[tuple[int, int], tuple[Scene, dict[str, Any]]]
"""Changes that have been computed, by the identities of both scenes, with the first scene to keep its identity."""


@functools.cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[tuple[int, str, Any], ...]:
    """Return the fields of a struct: positions, names in JSON, and default values."""
    return tuple((place, field.encode_name, field.default) for place, field in enumerate(msgspec.structs.fields(kind)))


def changes(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    """Return the changes that turn a scene, or a part of one, into another of the same type."""
    found: dict[str, Any] = {}
    before, after = astuple(old), astuple(new)
    for place, name, default in compress(fields_of(type(new)), map(ne, before, after)):
        was, now = before[place], after[place]
        if now == default:
            found[name] = None
        elif isinstance(now, tuple):
            found[name] = changes_to_array(was, now)
        elif isinstance(now, msgspec.Struct) and was is not None:
            found[name] = changes(was, now) if type(was) is type(now) else other_kind(was, now)
        else:
            found[name] = now
    return found


def changes_to_array(old: tuple[Any, ...], new: tuple[Any, ...]) -> Any:
    """Return the changes to an array of zones, cards, seats or counters, or the whole array."""
    kind = type(new[0]) if old and new else None
    if kind is Zone:
        return changes_to_zones(old, new)
    if kind is Card:
        return changes_to_cards(old, new)
    if kind in (Seat, Counter) and len(old) == len(new):
        return {str(place): changes(old[place], new[place]) for place in compress(range(len(new)), map(ne, old, new))}
    return new


def changes_to_zones(old: tuple[Zone, ...], new: tuple[Zone, ...]) -> Any:
    """Return the changes to zones by id, or all zones if those that stay are in a different order."""
    before, after = {zone.id: zone for zone in old}, {zone.id: zone for zone in new}
    stay = [key for key in before if key in after]
    if stay != [key for key in after if key in before]:
        return new
    found: dict[str, Any] = {key: changes(before[key], after[key]) for key in stay if before[key] != after[key]}
    if len(stay) < len(old):
        found[REMOVED] = [key for key in before if key not in after]
    if len(stay) < len(new):
        found[ADDED] = [(place, zone) for place, zone in enumerate(new) if zone.id not in before]
    return found


def changes_to_cards(old: tuple[Card, ...], new: tuple[Card, ...]) -> Any:
    """Return the cards to remove from a zone and those to add, or all cards if the others are in a different order. A
    card with other fields is removed and added."""
    gone, come, in_order = differing(old, new)
    if not in_order:
        return new
    found: dict[str, Any] = {}
    if gone:
        found[REMOVED] = [card.id for card in gone]
    if come:
        found[ADDED] = [(place, card) for place, card in enumerate(new) if card in come]
    return found


def other_kind(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    """Return the changes that turn an instrument into one of another kind."""
    whole: dict[str, Any] = msgspec.to_builtins(new)
    return dict.fromkeys(name for _, name, _ in fields_of(type(old))) | whole


def apply(old: Any, change: Any) -> Any:
    """Return a scene in JSON, or a part of one, after a change."""
    if not isinstance(change, dict):
        return change
    if isinstance(old, list | tuple):
        keys = [item["id"] if "id" in item else str(place) for place, item in enumerate(old)]
        kept = [(key, item) for key, item in zip(keys, old, strict=True) if key not in change.get(REMOVED, ())]
        array = [apply(item, change[key]) if key in change else item for key, item in kept]
        for place, item in change.get(ADDED, ()):
            array.insert(place, item)
        return array
    new = dict(old or {})
    for name, value in change.items():
        if value is None:
            new.pop(name, None)
        else:
            new[name] = apply(new.get(name), value)
    return new


class Scenes:
    """The scenes sent over one connection to a client that has asked for patches, as counted on both sides."""

    def __init__(self) -> None:
        self.number = 0
        self.last: Scene | None = None

    def shortened(self, message: m.Message, known: Changes | None = None) -> m.Message:
        """Return the message to send in place of one with a whole scene. `known` has the changes that have been
        computed for other connections."""
        last, base = self.last, self.number
        self.count(message)
        if last is None or not isinstance(message, m.Shown):
            return message
        known, pair = {} if known is None else known, (id(last), id(message.scene))
        if pair not in known:
            known[pair] = last, changes(last, message.scene)
        return m.Patch(base=base, changes=known[pair][1], id=message.id, log=message.log, chain=message.chain)

    def whole(self, message: m.Messages) -> m.Messages:
        """Return a message of the room with a whole scene in place of a patch. Raises msgspec.DecodeError if the patch
        does not fit the last scene."""
        if isinstance(message, m.Patch):
            message = self.patched(message)
        self.count(message)
        return message

    def patched(self, patch: m.Patch) -> m.Shown:
        if patch.base != self.number:
            raise msgspec.DecodeError("these are changes to another scene")
        try:
            with any_problem():
                scene = msgspec.convert(apply(msgspec.to_builtins(self.last), patch.changes), Scene)
        except (AttributeError, LookupError, TypeError, ValueError) as problem:
            raise msgspec.DecodeError(f"these are not changes to the scene: {problem}") from None
        return m.Shown(scene=scene, id=patch.id, log=patch.log, chain=patch.chain)

    def count(self, message: m.Message) -> None:
        """Count the scene of a message, if it has one. Scenes of `refused` and `recalled` do not count."""
        if isinstance(message, m.Welcome | m.Shown) and message.scene:
            self.number += 1
            self.last = message.scene
