"""Matches of several games whose results are added up: tournaments and duels."""

from fairdeal.engine.records import Record, rule

MOST_GAMES = 127
"""Maximum number of games of a match."""


@rule
def start_match(state: Record, games: int, first: int) -> None:
    """Begin a match of `games` games, or of any number if `games` is 0. Seat `first` starts the first game.

    >>> state = load("chi").blank().record
    >>> start_match(state, 3, first=1)
    >>> int(state.match.game), int(state.match.games), int(state.match.first)
    (1, 3, 1)
    """
    state.over = 0
    state.composing = 0
    state.match.game = 1
    state.match.games = games
    state.match.first = first
    for seat in range(len(state.match.totals)):
        state.match.totals[seat] = 0


@rule
def next_game(state: Record, first: int) -> bool:
    """Continue with the next game of a match, which seat `first` starts, and return True. After the last game, end the
    match and return False.

    >>> state = load("chi").blank().record
    >>> start_match(state, 2, first=0)
    >>> next_game(state, first=1), next_game(state, first=0), int(state.over)
    (True, False, 1)
    """
    if state.match.game >= state.match.games:
        state.over = 1
        state.to_act = 0
        return False
    state.match.game += 1
    state.match.first = first
    return True
