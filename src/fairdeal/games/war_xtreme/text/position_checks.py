"""WAR X-TREME: does a position fit its phase (section 6)? And who is to act in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.engine.seats import is_in, lowest_seat, members, size_of
from fairdeal.games.war_xtreme.catalogue.tables import SPEED, WILD
from fairdeal.games.war_xtreme.rules.aiming import can_play_equipment
from fairdeal.games.war_xtreme.rules.equipment import zone_size
from fairdeal.games.war_xtreme.rules.fight import (
    acting_kind,
    all_powers,
    card_kind,
    fighters,
    kinds_present,
    power_of,
    seats_of_kind,
    wild_may_call,
)
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.rules.reveal import PRICE, all_warriors, may_buy_into
from fairdeal.games.war_xtreme.rules.seats import in_ring
from fairdeal.games.war_xtreme.rules.taxes import filled_slots
from fairdeal.games.war_xtreme.state import (
    ARRIVAL,
    BRACE,
    BUYS,
    CALLING,
    CHOICE,
    CHOOSE,
    CLASH,
    DISPUTING,
    EXTREME,
    FLEES,
    FOR_PRICE,
    FOR_ROUND,
    FOR_STAKES,
    FOR_TURN,
    HIDDEN,
    IN_HAND,
    IN_PLAY,
    IS_SPOILS,
    OVER,
    PREP,
    RACE,
    REACT,
    RECRUITING,
    REGROUP,
    SWEEPING,
    UNANSWERED,
)
from fairdeal.games.war_xtreme.text.position_form import Position

REVEALS, CLASHES = (REACT, CALLING, RACE, CHOICE), (RECRUITING, CLASH, CALLING, RACE)


def settle_phase(state: Record, given: Position) -> None:
    """Check what the phase asks for, and set who is to act. Raises BadPosition."""
    Settler(state, given).settle()


class Settler:
    """Checks one position."""

    def __init__(self, state: Record, given: Position) -> None:
        self.state, self.given = state, given
        self.phase = int(state.phase)
        self.alive = int(state.alive)
        self.depth = int(state.wars[0].depth)

    def need(self, holds: bool, path: str, value: Any, words: str) -> None:
        if not holds:
            raise BadPosition(path, value, words)

    def settle(self) -> None:
        state, given = self.state, self.given
        self.check_seats()
        self.check_wars()
        self.check_faces()
        self.check_small_fields()
        if self.phase == OVER:
            state.over, state.to_act = 1, 0
        else:
            state.to_act = self.acting()
        self.need(self.phase == OVER or state.to_act != 0, "phase", given.phase, "nobody has anything to decide")
        if given.acting is not None:
            seats = members(int(state.to_act))
            self.need(given.acting == seats, "acting", given.acting, f"in this position {seats} may act")

    # --- what holds in every phase, or in most

    def check_seats(self) -> None:
        state, given = self.state, self.given
        for seat, written in enumerate(given.seats):
            cards = deck_size(state.decks[seat])
            zones = (IN_HAND, HIDDEN, IN_PLAY)
            has = cards + sum(zone_size(state.equipment, zone + seat) for zone in zones)
            has += state.faces[seat] != EMPTY
            path = f"seats[{seat}]"
            if not written.alive:
                self.need(has == 0, path, "", "a seat that is not alive has nothing [WAR-02, WAR-33]")
            else:
                self.need(written.out_round == 0, f"{path}.out_round", written.out_round, "this seat is alive")
            if written.alive and self.phase in (PREP, DISPUTING):
                self.need(len(written.army) > 0, f"{path}.army", [], "an army comes before the round begins [WAR-60]")
            self.need(cards > 0 or self.phase not in (REGROUP,) or self.has_cards_elsewhere(seat), path, "", "no cards")
            flips = self.phase in (PREP, DISPUTING) or (self.phase == REGROUP and self.purpose() == FOR_TURN)
            self.need(not written.flipped or (flips and written.alive), f"{path}.flipped", True, "not in this phase")
            said = len(set(written.said)) == len(written.said)
            self.need(said, f"{path}.said", written.said, "each at most once a round [WAR-86, WAR-89]")
        if self.phase == EXTREME:
            empty = self.alive == 0 and state.tax.length == 0 and filled_slots(state) == 0
            self.need(empty, "phase", given.phase, "nobody is dealt in yet [WAR-03]")
            self.need(not given.store and not given.junk and not given.wars, "phase", given.phase, "nothing lies there")
            self.need(all(not seat.out_round for seat in given.seats), "phase", given.phase, "nobody is out yet")
        elif self.phase != OVER:
            self.need(size_of(self.alive) > 1, "seats", self.alive.bit_count(), "at least two are alive [WAR-92]")

    def has_cards_elsewhere(self, seat: int) -> bool:
        """In the middle of a round a deck may be empty."""
        return not is_in(self.alive, seat) or self.purpose() in (FOR_PRICE, FOR_STAKES)

    def purpose(self) -> int:
        return int(self.state.regroup.purpose)

    def check_wars(self) -> None:
        """WAR-35, 50: wars of different seats, by falling rank, where there can be any."""
        state, given = self.state, self.given
        seen = 0
        for number in range(int(state.war_count)):
            war, path = state.wars[number], f"wars[{number}]"
            warriors, written = int(war.warriors), given.wars[number]
            self.need(
                size_of(warriors) > 1 and not warriors & seen, f"{path}.warriors", written.warriors, "two or more"
            )
            self.need(not (warriors | int(war.borrowing)) & ~self.alive, f"{path}.warriors", written.warriors, "alive")
            falling = number == 0 or war.rank < state.wars[number - 1].rank
            self.need(falling, f"{path}.rank", written.rank, "wars come by falling rank [WAR-50]")
            waits = war.depth == 0
            self.need(not waits or (not written.pot_down and war.borrowing == 0), path, "", "it has not begun")
            seen |= warriors
        begun = self.phase in (BRACE, RECRUITING, CLASH) or (self.phase == REGROUP and self.purpose() == FOR_STAKES)
        called = self.phase == CHOICE or (self.phase == REGROUP and self.purpose() == FOR_PRICE)
        either = self.phase in (CALLING, RACE)
        if self.depth > 0:
            self.need(begun or either, "wars[0].depth", self.depth, f"no war is fought in {given.phase}")
        elif state.war_count > 0:
            self.need(called or self.phase == SWEEPING, "wars", "", f"there are no wars in {given.phase}")
        self.need(not begun or self.depth > 0, "wars", "", "a war is being fought in this phase")
        self.need(not called or state.war_count > 0, "wars", "", "there is a war in this phase")

    def check_faces(self) -> None:
        """Which cards face each other: those of a reveal, or recruits."""
        state, given = self.state, self.given
        tables = [seat for seat, written in enumerate(given.seats) if written.table]
        on_tables = self.depth == 0 and (
            self.phase in REVEALS or (self.phase == REGROUP and self.purpose() == FOR_PRICE)
        )
        self.need(on_tables or not tables, "seats", tables, f"no card lies on a table in {given.phase}")
        picked, warriors = int(state.picked), int(state.wars[0].warriors)
        if self.depth > 0 and self.phase in CLASHES:
            ring = [in_ring(state, warriors, number) for number in range(size_of(picked))]
            right = picked == sum(1 << seat for seat in ring)
            self.need(right and not picked & ~warriors, "wars[0].recruits", "", "warriors pick in ring order [WAR-36]")
            whole = (picked == warriors) == (self.phase != RECRUITING)
            self.need(whole, "wars[0].recruits", "", "all warriors have picked, or one has not [WAR-36]")
        else:
            self.need(picked == 0, "wars[0].recruits", "", f"there are no recruits in {given.phase}")
        for name in given.fight:
            known = name.isdecimal() and len(name) == 1 and int(name) < state.players
            self.need(known, "fight", name, "the name of a seat")
        if given.fight and self.phase in (*REVEALS, CLASH):
            shown = {str(seat) for seat in range(int(state.players)) if state.faces[seat] != EMPTY}
            self.need(set(given.fight) == shown, "fight", sorted(given.fight), f"cards lie face up at {sorted(shown)}")
        else:
            self.need(not given.fight, "fight", "", f"there is no fight in {given.phase}")

    def check_small_fields(self) -> None:
        state, given = self.state, self.given
        reveal_or_clash = self.phase in (REACT, CALLING, RACE, CHOICE, CLASH)
        for name, field in (("mods", given.mods), ("declared", given.declared), ("called", given.called)):
            for seat in map(int, field):
                self.need(reveal_or_clash and state.faces[seat] != EMPTY, name, seat, "this seat is in no fight")
        for seat in map(int, given.declared):
            target = int(state.declared[seat]) - 1
            self.need(state.faces[target] != EMPTY, "declared", target, "the target is in the fight [WAR-80]")
            regular = card_kind(state, int(state.faces[seat])) == 0
            self.need(regular, "declared", seat, "a regular card is declared [WAR-80]")
        for seat in map(int, given.called):
            wild = card_kind(state, int(state.faces[seat])) == WILD
            self.need(wild and self.phase == CHOICE, "called", seat, "a Wild is called when all have reacted [WAR-26]")
        fought = self.depth > 0 or self.phase == SWEEPING
        self.need(
            not given.earned or fought, "earned", "", "it is earned in a war, and drawn when the round ends [WAR-33]"
        )
        self.need(self.phase == RACE or not given.locked, "locked", given.locked, "nobody is locked out of a race")
        windows = self.phase in (REACT, BRACE, CLASH)
        most = size_of(self.alive) - 1 if windows else 0
        self.need(given.passes <= most, "passes", given.passes, f"at most {most} in this phase [WAR-76]")
        answers = self.phase in (EXTREME, RACE, CHOICE) or (self.phase == REGROUP and self.purpose() == FOR_PRICE)
        self.need(answers or not given.choices, "choices", "", f"nobody has chosen anything in {given.phase}")
        self.need((self.phase == REGROUP) == (given.regroup is not None), "regroup", "", "exactly in REGROUP")
        self.need((self.phase == DISPUTING) == (given.dispute is not None), "dispute", "", "exactly in DISPUTE")
        self.need(self.phase == OVER or not given.winners, "winners", given.winners, "the game goes on")

    # --- who is to act

    def acting(self) -> int:
        """The seats that may act, by the phase."""
        state = self.state
        deciders: dict[int, Callable[[], int]] = {
            EXTREME: lambda: ((1 << int(state.players)) - 1) & ~self.answered(),
            REGROUP: self.asked_for_trust,
            PREP: lambda: self.alive & ~int(state.flipped),
            DISPUTING: self.challenged,
            CALLING: self.owner_of_wild,
            RACE: self.racers,
            CHOICE: self.choosers,
            RECRUITING: self.recruiter,
            SWEEPING: self.sweeper,
        }
        return deciders.get(self.phase, self.asked_in_window)()

    def one(self, seat: int) -> int:
        """It is one seat's turn."""
        self.state.turn = seat
        return 1 << seat

    def answered(self) -> int:
        found = 0
        for seat in range(int(self.state.players)):
            if self.state.choices[seat] != UNANSWERED:
                found |= 1 << seat
        return found

    def asked_for_trust(self) -> int:
        """WAR-61: the owner names somebody, or a rival answers."""
        state, regroup = self.state, self.state.regroup
        owner, asked = int(regroup.owner), int(regroup.asked)
        self.need(state.options.trust == 1, "phase", "REGROUP", "nobody is asked for trust at this table")
        self.need(is_in(self.alive, owner), "regroup.owner", owner, "this seat is not alive")
        purpose = self.purpose()
        if purpose == FOR_ROUND:
            self.need(state.flipped == 0, "seats", "", "nobody has flipped yet")
        if purpose == FOR_TURN:
            self.need(state.flipped == state.alive, "seats", "", "all have flipped")
        if purpose == FOR_PRICE:
            self.check_price(owner)
        if purpose == FOR_STAKES:
            staking = int(state.wars[0].warriors) & ~int(state.wars[0].borrowing)
            self.need(is_in(staking, owner), "regroup.owner", owner, "this seat lays no stakes")
        if asked == NOBODY:
            self.need(state.options.trust_partner == CHOOSE, "regroup.asked", None, "the seat on the left [WAR-61]")
            return self.one(owner)
        rival = is_in(self.alive, asked) and asked != owner
        self.need(rival, "regroup.asked", asked, "another living seat is asked [WAR-61]")
        return self.one(asked)

    def check_price(self, owner: int) -> None:
        """WAR-51, 54: the choices that are still to be carried out."""
        state = self.state
        self.need(state.choices[owner] >= BUYS, "regroup.owner", owner, "this seat buys into no war")
        for seat in range(int(state.players)):
            choice = int(state.choices[seat])
            if choice != UNANSWERED:
                apart = state.faces[seat] != EMPTY and not is_in(all_warriors(state), seat)
                self.need(apart, f"choices.{seat}", choice, "a bystander chooses")
                able = choice < BUYS or deck_size(state.decks[seat]) >= PRICE
                self.need(able, f"choices.{seat}", choice, "buying in costs two cards [WAR-51]")

    def challenged(self) -> int:
        """WAR-89."""
        assert self.given.dispute is not None
        players = int(self.state.players)
        for seat in self.given.dispute:
            self.need(0 <= seat < players and is_in(self.alive, seat), "dispute", seat, "this seat is not alive")
        challenger, other = self.given.dispute
        waiting = challenger != other and not is_in(int(self.state.flipped), challenger)
        self.need(waiting, "dispute", challenger, "a seat that has not flipped challenges another one [WAR-89]")
        self.state.challenger = challenger
        return self.one(other)

    def asked_in_window(self) -> int:
        """WAR-76: the seat that is named, or the first that could play something."""
        state, given = self.state, self.given
        if given.acting is not None and len(given.acting) == 1:
            seat = given.acting[0]
            known = 0 <= seat < state.players and is_in(self.alive, seat)
            self.need(known, "acting", given.acting, "a living seat is asked")
            return self.one(seat)
        ring = [in_ring(state, self.alive, number) for number in range(size_of(self.alive))]
        return self.one(next((seat for seat in ring if can_play_equipment(state, seat)), ring[0]))

    def owner_of_wild(self) -> int:
        """WAR-26."""
        seats = fighters(self.state)
        self.need(bool(wild_may_call(self.state, seats)), "phase", "WILD", "no Wild may be called here [WAR-26]")
        self.need(self.depth > 0 or size_of(seats) > 1, "phase", "WILD", "one seat alone fights nobody")
        return self.one(lowest_seat(seats_of_kind(self.state, seats, WILD)))

    def racers(self) -> int:
        """WAR-18 to 20."""
        state = self.state
        seats = fighters(state)
        speed = acting_kind(kinds_present(state, seats)) == SPEED and size_of(seats) > 1
        self.need(speed, "phase", "RACE", "a race is for a Speed card that acts [WAR-18]")
        by_arrival = state.options.race == ARRIVAL
        out = int(state.locked) if by_arrival else self.answered()
        self.need(not out & ~seats, "phase", "RACE", "only the seats of the fight race [WAR-18]")
        self.need(not by_arrival or self.answered() == 0, "choices", "", "actions count as they arrive [WAR-20]")
        self.need(by_arrival or state.locked == 0, "locked", "", "actions are collected first [WAR-20]")
        return seats & ~out

    def choosers(self) -> int:
        """WAR-51 to 54: bystanders above a war who have not chosen."""
        state = self.state
        seats, waiting = fighters(state), 0
        powers, warriors = all_powers(state, seats), all_warriors(state)
        self.need(not warriors & ~seats, "wars", "", "warriors have a card face up")
        for seat in range(int(state.players)):
            choice, path = int(state.choices[seat]), f"choices.{seat}"
            if not is_in(seats & ~warriors, seat):
                self.need(choice == UNANSWERED, path, choice, "only bystanders choose [WAR-51]")
                continue
            ranks = [int(state.wars[number].rank) for number in range(int(state.war_count))]
            power = int(power_of(powers, seat))
            self.need(power not in ranks, "wars", power, "a bystander has no card of a war's rank [WAR-35]")
            if power < min(ranks):
                self.need(choice == IS_SPOILS, path, choice, "below all wars a card is spoils [WAR-52]")
            elif deck_size(state.decks[seat]) < PRICE:
                self.need(choice == FLEES, path, choice, "two cards are needed to buy in [WAR-54]")
            elif choice == UNANSWERED:
                waiting |= 1 << seat
            else:
                self.need(choice in (UNKNOWN, FLEES) or self.buys_lower(seat, choice), path, choice, "not possible")
        return waiting

    def buys_lower(self, seat: int, choice: int) -> bool:
        return choice >= BUYS and bool(may_buy_into(self.state, seat, choice - BUYS))

    def recruiter(self) -> int:
        """WAR-36: the next warrior in ring order."""
        state = self.state
        self.need(filled_slots(state) > 0, "slots", "", "there is nobody to recruit [WAR-41]")
        return self.one(in_ring(state, int(state.wars[0].warriors) & ~int(state.picked), 0))

    def sweeper(self) -> int:
        """WAR-32."""
        acting = self.given.acting or []
        self.need(self.state.options.auto_sweep == 0, "phase", "SWEEP", "pots sweep themselves at this table")
        known = len(acting) == 1 and 0 <= acting[0] < self.state.players and is_in(self.alive, acting[0])
        self.need(known, "acting", acting, "the winner sweeps")
        return self.one(acting[0])
