"""The messages between a client and a room over a WebSocket, described in docs/messages.md.

A client sends requests, each with an `id` of its own. The server responds to each with `done`, with the requested data,
or with `refused` and the reason. In between it sends messages about events at the table. `type` distinguishes the
messages.

A new field needs a default value, for rooms of older versions; programs ignore fields of a room that they do not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.engine.inspection import Inspection
from fairdeal.engine.scene import Bitten, Scene, Sentence
from fairdeal.table.advice import Option
from fairdeal.table.lessons import Offer

PROTOCOL = 1
"""Version of the protocol. Increase it for a change that older programs would misread, but not for a new field or
message."""


class Request(
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """A request from a client. `id` has at most 64 characters; a request that is sent twice under one id is carried out
    once."""

    id: str = ""


class Pick(Request, tag="pick", frozen=True):
    """Pick a choice of the scene; `draft` has the picks before it, `seq` is the scene's number."""

    seq: int
    choice: int
    draft: tuple[int, ...] = ()


class Play(Request, tag="play", frozen=True):
    """Play a whole move in notation, for programs."""

    seq: int
    move: str


class Draft(Request, tag="draft", frozen=True):
    """Request the scene with a draft, for instance after taking back a choice."""

    draft: tuple[int, ...] = ()


class Why(Request, tag="why", frozen=True):
    """Ask why a card cannot be chosen; the response is a sentence."""

    card: str
    draft: tuple[int, ...] = ()


class Inspect(Request, tag="inspect", frozen=True):
    """Request the details of a card of the scene, or of the top of a stack, given as its zone's id and `-top`."""

    card: str
    draft: tuple[int, ...] = ()


class Position(Request, tag="position", frozen=True):
    """Request your seat's knowledge as a position, for programs; `recall` is the percentage of seen cards that it
    remembers."""

    recall: int = 0


class Recall(Request, tag="recall", frozen=True):
    """Request the table at each moment since your own last action."""


class Hint(Request, tag="hint", frozen=True):
    """Request a hint: the move that a good player would make. The first `look`, 0, is answered at once. While the hint
    is being read, repeat the request with the `look` named in the response: each look, up to 3, searches longer and
    adds winning chances."""

    look: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Undo(Request, tag="undo", frozen=True):
    """Take back the last move, if it is yours, it revealed nothing new, and no other seat has acted since."""

    seq: int


class Say(Request, tag="say", frozen=True):
    """Send a line of chat or one of the quick reactions."""

    text: str


class StandIn(Request, tag="stand_in", frozen=True):
    """Let a bot play for a seat whose guest has been away for 10 seconds, or for your own; take the seat back with `on`
    false."""

    seat: int
    on: bool = True


SpeedName = Literal["slow", "normal", "instant"]


class Speed(Request, tag="speed", frozen=True):
    """Set the speed of bots at a table without other people: `slow` (bots take twice as long), `normal` or `instant`.
    The speed lasts as long as the table stays loaded."""

    speed: SpeedName


class Calm(Request, tag="calm", frozen=True):
    """Ask for calm races, or withdraw your request; it is stored with your seat (see "Calm races")."""

    on: bool = True


class Rematch(Request, tag="rematch", frozen=True):
    """Ask for another game with the same seats after the end. It begins when all guests who are present have asked.
    `hash` is your commitment to a nonce for its deal, made after the room's commitment in `facts.deal.next`."""

    hash: str = ""


class Ping(Request, tag="ping", frozen=True):
    """Check the connection."""


Requests = (
    Pick
    | Play
    | Draft
    | Why
    | Inspect
    | Position
    | Recall
    | Hint
    | Undo
    | Say
    | StandIn
    | Speed
    | Calm
    | Rematch
    | Ping
)


class Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """A message from the server."""


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at a table of the room.

    seat      number of the seat
    name      name of the player
    plays     `person`, or the id of an opponent or a bot
    taken     whether a guest has the seat
    here      whether that guest is connected
    stand_in  whether a bot plays for the guest
    you       whether it is your own seat
    ready     whether the guest wants a rematch
    hash      the seat's commitment to a nonce
    asked     whether the guest has to commit to a new nonce
    shown     whether the guest has revealed the nonce
    late      whether the deal has waited long enough for the guest
    grace     number of seconds for which a guest who is away may still come back before a bot can play for them
    calm      whether you asked for calm races; sent for your own seat only
    """

    seat: int
    name: str = ""
    plays: str = "person"
    taken: bool = False
    here: bool = False
    stand_in: bool = False
    you: bool = False
    ready: bool = False
    hash: str = ""
    asked: bool = False
    shown: bool = False
    late: bool = False
    grace: float = 0.0
    calm: bool = False


class Said(msgspec.Struct, frozen=True):
    """A line of chat.

    seat, name  seat and name of the speaker; the seat of a spectator is -1
    text, at    the line; its Unix time
    """

    seat: int
    name: str
    text: str
    at: float


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the deal.

    commitment  the room's commitment to the seed
    stage       `seats`: seats are free; `hashes`: new commitments are requested; `numbers`: nonces are to be revealed;
                `dealt`
    outline     at `numbers`: the header without the nonces
    attempt     number of times that nonces have been requested
    waits       whether the deal waits for nonces that are not revealed
    key         the room's public key
    signature   the room's signature of the header
    header      the header with all nonces
    seed        at the end: the seed
    next        at the end: the commitment for a rematch
    """

    commitment: str
    stage: str = "dealt"
    outline: str = ""
    attempt: int = 1
    waits: bool = True
    key: str = ""
    signature: str = ""
    header: str = ""
    seed: str = ""
    next: str = ""


class Last(msgspec.Struct, frozen=True):
    """The last event at a table.

    text, at  log line as the viewer's seat saw it; its Unix time
    """

    text: str
    at: float


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A table without its cards, as listed in the lobby and shown in the bar.

    id             id of the table
    game, title    name of the game; title of the game
    name           name of the table
    status         `open`, `running`, `over` or `cleared` (deleted)
    options        options of the game
    chairs         a Chair for each seat
    deal           a Deal
    clock          number of seconds for a move, 0 for none
    calm           whether races are calm; null if the game has none
    listed         whether the lobby lists the table for everyone
    host           whether you opened the table
    host_seat      seat of the host, -1 if the host has none
    seat           your own seat, -1 if you have none
    acts           seats that may act
    until          Unix time at which the viewer's time for a move runs out, 0 if no clock runs
    last           a Last, only in the lobby and for your own running games
    seq            number of entries in the log
    made, moved    Unix time at which the table was opened; Unix time of the last move
    rematch        id of the table of the rematch
    origin         id of the table from which this one was branched off, and number of the move
    watchers       number of spectators
    readable_only  reason why the table cannot be played on, if its rules cannot be replayed
    trouble        current problem of the room, for example that it cannot save
    lesson         name of the lesson, if this is a lesson rather than a table
    next_lesson    the lesson that follows
    """

    id: str
    game: str
    title: str
    name: str
    status: str
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    deal: Deal
    clock: int = 0
    calm: bool | None = None
    listed: bool = True
    host: bool = False
    host_seat: int = -1
    seat: int = -1
    acts: tuple[int, ...] = ()
    until: float = 0.0
    last: Last | None = None
    seq: int = 0
    made: float = 0.0
    moved: float = 0.0
    rematch: str = ""
    origin: tuple[str, int] | None = None
    watchers: int = 0
    readable_only: str = ""
    trouble: str = ""
    lesson: str = ""
    next_lesson: Offer | None = None


class Told(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of the log in words.

    number, seat  number of the entry; seat that acted
    text          the line
    clauses       ids of the clauses of rules that took effect automatically
    """

    number: int
    seat: int
    text: Sentence
    clauses: tuple[str, ...] = ()


class Welcome(Message, tag="welcome", frozen=True):
    """The first message, also after every reconnection, with the whole state of the table. `now` is the room's Unix
    time, `chain` the running hash of the log. `protocol` is the version of the protocol, 0 from a room older than its
    introduction. `scene.recap` summarizes what you missed."""

    facts: Facts
    scene: Scene | None = None
    log: tuple[Told, ...] = ()
    chat: tuple[Said, ...] = ()
    now: float = 0.0
    chain: str = ""
    protocol: int = 0


class Shown(Message, tag="scene", frozen=True):
    """The current table, sent to everyone at it after each move (`server/tables/audience.py`); with `id`, the response
    to your `pick` or `draft`. `log` has the lines since the last scene, `chain` is the running hash of the log at the
    scene's number."""

    scene: Scene
    id: str = ""
    log: tuple[Told, ...] = ()
    chain: str = ""


class Done(Message, tag="done", frozen=True):
    """The request was carried out **and saved to disk**. `seq` is the table's new number, `chain` the running hash of
    the log up to it (docs/log-format.md)."""

    id: str
    seq: int = 0
    chain: str = ""


class Refused(Message, tag="refused", frozen=True):
    """The request was not carried out. `scene` is the current scene, if there is one."""

    id: str
    reason: str
    clause: str = ""
    scene: Scene | None = None


class Answer(Message, tag="answer", frozen=True):
    """The response to `why` and `hint`: a text and a clause. A response to `why` may have a rule tip (docs/scene.md,
    "Notes"). A hint has the move in notation, the choices that lead to it, in order, and the cards, zones and seats
    (`seat:2`) to highlight. After a second look it also has the best moves as `{text, notation, chance, error}`, with
    chances from 0 to 1 and half the width of their 95 % intervals; the event `of` which they are the chances; and the
    next `look`, if it would find more."""

    id: str
    text: str
    clause: str = ""
    move: str = ""
    choices: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    of: str = ""
    look: int = 0
    bite: Bitten | None = None


class Inspected(Message, tag="inspected", frozen=True):
    """The response to `inspect`. `told` has the fields `name where text now seen clause face`; empty ones are omitted,
    and so is `face` if you may not see it."""

    id: str
    card: str
    told: Inspection


class Positioned(Message, tag="positioned", frozen=True):
    """The response to `position`: the JSON form of a state with `?` for hidden cards, at log entry `seq`;
    `table.setup(position)` reads it."""

    id: str
    seq: int
    position: dict[str, Any]


class Recalled(Message, tag="recalled", frozen=True):
    """The response to `recall`: at most 31 scenes since your own last action as you saw them, ending with the current
    one. They have no choices."""

    id: str
    scenes: tuple[Scene, ...]


class Chat(Message, tag="chat", frozen=True):
    """A line of chat from anyone at the table."""

    said: Said


class Table(Message, tag="table", frozen=True):
    """A change of the table's seats, deal or status."""

    facts: Facts


Messages = Welcome | Shown | Done | Refused | Answer | Inspected | Positioned | Recalled | Chat | Table

encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(Messages)


def encoded(message: Message | Request) -> str:
    """Return the JSON text of a message."""
    return encoder.encode(message).decode()
