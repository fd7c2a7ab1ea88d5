"""Steps of many games at once: rules that are bound to a game like the drivers, and write into their caller's arrays.

Every game has a place in the arrays. When it is over, the next game of its place begins, whose number is higher by the
number of places: what is dealt follows from the seed and that number, on any number of threads.
"""

from __future__ import annotations

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
"""Who sits where no bot of `engine.drivers` does."""

place = record(number=i4, player=i1, source=chance)
"""A place: the number of its game and the seat that is to act; and the chance of who acts first, and of bots."""

START, SEEN = 0, 1
"""The states at a desk: one before the deal, and what a seat sees."""

BITS = 32
"""Bits of a number of `allowed`."""

FEW = 16
"""So many legal actions of a game are kept side by side, where one is chosen: a game seldom has more."""

BLOCK = 64
"""Games that a thread takes up at once."""

LINE = 8
"""Numbers that threads count on lie so far apart: each in memory that the processor fetches by itself."""

OPEN, DONE, TAKEN = 0, LINE, 2 * LINE
"""The numbers of the blocks: may they be taken up? How many games are done; from here on, how many blocks of each part
have been taken."""

LOOKS = 10_000
"""How often a thread looks for what another one does, before it goes to sleep: less than a tenth of a millisecond."""


class Games(NamedTuple):
    """The games of a batch: their states and places; how many legal actions each has, the first few of them, and a bit
    for every action, 1 if it is legal; who sits at seat 0 of game 0 and at the seats after it, going round with the
    number of the game; what a seat remembers, in percent; whether rewards are for wins; the generator that all chance
    comes from; and the steps of the observations."""

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
    """What one thread needs: two states and their bytes, the plan of a bot, the scores of a game."""

    states: Record
    content: Record
    plan: Record
    scores: Record


class Arrays(NamedTuple):
    """What is told of every game, by its place. Fields:

    observation   what the seat that is to act sees
    mask          the actions that it may choose from
    player        that seat
    reward        what each seat has got by the step: nothing but at the end of a game
    done          has the step ended the game? All the above is then of the next one already
    final         what the seat that made the step saw at the end of the game, where it is over
    """

    observation: Record
    mask: Record
    player: Record
    reward: Record
    done: Record
    final: Record


# Each thread has a part of the games, which it takes up in blocks; whoever is done with its own takes from the others',
# so that nobody waits for a thread that begins late. What becomes of a game does not depend on who takes it.


@rule
def begin_games(games: Games, desk: Desk, blocks: Record, own: int, parts: int, arrays: Arrays) -> int:
    """Begin the first games of all places, together with the threads of the other parts. Always -1: none is wrong."""
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
    """Carry out an action in every game, together with the threads of the other parts. That of part 0 looks first
    whether all are legal. The place of the first that is not, and then nothing has been done; else -1."""
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
    """Take a block of the own part, or of the next that has one: its first place and the one behind it; twice the same
    if none is left."""
    for turn in range(parts):
        part = (own + turn) % parts
        end = size * (part + 1) // parts
        first = size * part // parts + BLOCK * add(blocks, TAKEN + LINE * part, 1)
        if first < end:
            return first, min(first + BLOCK, end)
    return size, size


@rule
def reached(blocks: Record, place: int, wanted: int) -> bool:
    """Does a number come to what is wanted soon? To sleep and be woken would take longer than most waiting."""
    for _ in range(LOOKS):
        if add(blocks, place, 0) >= wanted:
            return True
    return False


@rule
def step_block(games: Games, desk: Desk, first: int, end: int, actions: Record, arrays: Arrays) -> None:
    """Carry out a legal action in each of these games, and let bots play on. After a game the next one begins.

    An observation is cleared while the game before is played: its memory is far away, and comes meanwhile."""
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
                arrays.reward[game, seat] = won(scores, players, seat) if games.by_wins else scores[seat]
            wipe(arrays.final[game])
            observe_seat(games, desk, game, own, arrays.final[game])
            games.places[game].number += len(states)
            begin(games, desk, game)
        show(games, desk, game, arrays)


@rule
def wipe(row: Record) -> None:
    """Write 0 everywhere, in two halves: for more than 2 kB the C library takes a way on which the processor waits."""
    half = len(row) // 2
    row[:half] = 0
    row[half:] = 0


@rule
def won(scores: Record, players: int, seat: int) -> float:
    """What `rewards.wins` gives to a seat."""
    return (share_of(scores, players, seat) * players - 1.0) / (players - 1)


@rule
def clear(games: Games, game: int, arrays: Arrays) -> None:
    """Nothing has been got, and nothing is over."""
    arrays.done[game] = False
    for seat in range(len(arrays.reward[game])):
        arrays.reward[game, seat] = 0.0


@rule
def begin(games: Games, desk: Desk, game: int) -> None:
    """Begin the game of a place by its number. One that is over before a learner is asked is passed over."""
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
    """Let bots play until a learner is to act, or the game is over."""
    here, state = games.places[game], games.states[game]
    while not state.over and not state.composing:
        here.player = acting_player(state, here.source)
        seat = (int(here.player) + int(here.number)) % len(games.bots)
        if games.bots[seat] == LEARNER:
            return
        play_bot(games, desk, game, int(games.bots[seat]))


@rule
def play_bot(games: Games, desk: Desk, game: int, bot: int) -> None:
    """Let a bot make one whole move."""
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
    """Write what the seat that is to act sees, over nothing but 0, and what it may do."""
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
    """Write what a seat sees of a game, over nothing but 0."""
    desk.states[SEEN] = games.states[game]
    conceal_first(desk.states[SEEN : SEEN + 1], player, games.recall)
    observe(desk.content[SEEN], player, len(desk.scores), games.steps, out)


@rule
def choose(games: Games, chances: Record, actions: Record) -> None:
    """Choose a legal action in every game, by a number from 0 up to before 1 for each."""
    for game in range(len(actions)):
        choice = int(chances[game] * games.choices[game])
        actions[game] = games.few[game, choice] if choice < FEW else legal_action(games, game, choice)


@rule
def legal_action(games: Games, game: int, choice: int) -> int:
    """The legal action of a game before which so many others come."""
    action = -1
    while choice >= 0:
        action += 1
        choice -= is_legal(games, game, action)
    return action


@rule
def is_legal(games: Games, game: int, action: int) -> int:
    """1 if an action of the game is legal now, else 0."""
    return int(games.allowed[game, action // BITS]) >> action % BITS & 1


@rule
def first_illegal(games: Games, actions: Record, last: int) -> int:
    """The place of the first game in which an action is not legal, or -1; `last` is the last action that there is."""
    for game in range(len(actions)):
        action = int(actions[game])
        if action < 0 or action > last or not is_legal(games, game, action):
            return game
    return -1
