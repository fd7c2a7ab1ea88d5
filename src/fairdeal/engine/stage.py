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
    """A deck that is cut: `choices[n - 1]` lifts its top n cards; none where another seat cuts. `shown` is the card
    that was lifted last, and `odds` what another cut may bring."""

    count: int
    seat: int
    zones: tuple[str, ...]
    choices: tuple[int, ...] = ()
    shown: str = ""
    odds: str = ""


class Sector(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a wheel: what stands on it, the face whose inks it has, and whether that is gone already."""

    label: str
    face: str = ""
    taken: bool = False


class Wheel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="wheel"):
    """A wheel beside its zones. It stands `at` a sector, -1 before a spin; `spins` counts them. `prize` is what a hit
    brings look by look, of which `used` are over; `spin` is the choice that spins it."""

    sectors: tuple[Sector, ...]
    zones: tuple[str, ...]
    at: int = -1
    spins: int = 0
    prize: tuple[int, ...] = ()
    used: int = 0
    spin: int = NO_CHOICE


class Reel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reel: the zones of its pile and of its column, and whether it is the one that turns."""

    name: str
    pile: str
    column: str
    left: int
    turns: bool = False


class PayLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Three cards that pay: what they are, why, how much, and the choice that takes them."""

    cards: tuple[str, ...]
    label: str
    why: str
    value: int
    choice: int


class Reels(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="reels"):
    """A machine of reels: `turn` is the spin under way `of` how many; then the lines that pay, the points against par,
    and the zone of what was won. `outs` are faces that would pay if the next card were one of them, `need` says it in
    words."""

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
    """The place of a seat in a trick: its card, if it has played one."""

    seat: int
    card: str = ""
    wins: bool = False
    led: bool = False


class Trick(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="trick"):
    """A card from each seat, each under its player's name; a seat's spot is always the same one."""

    spots: tuple[Spot, ...]
    zones: tuple[str, ...]
    done: bool = False


class Fighter(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The column of a seat in a fight: the zones of its cards from the first step to the last, or the `face` that lay
    there, if the cards are gone by now. `value` is what the last card counts as, `parts` its sum (`9 + 2`); `note` is a
    word: how it stands, or why there is no card."""

    seat: int
    steps: tuple[str, ...] = ()
    face: str = ""
    value: str = ""
    parts: str = ""
    leads: bool = False
    note: str = ""


class Fight(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="fight"):
    """Cards that face each other, a column for each fighter, in the order of the seats from the viewer's on. `pot` is
    how many cards are at stake, `pile` the zone of those that are in no column; `next` the fight that waits; `done`
    where the columns show what is over."""

    columns: tuple[Fighter, ...]
    zones: tuple[str, ...]
    title: str
    text: str = ""
    pot: int = 0
    pile: str = ""
    next: str = ""
    done: bool = False


class Attack(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="attack"):
    """A seat attacks a card of another. In its zone lie first as many cards as there are `attackers`, then the answers,
    each on the one before, the defender's first; `awaits` is the seat that may answer now. `target` is the card that is
    attacked. Of an attack that is over, `word` says what came of it and `faces` what lay there."""

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
    """One of the answers of a race: its key on the number pad is its place, which never changes."""

    label: str
    key: str
    choice: int = NO_CHOICE
    art: str = ""
    tone: int = -1


class Race(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="kind", tag="race"):
    """A card that asks for an answer, and who has answered wrongly."""

    word: str
    answers: tuple[Answer, ...]
    zones: tuple[str, ...]
    card: str = ""
    tone: int = -1
    out: tuple[int, ...] = ()


Stage = Fan | Wheel | Reels | Trick | Fight | Attack | Race
"""What a scene may ask for."""
