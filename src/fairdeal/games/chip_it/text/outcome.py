"""CHIP IT: how a game or a match ended, in words and numbers."""

from fairdeal.engine.scene import Line, Result, Score, Voice, count_of, places_by
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chip_it.rules.play import is_stalled, returns, write_places
from fairdeal.games.chip_it.state import DUEL, POINTS_PER_CARD_LEFT, SINGLE, TOURNAMENT, TOURNAMENT_POINTS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def scores(state: Snapshot) -> list[int]:
    out = [0] * state.players
    returns(state, out)
    return out


def closing_line(state: Snapshot, voice: Voice) -> Line:
    """The last line of the log."""
    clause = {SINGLE: "CHIP-64", TOURNAMENT: "CHIP-72", DUEL: "CHIP-83"}[state.options.mode]
    return Line(victory(state, voice), (clause,))


def victory(state: Snapshot, voice: Voice) -> str:
    """`You win.`, `Bo wins the duel, 15 to 16.`"""
    points, totals = scores(state), state.match.totals
    best, *others = (seat for seat, score in enumerate(points) if score == max(points))
    if others:
        return f"{voice.several_titled([best, *others])} share the win."
    wins = voice.does(best, "win")
    if state.options.mode == TOURNAMENT:
        return f"{wins} the tournament with {totals[best]} points."
    if state.options.mode == DUEL:
        return f"{wins} the duel, {totals[best]} to {totals[1 - best]} points."
    return f"{wins}."


def game_line(before: Snapshot, after: Snapshot, voice: Voice) -> Line:
    """How one game of a match ended: the totals say what it gave."""
    gained = [later - earlier for later, earlier in zip(after.match.totals, before.match.totals, strict=True)]
    by_points = sorted(range(after.players), key=lambda seat: -gained[seat])
    ended = f"Game {before.match.game} is over"
    if after.options.mode == DUEL:
        loser = by_points[0]
        writes = f"{voice.does_then(loser, 'write')} down {count_of(gained[loser], 'point')}"
        return Line(f"{ended}: {writes}.", ("CHIP-82",))
    told = ", ".join(f"{voice.name(seat)} {gained[seat]}" for seat in by_points if gained[seat])
    return Line(f"{ended}. Points: {told}.", ("CHIP-71",))


def score_pad(state: Snapshot, voice: Voice) -> Score | None:
    """The totals of a match; None in a single game."""
    if state.options.mode == SINGLE:
        return None
    rows = tuple((voice.title(seat), state.match.totals[seat]) for seat in range(state.players))
    return Score(head=("", "written down" if state.options.mode == DUEL else "points"), rows=rows)


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end of the match, or None while it runs."""
    if not state.over:
        return None
    points = scores(state)
    shown = tuple(left_over(state, seat) for seat in range(state.players))
    return Result(victory(state, voice), places_by(points), tuple(points), decided(state, voice), shown)


def left_over(state: Snapshot, seat: int) -> str:
    """What a seat is left with at the end of a game, or what it has in a match."""
    if state.options.mode != SINGLE:
        return count_of(state.match.totals[seat], "point")
    cards, points = state.hands[seat].length, state.bank[seat] + state.fronts[seat].load
    return f"{count_of(cards, 'card')}, {count_of(points, 'point')}" if cards or points else "nothing left"


def decided(state: Snapshot, voice: Voice) -> str:
    """One sentence on what decided it."""
    if is_stalled(state):
        return "Nobody would play or give anything back, so cards and points were counted."
    order = [0] * state.players
    placed = write_places(state, order)
    last, cards = order[-1], [hand.length for hand in state.hands]
    if state.options.mode == DUEL and placed == state.players:
        points = count_of(state.bank[last] + state.fronts[last].load, "point")
        had = f"{voice.name(last)} had {points} and {count_of(cards[last], 'card')}"
        return f"In the last game {had} at {POINTS_PER_CARD_LEFT} each."
    if state.options.mode == TOURNAMENT:
        told = ", ".join(f"{ORDINALS[place]} {voice.name(seat)}" for place, seat in enumerate(order[:placed]))
        return f"The last game went: {told}. Places count {', '.join(map(str, TOURNAMENT_POINTS[:3].tolist()))}."
    left, seat = min((cards[seat], seat) for seat in range(state.players) if seat != order[0])
    return f"Rid of every card and point first; next was {voice.name(seat)} with {count_of(left, 'card')} left."
