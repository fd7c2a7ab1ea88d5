"""Additions to a room's table besides the game itself: running clocks, absent players and free seats."""

import time
from collections.abc import Mapping, Sequence

from fairdeal.engine.scene import Clock, Prompt, Scene, Seat, count_of, listed
from fairdeal.protocol.bodies import History
from fairdeal.protocol.messages import Chair, Facts
from fairdeal.table.clocks import DAY
from fairdeal.table.log import Failed
from fairdeal.terminal.screens.time_left import left, timed


def is_idle(chair: Chair, facts: Facts) -> bool:
    """Return whether a chair belongs to another player who is away, so that a bot may play for them."""
    running = facts.status == "running" and facts.seat >= 0 and chair.seat != facts.seat and facts.clock < DAY
    return running and chair.plays == "person" and not chair.here and not chair.stand_in


def is_with_bots(facts: Facts) -> bool:
    """Return whether the user plays only against bots."""
    return not any(chair.is_other for chair in facts.chairs)


def leaving(facts: Facts) -> str:
    """Return what follows if the user leaves a table."""
    if facts.status == "open":
        return "Then somebody else can take the seat."
    if facts.rated:
        return "A bot plays for you. As soon as it has moved, you count as last. Until then you can return:"
    if not is_with_bots(facts):
        return "A bot plays for you until you return:"
    return f"The game pauses until you return. {'No clock runs, and no' if facts.clock else 'No'} bot plays for you:"


def score_in_words(facts: Facts) -> str:
    """Return the games that the people at a table have won against one another, such as `Ada 3 : 2 Zoe`. Return an
    empty string before their first one is over."""
    won = [(facts.chairs[seat].name, wins) for seat, wins in facts.score]
    if len(won) == 2:
        (one, wins), (other, losses) = won
        return f"{one} {wins} : {losses} {other}"
    return ", ".join(f"{name} {wins}" for name, wins in sorted(won, key=lambda one: -one[1]))


def history_in_words(found: History) -> list[tuple[str, str]]:
    """Return a guest's ratings and finished games as rows of two columns."""
    rows = []
    for one in found.standings:
        rating = f", rating {one.strength.text} after {one.strength.games}" if one.strength else ""
        rows.append((one.title, f"{count_of(one.games, 'game')}{rating}"))
    for game in found.played:
        at = time.strftime("%Y-%m-%d", time.localtime(game.ended))
        others = listed([seat.name for seat in game.others])
        rows.append((at, f"{game.title}{others and f' with {others}'}: {game.result}"))
    return rows


def dressed(scene: Scene, facts: Facts, since: float, now: float, reactions: Mapping[int, str]) -> Scene:
    """Return a scene as shown at the room's time `now`, `since` seconds after it was received. Its clocks are updated,
    and the score between the people, notes on absent players and reactions are added."""
    chairs = {chair.seat: chair for chair in facts.chairs}
    seats = tuple(
        dressed_seat(seat, chairs.get(seat.seat), facts, since, reactions.get(seat.seat, "")) for seat in scene.seats
    )
    until = scene.prompt.until if scene.prompt else 0.0
    score = score_in_words(facts)
    told = (*scene.facts, *(["rated"] if facts.rated else []), *([f"games won: {score}"] if score else []))
    return timed(scene.replaced(seats=seats, facts=told), until - now if until else None)


def dressed_seat(seat: Seat, chair: Chair | None, facts: Facts, since: float, reaction: str) -> Seat:
    clock = seat.clock
    if clock and clock.runs:
        clock = Clock(max(0.0, clock.left - since), clock.of, clock.runs)
    notes = [reaction] if reaction else []
    notes += [left(clock.left)] if clock else []
    own = seat.seat == facts.seat
    if chair and chair.stand_in:
        notes.append("a bot plays for you; press a to take the seat back" if own else "away, a bot plays on")
    elif chair and chair.away:
        notes.append(f"away until {time.strftime('%Y-%m-%d', time.localtime(chair.away))}")
    elif chair and is_idle(chair, facts):
        notes.append("away (a: bot)")
    elif seat.note:
        notes.append(seat.note)
    return seat.replaced(clock=clock, note=" · ".join(notes))


def has_clock(scene: Scene) -> bool:
    return bool(scene.prompt and scene.prompt.until) or any(seat.clock and seat.clock.runs for seat in scene.seats)


def failures(failed: Sequence[Failed]) -> str:
    """Return a sentence about the failed deals."""
    names = listed(list(dict.fromkeys(name for one in failed for _, name in one.left)))
    deals = count_of(len(failed), "deal has", "deals have")
    return f"{deals} failed{f': {names} left after numbers were shown' if names else ''}."


def waiting_scene(facts: Facts, invitation: str) -> Scene:
    """Return the scene of a table that has not been dealt yet, with its players, the reason for waiting, and the link
    for others."""
    free = sum(not chair.taken for chair in facts.chairs)
    seats = tuple(
        Seat(chair.seat, chair.name or "free seat", "person" if chair.plays == "person" else "bot")
        for chair in facts.chairs
    )
    late = [chair.name for chair in facts.chairs if chair.late]
    waits = f"Waiting for {count_of(free, 'more player')}" if free else "Every seat adds its number"
    if late and not free:
        waits = f"Waiting for {listed(late)} to come back: the deal needs a number from every seat"
    if facts.deal.failed and not facts.readable_only:
        waits = f"{failures(facts.deal.failed)} {waits}"
    prompt = Prompt("waiting", facts.readable_only or waits, "" if facts.readable_only else f"The link: {invitation}")
    return Scene(skin=facts.game, title=facts.title, viewer=facts.seat, seats=seats, prompt=prompt)
