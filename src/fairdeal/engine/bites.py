"""Notes on rules that surprise: the first time that a rule costs somebody something, refuses them or acts by itself,
a screen explains it in a sentence, with an example made of the cards concerned.

A game brings its notes as a TOML file and names it in `Game.bites`. What raises one is a clause that a line of the last
move names, or the answer to a tap on a card; so rules need not know of notes, and a viewer's notes come of nothing but
what the viewer is told anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

import msgspec

from fairdeal.engine.files import read_file
from fairdeal.engine.scene import Bitten, Card, Event, Scene

OWN = "@"
"""In a row of an example: the cards concerned; where there are none, the note's own `cards`."""

MOST_CARDS = 4
"""Cards of an example that are the viewer's own."""

TO_YOU = re.compile(r"\b(you|your)\b", re.IGNORECASE)
"""A line that speaks of the viewer."""


class Bite(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A note. `when`: a line with this clause that speaks of the viewer (`you`), one that does not (`others`), either
    (`any`); or a card cannot be chosen because of it (`refused`). `says` are words of the line, where one clause has
    lines of several kinds. `rows` are rows of cards in the notation of a page; `of` the viewer's own cards in them: all
    that moved, those that went to a pile (`left`), or the others (`came`)."""

    id: str
    clause: str
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    cards: tuple[str, ...] = ()
    when: Literal["you", "others", "any", "refused"] = "you"
    says: str = ""
    of: Literal["all", "came", "left"] = "all"

    def drawn(self) -> Iterator[str]:
        """The cards and words of its example, but for the viewer's own."""
        yield from self.cards
        yield from (item for row in self.rows for item in row if item != OWN)

    def comes_of(self, event: Event) -> bool:
        """Does a line raise this note?"""
        if self.clause not in event.clauses or self.says not in event.text or self.when == "refused":
            return False
        return self.when == "any" or bool(TO_YOU.search(event.text)) == (self.when == "you")


class Notes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a game's notes."""

    bite: tuple[Bite, ...]


@cache
def read_bites(place: str) -> tuple[Bite, ...]:
    """The notes in a file of a package, such as `fairdeal.games.chi:bites.toml`; none where there is no place. Raises
    FairdealError, saying where."""
    if not place:
        return ()
    return read_file(place, Notes).bite


def bitten(
    bites: Sequence[Bite], events: Sequence[Event], after: Scene, before: Callable[[], Scene] | None = None
) -> tuple[Bitten, ...]:
    """The notes that the lines of a move raise, each with the cards concerned, as the viewer saw them `before` or sees
    them in the scene after it."""
    clauses = {clause for event in events for clause in event.clauses} if after.viewer >= 0 else ()
    found = [bite for bite in bites if bite.clause in clauses and any(bite.comes_of(event) for event in events)]
    if not found:
        return ()
    then = faces_up(before()) if before and events[0].moves else {}
    return tuple(Bitten(bite.id, concerned(bite, events[0], after, then)) for bite in found)


def refused(bites: Sequence[Bite], clause: str, card: str, scene: Scene) -> Bitten | None:
    """The note on why a card of a scene cannot be chosen, or None."""
    found = next((bite.id for bite in bites if bite.when == "refused" and bite.clause == clause), None)
    if found is None or scene.viewer < 0:
        return None
    tapped = faces_up(scene).get(card)
    return Bitten(found, (tapped,) if tapped else ())


def concerned(bite: Bite, event: Event, after: Scene, then: Mapping[str, Card]) -> tuple[Card, ...]:
    """The cards that a move brought somewhere or turned up, or else those of a layout that it turned over and back; of
    cards that went to a pile what they were before."""
    now = faces_up(after)
    piles = {zone.id for zone in after.zones if zone.layout == "stack"}
    found = []
    for move in event.moves:
        left = move.goal in piles
        if bite.of == "all" or left == (bite.of == "left"):
            seen = now.get(move.card), then.get(move.was)
            found.append((seen[1] or seen[0]) if left else (seen[0] or seen[1]))
    found += [now.get(card) for card in event.turned]
    return tuple([card for card in found or turned_back(after) if card][:MOST_CARDS])


def faces_up(scene: Scene) -> dict[str, Card]:
    """The cards that the viewer sees, by id."""
    return {card.id: card for zone in scene.zones for card in zone.cards if card.face and not card.down}


def turned_back(scene: Scene) -> list[Card]:
    """The cards of layouts that the last move turned over and back, as they were seen."""
    cards = [card for zone in scene.zones if zone.layout == "grid" for card in zone.cards]
    return [msgspec.structs.replace(card, down=False) for card in cards if card.face and card.down]
