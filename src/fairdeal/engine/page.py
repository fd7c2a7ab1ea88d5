"""Rules pages for players, written as data and drawn with the game's own cards.

A game supplies a TOML file and names it in `Game.page`. The page of a game without a file shows its goal and its
clauses. Cards are written in the format that `notation` reads.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_file
from fairdeal.engine.game import Game
from fairdeal.engine.rulebook import Clause, clauses
from fairdeal.engine.scene import Card, Face
from fairdeal.engine.tips import Bite, read_bites, read_plain

HEADS = {
    "set_up": "Set-up",
    "turn": "A turn",
    "cards": "The cards",
    "end": "The end",
    "scoring": "Scoring",
    "asked": "Often asked",
    "bites": "Notes",
}
"""Headings of the parts of a page after the goal, in order."""

WORDS = ":"
"""Prefix of an item in a row of cards that is a sign or a word between cards."""

RAISED = re.compile(r"(.+)\+(\d+)=(\d+)")
NUMBER = re.compile(r"^[\d.]+ ")
"""The number before a heading."""

MARKS = re.compile(r"\*{0,2}\[[RAX]\]\*{0,2} ?|[*`]")
"""Markup inside a clause: its source, emphasis and code."""

STANDING = re.compile(r"(.+)=(.+)")


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a page, read from a file or sent to a client."""


class Said(Part, frozen=True):
    """A paragraph, or a step of a turn: its text, the clause that it is based on, and a row of cards. `otherwise` maps
    the name of an option to the text that applies instead at a table with that option, or to texts by the option's
    value. In a text, `{}` stands for the value."""

    text: str
    clause: str = ""
    cards: tuple[str, ...] = ()
    otherwise: dict[str, str | dict[str, str]] = {}


class Kind(Part, frozen=True):
    """A kind of card, drawn with its text. Name, text and clause default to those of its first face."""

    faces: tuple[str, ...]
    name: str = ""
    text: str = ""
    clause: str = ""


class Row(Part, frozen=True):
    """A line of a worked example: the counted item, and its value."""

    text: str
    value: int
    cards: tuple[str, ...] = ()


class Sum(Part, frozen=True):
    """A worked example: rows that add up to the total."""

    title: str
    rows: tuple[Row, ...]
    total: int
    unit: str = "points"


class Scoring(Part, frozen=True):
    """The scoring of a game, with examples."""

    said: tuple[Said, ...] = ()
    sums: tuple[Sum, ...] = ()


class Question(Part, frozen=True):
    """A frequent question and its answer."""

    ask: str
    answer: str
    clause: str = ""
    otherwise: dict[str, str | dict[str, str]] = {}


class Page(Part, frozen=True):
    """The rules of a game for players. `bites` are the game's rule tips, which come from a separate file."""

    goal: Said
    set_up: tuple[Said, ...] = ()
    turn: tuple[Said, ...] = ()
    cards: tuple[Kind, ...] = ()
    end: tuple[Said, ...] = ()
    scoring: Scoring = Scoring()
    asked: tuple[Question, ...] = ()
    bites: tuple[Bite, ...] = ()

    def paragraphs(self) -> Iterator[Said]:
        """Yield all paragraphs and steps, in order."""
        yield from (self.goal, *self.set_up, *self.turn, *self.end, *self.scoring.said)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield all rows of cards."""
        yield from (said.cards for said in self.paragraphs())
        yield from (kind.faces for kind in self.cards)
        yield from (row.cards for table in self.scoring.sums for row in table.rows)
        yield from (tuple(bite.drawn()) for bite in self.bites)

    def differences(self) -> Iterator[Mapping[str, str | dict[str, str]]]:
        """Yield the mappings `otherwise` of all paragraphs and answers."""
        yield from (said.otherwise for said in self.paragraphs())
        yield from (question.otherwise for question in self.asked)


@cache
def read_page(place: str) -> Page:
    """Return the page in a file of a package, such as `fairdeal.games.chi:page.toml`. Raises FairdealError, with the
    position of the problem, if it cannot be read."""
    return read_file(place, Page)


def page_of(game: Game) -> Page:
    """Return the page of a game, or a page with only its goal if it supplies none."""
    page = read_page(game.page) if game.page else Page(goal=Said(game.goal or game.blurb))
    return msgspec.structs.replace(page, bites=read_bites(game.clauses))


def filled(page: Page, faces: Mapping[str, Face]) -> Page:
    """Return a page on which each kind of card that lacks a name, a text or a clause has that of its face."""

    def completed(kind: Kind) -> Kind:
        face = faces[kind.faces[0]]
        return Kind(
            kind.faces, kind.name or face.title or face.name, kind.text or face.text, kind.clause or face.clause
        )

    return msgspec.structs.replace(page, cards=tuple(map(completed, page.cards)))


def told_clauses(game: Game) -> tuple[Clause, ...]:
    """Return all clauses of a game in plain wording, in order."""
    own = read_plain(game.clauses)
    return tuple(
        replace(one, text=own.get(one.id) or MARKS.sub("", one.text), heading=NUMBER.sub("", one.heading))
        for one in clauses(game.specification, game.clause_prefix)
    )


def notation(text: str, faces: Mapping[str, Face], back: str = "") -> Card | None:
    """Return the card denoted by `text` in the notation of pages: a face; `back`; `6g+2=8`, raised by two points to
    eight; or `?=25`, standing for 25. Return None for words between cards, which begin with a colon. Raises
    FairdealError for any other text."""
    if text in faces:
        return Card(id=text, face=text)
    if text == "back":
        return Card(id=text, down=True, back=back)
    raised, standing = RAISED.fullmatch(text), STANDING.fullmatch(text)
    if raised and raised[1] in faces:
        return Card(id=text, face=raised[1], load=int(raised[2]), value=int(raised[3]))
    if standing and standing[1] in faces:
        return Card(id=text, face=standing[1], as_=standing[2])
    if text.startswith(WORDS):
        return None
    raise FairdealError(f"{text!r} is not a card of this game; words between cards begin with {WORDS!r}")


def cards_of(page: Page, faces: Mapping[str, Face], back: str = "") -> dict[str, Card]:
    """Return every card on a page, by its notation."""
    found = {text: notation(text, faces, back) for row in page.rows() for text in row}
    return {text: card for text, card in found.items() if card is not None}


def differs(otherwise: Mapping[str, str | dict[str, str]], changed: Mapping[str, Any]) -> list[str]:
    """Return the texts that apply at a table with the `changed` options."""
    found = []
    for option, words in otherwise.items():
        if option in changed:
            value = changed[option]
            said = words if isinstance(words, str) else words.get(msgspec.json.encode(value).decode().strip('"'), "")
            found.append(said.replace("{}", str(value)))
    return [words for words in found if words]
