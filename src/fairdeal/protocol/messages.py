"""The messages between a client and a room over a WebSocket, described in docs/messages.md.

A client sends requests, each with a unique `id`. The server responds to each request with `done`, with the requested
data, or with `refused` and the reason. At any time it also sends messages about events at the table. `type` is the type
of a message.

A new field must have a default value, because rooms of older versions do not send it. Programs ignore fields of a room
that they do not know.
"""

import re
from typing import Annotated, Any, Literal

import msgspec

from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.drivers.search import MOST_MOVES
from fairdeal.engine.files import any_problem
from fairdeal.engine.inspection import Inspection
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import Bitten, Scene, Sentence
from fairdeal.table import fairness
from fairdeal.table.advice import Option
from fairdeal.table.lessons import Offer
from fairdeal.table.log import Failed

PROTOCOL = 1
"""Version of the protocol. Increase it for a change that older programs would misinterpret, but not for a new field or
message."""

QUIET = 2.0
"""Time without a message, in seconds, after which a client sends a `ping`."""

ANSWER = 3.0
"""Time, in seconds, after which a client that has received nothing since its `ping` gives the connection up and opens
another one."""

WAITS = 2.0
"""Time, in seconds, after which a client says that it waits for the response to a request."""

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of a table's id. Programs name files by it."""


class Request(Frozen, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A request from a client. `id` has at most 64 characters, without NUL. If a request is sent again with the
    same id, it is carried out only once."""

    id: str = ""


class Pick(Request, tag="pick"):
    """Make a choice in a scene. `draft` contains the choices before it, and `seq` is the scene's number."""

    seq: int
    choice: int
    draft: tuple[int, ...] = ()


class Play(Request, tag="play"):
    """Play a complete move in notation. This request is meant for programs."""

    seq: int
    move: str


class Draft(Request, tag="draft"):
    """Request the scene with a draft, for example after taking back a choice."""

    draft: tuple[int, ...] = ()


class Why(Request, tag="why"):
    """Ask for the reason why a card cannot be chosen."""

    card: str
    draft: tuple[int, ...] = ()


class Inspect(Request, tag="inspect"):
    """Request the details of a card of the scene, or of the top of a stack, whose id is the zone's id followed by
    `-top`."""

    card: str
    draft: tuple[int, ...] = ()


class Position(Request, tag="position"):
    """Request the position as known to your seat. This request is meant for programs. `recall` is the percentage of
    seen cards that the seat remembers."""

    recall: int = 0


class Recall(Request, tag="recall"):
    """Request the scenes that you saw since your own last action."""


class Tried(Frozen, forbid_unknown_fields=True):
    """A move that your program's own search has examined.

    actions  ids of the actions of the move
    games    number of games played out after it
    wins     share of these games that you won, from 0 to 1
    """

    actions: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=32_767)], ...], msgspec.Meta(min_length=1, max_length=MOST_STEPS)
    ]
    games: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
    wins: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Hint(Request, tag="hint"):
    """Request a hint: the move that a good player would make. The first `look`, 0, is answered immediately. While the
    user reads the hint, repeat the request with the `look` given in the response. Each look, up to 3, searches longer
    and for a better move. If `searches` is true, the response may contain the data for a search by your own program. In
    that case, repeat the request with the `seq` of the search and the moves that were `tried`, starting with the best
    one. The room describes these moves in words, and does not search. In the counted try at a deal of the day, and in
    a rated game, the request is refused."""

    look: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    searches: bool = False
    seq: int = 0
    tried: Annotated[tuple[Tried, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()


class Undo(Request, tag="undo"):
    """Take back your last move and the moves of bots after it, provided that they revealed nothing new and no other
    person has acted since. With `ask`, nothing is taken back, and the response says whether it is possible. The request
    is refused if the room is too busy, if another move is made first, or if the check takes more than 5 seconds. If you
    play only against bots, the next bot then waits for a few seconds. In the counted try at a deal of the day,
    and in a rated game, the request is refused."""

    seq: int
    ask: bool = False


class Say(Request, tag="say"):
    """Send a line of chat or one of the quick reactions."""

    text: str


class StandIn(Request, tag="stand_in"):
    """Let a bot play for a seat whose guest has been away for 10 seconds, or for your own seat. Send `on` as false to
    take back your own seat. In the counted try at a deal of the day, no bot plays for you."""

    seat: int
    on: bool = True


SpeedName = Literal["slow", "normal", "instant"]


class Speed(Request, tag="speed"):
    """Set the speed of bots if no other person is still playing: `slow` (bots take twice as long), `normal` or
    `instant`. The speed lasts as long as the table stays loaded."""

    speed: SpeedName


class Calm(Request, tag="calm"):
    """Ask for calm races, or withdraw this request. The setting is stored with your seat (see "Calm races")."""

    on: bool = True


class Rematch(Request, tag="rematch"):
    """Ask for another game with the same seats after the end. It starts when all guests who are present have asked for
    it. `hash` is your commitment to a nonce for its deal, made after the room's commitment in `facts.deal.next`."""

    hash: str = ""


class Ping(Request, tag="ping"):
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


class Message(Frozen, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """A message from the server."""


class Chair(Frozen, kw_only=True):
    """A seat at a table of the room.

    seat      number of the seat
    name      name of the player, or of the guest who has taken the seat over
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
    grace     number of seconds left for an absent guest to return before a bot may play for them
    calm      whether you asked for calm races; only sent for your own seat
    away      Unix time until which the guest is away and their clock stands still; only sent to players at a table with
              a clock in days
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
    away: float = 0.0

    @property
    def is_other(self) -> bool:
        """True if the seat is another guest's."""
        return self.taken and self.plays == "person" and not self.you


class Said(Frozen):
    """A line of chat.

    seat  seat of the speaker, or -1 for a spectator
    name  name of the speaker
    text  the line
    at    Unix time of the line
    """

    # filled by `say` (server/api/requests.py); stored by `keep_line` (server/tables/saving.py), which deletes old
    # lines; shown by web/table/panel.js and terminal/online/chat.py
    seat: int
    name: str
    text: str
    at: float


class Deal(Frozen, kw_only=True):
    """The state of the deal.

    commitment  the room's commitment to the seed
    stage       `seats` while seats are free, `hashes` while new commitments are requested, `numbers` while nonces are
                to be revealed, or `dealt`
    outline     the header without the nonces; only at `numbers`
    attempt     number of times that nonces were requested
    failed      deals that failed because somebody left after nonces had been revealed; null in a room that does
                not report them
    waits       whether the deal waits until all nonces are revealed
    key         the room's public key
    signature   the room's signature of the header
    header      the header with all nonces
    seed        the seed; only at the end
    next        the commitment for a rematch; only at the end
    """

    commitment: str
    stage: str = "dealt"
    outline: str = ""
    attempt: int = 1
    failed: tuple[Failed, ...] | None = None
    waits: bool = True
    key: str = ""
    signature: str = ""
    header: str = ""
    seed: str = ""
    next: str = ""

    def __post_init__(self) -> None:
        if self.key and not fairness.HASH.fullmatch(self.key):
            raise ValueError("a room's key has 64 digits, 0 to 9 and a to f")


class Last(Frozen):
    """The last event at a table.

    text  log line as seen from the viewer's seat
    at    Unix time of the event
    """

    text: str
    at: float


class Daily(Frozen):
    """The deal of a day that is played at a table.

    number   number of the deal
    closes   Unix time at which it closes; until then, the log is secret
    counted  whether this is your counted try
    hash     hash of the number that you bound with it
    """

    number: int
    closes: float
    counted: bool
    hash: str = ""


class Facts(Frozen, kw_only=True):
    """A table without its cards, as listed in the lobby and shown in the bar.

    id             id of the table
    game           name of the game
    title          title of the game
    name           name of the table
    status         `open`, `running`, `over` or `cleared` (deleted)
    paused         whether a running game is paused: one person plays against bots and is not connected
    options        options of the game
    chairs         a Chair for each seat
    deal           a Deal
    clock          number of seconds for a move, or 0 for no limit
    calm           whether races are calm; null if the game has none
    rated          whether the result counts for ratings, so that nobody gets hints or takes moves back, and a player
                   for whom a bot has moved counts as last
    listed         whether the lobby lists the table for everyone
    host           whether you opened the table
    host_seat      seat of the host, or -1 if the host has none
    seat           your own seat, or -1 if you have none
    acts           seats that may act
    until          Unix time at which the viewer's time for a move runs out, or 0 if no clock runs
    last           a Last, only in the lobby and for your own running games
    seq            number of entries in the log that you may know of
    made           Unix time at which the table was opened
    moved          Unix time of the last move
    rematch        id of the table of the rematch
    origin         id of the table from which this one was branched, and number of the move
    daily          a Daily, if the cards are those of a deal of the day
    evening        id of the evening to which the table belongs
    watchers       number of spectators
    score          seats of people, each with the number of games that they have won against one another, this one
                   included once it is over; none before their first game is over, and for tables that are not loaded
    won            false if all players of a finished game share first place, for example because nobody won
    readable_only  reason why the table can only be read, if the current rules cannot replay its moves
    trouble        current problem of the room, for example that it cannot save
    lesson         name of the lesson, if this is a lesson rather than a table
    next_lesson    name of the next lesson
    """

    id: str
    game: str
    title: str
    name: str
    status: str
    paused: bool = False
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    deal: Deal
    clock: int = 0
    calm: bool | None = None
    rated: bool = False
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
    daily: Daily | None = None
    evening: str = ""
    watchers: int = 0
    score: tuple[tuple[int, int], ...] = ()
    won: bool = True
    readable_only: str = ""
    trouble: str = ""
    lesson: str = ""
    next_lesson: Offer | None = None

    @property
    def free_seats(self) -> list[int]:
        """The seats that a guest may take: before the deal, or in a game that a player has left for good, unless it is
        rated."""
        is_joined = self.status == "open" or (self.status == "running" and self.origin is None and not self.rated)
        return [chair.seat for chair in self.chairs if is_joined and not chair.taken]

    def __post_init__(self) -> None:
        if not self.lesson and not TABLE_ID.fullmatch(self.id):
            raise ValueError("a table's id has 1 to 64 letters, digits, hyphens and underscores")
        seats = range(len(self.chairs))
        if any(chair.seat != seat for seat, chair in enumerate(self.chairs)):
            raise ValueError("the chairs are not those of the seats 0, 1, 2 and so on")
        if not {self.seat, self.host_seat, *self.acts, *(seat for seat, _ in self.score)} <= {-1, *seats}:
            raise ValueError("there is no such seat")


class Told(Frozen, omit_defaults=True, gc=False):
    """A line of the log in words.

    number   number of the entry
    seat     seat that acted
    text     the line
    clauses  ids of the clauses of rules that took effect automatically
    """

    number: int
    seat: int
    text: Sentence
    clauses: tuple[str, ...] = ()


class Welcome(Message, tag="welcome"):
    """The first message after connecting and after every reconnection, with the complete state of the table. `now` is
    the room's Unix time, `chain` the running hash of the log. `protocol` is the version of the protocol, or 0 if the
    room is older than version numbers. `layout` is a hash of the layout of states, on which their digests depend
    (docs/log-format.md). `epoch` counts the owners that the table has had, if several workers share the room's
    database. `pause` is the number of seconds that bots wait before a move at their usual speed. `version` has the
    versions of fairdeal and of the game's package, on which the words of scenes depend."""

    facts: Facts
    scene: Scene | None = None
    log: tuple[Told, ...] = ()
    chat: tuple[Said, ...] = ()
    now: float = 0.0
    chain: str = ""
    protocol: int = 0
    layout: str = ""
    epoch: int = 0
    pause: float = 0.0
    version: str = ""


class Shown(Message, tag="scene"):
    """The current table, sent after each move to everyone there (`server/tables/audience.py`). If `id` is set, it is
    the response to your `pick` or `draft`. `log` holds the lines since the last scene, and `chain` is the running hash
    of the log at the scene's number."""

    scene: Scene
    id: str = ""
    log: tuple[Told, ...] = ()
    chain: str = ""


class Patch(Message, tag="patch"):
    """A `scene` as the `changes` to the last one, if you connected with `?patches=1` (see "Patches"). `base` is the
    number of scenes sent over the connection before."""

    base: int
    changes: dict[str, Any]
    id: str = ""
    log: tuple[Told, ...] = ()
    chain: str = ""


class Done(Message, tag="done"):
    """The request was carried out **and saved to disk**. `seq` is the new number of entries that you may know of, and
    `chain` is the running hash of the log up to the last of them (docs/log-format.md). `now` is the room's Unix time,
    in the response to `ping`."""

    id: str
    seq: int = 0
    chain: str = ""
    now: float = 0.0


class Undoable(Message, tag="undoable"):
    """The response to `undo` with `ask`: your last move can be undone at number `seq`."""

    id: str
    seq: int


class Refused(Message, tag="refused"):
    """The request was not carried out. `scene` is the current scene, if there is one. It is omitted for `hint`, and
    for `undo` with `ask`."""

    id: str
    reason: str
    clause: str = ""
    scene: Scene | None = None


class Search(Frozen):
    """The data that a program needs to search for a hint (docs/wasm.md).

    module       address of the rules as a WebAssembly module, which contains the module's SHA-256
    description  address of the module's description, which contains the description's SHA-256
    view         the state as your seat knows it, in hexadecimal digits
    seq          number of the log entry of that state
    seconds      how long to search
    """

    module: str
    description: str
    view: str
    seq: int
    seconds: float


class Answer(Message, tag="answer"):
    """The response to `why` and `hint`: a text and a clause. A response to `why` may contain a rule tip (docs/scene.md,
    "Notes"). A hint contains the move in notation, the choices that lead to it, in order, and the cards, zones and
    seats (`seat:2`) to highlight. From the second look on, it also contains the best moves as `{text, notation, chance,
    error}`, where chances range from 0 to 1 and errors are half the widths of their 95 % intervals; `of`, the event
    whose chances they are; the next `look`, if a further look can find a better move; and `search`, if your program
    searches and the room has the rules of the game as a module."""

    id: str
    text: str
    clause: str = ""
    move: str = ""
    choices: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    of: str = ""
    look: int = 0
    search: Search | None = None
    bite: Bitten | None = None


class Inspected(Message, tag="inspected"):
    """The response to `inspect`, with the details of the card. Empty fields are omitted, and so is `face` if you may
    not see it.

    The function `inspect` in engine/inspection.py fills it; `CardDialog` of the terminal and scene/inspector.js of the
    browser show it.
    """

    id: str
    card: str
    told: Inspection


class Positioned(Message, tag="positioned"):
    """The response to `position`: the JSON form of the state at log entry `seq`, with `?` for hidden cards.
    `table.setup(position)` reads it."""

    id: str
    seq: int
    position: dict[str, Any]


class Recalled(Message, tag="recalled"):
    """The response to `recall`: the scenes that you saw since your own last action, at most 31, ending with the current
    one. They have no choices."""

    id: str
    scenes: tuple[Scene, ...]


class Chat(Message, tag="chat"):
    """A line of chat from someone at the table."""

    said: Said


class Table(Message, tag="table"):
    """A change of the table's seats, deal or status."""

    facts: Facts


Messages = (
    Welcome | Shown | Patch | Done | Undoable | Refused | Answer | Inspected | Positioned | Recalled | Chat | Table
)

encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(Messages)


def encoded(message: Message | Request) -> str:
    """Return the JSON text of a message."""
    return encoder.encode(message).decode()


def decoded(text: str | bytes) -> Messages:
    """Decode a message of a room from its JSON text. Raises msgspec.DecodeError if its type is unknown or its content
    is invalid."""
    with any_problem():
        message: Messages = decoder.decode(text)
        return message
