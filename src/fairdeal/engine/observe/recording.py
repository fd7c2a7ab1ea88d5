"""Recording of every decision in the games of `drivers.simulate`, as its seat saw it.

A decision is one action: a move of several choices is several decisions. Decisions are written into arrays that the
caller supplies. When the arrays are full, only finished games count, and the caller supplies new arrays for the
remaining games.
"""

from typing import NamedTuple

from fairdeal.engine.drivers import (
    Desk,
    acting_player,
    apply_first,
    begin_game,
    conceal_first,
    greedy,
    legal_actions_first,
    plays_greedy,
    recall_of,
    returns,
)
from fairdeal.engine.kit.chance import draw
from fairdeal.engine.observe.encoding import observe
from fairdeal.engine.records import Record, i1, i2, i4, record, rule

DECISION = record(game="i8", move=i4, legal_end=i4, step=i2, action=i2, seat=i1, bot=i1)
"""The record type of a decision. It contains the number of the game, of the move in the game and of the action in the
move, all counted from 0, as well as the seat, the bot and the action. The legal actions of a decision end at
`legal_end` in the list of all legal actions, and begin where those of the previous decision end."""


class Decisions(NamedTuple):
    """Recorded decisions, in order: the state of each as its seat saw it, a row of `DECISION` for each, and the legal
    actions of all decisions, one list after another."""

    views: Record
    rows: Record
    legal: Record


@rule
def record_games(desk: Desk, first: int, decisions: Decisions, scores: Record, lengths: Record) -> tuple[int, int, int]:
    """Play the games from number `first`, one for each row of `scores`, as `simulate` does, and record their decisions.
    Return the number of games that fit into the arrays, and the numbers of their decisions and legal actions."""
    states, sources, plan, rows, legal = desk.states, desk.sources, desk.actions, decisions.rows, decisions.legal
    state, made, listed = states[1], 0, 0
    for game in range(len(scores)):
        number, made_before, listed_before = first + game, made, listed
        begin_game(desk, number)
        players, moves = int(state.players), 0
        shift = number % players
        while not state.over:
            player = acting_player(state, sources[1])
            who = player + shift if player + shift < players else player + shift - players
            bot = int(desk.bots[who])
            is_greedy, length, step = plays_greedy(bot, sources[1]), 1, 0
            while step < length:
                if made == len(rows) or listed + len(plan) > len(legal):
                    return game, made_before, listed_before
                view = decisions.views[made : made + 1]
                view[0] = states[1]
                conceal_first(view, player, recall_of(bot))
                count = legal_actions_first(states[1:2], player, legal[listed:])
                if is_greedy and step == 0:
                    states[2] = view[0]
                    length = greedy(states[2], player, plan)
                if is_greedy:
                    action = int(plan[step])
                else:
                    action = int(legal[listed]) if count == 1 else int(legal[listed + draw(sources[1], count)])
                listed += count
                row = rows[made]
                row.game, row.move, row.step, row.legal_end = number, moves, step, listed
                row.action, row.seat, row.bot = action, player, who
                made += 1
                apply_first(states[1:2], player, action)
                step += 1
                if not is_greedy and state.composing:
                    length += 1
            moves += 1
        lengths[game, 0], lengths[game, 1] = moves, made - made_before
        returns(state, scores[game])
    return len(scores), made, listed


@rule
def observe_all(contents: Record, seats: Record, players: int, steps: Record, out: Record) -> None:
    """Write the observation of each decision, following the steps of a layout. contents[d] holds the bytes of the state
    that the seat of decision `d` saw. `out` must be filled with 0."""
    for made in range(len(contents)):
        observe(contents[made], seats[made], players, steps, out[made])
