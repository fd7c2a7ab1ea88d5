"""The scene: a description of the table for one viewer, as plain data that every screen draws.

Screens know nothing about games: they draw seats, zones of cards, a headline, a prompt and the choices. Faces and skins
are static catalogues that are fetched once. docs/scene.md describes the parts; the JSON schema for other clients is
generated from these types.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene.instruments import Attack, Part, Stage

if TYPE_CHECKING:

    class Sentence:
        """A sentence about an event, which can only be joined and shown. Type checkers do not treat it as a string,
        which keeps code from parsing it."""

        def __init__(self, text: str) -> None: ...

else:
    Sentence = str


TOP = "-top"
"""Suffix of the id of the top card of a stack whose cards a scene does not show."""


def joined(sentences: Iterable[Sentence]) -> Sentence:
    """Join sentences with spaces, skipping empty ones."""
    return Sentence(" ".join(text for text in map(as_text, sentences) if text))


def as_text(sentence: Sentence) -> str:
    """Return a sentence as a string, for a screen that shows it."""
    return cast("str", sentence)


Layout = Literal["fan", "row", "lap", "groups", "grid", "stack", "ring", "column"]
"""Arrangement of a zone's cards."""

Place = str
"""Position of a zone: `seat:n`, `own` (the viewer's side of the table), `hand`, or `centre`."""


class Ink(Part):
    """Colours of a kind or tone of card, as #rrggbb.

    ground  colour of the card
    ink     colour of the print on the card

    >>> Ink("#ffffff", "#1d1a16").ground
    '#ffffff'
    """

    ground: str
    ink: str


class Skin(Part):
    """The look of a game as data.

    name         name of the skin
    cloth        colours of the table in light and dark mode
    cloth_2      second colours of the table in light and dark mode
    kinds        an Ink for each kind of face, for terminals, and for browsers if the game has no `look/skin.css`, whose
                 `--g` and `--on` replace it
    back         Ink of the back
    back_sign    symbol on the back
    back_art     drawing on the back
    tones        inks of the tones on a light background
    light_tones  inks of the tones on a dark background

    >>> find_game("chi").skin.name
    'chi'
    >>> isinstance(find_game("chi").skin, Skin)
    True
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


class Face(Part):
    """The printed side of a card.

    kind        key of the card's Ink in the skin, and `data-kind` in stylesheets
    name        full name, for screen readers
    big         large print in the middle
    corner      print in the corner
    glyph       symbol that repeats the colour, for terminals
    art         id of the drawing in the game's `emblems.svg`
    corner_art  id of the drawing in the corner
    tone        index of its ink in `tones`; -1 for none
    value       value of the card
    step        step of a climb: `+1` or `×`
    pips        number of dots
    ends        the two ends of a card that can be turned
    shape       shape that the game's stylesheet draws
    ring        ring that the game's stylesheet draws
    title       title of the card
    foot        line at the bottom
    tag         class name for the stylesheet
    text        effect of the card
    clause      clause of the effect
    printed     whether the text is printed on the card

    >>> Face("spades", "ace of spades", big="A").value is None
    True
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


class Counter(Part):
    """A number beside a name.

    label  label such as `in hand`
    value  number, or words such as `3/6`
    icon   icon such as `chip`

    >>> Counter("in hand", 3).value
    3
    """

    label: str
    value: int | str
    icon: str = ""


class Clock(Part):
    """The clock of a seat.

    left  seconds left
    of    total number of seconds
    runs  whether the clock is running
    """

    left: float
    of: float
    runs: bool = False


class Seat(Part):
    """A seat at the table and its player.

    seat      number of the seat
    name      name of its player, `You` for the viewer
    kind      kind of player, `person` or `bot`
    state     `here`, `away`, `out`, or `done` with the game
    acts      whether the seat may act now
    note      word beside the name, such as `to play` or `leads`
    counters  Counters
    clock     a Clock
    """

    seat: int
    name: str
    kind: Literal["person", "bot"] = "person"
    state: Literal["here", "away", "out", "done"] = "here"
    acts: bool = False
    note: str = ""
    counters: tuple[Counter, ...] = ()
    clock: Clock | None = None


class Card(Part, cache_hash=True):
    """A card on the table.

    id      id of the card, unique in the scene; see "Ids"
    face    key of the catalogue; null if the viewer may not see the card
    down    whether the card lies face down; if it has a `face`, the viewer knows the card anyway
    back    key of the back; `gap` stands for an empty place of a layout
    turned  whether the card is upside down
    as      label of the value or card that this card stands for (`as_` in Python)
    value   current value of the card
    load    number of points on the card
    mark    word printed across the card, such as `safe` or `attacked`
    group   number of the group; cards of a zone in one group lie on top of one another

    >>> Card("ace.1", face="ace").down
    False
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


class Zone(Part):
    """Cards that lie together.

    id      id, unique in the scene
    place   position: `seat:N`, `own` (the viewer's side), `hand`, `centre`
    layout  arrangement of the cards: `fan`, `row`, `lap`, `groups`, `grid`, `stack`, `ring`, `column`
    label   title of the zone
    count   number of cards
    cards   the Cards shown, which may be fewer
    cols    number of columns of a `grid`
    rows    number of rows of a `grid`
    narrow  number of columns and rows on a narrow screen
    slots   number of places that stay visible when empty
    gap     text in empty places
    hub     content of the middle of a `ring`
    heed    whether the zone matters now
    fold    whether small screens may show only its count
    size    size of the cards: `hand`, `table`, `small`, `mini`
    panel   id of the panel that frames the zone
    row     row in the panel
    col     column in the panel
    say     name for screen readers
    icon    kind of token, such as `chip`, of which the zone holds `count` instead of cards
    heap    whether the zone is an open pile, shown in full, whose order the state does not store. Without a table its
            cards are sorted by kind; at a table they are in order of arrival, the newest last
            (engine/scene/open_piles.py)
    under   number of face-down cards in the middle of a `ring`
    cell    position in the middle of the table: `left`, `right`, a `band` above it whose space is reserved even when
            empty, or (default) the middle itself
    any_order  whether the order of a hand means nothing in the rules, so that the viewer, who sees all of its cards,
            may arrange them on a screen

    >>> Zone("deck", "centre", "stack", "Deck", count=40).cards
    ()
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
    any_order: bool = False


class Panel(Part):
    """A frame around the zones that name its `id`.

    id     id of the panel
    title  title of the panel
    text   further text
    icon   icon beside the title
    rows   headings of the rows
    cols   headings of the columns
    tone   index of its ink
    """

    id: str
    title: str
    text: str = ""
    icon: str = ""
    rows: tuple[str, ...] = ()
    cols: tuple[str, ...] = ()
    tone: int = -1


class Headline(Part):
    """The target in the middle that all players play against or for, such as a number to beat.

    tag   label
    big   the target, in large print
    text  line below
    """

    tag: str
    big: str
    text: str = ""


class Prompt(Part):
    """The sentence that asks the viewer to act, or describes the state of the game.

    mode    `yours` if the viewer may act, `together` if others are still choosing at the same time, `waiting`, `over`
            or `replay`
    text    the sentence
    sub     a second line
    clause  clause at which the rules page opens
    until   Unix time at which the clock runs out
    lasts   total number of seconds on the clock

    >>> Prompt("yours", "Ask for a rank").mode
    'yours'
    """

    mode: Literal["yours", "waiting", "together", "over", "replay"]
    text: str
    sub: str = ""
    clause: str = ""
    until: float = 0.0
    lasts: float = 0.0


class Choice(Part):
    """Something that the viewer may do now.

    id     argument for `pick`; several choices may share one id
    kind   `card`, `zone` or `seat` if the choice is attached to that part; otherwise `button` or `value`
    label  text of the choice
    note   a price or similar
    on     id of the card or zone, or number of the seat
    key    keyboard key, such as `Enter`
    main   whether the choice is the filled button, which Enter presses
    rank   0 for usual choices; higher for rarely used ones, which belong behind a small `More`, or are drawn faintly
           after the others

    >>> Choice(4, "card", "Take", on="ace.1").kind
    'card'
    """

    id: int
    kind: Literal["card", "zone", "seat", "button", "value"]
    label: str = ""
    on: str = ""
    note: str = ""
    key: str = ""
    main: bool = False
    rank: int = 0


class Draft(Part):
    """An unfinished move.

    chosen  ids of the chosen cards
    aim     ids of targets, with seats as `seat:2`
    picks   choices that made the draft
    undo    whether the last choice can be taken back

    >>> Draft(chosen=("ace.1",), picks=(4,)).undo
    False
    """

    chosen: tuple[str, ...] = ()
    aim: tuple[str, ...] = ()
    picks: tuple[int, ...] = ()
    undo: bool = False


class Moved(Part):
    """A card that has moved to another zone.

    card    current id of the card, or `""` if it is not drawn, as in a deck
    origin  zone that the card came from
    goal    zone that the card went to
    was     previous id of the card, or `""` if it was not drawn
    """

    card: str
    origin: str
    goal: str
    was: str = ""


class Lesson(Part):
    """A step of a lesson.

    step  number of the step, from 1
    of    number of steps
    kind  kind of part that the coach points at: `card`, `zone`, `seat` or `button`
    on    id of that card, zone or seat, or of the button's choice; depends on the draft
    """

    step: int
    of: int
    kind: Literal["", "card", "zone", "seat", "button"] = ""
    on: str = ""


class LogLine(Part):
    """A line of the log: an event in words.

    text     the line
    seat     the seat that acted
    moves    on the first line of a move: the cards that changed zones, each a Moved
    turned   on the first line of a move: ids of cards turned up in place
    clauses  ids of the clauses of rules that took effect automatically
    """

    text: Sentence
    seat: int = -1
    moves: tuple[Moved, ...] = ()
    turned: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class Recap(Part):
    """A summary of a seat's moves since the viewer's own last action.

    seat   the seat
    text   what the seat did before another seat moved, in at most 90 characters: the beginning, then `…` and the latest
           action. For the viewer's own seat, what a bot played for it
    moves  number of moves summarized; the first summary also counts earlier moves, and its text then begins with `…`
    """

    seat: int
    text: Sentence
    moves: int = 1


class Bitten(Part):
    """A rule tip (engine/tips.py) raised by the last move.

    id     id of the tip
    cards  the viewer's own cards for its example
    """

    id: str
    cards: tuple[Card, ...] = ()


class Score(Part):
    """The score pad.

    head  headings of the columns
    rows  rows of numbers and words
    """

    head: tuple[str, ...]
    rows: tuple[tuple[int | str, ...], ...]


class Gain(Part):
    """A reason for points.

    label   name of the reason, such as `three ∞`
    value   number of points
    clause  clause of the reason
    cards   faces of the cards that score

    >>> Gain("three kings", 3, "FISH-30").value
    3
    """

    label: str
    value: int
    clause: str = ""
    cards: tuple[str, ...] = ()


class Tally(Part):
    """A seat's result in a round.

    seat   the seat
    total  total of the seat after the round
    gains  Gains that add up to the seat's points in the round
    """

    seat: int
    total: int
    gains: tuple[Gain, ...] = ()

    @property
    def points(self) -> int:
        """The seat's points in the round."""
        return sum(gain.value for gain in self.gains)


class Round(Part):
    """A round, or a game of a match, that the last move has ended.

    number   number of the round
    text     result in a sentence: `Round 3 done: Bo 8, you 6.`
    tallies  a Tally for each seat, in the order of counting, the best last
    label    the game's word for a round: `Round`, `Game` or `Layout`
    sweep    zone whose cards are gathered
    winner   seat that gathers them
    """

    number: int
    text: Sentence
    tallies: tuple[Tally, ...]
    label: str = "Round"
    sweep: str = ""
    winner: int = -1


class Decided(Part):
    """The move that decided a game: the move after which the winner was always in sole lead. The last move is one only
    if it ended a round that brought the winner points.

    text   description in a sentence
    move   number of the move
    cards  faces of the cards that it played or turned up
    """

    text: Sentence
    move: int
    cards: tuple[str, ...] = ()


class Light(Part):
    """The parts of a last scene that decided a game. A screen highlights those that it shows and dims the rest.

    cards     ids of cards that lie face up
    seats     seats whose standing decided the game
    counters  labels of these seats' counters that decided the game

    >>> Light(seats=(1,), counters=("points",)).cards
    ()
    """

    cards: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    counters: tuple[str, ...] = ()


class Result(Part):
    """The result of a game.

    text      result in a sentence
    places    place of each seat, from 1; equal seats share a place
    scores    score of each seat
    why       reason for the result
    shown     score of each seat as a screen shows it, such as `2 cards, 1 point` (default: the score itself)
    ordinals  place of each seat in words, such as `1st`, or `""` if no rule places it; none if the game has no ranking
    won       whether somebody won: false for a single player below par and for a game that never started
    par       score that a single player has to reach
    decided   the Decided of a game that one of several players has won, if a move decided it; only at a table
    light     the Light of a game that somebody has won or lost; only at a table
    comfort   a kind word for a viewer who has not won; only at a table

    >>> Result("Ada wins.", places=(1, 2), scores=(7, 6)).won
    True
    """

    text: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    why: str = ""
    shown: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    won: bool = True
    par: int | None = None
    decided: Decided | None = None
    light: Light | None = None
    comfort: str = ""

    @property
    def is_ranked(self) -> bool:
        """Whether the places rank the players, which they do not for a single player or if nobody has won.

        >>> Result("No game.", places=(1, 1), scores=(0, 0), won=False).is_ranked
        False
        """
        return self.won and len(self.places) > 1

    @property
    def is_level(self) -> bool:
        """Whether there are several seats and all of them share first place.

        >>> Result("Ada and Bo share the win.", places=(1, 1), scores=(7, 7)).is_level
        True
        """
        return len(self.places) == self.places.count(1) > 1


ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


def ordinals_of(places: Sequence[int], placed: Collection[int]) -> tuple[str, ...]:
    """Return the places in words, with `""` for the seats that are not among `placed`.

    >>> ordinals_of((1, 2, 2), placed=(0,))
    ('1st', '', '')
    """
    names = dict(enumerate(ORDINALS, 1))
    return tuple([names.get(place, "") if seat in placed else "" for seat, place in enumerate(places)])


def places_by(scores: Sequence[Any]) -> tuple[int, ...]:
    """Return places by scores: the highest is 1, and equal scores share a place.

    >>> places_by([10, 7, 10])
    (1, 3, 1)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


class Scene(Part):
    """Everything that one viewer sees.

    skin      name of the game's skin
    title     title of the game
    viewer    the viewer's seat, or -1 for a spectator
    sub       kind of table, such as `2 players · 6 stacks end it`
    seq       number of the move, which the next pick must name; -1 outside of a table. On a server, undone moves count
              too, but no passes of others in windows
    state     digest of the state, as the viewer may know it (docs/log-format.md); only at a table, and not in a window
    mode      `live`, `replay`, `over`
    tray      space for the viewer's own cards, fixed for the whole game: `none` for a game without a hand, `one` row,
              or `two` if a phone needs two rows
    facts     short facts for the bar, such as `turn 11`
    seats     Seats, ordered by number
    zones     Zones
    panels    Panels
    headline  a Headline
    stage     an instrument in the middle: see "Instruments"
    prompt    a Prompt
    choices   Choices of the viewer
    more      number of values that are not listed among the choices
    draft     the viewer's own unfinished move
    events    log lines of the last move for this viewer, each a LogLine; only at a table
    recap     events since the viewer's own last action, in order, when the viewer may act; only at a table
    stood_in  number of moves that a bot has made for the viewer since the viewer's own last move; only at a table
    round     result of a round, or a game of a match, if the last move ended it; only at a table
    resolved  the attack that the last move ended, an Attack with its `word`; only at a table
    bites     rule tips raised by the last move; see "Notes"
    score     the score pad
    result    the result of the game
    lesson    the current step, in a lesson; see "Lessons"

    >>> scene = load("chi").deal(seed=7).scene(0)
    >>> isinstance(scene, Scene), scene.title, len(scene.zones)
    (True, 'Chi', 8)
    """

    skin: str
    title: str
    viewer: int
    sub: str = ""
    seq: int = -1
    state: str = ""
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
    stood_in: int = 0
    round: Round | None = None
    resolved: Attack | None = None
    bites: tuple[Bitten, ...] = ()
    score: Score | None = None
    result: Result | None = None
    lesson: Lesson | None = None


class Voice(Frozen, gc=False):
    """The names of the seats, and the viewer, who is addressed as "you".

    >>> voice = Voice(("Ada", "Bo"), viewer=0)
    >>> voice.does(1, "play"), voice.does(0, "play"), voice.of(1)
    ('Bo plays', 'You play', 'Bo’s')
    """

    names: tuple[str, ...]
    viewer: int

    def name(self, seat: int) -> str:
        """Return a seat's name inside a sentence: `Bo`, or `you`."""
        return "you" if seat == self.viewer else self.names[seat]

    def title(self, seat: int) -> str:
        """Return a seat's name to begin a sentence with: `Bo`, or `You`."""
        return "You" if seat == self.viewer else self.names[seat]

    def several(self, seats: Iterable[int]) -> str:
        """Return several names inside a sentence: `you and Bo`, or `Ada, Bo and Cleo`."""
        return listed([self.name(seat) for seat in seats])

    def several_titled(self, seats: Iterable[int]) -> str:
        """Return several names to begin a sentence with: `You and Bo`."""
        return listed([self.name(seat) if number else self.title(seat) for number, seat in enumerate(seats)])

    def of(self, seat: int) -> str:
        """Return the possessive form of a seat's name for use within a sentence: `Bo's` or `your`."""
        return "your" if seat == self.viewer else f"{self.names[seat]}’s"

    def title_of(self, seat: int) -> str:
        """Return the possessive form of a seat's name for the beginning of a sentence: `Bo's` or `Your`."""
        return "Your" if seat == self.viewer else self.of(seat)

    def does(self, seat: int, verb: str, other: str = "") -> str:
        """Return a seat's name with a verb, to begin a sentence with: `Bo plays`, or `You play`. `other` is the third
        person (default: `verb` with an s)."""
        return f"You {verb}" if seat == self.viewer else f"{self.names[seat]} {other or verb + 's'}"

    def does_then(self, seat: int, verb: str, other: str = "") -> str:
        """Return a seat's name with a verb, inside a sentence: `Bo plays`, or `you play`."""
        told = self.does(seat, verb, other)
        return f"y{told[1:]}" if seat == self.viewer else told


class Line(Frozen, gc=False):
    """A sentence about a move, with the clauses of rules that took effect automatically.

    >>> Line("Ada draws a card.", ("CHI-20",)).clauses
    ('CHI-20',)
    """

    text: str
    clauses: tuple[str, ...] = ()


class Picked(Frozen, gc=False):
    """The result of making a choice: a longer (or shorter) draft, or the actions of a complete move.

    >>> load("chi").deal(seed=7).pick(1, (), 0)
    Picked(draft=(0,), move=None)
    >>> isinstance(load("chi").deal(seed=7).pick(1, (), 0), Picked)
    True
    """

    draft: tuple[int, ...]
    move: tuple[int, ...] | None = None


def count_of(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun. `many` is the plural (default: `one` with an s).

    >>> count_of(1, "card"), count_of(2, "box", "boxes")
    ('1 card', '2 boxes')
    """
    return f"{number} {noun_for(number, one, many)}"


def noun_for(number: int, one: str, many: str = "") -> str:
    """Return the form of a noun that agrees with a number: `card` or `cards`."""
    return one if number == 1 else many or one + "s"


def with_article(name: str) -> str:
    """Return a name with its indefinite article, such as `a red Yin` or `an orange Yang`."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


@functools.lru_cache(maxsize=4096)
def counted(number: int, one: str, many: str = "", icon: str = "") -> Counter:
    """Return a counter whose label is the noun for its number. `many` is the plural (default: `one` with an s).

    >>> counted(2, "point").label
    'points'
    """
    return Counter(noun_for(number, one, many), number, icon)


def legal_for(state: Any, viewer: int, legal_actions: Callable[..., int], actions: Actions) -> list[int]:
    """Return the ids of the viewer's legal actions, in ascending order, or an empty list if the viewer may not act.

    >>> game = find_game("chi")
    >>> legal_for(load("chi").deal(seed=7).seen_by(1).shown, 1, game.rules.legal_actions, game.actions)
    [0, 1, 2, 3, 4, 5, 25]
    """
    if viewer not in state.acting:
        return []
    found = [0] * (len(actions) + 1)
    return found[: legal_actions(state, viewer, found)]


def lies(scene: Scene, card: str) -> tuple[Zone, Card] | None:
    """Return the zone and the card with this id, or None if the scene has no such card. The top of a stack that lists
    no cards has the zone's id with the suffix `-top`."""
    for zone in scene.zones:
        if card == zone.id + TOP and zone.count and not zone.cards:
            return zone, Card(card, down=True)
        for one in zone.cards:
            if one.id == card and one.back != "gap":
                return zone, one
    return None


def in_common(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Return how many items two rows have in common at the beginning, and how many of the others at the end.

    >>> in_common("acid", "avoid")
    (1, 2)
    """
    start = next(compress(count(), map(ne, old, new)), min(len(old), len(new)))
    rest = min(len(old), len(new)) - start
    return start, next(compress(range(rest), map(ne, reversed(old), reversed(new))), rest)


@functools.lru_cache(1 << 12)
def differing(old: tuple[Card, ...], new: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...], bool]:
    """Return the cards that a zone has no more, those that it has now, and whether the others are in the same order. A
    card with other fields is another card. The result is cached, because most zones look the same to all viewers, and
    travel and patches both ask."""
    start, end = in_common(old, new)
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    before, after = {*left}, {*right}
    gone = tuple([card for card in left if card not in after])
    come = tuple([card for card in right if card not in before])
    return gone, come, [card for card in left if card in after] == [card for card in right if card in before]


def sentence(words: str, clause: str) -> tuple[str, str]:
    """Return a reason against a move as a sentence, without marks of notation, and its clause."""
    return f"{capital(words.replace('`', ''))}.", clause


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as a list in words, such as `Bo`, `Bo and Cleo` or `Bo, Cleo and Dai`."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def capital(text: str) -> str:
    """Return `text` with its first letter capitalized."""
    return text[:1].upper() + text[1:]
