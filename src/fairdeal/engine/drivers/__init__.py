"""Drivers: loops that work for any game and are bound to a game when they are compiled.

The contract functions below only define names. `engine.compile.compiled` (or `bound`, for plain Python) replaces them
with the game's own functions. A driver plays complete games in arrays that its caller allocates, so it allocates no
memory.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from fairdeal.engine.kit.chance import derive, draw
from fairdeal.engine.records import Record, rule

MOST_STEPS = 24
"""Maximum number of actions in one complete move."""

STATES = 3
"""Number of states in the workspace of a thread, before those with which games begin."""

RANDOM, GREEDY = 0, 1
"""Codes of the bots that a simulation can run without leaving compiled code. GREEDY + `m` is the code of a greedy bot
that remembers `m` percent of the cards it has seen."""

BLUNDERS = 1000
"""Amount added to a greedy bot's code for each percent of its moves that are replaced by random legal moves."""


class Desk(NamedTuple):
    """The workspace of a thread that plays games: three states, the first of which is not yet dealt, followed by the
    beginnings of the games if they are not dealt from the master; two random number generators, the master and that of
    the bots; the actions of a move; and the code of each bot."""

    states: Record
    sources: Record
    actions: Record
    bots: Record


def contract(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as a name that is replaced by a game's own rule."""
    function.__fairdeal_contract__ = True  # type: ignore[attr-defined]
    return rule(function)


@contract
def deal(state: Record) -> None:
    raise NotImplementedError


@contract
def legal_actions(state: Record, player: int, actions: Record) -> int:
    raise NotImplementedError


@contract
def apply(state: Record, player: int, action: int) -> None:
    raise NotImplementedError


@contract
def conceal(state: Record, viewer: int, recall: int) -> None:
    raise NotImplementedError


@contract
def resample(state: Record, player: int, source: Record) -> None:
    raise NotImplementedError


@contract
def returns(state: Record, out: Record) -> None:
    raise NotImplementedError


@contract
def greedy(state: Record, player: int, plan: Record) -> int:
    raise NotImplementedError


# The functions that callers in Python use most, for an array of one record: see `compiled.BY_ARRAY`.


@rule
def legal_actions_first(states: Record, player: int, actions: Record) -> int:
    return legal_actions(states[0], player, actions)


@rule
def apply_first(states: Record, player: int, action: int) -> None:
    apply(states[0], player, action)


@rule
def conceal_first(states: Record, viewer: int, recall: int) -> None:
    conceal(states[0], viewer, recall)


@rule
def acting_player(state: Record, source: Record) -> int:
    """Return the seat that acts next. If several seats may act, choose one of them at random."""
    waiting = int(state.to_act)
    if waiting & (waiting - 1) == 0:
        only = 0
        while waiting >> only > 1:
            only += 1
        return only
    acting = 0
    for player in range(state.players):
        acting += (waiting >> player) & 1
    chosen = draw(source, acting)
    for player in range(state.players):
        if (waiting >> player) & 1:
            if chosen == 0:
                return player
            chosen -= 1
    return 0


@rule
def random_action(state: Record, player: int, source: Record, actions: Record) -> int:
    """Return one of the legal actions at random, all equally likely."""
    count = legal_actions(state, player, actions)
    if count == 1:
        return int(actions[0])
    return int(actions[draw(source, count)])


@rule
def random_move(state: Record, player: int, source: Record, actions: Record) -> int:
    """Play one complete random move of a player, and return its number of actions."""
    apply(state, player, random_action(state, player, source, actions))
    count = 1
    while state.composing:
        apply(state, player, random_action(state, player, source, actions))
        count += 1
    return count


@rule
def random_moves(state: Record, source: Record, actions: Record, moves: int) -> int:
    """Play at most `moves` random moves, and return the number of moves played before the game was over."""
    for played in range(moves):
        if state.over:
            return played
        random_move(state, acting_player(state, source), source, actions)
    return moves


@rule
def greedy_move(states: Record, player: int, recall: int, plan: Record) -> int:
    """Play one complete greedy move of a player in states[1], chosen from a concealed copy in states[2]. Return its
    number of actions."""
    states[2] = states[1]
    conceal(states[2], player, recall)
    count = greedy(states[2], player, plan)
    for i in range(count):
        apply(states[1], player, int(plan[i]))
    return count


@rule
def plays_greedy(bot: int, source: Record) -> bool:
    """Return whether a bot makes its next move by the greedy rule rather than at random."""
    return bot >= GREEDY and (bot < BLUNDERS or draw(source, 100) >= bot // BLUNDERS)


@rule
def recall_of(bot: int) -> int:
    """Return the percentage of seen cards that a bot remembers, from its code; 0 for a random bot."""
    return bot % BLUNDERS - GREEDY if bot >= GREEDY else 0


@rule
def begin_game(desk: Desk, number: int) -> None:
    """Deal game `number` in states[1]. The deal uses key 2 * `number` of sources[0], and bots use the next key."""
    states, sources = desk.states, desk.sources
    states[1] = states[0]
    derive(states[1].chance, sources[0], 2 * number)
    derive(sources[1], sources[0], 2 * number + 1)
    deal(states[1])


@rule
def place_game(desk: Desk, number: int, place: int) -> None:
    """Copy the beginning of game `number`, which is dealt already, to states[1]."""
    desk.states[1] = desk.states[STATES + place]
    derive(desk.sources[1], desk.sources[0], 2 * number + 1)


@rule
def simulate(desk: Desk, first: int, scores: Record, lengths: Record) -> None:
    """Play the games from number `first` on, one for each row of `scores`.

    Seat `seat` is played by bot (`seat` + game number) % `players`, so that every bot plays every seat equally often.
    The scores are written into scores[game, seat], and the numbers of moves and actions into lengths[game].
    """
    states, sources, actions, state = desk.states, desk.sources, desk.actions, desk.states[1]
    for game in range(len(scores)):
        if len(states) > STATES:
            place_game(desk, first + game, game)
        else:
            begin_game(desk, first + game)
        players, moves, steps = int(state.players), 0, 0
        shift = (first + game) % players
        while not state.over:
            player = acting_player(state, sources[1])
            bot = int(desk.bots[player + shift if player + shift < players else player + shift - players])
            if plays_greedy(bot, sources[1]):
                steps += greedy_move(states, player, recall_of(bot), actions)
            else:
                steps += random_move(state, player, sources[1], actions)
            moves += 1
        lengths[game, 0] += moves
        lengths[game, 1] += steps
        returns(state, scores[game])


@rule
def count_moves(states: Record, actions: Record, counts: Record, depth: int) -> int:
    """Return the number of sequences of `depth` complete moves from `states[0]`, known as perft after R. Hyatt's
    command in Crafty.

    `states`, `actions` and `counts` have a row for each action of a sequence. A row of `counts` holds the index of the
    next action, the number of actions, the player, and the number of complete moves so far.
    """
    if depth == 0:
        return 1
    total = 0
    level = 0
    enter(states, actions, counts, 0, 0)
    while level >= 0:
        if counts[level, 0] == counts[level, 1]:
            if not next_player(states, actions, counts, level):
                level -= 1
            continue
        action = int(actions[level, counts[level, 0]])
        counts[level, 0] += 1
        states[level + 1] = states[level]
        state = states[level + 1]
        apply_first(states[level + 1 : level + 2], int(counts[level, 2]), action)
        moves = int(counts[level, 3])
        if not state.composing:
            moves += 1
        if moves == depth:
            total += 1
        elif not state.over:
            level += 1
            enter(states, actions, counts, level, moves)
    return total


@rule
def enter(states: Record, actions: Record, counts: Record, level: int, moves: int) -> None:
    """Start a level of the perft count, before the first player is chosen."""
    counts[level, 0] = 0
    counts[level, 1] = 0
    counts[level, 2] = -1
    counts[level, 3] = moves


@rule
def next_player(states: Record, actions: Record, counts: Record, level: int) -> bool:
    """List the actions of the next player who may act at a level of the perft count. Return whether there is such a
    player."""
    state = states[level]
    for player in range(int(counts[level, 2]) + 1, state.players):
        if (state.to_act >> player) & 1:
            counts[level, 0] = 0
            counts[level, 1] = legal_actions_first(states[level : level + 1], player, actions[level])
            counts[level, 2] = player
            return True
    return False
