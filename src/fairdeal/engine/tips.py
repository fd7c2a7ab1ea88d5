"""Explanations of a game's clauses for players: plain wording, reasons why cards cannot be chosen, and rule tips. A tip
explains a rule in a sentence, with an example made of the cards concerned. Screens show it the first time that the rule
costs a player something, forbids a card or takes effect automatically.

A game puts all of these into one TOML file, by clause, and names the file in `Game.clauses`. A tip is raised by an
event of the last move that names its clause, or by tapping a card that cannot be chosen. Rules therefore need not refer
to tips, and a viewer's tips depend only on events that the viewer sees anyway.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from fairdeal.engine.events import Described, Event
from fairdeal.engine.files import read_file
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import Bitten, Card, LogLine, Scene

OWN = "@"
"""Placeholder, in a row of an example, for the cards concerned, or for the tip's own `cards` if there are none."""

MOST_CARDS = 4
"""Maximum number of the viewer's own cards in an example."""


class Bite(Frozen, omit_defaults=True, kw_only=True):
    """A rule tip.

    It is raised by an event with its clause that names the viewer (`when="you"`), by an event that does not (`others`),
    by either (`any`), or when a card cannot be chosen because of the clause (`refused`). If a clause has several kinds
    of events, `event` selects one kind by its name, and `card` selects events that show the face `card`. `rows` are
    rows of cards in the notation of a page. `of` selects the viewer's cards in them: all that moved, those that went to
    a pile (`left`), or the others (`came`).
    """

    id: str
    clause: str = ""
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    cards: tuple[str, ...] = ()
    when: Literal["you", "others", "any", "refused"] = "you"
    event: str = ""
    card: str = ""
    of: Literal["all", "came", "left"] = "all"

    def drawn(self) -> Iterator[str]:
        """Yield the cards and words of the tip's example, except the viewer's own cards."""
        yield from self.cards
        yield from (item for row in self.rows for item in row if item != OWN)

    def comes_of(self, event: Event, viewer: int) -> bool:
        """Return whether an event raises this tip for a viewer."""
        if self.clause not in event.clauses or self.when == "refused":
            return False
        if self.event and self.event not in kinds_of(type(event)):
            return False
        if self.card and self.card not in event.shown:
            return False
        return self.when == "any" or (viewer in event.seats) == (self.when == "you")


class ForPeople(msgspec.Struct, frozen=True):
    """The entry of a clause in a game's file: its plain wording, which replaces that of the specification; the reasons
    why cards cannot be chosen, by case; and its tips."""

    plain: str = ""
    refused: dict[str, str] = {}
    tips: tuple[Bite, ...] = ()


@cache
def read_clauses(place: str) -> dict[str, ForPeople]:
    """Return the entries of a file such as `fairdeal.games.chi:clauses.toml`, by clause id. If `place` is empty, return
    an empty dictionary. Raises FairdealError, with the position of the problem, if the file cannot be read."""
    return read_file(place, dict[str, ForPeople]) if place else {}


@cache
def read_bites(place: str) -> tuple[Bite, ...]:
    """Return the tips in a game's file of clauses, in file order."""
    clauses = read_clauses(place).items()
    return tuple(tip.replaced(clause=id) for id, told in clauses for tip in told.tips)


@cache
def read_refusals(place: str) -> dict[str, tuple[str, str]]:
    """Return the refusals in a game's file of clauses, by case. Each has a wording and a clause id."""
    return {case: (text, id) for id, told in read_clauses(place).items() for case, text in told.refused.items()}


@cache
def read_plain(place: str) -> dict[str, str]:
    """Return the plain wordings in a game's file of clauses and in `clauses.toml` of the parent package, by clause
    id."""
    above = place.partition(":")[0].rpartition(".")[0]
    shared = read_plain(f"{above}:clauses.toml") if above and (files(above) / "clauses.toml").is_file() else {}
    return shared | {id: told.plain for id, told in read_clauses(place).items() if told.plain}


@cache
def kinds_of(kind: type[Event]) -> frozenset[str]:
    """Return the names of an event's class and of all its base classes."""
    return frozenset(one.__name__ for one in kind.__mro__)


def bitten(
    bites: Sequence[Bite], told: Sequence[Described], after: Scene, before: Callable[[], Scene] | None = None
) -> tuple[Bitten, ...]:
    """Return the tips that a move raises, each with the cards concerned, as the viewer saw them in the scene `before`
    or sees them in the scene `after`."""
    clauses = {clause for event, _ in told for clause in event.clauses}
    raised = [bite for bite in bites if bite.clause in clauses] if clauses and after.viewer >= 0 else ()
    found = [bite for bite in raised if any(bite.comes_of(event, after.viewer) for event, _ in told)]
    if not found:
        return ()
    line = told[0].line
    then = faces_up(before()) if before and line.moves else {}
    return tuple(Bitten(bite.id, concerned(bite, line, after, then)) for bite in found)


def refused(bites: Sequence[Bite], clause: str, card: str, scene: Scene) -> Bitten | None:
    """Return the tip that explains why a card of a scene cannot be chosen, or None."""
    found = next((bite.id for bite in bites if bite.when == "refused" and bite.clause == clause), None)
    if found is None or scene.viewer < 0:
        return None
    tapped = faces_up(scene).get(card)
    return Bitten(found, (tapped,) if tapped else ())


def concerned(bite: Bite, line: LogLine, after: Scene, then: Mapping[str, Card]) -> tuple[Card, ...]:
    """Return the cards that changed zones or were turned up by a move. If there are none, return the cards of a layout
    that it turned over and back. Cards that went to a pile are shown as they were before the move."""
    now = faces_up(after)
    piles = {zone.id for zone in after.zones if zone.layout == "stack"}
    found = []
    for move in line.moves:
        left = move.goal in piles
        if bite.of == "all" or left == (bite.of == "left"):
            seen = now.get(move.card), then.get(move.was)
            found.append((seen[1] or seen[0]) if left else (seen[0] or seen[1]))
    found += [now.get(card) for card in line.turned]
    return tuple([card for card in found or turned_back(after) if card][:MOST_CARDS])


def faces_up(scene: Scene) -> dict[str, Card]:
    """Return the cards whose faces the viewer sees, by id."""
    return {card.id: card for zone in scene.zones for card in zone.cards if card.face and not card.down}


def turned_back(scene: Scene) -> list[Card]:
    """Return the cards of layouts that the last move turned over and back, face up."""
    cards = [card for zone in scene.zones if zone.layout == "grid" for card in zone.cards]
    return [card.replaced(down=False) for card in cards if card.face and card.down]
