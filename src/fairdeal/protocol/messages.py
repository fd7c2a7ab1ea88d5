"""The messages between a client and a room over a WebSocket; docs/messages.md describes them.

A client sends requests, each with an `id` of its own; the server answers every one: with `done`, with what was asked,
or with `refused` and the reason. Between answers it tells what happened. `type` tells the messages apart.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.engine.inspection import Inspection
from fairdeal.engine.scene import Bitten, Scene, Sentence
from fairdeal.table.advice import Option
from fairdeal.table.lessons import Offer

PROTOCOL = 1
"""Version of the protocol. Raise it for a change that an older program would misread, never for a field or a message
more."""


class Request(
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """From a client. `id` is at most 64 characters; a request sent again under the same id is done once."""

    id: str = ""


class Pick(Request, tag="pick", frozen=True):
    """Follow a choice of the scene; `draft` holds the picks before it, `seq` is the scene's number."""

    seq: int
    choice: int
    draft: tuple[int, ...] = ()


class Play(Request, tag="play", frozen=True):
    """Play a whole move in notation: for programs."""

    seq: int
    move: str


class Draft(Request, tag="draft", frozen=True):
    """Show the scene with this draft, for instance after a choice was taken back."""

    draft: tuple[int, ...] = ()


class Why(Request, tag="why", frozen=True):
    """Why can this card not be chosen? Answered in words."""

    card: str
    draft: tuple[int, ...] = ()


class Inspect(Request, tag="inspect", frozen=True):
    """All there is to say about a card of the scene, or about the top of a stack: the id of its zone and `-top`."""

    card: str
    draft: tuple[int, ...] = ()


class Position(Request, tag="position", frozen=True):
    """What your seat may know now, as a position for programs, with `recall` percent of what it has seen."""

    recall: int = 0


class Recall(Request, tag="recall", frozen=True):
    """What the table looked like since your own last act, moment by moment."""


class Hint(Request, tag="hint", frozen=True):
    """What would a good player play? The first `look`, 0, is answered at once. Ask again with the `look` that the
    answer names for as long as the hint is read: each look, up to 3, thinks longer and finds chances."""

    look: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Undo(Request, tag="undo", frozen=True):
    """Take the last move back, if it is yours, revealed nothing else, and nobody has acted since."""

    seq: int


class Say(Request, tag="say", frozen=True):
    """A line of chat, or one of the quick reactions."""

    text: str


class StandIn(Request, tag="stand_in", frozen=True):
    """Let a bot play for a seat whose guest has been away for 10 seconds, or for your own; hand it back with `on`
    false."""

    seat: int
    on: bool = True


SpeedName = Literal["slow", "normal", "instant"]


class Speed(Request, tag="speed", frozen=True):
    """At a table against bots alone: `slow` (bots take twice as long), `normal` or `instant`; it lasts as long as the
    table is awake."""

    speed: SpeedName


class Calm(Request, tag="calm", frozen=True):
    """Ask for calm races, or no longer for your sake; the wish is kept with your seat (see "Calm races")."""

    on: bool = True


class Rematch(Request, tag="rematch", frozen=True):
    """After the end: ask for another game with the same seats, which begins when all guests who are here have asked.
    `hash` binds you to your number for its deal, made after `facts.deal.next` promised the seed."""

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
    """A seat as the room knows it.

    seat      number of the seat
    name      name of the player
    plays     `person`, or the id of an opponent or a bot
    taken     somebody has the seat
    here      they are connected
    stand_in  a bot plays for them
    you       it is your own seat
    ready     they want a rematch
    hash      binds who sits there to a number
    asked     they are to be bound to a new number
    shown     they have shown their number
    late      the deal has waited for them long enough
    grace     number of seconds for which a guest who is away may still come back before a bot can play for them
    calm      your own wish for calm races, which nobody else is sent
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

    seat, name  who spoke; the seat of a spectator is -1
    text, at    what they said, and the Unix time
    """

    seat: int
    name: str
    text: str
    at: float


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the deal.

    commitment  the promise of the seed
    stage       `seats` are free, `hashes` are asked for anew, `numbers` are to be shown, or it is `dealt`
    outline     at `numbers`: the header without the numbers
    attempt     how often numbers have been asked for
    waits       the deal waits for numbers that are not shown
    key         the room's public key
    signature   the room's signature of the header
    header      the header with everybody's numbers
    seed        at the end: the seed
    next        at the end: the promise for a rematch
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
    """The last thing that happened.

    text, at  a line as the viewer's seat was told it, and its Unix time
    """

    text: str
    at: float


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A table without its cards: what the lobby lists and the bar shows.

    id             id of the table
    game, title    the game's name and title
    name           name of the table
    status         `open`, `running`, `over` or `cleared` (away, for good)
    options        options of the game
    chairs         a Chair for each seat
    deal           a Deal
    clock          seconds for a move, 0 for none
    calm           whether races are calm; null if the game has none
    listed         everybody's lobby lists it
    host           you opened it
    host_seat      the seat of its host, -1 if the host has none
    seat           your own seat, -1 if you have none
    acts           the seats that may act
    until          Unix time at which the viewer's time for a move runs out, 0 if no clock runs
    last           a Last: in the lobby, of your own games that run
    seq            number of entries in the log
    made, moved    Unix times at which it was opened, and of the last move
    rematch        id of the table of the rematch
    origin         id of the table that it was branched off, and the number of the move
    watchers       number of spectators
    readable_only  why the table cannot be played on, if these rules do not replay it
    trouble        what is wrong in the room at the moment, such as that it cannot save
    lesson         name of the lesson, which is not a table of the room
    next_lesson    the lesson that follows it
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

    number, seat  number of the entry; who acted
    text          the line
    clauses       the clauses that acted on their own
    """

    number: int
    seat: int
    text: Sentence
    clauses: tuple[str, ...] = ()


class Welcome(Message, tag="welcome", frozen=True):
    """First, and after every reconnection: everything. `now` is the room's Unix time, `chain` the running hash of the
    log; `protocol` is 1 until a change that older programs would misread, and 0 from a room older than the number;
    `scene.recap` tells what you missed."""

    facts: Facts
    scene: Scene | None = None
    log: tuple[Told, ...] = ()
    chat: tuple[Said, ...] = ()
    now: float = 0.0
    chain: str = ""
    protocol: int = 0


class Shown(Message, tag="scene", frozen=True):
    """The table as it is now; with `id`, the answer to your `pick` or `draft`. `log` are the lines since the last
    scene, `chain` is the running hash of the log at the scene's number."""

    scene: Scene
    id: str = ""
    log: tuple[Told, ...] = ()
    chain: str = ""


class Done(Message, tag="done", frozen=True):
    """Carried out **and kept on disk**; `seq` is the table's number now, `chain` the running hash of the log up to
    there (docs/log-format.md)."""

    id: str
    seq: int = 0
    chain: str = ""


class Refused(Message, tag="refused", frozen=True):
    """Not carried out; the scene is fresh, if there is one."""

    id: str
    reason: str
    clause: str = ""
    scene: Scene | None = None


class Answer(Message, tag="answer", frozen=True):
    """To `why` and `hint`: words and a clause. An answer to `why` may have a note of the game on it
    (docs/scene.md, "Notes"). A hint has the move in notation, the choices that lead to it, in order, and the cards,
    zones and seats (`seat:2`) to mark; after a second look also the best moves as `{text, notation, chance, error}`,
    the chance from 0 to 1 with half the width of its 95 % interval, what it is a chance `of`, and the next `look`, if
    it would find more."""

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
    """To `inspect`: `told` has `name where text now seen clause face`; what is empty is left out, `face` where you may
    not see it."""

    id: str
    card: str
    told: Inspection


class Positioned(Message, tag="positioned", frozen=True):
    """To `position`: the JSON form of a state in which the hidden is `?`, when the log has `seq` entries;
    `table.setup(position)` reads it."""

    id: str
    seq: int
    position: dict[str, Any]


class Recalled(Message, tag="recalled", frozen=True):
    """To `recall`: the moments since your own last act as you saw them, at most 31, the last one as it is now; nothing
    can be chosen in them."""

    id: str
    scenes: tuple[Scene, ...]


class Chat(Message, tag="chat", frozen=True):
    """Somebody spoke."""

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
