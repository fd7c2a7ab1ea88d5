"""Estimates of the final result after a move, if every seat then plays by the game's greedy rule: the winner of the
match, or a single player's score.

The most promising moves are found as in a search. These moves and the move that was played are then played out to the
end of the match in new deals, which are the same for all moves, so that the selection does not bias the estimates.

    list_moves(desks, seat, recall, horizon)
    place_played(desks)
    while deals := next_trial(desks, games):
        try_moves(desks, deals)
    weigh_moves(desks, games)
"""

from fairdeal.engine.drivers import resample, returns
from fairdeal.engine.drivers.search import (
    DEALT,
    FEWEST_DEALS,
    FINAL,
    FINALISTS,
    GAME,
    LUCK,
    MASTER,
    OWN,
    VIEW,
    alike,
    choose_all,
    keep_move,
    play_move,
    play_out,
    share_of,
)
from fairdeal.engine.kit.chance import derive
from fairdeal.engine.records import SPECTATOR, Record, rule

SOUGHT = 2
"""Number of games used to find the moves, as a multiple of the games used to weigh one move."""


@rule
def list_none(desks: Record, viewer: int, recall: int) -> None:
    """List only a move without actions, so that games continue from the viewer's view."""
    desk = desks[0]
    desk.seat, desk.recall, desk.moves[0].length = viewer, recall, 0
    choose_all(desk, 1)


@rule
def is_alike(desk: Record, move: Record, other: Record) -> bool:
    """Return whether two moves are equivalent by what the seat knows."""
    view, seat = desk.states[VIEW], int(desk.seat)
    if move.length != other.length:
        return False
    for step in range(1, move.length):
        if move.actions[step] != other.actions[step]:
            return False
    return alike(view, seat, int(move.actions[0])) == alike(view, seat, int(other.actions[0]))


@rule
def place_played(desks: Record) -> None:
    """Write the move that was `made` in place of an equivalent move, or of the last move if there is none."""
    desk = desks[0]
    number, last = 0, int(desk.count) - 1
    while number < last and not is_alike(desk, desk.moves[number], desk.made):
        number += 1
    desk.played = number
    keep_move(desk.made.actions, int(desk.made.length), desk.moves[number])


@rule
def turn_of(desk: Record, place: int) -> int:
    """Return the turn of a remaining move if the best moves by wins and by leads are chosen in turn. The first move and
    the move that was played come before all others."""
    number, wins, leads = int(desk.chosen[place]), 0, 0
    if number == 0 or number == desk.played:
        return -1
    own = desk.sums[number]
    for other in range(desk.left):
        sums = desk.sums[desk.chosen[other]]
        wins += int(sums.wins > own.wins or (sums.wins == own.wins and other < place))
        leads += int(sums.margin > own.margin or (sums.margin == own.margin and other < place))
    return leads if desk.states[VIEW].players == 1 else min(2 * wins, 2 * leads + 1)


@rule
def keep_better_half(desks: Record) -> None:
    """Keep the first move, the move that was played, and the best moves by wins and by leads in turn. A certain win by
    a small lead is as good as any other, whereas leads distinguish moves that all win or all lose."""
    desk = desks[0]
    order, chosen, left, kept = desk.order, desk.chosen, int(desk.left), 0
    most = max(FINALISTS, left // 2)
    for place in range(left):
        order[place] = turn_of(desk, place)
    for place in range(left):
        before = 0
        for other in range(left):
            before += int(order[other] < order[place])
        if before < most:
            chosen[kept] = chosen[place]
            kept += 1
    desk.left = kept


@rule
def next_trial(desks: Record, games: int) -> int:
    """Begin the next round of finding the moves to weigh in `games` games each, after dropping the worse half of the
    moves. Return the number of deals to play, or 0 after the last round."""
    desk = desks[0]
    if desk.round > 0:
        keep_better_half(desks)
    if desk.left <= FINALISTS:
        return 0
    desk.round += 1
    rounds = 1
    while FINALISTS << rounds < desk.count:
        rounds += 1
    return max(FEWEST_DEALS, SOUGHT * games // rounds // int(desk.left))


@rule
def weigh_moves(desks: Record, deals: int) -> None:
    """Play the remaining moves to the end of the match in `deals` new deals, and add the results to `ends`. A
    spectator's own result is that of seat 0. Sets `horizon` to 0."""
    desk = desks[0]
    states, sources, scores, ends = desk.states, desk.sources, desk.scores[FINAL], desk.ends
    players, seat = int(states[VIEW].players), max(0, int(desk.seat))
    desk.horizon = 0
    for place in range(0 if desk.weighed else desk.left):
        sums = ends[place]
        sums.squares = sums.gain = sums.spread = sums.better = sums.worse = 0.0
        for other in range(players):
            sums.shares[other] = 0.0
    for _ in range(deals):
        desk.weighed += 1
        deal, played = int(desk.deals) + int(desk.weighed), 0.0
        derive(sources[OWN], sources[MASTER], 2 * deal)
        states[DEALT] = states[VIEW]
        resample(states[DEALT], int(desk.seat), sources[OWN])
        for place in range(desk.left):
            sums = ends[place]
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * deal + 1)
            play_move(desk, desk.moves[desk.chosen[place]])
            while not states[GAME].over:
                play_out(desk, SPECTATOR, int(states[GAME].match.game))
            returns(states[GAME], scores)
            for other in range(players):
                share = float(scores[0]) if players == 1 else share_of(scores, players, other)
                sums.shares[other] += share
                if other == seat:
                    sums.own = share
            if desk.chosen[place] == desk.played:
                played = sums.own
        for place in range(desk.left):
            sums = ends[place]
            gain = sums.own - played
            sums.squares += sums.own * sums.own
            sums.gain += gain
            sums.spread += gain * gain
            sums.better += 1.0 if gain > 0.0 else 0.0
            sums.worse += 1.0 if gain < 0.0 else 0.0
