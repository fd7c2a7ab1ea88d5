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

from fairdeal.engine.actions import Actions
from fairdeal.engine.stage import Attack, Stage

if TYPE_CHECKING:

    class Sentence:
        """Words about what happened, to be joined and shown. Nothing reads them: type checkers see no string."""

        def __init__(self, text: str) -> None: ...

else:
    Sentence = str


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
    """Colours of a kind or tone of card: its ground, and what is printed on it, as #rrggbb."""

    ground: str
    ink: str


class Skin(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The look of a game as data: cloth by day and by night, inks by kind of face, the back; `tones` are the inks of
    the tones on light ground, `light_tones` those on dark ground."""

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
    """What is printed on a card; its `text`, which tells what the card does, is among that if it is `printed`."""

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
    """A number beside a name."""

    label: str
    value: int | str
    icon: str = ""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Seconds left, of how many, and whether it runs."""

    left: float
    of: float
    runs: bool = False


class Seat(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A place at the table and who sits there."""

    seat: int
    name: str
    kind: Literal["person", "bot"] = "person"
    state: Literal["here", "away", "out", "done"] = "here"
    acts: bool = False
    note: str = ""
    counters: tuple[Counter, ...] = ()
    clock: Clock | None = None


class Card(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """A card on the table. `face` is None where the viewer may not see it; `group` joins cards lying on one another."""

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
    """Cards that lie together. `count` may exceed the cards shown; `slots` are places that stay visible when empty.
    With an `icon`, such as `chip`, the zone holds that many tokens of the kind and no cards. `under` is the number of
    cards face down in the middle of a ring, where the `hub` stands. A `heap` is one of which the state keeps no order:
    a sitting lays its cards as they came (engine/heaps.py)."""

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
    """A frame around zones that name it, each with its row and column."""

    id: str
    title: str
    text: str = ""
    icon: str = ""
    rows: tuple[str, ...] = ()
    cols: tuple[str, ...] = ()
    tone: int = -1


class Headline(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The one thing in the middle that everybody plays against or for."""

    tag: str
    big: str
    text: str = ""


class Prompt(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The sentence that says what to do; `until` is a Unix time, by when it is to be done, of `lasts` seconds in all.

    The mode is `yours` when, and only when, the viewer may act; `together` when they have had their say, or have none,
    where several act at once.
    """

    mode: Literal["yours", "waiting", "together", "over", "replay"]
    text: str
    sub: str = ""
    clause: str = ""
    until: float = 0.0
    lasts: float = 0.0


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something the viewer may do now: it is attached to the card, zone or seat `on`, or is a button or a value. What
    is rarely wanted has a `rank` above 0."""

    id: int
    kind: Literal["card", "zone", "seat", "button", "value"]
    label: str = ""
    on: str = ""
    note: str = ""
    key: str = ""
    main: bool = False
    rank: int = 0


class Draft(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A half-made move: cards chosen and aimed at, and the picks that made it, the last of which can be undone."""

    chosen: tuple[str, ...] = ()
    aim: tuple[str, ...] = ()
    picks: tuple[int, ...] = ()
    undo: bool = False


class Moved(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A card that lies elsewhere now: its id, the zones that it came from and went to, and its id before. An id is ""
    where the card is not drawn, as in a deck."""

    card: str
    origin: str
    goal: str
    was: str = ""


class Lesson(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A step of a lesson, counted from 1, and what the coach points at, as a choice would name it: the card, zone or
    seat `on`, or the button whose choice has that id."""

    step: int
    of: int
    kind: Literal["", "card", "zone", "seat", "button"] = ""
    on: str = ""


class LogLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of the log: an event in words and the clauses that acted. The first line of a move also has the cards that
    moved, and the ids of those that were turned up where they lay."""

    text: Sentence
    seat: int = -1
    moves: tuple[Moved, ...] = ()
    turned: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class Recap(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat has done since the viewer's own last act, before another moved: in words, and how many moves that
    were."""

    seat: int
    text: Sentence
    moves: int = 1


class Bitten(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A note of the game (engine/bites.py) that the last move gives reason to tell, with the cards concerned."""

    id: str
    cards: tuple[Card, ...] = ()


class Score(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The score pad: column heads, and a row a seat or a game."""

    head: tuple[str, ...]
    rows: tuple[tuple[int | str, ...], ...]


class Gain(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reason for points, such as `Books`: how many, the clause, and the faces of the cards that bring them."""

    label: str
    value: int
    clause: str = ""
    cards: tuple[str, ...] = ()


class Tally(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a round brought a seat: its total now, and the reasons for what is new of it."""

    seat: int
    total: int
    gains: tuple[Gain, ...] = ()

    @property
    def points(self) -> int:
        """What the round brought in all."""
        return sum(gain.value for gain in self.gains)


class Round(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A round, or a game of a match, that the last move has ended: its result in a sentence, and a tally a seat in the
    order of counting. `label` is what the game calls it. The cards of the zone `sweep` are gathered by the seat
    `winner`."""

    number: int
    text: Sentence
    tallies: tuple[Tally, ...]
    label: str = "Round"
    sweep: str = ""
    winner: int = -1


class Decided(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The move of a game that decided it: a sentence, its number, and the faces of its cards."""

    text: Sentence
    move: int
    cards: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How it ended: words first, places by seat (1 is best; equal places are shared), and what decided it.

    `shown` says by seat what screens write for the score, where the score alone says little: `2 cards, 1 point`. `won`
    is false where nobody has won: below par, or where no game came about. `par` is what one player alone plays against.
    `decided` is the move that decided it; a sitting fills it in.
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
    """All that one viewer sees. `seq` numbers the moves at a table (-1 away from one); `more` counts values that are
    not among the choices; `tray` is the room that the viewer's hand wants, the same through the whole game. `resolved`
    is the attack that the last move has ended."""

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


def listed(names: Sequence[str], last: str = "and") -> str:
    """`Bo`, `Bo and Cleo`, `Bo, Cleo and Dai`."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def capital(text: str) -> str:
    """A sentence that begins with a capital letter."""
    return text[:1].upper() + text[1:]
