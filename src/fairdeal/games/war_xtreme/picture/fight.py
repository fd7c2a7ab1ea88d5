"""WAR X-TREME: the fight in the middle of the table, with a column for each fighter, or the last result between
fights."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.seats import is_in, lowest_seat, members, size_of
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.scene import Voice, Zone
from fairdeal.engine.scene.instruments import Fight, Fighter
from fairdeal.games.war_xtreme.catalogue.names import Words
from fairdeal.games.war_xtreme.catalogue.tables import WAR, WIN
from fairdeal.games.war_xtreme.picture.zones import at_war, war_text, war_title
from fairdeal.games.war_xtreme.rules import fight as rules
from fairdeal.games.war_xtreme.state import ON_TABLE, POT, POT_UP, phase_of
from fairdeal.games.war_xtreme.text.prompts import as_it_stands
from fairdeal.games.war_xtreme.text.standing import swept_by, tagged

STEPS = ("turned", "stakes", "recruit")
"""The zones of a warrior, in the order in which their cards were laid down."""


def fight(state: Snapshot, words: Words, voice: Voice, zones: Sequence[Zone]) -> Fight | None:
    """Return the fight with its columns, or None before the deal."""
    featured = {zone.id: zone for zone in zones if zone.id.startswith("table") or zone.panel}
    if phase_of(state) == "EXTREME" or not featured:
        return None
    seats = [(max(voice.viewer, 0) + number) % state.players for number in range(state.players)]
    if at_war(state):
        return war_fought(state, seats, featured)
    if not rules.fighters(state):
        return last_fight(state, words, voice, seats, featured)
    best, tied = best_and_tied(state)
    return Fight(
        columns=tuple(turned_by(state, seat, best, tied) for seat in seats if is_in(state.alive, seat)),
        zones=tuple(featured),
        title=as_it_stands(state, voice)[1],
        pot=size_of(rules.fighters(state)) + sum(tag >= ON_TABLE for tag in state.centre.tags[: state.centre.length]),
    )


# --- a reveal ----------------------------------------------------------------------------------------------------


def turned_by(state: Snapshot, seat: int, best: int, tied: int) -> Fighter:
    """WAR-30: return the column of a seat at a reveal, with a note if it has no card there or has fled."""
    if state.faces[seat] == EMPTY:
        return Fighter(seat, note="no card" if state.turned[seat] == EMPTY else "fled")
    return facing(state, seat, (f"table{seat}",), best, tied)


def facing(state: Snapshot, seat: int, steps: tuple[str, ...], best: int, tied: int) -> Fighter:
    """Return the column of a face-up card, with its effective rank."""
    value, parts = force(state, seat)
    leads = is_in(best, seat)
    return Fighter(seat, steps, "", value, parts, leads, "leads" if leads else "tie" if is_in(tied, seat) else "")


def force(state: Snapshot, seat: int) -> tuple[str, str]:
    """Return the effective rank of a face-up card and its derivation, such as `11` or `9 + 2`."""
    if state.declared[seat]:
        return "War", "declared"
    value = rules.effective_rank(state, seat)
    if state.called[seat]:
        return str(value), "called"
    more = value - rules.card_rank(state, state.faces[seat])
    sign = "+" if more > 0 else "−"
    return str(value), f"{value - more} {sign} {abs(more)}" if more else ""


def best_and_tied(state: Snapshot) -> tuple[int, int]:
    """Return two sets: the seats that lead an open fight, and the seats that tie.

    No seat leads if a war follows, or if a special kind acts, unless it is a single Win card.
    """
    seats = rules.fighters(state)
    kind = rules.acting_kind(rules.kinds_present(state, seats))
    if kind >= WAR:  # kinds are ordered by rank
        owners = rules.seats_of_kind(state, seats, kind)
        return (owners, 0) if kind == WIN and size_of(owners) == 1 else (0, 0)
    powers = rules.all_powers(state, seats)
    best, ranks = rules.highest_power(state, seats, powers), rules.tied_ranks(state, seats, powers)
    tied = sum(1 << seat for seat in members(seats) if ranks >> rules.power_of(powers, seat) & 1)
    first = rules.seats_with(state, seats, powers, best)
    if rules.in_clash(state):
        tied &= first
    return (0, tied) if tied else (1 << lowest_seat(first), 0)


# --- a war -------------------------------------------------------------------------------------------------------


def war_fought(state: Snapshot, seats: Sequence[int], featured: Mapping[str, Zone]) -> Fight:
    """WAR-35 to 41: return the current war, with the calling card, the stakes and the recruit of each warrior."""
    war = state.wars[0]
    recruits = [state.faces[seat] for seat in members(war.warriors)]
    lie_open = phase_of(state) not in ("BRACE", "RECRUIT") and UNKNOWN not in recruits and rules.in_clash(state)
    best, tied = best_and_tied(state) if lie_open else (0, 0)
    columns = [
        warrior(state, seat, featured, best, tied) if is_in(war.warriors, seat) else Fighter(seat, note="fled")
        for seat in seats
        if is_in(war.warriors, seat) or has_fled(state, seat)
    ]
    staked = sum(tag < POT for tag in state.centre.tags[: state.centre.length])
    return Fight(
        columns=tuple(columns),
        zones=tuple(featured),
        title=war_title(war),
        text=war_text(state, war.depth),
        pot=staked + sum(card != EMPTY for card in recruits),
        pile="pot0" if "pot0" in featured else "",
        next=f"{war_title(state.wars[1])} next" if state.war_count > 1 else "",
    )


def warrior(state: Snapshot, seat: int, featured: Mapping[str, Zone], best: int, tied: int) -> Fighter:
    steps = tuple(f"{step}{seat}" for step in STEPS if f"{step}{seat}" in featured)
    if state.faces[seat] in (EMPTY, UNKNOWN) or not best | tied:
        return Fighter(seat, steps, note="picked" if is_in(state.picked, seat) and not best | tied else "")
    return facing(state, seat, steps, best, tied)


def has_fled(state: Snapshot, seat: int) -> bool:
    """WAR-51: return whether a seat has fled from the war. If so, its turned card is not in a pot."""
    if state.turned[seat] == EMPTY or any(is_in(war.warriors, seat) for war in state.wars[: state.war_count]):
        return False
    pots = [card for number in range(state.war_count) for card in tagged(state, POT * number + POT_UP)]
    return state.turned[seat] not in pots


# --- between fights ----------------------------------------------------------------------------------------------


def last_fight(
    state: Snapshot, words: Words, voice: Voice, seats: Sequence[int], featured: Mapping[str, Zone]
) -> Fight:
    """Return the cards turned last and the winner, or empty places for cards before the first fight."""
    winner, shown = swept_by(state), [seat for seat in seats if state.turned[seat] != EMPTY]
    columns = []
    for seat in seats:
        ready = phase_of(state) == "PREP" and is_in(state.flipped, seat)
        note = "ready" if ready else "won" if seat == winner else ""
        if seat in shown:
            face = words.codes[state.turned[seat]]
            columns.append(Fighter(seat, face=face, leads=seat == winner, note=note))
        elif f"table{seat}" in featured:
            columns.append(Fighter(seat, (f"table{seat}",), note=note))
    took = "Nobody took anything." if winner == NOBODY else f"{voice.does(winner, 'take')} the pot."
    return Fight(
        columns=tuple(columns),
        zones=tuple(featured),
        title=took if shown else "Everybody turns a card.",
        done=bool(shown),
    )
