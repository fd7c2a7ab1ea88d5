"""WAR X-TREME: the zones of the scene. Seats with army, camp, kit and face-up card; slots; the lanes of wars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.engine.scene import Card, Panel, Voice, Zone, listed
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.names import Words, rank_name
from fairdeal.games.war_xtreme.catalogue.tables import kind_of
from fairdeal.games.war_xtreme.picture.cards import kit_key
from fairdeal.games.war_xtreme.picture.lanes import (
    BACK,
    KIT_BACK,
    hidden_card,
    lane_zone,
    open_card,
    stakes_zone,
    war_text,
    war_title,
)
from fairdeal.games.war_xtreme.rules.fight import card_rank, effective_rank
from fairdeal.games.war_xtreme.state import (
    CARDS,
    HIDDEN,
    IN_HAND,
    IN_PLAY,
    JUNK,
    ON_TABLE,
    OVER,
    POT,
    POT_UP,
    RECRUITING,
    SLOTS,
    STORE,
)
from fairdeal.games.war_xtreme.text.standing import is_fought, kit_in, seats_in, shown_card, swept_by, tagged

FEW = 4
"""Up to so many seats there is room for the piles of all of them; above, only the face-up card lies beside a name."""

SHOWN = 5
"""Cards of a camp that a scene holds: the last ones; the others lie under them."""


class Table:
    """The zones of one scene. Cards have names by their face and their copy, in the order in which they are met: from
    the camps, where cards end, back to where they come from, so that a screen can let them travel."""

    def __init__(self, state: Record, words: Words, voice: Voice) -> None:
        self.state, self.words, self.voice = state, words, voice
        self.met: Counter[str] = Counter()
        self.seats = range(int(state.players))
        self.camps = [self.camp_zone(seat) for seat in self.seats]
        self.panels: list[Panel] = []
        self.lanes = self.war_zones()
        self.tables = [zone for seat in self.seats if (zone := self.table_zone(seat))]
        self.kits = [zone for seat in self.seats if (zone := self.play_zone(seat))]

    # --- cards ----------------------------------------------------------------------------------------------

    def card(self, card: int, zone: str, place: int, mark: str = "", group: int = -1, lying: bool = False) -> Card:
        """A playing card with the end up that counts; where it is `lying` in a camp, neither does."""
        if card == UNKNOWN:
            return hidden_card(zone, place, BACK, mark)
        code = self.words.codes[kind_of(card)]
        self.met[code] += 1
        return open_card(code, self.met[code], code if lying else self.words.code_of(card), mark, group)

    def kit(self, number: int, zone: str, place: int, mark: str = "") -> Card:
        """A piece of equipment."""
        if number == UNKNOWN:
            return hidden_card(zone, place, KIT_BACK, mark)
        kit = self.words.equipment[number - 1]
        self.met[kit.id] += 1
        return open_card(kit_key(kit), self.met[kit.id], kit_key(kit), mark, -1)

    def row(self, numbers: Iterable[int], zone: str, mark: str = "") -> tuple[Card, ...]:
        return tuple(self.kit(number, zone, place, mark) for place, number in enumerate(numbers))

    # --- the seats' zones -----------------------------------------------------------------------------------

    def is_mine(self, seat: int) -> bool:
        return seat == self.voice.viewer

    def place_of(self, seat: int) -> str:
        return "hand" if self.is_mine(seat) else f"seat:{seat}"

    def has_room(self, seat: int) -> bool:
        """Are this seat's piles drawn? Those of a seat that is out are not."""
        return is_in(int(self.state.alive), seat) and (self.is_mine(seat) or len(self.seats) <= FEW)

    def zones(self) -> tuple[Zone, ...]:
        """Everything that is on the table."""
        return (
            *self.tables,
            *(pile for seat in self.seats if self.has_room(seat) for pile in (self.army_zone(seat), self.camps[seat])),
            *self.kits,
            *([self.hand_zone()] if self.voice.viewer >= 0 else []),
            *self.lanes,
            *self.board_zones(),
        )

    def army_zone(self, seat: int) -> Zone:
        """WAR-08: nobody looks at an army; how many cards it has is for all to see."""
        count = int(self.state.decks[seat].army)
        return Zone(
            id=f"army{seat}",
            place=self.place_of(seat),
            layout="stack",
            label="Army" if self.is_mine(seat) else "",
            say="army, face down",
            count=count,
            size="small",
        )

    def camp_zone(self, seat: int) -> Zone:
        """WAR-08: a camp is open, and its order means nothing."""
        deck = self.state.decks[seat]
        kinds = [int(kind) for kind in deck.cards[CARDS - int(deck.camp) :][::-1]]  # in catalogue order
        cards = tuple(self.card(kind, f"camp{seat}", place, lying=True) for place, kind in enumerate(kinds))
        return Zone(
            id=f"camp{seat}",
            place=self.place_of(seat),
            layout="stack",
            label="Camp" if self.is_mine(seat) else "",
            say=f"camp, {self.told(kinds)}" if kinds and self.has_room(seat) else "camp",
            count=len(kinds),
            cards=cards[-SHOWN:],
            size="small",
        )

    def told(self, kinds: Sequence[int]) -> str:
        """What lies in an open pile: `2 Kings, 9/6, Rise Up`."""
        names = Counter(
            self.words.lying_name(kind) for kind in sorted(kinds, key=lambda kind: -card_rank(self.state, kind))
        )
        return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in names.items() if name)

    def table_zone(self, seat: int) -> Zone | None:
        """WAR-30, 76: the card that a seat has turned, and those it replaced; between fights, its last one."""
        state, face, name = self.state, shown_card(self.state, seat), f"table{seat}"
        if face != EMPTY:
            under = [self.card(card, name, place, group=0) for place, card in enumerate(tagged(state, ON_TABLE + seat))]
            top = self.card(face, name, len(under), self.mark_of(seat), group=0)
            return self.shown_zone(seat, (*under, top), heed=True)
        last = int(state.turned[seat])
        if last == EMPTY or int(state.war_count) or int(state.phase) == OVER:
            return None
        code = self.words.code_of(last)
        mark = "won" if swept_by(state) == seat else ""
        return self.shown_zone(seat, (Card(id=f"last{seat}", face=code, mark=mark),), heed=False)

    def shown_zone(self, seat: int, cards: tuple[Card, ...], heed: bool) -> Zone:
        mine = self.is_mine(seat)
        return Zone(
            id=f"table{seat}",
            place="centre" if mine else f"seat:{seat}",
            layout="groups" if len(cards) > 1 else "row",
            label=("Your card" if heed else "Your last card") if mine else "",
            say="face-up card" if heed else "last card turned",
            count=len(cards),
            cards=cards,
            size="table" if mine else "small",
            heed=heed and not mine,
        )

    def mark_of(self, seat: int) -> str:
        """What a face-up card counts as, if that is not what is printed."""
        state = self.state
        if int(state.declared[seat]):
            return "War!"
        if int(state.called[seat]):
            return f"calls {rank_name(int(state.called[seat]))}"
        rank = int(effective_rank(state, seat))
        return f"counts {rank_name(rank)}" if rank != int(card_rank(state, int(state.faces[seat]))) else ""

    def play_zone(self, seat: int) -> Zone | None:
        """WAR-74: equipment in front of a seat, oldest first."""
        numbers = kit_in(self.state, IN_PLAY + seat)
        mine = self.is_mine(seat)
        if not numbers:
            return None
        name = f"play{seat}"
        return Zone(
            id=name,
            place=self.place_of(seat),
            layout="row" if mine else "lap",
            label="In play" if mine else "",
            say="equipment in play",
            count=len(numbers),
            cards=self.row(numbers, name),
            size="hand" if mine else "small" if self.has_room(seat) else "mini",
            fold=not self.has_room(seat),
        )

    def hand_zone(self) -> Zone:
        """WAR-72, 84: the viewer's own equipment, with what he has hidden."""
        viewer = self.voice.viewer
        held, hidden = kit_in(self.state, IN_HAND + viewer), kit_in(self.state, HIDDEN + viewer)
        cards = (*self.row(held, "kit"), *self.row(hidden, "kit", "hidden"))
        return Zone(
            id="kit",
            place="hand",
            layout="fan",
            label="Kit in hand",
            say="equipment in hand",
            count=len(cards),
            cards=cards,
            size="hand",
        )

    # --- the board ------------------------------------------------------------------------------------------

    def board_zones(self) -> list[Zone]:
        """WAR-05: recruits round the tax pile; store and junk."""
        state = self.state
        picking = int(state.phase) == RECRUITING
        found = [
            Zone(
                id="slots",
                place="centre",
                layout="ring",
                label="Recruits",
                say="recruits round the tax pile",
                count=sum(int(card) != EMPTY for card in state.slots),
                cards=tuple(self.slot_card(slot) for slot in range(SLOTS)),
                hub=f"tax {int(state.tax.length)}",
                size="small",
                heed=picking,
                fold=not picking,
            )
        ]
        if not int(state.options.equipment) or int(state.war_count):
            return found
        junk, store = kit_in(state, JUNK), kit_in(state, STORE)
        piles = (("store", "Store", [UNKNOWN] * bool(store), len(store)), ("junk", "Junk", junk, len(junk)))
        for name, label, numbers, count in piles:
            cards = self.row(numbers, name)
            pile = Zone(
                id=name,
                place="centre",
                layout="stack",
                label=label,
                count=count,
                cards=cards[-1:],
                size="small",
                fold=True,
            )
            found.append(pile)
        return found

    def slot_card(self, slot: int) -> Card:
        """WAR-08, 80: a slot's recruit is hidden, but for those who have peeked at it."""
        card, name = int(self.state.slots[slot]), f"slot{slot + 1}"
        if card == EMPTY:
            return Card(id=name, face=None, back="gap", mark=str(slot + 1))
        face = None if card == UNKNOWN else self.words.code_of(card)
        return Card(id=name, face=face, down=True, back=BACK, mark=str(slot + 1))

    # --- wars -----------------------------------------------------------------------------------------------

    def war_zones(self) -> list[Zone]:
        """The war being fought has a lane for every warrior; one that waits shows the cards that called it."""
        zones: list[Zone] = []
        for war in range(int(self.state.war_count)):
            warriors = seats_in(self.state, self.state.wars[war].warriors)
            waits = not is_fought(self.state, war)
            self.panels.append(self.war_panel(war, warriors, waits))
            zones += self.pot_zone(war, [] if waits else warriors)
            for seat in [] if waits else warriors:
                zones += self.lane_zones(war, seat)
        return zones

    def war_panel(self, war: int, warriors: list[int], waits: bool) -> Panel:
        record = self.state.wars[war]
        names = tuple(self.voice.title(seat) for seat in warriors)
        waiting = listed([self.voice.name(seat) for seat in warriors])
        return Panel(
            id=f"war{war}",
            title=war_title(record),
            text=f"{waiting[0].upper()}{waiting[1:]} wait their turn" if waits else war_text(self.state, war),
            icon="war",
            rows=() if waits else names,
        )

    def pot_zone(self, war: int, warriors: list[int]) -> list[Zone]:
        """Turned cards in the pot, but for those that the lanes show."""
        cards = tagged(self.state, POT * war + POT_UP)
        for seat in warriors:
            if int(self.state.turned[seat]) in cards:
                cards.remove(int(self.state.turned[seat]))
        if not cards:
            return []
        name = f"pot{war}"
        shown = tuple(self.card(card, name, place) for place, card in enumerate(cards))
        return [
            Zone(
                id=name,
                place="centre",
                layout="lap",
                label="In the pot" if warriors else "",
                say="turned cards in the pot",
                count=len(cards),
                cards=shown,
                size="small",
                panel=f"war{war}",
            )
        ]

    def lane_zones(self, war: int, seat: int) -> list[Zone]:
        """What a warrior turned, what he has staked, and his recruit of this step."""
        state, row, panel = self.state, self.voice.title(seat), f"war{war}"
        found = []
        last, face = int(state.turned[seat]), int(state.faces[seat])
        if last not in (EMPTY, face):
            found.append(
                lane_zone(f"turned{seat}", "last card turned", [self.card(last, f"turned{seat}", 0)], panel, row)
            )
        stakes = len(tagged(state, POT * war + seat))
        if stakes:
            found.append(stakes_zone(f"stakes{seat}", stakes, panel, row))
        return [*found, self.recruit_zone(seat, face, panel, row)]

    def recruit_zone(self, seat: int, face: int, panel: str, row: str) -> Zone:
        state, name = self.state, f"recruit{seat}"
        picks = int(state.phase) == RECRUITING and int(state.turn) == seat
        if face == EMPTY:
            gap = "pick" if picks else "…" if not int(state.picked) >> seat & 1 else "empty hand"
            return Zone(
                id=name,
                place="centre",
                layout="row",
                slots=1,
                gap=gap,
                say=f"recruit of {row}",
                size="small",
                panel=panel,
                row=row,
                heed=picks,
            )
        mark = self.mark_of(seat) if face != UNKNOWN else ""
        return lane_zone(name, f"recruit of {row}", [self.card(face, name, 0, mark)], panel, row)
