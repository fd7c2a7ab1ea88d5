"""CHIP IT: how a game or a match ended, in words and numbers."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Result, Score, Voice, count_of, listed, places_by
from fairdeal.games.chip_it.rules import play as rules
from fairdeal.games.chip_it.state import DUEL, POINTS_PER_CARD_LEFT, SEATS, SINGLE, TOURNAMENT, TOURNAMENT_POINTS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def placing(state: Record) -> list[int]:
    """The seats in order of their places, as far as they have one."""
    order = np.zeros(SEATS, np.int8)
    count = rules.write_places(state, order)
    return [int(seat) for seat in order[:count]]


def scores(state: Record) -> list[int]:
    out = np.zeros(SEATS, np.float64)
    rules.returns(state, out)
    return [int(score) for score in out[: int(state.players)]]


def winners(state: Record) -> list[int]:
    points = scores(state)
    return [seat for seat, score in enumerate(points) if score == max(points)]


def closing_line(state: Record, voice: Voice) -> Line:
    """The last line of the log."""
    mode = int(state.options.mode)
    clause = {SINGLE: "CHIP-64", TOURNAMENT: "CHIP-72", DUEL: "CHIP-83"}[mode]
    return Line(victory(state, voice), (clause,))


def victory(state: Record, voice: Voice) -> str:
    """`You win.`, `Bo wins the duel, 15 to 16.`"""
    best = winners(state)
    mode, totals = int(state.options.mode), state.match.totals.tolist()[: int(state.players)]
    what = {SINGLE: "", TOURNAMENT: " the tournament", DUEL: " the duel"}[mode]
    if len(best) > 1:
        return f"{listed([voice.title(best[0]), *(voice.name(seat) for seat in best[1:])])} share the win."
    if mode == TOURNAMENT:
        return f"{voice.does(best[0], 'win')}{what} with {totals[best[0]]} points."
    if mode == DUEL:
        return f"{voice.does(best[0], 'win')}{what}, {totals[best[0]]} to {totals[1 - best[0]]} points."
    return f"{voice.does(best[0], 'win')}."


def game_line(before: Record, after: Record, player: int, voice: Voice) -> Line:
    """How one game of a match ended: the totals say what it gave."""
    totals = zip(after.match.totals.tolist(), before.match.totals.tolist(), strict=True)
    gained = [later - earlier for later, earlier in totals][: int(after.players)]
    number = int(before.match.game)
    if int(after.options.mode) == DUEL:
        loser = max(range(len(gained)), key=lambda seat: gained[seat])
        verb = voice.does(loser, "write")
        return Line(f"Game {number} is over: {verb} down {count_of(gained[loser], 'point')}.", ("CHIP-82",))
    by_points = sorted((seat for seat in range(len(gained)) if gained[seat]), key=lambda seat: -gained[seat])
    told = ", ".join(f"{voice.name(seat)} {gained[seat]}" for seat in by_points)
    return Line(f"Game {number} is over. Points: {told}.", ("CHIP-71",))


def score_pad(state: Record, voice: Voice) -> Score | None:
    """The totals of a match; None in a single game."""
    if int(state.options.mode) == SINGLE:
        return None
    totals = state.match.totals.tolist()
    rows = tuple((voice.title(seat), totals[seat]) for seat in range(int(state.players)))
    return Score(head=("", "written down" if int(state.options.mode) == DUEL else "points"), rows=rows)


def result(state: Record, voice: Voice) -> Result | None:
    """The end of the match, or None while it runs."""
    if not state.over:
        return None
    points = scores(state)
    return Result(text=victory(state, voice), places=places_by(points), scores=tuple(points), why=decided(state, voice))


def decided(state: Record, voice: Voice) -> str:
    """One sentence on what decided it."""
    order = placing(state)
    if rules.is_stalled(state):
        return "Nobody would play or give anything back, so cards and points were counted."
    last = order[-1] if len(order) == int(state.players) else None
    if int(state.options.mode) == DUEL and last is not None:
        cards, points = int(state.hands[last].length), int(state.bank[last]) + int(state.fronts[last].load)
        return (
            f"In the last game {voice.name(last)} had {count_of(points, 'point')} and {count_of(cards, 'card')} "
            f"at {POINTS_PER_CARD_LEFT} each."
        )
    if int(state.options.mode) == TOURNAMENT:
        told = ", ".join(f"{ORDINALS[place]} {voice.name(seat)}" for place, seat in enumerate(order))
        return f"The last game went: {told}. Places count {', '.join(map(str, TOURNAMENT_POINTS[:3].tolist()))}."
    left = min((int(state.hands[seat].length), seat) for seat in range(int(state.players)) if seat != order[0])
    return f"Rid of every card and point first; next was {voice.name(left[1])} with {count_of(left[0], 'card')} left."
