"""WAR X-TREME: positions in writing (docs/rules/war-xtreme.md, part 5). Reading them is in `read_positions.py`."""

from __future__ import annotations

from typing import Any

from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.engine.seats import is_in, members
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.rules.equipment import zone_start
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.rules.piles import camp_card
from fairdeal.games.war_xtreme.rules.seats import ring_seat
from fairdeal.games.war_xtreme.state import (
    BUYS,
    CALLING,
    CHOICE,
    CLASH,
    DISPUTING,
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
    REACT,
    REGROUP,
    SAID_CATCH,
    SAID_DISPUTE,
    SAID_YES,
    SLOTS,
    STORE,
    UNANSWERED,
)
from fairdeal.games.war_xtreme.text.position_form import PHASES, PURPOSES, UNSEEN


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form; what the viewer may not know is `?`."""
    writer = Writer(state)
    seats = range(int(state.players))
    return {
        "round": int(state.round_no),
        "marshal": int(state.marshal),
        "phase": PHASES[int(state.phase)],
        "acting": members(int(state.to_act)),
        "seats": [writer.seat(seat) for seat in seats],
        "slots": [writer.card_or_none(state.slots[slot]) for slot in range(SLOTS)],
        "tax": writer.cards(state.tax.cards[: int(state.tax.length)][::-1]),
        "store": writer.zone(STORE),
        "junk": writer.zone(JUNK),
        "wars": [writer.war(number) for number in range(int(state.war_count))],
        "fight": writer.fight(),
        "mods": {str(seat): int(state.mods[seat]) for seat in seats if state.mods[seat]},
        "declared": {str(seat): int(state.declared[seat]) - 1 for seat in seats if state.declared[seat]},
        "called": {str(seat): int(state.called[seat]) for seat in seats if state.called[seat]},
        "earned": [
            [int(state.earned.seats[place]), int(state.earned.numbers[place])]
            for place in range(int(state.earned.length))
        ],
        "passes": int(state.passes),
        "choices": {str(seat): writer.choice(seat) for seat in seats if state.choices[seat] != UNANSWERED},
        "locked": members(int(state.locked)),
        "regroup": writer.regroup(),
        "dispute": [int(state.challenger), int(state.turn)] if state.phase == DISPUTING else None,
        "caught": members(int(state.caught)),
        "winners": members(int(state.winners)),
        "turned": {str(seat): writer.card(state.turned[seat]) for seat in seats if state.turned[seat] != EMPTY},
        "swept": int(state.swept) - 1 if state.swept else None,
    }


class Writer:
    """Writes the parts of a state in the words of its catalogue."""

    def __init__(self, state: Record) -> None:
        self.state = state
        self.words = words_of(state)

    def card(self, card: int) -> str:
        """`ninja/9:6`, the upper end first."""
        card = int(card)
        if card == UNKNOWN:
            return UNSEEN
        return self.words.codes[card] if card >= 0 else self.words.code_of(card)

    def card_or_none(self, card: int) -> str | None:
        return None if card == EMPTY else self.card(card)

    def cards(self, cards: Any) -> list[str]:
        return [self.card(card) for card in cards]

    def zone(self, zone: int) -> list[int | str]:
        """The numbers of a zone of equipment."""
        equipment = self.state.equipment
        found = equipment.cards[zone_start(equipment, zone) : int(equipment.ends[zone])].tolist()
        return [UNSEEN if number == UNKNOWN else number for number in found]

    def tagged(self, tag: int) -> list[str]:
        """The cards of the centre with this tag."""
        centre = self.state.centre
        return [self.card(centre.cards[i]) for i in range(int(centre.length)) if centre.tags[i] == tag]

    def seat(self, seat: int) -> dict[str, Any]:
        state, account, deck = self.state, self.state.seats[seat], self.state.decks[seat]
        said = int(account.said)
        return {
            "alive": is_in(int(state.alive), seat),
            "army": self.cards(deck.cards[: int(deck.army)][::-1]),
            "camp": [self.card(camp_card(deck, place)) for place in range(int(deck.camp))],
            "hand": self.zone(IN_HAND + seat),
            "hidden": self.zone(HIDDEN + seat),
            "in_play": self.zone(IN_PLAY + seat),
            "table": self.table(seat),
            "brag": int(account.brag),
            "wars_won": int(account.wars_won),
            "trusted": int(account.trusted),
            "distrusted": int(account.distrusted),
            "said": ["catch"] * (said & SAID_CATCH) + ["dispute"] * (said // SAID_DISPUTE),
            "flipped": is_in(int(state.flipped), seat),
            "seen": [slot + 1 for slot in range(SLOTS) if int(account.seen) >> slot & 1],
            "out_round": int(account.out_round),
        }

    def table(self, seat: int) -> list[str]:
        """WAR-76: the cards before a seat, the face-up one last."""
        face = self.state.faces[seat]
        lies_there = face != EMPTY and not in_clash(self.state)
        return self.tagged(ON_TABLE + seat) + ([self.card(face)] if lies_there else [])

    def fight(self) -> dict[str, str]:
        """The cards that face each other, while they do."""
        if int(self.state.phase) not in (REACT, CALLING, RACE, CHOICE, CLASH):
            return {}
        faces = enumerate(self.state.faces[: int(self.state.players)].tolist())
        return {str(seat): self.card(face) for seat, face in faces if face != EMPTY}

    def war(self, number: int) -> dict[str, Any]:
        state, war = self.state, self.state.wars[number]
        ring = [ring_seat(state, place) for place in range(int(state.players))]
        down = {str(seat): self.tagged(number * POT + seat) for seat in range(int(state.players))}
        recruits = members(int(state.picked)) if number == 0 and war.depth > 0 else []
        return {
            "rank": int(war.rank),
            "depth": int(war.depth),
            "source": "camp" if war.source else "army",
            "warriors": [seat for seat in ring if is_in(int(war.warriors), seat)],
            "borrowing": members(int(war.borrowing)),
            "pot_up": self.tagged(number * POT + POT_UP),
            "pot_down": {seat: cards for seat, cards in down.items() if cards},
            "recruits": {str(seat): self.card_or_none(state.faces[seat]) for seat in recruits},
        }

    def choice(self, seat: int) -> str:
        """What a seat has answered, in the words of its move."""
        choice, phase = int(self.state.choices[seat]), int(self.state.phase)
        if choice == UNKNOWN:
            return UNSEEN
        if phase == EXTREME:
            return "yes" if choice == SAID_YES else "no"
        if phase == RACE:
            return "pass" if choice == RACED_PASS else f"act {self.words.actions[choice - RACED]}"
        return {FLEES: "flee", IS_SPOILS: "spoils"}.get(choice, f"buy-in {choice - BUYS}")

    def regroup(self) -> dict[str, Any] | None:
        regroup = self.state.regroup
        if int(self.state.phase) != REGROUP:
            return None
        return {
            "owner": int(regroup.owner),
            "asked": None if regroup.asked == NOBODY else int(regroup.asked),
            "new": int(regroup.fresh),
            "for": PURPOSES[int(regroup.purpose)],
        }
