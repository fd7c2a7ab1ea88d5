"""Instruments: actions that players carry out by hand at a table, as plain data. Examples are a deck to cut, a wheel to
spin, reels, a fight, an attack and a race.

A scene has at most one instrument. It is drawn in the middle, in place of the `zones` that it names. It refers to
cards, zones and choices of its scene by their ids and adds no choices: a screen without instruments draws the zones and
the choices directly. docs/scene.md describes the fields.
"""

from fairdeal.engine.kit.frozen import Frozen

NO_CHOICE = -1
"""The id that stands for no choice: the action is not possible now, or not possible for the viewer."""


class Part(Frozen, omit_defaults=True, gc=False):
    """A part of a scene, without the fields that have their defaults in JSON."""


class Instrument(Part, tag_field="kind", tag=str.lower):
    """An instrument, with its name as `kind` in JSON."""


class Fan(Instrument):
    """A deck that is cut.

    count    number of cards in the deck
    seat     seat that cuts the deck
    zones    zones that the instrument replaces
    choices  choices that lift the top 1, 2, … cards; none if another seat cuts
    shown    the card that was lifted last
    odds     number of cards that allow another cut, such as `12 of 34 are higher`
    """

    count: int
    seat: int
    zones: tuple[str, ...]
    choices: tuple[int, ...] = ()
    shown: str = ""
    odds: str = ""


class Sector(Part):
    """A part of a wheel.

    label  text on the sector
    face   face whose inks the sector has
    taken  whether the sector has already been won
    """

    label: str
    face: str = ""
    taken: bool = False


class Wheel(Instrument):
    """A wheel beside its zones.

    sectors  Sectors
    zones    zones that the instrument replaces
    at       index of the sector where the wheel stopped, or -1 before a spin
    spins    number of spins so far
    prize    points for a hit at each look
    used     number of looks used
    spin     the choice that spins the wheel
    """

    sectors: tuple[Sector, ...]
    zones: tuple[str, ...]
    at: int = -1
    spins: int = 0
    prize: tuple[int, ...] = ()
    used: int = 0
    spin: int = NO_CHOICE


class Reel(Part):
    """A reel of a machine.

    name    name of the reel
    pile    zone of the face-down pile
    column  zone of the column
    left    number of cards left in the pile
    turns   whether this reel turns now
    """

    name: str
    pile: str
    column: str
    left: int
    turns: bool = False


class PayLine(Part):
    """Three cards that pay.

    cards   the cards
    label   name of the line, such as `1 2 3`
    why     reason why the line pays
    value   number of points that it pays
    choice  the choice that takes the cards
    """

    cards: tuple[str, ...]
    label: str
    why: str
    value: int
    choice: int


class Reels(Instrument):
    """A machine of reels.

    reels   Reels, each with its pile and column
    zones   zones that the instrument replaces
    turn    number of the current spin
    of      number of spins
    points  points so far
    par     points to reach
    won     zone of the cards won
    lines   lines that pay, each a PayLine
    outs    faces that would pay if they came next
    need    description of these faces
    flip    choice that turns the next card of the current reel
    hold    choice that stops the current reel
    """

    reels: tuple[Reel, ...]
    zones: tuple[str, ...]
    turn: int
    of: int
    points: int
    par: int
    won: str
    lines: tuple[PayLine, ...] = ()
    outs: tuple[str, ...] = ()
    need: str = ""
    flip: int = NO_CHOICE
    hold: int = NO_CHOICE


class Spot(Part):
    """The place of a seat in a trick.

    seat  the seat
    card  its card, if it has played one
    wins  whether the card is winning so far
    led   whether the card was led
    """

    seat: int
    card: str = ""
    wins: bool = False
    led: bool = False


class Trick(Instrument):
    """A card from each seat, each under its player's name.

    spots  a Spot for each seat, in seat order; a seat's spot never moves
    zones  zones that the instrument replaces
    done   whether the trick is complete
    """

    spots: tuple[Spot, ...]
    zones: tuple[str, ...]
    done: bool = False


class Fighter(Part):
    """The column of a seat in a fight.

    seat   the seat
    steps  zones of the seat's cards, from the first step down
    face   face of the last card, if the cards are already gone
    value  value of the last card
    parts  the sum that gives the value, such as `9 + 2`
    leads  whether the seat leads
    note   state of the seat, or reason why it has no card, such as `fled`
    """

    seat: int
    steps: tuple[str, ...] = ()
    face: str = ""
    value: str = ""
    parts: str = ""
    leads: bool = False
    note: str = ""


class Fight(Instrument):
    """Cards that face each other.

    columns  a Fighter for each seat that fights, in seat order starting with the viewer
    zones    zones that the instrument replaces
    title    subject of the fight
    text     further text
    pot      number of cards at stake
    pile     zone of the cards that are not in a column
    next     text that announces the next fight
    done     whether the fight is over and the columns show the result
    """

    columns: tuple[Fighter, ...]
    zones: tuple[str, ...]
    title: str
    text: str = ""
    pot: int = 0
    pile: str = ""
    next: str = ""
    done: bool = False


class Attack(Instrument):
    """An attack by one seat on another seat's card.

    attacker   the seat that attacks
    defender   the seat that is attacked
    zones      zones that the instrument replaces
    title      the attack, such as `Bo attacks your red 3`
    text       the seat that may respond now, or the outcome
    attackers  number of attacking cards, which come first in the zone; each later card responds to the one before it,
               starting with the defender's
    target     the card under attack
    awaits     seat that may respond
    word       outcome of a finished attack, such as `BLOCKED`
    faces      faces of the cards of a finished attack

    >>> Attack(0, 1, zones=("areas1",), title="Bo attacks your red 3").attackers
    1
    """

    attacker: int
    defender: int
    zones: tuple[str, ...]
    title: str
    text: str = ""
    attackers: int = 1
    target: str = ""
    awaits: int = -1
    word: str = ""
    faces: tuple[str, ...] = ()


class Answer(Part):
    """One of the answers in a race.

    label   text of the answer
    key     keyboard key that gives the answer
    choice  the choice that gives the answer
    art     id of the drawing
    tone    index of the drawing's ink
    """

    label: str
    key: str
    choice: int = NO_CHOICE
    art: str = ""
    tone: int = -1


class Race(Instrument):
    """A race to respond to a card.

    word     the requested response
    answers  Answers; their positions, which are their keys on a number pad, never change
    zones    zones that the instrument replaces
    card     the card to respond to
    tone     index of the card's ink
    out      seats that answered wrongly
    """

    word: str
    answers: tuple[Answer, ...]
    zones: tuple[str, ...]
    card: str = ""
    tone: int = -1
    out: tuple[int, ...] = ()


Stage = Fan | Wheel | Reels | Trick | Fight | Attack | Race
"""All instruments that a scene may have."""
