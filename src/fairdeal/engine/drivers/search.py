"""Search: the estimated result of each complete move of a seat, if the seat then plays by the game's rollout rule and
all others play by its greedy rule.

Deals consistent with the seat's knowledge are drawn, and every remaining candidate move is played out in each of them
with common random numbers. So moves are compared with one another rather than by the luck of their deals (G. Tesauro,
G. Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996). The caller chooses the remaining candidates,
round by round (`bots.search`). The functions use only the caller's arrays and allocate no memory.
"""

from __future__ import annotations

from typing import NamedTuple

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
from fairdeal.engine.records import Record, i2, record, rule

VIEW, GAME, SEEN, DEALT = 0, 1, 2, 3
"""The states of a search: the seat's view, the game that is played out, a seat's view of that game, and the deal in
which all moves are tried."""

STATES = 4

MASTER, OWN, LUCK = 0, 1, 2
"""The random number generators of a search: the master, from which no numbers are drawn; the generator of a deal; and
that of the game after the deal."""

SOURCES = 3

PLAYED, MARGIN, WINS, BEHIND, SPREAD = range(5)
"""The sums for a move: number of games, the seat's margins at the end, its shares of first place, the differences
between the first move's margin in a deal and this move's margin, and the squares of these differences."""

SUMS = 5

MOVE = record(length=i2, actions=(i2, MOST_STEPS))
"""The record type of a complete move."""


class Desk(NamedTuple):
    """The workspace of a thread that plays moves out: the states and random number generators of a search, the plan of
    a move, the scores of a game, the seat that chooses, the percentage of seen cards that all seats remember, and the
    maximum number of moves played out (0: to the end)."""

    states: Record
    sources: Record
    plan: Record
    scores: Record
    seat: int
    recall: int
    horizon: int


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
def list_moves(desk: Desk, walk: Record, actions: Record, counts: Record, moves: Record) -> int:
    """List complete moves of the seat: first the rollout rule's choice, then the others in order. If they do not fit
    into `moves`, draw a random sample of them, all equally likely. Only one of several equivalent actions is tried.
    Return the number of moves listed.

    `walk`, `actions` and `counts` have a row for each action of a move. A row of `counts` holds the index of the next
    action and the number of actions.
    """
    states, sources, plan, player = desk.states, desk.sources, desk.plan, desk.seat
    states[SEEN] = states[VIEW]
    length = rollout(states[SEEN], player, plan)
    keep_move(plan, length, moves[0])
    derive(sources[OWN], sources[MASTER], 0)
    walk[0] = states[VIEW]
    resample(walk[0], player, sources[OWN])
    counts[0, 0], counts[0, 1] = 0, legal_actions_first(walk[:1], player, actions[0])
    listed, met, level = 1, 1, 0
    while level >= 0:
        if counts[level, 0] == counts[level, 1]:
            level -= 1
            continue
        plan[level] = actions[level, counts[level, 0]]
        counts[level, 0] += 1
        if level == 0 and has_a_double(states[VIEW], player, int(plan[0]), int(moves[0].actions[0])):
            continue
        walk[level + 1] = walk[level]
        apply_first(walk[level + 1 : level + 2], player, int(plan[level]))
        if walk[level + 1].composing:
            level += 1
            counts[level, 0] = 0
            counts[level, 1] = legal_actions_first(walk[level : level + 1], player, actions[level])
        elif not is_same(plan, level + 1, moves[0]):
            met += 1
            if listed < len(moves):
                place = listed
                listed += 1
            else:
                place = 1 + draw(sources[OWN], met - 1)
            if place < len(moves):
                keep_move(plan, level + 1, moves[place])
    return listed


@rule
def play_out(desk: Desk, rolling: int, game: int) -> None:
    """Play states[GAME] to the end of the current game of its match, or to the horizon. Seat `rolling` plays by the
    rollout rule and all others by the greedy rule. If `rolling` is SPECTATOR, every seat plays by the greedy rule."""
    states, sources, plan, moves = desk.states, desk.sources, desk.plan, 0
    while not states[GAME].over and states[GAME].match.game == game:
        player = acting_player(states[GAME], sources[LUCK])
        states[SEEN] = states[GAME]
        conceal_first(states[SEEN : SEEN + 1], player, desk.recall)
        length = rollout(states[SEEN], player, plan) if player == rolling else greedy(states[SEEN], player, plan)
        for step in range(length):
            apply_first(states[GAME : GAME + 1], player, int(plan[step]))
        moves += 1
        if moves == desk.horizon:
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
def play_move(states: Record, player: int, move: Record) -> None:
    """Play a complete move in states[GAME]."""
    for step in range(move.length):
        apply_first(states[GAME : GAME + 1], player, int(move.actions[step]))


@rule
def try_moves(desk: Desk, moves: Record, chosen: Record, first: int, deals: int, sums: Record) -> None:
    """Play out the moves at the indices `chosen`, which include 0, in `deals` deals from number `first` (counted from
    1). Add the results to `sums`, which has a row for each of `moves`."""
    states, sources, scores, player = desk.states, desk.sources, desk.scores, desk.seat
    game = int(states[VIEW].match.game)
    for deal in range(first, first + deals):
        derive(sources[OWN], sources[MASTER], 2 * deal)
        states[DEALT] = states[VIEW]
        resample(states[DEALT], player, sources[OWN])
        first_margin = 0.0
        for number in chosen:
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * deal + 1)
            play_move(states, player, moves[number])
            play_out(desk, player, game)
            players = int(states[GAME].players)
            estimate(states[GAME], scores)
            margin = margin_of(scores, players, player)
            returns(states[GAME], scores)
            if number == 0:
                first_margin = margin
            sums[number, PLAYED] += 1.0
            sums[number, MARGIN] += margin
            sums[number, WINS] += share_of(scores, players, player)
            sums[number, BEHIND] += first_margin - margin
            sums[number, SPREAD] += (first_margin - margin) * (first_margin - margin)
