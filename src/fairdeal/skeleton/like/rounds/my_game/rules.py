"""My Game: the rules and a greedy bot. Clause ids refer to rules.md."""

from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.seats import choose_first, seat_after
from fairdeal.engine.records import Record, i1, record, rule
from fairdeal.skeleton.my_game.rules import CARDS, SEATS, deal_hands, give_turn

options = record(first_player=i1, target=i1)
MOST_ROUNDS = 127


@rule
def deal(state: Record) -> None:
    """MINE-02: begin a match to a target of points."""
    start_match(state, 0, choose_first(state, state.options.first_player))
    deal_round(state)


@rule
def deal_round(state: Record) -> None:
    """MINE-01: take all cards back, and deal again."""
    for card in range(CARDS):
        state.used[card] = 0
    for seat in range(SEATS):
        state.won[seat] = 0
    deal_hands(state)
    give_turn(state, state.match.first)


@rule
def end_round(state: Record) -> None:
    """MINE-13, 20: add the tricks as points. The next seat leads the next round, unless a seat has reached the
    target."""
    ends = state.match.game == MOST_ROUNDS
    for seat in range(state.players):
        state.match.totals[seat] += state.won[seat]
        ends = ends or state.match.totals[seat] >= state.options.target
    if ends:
        state.match.games = state.match.game
        next_game(state, state.match.first)
        return
    state.match.game += 1
    state.match.first = seat_after(state, state.match.first)
    deal_round(state)


@rule
def returns(state: Record, out: Record) -> None:
    """MINE-20: write the points of each seat."""
    for seat in range(state.players):
        out[seat] = state.match.totals[seat]
