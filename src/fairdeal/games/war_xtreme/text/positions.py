"""WAR X-TREME: the JSON form of a position (docs/rules/war-xtreme.md, part 5), with its writer and reader.

The requirements of each phase are checked in `position_checks.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.positions import in_range, number_of, sized
from fairdeal.engine.kit.seats import is_in, members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.names import Words
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import TAX_RANK, TWO, WILD_RANK, kind_of
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.rules.kit.equipment import add_equipment
from fairdeal.games.war_xtreme.rules.kit.piles import is_double, put_in_camp, put_in_centre, put_on_army
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, tagged

PURPOSES = ("round", "turn", "price", "stakes")
UNSEEN = "?"
SAID = {"catch": xtreme.SAID_CATCH, "dispute": xtreme.SAID_DISPUTE}

Number = int | Literal["?"]
"""The number of a piece of equipment, or `?` if it is unknown."""


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat, with its cards and its public statistics."""

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
    """A new pile that waits for another seat's trust."""

    owner: int
    new: int
    purpose: Literal["round", "turn", "price", "stakes"]
    asked: int | None = None


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename={"round_no": "round"}):
    """The fields of a position. Fields that can be omitted have a default."""

    seats: list[Seat]
    phase: str = "PREP"
    game: str = ""
    options: dict[str, Any] = {}
    round_no: int = 2
    marshal: int = 0
    acting: list[int] | None = None
    slots: list[str | None] = msgspec.field(default_factory=lambda: [None] * xtreme.SLOTS)
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
    """Return the possible answers in a phase, as a mapping from their texts to their numbers."""
    if phase == "EXTREME":
        known = {"yes": xtreme.SAID_YES, "no": xtreme.SAID_NO}
    elif phase == "RACE":
        known = {"pass": xtreme.RACED_PASS} | {
            f"act {name}": xtreme.RACED + number for number, name in enumerate(words.actions)
        }
    else:
        known = {"flee": xtreme.FLEES, "spoils": xtreme.IS_SPOILS} | {
            f"buy-in {number}": xtreme.BUYS + number for number in range(wars)
        }
    return known | ({UNSEEN: UNKNOWN} if phase in ("EXTREME", "RACE", "CHOICE") else {})


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return the JSON form of a state, with `?` for everything that the viewer may not know."""
    writer = Writer(state)
    earned = state.earned
    known = answers(xtreme.phase_of(state), writer.words, state.war_count)
    answered = {number: text for text, number in known.items()}
    return {
        "round": state.round_no,
        "marshal": state.marshal,
        "phase": xtreme.phase_of(state),
        "acting": list(state.acting),
        "seats": [writer.seat(seat) for seat in range(state.players)],
        "slots": [None if card == EMPTY else writer.card(card) for card in state.slots],
        "tax": writer.cards(state.tax.held[::-1]),
        "store": writer.zone(xtreme.STORE),
        "junk": writer.zone(xtreme.JUNK),
        "wars": [writer.war(number) for number in range(state.war_count)],
        "fight": writer.fight(),
        "mods": writer.by_seat(state.mods, 0),
        "declared": writer.by_seat(state.declared, 0, lambda target: target - 1),
        "called": writer.by_seat(state.called, 0),
        "earned": [[earned.seats[place], earned.numbers[place]] for place in range(earned.length)],
        "passes": state.passes,
        "choices": writer.by_seat(state.choices, xtreme.UNANSWERED, answered.__getitem__),
        "locked": members(state.locked),
        "regroup": writer.regroup(),
        "dispute": [state.challenger, state.turn] if xtreme.phase_of(state) == "DISPUTE" else None,
        "caught": members(state.caught),
        "winners": members(state.winners),
        "turned": writer.by_seat(state.turned, EMPTY, writer.card),
        "swept": state.swept - 1 if state.swept else None,
    }


class Writer:
    """A writer for the parts of a state, using the names of its catalogue."""

    def __init__(self, state: Snapshot) -> None:
        self.state = state
        self.words = words_of(state)

    def card(self, card: int) -> str:
        """Return the code of a card, with the upper end first, such as `ninja/9:6`."""
        return UNSEEN if card == UNKNOWN else self.words.codes[card]

    def cards(self, cards: Iterable[int]) -> list[str]:
        return [self.card(card) for card in cards]

    def zone(self, zone: int) -> list[int | str]:
        """Return the numbers of the equipment in a zone."""
        return [UNSEEN if number == UNKNOWN else number for number in kit_in(self.state, zone)]

    def tagged(self, tag: int) -> list[str]:
        """Return the codes of the cards in the centre with this tag."""
        return self.cards(tagged(self.state, tag))

    def by_seat(self, values: list[int], nothing: int, written: Callable[[int], Any] = int) -> dict[str, Any]:
        """Return the values that differ from `nothing`, by seat."""
        return {str(seat): written(value) for seat, value in enumerate(values) if value != nothing}

    def seat(self, seat: int) -> dict[str, Any]:
        state, account, deck = self.state, self.state.seats[seat], self.state.decks[seat]
        face = [] if in_clash(state) or state.faces[seat] == EMPTY else [self.card(state.faces[seat])]
        return {
            "alive": is_in(state.alive, seat),
            "army": self.cards(deck.cards[: deck.army][::-1]),
            "camp": self.cards(deck.cards[xtreme.CARDS - deck.camp :][::-1]),
            "hand": self.zone(xtreme.IN_HAND + seat),
            "hidden": self.zone(xtreme.HIDDEN + seat),
            "in_play": self.zone(xtreme.IN_PLAY + seat),
            "table": self.tagged(xtreme.ON_TABLE + seat) + face,
            **{name: account[name] for name in ("brag", "wars_won", "trusted", "distrusted")},
            "said": [word for word, bit in SAID.items() if account.said & bit],
            "flipped": is_in(state.flipped, seat),
            "seen": [slot + 1 for slot in members(account.seen)],
            "out_round": account.out_round,
        }

    def fight(self) -> dict[str, str]:
        """Return the face-up cards of the fight, or an empty mapping outside a fight."""
        if xtreme.phase_of(self.state) not in ("REACT", "WILD", "RACE", "CHOICE", "CLASH"):
            return {}
        return self.by_seat(self.state.faces, EMPTY, self.card)

    def war(self, number: int) -> dict[str, Any]:
        state, war = self.state, self.state.wars[number]
        down = {str(seat): self.tagged(number * xtreme.POT + seat) for seat in range(state.players)}
        picked = members(state.picked) if number == 0 and war.depth > 0 else []
        recruits = {seat: state.faces[seat] for seat in picked}
        return {
            "rank": war.rank,
            "depth": war.depth,
            "source": "camp" if war.source else "army",
            "warriors": in_ring_order(state, war.warriors),
            "borrowing": members(war.borrowing),
            "pot_up": self.tagged(number * xtreme.POT + xtreme.POT_UP),
            "pot_down": {seat: cards for seat, cards in down.items() if cards},
            "recruits": {str(seat): None if card == EMPTY else self.card(card) for seat, card in recruits.items()},
        }

    def regroup(self) -> dict[str, Any] | None:
        regroup = self.state.regroup
        if xtreme.phase_of(self.state) != "REGROUP":
            return None
        return {
            "owner": regroup.owner,
            "asked": None if regroup.asked == NOBODY else regroup.asked,
            "new": regroup.fresh,
            "for": PURPOSES[regroup.purpose],
        }


# --- reading -----------------------------------------------------------------------------------------------------

MOST = 1_000_000_000
"""Maximum value of counters that have no limit of their own."""
MOST_MODS = 9_999
MOST_EARNED = 127
MOST_STEPS = 100


class Reader:
    """A reader that writes the parts of a position into a blank state."""

    def __init__(self, state: Fields) -> None:
        self.state = state
        self.words = words_of(state)
        self.players = state.players
        self.cards_read = 0
        self.equipment_read = 0

    def read(self, given: Position) -> None:
        state = self.state
        state.phase = number_of("phase", given.phase, xtreme.PHASES)
        state.round_no = in_range("round", given.round_no, 1, MOST)
        state.marshal = self.seat_number("marshal", given.marshal)
        sized("seats", given.seats, self.players, f"give one item for each of the {self.players} seats")
        for seat, written in enumerate(given.seats):
            self.seat(seat, written)
        self.slots(given)
        for card in reversed(self.cards("tax", given.tax, unseen=True)):
            push(state.tax, card)
        self.zone("store", xtreme.STORE, given.store, ordered=True)
        self.zone("junk", xtreme.JUNK, given.junk)
        if len(given.wars) > xtreme.WARS:
            raise BadPosition("wars", len(given.wars), f"there are at most {xtreme.WARS} wars")
        for number, war in enumerate(given.wars):
            self.war(number, war)
        state.war_count = len(given.wars)
        self.numbers(given)
        known = answers(given.phase, self.words, len(given.wars))
        for name, text in given.choices.items():
            if text not in known:
                raise BadPosition(f"choices.{name}", text, f"give {', '.join(known)}")
            state.choices[self.key("choices", name)] = known[text]
        self.earned(given.earned)
        if given.regroup:
            self.regroup(given.regroup)

    # --- small parts

    def seat_number(self, path: str, value: int) -> int:
        return in_range(path, value, 0, self.players - 1)

    def seats(self, path: str, seats: Sequence[int]) -> int:
        """Return a list of seats as a set. Raises BadPosition if a seat is repeated."""
        found = 0
        for place, seat in enumerate(seats):
            found |= 1 << self.seat_number(f"{path}[{place}]", seat)
        if found.bit_count() < len(seats):
            raise BadPosition(path, list(seats), "give each seat only once")
        return found

    def key(self, path: str, text: str) -> int:
        """Return the seat for a field name such as `"0"`."""
        if text not in map(str, range(self.players)):
            raise BadPosition(path, text, f"the seats are 0 to {self.players - 1}")
        return int(text)

    def card(self, path: str, text: str, unseen: bool = False, turned: bool = True) -> int:
        """Return the card with this code, such as `ninja/9:6`.

        Unless `turned` is true, the upper end does not matter, and both spellings of a double give the same card.
        """
        self.cards_read += 1
        if self.cards_read > xtreme.CARDS:
            raise BadPosition(path, text, f"there are at most {xtreme.CARDS} cards [WAR-04]")
        return UNKNOWN if text == UNSEEN and unseen else self.named_card(path, text, turned)

    def named_card(self, path: str, text: str, turned: bool = True) -> int:
        card = self.words.card_of.get(text)
        if card is None:
            raise BadPosition(path, text, "no such card: write ninja/K, ninja/9:6 or robot/tax")
        return card if turned and is_double(self.state, kind_of(card)) else kind_of(card)

    def cards(self, path: str, texts: Sequence[str], unseen: bool = False, turned: bool = True) -> list[int]:
        return [self.card(f"{path}[{place}]", text, unseen, turned) for place, text in enumerate(texts)]

    def zone(self, path: str, zone: int, numbers: Sequence[Number], ordered: bool = False) -> None:
        """Add equipment to a zone. It is sorted, unless the order of the zone matters (`ordered`)."""
        most = self.state.options.catalogue.equipment_count
        found = []
        for place, number in enumerate(numbers):
            self.equipment_read += 1
            if self.equipment_read > xtreme.EQUIPMENT:
                reason = f"there are at most {xtreme.EQUIPMENT} pieces of equipment"
                raise BadPosition(f"{path}[{place}]", number, reason)
            found.append(UNKNOWN if number == UNSEEN else in_range(f"{path}[{place}]", int(number), 1, most))
        for number in found if ordered else sorted(found):
            add_equipment(self.state.equipment, zone, number)

    # --- seats

    def seat(self, seat: int, given: Seat) -> None:
        state, path = self.state, f"seats[{seat}]"
        deck, account = state.decks[seat], state.seats[seat]
        state.alive |= given.alive << seat
        state.flipped |= given.flipped << seat
        for card in reversed(self.cards(f"{path}.army", given.army, unseen=True)):
            put_on_army(deck, card)
        for card in self.cards(f"{path}.camp", given.camp):
            put_in_camp(deck, card)
        table = self.cards(f"{path}.table", given.table)
        if table:
            state.faces[seat] = table.pop()
        for card in table:
            put_in_centre(state, xtreme.ON_TABLE + seat, card)
        self.zone(f"{path}.hand", xtreme.IN_HAND + seat, given.hand)
        self.zone(f"{path}.hidden", xtreme.HIDDEN + seat, given.hidden)
        self.zone(f"{path}.in_play", xtreme.IN_PLAY + seat, given.in_play, ordered=True)
        for name in ("brag", "wars_won", "trusted", "distrusted", "out_round"):
            setattr(account, name, in_range(f"{path}.{name}", getattr(given, name), 0, MOST))
        account.said = sum(SAID[word] for word in set(given.said))
        for place, slot in enumerate(given.seen):
            account.seen |= 1 << (in_range(f"{path}.seen[{place}]", slot, 1, xtreme.SLOTS) - 1)

    # --- the middle

    def slots(self, given: Position) -> None:
        """WAR-05: read the slots, and check that no seat has peeked at an empty slot."""
        sized("slots", given.slots, xtreme.SLOTS, f"there are {xtreme.SLOTS} slots; write null for an empty one")
        for slot, text in enumerate(given.slots):
            if text is not None:
                self.state.slots[slot] = self.card(f"slots[{slot}]", text, unseen=True)
        for seat, written in enumerate(given.seats):
            for slot in written.seen:
                if given.slots[slot - 1] is None:
                    raise BadPosition(f"seats[{seat}].seen", slot, "this slot is empty")

    def war(self, number: int, given: War) -> None:
        state, path = self.state, f"wars[{number}]"
        war = state.wars[number]
        war.rank = in_range(f"{path}.rank", given.rank, 1, TAX_RANK - 1)
        war.depth = in_range(f"{path}.depth", given.depth, 0, MOST_STEPS if number == 0 else 0)
        war.source = given.source == "camp"
        war.warriors = self.seats(f"{path}.warriors", given.warriors)
        war.borrowing = self.seats(f"{path}.borrowing", given.borrowing)
        for card in self.cards(f"{path}.pot_up", given.pot_up):
            put_in_centre(state, number * xtreme.POT + xtreme.POT_UP, card)
        for name, texts in given.pot_down.items():
            seat = self.key(f"{path}.pot_down", name)
            for card in self.cards(f"{path}.pot_down.{name}", texts, unseen=True, turned=False):
                put_in_centre(state, number * xtreme.POT + seat, card)
        for name, recruit in given.recruits.items():
            self.recruit(f"{path}.recruits", name, recruit)

    def recruit(self, path: str, name: str, text: str | None) -> None:
        state, seat = self.state, self.key(path, name)
        if state.wars[0].depth == 0 or state.picked >> seat & 1:
            raise BadPosition(path, name, "only the war in progress has recruits, one for each warrior")
        state.picked |= 1 << seat
        if text is not None:
            state.faces[seat] = self.card(f"{path}.{name}", text, unseen=state.phase == xtreme.RECRUITING)

    def numbers(self, given: Position) -> None:
        """Read the values that are kept during a fight, several sets of seats, and the cards turned last."""
        state = self.state
        for name, value in given.mods.items():
            state.mods[self.key("mods", name)] = in_range(f"mods.{name}", value, -MOST_MODS, MOST_MODS)
        for name, value in given.declared.items():
            seat = self.key("declared", name)
            if self.seat_number(f"declared.{name}", value) == seat:
                raise BadPosition(f"declared.{name}", value, "a seat cannot declare war on itself [WAR-80]")
            state.declared[seat] = value + 1
        for name, value in given.called.items():
            state.called[self.key("called", name)] = in_range(f"called.{name}", value, TWO, WILD_RANK)
        state.locked = self.seats("locked", given.locked)
        state.caught = self.seats("caught", given.caught)
        state.winners = self.seats("winners", given.winners)
        for name, text in given.turned.items():
            state.turned[self.key("turned", name)] = self.named_card(f"turned.{name}", text)
        if given.swept is not None:
            state.swept = 1 + self.seat_number("swept", given.swept)
        state.passes = in_range("passes", given.passes, 0, self.players - 1)

    def earned(self, earned: Sequence[tuple[int, int]]) -> None:
        if len(earned) + self.state.war_count > xtreme.WARS:
            raise BadPosition("earned", len(earned), f"a round has at most {xtreme.WARS} pots")
        for place, (seat, number) in enumerate(earned):
            self.state.earned.seats[place] = self.seat_number(f"earned[{place}]", seat)
            self.state.earned.numbers[place] = in_range(f"earned[{place}]", number, 1, MOST_EARNED)
        self.state.earned.length = len(earned)

    def regroup(self, given: Regroup) -> None:
        regroup = self.state.regroup
        regroup.owner = self.seat_number("regroup.owner", given.owner)
        regroup.asked = NOBODY if given.asked is None else self.seat_number("regroup.asked", given.asked)
        army = self.state.decks[given.owner].army
        regroup.fresh = in_range("regroup.new", given.new, 1, max(1, army))
        if given.new > army:
            raise BadPosition("regroup.new", given.new, "the army has fewer cards [WAR-60]")
        regroup.purpose = PURPOSES.index(given.purpose)
