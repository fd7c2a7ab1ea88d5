"""Types of the HTTP interface's requests and responses, from which checks, the OpenAPI page and responses are made."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from fairdeal.engine.page import Page
from fairdeal.engine.scene import Card, Face, Scene, Skin
from fairdeal.protocol.messages import Facts, Told
from fairdeal.table.analysis.view import AnalysisView, DecisionView
from fairdeal.table.lessons import Offer


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The body of a request."""


class Rename(Body, frozen=True):
    """Set your nickname.

    name  the nickname
    """

    name: str


class NewTable(Body, frozen=True):
    """Open a table.

    game, preset  name of the game; name of one of its presets
    options       options of the game, which override the preset's
    chairs        player of each seat: `you`, `person`, or the id of an opponent (default: you and the game's usual
                  opponent)
    listed        whether the lobby lists the table for everyone
    clock         number of seconds for a move, 0 for none
    ticket        ticket of the room's commitment, requested before
    hash          SHA-256 of your nonce, made after the room's commitment
    waits         whether the deal waits for nonces that guests do not reveal; otherwise the cards are dealt without
                  them
    calm          whether races are calm
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
    hash  your commitment to a nonce for the deal: SHA-256 of its 16 bytes, in hexadecimal (default: the room derives
          your nonce from the seed)
    """

    seat: int | None = None
    hash: str = ""


class Number(Body, frozen=True):
    """Reveal your nonce, or commit to a new one.

    nonce  the nonce that you committed to, in 32 hexadecimal digits, revealed when every seat has committed to one
    hash   hash of a new nonce, if nonces are requested again
    """

    nonce: str = ""
    hash: str = ""


class Branch(Body, frozen=True):
    """Play on from a move of a finished game.

    move, seat  number of the move; your seat
    """

    move: int
    seat: int


class SetWebhook(Body, frozen=True):
    """Set a web address that is notified of your turn while you are away.

    address  the web address
    """

    address: str


class At(msgspec.Struct, frozen=True):
    """A moment of a finished game."""

    move: Annotated[int, msgspec.Meta(ge=0, description="number of moves played")]
    seat: Annotated[int, msgspec.Meta(ge=-1, description="seat of the viewer; -1 for a spectator")] = -1
    hands: Annotated[bool, msgspec.Meta(description="whether all hands are face up")] = False


class MomentAt(At, frozen=True):
    """A moment, with or without the log in words."""

    log: Annotated[bool, msgspec.Meta(description="whether to include the log in words")] = False


class CardAt(At, frozen=True):
    """A card of a moment."""

    card: Annotated[str, msgspec.Meta(description="id of the card in the scene")] = ""


class Known(msgspec.Struct, frozen=True):
    """The part of an analysis that the caller already has."""

    decisions: Annotated[int, msgspec.Meta(ge=0, description="number of decisions that you already have")] = 0


class Before(msgspec.Struct, frozen=True):
    """The moment before a move was made."""

    move: Annotated[int, msgspec.Meta(ge=0, description="number of the move, counted from 0")]


class Webhook(msgspec.Struct, frozen=True):
    """The address that is notified of your turn, "" if there is none; and the hosts that this room sends to, empty if
    it sends nothing."""

    address: str
    hosts: tuple[str, ...]


class Promise(msgspec.Struct, frozen=True):
    """The room's commitment to the seed of a future table (SHA-256), and the ticket that opens the table."""

    promise: str
    ticket: str


class RoomKey(msgspec.Struct, frozen=True):
    """The public key with which this room signs its logs: Ed25519, in hexadecimal."""

    key: str


class Me(msgspec.Struct, frozen=True):
    """Your identity in the room."""

    name: str


class Preset(msgspec.Struct, frozen=True):
    """A named set of options, with its title and a sentence on its effect for players."""

    name: str
    title: str
    text: str
    options: dict[str, Any]


class LevelFacts(msgspec.Struct, frozen=True):
    """An opponent in a game: its strength in `pips` from 1 to 6, a line that describes it, and its `rating` on the
    ladder, 0 if it has not played there."""

    id: str
    name: str
    line: str
    colour: str
    animal: str
    pips: int
    pronoun: str
    rating: float


class Against(msgspec.Struct, frozen=True):
    """Your record against an opponent: number of games you won in which it played, and number of games it won."""

    you: int
    they: int


class GameFacts(msgspec.Struct, frozen=True):
    """A game on the shelf. `options` is the JSON schema of its options, `levels` are its opponents, the weakest first,
    and `usual` is the one for newcomers. Games with equal `look` share a box. `calm_race` is the number of seconds that
    a race lasts if races are calm; 0 for a game without races. `learned` is whether a net has learned the game."""

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
    """Your own tables and those open to everyone; `notices` is whether the room can notify guests of their turn
    elsewhere."""

    mine: tuple[Facts, ...]
    open: tuple[Facts, ...]
    playing: int
    notices: bool = False


class Moment(msgspec.Struct, frozen=True):
    """A finished game as a viewer sees it after `move` moves, or with all hands face up. `log` has all lines if it was
    requested; `marks` are the moves after which a game of the match, or a round, had ended."""

    move: int
    moves: int
    scene: Scene
    log: tuple[Told, ...]
    marks: tuple[int, ...] = ()


class AnalysisTold(msgspec.Struct, frozen=True):
    """The analysis of a finished game, once it is complete. Until then `move` is the number of moves examined, first
    for the course of the game and then again for its decisions; it is 0 while other games come first. `begun` is the
    course, for a caller without any decision, and `decisions` are those that the caller does not have yet."""

    move: int = 0
    moves: int = 0
    analysis: AnalysisView | None = None
    begun: AnalysisView | None = None
    decisions: tuple[DecisionView, ...] = ()


class PageFacts(msgspec.Struct, frozen=True):
    """The rules of a game for players: its page, the headings of its parts, the cards that it draws by their notation,
    the faces of those cards, and the lessons that teach the game."""

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
    """The reason why a request was refused."""

    reason: str
