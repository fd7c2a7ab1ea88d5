"""WAR X-TREME: positions in writing (docs/rules/war-xtreme.md, part 5). Reading them is in `read_positions.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.seats import is_in, members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.state import (
    BUYS,
    CALLING,
    CARDS,
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
    STORE,
    UNANSWERED,
)
from fairdeal.games.war_xtreme.text.position_form import PHASES, PURPOSES, UNSEEN
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, tagged


def write_position(state: Snapshot) -> dict[str, Any]:
    """The JSON form; what the viewer may not know is `?`."""
    writer = Writer(state)
    earned = state.earned
    return {
        "round": state.round_no,
        "marshal": state.marshal,
        "phase": PHASES[state.phase],
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
        "choices": writer.by_seat(state.choices, UNANSWERED, writer.choice),
        "locked": members(state.locked),
        "regroup": writer.regroup(),
        "dispute": [state.challenger, state.turn] if state.phase == DISPUTING else None,
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
        said = {"catch": SAID_CATCH, "dispute": SAID_DISPUTE}
        face = [] if in_clash(state) or state.faces[seat] == EMPTY else [self.card(state.faces[seat])]
        return {
            "alive": is_in(state.alive, seat),
            "army": self.cards(deck.cards[: deck.army][::-1]),
            "camp": self.cards(deck.cards[CARDS - deck.camp :][::-1]),
            "hand": self.zone(IN_HAND + seat),
            "hidden": self.zone(HIDDEN + seat),
            "in_play": self.zone(IN_PLAY + seat),
            "table": self.tagged(ON_TABLE + seat) + face,
            "brag": account.brag,
            "wars_won": account.wars_won,
            "trusted": account.trusted,
            "distrusted": account.distrusted,
            "said": [word for word, bit in said.items() if account.said & bit],
            "flipped": is_in(state.flipped, seat),
            "seen": [slot + 1 for slot in members(account.seen)],
            "out_round": account.out_round,
        }

    def fight(self) -> dict[str, str]:
        """The cards that face each other, while they do."""
        if self.state.phase not in (REACT, CALLING, RACE, CHOICE, CLASH):
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

    def choice(self, choice: int) -> str:
        """What a seat has answered, in the words of its move."""
        if choice == UNKNOWN:
            return UNSEEN
        if self.state.phase == EXTREME:
            return "yes" if choice == SAID_YES else "no"
        if self.state.phase == RACE:
            return "pass" if choice == RACED_PASS else f"act {self.words.actions[choice - RACED]}"
        return {FLEES: "flee", IS_SPOILS: "spoils"}.get(choice, f"buy-in {choice - BUYS}")

    def regroup(self) -> dict[str, Any] | None:
        regroup = self.state.regroup
        if self.state.phase != REGROUP:
            return None
        return {
            "owner": regroup.owner,
            "asked": None if regroup.asked == NOBODY else regroup.asked,
            "new": regroup.fresh,
            "for": PURPOSES[regroup.purpose],
        }
