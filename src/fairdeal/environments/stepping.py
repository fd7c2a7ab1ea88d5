"""Steps of many games at once: rules that are bound to a game like the drivers, and write into their caller's arrays.

Every game has a place in the arrays. When it is over, the next game of its place begins, whose number is higher by the
number of places: what is dealt follows from the seed and that number, on any number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

from fairdeal.engine.chance import derive, draw
from fairdeal.engine.drivers import (
    BLUNDERS,
    GREEDY,
    acting_player,
    apply_first,
    conceal_first,
    deal,
    greedy,
    legal_actions_first,
    returns,
)
from fairdeal.engine.observing import observe
from fairdeal.engine.records import Record, chance, i1, i4, record, rule
from fairdeal.engine.search import share_of

LEARNER = -1
"""Who sits where no bot of `engine.drivers` does."""

place = record(number=i4, player=i1, source=chance)
"""A place: the number of its game and the seat that is to act; and the chance of who acts first, and of bots."""

START, SEEN = 0, 1
"""The states at a desk: one before the deal, and what a seat sees."""


class Games(NamedTuple):
    """The games of a batch: their states and places; the legal actions of each in a list, how many they are, and for
    every action whether it is one of them; who sits at seat 0 of game 0 and at the seats after it, going round with the
    number of the game; what a seat remembers, in percent; whether rewards are for wins; the generator that all chance
    comes from; and the steps of the observations."""

    states: Record
    places: Record
    legal: Record
    choices: Record
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


@rule
def begin_games(games: Games, desk: Desk, first: int, end: int, arrays: Arrays) -> None:
    """Begin the first games of the places from `first` up to before `end`."""
    for game in range(first, end):
        games.places[game].number = game
        begin(games, desk, game)
        clear(games, game, arrays)
        arrays.observation[game][:] = 0
        show(games, desk, game, arrays)


@rule
def step_games(games: Games, desk: Desk, first: int, end: int, actions: Record, arrays: Arrays) -> None:
    """Carry out a legal action in each of these games, and let bots play on. After a game the next one begins.

    An observation is cleared while the game before is played: its memory is far away, and comes meanwhile."""
    states, scores = games.states, desk.scores
    arrays.observation[first][:] = 0
    for game in range(first, end):
        if game + 1 < end:
            arrays.observation[game + 1][:] = 0
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
            arrays.final[game][:] = 0
            observe_seat(games, desk, game, own, arrays.final[game])
            games.places[game].number += len(states)
            begin(games, desk, game)
        show(games, desk, game, arrays)


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
    if bot >= GREEDY and (bot < BLUNDERS or draw(here.source, 100) >= bot // BLUNDERS):
        desk.states[SEEN] = games.states[game]
        conceal_first(desk.states[SEEN : SEEN + 1], player, bot % BLUNDERS - GREEDY)
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
    legal, allowed, mask = games.legal[game], games.allowed[game], arrays.mask[game]
    player = int(games.places[game].player)
    for choice in range(games.choices[game]):
        allowed[legal[choice]] = False
    count = legal_actions_first(games.states[game : game + 1], player, legal)
    games.choices[game] = count
    mask[:] = False
    for choice in range(count):
        mask[legal[choice]] = allowed[legal[choice]] = True
    arrays.player[game] = player
    observe_seat(games, desk, game, player, arrays.observation[game])


@rule
def observe_seat(games: Games, desk: Desk, game: int, player: int, out: Record) -> None:
    """Write what a seat sees of a game, over nothing but 0."""
    desk.states[SEEN] = games.states[game]
    conceal_first(desk.states[SEEN : SEEN + 1], player, games.recall)
    observe(desk.content[SEEN], player, len(desk.scores), games.steps, out)


@rule
def first_illegal(games: Games, actions: Record) -> int:
    """The place of the first game in which an action is not legal, or -1."""
    width = games.allowed.shape[1]
    for game in range(len(actions)):
        action = actions[game]
        if action < 0 or action >= width or not games.allowed[game, action]:
            return game
    return -1
