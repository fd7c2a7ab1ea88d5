"""Compiled steps of many games at once, which write into the caller's arrays.

The functions are bound to a game like those of `engine.drivers`. Every game has a place in the arrays. When it ends,
the next game of that place begins. Its number is higher by the number of places. The cards of a game depend only on the
seed and the game's number, not on the number of threads.
"""

from typing import NamedTuple

from fairdeal.engine.compile.atomics import add
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
from fairdeal.engine.drivers.search import share_of
from fairdeal.engine.kit.chance import derive, draw
from fairdeal.engine.observe.encoding import observe
from fairdeal.engine.records import Record, chance, i1, i4, record, rule

LEARNER = -1
"""Code of a seat that is not played by a bot of `engine.drivers`."""

place = record(number=i4, player=i1, source=chance)
"""The record type of a place: the number of its game, the seat to act, and a random generator for the order of acting
and for bots."""

START, SEEN = 0, 1
"""Indices of a workspace's states: a state before the deal, and the view of a seat."""

BITS = 32
"""Number of bits in an element of `allowed`."""

FEW = 16
"""Number of legal actions of a game that are stored in a compact list. Most states have fewer."""

BLOCK = 64
"""Number of games in a block, the unit of work of a thread."""

LINE = 8
"""Distance between shared counters, in array elements, which puts each counter into its own cache line."""

OPEN, DONE, TAKEN = 0, LINE, 2 * LINE
"""Indices of the shared counters: permission to take blocks, number of games done, and number of blocks taken from each
part."""

LOOKS = 10_000
"""Number of times a thread polls a counter before it gives up, which takes less than a tenth of a millisecond."""


class Games(NamedTuple):
    """The games of a batch.

    `states` and `places` have an entry for each game. `choices` is the number of legal actions, `few` lists the first
    of them, and `allowed` has a bit for every action. `bots` contains the codes of the bots at seat 0 and the following
    seats in game 0; in other games they are shifted by the number of the game. `recall` is the memory of learners in
    percent, `by_wins` selects rewards for wins, `master` is the generator from which all others are derived, and
    `steps` describes the observations.
    """

    states: Record
    places: Record
    choices: Record
    few: Record
    allowed: Record
    bots: Record
    recall: int
    by_wins: bool
    master: Record
    steps: Record


class Desk(NamedTuple):
    """The workspace of a thread: two states and their bytes, the plan of a bot, and the scores of a game."""

    states: Record
    content: Record
    plan: Record
    scores: Record


class Arrays(NamedTuple):
    """The results of a step, with an entry for every place.

    Fields:

    observation   view of the seat that is to act
    mask          legal actions of that seat
    player        number of that seat
    reward        reward of each seat for the step, which is 0 unless the game has ended
    done          whether the step has ended the game; observation, mask and player then belong to the next game
    final         view of the seat that made the step at the end of the game, if it has ended
    """

    observation: Record
    mask: Record
    player: Record
    reward: Record
    done: Record
    final: Record


# Each thread owns a part of the games and takes them in blocks. A thread that has finished its own part takes blocks of
# the others, so that no thread has to wait for a late one. The results do not depend on the thread that plays a game.


@rule
def begin_games(games: Games, desk: Desk, blocks: Record, own: int, parts: int, arrays: Arrays) -> int:
    """Begin the first games of all places, together with the threads of the other parts. Return -1."""
    first, end = take_block(blocks, own, parts, len(games.states))
    while first < end:
        for game in range(first, end):
            games.places[game].number = game
            begin(games, desk, game)
            clear(games, game, arrays)
            wipe(arrays.observation[game])
            show(games, desk, game, arrays)
        add(blocks, DONE, end - first)
        first, end = take_block(blocks, own, parts, len(games.states))
    return -1


@rule
def step_games(games: Games, desk: Desk, blocks: Record, own: int, parts: int, actions: Record, arrays: Arrays) -> int:
    """Carry out an action in every game, together with the threads of the other parts.

    The thread of part 0 first checks all actions. If one of them is illegal, no game is changed, and the place of the
    first one is returned. Otherwise, return -1.
    """
    size = len(games.states)
    if own == 0:
        wrong = first_illegal(games, actions, arrays.mask.shape[1] - 1)
        if wrong >= 0:
            return wrong
        add(blocks, OPEN, 1)
    elif not reached(blocks, OPEN, 1):
        return -1
    first, end = take_block(blocks, own, parts, size)
    while first < end:
        step_block(games, desk, first, end, actions, arrays)
        add(blocks, DONE, end - first)
        first, end = take_block(blocks, own, parts, size)
    if own == 0:
        reached(blocks, DONE, size)
    return -1


@rule
def take_block(blocks: Record, own: int, parts: int, size: int) -> tuple[int, int]:
    """Take a block of the thread's own part, or of the next part that has a block left. Return its range of places.

    The range is empty if no block is left.
    """
    for turn in range(parts):
        part = (own + turn) % parts
        end = size * (part + 1) // parts
        first = size * part // parts + BLOCK * add(blocks, TAKEN + LINE * part, 1)
        if first < end:
            return first, min(first + BLOCK, end)
    return size, size


@rule
def reached(blocks: Record, place: int, wanted: int) -> bool:
    """Return whether a counter reaches a value within a short time. The counter is polled, because sleeping would take
    longer."""
    for _ in range(LOOKS):
        if add(blocks, place, 0) >= wanted:
            return True
    return False


@rule
def step_block(games: Games, desk: Desk, first: int, end: int, actions: Record, arrays: Arrays) -> None:
    """Carry out a legal action in each game of a range, let bots move until a learner has to act, and start the next
    game after one that ends.

    The observation of each game is cleared while the previous game is played, which brings its memory into the cache.
    """
    states, scores = games.states, desk.scores
    wipe(arrays.observation[first])
    for game in range(first, end):
        if game + 1 < end:
            wipe(arrays.observation[game + 1])
        own = int(games.places[game].player)
        apply_first(states[game : game + 1], own, int(actions[game]))
        play_on(games, desk, game)
        clear(games, game, arrays)
        if states[game].over:
            arrays.done[game] = True
            returns(states[game], scores)
            players = len(scores)
            for seat in range(players):
                arrays.reward[game, seat] = won(scores, players, seat) if games.by_wins else scores[seat] // 1.0
            wipe(arrays.final[game])
            observe_seat(games, desk, game, own, arrays.final[game])
            games.places[game].number += len(states)
            begin(games, desk, game)
        show(games, desk, game, arrays)


@rule
def wipe(row: Record) -> None:
    """Fill a row with 0, in two halves, because the C library is slower above 2 kB."""
    half = len(row) // 2
    row[:half] = 0
    row[half:] = 0


@rule
def won(scores: Record, players: int, seat: int) -> float:
    """Return the reward that `rewards.wins` gives to a seat."""
    return (share_of(scores, players, seat) * players - 1.0) / (players - 1)


@rule
def clear(games: Games, game: int, arrays: Arrays) -> None:
    """Reset the rewards and the end flag of a game."""
    arrays.done[game] = False
    for seat in range(len(arrays.reward[game])):
        arrays.reward[game, seat] = 0.0


@rule
def begin(games: Games, desk: Desk, game: int) -> None:
    """Begin the next game of a place, skipping games that end before a learner has to act."""
    here = games.places[game]
    while True:
        games.states[game] = desk.states[START]
        derive(games.states[game].chance, games.master[0], 2 * int(here.number))
        derive(here.source, games.master[0], 2 * int(here.number) + 1)
        deal(games.states[game])
        play_on(games, desk, game)
        if not games.states[game].over:
            return
        here.number += len(games.states)


@rule
def play_on(games: Games, desk: Desk, game: int) -> None:
    """Let bots play until a learner has to act or the game is over."""
    here, state = games.places[game], games.states[game]
    while not state.over and not state.composing:
        here.player = acting_player(state, here.source)
        seat = (int(here.player) + int(here.number)) % len(games.bots)
        if games.bots[seat] == LEARNER:
            return
        play_bot(games, desk, game, int(games.bots[seat]))


@rule
def play_bot(games: Games, desk: Desk, game: int, bot: int) -> None:
    """Let a bot make one complete move."""
    here, state = games.places[game], games.states[game : game + 1]
    player = int(here.player)
    if plays_greedy(bot, here.source):
        desk.states[SEEN] = games.states[game]
        conceal_first(desk.states[SEEN : SEEN + 1], player, recall_of(bot))
        for step in range(greedy(desk.states[SEEN], player, desk.plan)):
            apply_first(state, player, int(desk.plan[step]))
        return
    while True:
        count = legal_actions_first(state, player, desk.plan)
        apply_first(state, player, int(desk.plan[draw(here.source, count)]))
        if not games.states[game].composing:
            return


@rule
def show(games: Games, desk: Desk, game: int, arrays: Arrays) -> None:
    """Write the observation of the seat that is to act into a row of zeros, and write its legal actions."""
    few, allowed, mask = games.few[game], games.allowed[game], arrays.mask[game]
    player = int(games.places[game].player)
    count = legal_actions_first(games.states[game : game + 1], player, desk.plan)
    games.choices[game] = count
    mask[:] = False
    allowed[:] = 0
    for choice in range(count):
        action = int(desk.plan[choice])
        mask[action] = True
        allowed[action // BITS] |= 1 << action % BITS
        if choice < FEW:
            few[choice] = action
    arrays.player[game] = player
    observe_seat(games, desk, game, player, arrays.observation[game])


@rule
def observe_seat(games: Games, desk: Desk, game: int, player: int, out: Record) -> None:
    """Write the observation of a seat into a row of zeros."""
    desk.states[SEEN] = games.states[game]
    conceal_first(desk.states[SEEN : SEEN + 1], player, games.recall)
    observe(desk.content[SEEN], player, len(desk.scores), games.steps, out)


@rule
def choose(games: Games, chances: Record, actions: Record) -> None:
    """Choose a legal action in every game, given a number in [0, 1) for each."""
    for game in range(len(actions)):
        choice = int(chances[game] * games.choices[game])
        actions[game] = games.few[game, choice] if choice < FEW else legal_action(games, game, choice)


@rule
def legal_action(games: Games, game: int, choice: int) -> int:
    """Return the legal action with index `choice` in a game."""
    action = -1
    while choice >= 0:
        action += 1
        choice -= is_legal(games, game, action)
    return action


@rule
def is_legal(games: Games, game: int, action: int) -> int:
    """Return 1 if an action is legal in a game, or else 0."""
    return int(games.allowed[game, action // BITS]) >> action % BITS & 1


@rule
def first_illegal(games: Games, actions: Record, last: int) -> int:
    """Return the place of the first game with an illegal action, or -1 if all are legal. `last` is the highest action
    number."""
    for game in range(len(actions)):
        action = int(actions[game])
        if action < 0 or action > last or not is_legal(games, game, action):
            return game
    return -1
