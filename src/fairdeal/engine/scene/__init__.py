"""The scene: what is on a table for one viewer, as plain data that every screen draws.

Screens know no game: they draw seats, zones of cards, a headline, a prompt and the choices. Faces and skins are
static catalogues that are fetched once. docs/scene.md describes the parts; the JSON schema for other clients is
generated from these types.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.scene.instruments import Attack, Stage

if TYPE_CHECKING:

    class Sentence:
        """Words about what happened, to be joined and shown. Nothing reads them: type checkers see no string."""

        def __init__(self, text: str) -> None: ...

else:
    Sentence = str


TOP = "-top"
"""What ends the name of the top of a stack whose cards a scene does not show."""


def joined(sentences: Iterable[Sentence]) -> Sentence:
    """Put sentences one after the other, without those that say nothing."""
    return Sentence(" ".join(text for text in map(as_text, sentences) if text))


def as_text(sentence: Sentence) -> str:
    """Return a sentence as a string, for a screen that shows it."""
    return cast("str", sentence)


Layout = Literal["fan", "row", "lap", "groups", "grid", "stack", "ring", "column"]
"""How the cards of a zone lie."""

Place = str
"""Where a zone is: `seat:n`, `own` (the viewer's side of the table), `hand`, or `centre`."""


class Ink(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Colours of a kind or tone of card, as #rrggbb.

    ground, ink  the colour of the card, and of what is printed on it
    """

    ground: str
    ink: str


class Skin(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The look of a game as data.

    name                name of the skin
    cloth, cloth_2      the table by (day, night), and its second colour
    kinds               an Ink for each kind of face
    back                the Ink of the back
    back_sign           a sign on the back
    back_art            a drawing on the back
    tones, light_tones  inks of the tones on light ground, and on dark ground
    """

    name: str
    cloth: tuple[str, str]
    cloth_2: tuple[str, str]
    kinds: dict[str, Ink]
    back: Ink
    back_sign: str
    back_art: str = ""
    tones: tuple[str, ...] = ()
    light_tones: tuple[str, ...] = ()


class Face(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What is printed on a card.

    kind, name        which inks of the skin; its full name, for screen readers
    big, corner       what is printed large, and in the corner
    glyph             a sign that repeats the colour, for terminals
    art, corner_art   ids of drawings in the game's `emblems.svg`
    tone              number of its ink in `tones`; -1 is none
    value             its value
    step, pips, ends  how it climbs, `+1` or `×`; number of dots; the two ends of a card that can be turned
    shape, ring       ornaments that the game's stylesheet draws
    title, foot, tag  a title, a line below, a word for the stylesheet
    text              what the card does
    clause            the clause that says so
    printed           the text is printed on the card
    """

    kind: str
    name: str
    big: str = ""
    corner: str = ""
    glyph: str = ""
    art: str = ""
    corner_art: str = ""
    tone: int = -1
    value: int | None = None
    step: str = ""
    shape: bool = False
    ring: bool = False
    pips: int = 0
    ends: tuple[str, ...] = ()
    title: str = ""
    text: str = ""
    tag: str = ""
    foot: str = ""
    clause: str = ""
    printed: bool = False


class Counter(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A number beside a name.

    label  such as `in hand`
    value  a number, or words such as `3/6`
    icon   an icon such as `chip`
    """

    label: str
    value: int | str
    icon: str = ""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The time of a seat.

    left, of  seconds left, and in all
    runs      the clock runs
    """

    left: float
    of: float
    runs: bool = False


class Seat(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A place at the table and who sits there.

    seat, name  its number; its name, `You` for the viewer
    kind        `person` or `bot`
    state       `here`, `away`, `out`, or `done` with the game
    acts        may act now
    note        a word beside the name: `to play`, `leads`
    counters    Counters
    clock       a Clock
    """

    seat: int
    name: str
    kind: Literal["person", "bot"] = "person"
    state: Literal["here", "away", "out", "done"] = "here"
    acts: bool = False
    note: str = ""
    counters: tuple[Counter, ...] = ()
    clock: Clock | None = None


class Card(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """A card on the table.

    id      see "Ids"
    face    a key of the catalogue; null if the viewer may not see it
    down    it lies face down; if it has a `face`, the viewer knows it anyway
    back    which back; `gap` is not a card but an empty place of a layout
    turned  upside down
    as      what it stands for (`as_` in Python)
    value   what it counts as now
    load    the points that lie on it
    mark    a word across it: `safe`, `attacked`
    group   cards of one zone with the same number lie on one another
    """

    id: str
    face: str | None = None
    down: bool = False
    back: str = ""
    turned: bool = False
    as_: str = msgspec.field(default="", name="as")
    value: int | None = None
    load: int = 0
    mark: str = ""
    group: int = -1


class Zone(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Cards that lie together.

    id            unique in the scene
    place         `seat:N`, `own` (the viewer's side), `hand`, `centre`
    layout        `fan`, `row`, `lap`, `groups`, `grid`, `stack`, `ring`, `column`
    label         its title
    count, cards  the number of cards, which may exceed the Cards shown
    cols, rows    columns and rows of a `grid`
    narrow        columns and rows on a narrow screen
    slots, gap    number of places that stay visible when empty; what they show then
    hub           what stands in the middle of a `ring`
    heed, fold    it matters now; small screens may show only its count
    size          `hand`, `table`, `small`, `mini`
    panel         the panel that frames it
    row, col      where in the panel
    say           its name for screen readers
    icon          the zone holds `count` tokens of this kind, such as `chip`, instead of cards
    heap          an open pile, shown whole, whose order the state does not keep: a bare state draws the cards by kind,
                  a sitting in the order they came, the newest last (engine/scene/open_piles.py)
    under         number of cards face down in the middle of a `ring`
    cell          where in the middle: `left` or `right` of it, a `band` above it whose space is kept even when empty,
                  or the middle itself
    """

    id: str
    place: Place
    layout: Layout
    label: str = ""
    count: int = 0
    cards: tuple[Card, ...] = ()
    cols: int = 0
    rows: int = 0
    narrow: tuple[int, int] = (0, 0)
    slots: int = 0
    gap: str = ""
    hub: str = ""
    heed: bool = False
    fold: bool = False
    size: Literal["", "hand", "table", "small", "mini"] = ""
    panel: str = ""
    row: str = ""
    col: str = ""
    say: str = ""
    icon: str = ""
    heap: bool = False
    under: int = 0
    cell: Literal["", "left", "right", "band"] = ""


class Panel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A frame around the zones that name its `id`.

    id, title   its id and title
    text, icon  more words; an icon
    rows, cols  the heads of its rows and columns
    tone        its ink
    """

    id: str
    title: str
    text: str = ""
    icon: str = ""
    rows: tuple[str, ...] = ()
    cols: tuple[str, ...] = ()
    tone: int = -1


class Headline(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The one thing in the middle that everybody plays against or for.

    tag   its label
    big   the thing itself, printed large
    text  a line below
    """

    tag: str
    big: str
    text: str = ""


class Prompt(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The sentence that says what to do.

    mode       `yours`: the viewer may act, and in no other mode; `together`: others still choose at the same time;
               `waiting`; `over`; `replay`
    text, sub  what to do, and a second line
    clause     where the rules open
    until      Unix time at which the clock runs out
    lasts      number of seconds that the clock has in all
    """

    mode: Literal["yours", "waiting", "together", "over", "replay"]
    text: str
    sub: str = ""
    clause: str = ""
    until: float = 0.0
    lasts: float = 0.0


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that the viewer may do now.

    id           what `pick` is given; several choices may share one id
    kind         `card`, `zone` or `seat`: it is attached to that part; `button`, `value`
    label, note  its words; a price or similar
    on           the id of the card, zone or seat (a seat's is its number)
    key          a key, such as `Enter`
    main         the filled button, which Enter presses
    rank         how rarely it is wanted: above 0 it belongs behind a small `More`, or faint and after the others
    """

    id: int
    kind: Literal["card", "zone", "seat", "button", "value"]
    label: str = ""
    on: str = ""
    note: str = ""
    key: str = ""
    main: bool = False
    rank: int = 0


class Draft(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A half-made move.

    chosen, aim  ids of cards that are chosen, and of those aimed at, a seat as `seat:2`
    picks, undo  the picks that made it; whether the last can be taken back
    """

    chosen: tuple[str, ...] = ()
    aim: tuple[str, ...] = ()
    picks: tuple[int, ...] = ()
    undo: bool = False


class Moved(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A card that lies elsewhere now.

    card          the id of the card now, `""` if it is not drawn, as in a deck
    origin, goal  the zones that it came from and went to
    was           the id before, `""` if it was not drawn
    """

    card: str
    origin: str
    goal: str
    was: str = ""


class Lesson(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A step of a lesson.

    step, of  the number of the step, from 1, and of all steps
    kind      what the coach points at: a `card`, `zone`, `seat` or `button`
    on        the id of that card, zone or seat, or of the button's choice; it moves on with the draft
    """

    step: int
    of: int
    kind: Literal["", "card", "zone", "seat", "button"] = ""
    on: str = ""


class LogLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of the log: an event in words.

    text, seat  a line for people; who did it
    moves       on the first line of a move: the cards that lie elsewhere now, each a Moved
    turned      on the first line of a move: the ids of cards turned up where they lie
    clauses     the clauses that acted on their own
    """

    text: Sentence
    seat: int = -1
    moves: tuple[Moved, ...] = ()
    turned: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class Recap(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat has done since the viewer's own last act.

    seat   who
    text   what they did before another seat moved, at most 90 letters: how it began, and after `…` the latest. For the
           viewer's own seat: what a bot played for them
    moves  how many moves that was; the first counts those before it too, and its text then begins with `…`
    """

    seat: int
    text: Sentence
    moves: int = 1


class Bitten(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A note of the game (engine/tips.py) that the last move gives reason to show.

    id, cards  the note's id; the viewer's own cards for its example
    """

    id: str
    cards: tuple[Card, ...] = ()


class Score(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The score pad.

    head, rows  the heads of the columns; rows of numbers and words
    """

    head: tuple[str, ...]
    rows: tuple[tuple[int | str, ...], ...]


class Gain(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reason for points.

    label, value  `three ∞`, 3
    clause        the clause
    cards         the faces of the cards that bring it
    """

    label: str
    value: int
    clause: str = ""
    cards: tuple[str, ...] = ()


class Tally(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a round brought a seat.

    seat, total  the seat; its total after the round
    gains        where the round's part of it comes from: Gains that add up to it
    """

    seat: int
    total: int
    gains: tuple[Gain, ...] = ()

    @property
    def points(self) -> int:
        """What the round brought in all."""
        return sum(gain.value for gain in self.gains)


class Round(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A round, or a game of a match, that the last move has ended.

    number         which round
    text           its result: `Round 3 done: Bo 8, you 6.`
    tallies        a Tally a seat, in the order of counting, the best last
    label          what the game calls it: `Round`, `Game`, `Layout`
    sweep, winner  the zone whose cards are gathered, and the seat that gathers them
    """

    number: int
    text: Sentence
    tallies: tuple[Tally, ...]
    label: str = "Round"
    sweep: str = ""
    winner: int = -1


class Decided(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The move that decided a game: after it the winner always led alone; without one, the last move.

    text, move  a sentence, and the number of the move
    cards       the faces of the cards that it played or turned up
    """

    text: Sentence
    move: int
    cards: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How the game ended.

    text            how it ended
    places, scores  by seat; 1 is best, equal places are shared
    why             what decided it
    shown           by seat what a screen writes for the score, such as `2 cards, 1 point`; else the score itself
    won             false if nobody has won: one player below par, or a game that never came about
    par             what one player alone plays against
    decided         a Decided, if there were several players and one has won; a sitting fills it in
    """

    text: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    why: str = ""
    shown: tuple[str, ...] = ()
    won: bool = True
    par: int | None = None
    decided: Decided | None = None


def places_by(scores: Sequence[Any]) -> tuple[int, ...]:
    """Places by scores: the highest is first, and equal ones share a place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


class Scene(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """All that one viewer sees.

    skin, title    the name of the game's skin, and its title
    viewer         the viewer's seat; -1 is a spectator
    sub            the kind of table, such as `2 players · 6 stacks end it`
    seq            the number of the move, -1 away from a table; a server counts undone moves too. The next pick names
                   it
    mode           `live`, `replay`, `over`
    tray           the space that the viewer's own place needs, the same through the whole game: `none` for a game
                   without a hand, `one` row, `two` if a phone needs two
    facts          short facts for the bar: `turn 11`
    seats          Seats in order of their numbers
    zones, panels  Zones and Panels
    headline       a Headline
    stage          an instrument in the middle: see "Instruments"
    prompt         a Prompt
    choices, more  what the viewer may do now; `more` counts values that are not among them
    draft          the viewer's own half-made move
    events         what the last move did, in words for this viewer, each a LogLine; a sitting fills them in, a bare
                   state has none
    recap          when it is the viewer's turn, and when they come back: what happened since their own last act, in
                   order; a sitting fills it in
    round          what a round, or a game of a match, has brought if the last move ended it; a sitting fills it in
    resolved       the attack that the last move ended, an `attack` with its `word`; a sitting fills it in
    bites          the game's notes that the last move calls for; see "Notes"
    score, result  the score pad; how the game ended
    lesson         in a lesson: the step; see "Lessons"
    """

    skin: str
    title: str
    viewer: int
    sub: str = ""
    seq: int = -1
    mode: Literal["live", "replay", "over"] = "live"
    tray: Literal["none", "one", "two"] = "one"
    facts: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    zones: tuple[Zone, ...] = ()
    panels: tuple[Panel, ...] = ()
    headline: Headline | None = None
    stage: Stage | None = None
    prompt: Prompt | None = None
    choices: tuple[Choice, ...] = ()
    more: int = 0
    draft: Draft | None = None
    events: tuple[LogLine, ...] = ()
    recap: tuple[Recap, ...] = ()
    round: Round | None = None
    resolved: Attack | None = None
    bites: tuple[Bitten, ...] = ()
    score: Score | None = None
    result: Result | None = None
    lesson: Lesson | None = None


class Voice(msgspec.Struct, frozen=True, gc=False):
    """Who is speaking to whom: the names of the seats, and the viewer who is "you"."""

    names: tuple[str, ...]
    viewer: int

    def name(self, seat: int) -> str:
        """`Bo`, or `you`."""
        return "you" if seat == self.viewer else self.names[seat]

    def title(self, seat: int) -> str:
        """`Bo`, or `You`, to begin a sentence."""
        return "You" if seat == self.viewer else self.names[seat]

    def several(self, seats: Iterable[int]) -> str:
        """`you and Bo`, `Ada, Bo and Cleo`."""
        return listed([self.name(seat) for seat in seats])

    def several_titled(self, seats: Iterable[int]) -> str:
        """The same to begin a sentence: `You and Bo`."""
        return listed([self.name(seat) if number else self.title(seat) for number, seat in enumerate(seats)])

    def of(self, seat: int) -> str:
        """`Bo's`, or `your`."""
        return "your" if seat == self.viewer else f"{self.names[seat]}’s"

    def title_of(self, seat: int) -> str:
        """`Bo's`, or `Your`, to begin a sentence."""
        return "Your" if seat == self.viewer else self.of(seat)

    def does(self, seat: int, verb: str, other: str = "") -> str:
        """`Bo plays`, or `You play`; `other` is the third person where it is not the verb with an s."""
        return f"You {verb}" if seat == self.viewer else f"{self.names[seat]} {other or verb + 's'}"

    def does_then(self, seat: int, verb: str, other: str = "") -> str:
        """The same where a sentence goes on, as after a colon: `Bo plays`, or `you play`."""
        told = self.does(seat, verb, other)
        return f"y{told[1:]}" if seat == self.viewer else told


class Line(msgspec.Struct, frozen=True, gc=False):
    """A sentence about a move, with the clauses that acted on their own."""

    text: str
    clauses: tuple[str, ...] = ()


class Picked(msgspec.Struct, frozen=True, gc=False):
    """What picking a choice led to: a longer (or shorter) draft, or the actions of a whole move."""

    draft: tuple[int, ...]
    move: tuple[int, ...] | None = None


def count_of(number: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun_for(number, one, many)}"


def noun_for(number: int, one: str, many: str = "") -> str:
    """Return the form of a noun that goes with a number: `card`, `cards`."""
    return one if number == 1 else many or one + "s"


def with_article(name: str) -> str:
    """`a red Yin`, `an orange Yang`."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


@functools.lru_cache(maxsize=4096)
def counted(number: int, one: str, many: str = "", icon: str = "") -> Counter:
    """A counter whose label goes with its number: 1 `point`, 2 `points`."""
    return Counter(noun_for(number, one, many), number, icon)


def legal_for(state: Any, viewer: int, legal_actions: Callable[..., int], actions: Actions) -> list[int]:
    """Return the ids of the viewer's legal actions, ascending; an empty list if the viewer may not act."""
    if viewer not in state.acting:
        return []
    found = [0] * (len(actions) + 1)
    return found[: legal_actions(state, viewer, found)]


def lies(scene: Scene, card: str) -> tuple[Zone, Card] | None:
    """Return a card of a scene and its zone, or the top of a stack without cards by the zone's name and `-top`; None if
    it is not there."""
    for zone in scene.zones:
        if card == zone.id + TOP and zone.count and not zone.cards:
            return zone, Card(card, down=True)
        for one in zone.cards:
            if one.id == card and one.back != "gap":
                return zone, one
    return None


def sentence(words: str, clause: str) -> tuple[str, str]:
    """Return the reason against a move as a sentence, without marks of notation, and its clause."""
    return f"{capital(words.replace('`', ''))}.", clause


def listed(names: Sequence[str], last: str = "and") -> str:
    """`Bo`, `Bo and Cleo`, `Bo, Cleo and Dai`."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def capital(text: str) -> str:
    """A sentence that begins with a capital letter."""
    return text[:1].upper() + text[1:]
