"""WAR X-TREME: checks that a position fits its phase (section 6), and the seats that may act in it."""

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import opened
from fairdeal.engine.kit.seats import is_in, lowest_seat, members, size_of
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, Record
from fairdeal.games.war_xtreme.catalogue.tables import REGULAR, SPEED, WILD
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.aiming import can_play_equipment
from fairdeal.games.war_xtreme.rules.deal import clear_table
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.rules.reveal import PRICE, all_warriors, may_buy_into
from fairdeal.games.war_xtreme.rules.taxes import filled_slots
from fairdeal.games.war_xtreme.state import ARRIVAL, BUYS, CHOOSE, FLEES, IS_SPOILS, UNANSWERED
from fairdeal.games.war_xtreme.text.positions import Position, Reader
from fairdeal.games.war_xtreme.text.standing import in_ring_order

REVEALS, CLASHES = ("REACT", "WILD", "RACE", "CHOICE"), ("RECRUIT", "CLASH", "WILD", "RACE")


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, Position, state)
    start_match(state, 1, 0)
    clear_table(state)
    Reader(state).read(given)
    settle_phase(state, given)


def settle_phase(state: Record, given: Position) -> None:
    """Check the requirements of the phase, and set the seats that may act. Raises BadPosition if a requirement is not
    met."""
    settler = Settler(snapshot(state), given)
    settler.check()
    state.over = given.phase == "OVER"
    state.to_act = 0 if state.over else settler.acting()
    state.turn = settler.turn
    if given.dispute:
        state.challenger = given.dispute[0]
    need(state.over or state.to_act, "phase", given.phase, "no seat can act in this position")
    if given.acting is not None:
        seats = members(state.to_act)
        need(given.acting == seats, "acting", given.acting, f"the seats that may act are {seats}")


def need(holds: object, path: str, value: Any, words: str) -> None:
    """Raise BadPosition if a condition does not hold."""
    if not holds:
        raise BadPosition(path, value, words)


class Settler:
    """The checks of one position, and the seats that may act in it."""

    def __init__(self, state: Snapshot, given: Position) -> None:
        self.state, self.given = state, given
        self.phase, self.alive, self.turn = given.phase, state.alive, state.turn
        self.purpose = given.regroup.purpose if given.regroup and given.phase == "REGROUP" else ""
        self.depth = state.wars[0].depth
        self.answered = sum(1 << seat for seat, choice in enumerate(state.choices) if choice != UNANSWERED)

    # --- conditions for all phases, or for most

    def check(self) -> None:
        self.check_seats()
        if self.phase == "EXTREME":
            self.check_empty_table()
        elif self.phase != "OVER":
            need(size_of(self.alive) > 1, "seats", size_of(self.alive), "at least two seats must be alive [WAR-92]")
        self.check_wars()
        self.check_faces()
        self.check_fight()
        self.check_small_fields()

    def check_seats(self) -> None:
        for seat, written in enumerate(self.given.seats):
            path, cards = f"seats[{seat}]", len(written.army) + len(written.camp)
            if written.alive:
                need(written.out_round == 0, f"{path}.out_round", written.out_round, "it must be 0 for a living seat")
                ready = written.army or self.phase not in ("PREP", "DISPUTE")
                need(ready, f"{path}.army", [], "a living seat needs an army before the round starts [WAR-60]")
                # a deck may be empty in the middle of a round
                need(cards or self.purpose not in ("round", "turn"), path, "", "this seat needs cards")
            else:
                has = cards + len(written.hand) + len(written.hidden) + len(written.in_play)
                gone = has == 0 and self.state.faces[seat] == EMPTY
                need(gone, path, "", "a seat that is not alive cannot have cards [WAR-02, WAR-33]")
            flips = written.alive and (self.phase in ("PREP", "DISPUTE") or self.purpose == "turn")
            need(flips or not written.flipped, f"{path}.flipped", True, "not allowed in this phase")
            once = len(set(written.said)) == len(written.said)
            need(once, f"{path}.said", written.said, "give each word at most once [WAR-86, WAR-89]")

    def check_empty_table(self) -> None:
        """WAR-03: check that the table is empty before the deal."""
        state, given = self.state, self.given
        empty = self.alive == 0 and state.tax.length == 0 and filled_slots(state) == 0
        need(empty, "phase", given.phase, "the table must be empty before the deal [WAR-03]")
        need(not given.store and not given.junk and not given.wars, "phase", given.phase, "not allowed before the deal")
        need(not any(seat.out_round for seat in given.seats), "phase", given.phase, "no seat can be out yet")

    def check_wars(self) -> None:
        """WAR-35, 50: check that wars have different warriors and decreasing ranks, and that the phase allows them."""
        state, given, seen = self.state, self.given, 0
        for number, written in enumerate(given.wars):
            war, path = state.wars[number], f"wars[{number}]"
            apart = size_of(war.warriors) > 1 and not war.warriors & seen
            need(apart, f"{path}.warriors", written.warriors, "give at least two seats, each in only one war")
            living = not (war.warriors | war.borrowing) & ~self.alive
            need(living, f"{path}.warriors", written.warriors, "all warriors must be alive")
            falling = number == 0 or war.rank < state.wars[number - 1].rank
            need(falling, f"{path}.rank", written.rank, "wars must be in descending order of rank [WAR-50]")
            need(war.depth > 0 or not (written.pot_down or war.borrowing), path, "", "a war of depth 0 has no stakes")
            seen |= war.warriors
        begun = self.phase in ("BRACE", "RECRUIT", "CLASH") or self.purpose == "stakes"
        called = self.phase == "CHOICE" or self.purpose == "price"
        if self.depth > 0:
            fought = begun or self.phase in ("WILD", "RACE")
            need(fought, "wars[0].depth", self.depth, f"no war can be in progress in phase {given.phase}")
        elif given.wars:
            need(called or self.phase == "SWEEP", "wars", "", f"there can be no wars in phase {given.phase}")
        need(not begun or self.depth > 0, "wars", "", "a war must be in progress in this phase")
        need(not called or given.wars, "wars", "", "give at least one war in this phase")

    def check_faces(self) -> None:
        """Check that cards lie on tables only at a reveal, and that recruits have been picked only in a war."""
        state, phase = self.state, self.given.phase
        tables = [seat for seat, written in enumerate(self.given.seats) if written.table]
        on_tables = self.depth == 0 and (self.phase in REVEALS or self.purpose == "price")
        need(on_tables or not tables, "seats", tables, f"there can be no cards on tables in phase {phase}")
        picked, warriors, path = members(state.picked), in_ring_order(state, state.wars[0].warriors), "wars[0].recruits"
        if self.depth > 0 and self.phase in CLASHES:
            right = picked == sorted(warriors[: len(picked)])
            need(right, path, "", "warriors must pick in ring order [WAR-36]")
            whole = len(picked) == len(warriors)
            need(whole == (self.phase != "RECRUIT"), path, "", "a pick is missing in RECRUIT only [WAR-36]")
        else:
            need(not picked, path, "", f"there can be no recruits in phase {phase}")

    def check_fight(self) -> None:
        """Check that `fight`, if given, names exactly the seats with a face-up card."""
        state, named = self.state, self.given.fight
        if self.phase in (*REVEALS, "CLASH"):
            shown = {str(seat) for seat, face in enumerate(state.faces) if face != EMPTY}
            same = not named or set(named) == shown
            need(same, "fight", sorted(named), f"the seats with face-up cards are {sorted(shown)}")
        else:
            need(not named, "fight", "", f"there can be no fight in phase {self.given.phase}")

    def check_small_fields(self) -> None:
        state, given, phase = self.state, self.given, self.phase
        fighting = {seat for seat, face in enumerate(state.faces) if face != EMPTY and phase in (*REVEALS, "CLASH")}
        for name, field in (("mods", given.mods), ("declared", given.declared), ("called", given.called)):
            for seat in map(int, field):
                need(seat in fighting, name, seat, "this seat is not in the fight")
        for name, target in given.declared.items():
            need(target in fighting, "declared", target, "the target must be in the fight [WAR-80]")
            regular = fight.card_kind(state, state.faces[int(name)]) == REGULAR
            need(regular, "declared", int(name), "the seat that declares must have a regular card [WAR-80]")
        for seat in map(int, given.called):
            wild = fight.card_kind(state, state.faces[seat]) == WILD
            need(wild and phase == "CHOICE", "called", seat, "allowed only for a Wild in phase CHOICE [WAR-26]")
        fought = self.depth > 0 or phase == "SWEEP"
        need(fought or not given.earned, "earned", "", "equipment is earned only in a war or in phase SWEEP [WAR-33]")
        need(phase == "RACE" or not given.locked, "locked", given.locked, "allowed only in phase RACE")
        most = size_of(self.alive) - 1 if phase in ("REACT", "BRACE", "CLASH") else 0
        need(given.passes <= most, "passes", given.passes, f"the maximum is {most} in this phase [WAR-76]")
        answers = phase in ("EXTREME", "RACE", "CHOICE") or self.purpose == "price"
        need(answers or not given.choices, "choices", "", f"there can be no choices in phase {given.phase}")
        need((phase == "REGROUP") == (given.regroup is not None), "regroup", "", "required in phase REGROUP only")
        need((phase == "DISPUTE") == (given.dispute is not None), "dispute", "", "required in phase DISPUTE only")
        need(phase == "OVER" or not given.winners, "winners", given.winners, "allowed only in phase OVER")

    # --- the seats that may act

    def acting(self) -> int:
        """Return the seats that may act in the phase."""
        deciders: dict[str, Callable[[], int]] = {
            "EXTREME": lambda: ((1 << self.state.players) - 1) & ~self.answered,
            "REGROUP": self.asked_for_trust,
            "PREP": lambda: self.alive & ~self.state.flipped,
            "DISPUTE": self.challenged,
            "WILD": self.owner_of_wild,
            "RACE": self.racers,
            "CHOICE": self.choosers,
            "RECRUIT": self.recruiter,
            "SWEEP": self.sweeper,
        }
        return deciders.get(self.phase, self.asked_in_window)()

    def one(self, seat: int) -> int:
        """Give the turn to one seat, and return that seat as a set."""
        self.turn = seat
        return 1 << seat

    def is_living(self, seat: int) -> bool:
        return 0 <= seat < self.state.players and is_in(self.alive, seat)

    def asked_for_trust(self) -> int:
        """WAR-61: return the owner who must name a seat, or the rival who must answer."""
        state, owner, asked = self.state, self.state.regroup.owner, self.state.regroup.asked
        need(state.options.trust, "phase", "REGROUP", "there is no question of trust at this table")
        need(is_in(self.alive, owner), "regroup.owner", owner, "this seat must be alive")
        if self.purpose == "round":
            need(state.flipped == 0, "seats", "", "no seat can have flipped before the round")
        elif self.purpose == "turn":
            need(state.flipped == state.alive, "seats", "", "all living seats must have flipped")
        elif self.purpose == "price":
            self.check_price(owner)
        else:
            staking = state.wars[0].warriors & ~state.wars[0].borrowing
            need(is_in(staking, owner), "regroup.owner", owner, "this seat does not lay stakes")
        if asked == NOBODY:
            need(state.options.trust_partner == CHOOSE, "regroup.asked", None, "give the seat on the left [WAR-61]")
            return self.one(owner)
        rival = is_in(self.alive, asked) and asked != owner
        need(rival, "regroup.asked", asked, "give another living seat [WAR-61]")
        return self.one(asked)

    def check_price(self, owner: int) -> None:
        """WAR-51, 54: check the choices that have not been carried out yet."""
        state = self.state
        need(state.choices[owner] >= BUYS, "regroup.owner", owner, "this seat must have chosen to buy into a war")
        for seat in members(self.answered):
            choice, path = state.choices[seat], f"choices.{seat}"
            apart = state.faces[seat] != EMPTY and not is_in(all_warriors(state), seat)
            need(apart, path, choice, "only a bystander can choose")
            able = choice < BUYS or deck_size(state.decks[seat]) >= PRICE
            need(able, path, choice, "buying in costs two cards [WAR-51]")

    def challenged(self) -> int:
        """WAR-89: return the challenged seat."""
        challenger, other = self.given.dispute or (0, 0)
        for seat in (challenger, other):
            need(self.is_living(seat), "dispute", seat, "this seat must be alive")
        waiting = challenger != other and not is_in(self.state.flipped, challenger)
        need(waiting, "dispute", challenger, "it must challenge another seat before it flips [WAR-89]")
        return self.one(other)

    def asked_in_window(self) -> int:
        """WAR-76: return the seat given as acting, or else the first seat that can play equipment."""
        acting = self.given.acting or []
        if len(acting) == 1:
            need(self.is_living(acting[0]), "acting", acting, "give a living seat")
            return self.one(acting[0])
        ring = in_ring_order(self.state, self.alive)
        return self.one(next((seat for seat in ring if can_play_equipment(self.state, seat)), ring[0]))

    def owner_of_wild(self) -> int:
        """WAR-26: return the owner of the Wild that may be called."""
        seats = fight.fighters(self.state)
        need(fight.wild_may_call(self.state, seats), "phase", "WILD", "there is no Wild to call [WAR-26]")
        need(self.depth > 0 or size_of(seats) > 1, "phase", "WILD", "a fight needs at least two seats")
        return self.one(lowest_seat(fight.seats_of_kind(self.state, seats, WILD)))

    def racers(self) -> int:
        """WAR-18 to 20: return the seats that are still in the race."""
        state, seats = self.state, fight.fighters(self.state)
        speed = fight.acting_kind(fight.kinds_present(state, seats)) == SPEED and size_of(seats) > 1
        need(speed, "phase", "RACE", "a race needs a Speed card that acts [WAR-18]")
        by_arrival = state.options.race == ARRIVAL
        out = state.locked if by_arrival else self.answered
        need(not out & ~seats, "phase", "RACE", "only seats in the fight can race [WAR-18]")
        need(not (by_arrival and self.answered), "choices", "", "at this table, actions count at once [WAR-20]")
        need(by_arrival or state.locked == 0, "locked", "", "at this table, no seat is locked [WAR-20]")
        return seats & ~out

    def choosers(self) -> int:
        """WAR-51 to 54: return the bystanders above a war who have not chosen."""
        state = self.state
        seats, warriors, waiting = fight.fighters(state), all_warriors(state), 0
        powers, ranks = fight.all_powers(state, seats), [war.rank for war in state.wars[: state.war_count]]
        need(not warriors & ~seats, "wars", "", "each warrior needs a face-up card")
        for seat in range(state.players):
            choice, path, power = state.choices[seat], f"choices.{seat}", fight.power_of(powers, seat)
            if not is_in(seats & ~warriors, seat):
                need(choice == UNANSWERED, path, choice, "only bystanders can choose [WAR-51]")
                continue
            need(power not in ranks, "wars", power, "a bystander's card cannot have the rank of a war [WAR-35]")
            if power < min(ranks):
                need(choice == IS_SPOILS, path, choice, "a card below all wars must be spoils [WAR-52]")
            elif deck_size(state.decks[seat]) < PRICE:
                need(choice == FLEES, path, choice, "a seat without two cards must flee [WAR-54]")
            elif choice == UNANSWERED:
                waiting |= 1 << seat
            else:
                buys = choice >= BUYS and may_buy_into(state, seat, choice - BUYS)
                need(buys or choice in (UNKNOWN, FLEES), path, choice, "this seat cannot buy into that war [WAR-52]")
        return waiting

    def recruiter(self) -> int:
        """WAR-36: return the next warrior in ring order."""
        state = self.state
        need(filled_slots(state) > 0, "slots", "", "recruiting needs at least one filled slot [WAR-41]")
        return self.one(in_ring_order(state, state.wars[0].warriors & ~state.picked)[0])

    def sweeper(self) -> int:
        """WAR-32: return the winner, who must sweep."""
        acting = self.given.acting or []
        need(self.state.options.auto_sweep == 0, "phase", "SWEEP", "pots are swept automatically at this table")
        need(len(acting) == 1 and self.is_living(acting[0]), "acting", acting, "give the winner, a living seat")
        return self.one(acting[0])
