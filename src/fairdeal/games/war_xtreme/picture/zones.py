"""WAR X-TREME: the zones of the scene: each seat's army, camp, equipment and face-up card, the slots, and the wars."""

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN
from fairdeal.engine.scene import Card, Layout, Panel, Voice, Zone, capital, count_of
from fairdeal.engine.scene.zones import stack_zone, zone
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.tables import WAR_RANK, kind_of
from fairdeal.games.war_xtreme.picture.cards import kit_key
from fairdeal.games.war_xtreme.rules.fight import card_rank, effective_rank, fighters, in_clash
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, tagged

FEW = 4
"""Maximum number of players at which all seats' piles are drawn. At larger tables, rivals show only a face-up card."""

SHOWN = 5
"""Maximum number of cards of a camp that a scene contains. They are the last ones; the others lie under them."""

MOST_STAKES = 6
"""Maximum number of stakes drawn side by side. A larger number is written on the last one."""

FOLDS = ("", "", "double war", "triple war")
BACK, KIT_BACK = "war-xtreme", "kit"


@functools.cache
def hidden_card(zone: str, place: int, back: str, mark: str) -> Card:
    """Return a face-down card. Its id is derived from its place, so that the id reveals nothing."""
    return Card(id=f"{zone}?{place}", face=None, down=True, back=back, mark=mark)


@functools.cache
def open_card(code: str, copy: int, face: str, mark: str, group: int) -> Card:
    return Card(id=f"{code}.{copy}", face=face, mark=mark, group=group)


def at_war(state: Snapshot) -> bool:
    """Return whether a war is being or about to be fought, so that no seat has a face-up card on its table."""
    return in_clash(state) or (state.war_count > 0 and not fighters(state))


def war_title(war: Snapshot) -> str:
    """Return the title of a war: `War of 9s`, or `War!` for that of a War card, which has no rank of its own."""
    return "War!" if war.rank == WAR_RANK else f"War of {plural_rank(war.rank)}"


def war_text(state: Snapshot, depth: int) -> str:
    """Return the progress and the prize of a war as text, such as `double war · 2 kit for the winner`."""
    step = FOLDS[depth] if depth < len(FOLDS) else f"{depth}-fold war"
    prize = f"{depth} kit for the winner" if state.options.equipment and depth else ""
    return " · ".join(part for part in (step, prize) if part)


class Table:
    """The zones of one scene. Cards that the viewer sees are identified by zone, face and number of the copy."""

    def __init__(self, state: Snapshot, words: Words, voice: Voice) -> None:
        self.state, self.words, self.voice = state, words, voice
        self.met: Counter[tuple[str, str]] = Counter()
        self.seats = range(state.players)
        self.fought = at_war(state)
        self.camps = [self.camp_zone(seat) for seat in self.seats]
        self.panels: list[Panel] = []
        self.lanes = self.war_zones()
        self.tables = [table for seat in self.seats for table in self.table_zones(seat)]
        self.kits = [kit for seat in self.seats for kit in self.play_zones(seat)]

    # --- cards ----------------------------------------------------------------------------------------------

    def card(self, card: int, zone: str, place: int, mark: str = "", group: int = -1, lying: bool = False) -> Card:
        """Return a playing card with its upper end, or with neither end up if it is `lying` in a camp."""
        if card == UNKNOWN:
            return hidden_card(zone, place, BACK, mark)
        code = self.words.codes[kind_of(card)]
        return self.open(zone, code, code if lying else self.words.codes[card], mark, group)

    def open(self, zone: str, code: str, face: str, mark: str, group: int = -1) -> Card:
        """Return a card that the viewer sees."""
        self.met[zone, code] += 1
        return open_card(f"{zone}/{code}", self.met[zone, code], face, mark, group)

    def row(self, numbers: Iterable[int], zone: str, mark: str = "") -> tuple[Card, ...]:
        """Return pieces of equipment as cards side by side."""
        return tuple(self.kit(number, zone, place, mark) for place, number in enumerate(numbers))

    def kit(self, number: int, zone: str, place: int, mark: str) -> Card:
        if number == UNKNOWN:
            return hidden_card(zone, place, KIT_BACK, mark)
        key = kit_key(self.words.equipment[number - 1])
        return self.open(zone, key, key, mark)

    # --- zones of the seats -----------------------------------------------------------------------------------

    def is_mine(self, seat: int) -> bool:
        return seat == self.voice.viewer

    def has_room(self, seat: int) -> bool:
        """Return whether a seat's piles are drawn. The piles of an eliminated seat never are."""
        return is_in(self.state.alive, seat) and (self.is_mine(seat) or len(self.seats) <= FEW)

    def zones(self) -> tuple[Zone, ...]:
        """Return all zones of the table."""
        return (
            *self.tables,
            *(pile for seat in self.seats if self.has_room(seat) for pile in (self.army_zone(seat), self.camps[seat])),
            *self.kits,
            *([self.hand_zone()] if self.voice.viewer >= 0 else []),
            *self.lanes,
            *self.board_zones(),
        )

    def seat_zone(
        self, name: str, seat: int, cards: Sequence[Card], label: str, say: str, layout: Layout = "stack", **more: Any
    ) -> Zone:
        """Return a zone with cards of a seat. Only zones of the viewer have a label."""
        mine = self.is_mine(seat)
        facts = {"place": "hand" if mine else f"seat:{seat}", "label": label if mine else "", "size": "small"} | more
        return zone(f"{name}{seat}", layout=layout, cards=cards, say=say, **facts)

    def army_zone(self, seat: int) -> Zone:
        """WAR-08: return the zone of an army, which is face down and shows only the number of its cards."""
        return self.seat_zone("army", seat, (), "Army", "army, face down", count=self.state.decks[seat].army)

    def camp_zone(self, seat: int) -> Zone:
        """WAR-08: return the zone of a camp, which is face up and has no particular order."""
        deck = self.state.decks[seat]
        kinds = deck.cards[xtreme.CARDS - deck.camp :][::-1]  # in catalogue order
        cards = [self.card(kind, f"camp{seat}", place, lying=True) for place, kind in enumerate(kinds)]
        say = f"camp, {self.told(kinds)}" if kinds and self.has_room(seat) else "camp"
        return self.seat_zone("camp", seat, cards[-SHOWN:], "Camp", say, count=len(kinds))

    def told(self, kinds: Sequence[int]) -> str:
        """Return the contents of an open pile as text, such as `2 × King, 9/6, Rise Up`."""
        by_rank = sorted(kinds, key=lambda kind: -card_rank(self.state, kind))
        names = Counter(self.words.lying_name(kind) for kind in by_rank)
        return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in names.items() if name)

    def table_zones(self, seat: int) -> list[Zone]:
        """WAR-30, 76: return the zone of a seat's face-up card, with the cards that it replaced under it."""
        state, face, name = self.state, self.state.faces[seat], f"table{seat}"
        if not is_in(state.alive, seat):
            return []
        cards = []
        if face != EMPTY and not self.fought:
            cards = [
                self.card(card, name, place, group=0)
                for place, card in enumerate(tagged(state, xtreme.ON_TABLE + seat))
            ]
            cards.append(self.card(face, name, len(cards), self.mark_of(seat), group=0))
        layout: Layout = "groups" if len(cards) > 1 else "row"
        own = {"place": "centre", "size": "table"} if self.is_mine(seat) else {}
        return [self.seat_zone("table", seat, cards, "Your card", "face-up card", layout, slots=1, **own)]

    def mark_of(self, seat: int) -> str:
        """Return the effective value of a face-up card as text, or an empty string if it equals the printed one."""
        state = self.state
        if state.declared[seat]:
            return "War!"
        if state.called[seat]:
            return f"calls {rank_name(state.called[seat])}"
        rank = effective_rank(state, seat)
        return f"counts {rank_name(rank)}" if rank != card_rank(state, state.faces[seat]) else ""

    def play_zones(self, seat: int) -> list[Zone]:
        """WAR-74: return the zone of the equipment in front of a seat, oldest first."""
        mine, room = self.is_mine(seat), self.has_room(seat)
        cards = self.row(kit_in(self.state, xtreme.IN_PLAY + seat), f"play{seat}")
        layout: Layout = "row" if mine else "lap"
        size = "hand" if mine else "small"
        play = self.seat_zone("play", seat, cards, "In play", "equipment in play", layout, size=size, fold=not room)
        return [play] if cards else []

    def hand_zone(self) -> Zone:
        """WAR-72, 84: return the zone of the viewer's equipment, including hidden cards."""
        held, hidden = (kit_in(self.state, place + self.voice.viewer) for place in (xtreme.IN_HAND, xtreme.HIDDEN))
        cards = (*self.row(held, "kit"), *self.row(hidden, "kit", "hidden"))
        more: dict[str, Any] = {"label": "Kit in hand", "say": "equipment in hand", "size": "hand"}
        return zone("kit", "hand", "fan", cards, **more, any_order=True)

    # --- the board ------------------------------------------------------------------------------------------

    def board_zones(self) -> list[Zone]:
        """WAR-05: return the recruits around the tax pile, the store and the junk pile."""
        state = self.state
        picking = xtreme.phase_of(state) == "RECRUIT" and self.voice.viewer in state.acting
        slots = zone(
            "slots",
            "centre",
            "ring",
            [self.slot_card(f"slot{slot}", slot, card) for slot, card in enumerate(state.slots, start=1)],
            label="Recruits",
            say="recruits round the tax pile",
            count=sum(card != EMPTY for card in state.slots),
            hub=f"tax {state.tax.length}",
            under=state.tax.length,
            size="small",
            heed=picking,
            fold=not picking,
            cell="left",
        )
        if not state.options.equipment:
            return [slots]
        junk, store = kit_in(state, xtreme.JUNK), kit_in(state, xtreme.STORE)
        top = self.row([UNKNOWN] * bool(store), "store")
        return [
            slots,
            stack_zone("store", "Store", len(store), top, size="small", cell="right", fold=True),
            stack_zone("junk", "Junk", len(junk), self.row(junk, "junk")[-1:], size="small", cell="right", fold=True),
        ]

    def slot_card(self, name: str, slot: int, card: int) -> Card:
        """WAR-08, 80: return the card of a slot, face down unless the viewer has peeked at it."""
        if card == EMPTY:
            return Card(id=name, face=None, back="gap", mark=str(slot))
        face = None if card == UNKNOWN else self.words.codes[card]
        return Card(id=name, face=face, down=True, back=BACK, mark=str(slot))

    # --- wars -----------------------------------------------------------------------------------------------

    def war_zones(self) -> list[Zone]:
        """Return the zones of the wars: a row for each warrior of the current war, and the turned cards of the other
        wars."""
        zones: list[Zone] = []
        for number, war in enumerate(self.state.wars[: self.state.war_count]):
            warriors = in_ring_order(self.state, war.warriors)
            fought = number == 0 and self.fought
            self.panels.append(self.war_panel(number, war, warriors, fought))
            zones += self.pot_zones(number, warriors if fought else [])
            for seat in warriors if fought else []:
                zones += self.lane_zones(seat)
        return zones

    def war_panel(self, number: int, war: Snapshot, warriors: list[int], fought: bool) -> Panel:
        if not fought:
            waiting = capital(self.voice.several(warriors))
            return Panel(id=f"war{number}", title=war_title(war), text=f"{waiting} wait their turn", icon="war")
        staked = sum(tag < xtreme.POT for tag in self.state.centre.tags[: self.state.centre.length])
        text = " · ".join(
            part for part in (war_text(self.state, war.depth), f"{count_of(staked, 'card')} at stake") if part
        )
        rows = tuple(self.voice.title(seat) for seat in warriors)
        return Panel(id=f"war{number}", title=war_title(war), text=text, icon="war", rows=rows)

    def pot_zones(self, number: int, warriors: list[int]) -> list[Zone]:
        """Return the zone of a pot's turned cards, except those shown in the warriors' rows."""
        name, cards = f"pot{number}", tagged(self.state, xtreme.POT * number + xtreme.POT_UP)
        for seat in warriors:
            if self.state.turned[seat] in cards:
                cards.remove(self.state.turned[seat])
        shown = [self.card(card, name, place) for place, card in enumerate(cards)]
        label, say = "In the pot" if warriors else "", "turned cards in the pot"
        pot = zone(name, "centre", "lap", shown, label=label, say=say, size="small", panel=f"war{number}")
        return [pot] if cards else []

    def lane_zones(self, seat: int) -> list[Zone]:
        """Return the zones of a warrior: the card turned last, the stakes, and the recruit of this step."""
        last, face = self.state.turned[seat], self.state.faces[seat]
        found = []
        if last not in (EMPTY, face):
            turned = self.card(last, f"turned{seat}", 0)
            found.append(self.lane_zone(f"turned{seat}", seat, "last card turned", [turned]))
        stakes = len(tagged(self.state, seat))
        if stakes:
            found.append(self.stakes_zone(f"stakes{seat}", seat, stakes))
        return [*found, self.recruit_zone(f"recruit{seat}", seat, face)]

    def lane_zone(
        self, name: str, seat: int, say: str, cards: Sequence[Card], layout: Layout = "row", **more: Any
    ) -> Zone:
        row = self.voice.title(seat)
        return zone(name, "centre", layout, cards, say=say, size="small", panel="war0", row=row, **more)

    def stakes_zone(self, name: str, seat: int, stakes: int) -> Zone:
        """WAR-36: return the zone of face-down stakes. If there are many, their number is written on the last one."""
        marks = [""] * min(stakes, MOST_STAKES)
        if stakes > MOST_STAKES:
            marks[-1] = f"{stakes} stakes"
        cards = [hidden_card(name, place, BACK, mark) for place, mark in enumerate(marks)]
        return self.lane_zone(name, seat, "stakes", cards, layout="lap", count=stakes)

    def recruit_zone(self, name: str, seat: int, face: int) -> Zone:
        state, say = self.state, f"recruit of {self.voice.title(seat)}"
        if face != EMPTY:
            mark = self.mark_of(seat) if face != UNKNOWN else ""
            return self.lane_zone(name, seat, say, [self.card(face, name, 0, mark)])
        picks = xtreme.phase_of(state) == "RECRUIT" and state.turn == seat
        gap = "pick" if picks else "empty hand" if is_in(state.picked, seat) else "…"
        return self.lane_zone(name, seat, say, (), slots=1, gap=gap, heed=picks)
