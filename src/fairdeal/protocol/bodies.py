"""Types of the requests and responses of the HTTP interface. Validation, the OpenAPI page and the responses are
generated from them."""

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.page import Page
from fairdeal.engine.scene import Card, Face, Scene, Skin
from fairdeal.protocol.messages import Facts, Told
from fairdeal.table.analysis.view import AnalysisView, DecisionView
from fairdeal.table.lessons import Offer

Kind = Literal["turn", "reminder"]
"""The subject of a notice: a turn that has begun, or one whose time runs out soon."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The body of a request."""


class Rename(Body, frozen=True):
    """Set your nickname.

    name  the nickname
    """

    name: str


class Words(Body, frozen=True):
    """Be the guest whose name is kept under six words.

    words   the words; case does not matter, nor what stands between them
    brings  whether what you have in the room is linked to that guest, which cannot be undone; otherwise nobody can use
            it any more, unless you have kept your own name
    """

    words: str
    brings: bool = True


class SetNetwork(Body, frozen=True):
    """Open the room to the network, or close it.

    open  whether the room should be open to the network
    """

    open: bool


class NewTable(Body, frozen=True):
    """Open a table.

    game     name of the game
    preset   name of one of the game's presets
    options  options of the game, which override the preset's
    chairs   player of each seat: `you`, `person`, or the id of an opponent (default: you, the game's usual
             opponent and its company)
    listed   whether the lobby lists the table for everyone
    clock    number of seconds for a move, 0 for none
    ticket   ticket of the room's commitment, which must be requested first
    hash     SHA-256 of your nonce, made after the room's commitment
    waits    whether the deal waits for guests who have not revealed their nonces; otherwise the cards are dealt
             without those nonces
    calm     whether races are slowed down for everyone
    rated    whether the result counts for ratings: no hints, no undo, and a player for whom a bot has moved counts as
             last
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
    rated: bool = False


class Join(Body, frozen=True):
    """Take a seat.

    seat  the seat, or null for the first free seat
    hash  your commitment to a nonce for the deal: SHA-256 of its 16 bytes, in hexadecimal (default: the room derives
          your nonce from the seed)
    """

    seat: int | None = None
    hash: str = ""


class Number(Body, frozen=True):
    """Reveal your nonce, or commit to a new one.

    nonce  the nonce that you committed to, as 32 hexadecimal digits; reveal it when every seat has committed to a nonce
    hash   hash of a new nonce, if the room asks for new nonces
    """

    nonce: str = ""
    hash: str = ""


class Report(Body, frozen=True):
    """Report a line of chat, or the name at a seat, to the keeper of the room.

    seat  seat of the speaker, or whose name it is
    at    time of the line; without one, the name is reported
    """

    seat: int
    at: float | None = None


class Typed(Body, frozen=True):
    """Find a table by its spoken code.

    code  the code; spaces, hyphens and case do not matter
    """

    code: str


class Try(Body, frozen=True):
    """Play a deal of the day.

    deal     number of the deal, which is today's or yesterday's
    counted  whether this is your counted try, of which there is one; further tries are for fun
    hash     SHA-256 of a new number of 16 bytes, which your program shows the next day
    """

    deal: int
    counted: bool = True
    hash: str = ""


class NewEvening(Body, frozen=True):
    """Open an evening: rounds of a game for many players. With more than two at a table, few players meet twice, and
    everybody has every seat about equally often.

    game     name of the game
    preset   name of one of the game's presets
    options  options of the game, which override the preset's; `players` is the number at a table
    rounds   number of rounds, of a Swiss tournament if two play at a table; 0 for a round robin
    clock    number of seconds for a move, 0 for none
    """

    game: str
    preset: str = ""
    options: dict[str, Any] = {}
    rounds: Annotated[int, msgspec.Meta(ge=0, le=20)] = 5
    clock: int = 0


class EveningAct(Body, frozen=True):
    """Do something at an evening.

    do  `enter` or `leave`; the host can also `start` the evening or its next round, `pause` it between rounds, `resume`
        it, and `end` it
    """

    do: Literal["enter", "leave", "start", "pause", "resume", "end"]


class OwnNumber(Body, frozen=True):
    """Show the number that you bound with yesterday's try.

    number  the number, as 32 hexadecimal digits
    """

    number: str


class Branch(Body, frozen=True):
    """Open a table that continues a finished game after one of its moves.

    move  number of the move
    seat  your seat
    """

    move: int
    seat: int


class BeAway(Body, frozen=True):
    """Be away, so that your clocks in days stand still, or be back.

    until  Unix time until which you are away, or 0 if you are back
    """

    until: float


class SetWebhook(Body, frozen=True):
    """Set the web address that is notified of your turn while you are away.

    address  the web address
    """

    address: str


class Silent(Frozen):
    """Hours in which your browsers show no notices.

    begin  the time at which they begin, such as 22:00
    end    the time at which they end, such as 08:00
    zone   their time zone, such as Europe/Berlin
    """

    begin: str
    end: str
    zone: str


class DeviceKeys(Frozen):
    """The keys of a subscription, in Base64, as the Push API of browsers names them.

    p256dh  the public key
    auth    the secret
    """

    p256dh: str
    auth: str


class SetDevice(Body, frozen=True):
    """Let this browser show notices of your turn while you are away, or no more.

    endpoint  the address of its subscription at a push service
    keys      the keys of the subscription; null to delete it
    silent    the hours in which none of your browsers shows notices, if any
    """

    endpoint: str
    keys: DeviceKeys | None
    silent: Silent | None = None


class At(Frozen):
    """A state of a finished game."""

    move: Annotated[int, msgspec.Meta(ge=0, description="number of moves played")]
    seat: Annotated[int, msgspec.Meta(ge=-1, description="seat of the viewer; -1 for a spectator")] = -1
    hands: Annotated[bool, msgspec.Meta(description="whether all hands are face up")] = False


class MomentAt(At):
    """A state of a finished game, with or without the log in words."""

    log: Annotated[bool, msgspec.Meta(description="whether to include the log in words")] = False


class CardAt(At):
    """A card in a state of a finished game."""

    card: Annotated[str, msgspec.Meta(description="id of the card in the scene")] = ""


class CodeFor(Frozen):
    """The address of the room in a QR code."""

    url: Annotated[
        str, msgspec.Meta(description="one of the addresses of `GET /api/network`; the first one if it is empty")
    ] = ""


class RulesFor(Frozen):
    """The table whose rules are written."""

    options: Annotated[str, msgspec.Meta(description="its options that differ from their defaults, as JSON")] = "{}"


class KnownAnalysis(Frozen):
    """The part of an analysis that the client already has, and whether it can compute the rest."""

    decisions: Annotated[int, msgspec.Meta(ge=0, description="number of decisions that you already have")] = 0
    computes: Annotated[bool, msgspec.Meta(description="whether the room should not start an analysis")] = False


class DealFor(Frozen):
    """A deal of the day."""

    deal: Annotated[int, msgspec.Meta(ge=0, le=99_999, description="number of the deal; 0 for today's")] = 0


class Before(Frozen):
    """The state before a move of a finished game."""

    move: Annotated[int, msgspec.Meta(ge=0, description="number of the move, counted from 0")]


class TableRules(Frozen):
    """The rules of a table, from which a program can replay its game (docs/wasm.md).

    module       address of the rules as a WebAssembly module, which contains the module's SHA-256; "" if there is none
    description  address of the module's description, which contains the description's SHA-256
    start        the state before the deal, with the options of the table, in hexadecimal digits
    missing      why the room has no module
    waits        whether the room is still writing the module; ask again after a second
    """

    module: str = ""
    description: str = ""
    start: str = ""
    missing: str = ""
    waits: bool = False


class Webhook(Frozen):
    """The address that is notified of your turn, or "" if there is none, and the hosts to which this room sends
    notifications (an empty list if it sends none). `push` is the room's public key for Web Push, or "" if it pushes
    nothing, and `silent` the hours in which your browsers show no notices."""

    address: str
    hosts: tuple[str, ...]
    push: str = ""
    silent: Silent | None = None


class Code(Frozen):
    """A code to say aloud, and the number of seconds for which it is valid."""

    code: str
    seconds: int


class Promise(Frozen):
    """The room's commitment to the seed of a future table (SHA-256), and the ticket that opens the table."""

    promise: str
    ticket: str


class Health(Frozen):
    """The state of the room: `alive` or `ready`."""

    status: str


class RoomKey(Frozen):
    """The public key with which this room signs its logs: Ed25519, in hexadecimal."""

    key: str


class Address(Frozen):
    """An address of the room, for links that others open.

    url    the address, without a path
    works  `public` is the address that the room's keeper has set, `network` is open to devices in the same network, and
           `computer` only to the room's own computer
    text   where it works, in words; empty for a public address
    tried  whether another device has opened the room by it since the room was started
    """

    url: str
    works: Literal["public", "network", "computer"]
    text: str = ""
    tried: bool = False


class Network(Frozen):
    """The addresses of the room, and whether you may open it to the network.

    addresses  addresses for invitations, the most likely one first; there is at least one
    is_owner   whether you may open the room to the network, and close it
    is_open    whether it listens on the network
    opens_to   `Wi-Fi` or `network`: what opening it would open it to; empty if it cannot be opened while it runs
    """

    addresses: tuple[Address, ...]
    is_owner: bool
    is_open: bool
    opens_to: str


class Me(Frozen):
    """Your nickname in the room."""

    name: str


class Away(Frozen):
    """The Unix time `until` which you are away, or 0, and the days `left` for which you can be away in this year."""

    until: float = 0.0
    left: int = 0


class OwnLine(msgspec.Struct, frozen=True):
    """A line of chat that you said, and your name then."""

    table: str
    at: float
    name: str
    text: str


class OwnMove(msgspec.Struct, frozen=True):
    """A move or an undo that you sent, in notation."""

    at: float
    text: str


class OwnSeat(msgspec.Struct, frozen=True):
    """Your seat at a table, as it is stored."""

    seat: int
    name: str
    nonce: str
    hash: str | None
    withheld: bool
    stand_in: bool
    calm: bool
    ready: str | None


class OwnTable(msgspec.Struct, frozen=True):
    """A table that you opened or have a seat at. `options` are those that you opened it with. `log` is the address of
    the log of a finished game, and `rating` your place and rating in a rated one, as they are stored: OpenSkill's mu
    and sigma before and after it, and the number of rated games before it."""

    id: str
    game: str
    title: str
    status: str
    made: float
    ended: float | None
    opened: bool
    options: dict[str, Any]
    seat: OwnSeat | None
    moves: tuple[OwnMove, ...]
    log: str
    rated: bool
    rating: dict[str, Any] | None


class OwnAct(msgspec.Struct, frozen=True):
    """Something that the keeper of the room has done about you."""

    at: float
    text: str


class OwnTry(msgspec.Struct, frozen=True):
    """A try of yours at a deal of the day, and the number that you bound with it, once it is shown."""

    deal: int
    table: str
    counted: bool
    day: int
    hash: str
    nonce: str


class OwnDevice(msgspec.Struct, frozen=True):
    """A browser of yours that shows notices, or the web address that gets them, and since when."""

    endpoint: str
    silent: Silent | None
    at: float


class OwnNotice(msgspec.Struct, frozen=True):
    """The last notice of a kind about a table that was made for you, and when it is to be sent, if it still is."""

    table: str
    kind: Kind
    at: float
    due: float | None


class OwnEvening(msgspec.Struct, frozen=True):
    """An evening that you have opened, or at which you were the player `number`, with the name you had there."""

    id: str
    opened: bool
    number: int | None
    name: str | None


class OwnData(msgspec.Struct, frozen=True):
    """Everything that the room has linked to you. All times are Unix times: `named` is when you last gave a name, and
    `banned` when the keeper of the room excluded you. `guest` is your id, `kept` is whether you keep your name under
    six words, `acts` what the keeper has done about you, and `vacations` the beginnings and ends of the times in which
    you were away."""

    guest: str
    name: str
    named: float | None
    banned: float | None
    devices: tuple[OwnDevice, ...]
    notices: tuple[OwnNotice, ...]
    kept: bool
    acts: tuple[OwnAct, ...]
    tables: tuple[OwnTable, ...]
    lines: tuple[OwnLine, ...]
    tries: tuple[OwnTry, ...]
    vacations: tuple[tuple[float, float], ...]
    evenings: tuple[OwnEvening, ...] = ()


class HistoryFor(Frozen):
    """The games of a history that are listed."""

    game: Annotated[str, msgspec.Meta(description="name of a game; all games if it is empty")] = ""
    opponent: Annotated[str, msgspec.Meta(description="id of a bot or name of a person who played, as in `met`")] = (
        msgspec.field(default="", name="with")
    )
    after: Annotated[str, msgspec.Meta(description="table of the last game on the page before this one")] = ""


class Strength(Frozen):
    """A rating on the scale of the opponents (docs/ladder.md), its standard deviation, and the number of rated games
    from which it was computed (0 for an opponent, whose rating was measured)."""

    rating: float
    deviation: float
    games: int = 0

    @property
    def text(self) -> str:
        """The rating and two standard deviations."""
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"


class Standing(Frozen):
    """Your results in a game. `wins` has your wins and your games by the number of players. `best` is your highest
    score in the `best_of` games by the rules that you played most; it is null if scores only say who won. `streak` is
    the number of games that you have won since the last other result. `last` has `won`, `shared` or `lost` for your
    last games with others, the latest first."""

    game: str
    title: str
    games: int
    wins: dict[str, tuple[int, int]]
    best: int | None
    best_of: int
    streak: int
    last: tuple[str, ...]
    strength: Strength | None


class Met(Frozen):
    """Somebody who has played with you: their `key`, which is the id of a bot or the name of a person; the number of
    your games; and how many of these you won, and they."""

    key: str
    name: str
    bot: bool
    games: int
    you: int
    they: int


class PlayedSeat(Frozen):
    """A seat of a finished game. `plays` is `person`, or the id of a bot, and `key` as in `Met`."""

    key: str
    name: str
    plays: str
    place: int
    score: int


class Played(Frozen):
    """A finished game, in which you had the seat `seat`. `result` is `outcome` (`won`, `shared`, `lost` or `alone`) in
    words. `decided` is the turning point of the game, if it was analysed. `change` is the change of your rating, if the
    game was rated; places are then those that counted."""

    table: str
    game: str
    title: str
    ended: float
    seat: int
    seats: tuple[PlayedSeat, ...]
    outcome: str
    result: str
    decided: str = ""
    change: float | None = None

    @property
    def others(self) -> list[PlayedSeat]:
        """The seats of the others."""
        return [one for number, one in enumerate(self.seats) if number != self.seat]


class History(Frozen):
    """Your finished games, at most the latest 2000. `since` is the Unix time of the oldest one, `met` everybody who
    played with you, and `played` the games that were asked for, the latest first. If there are more, `older` is the
    `after` of the next page."""

    name: str
    away: Away
    games: int
    since: float | None
    standings: tuple[Standing, ...]
    met: tuple[Met, ...]
    played: tuple[Played, ...]
    older: str = ""


class Forgotten(Frozen):
    """The number of tables that were deleted with your data, and of those of several people that remain."""

    deleted: int
    kept: int


class Preset(msgspec.Struct, frozen=True):
    """A named set of options, with its title and a sentence that describes its effect to players. `tables` lists, for
    each possible number of players, the options that differ from their defaults. `minutes` are those that such a game
    takes with the fewest and with the most players; they are 0 in messages of rooms that do not know them yet."""

    name: str
    title: str
    text: str
    options: dict[str, Any]
    tables: dict[str, dict[str, Any]] = {}
    minutes: tuple[int, int] = (0, 0)


class LevelFacts(Frozen):
    """An opponent in a game: its strength in `pips` from 1 to 6, a one-line description, its `rating` on the ladder (0
    if it has not played there), and its `company`: the bots that take the other seats, in this order, if this opponent
    is chosen for all of them."""

    id: str
    name: str
    line: str
    colour: str
    animal: str
    pips: int
    pronoun: str
    rating: float
    company: tuple[str, ...] = ()


class Against(Frozen):
    """Your record against an opponent: the number of games that you won against it, and the number that it won."""

    you: int
    they: int


class GameFacts(Frozen):
    """A game on the shelf. `options` is the JSON schema of its options, `levels` are its opponents, from the weakest to
    the strongest, and `usual` is the opponent for new players. Games with the same `look` share a box. `calm_race` is
    the number of seconds that a calm race lasts, or 0 for a game without races. `learned` is true if a neural network
    was trained to play the game."""

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


class Beside(Frozen):
    """A player of the deal of the day: their name, result, and how their game compares with yours.

    alike   number of decisions, from the first, in which they did as you did
    theirs  their next decision, in notation; empty if their game was over
    yours   your next decision, in notation; empty if your game was over
    """

    name: str
    bot: bool
    result: str
    alike: int
    theirs: str
    yours: str


class Stamp(Frozen):
    """A deal of the day in short.

    deal   number of the deal
    title  title of the game
    state  your try: `open` if there is none yet, `begun`, `over`, `unfinished`, `missed`, or `gone` if its table was
           deleted
    """

    deal: int
    title: str
    state: str


class Today(Stamp, kw_only=True):
    """The deal of a day. The times are Unix times.

    today    number of today's deal
    goal     goal of the game
    best     name of the strongest opponent, who plays the deal in your seat
    rivals   names of the opponents at the table
    begins   when the day of the deal begins
    closes   when the deal can no longer be played, and its link is opened
    table    the table of your try
    result   your result
    beside   the strongest opponent and your friends, once your try is over: guests with whom you have finished a game
             in this room
    waits    whether more is to come: the strongest opponent's game, or the analysis of yours
    marks    a mark for each of your decisions: ● as good as the best move found, ○ up to 4 points worse, ■ more
    missed   the decision that cost you most, in a sentence; empty if none cost anything
    text     your result in a line for chats
    week     the deals of the last seven days, the oldest first
    row      number of deals played in a row
    end      end of the chain to which the deal's link belongs
    """

    today: int
    goal: str
    best: str
    rivals: tuple[str, ...]
    begins: float
    closes: float
    table: str
    week: tuple[Stamp, ...]
    row: int
    end: str
    result: str = ""
    beside: tuple[Beside, ...] = ()
    waits: bool = False
    marks: str = ""
    missed: str = ""
    text: str = ""

    @property
    def is_open(self) -> bool:
        """True while the deal can be played."""
        return self.deal > self.today - 2


class EveningPlayer(Frozen):
    """A player of an evening: the name, the bot that plays or `person`, whether they have left, the number in the order
    of entry, the place and the points, and the tie-breaks: the points of all opponents, and those of the opponents who
    finished behind, half of them where both shared a place."""

    name: str
    plays: str
    left: bool
    number: int
    place: int
    points: float
    opponents: float
    beaten: float


class EveningGame(Frozen):
    """A game of an evening: its table, and the numbers of its players by seat. `places` are empty until it is over. Its
    log, with which `fairdeal verify` recomputes it, is at `/api/tables/{table}/log`."""

    table: str
    round: int
    players: tuple[int, ...]
    places: tuple[int, ...]


class Evening(Frozen, kw_only=True):
    """An evening, as you see it.

    form     `Swiss`, `round robin` or `mixed tables`
    round    number of the current round, 0 before the first one
    scale    points by place, or none: then it is one for each player behind
    state    `open` until it starts, `running`, `paused` or `over`
    began    Unix time at which the current round began
    host     whether you may run it
    you      your number, or 0
    table    your unfinished table, or ""
    players  in the order of the standings
    games    in the order of the rounds
    """

    id: str
    name: str
    title: str
    form: str
    rounds: int
    round: int
    scale: tuple[float, ...]
    state: str
    began: float
    host: bool
    you: int
    table: str
    players: tuple[EveningPlayer, ...]
    games: tuple[EveningGame, ...]


class Lobby(Frozen):
    """Your own tables, and the tables open to everyone. `notices` is true if the room can notify absent guests of their
    turn, and `is_owner` if you may open the room to the network, and close it. `now` is the room's Unix time, to which
    the times of the tables refer. `notice` is a line of the keeper of the room, and `holds` is true while no new tables
    can be opened. `today` is null if the room has no deal of the day. `evenings` are yours that are not over, by
    their ids."""

    mine: tuple[Facts, ...]
    open: tuple[Facts, ...]
    playing: int
    notices: bool = False
    now: float = 0.0
    is_owner: bool = False
    notice: str = ""
    holds: bool = False
    today: Stamp | None = None
    evenings: dict[str, str] = msgspec.field(default_factory=dict)


class Moment(Frozen):
    """A finished game as a viewer sees it after `move` moves, or with all hands face up. `log` contains all lines if it
    was requested. `marks` are the moves that ended a round or a game of the match."""

    move: int
    moves: int
    scene: Scene
    log: tuple[Told, ...]
    marks: tuple[int, ...] = ()


class AnalysisTold(Frozen):
    """The analysis of a finished game, once it is complete. Until then `move` is the number of moves examined, first
    for the course of the game and then again for its decisions; it is 0 while other games are analysed first. `begun`
    is the course of the game, for a client that has no decisions yet, and `decisions` are those that the client does
    not have yet."""

    move: int = 0
    moves: int = 0
    analysis: AnalysisView | None = None
    begun: AnalysisView | None = None
    decisions: tuple[DecisionView, ...] = ()


class PageFacts(Frozen):
    """The rules of a game for players: its page, the headings of the page's parts, the cards on the page by their
    notation, the faces of those cards, and the lessons that teach the game."""

    title: str
    designer: str
    publisher: str
    page: Page
    heads: dict[str, str]
    cards: dict[str, Card]
    faces: dict[str, Face]
    skin: Skin
    lessons: tuple[Offer, ...] = ()


class Problem(Frozen):
    """The reason for an error response."""

    reason: str
