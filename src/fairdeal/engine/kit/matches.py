"""Several games that count together: tournaments, duels, rounds to a target."""

from __future__ import annotations

from fairdeal.engine.records import Record, rule


@rule
def start_match(state: Record, games: int, first: int) -> None:
    """Begin a match of `games` games, the first of which is started by the seat `first`."""
    state.over = 0
    state.composing = 0
    state.match.game = 1
    state.match.games = games
    state.match.first = first
    for seat in range(len(state.match.totals)):
        state.match.totals[seat] = 0


@rule
def next_game(state: Record, first: int) -> bool:
    """Start the next game, led by the seat `first`, and return True; or end the match and return False."""
    if state.match.game >= state.match.games:
        state.over = 1
        state.to_act = 0
        return False
    state.match.game += 1
    state.match.first = first
    return True
