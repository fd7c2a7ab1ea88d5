"""A made-up game whose shares of luck and skill follow from its tree: what each option weighs decides who wins.

At the deal, both players see a coin. A second coin is hidden until the end. Then each player, the first one first,
chooses 0 or 1; only players who remember what was shown at the beginning know that 1 is better.
"""

from dataclasses import replace
from itertools import product
from typing import Annotated

import numpy as np

from fairdeal.engine.game import Rules
from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.chance import blank, draw, rekey
from fairdeal.engine.kit.matches import next_game, start_match
from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.options import Options, about, read_options
from fairdeal.engine.records import UNKNOWN, game_state, i1, record, rule
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table

HEAVY = 100


class MadeUpOptions(Options, kw_only=True):
    """What the parts of the game add to the points of the first player, or take from them."""

    players: Annotated[int, about("Number of players.", "CHI-01", "Players", ge=2, le=2)] = 2
    hand: Annotated[int, about("What the open coin weighs.", "CHI-01", "Hand", ge=0, le=HEAVY)] = 0
    later: Annotated[int, about("What the hidden coin weighs.", "CHI-01", "Later", ge=0, le=HEAVY)] = 0
    skill: Annotated[int, about("What a good choice weighs.", "CHI-01", "Skill", ge=0, le=HEAVY)] = 0
    seat: Annotated[int, about("What it weighs to move first.", "CHI-01", "Seat", ge=0, le=HEAVY)] = 0


STATE = game_state(
    2,
    record(hand=i1, later=i1, skill=i1, seat=i1),
    turn=i1,
    open_coin=i1,
    hidden_coin=i1,
    shown=i1,
    chosen=(i1, 2),
)


@rule
def deal(state, /):
    start_match(state, 1, draw(state.chance, 2))
    state.open_coin = draw(state.chance, 2)
    state.hidden_coin = draw(state.chance, 2)
    state.shown = 1
    give_turn(state, state.match.first)


@rule
def give_turn(state, seat):
    state.turn = seat
    state.to_act = 1 << seat


@rule
def legal_actions(state, player, actions):
    if not is_in(state.to_act, player):
        return 0
    for action in range(2):
        actions[action] = action
    return 2


@rule
def apply(state, player, action):
    state.chosen[player] = action
    if player == state.match.first:
        give_turn(state, 1 - player)
    else:
        next_game(state, state.match.first)


@rule
def conceal(state, viewer, recall):
    state.hidden_coin = UNKNOWN
    if recall == 0:
        state.shown = 0
    blank(state.chance)


@rule
def resample(state, player, source):
    if state.hidden_coin == UNKNOWN:
        state.hidden_coin = draw(source, 2)
    rekey(state.chance, source)


@rule
def returns(state, out):
    first, weights = state.match.first, state.options
    ahead = weights.seat + weights.hand * (2 * state.open_coin - 1) + weights.later * (2 * state.hidden_coin - 1)
    ahead += weights.skill * (int(state.chosen[first]) - int(state.chosen[1 - first]))
    out[first] = ahead
    out[1 - first] = -ahead


@rule
def greedy(state, player, plan):
    plan[0] = state.shown
    return 1


MADE_UP = replace(
    find_game("chi"),
    name="made-up",
    title="Made Up",
    options=MadeUpOptions,
    presets={},
    state=STATE,
    actions=Actions(choose=2),
    rules=Rules(
        deal=deal, legal_actions=legal_actions, apply=apply, conceal=conceal, resample=resample, returns=returns
    ),
    greedy=greedy,
    estimate=None,
    rollout=None,
)


def made_up(**weights):
    """Return a table of the made-up game."""
    return Table(MADE_UP, read_options(MadeUpOptions, weights))


def true_shares(hand=0, later=0, skill=0, seat=0, strong=(1,), weak=(0,)):
    """Return the shares of luck and skill, computed from all ways in which a game can go. `strong` and `weak` are the
    choices of these players, all equally likely."""
    wins = np.empty((2, 2, 2, len(strong), len(weak), 2))  # coins, who moves first, choices, seat in order of play
    for open_coin, hidden, weak_first, s, w in product(*map(range, wins.shape[:-1])):
        first, second = (weak[w], strong[s]) if weak_first else (strong[s], weak[w])
        ahead = seat + hand * (2 * open_coin - 1) + later * (2 * hidden - 1) + skill * (first - second)
        wins[open_coin, hidden, weak_first, s, w] = 0.5 + 0.5 * np.sign(ahead), 0.5 - 0.5 * np.sign(ahead)
    own = wins.mean(axis=(3, 4))  # coins, who moves first, seat
    by_player = np.stack([own[..., 0, 0], own[..., 1, 1], own[..., 1, 0], own[..., 0, 1]], -1).reshape(2, 2, 2, 2)
    strong_wins, weak_wins = by_player[:, :, 0], by_player[:, :, 1]  # coins, seat
    level = wins.mean()
    parts = {
        "skill": ((strong_wins.mean() - weak_wins.mean()) / 2) ** 2,
        "seat": wins.mean(axis=(0, 1, 2, 3, 4)).var(),
        "hand": np.square(own.mean(axis=(1, 2))).mean() - np.square(own.mean(axis=(0, 1, 2))).mean(),
        "later": np.square(own.mean(axis=2)).mean() - np.square(own.mean(axis=(1, 2))).mean(),
        "own": np.square(wins).mean() - np.square(own).mean(),
    }
    whole = np.square(wins).mean() - level**2
    return {"suits": 1 - sum(parts.values()) / whole} | {name: part / whole for name, part in parts.items()}
