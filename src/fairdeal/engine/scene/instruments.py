"""Instruments: what a hand does at a table, as plain data. A deck to cut, a wheel to spin, reels, a fight, an attack, a
race.

A scene asks for at most one of them. It is drawn in the middle, in place of the `zones` that it names. It points at
cards, zones and choices of its scene by their ids and adds nothing to what can be done: a screen that knows no
instruments draws the zones and the choices as they are. docs/scene.md describes the fields.
"""

from __future__ import annotations

import msgspec

NO_CHOICE = -1
"""The id of no choice: this cannot be done now, or not by the viewer."""


class Fan(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="fan"):
    """A deck that is cut.

    count, seat  number of cards in the deck, and who cuts it
    zones        the zones that it replaces
    choices      those that lift the top 1, 2, … cards; none if another seat cuts
    shown        the card that was lifted last
    odds         what another cut might bring: `12 of 34 are higher`
    """

    count: int
    seat: int
    zones: tuple[str, ...]
    choices: tuple[int, ...] = ()
    shown: str = ""
    odds: str = ""


class Sector(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a wheel.

    label, face  what stands on it; the face whose inks it has
    taken        it is gone already
    """

    label: str
    face: str = ""
    taken: bool = False


class Wheel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="wheel"):
    """A wheel beside its zones.

    sectors      Sectors
    zones        the zones that it replaces
    at           the sector it stopped at, counted from 0, or -1 before a spin
    spins        how often it was spun
    prize, used  what a hit brings look by look; how many looks are over
    spin         the choice that spins it
    """

    sectors: tuple[Sector, ...]
    zones: tuple[str, ...]
    at: int = -1
    spins: int = 0
    prize: tuple[int, ...] = ()
    used: int = 0
    spin: int = NO_CHOICE


class Reel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reel of a machine.

    name          its name
    pile, column  its zones
    left          number of cards left in the pile
    turns         it is the reel that turns
    """

    name: str
    pile: str
    column: str
    left: int
    turns: bool = False


class PayLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Three cards that pay.

    cards       the cards
    label, why  such as `1 2 3`; why they pay
    value       how much they pay
    choice      the choice that takes them
    """

    cards: tuple[str, ...]
    label: str
    why: str
    value: int
    choice: int


class Reels(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="reels"):
    """A machine of reels.

    reels        Reels, each with its pile and column
    zones        the zones that it replaces
    turn, of     the spin under way, and the number of spins
    points, par  points against par
    won          the zone of what was won
    lines        what pays, each a PayLine
    outs, need   the faces that would pay if the next card were one of them; the same in words
    flip, hold   the choices of the reel that turns
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


class Spot(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The place of a seat in a trick.

    seat, card  the seat; its card, if it has played one
    wins, led   it wins so far; it led
    """

    seat: int
    card: str = ""
    wins: bool = False
    led: bool = False


class Trick(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="trick"):
    """A card from each seat, each under its player's name.

    spots  a Spot a seat, in the order of seats; a seat's spot is always the same one
    zones  the zones that it replaces
    done   it is complete
    """

    spots: tuple[Spot, ...]
    zones: tuple[str, ...]
    done: bool = False


class Fighter(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The column of a seat in a fight.

    seat   the seat
    steps  the zones of its cards, downwards from the first step
    face   the face that lay there last, if the cards are gone by now
    value  the value of the last card
    parts  the sum that makes the value (`9 + 2`)
    leads  it leads
    note   how it stands, or why there is no card, such as `fled`
    """

    seat: int
    steps: tuple[str, ...] = ()
    face: str = ""
    value: str = ""
    parts: str = ""
    leads: bool = False
    note: str = ""


class Fight(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="fight"):
    """Cards that face each other.

    columns      a Fighter for each seat that fights, in the order of the seats from the viewer's on
    zones        the zones that it replaces
    title, text  what is fought; more of it
    pot          how many cards are at stake
    pile         the zone of those in no column
    next         the fight that waits
    done         it is over, and the columns show what came of it
    """

    columns: tuple[Fighter, ...]
    zones: tuple[str, ...]
    title: str
    text: str = ""
    pot: int = 0
    pile: str = ""
    next: str = ""
    done: bool = False


class Attack(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="attack"):
    """A seat attacks a card of another.

    attacker, defender  the seats
    zones               the zones that it replaces
    title, text         `Bo attacks your red 3`; who may answer now, or what came of it
    attackers           how many of the cards in its zone attack, the others answering in turn, the defender's first,
                        each on the one before
    target              the card that is attacked
    awaits              the seat that may answer
    word, faces         of an attack that is over: `BLOCKED`, and what lay there
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


class Answer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One of the answers of a race.

    label, key  its words; its key
    choice      the choice
    art, tone   a drawing; the number of its ink
    """

    label: str
    key: str
    choice: int = NO_CHOICE
    art: str = ""
    tone: int = -1


class Race(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="race"):
    """A card that asks for an answer.

    word     what is asked for
    answers  Answers; the key on a number pad is the place of an answer, which never changes
    zones    the zones that it replaces
    card     the card that asks
    tone     its ink
    out      the seats that answered wrongly
    """

    word: str
    answers: tuple[Answer, ...]
    zones: tuple[str, ...]
    card: str = ""
    tone: int = -1
    out: tuple[int, ...] = ()


Stage = Fan | Wheel | Reels | Trick | Fight | Attack | Race
"""What a scene may ask for."""
