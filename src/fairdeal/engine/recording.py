"""Recording: the games of `drivers.simulate` again, with every decision written down as its seat saw it.

A decision is one action: a move of several choices is as many decisions. It is written into arrays that the caller
gives; where they are full, the games that were finished count, and the caller gives new arrays for the rest.
"""

from __future__ import annotations

from fairdeal.engine.chance import derive, draw
from fairdeal.engine.drivers import (
    acting_player,
    apply_first,
    conceal_first,
    deal,
    greedy,
    legal_actions_first,
    plays_greedy,
    recall_of,
    returns,
)
from fairdeal.engine.observing import observe
from fairdeal.engine.records import Record, i1, i2, i4, record, rule

DECISION = record(game="i8", move=i4, legal_end=i4, step=i2, action=i2, seat=i1, bot=i1)
"""A decision: the numbers of the game, of the move in it and of the action in that move, all from 0; who made it, and
which action. Its legal actions end at `legal_end` in the list of all, and begin where those of the one before end."""

GAMES, DECISIONS, LEGAL = 0, 1, 2
"""What is counted while games are recorded: finished games, their decisions, the legal actions of those."""


@rule
def record_games(
    states: Record,
    sources: Record,
    actions: Record,
    plan: Record,
    bots: Record,
    first: int,
    views: Record,
    decisions: Record,
    legal: Record,
    scores: Record,
    lengths: Record,
    counts: Record,
) -> None:
    """Play games number `first` and following, one for each row of `scores`, as `simulate` does; views[d] becomes what
    the seat of decisions[d] saw, and `legal` lists what it might have done. `counts` tells how far it came."""
    state = states[1]
    counts[GAMES], counts[DECISIONS], counts[LEGAL] = 0, 0, 0
    for game in range(len(scores)):
        number, made, listed = first + game, int(counts[DECISIONS]), int(counts[LEGAL])
        states[1] = states[0]
        derive(state.chance, sources[0], 2 * number)
        derive(sources[1], sources[0], 2 * number + 1)
        deal(state)
        players, moves, begun = int(state.players), 0, int(counts[DECISIONS])
        shift = number % players
        while not state.over:
            player = acting_player(state, sources[1])
            who = player + shift if player + shift < players else player + shift - players
            bot = int(bots[who])
            is_greedy, length, step = plays_greedy(bot, sources[1]), 1, 0
            while step < length:
                if made == len(decisions) or listed + len(actions) > len(legal):
                    return
                views[made] = states[1]
                conceal_first(views[made : made + 1], player, recall_of(bot))
                count = legal_actions_first(states[1:2], player, actions)
                if is_greedy and step == 0:
                    states[2] = views[made]
                    length = greedy(states[2], player, plan)
                if is_greedy:
                    action = int(plan[step])
                else:
                    action = int(actions[0]) if count == 1 else int(actions[draw(sources[1], count)])
                for place in range(count):
                    legal[listed + place] = actions[place]
                listed += count
                decision = decisions[made]
                decision.game, decision.move, decision.step, decision.legal_end = number, moves, step, listed
                decision.action, decision.seat, decision.bot = action, player, who
                made += 1
                apply_first(states[1:2], player, action)
                step += 1
                if not is_greedy and state.composing:
                    length += 1
            moves += 1
        lengths[game, 0], lengths[game, 1] = moves, made - begun
        returns(state, scores[game])
        counts[GAMES], counts[DECISIONS], counts[LEGAL] = game + 1, made, listed


@rule
def observe_all(contents: Record, seats: Record, players: int, steps: Record, out: Record) -> None:
    """Write the observation of each decision by the steps of a layout, over nothing but 0;
    contents[d] are the bytes of what its seat saw."""
    for made in range(len(contents)):
        observe(contents[made], seats[made], players, steps, out[made])
