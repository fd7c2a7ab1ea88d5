"""What the HTTP part takes and gives, typed once: the checks, the OpenAPI page and the answers come from here."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from fairdeal.engine.page import Page
from fairdeal.engine.scene import Card, Face, Scene, Skin
from fairdeal.protocol.messages import Facts, Told
from fairdeal.table.analysis.view import AnalysisView, DecisionView
from fairdeal.table.lessons import Offer


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A request's body."""


class Rename(Body, frozen=True):
    """Call yourself something.

    name  the nickname
    """

    name: str


class NewTable(Body, frozen=True):
    """Open a table.

    game, preset  name of the game, and of one of its presets
    options       options of the game, in place of the preset's
    chairs        what plays at each seat: `you`, `person`, or the id of an opponent; without any, you and the game's
                  usual opponent
    listed        the lobby lists the table for everybody
    clock         seconds for a move, 0 for none
    ticket        the ticket of a promise, asked for before
    hash          SHA-256 of your own number, made after the promise
    waits         wait for a number that a guest does not show; else the cards are dealt without it
    calm          races are calm
    """

    game: str
    preset: str = ""
    options: dict[str, Any] = {}
    chairs: tuple[str, ...] = ()
    listed: bool = True
    clock: int = 0
    ticket: str = ""
    hash: str = ""
    waits: bool = True
    calm: bool = False


class Join(Body, frozen=True):
    """Take a seat.

    seat  the seat, or null for the first free one
    hash  binds you to your own number in the deal: SHA-256 of its 16 bytes, in hexadecimal. Without one the number
          follows from the seed
    """

    seat: int | None = None
    hash: str = ""


class Number(Body, frozen=True):
    """Show your number, or bind yourself to a new one.

    nonce  the number that your hash binds you to, in 32 hexadecimal digits, shown when every seat is bound
    hash   the hash of a new number, if the numbers are asked for again
    """

    nonce: str = ""
    hash: str = ""


class Branch(Body, frozen=True):
    """Play on from a move of a finished game.

    move, seat  the number of the move, and your seat
    """

    move: int
    seat: int


class SetWebhook(Body, frozen=True):
    """Tell me of my turn when I am away.

    address  the web address to send it to
    """

    address: str


class At(msgspec.Struct, frozen=True):
    """A moment of a finished game."""

    move: Annotated[int, msgspec.Meta(ge=0, description="after so many moves")]
    seat: Annotated[int, msgspec.Meta(ge=-1, description="as this seat saw it; -1: as anybody could")] = -1
    hands: Annotated[bool, msgspec.Meta(description="with all hands face up")] = False


class MomentAt(At, frozen=True):
    """A moment, and whether the log in words is asked for."""

    log: Annotated[bool, msgspec.Meta(description="with the log in words")] = False


class CardAt(At, frozen=True):
    """A card of a moment."""

    card: Annotated[str, msgspec.Meta(description="a name of the scene")] = ""


class Known(msgspec.Struct, frozen=True):
    """The part of an analysis that the caller has."""

    decisions: Annotated[int, msgspec.Meta(ge=0, description="how many decisions you know")] = 0


class Before(msgspec.Struct, frozen=True):
    """The moment before a move was made."""

    move: Annotated[int, msgspec.Meta(ge=0, description="before this move, counted from 0")]


class Webhook(msgspec.Struct, frozen=True):
    """Where you are told of your turn, or nothing; and the hosts that this room sends to, none if it sends nothing."""

    address: str
    hosts: tuple[str, ...]


class Promise(msgspec.Struct, frozen=True):
    """SHA-256 of the seed of a table to come, and the ticket with which to open it."""

    promise: str
    ticket: str


class RoomKey(msgspec.Struct, frozen=True):
    """The public key that this room signs its logs with: Ed25519, in hexadecimal."""

    key: str


class Me(msgspec.Struct, frozen=True):
    """Who you are to the room."""

    name: str


class Preset(msgspec.Struct, frozen=True):
    """A named set of options: what people call it, and what a player notices."""

    name: str
    title: str
    text: str
    options: dict[str, Any]


class LevelFacts(msgspec.Struct, frozen=True):
    """An opponent as a game has it: its strength in `pips` from 1 to 6, a line of what is said of it, and the `rating`
    that the ladder found, 0 before it was played."""

    id: str
    name: str
    line: str
    colour: str
    animal: str
    pips: int
    pronoun: str
    rating: float


class Against(msgspec.Struct, frozen=True):
    """Your record against an opponent: how many games you have won in which it sat there, and how many it has."""

    you: int
    they: int


class GameFacts(msgspec.Struct, frozen=True):
    """A game on the shelf; `options` is the JSON schema of its options, `levels` are the opponents that play it, the
    weakest first, and `usual` is the one that newcomers meet. Games with the same `look` come in one box. `calm_race`:
    the seconds that a race lasts where races are calm; 0 without races. `learned`: has a net learned the game?"""

    name: str
    title: str
    designer: str
    publisher: str
    goal: str
    blurb: str
    players: tuple[int, int]
    usual_players: int
    minutes: tuple[int, int]
    weight: str
    presets: tuple[Preset, ...]
    options: dict[str, Any]
    skin: Skin
    look: str
    levels: tuple[LevelFacts, ...]
    usual: str
    lessons: tuple[Offer, ...] = ()
    calm_race: int = 0
    learned: bool = False


class Lobby(msgspec.Struct, frozen=True):
    """Your own tables and those that are open to all; `notices` if the room tells guests of their turn elsewhere."""

    mine: tuple[Facts, ...]
    open: tuple[Facts, ...]
    playing: int
    notices: bool = False


class Moment(msgspec.Struct, frozen=True):
    """A finished game as a viewer sees it after so many moves, or with all hands face up. With `log`, all that
    happened, and `marks`: the moves after which a game of the match, or a round, had ended."""

    move: int
    moves: int
    scene: Scene
    log: tuple[Told, ...]
    marks: tuple[int, ...] = ()


class AnalysisTold(msgspec.Struct, frozen=True):
    """The analysis of a finished game, once it is made. Until then so many of its moves were looked at, first all for
    the course of the game and then all for its decisions; of none while other games come first. `begun` is the course,
    for who knows no decision yet, and `decisions` are those that they do not know."""

    move: int = 0
    moves: int = 0
    analysis: AnalysisView | None = None
    begun: AnalysisView | None = None
    decisions: tuple[DecisionView, ...] = ()


class PageFacts(msgspec.Struct, frozen=True):
    """The rules of a game for people: its page, the words that begin each part, the cards that the page draws by their
    text, the faces of those cards, and the lessons that teach the game."""

    title: str
    designer: str
    publisher: str
    page: Page
    heads: dict[str, str]
    cards: dict[str, Card]
    faces: dict[str, Face]
    skin: Skin
    lessons: tuple[Offer, ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    reason: str
