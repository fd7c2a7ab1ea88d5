"""Ends: who wins the match after a move, or what one player alone scores, when everybody plays on by the game's own
greedy rule.

The same deals and the same luck as in `engine.drivers.search`, by their numbers; but played to the very end, and told
for every seat, game by game, so that moves can be compared deal by deal.
"""

from __future__ import annotations

from fairdeal.engine.drivers import resample, returns
from fairdeal.engine.drivers.search import DEALT, GAME, LUCK, MASTER, OWN, VIEW, Desk, play_move, play_out, share_of
from fairdeal.engine.kit.chance import derive
from fairdeal.engine.records import SPECTATOR, Record, rule


@rule
def tell_ends(desk: Desk, moves: Record, first: int, ends: Record) -> None:
    """Play the moves of the seat out in the deals number `first` (from 1) and following; a move of length 0 is none.
    ends[deal, move, seat] becomes the share that a seat has of the first place, or the score of one player alone."""
    states, sources, scores, players = desk.states, desk.sources, desk.scores, ends.shape[2]
    for deal in range(ends.shape[0]):
        derive(sources[OWN], sources[MASTER], 2 * (first + deal))
        states[DEALT] = states[VIEW]
        resample(states[DEALT], desk.seat, sources[OWN])
        for number in range(ends.shape[1]):
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * (first + deal) + 1)
            play_move(states, desk.seat, moves[number])
            while not states[GAME].over:
                play_out(desk, SPECTATOR, int(states[GAME].match.game))
            returns(states[GAME], scores)
            for seat in range(players):
                ends[deal, number, seat] = scores[seat] if players == 1 else share_of(scores, players, seat)
