"""WAR X-TREME: positions are read, and refused where they cannot be; `position_checks.py` knows what a phase needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.matches import start_match
from fairdeal.engine.records import NOBODY, UNKNOWN, Record
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import TAX_RANK, TWO, WILD_RANK, kind_of
from fairdeal.games.war_xtreme.rules.deal import clear_table
from fairdeal.games.war_xtreme.rules.equipment import add_equipment
from fairdeal.games.war_xtreme.rules.piles import is_double, put_in_camp, put_in_centre, put_on_army
from fairdeal.games.war_xtreme.state import (
    BUYS,
    CARDS,
    CHOICE,
    EQUIPMENT,
    EXTREME,
    FLEES,
    HIDDEN,
    IN_HAND,
    IN_PLAY,
    IS_SPOILS,
    JUNK,
    ON_TABLE,
    POT,
    POT_UP,
    RACE,
    RACED,
    RACED_PASS,
    SAID_CATCH,
    SAID_DISPUTE,
    SAID_NO,
    SAID_YES,
    SLOTS,
    STORE,
    WARS,
)
from fairdeal.games.war_xtreme.text.position_checks import settle_phase
from fairdeal.games.war_xtreme.text.position_form import PHASES, PURPOSES, UNSEEN, Number, Position, Regroup, Seat, War

MOST = 1_000_000_000
"""A number that no game counts to."""
MOST_MODS = 9_999
MOST_EARNED = 127
MOST_STEPS = 100


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    try:
        given = msgspec.convert(dict(position), Position)
    except (msgspec.ValidationError, UnicodeEncodeError, ValueError) as problem:
        words, _, path = str(problem).partition(" - at `$")
        raise BadPosition(path.rstrip("`").lstrip("."), "", words) from None
    start_match(state, 1, 0)
    clear_table(state)
    Reader(state).read(given)
    settle_phase(state, given)


class Reader:
    """Reads the parts of a position into a blank state."""

    def __init__(self, state: Record) -> None:
        self.state = state
        self.words = words_of(state)
        self.players = int(state.players)
        self.cards_read = 0
        self.equipment_read = 0

    def read(self, given: Position) -> None:
        state = self.state
        if given.phase not in PHASES:
            raise BadPosition("phase", given.phase, f"give {', '.join(PHASES)}")
        state.phase = PHASES.index(given.phase)
        state.round_no = self.number("round", given.round_no, 1, MOST)
        state.marshal = self.number("marshal", given.marshal, 0, self.players - 1)
        if len(given.seats) != self.players:
            raise BadPosition("seats", len(given.seats), f"there are {self.players} seats")
        for seat, written in enumerate(given.seats):
            self.seat(seat, written)
        self.slots(given.slots)
        for place in reversed(range(len(given.tax))):
            state.tax.cards[state.tax.length] = self.card(f"tax[{place}]", given.tax[place], unseen=True)
            state.tax.length += 1
        self.zone("store", STORE, given.store, ordered=True)
        self.zone("junk", JUNK, given.junk)
        self.wars(given.wars)
        self.numbers(given)
        self.choices(given.choices)
        self.earned(given.earned)
        if given.regroup:
            self.regroup(given.regroup)

    # --- small parts

    def number(self, path: str, value: int, lowest: int, highest: int) -> int:
        if not lowest <= value <= highest:
            raise BadPosition(path, value, f"give a number from {lowest} to {highest}")
        return value

    def seat_number(self, path: str, value: int) -> int:
        return self.number(path, value, 0, self.players - 1)

    def seats(self, path: str, seats: Sequence[int]) -> int:
        """A list of different seats, as a set."""
        found = 0
        for place, seat in enumerate(seats):
            found |= 1 << self.seat_number(f"{path}[{place}]", seat)
        if found.bit_count() < len(seats):
            raise BadPosition(path, list(seats), "a seat is named twice")
        return found

    def key(self, path: str, text: str) -> int:
        """A seat as the name of a field: `"0"`."""
        if text not in map(str, range(self.players)):
            raise BadPosition(path, text, f"the seats are 0 to {self.players - 1}")
        return int(text)

    def card(self, path: str, text: str, unseen: bool = False, turned: bool = True) -> int:
        """`ninja/9:6`; where no end is up, either spelling is that card."""
        self.cards_read += 1
        if self.cards_read > CARDS:
            raise BadPosition(path, text, f"there are at most {CARDS} cards [WAR-04]")
        if text == UNSEEN and unseen:
            return UNKNOWN
        return self.named_card(path, text, turned)

    def named_card(self, path: str, text: str, turned: bool = True) -> int:
        card = self.words.card_of.get(text)
        if card is None:
            raise BadPosition(path, text, "no such card: write ninja/K, ninja/9:6 or robot/tax")
        return card if turned and is_double(self.state, kind_of(card)) else kind_of(card)

    def zone(self, path: str, zone: int, numbers: Sequence[Number], ordered: bool = False) -> None:
        """Equipment; where order means nothing it lies sorted."""
        most = int(self.state.options.catalogue.equipment_count)
        found = []
        for place, number in enumerate(numbers):
            self.equipment_read += 1
            if self.equipment_read > EQUIPMENT:
                raise BadPosition(f"{path}[{place}]", number, f"there are at most {EQUIPMENT} cards of equipment")
            unseen = isinstance(number, str)
            found.append(UNKNOWN if unseen else self.number(f"{path}[{place}]", int(number), 1, most))
        for number in found if ordered else sorted(found):
            add_equipment(self.state.equipment, zone, number)

    # --- seats

    def seat(self, seat: int, given: Seat) -> None:
        state, path = self.state, f"seats[{seat}]"
        deck, account = state.decks[seat], state.seats[seat]
        state.alive |= given.alive << seat
        state.flipped |= given.flipped << seat
        for place in reversed(range(len(given.army))):
            put_on_army(deck, self.card(f"{path}.army[{place}]", given.army[place], unseen=True))
        for place, text in enumerate(given.camp):
            put_in_camp(deck, self.card(f"{path}.camp[{place}]", text))
        for place, text in enumerate(given.table):
            card = self.card(f"{path}.table[{place}]", text)
            if place + 1 == len(given.table):
                state.faces[seat] = card
            else:
                put_in_centre(state, ON_TABLE + seat, card)
        self.zone(f"{path}.hand", IN_HAND + seat, given.hand)
        self.zone(f"{path}.hidden", HIDDEN + seat, given.hidden)
        self.zone(f"{path}.in_play", IN_PLAY + seat, given.in_play, ordered=True)
        for name in ("brag", "wars_won", "trusted", "distrusted", "out_round"):
            account[name] = self.number(f"{path}.{name}", getattr(given, name), 0, MOST)
        account.said = SAID_CATCH * ("catch" in given.said) + SAID_DISPUTE * ("dispute" in given.said)
        for place, slot in enumerate(given.seen):
            account.seen |= 1 << (self.number(f"{path}.seen[{place}]", slot, 1, SLOTS) - 1)

    # --- the middle

    def slots(self, slots: Sequence[str | None]) -> None:
        if len(slots) != SLOTS:
            raise BadPosition("slots", len(slots), f"there are {SLOTS} slots; an empty one is null")
        for slot, text in enumerate(slots):
            if text is not None:
                self.state.slots[slot] = self.card(f"slots[{slot}]", text, unseen=True)
        for seat in range(self.players):
            for slot, text in enumerate(slots):
                if text is None and int(self.state.seats[seat].seen) >> slot & 1:
                    raise BadPosition(f"seats[{seat}].seen", slot + 1, "this slot is empty")

    def wars(self, wars: Sequence[War]) -> None:
        if len(wars) > WARS:
            raise BadPosition("wars", len(wars), f"there are at most {WARS} wars")
        for number, given in enumerate(wars):
            self.war(number, given)
        self.state.war_count = len(wars)

    def war(self, number: int, given: War) -> None:
        state, path = self.state, f"wars[{number}]"
        war = state.wars[number]
        war.rank = self.number(f"{path}.rank", given.rank, 1, TAX_RANK - 1)
        war.depth = self.number(f"{path}.depth", given.depth, 0, MOST_STEPS if number == 0 else 0)
        war.source = int(given.source == "camp")
        war.warriors = self.seats(f"{path}.warriors", given.warriors)
        war.borrowing = self.seats(f"{path}.borrowing", given.borrowing)
        for place, text in enumerate(given.pot_up):
            put_in_centre(state, number * POT + POT_UP, self.card(f"{path}.pot_up[{place}]", text))
        for name, cards in given.pot_down.items():
            seat = self.key(f"{path}.pot_down", name)
            for place, text in enumerate(cards):
                card = self.card(f"{path}.pot_down.{name}[{place}]", text, unseen=True, turned=False)
                put_in_centre(state, number * POT + seat, card)
        for name, recruit in given.recruits.items():
            self.recruit(f"{path}.recruits", name, recruit)

    def recruit(self, path: str, name: str, text: str | None) -> None:
        seat = self.key(path, name)
        if self.state.wars[0].depth == 0 or self.state.picked >> seat & 1:
            raise BadPosition(path, name, "recruits are those of the war being fought, one for each warrior")
        self.state.picked |= 1 << seat
        if text is not None:
            self.state.faces[seat] = self.card(
                f"{path}.{name}", text, unseen=self.state.phase == PHASES.index("RECRUIT")
            )

    def numbers(self, given: Position) -> None:
        """What lasts as long as the fight, some sets of seats, and what was seen last."""
        state = self.state
        for name, value in given.mods.items():
            state.mods[self.key("mods", name)] = self.number(f"mods.{name}", value, -MOST_MODS, MOST_MODS)
        for name, value in given.declared.items():
            seat = self.key("declared", name)
            if self.seat_number(f"declared.{name}", value) == seat:
                raise BadPosition(f"declared.{name}", value, "nobody declares against himself [WAR-80]")
            state.declared[seat] = value + 1
        for name, value in given.called.items():
            state.called[self.key("called", name)] = self.number(f"called.{name}", value, TWO, WILD_RANK)
        state.locked = self.seats("locked", given.locked)
        state.caught = self.seats("caught", given.caught)
        state.winners = self.seats("winners", given.winners)
        for name, text in given.turned.items():
            state.turned[self.key("turned", name)] = self.named_card(f"turned.{name}", text)
        if given.swept is not None:
            state.swept = 1 + self.seat_number("swept", given.swept)
        state.passes = self.number("passes", given.passes, 0, self.players - 1)

    def choices(self, choices: Mapping[str, str]) -> None:
        for name, text in choices.items():
            self.state.choices[self.key("choices", name)] = self.choice(f"choices.{name}", text)

    def choice(self, path: str, text: str) -> int:
        """An answer, in the words of its move."""
        phase = int(self.state.phase)
        known: dict[str, int] = {}
        if phase == EXTREME:
            known = {"yes": SAID_YES, "no": SAID_NO}
        elif phase == RACE:
            known = {"pass": RACED_PASS}
            known |= {f"act {action}": RACED + number for number, action in enumerate(self.words.actions)}
        else:
            known = {"flee": FLEES, "spoils": IS_SPOILS}
            known |= {f"buy-in {number}": BUYS + number for number in range(int(self.state.war_count))}
        if phase in (EXTREME, RACE, CHOICE):
            known[UNSEEN] = UNKNOWN
        if text not in known:
            raise BadPosition(path, text, f"give {', '.join(known)}")
        return known[text]

    def earned(self, earned: Sequence[tuple[int, int]]) -> None:
        if len(earned) + int(self.state.war_count) > WARS:
            raise BadPosition("earned", len(earned), f"a round has at most {WARS} pots")
        for place, (seat, number) in enumerate(earned):
            self.state.earned.seats[place] = self.seat_number(f"earned[{place}]", seat)
            self.state.earned.numbers[place] = self.number(f"earned[{place}]", number, 1, MOST_EARNED)
        self.state.earned.length = len(earned)

    def regroup(self, given: Regroup) -> None:
        regroup = self.state.regroup
        regroup.owner = self.seat_number("regroup.owner", given.owner)
        regroup.asked = NOBODY if given.asked is None else self.seat_number("regroup.asked", given.asked)
        regroup.fresh = self.number("regroup.new", given.new, 1, max(1, int(self.state.decks[given.owner].army)))
        if given.new > self.state.decks[given.owner].army:
            raise BadPosition("regroup.new", given.new, "the army has fewer cards [WAR-60]")
        regroup.purpose = PURPOSES.index(given.purpose)
