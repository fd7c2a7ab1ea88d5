"""WAR X-TREME: the written form of a position (docs/rules/war-xtreme.md, part 5), and writing it.

Reading it is in `read_positions.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.seats import is_in, members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.names import Words
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.state import (
    BUYS,
    CARDS,
    FLEES,
    HIDDEN,
    IN_HAND,
    IN_PLAY,
    IS_SPOILS,
    JUNK,
    ON_TABLE,
    POT,
    POT_UP,
    RACED,
    RACED_PASS,
    SAID_CATCH,
    SAID_DISPUTE,
    SAID_NO,
    SAID_YES,
    SLOTS,
    STORE,
    UNANSWERED,
    phase_of,
)
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, tagged

PURPOSES = ("round", "turn", "price", "stakes")
UNSEEN = "?"
SAID = {"catch": SAID_CATCH, "dispute": SAID_DISPUTE}

Number = int | Literal["?"]
"""A number of equipment, or one that is not known."""


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat with all that is its own."""

    alive: bool = True
    army: list[str] = []
    camp: list[str] = []
    hand: list[Number] = []
    hidden: list[int] = []
    in_play: list[int] = []
    table: list[str] = []
    brag: int = 0
    wars_won: int = 0
    trusted: int = 0
    distrusted: int = 0
    said: list[Literal["catch", "dispute"]] = []
    flipped: bool = False
    seen: list[int] = []
    out_round: int = 0


class War(msgspec.Struct, forbid_unknown_fields=True):
    """A war of this round that has not ended."""

    warriors: list[int]
    rank: int = 2
    depth: int = 0
    source: Literal["army", "camp"] = "army"
    borrowing: list[int] = []
    pot_up: list[str] = []
    pot_down: dict[str, list[str]] = {}
    recruits: dict[str, str | None] = {}


class Regroup(msgspec.Struct, forbid_unknown_fields=True, rename={"purpose": "for"}):
    """A new pile that lies before somebody."""

    owner: int
    new: int
    purpose: Literal["round", "turn", "price", "stakes"]
    asked: int | None = None


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename={"round_no": "round"}):
    """The fields of a position; what may be left out has a default."""

    seats: list[Seat]
    phase: str = "PREP"
    game: str = ""
    options: dict[str, Any] = {}
    round_no: int = 2
    marshal: int = 0
    acting: list[int] | None = None
    slots: list[str | None] = msgspec.field(default_factory=lambda: [None] * SLOTS)
    tax: list[str] = []
    store: list[Number] = []
    junk: list[int] = []
    wars: list[War] = []
    fight: dict[str, str] = {}
    mods: dict[str, int] = {}
    declared: dict[str, int] = {}
    called: dict[str, int] = {}
    earned: list[tuple[int, int]] = []
    passes: int = 0
    choices: dict[str, str] = {}
    locked: list[int] = []
    regroup: Regroup | None = None
    dispute: tuple[int, int] | None = None
    caught: list[int] = []
    winners: list[int] = []
    turned: dict[str, str] = {}
    swept: int | None = None


def answers(phase: str, words: Words, wars: int) -> dict[str, int]:
    """What a seat may have answered in a phase, in the words of its move."""
    if phase == "EXTREME":
        known = {"yes": SAID_YES, "no": SAID_NO}
    elif phase == "RACE":
        known = {"pass": RACED_PASS} | {f"act {name}": RACED + number for number, name in enumerate(words.actions)}
    else:
        known = {"flee": FLEES, "spoils": IS_SPOILS} | {f"buy-in {number}": BUYS + number for number in range(wars)}
    return known | ({UNSEEN: UNKNOWN} if phase in ("EXTREME", "RACE", "CHOICE") else {})


def write_position(state: Snapshot) -> dict[str, Any]:
    """The JSON form; what the viewer may not know is `?`."""
    writer = Writer(state)
    earned = state.earned
    known = answers(phase_of(state), writer.words, state.war_count)
    answered = {number: text for text, number in known.items()}
    return {
        "round": state.round_no,
        "marshal": state.marshal,
        "phase": phase_of(state),
        "acting": list(state.acting),
        "seats": [writer.seat(seat) for seat in range(state.players)],
        "slots": [None if card == EMPTY else writer.card(card) for card in state.slots],
        "tax": writer.cards(state.tax.held[::-1]),
        "store": writer.zone(STORE),
        "junk": writer.zone(JUNK),
        "wars": [writer.war(number) for number in range(state.war_count)],
        "fight": writer.fight(),
        "mods": writer.by_seat(state.mods, 0),
        "declared": writer.by_seat(state.declared, 0, lambda target: target - 1),
        "called": writer.by_seat(state.called, 0),
        "earned": [[earned.seats[place], earned.numbers[place]] for place in range(earned.length)],
        "passes": state.passes,
        "choices": writer.by_seat(state.choices, UNANSWERED, answered.__getitem__),
        "locked": members(state.locked),
        "regroup": writer.regroup(),
        "dispute": [state.challenger, state.turn] if phase_of(state) == "DISPUTE" else None,
        "caught": members(state.caught),
        "winners": members(state.winners),
        "turned": writer.by_seat(state.turned, EMPTY, writer.card),
        "swept": state.swept - 1 if state.swept else None,
    }


class Writer:
    """Writes the parts of a state in the words of its catalogue."""

    def __init__(self, state: Snapshot) -> None:
        self.state = state
        self.words = words_of(state)

    def card(self, card: int) -> str:
        """`ninja/9:6`, the upper end first."""
        return UNSEEN if card == UNKNOWN else self.words.codes[card]

    def cards(self, cards: Iterable[int]) -> list[str]:
        return [self.card(card) for card in cards]

    def zone(self, zone: int) -> list[int | str]:
        """The numbers of a zone of equipment."""
        return [UNSEEN if number == UNKNOWN else number for number in kit_in(self.state, zone)]

    def tagged(self, tag: int) -> list[str]:
        """The cards of the centre with this tag."""
        return self.cards(tagged(self.state, tag))

    def by_seat(self, values: list[int], nothing: int, written: Callable[[int], Any] = int) -> dict[str, Any]:
        """What there is of some seats, by their names."""
        return {str(seat): written(value) for seat, value in enumerate(values) if value != nothing}

    def seat(self, seat: int) -> dict[str, Any]:
        state, account, deck = self.state, self.state.seats[seat], self.state.decks[seat]
        face = [] if in_clash(state) or state.faces[seat] == EMPTY else [self.card(state.faces[seat])]
        return {
            "alive": is_in(state.alive, seat),
            "army": self.cards(deck.cards[: deck.army][::-1]),
            "camp": self.cards(deck.cards[CARDS - deck.camp :][::-1]),
            "hand": self.zone(IN_HAND + seat),
            "hidden": self.zone(HIDDEN + seat),
            "in_play": self.zone(IN_PLAY + seat),
            "table": self.tagged(ON_TABLE + seat) + face,
            **{name: account[name] for name in ("brag", "wars_won", "trusted", "distrusted")},
            "said": [word for word, bit in SAID.items() if account.said & bit],
            "flipped": is_in(state.flipped, seat),
            "seen": [slot + 1 for slot in members(account.seen)],
            "out_round": account.out_round,
        }

    def fight(self) -> dict[str, str]:
        """The cards that face each other, while they do."""
        if phase_of(self.state) not in ("REACT", "WILD", "RACE", "CHOICE", "CLASH"):
            return {}
        return self.by_seat(self.state.faces, EMPTY, self.card)

    def war(self, number: int) -> dict[str, Any]:
        state, war = self.state, self.state.wars[number]
        down = {str(seat): self.tagged(number * POT + seat) for seat in range(state.players)}
        picked = members(state.picked) if number == 0 and war.depth > 0 else []
        recruits = {seat: state.faces[seat] for seat in picked}
        return {
            "rank": war.rank,
            "depth": war.depth,
            "source": "camp" if war.source else "army",
            "warriors": in_ring_order(state, war.warriors),
            "borrowing": members(war.borrowing),
            "pot_up": self.tagged(number * POT + POT_UP),
            "pot_down": {seat: cards for seat, cards in down.items() if cards},
            "recruits": {str(seat): None if card == EMPTY else self.card(card) for seat, card in recruits.items()},
        }

    def regroup(self) -> dict[str, Any] | None:
        regroup = self.state.regroup
        if phase_of(self.state) != "REGROUP":
            return None
        return {
            "owner": regroup.owner,
            "asked": None if regroup.asked == NOBODY else regroup.asked,
            "new": regroup.fresh,
            "for": PURPOSES[regroup.purpose],
        }
