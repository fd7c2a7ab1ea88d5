"""The bot interface, and the bots that play by a simple rule. Bots receive only concealed states."""

from dataclasses import dataclass
from typing import Protocol

from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.engine.state import State


@dataclass(frozen=True)
class Suggestion:
    """A complete legal move as actions, with a reason in one line.

    >>> Suggestion((0,), "It is the first card of the row.").actions
    (0,)
    """

    actions: tuple[int, ...]
    reason: str


class Bot(Protocol):
    """A computer player, which chooses moves based only on what its seat may know. `recall` is the percentage of seen
    cards that the bot remembers.

    >>> class First:
    ...     recall = 0
    ...     def choose(self, view, player, turn):
    ...         return Suggestion(next(view.action_moves(player)), "The first legal move.")
    >>> ask(First(), load("chi").deal(seed=7), 1, 0)
    Suggestion(actions=(0,), reason='The first legal move.')
    """

    recall: int

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        """Return a move for seat `player`, from a state concealed for that seat. `turn` is the number of log entries so
        far.

        If the move depends only on the view, the seat, the turn and the bot's own key, `fairdeal verify` can check it.
        """
        ...


def ask(bot: Bot, state: State, player: int, turn: int) -> Suggestion:
    """Return a bot's move for a seat. The bot receives only what the seat may know.

    >>> state = load("chi").deal(seed=7)
    >>> state.play_actions(1, ask(SearchBot(state.game, bytes(32), games=20), state, 1, 0).actions)
    >>> state.to_act
    (0,)
    """
    return bot.choose(state.view(player, bot.recall), player, turn)


class RandomBot:
    """A bot that plays random legal moves, choosing each action with equal probability.

    The actions are tried in a state with guessed hidden cards, because rules cannot move unknown cards.
    """

    recall = 0

    def __init__(self, key: bytes) -> None:
        self.master, self.source, self.guesses = chance.seeded(key), new(chance_record), new(chance_record)

    def choose(self, view: State, player: int, turn: int) -> Suggestion:
        chance.derive(self.source, self.master, 2 * turn)
        chance.derive(self.guesses, self.master, 2 * turn + 1)
        trial = view.resample(self.guesses)
        actions: list[int] = []
        while not actions or trial.composing:
            legal = trial.legal_actions(player)
            actions.append(legal[chance.draw(self.source, len(legal))])
            compiled.rules_of(view.game).apply(trial.record, player, actions[-1])
        return Suggestion(tuple(actions), "Any legal move is as good as another to me.")


class GreedyBot:
    """A bot that plays the best move by the game's greedy rule, with a memory of `recall` percent."""

    def __init__(self, recall: int) -> None:
        self.recall = recall

    def choose(self, view: State, player: int, turn: int = 0) -> Suggestion:
        plan = compiled.scratch(view.game)
        count = compiled.ready(view.game).greedy(view.record, player, plan)
        actions = tuple(int(action) for action in plan[:count])
        return Suggestion(actions, view.game.reason(view.record, player, actions))
