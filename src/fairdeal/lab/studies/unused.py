"""Detection of options that made no difference, for example because no bot used them.

Each watched game is replayed by the rules of the other table. If all its moves are legal there and lead to the same
end, the options in which the two tables differ did not matter in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.options import as_dict
from fairdeal.engine.state import State, Table
from fairdeal.lab.simulate.following import Followed, dealt
from fairdeal.lab.simulate.outcomes import Outcomes
from fairdeal.lab.studies.recipe import Setup
from fairdeal.lab.studies.watching import Watched

MOST_RANDOM = 50
"""Maximum number of games of random moves that are played to find a use of the options."""

Moves = Iterable[tuple[int, Sequence[int]]]
"""The seat and the actions of each move of a game."""


class Unused(Frozen):
    """Options that did not matter in any watched game of a table or of the first table. Fields:

    setup         name of the table
    options       options whose values differ from those of the first table
    games         number of watched games of both tables
    offered       whether the other table would have offered other moves in one of these games
    same          whether all games, watched or not, had the same scores and lengths at both tables
    random_games  number of additional games of random moves, played until the options mattered in one
    at_random     whether the options mattered in one of these games
    """

    setup: str
    options: tuple[str, ...]
    games: int
    offered: bool
    same: bool
    random_games: int
    at_random: bool


@dataclass(frozen=True)
class Games:
    """The outcomes of a table's games, and the records of the watched ones."""

    setup: Setup
    outcomes: Outcomes
    watched: Sequence[Watched]


def unused_of(first: Games, other: Games) -> Unused | None:
    """Return the options of a table that differ from the first table's and did not matter. Return None if they
    mattered, if no options differ, or if the tables have different players."""
    mine, theirs = as_dict(first.setup.table.options), as_dict(other.setup.table.options)
    options = tuple(name for name, value in theirs.items() if value != mine[name])
    if not options or "players" in options or first.setup.bots != other.setup.bots:
        return None
    offered = False
    for one, rival in ((first, other), (other, first)):
        for number, game in enumerate(one.watched):
            found = offers_others(one.setup, rival.setup.table, number, game.played)
            if found is None:
                return None
            offered = offered or found
    played, at_random = random_use(first, other)
    games = len(first.watched) + len(other.watched)
    same = same_outcomes(first.outcomes, other.outcomes)
    return Unused(other.setup.name, options, games, offered, same, played, at_random)


def same_outcomes(one: Outcomes, other: Outcomes) -> bool:
    """Return whether all games ended with the same scores after the same number of moves."""
    return one.scores.tobytes() == other.scores.tobytes() and one.moves.tobytes() == other.moves.tobytes()


def random_use(first: Games, other: Games) -> tuple[int, bool]:
    """Play games of random moves until the options of the tables matter in one. Return the number of games and whether
    they mattered."""
    bots = ("random",) * first.setup.table.players
    if first.setup.bots == bots:
        return 0, False
    played = 0
    for number in range(min(MOST_RANDOM, len(first.watched))):
        for one, rival in ((first, other), (other, first)):
            played += 1
            moves = Followed(replace(one.setup.order, bots=bots), number).moves()
            if offers_others(one.setup, rival.setup.table, number, moves) is None:
                return played, True
    return played, False


def offers_others(setup: Setup, rival: Table, number: int, moves: Moves) -> bool | None:
    """Return whether `rival` offers different moves in a game of a setup, or None if the game goes differently
    there."""
    master, offered = chance.seeded(setup.study.seed), False
    here, there = dealt(setup.table, master, number), dealt(rival, master, number)
    for player, action in steps_of(moves):
        legal, others = here.legal_actions(player), there.legal_actions(player)
        if action not in others:
            return None
        offered = offered or legal != others
        for state in (here, there):
            compiled.rules_of(state.game).apply(state.record, player, action)
    same = plain(here) == plain(there) and here.returns() == there.returns()
    return offered if same else None


def steps_of(moves: Moves) -> Iterator[tuple[int, int]]:
    """Yield the seat and the action of each step of each move."""
    return ((player, action) for player, actions in moves for action in actions)


def plain(state: State) -> bytes:
    """Return a state as bytes, without its options."""
    content: bytes = state.record.tobytes()
    kind, start = state.record.dtype.fields["options"][:2]
    return content[:start] + content[start + kind.itemsize :]
