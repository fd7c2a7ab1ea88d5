"""The messages between a client and a room over a WebSocket; docs/messages.md describes them.

A client sends requests, each with an `id` of its own; the server answers every one: with `done`, with what was asked,
or with `refused` and the reason. Between answers it tells what happened. `type` tells the messages apart.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.engine.inspection import Inspection
from fairdeal.engine.scene import Bitten, Scene, Sentence
from fairdeal.table.analysis import Option
from fairdeal.table.lesson import Offer

PROTOCOL = 1
"""Version of the protocol. Raise it for a change that an older program would misread, never for a field or a message
more."""


class Request(
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """From a client. `id` is at most 64 characters; a request sent again under the same id is done once."""

    id: str = ""


class Pick(Request, tag="pick", frozen=True):
    """Pick a choice of the scene, with the picks of the draft before it. `seq` is that of the scene seen."""

    seq: int
    choice: int
    draft: tuple[int, ...] = ()


class Play(Request, tag="play", frozen=True):
    """Play a whole move in notation: for programs."""

    seq: int
    move: str


class Draft(Request, tag="draft", frozen=True):
    """Show the scene with this draft: after a choice was taken back."""

    draft: tuple[int, ...] = ()


class Why(Request, tag="why", frozen=True):
    """Why can this card not be chosen?"""

    card: str
    draft: tuple[int, ...] = ()


class Inspect(Request, tag="inspect", frozen=True):
    """What is there to say of this card? Also of the top of a stack, by the id of its zone and `-top`."""

    card: str
    draft: tuple[int, ...] = ()


class Position(Request, tag="position", frozen=True):
    """What may my seat know now, as a position for programs? With `recall` percent of what it has seen."""

    recall: int = 0


class Recall(Request, tag="recall", frozen=True):
    """What did the table look like since my own last act, moment by moment?"""


class Hint(Request, tag="hint", frozen=True):
    """What would a good player play? The first `look`, 0, is answered at once; each further one, up to 3, with chances
    after more thought."""

    look: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Undo(Request, tag="undo", frozen=True):
    """Take the last move back, where it showed nothing and nobody has acted since."""

    seq: int


class Say(Request, tag="say", frozen=True):
    """A line of chat, or one of the quick reactions."""

    text: str


class StandIn(Request, tag="stand_in", frozen=True):
    """Let a bot play for a seat whose guest is away; or, for the own seat, hand it back with `on` false."""

    seat: int
    on: bool = True


SpeedName = Literal["slow", "normal", "instant"]


class Speed(Request, tag="speed", frozen=True):
    """How long the bots of a table against bots alone should take: twice as long, as usual, or no time."""

    speed: SpeedName


class Calm(Request, tag="calm", frozen=True):
    """From your seat: let races be calm here, for everybody, or no longer for your sake."""

    on: bool = True


class Rematch(Request, tag="rematch", frozen=True):
    """Ask for another game with the same seats, which begins when all guests who are here have asked. `hash` binds you
    to your number for its deal, made after `facts.deal.next` promised the seed."""

    hash: str = ""


class Ping(Request, tag="ping", frozen=True):
    """Are you there?"""


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
    """From the server."""


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as the room knows it: `plays` is `person`, or the id of an opponent or a bot; `grace` are the seconds for
    which a guest who is away may still come back before a bot can play for them. `hash` binds who sits there to a
    number, which they have `shown` or not; `asked` if they are to be bound to a new one, `late` if the deal has waited
    for them long enough. `calm` is your own wish for calm races, which is told to nobody else."""

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
    """A line of chat."""

    seat: int
    name: str
    text: str
    at: float


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the deal: its promise, the header with everybody's numbers and the room's signature of it, at
    the end the seed and the promise for a rematch. `stage`: `seats` are free, `hashes` are asked for anew, `numbers`
    are to be shown (`outline` is then the header without them), or it is `dealt`. `key` is the room's public key;
    `waits` for numbers that are not shown."""

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
    """What happened last, in a line as the viewer's seat was told it, and when."""

    text: str
    at: float


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A table without its cards: what the lobby lists and the bar shows. `status` is open, running, over or cleared
    (away, for good). `host_seat` is the seat of whoever opened it, -1 if they have none; `until` is the Unix time at
    which the viewer's time for a move is over, 0 if none runs; `calm` says whether races are calm, null where the game
    has none; `last` is told in the lobby only, of your own games that run. `trouble` says what is wrong in the room at
    the moment, such as that it cannot save; `lesson` is the name of the lesson that is taught here, which is no table
    of the room, and `next_lesson` the one that follows it."""

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
    """A line of the log in words."""

    number: int
    seat: int
    text: Sentence
    clauses: tuple[str, ...] = ()


class Welcome(Message, tag="welcome", frozen=True):
    """The first message of a connection. `now` is the server's Unix time, `chain` the running hash of the log,
    `protocol` the version of the protocol, 0 from a room older than the first number."""

    facts: Facts
    scene: Scene | None = None
    log: tuple[Told, ...] = ()
    chat: tuple[Said, ...] = ()
    now: float = 0.0
    chain: str = ""
    protocol: int = 0


class Shown(Message, tag="scene", frozen=True):
    """The table as it is now; `id` answers the request that led to it. `log` are the lines since the last scene,
    `chain` is the running hash of the log at the scene's number."""

    scene: Scene
    id: str = ""
    log: tuple[Told, ...] = ()
    chain: str = ""


class Done(Message, tag="done", frozen=True):
    """The request was carried out and is kept; `seq` is the table's number now, `chain` the running hash of the log up
    to it (docs/log-format.md)."""

    id: str
    seq: int = 0
    chain: str = ""


class Refused(Message, tag="refused", frozen=True):
    """The request was not carried out. A fresh scene follows where there is one."""

    id: str
    reason: str
    clause: str = ""
    scene: Scene | None = None


class Answer(Message, tag="answer", frozen=True):
    """To `why` and `hint`: words and a clause. To `hint` also the move in notation, the choices that lead to it, in
    order, and what to mark: ids of cards and zones, and seats as `seat:2`; the best moves with their chances, and what
    these are chances `of`; and the next `look` worth asking for, 0 if there is none. To `why` also the note of the game
    on it."""

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
    """To `inspect`: the card in words; `card` is the one that was asked for."""

    id: str
    card: str
    told: Inspection


class Positioned(Message, tag="positioned", frozen=True):
    """To `position`: what the seat may know when the log has `seq` entries, in the JSON form of a state."""

    id: str
    seq: int
    position: dict[str, Any]


class Recalled(Message, tag="recalled", frozen=True):
    """To `recall`: the moments since the seat's own last act as it saw them, the last one as it is now. Nothing can be
    chosen in them."""

    id: str
    scenes: tuple[Scene, ...]


class Chat(Message, tag="chat", frozen=True):
    """Somebody said something."""

    said: Said


class Table(Message, tag="table", frozen=True):
    """Chairs, deal or status changed."""

    facts: Facts


Messages = Welcome | Shown | Done | Refused | Answer | Inspected | Positioned | Recalled | Chat | Table

encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(Messages)


def encoded(message: Message | Request) -> str:
    """The JSON text of a message."""
    return encoder.encode(message).decode()
