"""Estimates of the final result after a move, if every seat then plays by the game's greedy rule: the winner of the
match, or a single player's score.

Deals and random numbers are numbered as in `engine.drivers.search`. However, each game is played to its end, and the
result is written for every deal, so that moves can be compared deal by deal.
"""

from __future__ import annotations

from fairdeal.engine.drivers import resample, returns
from fairdeal.engine.drivers.search import DEALT, FINAL, GAME, LUCK, MASTER, OWN, VIEW, play_move, play_out, share_of
from fairdeal.engine.kit.chance import derive
from fairdeal.engine.records import SPECTATOR, Record, rule


@rule
def tell_ends(desks: Record, moves: Record, first: int, ends: Record) -> None:
    """Play the moves of the seat to the end of the match in the deals from number `first` (counted from 1), skipping
    moves of length 0. Write the seat's share of first place, or a single player's score, into ends[deal, move,
    seat]."""
    desk = desks[0]
    states, sources, scores, players = desk.states, desk.sources, desk.scores[FINAL], ends.shape[2]
    for deal in range(ends.shape[0]):
        derive(sources[OWN], sources[MASTER], 2 * (first + deal))
        states[DEALT] = states[VIEW]
        resample(states[DEALT], int(desk.seat), sources[OWN])
        for number in range(ends.shape[1]):
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * (first + deal) + 1)
            play_move(desk, moves[number])
            while not states[GAME].over:
                play_out(desk, SPECTATOR, int(states[GAME].match.game))
            returns(states[GAME], scores)
            for seat in range(players):
                ends[deal, number, seat] = scores[seat] if players == 1 else share_of(scores, players, seat)
