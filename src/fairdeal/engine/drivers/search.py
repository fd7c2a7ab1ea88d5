"""Search: the estimated result of each complete move of a seat, if the seat then plays by the game's rollout rule and
all others play by its greedy rule.

Deals consistent with the seat's knowledge are drawn, and every remaining candidate move is played out in each of them
with common random numbers. Moves are therefore compared with one another, independently of the luck of their deals (G.
Tesauro, G. Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996). Round by round, the worse half of
the candidates is dropped, so that most games are spent on moves that are hard to distinguish (sequential halving: Z.
Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013). Another move is preferred to
the first one only if its lead in the same deals exceeds the standard error.

    list_moves(desks, seat, recall, horizon)
    while deals := next_round(desks, games):
        try_moves(desks, deals)
    rank_moves(desks)

The functions use only the caller's array of one record, a desk, and allocate no memory.
"""

import math
from typing import Any

import numpy as np

from fairdeal.engine.drivers import (
    MOST_STEPS,
    acting_player,
    apply_first,
    conceal_first,
    contract,
    greedy,
    legal_actions_first,
    resample,
    returns,
)
from fairdeal.engine.kit.chance import derive, draw
from fairdeal.engine.records import Record, chance, i2, i4, record, rule

MOST_MOVES = 64
"""Maximum number of moves tried. If there are more, the first one and random others are tried."""

SURE = 1.0
"""Minimum lead over the first move, in standard errors, for another move to be preferred."""

FEWEST_DEALS = 2
"""Minimum number of deals in which every move of a round is tried."""

GAMES_AT_ONCE = 32
"""Approximate number of games whose results are added up before they are added to those of earlier games."""

VIEW, GAME, SEEN, DEALT = 0, 1, 2, 3
"""The states of a search: the seat's view, the game that is played out, a seat's view of that game, and the deal in
which all moves are tried."""

STATES = 4

MASTER, OWN, LUCK = 0, 1, 2
"""The random number generators of a search: the master, from which no numbers are drawn; the generator of a deal; and
that of the game after the deal."""

SOURCES = 3

LEVELS = MOST_STEPS + 1
"""Number of states and of lists of actions on the way to a complete move."""

PLAN = LEVELS
"""The list of actions that holds a move."""

ESTIMATED, FINAL = 0, 1
"""The scores of a game: those by which moves are compared, and those that decide who wins."""

f8 = "f8"
"""The type of floating-point fields, which only a desk has."""

MOVE = record(length=i2, actions=(i2, MOST_STEPS))
"""The record type of a complete move."""

SUMS = record(played=f8, margin=f8, wins=f8, behind=f8, spread=f8)
"""The record type of the sums for a move: number of games, the seat's margins at the end, its shares of first place,
the differences between the margins of the first move and of this move in a deal, and the squares of these
differences."""

RESULT = record(wins=f8, margin=f8, better=f8, error=f8)
"""The record type of the result for a move: share of wins, average margin, average gain over the first move in the same
deals, and the standard error of that gain."""


FINALISTS = 5
"""Maximum number of moves that an analysis weighs, including the first move and the move that was played."""


def desk_for(state: np.dtype[Any], actions: int) -> np.dtype[Any]:
    """Return the record type of a desk, the workspace of a search, for the states of a game with `actions` actions.

    `moves` has `count` moves, and `sums` and `results` have a record for each of them. `chosen` has the numbers of the
    `left` moves that remain after `round` of `rounds` rounds and `deals` deals. `order` has the numbers of all moves,
    starting with the best one. `recall` is the percentage of seen cards that all seats remember, and `horizon` the
    maximum number of moves played out (0: to the end).

    An analysis (`engine.drivers.rollouts`) compares the moves with the move `made`, whose number is `played`, in
    `weighed` deals. `ends` has the sums for the moves in the order of `chosen`: of each seat's share of first place;
    of the seat's result and of its square; of its differences from the result of the move that was played in the same
    deal (`gain`) and of their squares; and the numbers of deals in which it is better and worse.
    """
    seats = state["match"]["totals"].shape[0]
    end = record(shares=(f8, seats), own=f8, squares=f8, gain=f8, spread=f8, better=f8, worse=f8)
    return record(
        states=(state, STATES),
        walk=(state, LEVELS),
        sources=(chance, SOURCES),
        actions=(i2, (LEVELS + 1, actions + MOST_STEPS)),
        counts=(i2, (LEVELS, 2)),
        scores=(f8, (2, seats)),
        moves=(MOVE, MOST_MOVES),
        sums=(SUMS, MOST_MOVES),
        batch=(SUMS, MOST_MOVES),
        results=(RESULT, MOST_MOVES),
        ends=(end, FINALISTS),
        made=MOVE,
        chosen=(i2, MOST_MOVES),
        order=(i2, MOST_MOVES),
        seat=i2,
        recall=i2,
        horizon=i4,
        count=i2,
        left=i2,
        round=i2,
        rounds=i2,
        played=i2,
        deals=i4,
        weighed=i4,
    )


@contract
def estimate(state: Record, out: Record) -> None:
    raise NotImplementedError


@contract
def rollout(state: Record, player: int, plan: Record) -> int:
    raise NotImplementedError


@contract
def alike(state: Record, player: int, action: int) -> int:
    raise NotImplementedError


@rule
def has_a_double(view: Record, player: int, action: int, first: int) -> bool:
    """Return whether another action is tried in place of `action`. That is either `first`, the first action of the
    first move, or the first of several equivalent actions."""
    like = alike(view, player, action)
    if like == alike(view, player, first):
        return action != first
    return action != like


@rule
def is_same(plan: Record, length: int, move: Record) -> bool:
    """Return whether the first `length` actions of a plan are the actions of `move`."""
    if length != move.length:
        return False
    for step in range(length):
        if plan[step] != move.actions[step]:
            return False
    return True


@rule
def keep_move(plan: Record, length: int, move: Record) -> None:
    """Copy the first `length` actions of a plan into `move`."""
    move.length = length
    for step in range(length):
        move.actions[step] = plan[step]


@rule
def list_moves(desks: Record, seat: int, recall: int, horizon: int) -> int:
    """List complete moves of a seat with the view states[VIEW]: first the rollout rule's choice, then the others in
    order. If there are more than MOST_MOVES, draw a random sample of them, all equally likely. Only one of several
    equivalent actions is tried. Return the number of moves listed.

    `walk`, `actions` and `counts` have a row for each action of a move. A row of `counts` holds the index of the next
    action and the number of actions.
    """
    desk = desks[0]
    states, sources, walk, counts, moves = desk.states, desk.sources, desk.walk, desk.counts, desk.moves
    actions, plan = desk.actions, desk.actions[PLAN]
    desk.seat, desk.recall, desk.horizon = seat, recall, horizon
    states[SEEN] = states[VIEW]
    length = rollout(states[SEEN], seat, plan)
    keep_move(plan, length, moves[0])
    derive(sources[OWN], sources[MASTER], 0)
    walk[0] = states[VIEW]
    resample(walk[0], seat, sources[OWN])
    counts[0][0], counts[0][1] = 0, legal_actions_first(walk[:1], seat, actions[0])
    listed, met, level = 1, 1, 0
    while level >= 0:
        if counts[level][0] == counts[level][1]:
            level -= 1
            continue
        plan[level] = actions[level][counts[level][0]]
        counts[level][0] += 1
        if level == 0 and has_a_double(states[VIEW], seat, int(plan[0]), int(moves[0].actions[0])):
            continue
        walk[level + 1] = walk[level]
        apply_first(walk[level + 1 : level + 2], seat, int(plan[level]))
        if walk[level + 1].composing:
            level += 1
            counts[level][0] = 0
            counts[level][1] = legal_actions_first(walk[level : level + 1], seat, actions[level])
        elif not is_same(plan, level + 1, moves[0]):
            met += 1
            if listed < MOST_MOVES:
                place = listed
                listed += 1
            else:
                place = 1 + draw(sources[OWN], met - 1)
            if place < MOST_MOVES:
                keep_move(plan, level + 1, moves[place])
    choose_all(desk, listed)
    return listed


@rule
def clear(sums: Record) -> None:
    """Set the sums for a move to 0."""
    sums.played = sums.margin = sums.wins = sums.behind = sums.spread = 0.0


@rule
def choose_all(desk: Record, count: int) -> None:
    """Begin a search among the first `count` moves, none of which has been tried."""
    desk.count = desk.left = count
    for number in range(count):
        desk.chosen[number] = number
        clear(desk.sums[number])
    desk.round, desk.rounds, desk.deals, desk.played, desk.weighed = 0, 0, 0, 0, 0
    while 1 << int(desk.rounds) < count:
        desk.rounds += 1


@rule
def play_out(desk: Record, rolling: int, game: int) -> None:
    """Play states[GAME] to the end of the current game of its match, or to the horizon. Seat `rolling` plays by the
    rollout rule and all others by the greedy rule. If `rolling` is SPECTATOR, every seat plays by the greedy rule."""
    states, sources, plan, moves = desk.states, desk.sources, desk.actions[PLAN], 0
    recall, horizon = int(desk.recall), int(desk.horizon)
    while not states[GAME].over and states[GAME].match.game == game:
        player = acting_player(states[GAME], sources[LUCK])
        states[SEEN] = states[GAME]
        conceal_first(states[SEEN : SEEN + 1], player, recall)
        length = rollout(states[SEEN], player, plan) if player == rolling else greedy(states[SEEN], player, plan)
        for step in range(length):
            apply_first(states[GAME : GAME + 1], player, int(plan[step]))
        moves += 1
        if moves == horizon:
            return


@rule
def margin_of(scores: Record, players: int, seat: int) -> float:
    """Return the lead of a seat over its best rival, or the score of a single player."""
    best = scores[seat]
    found = False
    for rival in range(players):
        if rival != seat and (not found or scores[rival] > best):
            best, found = scores[rival], True
    return float(scores[seat] - best) if found else float(scores[seat])


@rule
def share_of(scores: Record, players: int, seat: int) -> float:
    """Return a seat's share of first place."""
    level = 1
    for rival in range(players):
        if rival != seat:
            if scores[rival] > scores[seat]:
                return 0.0
            if scores[rival] == scores[seat]:
                level += 1
    return 1.0 / level


@rule
def play_move(desk: Record, move: Record) -> None:
    """Play a complete move of the seat in states[GAME]."""
    for step in range(move.length):
        apply_first(desk.states[GAME : GAME + 1], int(desk.seat), int(move.actions[step]))


@rule
def try_batch(desks: Record, first: int, deals: int) -> None:
    """Play out the remaining moves in `deals` deals from number `first` (counted from 1). Write the results into
    `batch`."""
    desk = desks[0]
    states, sources, estimated, final = desk.states, desk.sources, desk.scores[ESTIMATED], desk.scores[FINAL]
    game, seat = int(states[VIEW].match.game), int(desk.seat)
    for place in range(desk.left):
        clear(desk.batch[desk.chosen[place]])
    for deal in range(first, first + deals):
        derive(sources[OWN], sources[MASTER], 2 * deal)
        states[DEALT] = states[VIEW]
        resample(states[DEALT], seat, sources[OWN])
        first_margin = 0.0
        for place in range(desk.left):
            number = int(desk.chosen[place])
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * deal + 1)
            play_move(desk, desk.moves[number])
            play_out(desk, seat, game)
            players = int(states[GAME].players)
            estimate(states[GAME], estimated)
            margin = margin_of(estimated, players, seat)
            returns(states[GAME], final)
            if place == 0:
                first_margin = margin
            sums = desk.batch[number]
            sums.played += 1.0
            sums.margin += margin
            sums.wins += share_of(final, players, seat)
            sums.behind += first_margin - margin
            sums.spread += (first_margin - margin) * (first_margin - margin)


@rule
def add_batch(desk: Record) -> None:
    """Add the results of a batch to those of earlier ones."""
    for place in range(desk.left):
        sums, batch = desk.sums[desk.chosen[place]], desk.batch[desk.chosen[place]]
        sums.played += batch.played
        sums.margin += batch.margin
        sums.wins += batch.wins
        sums.behind += batch.behind
        sums.spread += batch.spread


@rule
def try_moves(desks: Record, deals: int) -> None:
    """Play out the remaining moves in `deals` more deals."""
    desk = desks[0]
    size, last = max(1, GAMES_AT_ONCE // int(desk.left)), int(desk.deals) + deals
    for first in range(int(desk.deals) + 1, last + 1, size):
        try_batch(desks, first, min(size, last + 1 - first))
        add_batch(desk)
    desk.deals = last


@rule
def drop_half(desks: Record) -> None:
    """Drop the worse half of the remaining moves. The first move always stays, for comparison."""
    desk = desks[0]
    sums, chosen, left = desk.sums, desk.chosen, int(desk.left)
    kept = max(2, left // 2)
    while left > kept:
        worst = 1
        for place in range(2, left):
            if sums[chosen[place]].margin <= sums[chosen[worst]].margin:
                worst = place
        left -= 1
        for place in range(worst, left):
            chosen[place] = chosen[place + 1]
    desk.left = left


@rule
def next_round(desks: Record, games: int) -> int:
    """Begin the next round of a search that plays out `games` games, after dropping the worse half of the moves. Return
    the number of deals to play, or 0 after the last round."""
    desk = desks[0]
    if desk.round == desk.rounds:
        return 0
    if desk.round > 0:
        drop_half(desks)
    desk.round += 1
    return max(FEWEST_DEALS, games // int(desk.rounds) // int(desk.left))


@rule
def comes_first(desk: Record, number: int, other: int, best: int) -> bool:
    """Return whether a move comes before another one in the order of results."""
    if number == best or other == best:
        return number == best
    if desk.sums[number].played != desk.sums[other].played:
        return desk.sums[number].played > desk.sums[other].played
    return desk.results[number].better > desk.results[other].better


@rule
def rank_moves(desks: Record) -> None:
    """Write the result for each move, and the order of the moves: first the best one, then the others by the number of
    games played out and by their gain over the first move."""
    desk = desks[0]
    best, order = 0, desk.order
    for number in range(desk.count):
        sums, result = desk.sums[number], desk.results[number]
        games = max(1.0, sums.played)
        result.wins, result.margin, result.better = sums.wins / games, sums.margin / games, -sums.behind / games
        spread = max(0.0, sums.spread / games - result.better * result.better)
        result.error = math.sqrt(spread / games)
        is_sure = sums.played == desk.sums[0].played and result.better > SURE * result.error
        if number > 0 and is_sure and (best == 0 or result.better > desk.results[best].better):
            best = number
    for number in range(desk.count):
        place = number
        while place > 0 and comes_first(desk, number, int(order[place - 1]), best):
            order[place] = order[place - 1]
            place -= 1
        order[place] = number
