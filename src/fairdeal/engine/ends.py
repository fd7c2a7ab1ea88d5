"""Ends: who wins the match after a move, or what one player alone scores, when everybody plays on by the game's own
greedy rule.

The same deals and the same luck as in `engine.search`, by their numbers; but played to the very end, and told for every
seat, game by game, so that moves can be compared deal by deal.
"""

from __future__ import annotations

from fairdeal.engine.chance import derive
from fairdeal.engine.drivers import apply_first, resample, returns
from fairdeal.engine.records import SPECTATOR, Record, rule
from fairdeal.engine.search import DEALT, GAME, LUCK, MASTER, OWN, VIEW, play_out, share_of


@rule
def tell_ends(
    states: Record,
    viewer: int,
    recall: int,
    sources: Record,
    moves: Record,
    lengths: Record,
    first: int,
    plan: Record,
    scores: Record,
    ends: Record,
) -> None:
    """Play the moves of a viewer who sees states[VIEW] out in the deals number `first` (from 1) and following; a move
    of length 0 is none. ends[deal, move, seat] becomes the share that a seat has of the first place, or the score of
    one player alone."""
    for deal in range(ends.shape[0]):
        derive(sources[OWN], sources[MASTER], 2 * (first + deal))
        states[DEALT] = states[VIEW]
        resample(states[DEALT], viewer, sources[OWN])
        for number in range(ends.shape[1]):
            states[GAME] = states[DEALT]
            derive(sources[LUCK], sources[MASTER], 2 * (first + deal) + 1)
            for step in range(lengths[number]):
                apply_first(states[GAME : GAME + 1], viewer, int(moves[number, step]))
            while not states[GAME].over:
                play_out(states, SPECTATOR, recall, sources, plan, int(states[GAME].match.game), 0)
            returns(states[GAME], scores)
            for seat in range(ends.shape[2]):
                alone = ends.shape[2] == 1
                ends[deal, number, seat] = scores[seat] if alone else share_of(scores, ends.shape[2], seat)
