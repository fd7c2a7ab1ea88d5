"""WAR X-TREME: what must hold between the fields of every state, and the seats that may act in a position
(docs/rules/war-xtreme.md, section 6)."""

from collections.abc import Callable, Mapping

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.seats import is_in, lowest_seat, members, size_of
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.written import Condition
from fairdeal.games.war_xtreme.catalogue.tables import REGULAR, SPEED, WILD
from fairdeal.games.war_xtreme.fields import REVEALS
from fairdeal.games.war_xtreme.options import ARRIVAL, CHOOSE
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.aiming import can_play_equipment
from fairdeal.games.war_xtreme.rules.deal import clear_table
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_size
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.rules.reveal import PRICE, all_warriors, may_buy_into
from fairdeal.games.war_xtreme.rules.taxes import filled_slots
from fairdeal.games.war_xtreme.state import (
    BRACE,
    BUYS,
    CALLING,
    CHOICE,
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
    JUNK,
    ON_TABLE,
    OVER,
    PHASES,
    POT,
    POT_UP,
    PREP,
    RACE,
    REACT,
    RECRUITING,
    REGROUP,
    SWEEPING,
    UNANSWERED,
)
from fairdeal.games.war_xtreme.text.standing import in_ring_order, tagged

TOGETHER = (EXTREME, PREP, RACE, CHOICE)
"""The phases in which several seats may act."""
WINDOWS = (REACT, BRACE, CLASH)
"""WAR-76: the phases in which a seat is asked for equipment."""

# --- what a state is about ---------------------------------------------------------------------------------------


def is_for(state: Snapshot, *purposes: int) -> bool:
    """Return whether a seat regroups for one of these purposes."""
    return state.phase == REGROUP and state.regroup.purpose in purposes


def is_alive(state: Snapshot, seat: int) -> bool:
    return seat != NOBODY and is_in(state.alive, seat)


def is_fought(state: Snapshot) -> bool:
    """Return whether a war must be in progress."""
    return state.phase in (BRACE, RECRUITING, CLASH) or is_for(state, FOR_STAKES)


def is_called(state: Snapshot) -> bool:
    """Return whether wars must have been called, and none has begun."""
    return state.phase == CHOICE or is_for(state, FOR_PRICE)


def is_picked(state: Snapshot) -> bool:
    """Return whether recruits are picked, or have been."""
    return state.wars[0].depth > 0 and state.phase in (RECRUITING, CLASH, CALLING, RACE)


def answered(state: Snapshot) -> int:
    """Return the seats that have answered, as a set."""
    return sum(1 << seat for seat, choice in enumerate(state.choices) if choice != UNANSWERED)


def fights(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has a face-up card in a fight."""
    return bool(state.faces[seat] != EMPTY and state.phase in (*REVEALS, CLASH))


def in_phase(words: str) -> Callable[..., str]:
    """Return a reason that ends with the name of the phase."""
    return lambda state, *seat: f"there can be no {words} in phase {PHASES[state.phase]}"


# --- seats -------------------------------------------------------------------------------------------------------


def has_cards(state: Snapshot, seat: int) -> bool:
    kits = any(zone_size(state.equipment, zone + seat) for zone in (IN_HAND, HIDDEN, IN_PLAY))
    return bool(kits or deck_size(state.decks[seat]) or state.faces[seat] != EMPTY)


def has_table(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has cards on its table that are not recruits, and no reveal is fought."""
    revealed = state.wars[0].depth == 0 and (state.phase in REVEALS or is_for(state, FOR_PRICE))
    faces = state.faces[seat] != EMPTY and not is_in(state.picked, seat)
    return not revealed and (faces or bool(tagged(state, ON_TABLE + seat)))


def may_have_flipped(state: Snapshot, seat: int) -> bool:
    return is_alive(state, seat) and (state.phase in (PREP, DISPUTING) or is_for(state, FOR_TURN))


SEAT_CONDITIONS = (
    Condition(
        "phase",
        "the table must be empty before the deal [WAR-03]",
        lambda state: state.alive or state.tax.length or filled_slots(state) or state.equipment.ends[JUNK],
        (EXTREME,),
    ),
    Condition(
        "seats",
        lambda state: f"at least two seats must be alive, not {size_of(state.alive)} [WAR-92]",
        lambda state: size_of(state.alive) < 2,
        tuple(range(EXTREME + 1, OVER)),
    ),
    Condition(
        "seats[{}].out_round",
        "only a seat that was dealt in and is not alive can be out",
        lambda state, seat: state.seats[seat].out_round and (is_alive(state, seat) or state.phase == EXTREME),
    ),
    Condition(
        "seats[{}].army",
        "a living seat needs an army before the round starts [WAR-60]",
        lambda state, seat: is_alive(state, seat) and not state.decks[seat].army,
        (PREP, DISPUTING),
    ),
    Condition(  # a deck may be empty in the middle of a round
        "seats[{}]",
        "this seat needs cards",
        lambda state, seat: (
            is_alive(state, seat) and is_for(state, FOR_ROUND, FOR_TURN) and not deck_size(state.decks[seat])
        ),
    ),
    Condition(
        "seats[{}]",
        "a seat that is not alive cannot have cards [WAR-02, WAR-33]",
        lambda state, seat: not is_alive(state, seat) and has_cards(state, seat),
    ),
    Condition(
        "seats[{}].flipped",
        "not allowed in this phase",
        lambda state, seat: is_in(state.flipped, seat) and not may_have_flipped(state, seat),
    ),
    Condition(
        "seats[{}].seen",
        "one of these slots is empty",
        lambda state, seat: any(state.slots[slot] == EMPTY for slot in members(state.seats[seat].seen)),
    ),
    Condition("seats[{}].table", in_phase("cards on tables"), has_table),
)

# --- wars --------------------------------------------------------------------------------------------------------


def of_war(wrong: Callable[[Snapshot, int], object]) -> Callable[[Snapshot, int], object]:
    """Return a function that returns whether a state breaks a requirement for the war of this number, if there is one.
    A war has two warriors, so that there are fewer wars than seats."""
    return lambda state, number: number < state.war_count and wrong(state, number)


def shares_warriors(state: Snapshot, number: int) -> bool:
    warriors = state.wars[number].warriors
    return size_of(warriors) < 2 or any(warriors & war.warriors for war in state.wars[:number])


def has_stakes(state: Snapshot, number: int) -> bool:
    tags = state.centre.tags[: state.centre.length]
    return state.wars[number].borrowing or any(number * POT <= tag < number * POT + POT_UP for tag in tags)


def has_wars_too_early(state: Snapshot) -> bool:
    called = is_called(state) or is_fought(state) or state.phase == SWEEPING
    return state.war_count > 0 and state.wars[0].depth == 0 and not called


def picks_out_of_turn(state: Snapshot) -> bool:
    warriors = in_ring_order(state, state.wars[0].warriors)
    return is_picked(state) and members(state.picked) != sorted(warriors[: size_of(state.picked)])


WAR_CONDITIONS = (
    Condition("wars[{}].warriors", "give at least two seats, each in only one war", of_war(shares_warriors)),
    Condition(
        "wars[{}].warriors",
        "all warriors must be alive",
        of_war(lambda state, number: (state.wars[number].warriors | state.wars[number].borrowing) & ~state.alive),
    ),
    Condition(
        "wars[{}].rank",
        "wars must be in descending order of rank [WAR-50]",
        of_war(lambda state, number: number and state.wars[number].rank >= state.wars[number - 1].rank),
    ),
    Condition(
        "wars[{}].depth",
        "only the first war can be in progress [WAR-50]",
        of_war(lambda state, number: number and state.wars[number].depth),
    ),
    Condition(
        "wars[{}]",
        "a war of depth 0 has no stakes",
        of_war(lambda state, number: state.wars[number].depth == 0 and has_stakes(state, number)),
    ),
    Condition(
        "wars[0].depth",
        in_phase("war in progress"),
        lambda state: state.wars[0].depth and not is_fought(state) and state.phase not in (CALLING, RACE),
    ),
    Condition("wars", in_phase("wars"), has_wars_too_early),
    Condition(
        "wars",
        "a war must be in progress in this phase",
        lambda state: is_fought(state) and state.wars[0].depth == 0,
    ),
    Condition("wars", "give at least one war in this phase", lambda state: is_called(state) and state.war_count == 0),
    Condition("wars[0].recruits", "warriors must pick in ring order [WAR-36]", picks_out_of_turn),
    Condition(
        "wars[0].recruits",
        "a pick is missing in RECRUIT only [WAR-36]",
        lambda state: is_picked(state) and (state.picked == state.wars[0].warriors) == (state.phase == RECRUITING),
    ),
    Condition("wars[0].recruits", in_phase("recruits"), lambda state: state.picked and not is_picked(state)),
    Condition(
        "slots",
        "recruiting needs at least one filled slot [WAR-41]",
        lambda state: not filled_slots(state),
        (RECRUITING,),
    ),
)

# --- fights ------------------------------------------------------------------------------------------------------


def of_fight(name: str) -> Condition:
    """Return the condition that a seat has one of the values of a fight only if it fights."""
    return Condition(
        f"{name}.{{}}",
        "this seat is not in the fight",
        lambda state, seat: state[name][seat] != 0 and not fights(state, seat),
    )


def is_card(state: Snapshot, seat: int, kind: int) -> bool:
    """Return whether the face-up card of a seat is of a kind."""
    return bool(fight.card_kind(state, state.faces[seat]) == kind)


def most_passes(state: Snapshot) -> int:
    """WAR-76: return the maximum number of passes."""
    return size_of(state.alive) - 1 if state.phase in WINDOWS else 0


def race_lacks_speed(state: Snapshot) -> bool:
    seats = fight.fighters(state)
    return size_of(seats) < 2 or fight.acting_kind(fight.kinds_present(state, seats)) != SPEED


def out_of_race(state: Snapshot) -> int:
    """WAR-20: return the seats that are no longer in a race."""
    return int(state.locked if state.options.race == ARRIVAL else answered(state))


FIGHT_CONDITIONS = (
    *map(of_fight, ("mods", "declared", "called")),
    Condition(
        "declared.{}",
        "the target must be another seat in the fight [WAR-80]",
        lambda state, seat: (
            state.declared[seat] and (state.declared[seat] == seat + 1 or not fights(state, state.declared[seat] - 1))
        ),
    ),
    Condition(
        "declared.{}",
        "the seat that declares must have a regular card [WAR-80]",
        lambda state, seat: state.declared[seat] and not is_card(state, seat, REGULAR),
    ),
    Condition(
        "called.{}",
        "allowed only for a Wild in phase CHOICE [WAR-26]",
        lambda state, seat: state.called[seat] and not (state.phase == CHOICE and is_card(state, seat, WILD)),
    ),
    Condition(
        "earned",
        "equipment is earned only in a war or in phase SWEEP [WAR-33]",
        lambda state: state.earned.length and state.wars[0].depth == 0 and state.phase != SWEEPING,
    ),
    Condition("locked", "allowed only in phase RACE", lambda state: state.locked and state.phase != RACE),
    Condition(
        "passes",
        lambda state: f"the maximum is {most_passes(state)} in this phase [WAR-76]",
        lambda state: state.passes > most_passes(state),
    ),
    Condition(
        "choices",
        in_phase("choices"),
        lambda state: answered(state) and state.phase not in (EXTREME, RACE) and not is_called(state),
    ),
    Condition("winners", "allowed only in phase OVER", lambda state: state.winners and state.phase != OVER),
    Condition(
        "phase",
        "there is no Wild to call [WAR-26]",
        lambda state: not fight.wild_may_call(state, fight.fighters(state)),
        (CALLING,),
    ),
    Condition(
        "phase",
        "a fight needs at least two seats",
        lambda state: state.wars[0].depth == 0 and size_of(fight.fighters(state)) < 2,
        (CALLING,),
    ),
    Condition("phase", "a race needs a Speed card that acts [WAR-18]", race_lacks_speed, (RACE,)),
    Condition(
        "phase",
        "only seats in the fight can race [WAR-18]",
        lambda state: out_of_race(state) & ~fight.fighters(state),
        (RACE,),
    ),
    Condition(
        "choices",
        "at this table, actions count at once [WAR-20]",
        lambda state: state.options.race == ARRIVAL and answered(state),
        (RACE,),
    ),
    Condition(
        "locked",
        "at this table, no seat is locked [WAR-20]",
        lambda state: state.options.race != ARRIVAL and state.locked,
        (RACE,),
    ),
)

# --- bystanders --------------------------------------------------------------------------------------------------


def why_not_chosen(state: Snapshot, seat: int) -> str:
    """WAR-51 to 54: return the reason why a seat cannot have its choice, or an empty string."""
    seats, choice = fight.fighters(state), state.choices[seat]
    power, war = fight.power_of(fight.all_powers(state, seats), seat), state.wars[: state.war_count]
    if not is_in(seats & ~all_warriors(state), seat):
        return "only bystanders can choose [WAR-51]" if choice != UNANSWERED else ""
    if any(power == one.rank for one in war):
        return "a bystander's card cannot have the rank of a war [WAR-35]"
    if power < war[-1].rank:
        return "a card below all wars must be spoils [WAR-52]" if choice != IS_SPOILS else ""
    if deck_size(state.decks[seat]) < PRICE:
        return "a seat without two cards must flee [WAR-54]" if choice != FLEES else ""
    buys = choice >= BUYS and may_buy_into(state, seat, choice - BUYS)
    known = buys or choice in (UNANSWERED, UNKNOWN, FLEES)
    return "" if known else "this seat cannot buy into that war [WAR-52]"


BYSTANDER_CONDITIONS = (
    Condition(
        "wars",
        "each warrior needs a face-up card",
        lambda state: all_warriors(state) & ~fight.fighters(state),
        (CHOICE,),
    ),
    Condition("choices.{}", why_not_chosen, why_not_chosen, (CHOICE,)),
    Condition(
        "choices.{}",
        "only a bystander can choose",
        lambda state, seat: (
            is_for(state, FOR_PRICE)
            and state.choices[seat] != UNANSWERED
            and (state.faces[seat] == EMPTY or is_in(all_warriors(state), seat))
        ),
    ),
    Condition(
        "choices.{}",
        "buying in costs two cards [WAR-51]",
        lambda state, seat: (
            is_for(state, FOR_PRICE) and state.choices[seat] >= BUYS and deck_size(state.decks[seat]) < PRICE
        ),
    ),
)

# --- regrouping, quarrels and windows ----------------------------------------------------------------------------

ASKING_CONDITIONS = (
    Condition(
        "phase", "there is no question of trust at this table", lambda state: not state.options.trust, (REGROUP,)
    ),
    Condition(
        "regroup.owner",
        "this seat must be alive",
        lambda state: not is_alive(state, state.regroup.owner),
        (REGROUP,),
    ),
    Condition(
        "regroup.new",
        "the army has fewer cards [WAR-60]",
        lambda state: state.regroup.fresh > state.decks[state.regroup.owner].army,
        (REGROUP,),
    ),
    Condition(
        "seats",
        "no seat can have flipped before the round",
        lambda state: is_for(state, FOR_ROUND) and state.flipped,
    ),
    Condition(
        "seats",
        "all living seats must have flipped",
        lambda state: is_for(state, FOR_TURN) and state.flipped != state.alive,
    ),
    Condition(
        "regroup.owner",
        "this seat must have chosen to buy into a war",
        lambda state: is_for(state, FOR_PRICE) and state.choices[state.regroup.owner] < BUYS,
    ),
    Condition(
        "regroup.owner",
        "this seat does not lay stakes",
        lambda state: (
            is_for(state, FOR_STAKES)
            and not is_in(state.wars[0].warriors & ~state.wars[0].borrowing, state.regroup.owner)
        ),
    ),
    Condition(
        "regroup.asked",
        "give the seat on the left [WAR-61]",
        lambda state: state.regroup.asked == NOBODY and state.options.trust_partner != CHOOSE,
        (REGROUP,),
    ),
    Condition(
        "regroup.asked",
        "give another living seat [WAR-61]",
        lambda state: (
            state.regroup.asked == state.regroup.owner
            or not (state.regroup.asked == NOBODY or is_alive(state, state.regroup.asked))
        ),
        (REGROUP,),
    ),
    Condition(
        "dispute",
        "both seats must be alive",
        lambda state: not (is_alive(state, state.challenger) and is_alive(state, state.turn)),
        (DISPUTING,),
    ),
    Condition(
        "dispute",
        "it must challenge another seat before it flips [WAR-89]",
        lambda state: state.challenger == state.turn or is_in(state.flipped, state.challenger),
        (DISPUTING,),
    ),
    Condition(
        "acting",
        "give a living seat",
        lambda state: state.turn != NOBODY and not is_alive(state, state.turn),
        WINDOWS,
    ),
    Condition(
        "phase", "pots are swept automatically at this table", lambda state: state.options.auto_sweep, (SWEEPING,)
    ),
    Condition("acting", "give the winner, a living seat", lambda state: not is_alive(state, state.turn), (SWEEPING,)),
)

CONDITIONS = (*SEAT_CONDITIONS, *WAR_CONDITIONS, *FIGHT_CONDITIONS, *BYSTANDER_CONDITIONS, *ASKING_CONDITIONS)
"""The conditions of every state."""

# --- the seats that may act --------------------------------------------------------------------------------------


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    start_match(state, 1, 0)
    clear_table(state)


def asked_alone(state: Snapshot) -> int:
    """Return the seat on turn or, in a window, the first one that can play equipment (WAR-76)."""
    if state.turn != NOBODY:
        return 1 << state.turn
    ring = in_ring_order(state, state.alive)
    return 1 << next((seat for seat in ring if can_play_equipment(state, seat)), ring[0])


ASKED: Mapping[int, Callable[[Snapshot], int]] = {
    EXTREME: lambda state: ((1 << state.players) - 1) & ~answered(state),
    REGROUP: lambda state: 1 << (state.regroup.owner if state.regroup.asked == NOBODY else state.regroup.asked),
    PREP: lambda state: state.alive & ~state.flipped,
    CALLING: lambda state: 1 << lowest_seat(fight.seats_of_kind(state, fight.fighters(state), WILD)),
    RACE: lambda state: fight.fighters(state) & ~out_of_race(state),
    CHOICE: lambda state: fight.fighters(state) & ~all_warriors(state) & ~answered(state),
    RECRUITING: lambda state: 1 << in_ring_order(state, state.wars[0].warriors & ~state.picked)[0],
    OVER: lambda state: 0,
}
"""The seats that may act in a phase, as a set, unless a seat is asked alone."""


def settle_position(state: Fields) -> None:
    """Let the seats act that may. Raises BadPosition if there are none."""
    table = snapshot(state)
    state.to_act = ASKED.get(table.phase, asked_alone)(table)
    if not (state.over or state.to_act):
        raise BadPosition("phase", PHASES[table.phase], "no seat can act in this position")
    state.turn = 0 if state.over or table.phase in TOGETHER else lowest_seat(state.to_act)
