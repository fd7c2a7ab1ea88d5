"""The rules of a game for people: a page in front of the clauses, written as data and drawn with the game's own cards.

A game brings it as a TOML file and names it in `Game.page`; one without shows its goal and its clauses. The text of a
card is that of `notation` below, the same in every file.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_file
from fairdeal.engine.game import OLDER, Game
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
"""The parts of a page after its goal, in order, and what stands over them."""

WORDS = ":"
"""What begins an item of a row of cards that is no card: a sign or a word between them."""

RAISED = re.compile(r"(.+)\+(\d+)=(\d+)")
NUMBER = re.compile(r"^[\d.]+ ")
"""The number before a heading."""

MARKS = re.compile(r"\*{0,2}\[[RAX]\]\*{0,2} ?|[*`]")
"""Marks inside a clause: where its words come from, what is emphasized, what is notation."""

STANDING = re.compile(r"(.+)=(.+)")


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a page, as a file says it and as it is sent."""


class Said(Part, frozen=True):
    """A paragraph, or a step of a turn: its words, the clause they come from, a row of cards. `otherwise`: what holds
    instead at a table with another option, by its name, and by its value where the words differ; `{}` in them is the
    value."""

    text: str
    clause: str = ""
    cards: tuple[str, ...] = ()
    otherwise: dict[str, str | dict[str, str]] = {}


class Kind(Part, frozen=True):
    """A kind of card, drawn with its words. Name, text and clause are those of its first face where it has none."""

    faces: tuple[str, ...]
    name: str = ""
    text: str = ""
    clause: str = ""


class Row(Part, frozen=True):
    """A line of a worked example: what is counted, and how much it makes."""

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
    """How a game is counted, and examples of it."""

    said: tuple[Said, ...] = ()
    sums: tuple[Sum, ...] = ()


class Question(Part, frozen=True):
    """What people ask, and the answer."""

    ask: str
    answer: str
    clause: str = ""
    otherwise: dict[str, str | dict[str, str]] = {}


class Page(Part, frozen=True):
    """The rules of a game for people. `bites`: the notes of the game, which have a file of their own, as have the plain
    words of clauses, which older pages have in `clauses`."""

    goal: Said
    set_up: tuple[Said, ...] = ()
    turn: tuple[Said, ...] = ()
    cards: tuple[Kind, ...] = ()
    end: tuple[Said, ...] = ()
    scoring: Scoring = Scoring()
    asked: tuple[Question, ...] = ()
    clauses: dict[str, str] = {}
    bites: tuple[Bite, ...] = ()

    def paragraphs(self) -> Iterator[Said]:
        """All paragraphs and steps, in order."""
        yield from (self.goal, *self.set_up, *self.turn, *self.end, *self.scoring.said)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """All rows of cards."""
        yield from (said.cards for said in self.paragraphs())
        yield from (kind.faces for kind in self.cards)
        yield from (row.cards for table in self.scoring.sums for row in table.rows)
        yield from (tuple(bite.drawn()) for bite in self.bites)

    def differences(self) -> Iterator[Mapping[str, str | dict[str, str]]]:
        """What all paragraphs and answers say of other options."""
        yield from (said.otherwise for said in self.paragraphs())
        yield from (question.otherwise for question in self.asked)


@cache
def read_page(place: str) -> Page:
    """The page in a file of a package, such as `fairdeal.games.chi:page.toml`. Raises FairdealError, saying where."""
    return read_file(place, Page)


def page_of(game: Game) -> Page:
    """The page of a game; of one that brings none, what it says of itself."""
    page = read_page(game.page) if game.page else Page(goal=Said(game.goal or game.blurb))
    return msgspec.structs.replace(page, bites=read_bites(game.clauses))


def filled(page: Page, faces: Mapping[str, Face]) -> Page:
    """The same page with the words of the faces where its kinds of cards bring none of their own."""

    def told(kind: Kind) -> Kind:
        face = faces[kind.faces[0]]
        return Kind(
            kind.faces, kind.name or face.title or face.name, kind.text or face.text, kind.clause or face.clause
        )

    return msgspec.structs.replace(page, cards=tuple(map(told, page.cards)))


def told_clauses(game: Game) -> tuple[Clause, ...]:
    """All clauses of a game in the words of people, in order."""
    older = page_of(game).clauses
    if older:
        warnings.warn(OLDER, DeprecationWarning, stacklevel=2)
    own = older | read_plain(game.clauses)
    return tuple(
        replace(one, text=own.get(one.id) or MARKS.sub("", one.text), heading=NUMBER.sub("", one.heading))
        for one in clauses(game.specification, game.clause_prefix)
    )


def notation(text: str, faces: Mapping[str, Face], back: str = "") -> Card | None:
    """A card of a page: a face; `back`; `6g+2=8`, raised by two points to eight; `?=25`, standing for it. None for
    words between cards, which begin with a colon. Raises FairdealError for anything else."""
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
    raise FairdealError(f"{text!r} is no card of this game, and words between cards begin with {WORDS!r}")


def cards_of(page: Page, faces: Mapping[str, Face], back: str = "") -> dict[str, Card]:
    """Every card of a page by its text."""
    found = {text: notation(text, faces, back) for row in page.rows() for text in row}
    return {text: card for text, card in found.items() if card is not None}


def differs(otherwise: Mapping[str, str | dict[str, str]], changed: Mapping[str, Any]) -> list[str]:
    """What holds instead at a table with these options, in words."""
    found = []
    for option, words in otherwise.items():
        if option in changed:
            value = changed[option]
            said = words if isinstance(words, str) else words.get(msgspec.json.encode(value).decode().strip('"'), "")
            found.append(said.replace("{}", str(value)))
    return [words for words in found if words]
