"""The games in OpenSpiel, registered when this module is imported.

    import pyspiel
    import fairdeal.environments.openspiel

    game = pyspiel.load_game("fairdeal_chip_it(players=3)")

The parameters are the options of a game, `shuffles` and `rewards`. The only chance node is the first one: it chooses
one of `shuffles` shuffles with equal probability, which determines all cards and all later random events. A game is
therefore fixed by its actions, and with few shuffles the tree of a short game is small enough for exact methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyspiel

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.options import Bounds
from fairdeal.engine.records import NOBODY
from fairdeal.engine.registry import installed_games
from fairdeal.engine.state import PERFECT_MEMORY, State
from fairdeal.environments.parameters import Parameter, defaults_of, options_of
from fairdeal.environments.resampling import Shuffles, resampled
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.sights import Step, history_of
from fairdeal.environments.turns import Turns
from fairdeal.environments.versions import table_of, version_in, versions_of

SHUFFLES = 1000
"""Default number of shuffles at the chance node."""

CHANCE_AND_ENDS: dict[str, Parameter] = {"shuffles": SHUFFLES, "rewards": ""}
"""Parameters that are not options of a game. An empty `rewards` means `wins`, or `scores` for a single player."""

LONGEST = 100_000
"""Number of actions in a game of which no limit is known. OpenSpiel requires one."""

LARGEST = 1e6
"""Limit of final scores of which none is known."""


class CardGame(pyspiel.Game):  # type: ignore[misc]
    """A game at a table with its options. Each version of a game has a subclass with its `name`."""

    name: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        game, version = version_in(self.name)
        usual = parameters_of(game, version)
        given = {name: value for name, value in (parameters or {}).items() if value != usual.get(name)}
        own = {name: value for name, value in given.items() if name not in CHANCE_AND_ENDS}
        self.table, _ = table_of(self.name, options_of(game.options, own))
        self.shuffles = given.get("shuffles", SHUFFLES)
        if self.shuffles < 1:
            raise FairdealError(f"shuffles must be at least 1, not {self.shuffles}")
        rewards = given.get("rewards") or usual_rewards(self.table.players)
        self.rewards_of = rewards_by(rewards, self.table)
        self.layout = layout_of(self.table)
        self.undealt = Turns(self.table)
        self.declared = Shuffles(self.undealt, self.shuffles)
        wins = rewards == "wins"
        known = self.table.options.bounds() or Bounds(0, -LARGEST, LARGEST)
        lowest, highest = (-1 / (self.table.players - 1), 1.0) if wins else known[1:]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.table.game.actions),
            max_chance_outcomes=self.shuffles,
            num_players=self.table.players,
            min_utility=lowest,
            max_utility=highest,
            utility_sum=0.0 if wins else None,
            max_game_length=known.actions or LONGEST,
        )
        super().__init__(type_of(game, version, rewards), info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> CardState:
        return CardState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, parameters: dict[str, Any] | None = None
    ) -> Observer:
        return Observer(self, kind, parameters)


class CardState(pyspiel.State):  # type: ignore[misc]
    """A state of a game.

    `turns` is the current game, and `past` is its last step, or None before the deal.
    """

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self.turns = copy(game.undealt)
        self.past: Step | None = None

    @property
    def dealt(self) -> bool:
        return self.past is not None

    def current_player(self) -> int:
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.turns.over else self.turns.player

    def is_terminal(self) -> bool:
        return self.dealt and self.turns.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        shuffles = self.get_game().shuffles
        return [(shuffle, 1 / shuffles) for shuffle in range(shuffles)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.turns.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        player = self.turns.player if self.dealt else NOBODY
        if self.dealt:
            self.turns.act(action)
        else:
            self.turns.deal(action)
        self.past = Step(self.past, player, action, self.turns)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"shuffle {action}" if player < 0 else self.label(action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.turns.table.players
        found: list[float] = self.get_game().rewards_of(self.turns.state.returns())
        return found

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CardState:
        """Return a random state of this game that `player` cannot distinguish from this one, without the unfinished
        move of another player. It is played from its history, so it is a child of the root like any other."""
        game = self.get_game()
        guess: CardState = game.new_initial_state()
        if self.past is not None:
            for action in resampled(game.declared, self.past, player, Random(f"{sampler()} {sampler()}")):
                guess.apply_action(action)
        return guess

    def __str__(self) -> str:
        return self.state_text(self.turns.moment, self.turns.draft)

    def state_text(self, state: State, draft: Sequence[int]) -> str:
        """Return a position as JSON, followed by the actions of an unfinished move."""
        position = msgspec.json.encode(state.position()).decode()
        return ", then ".join([position, *map(self.label, draft)]) if self.dealt else "not dealt yet"

    def label(self, action: int) -> str:
        return self.turns.table.game.actions.label(action)


class Observer:
    """An observer of states for a player.

    With perfect recall, the tensor contains what a perfect memory would know, and the string everything that the player
    has seen and done, in lines. Otherwise both contain only what is visible now.
    """

    def __init__(
        self, game: CardGame, kind: pyspiel.IIGObservationType | None, parameters: dict[str, Any] | None
    ) -> None:
        if parameters:
            raise FairdealError(f"observations do not take parameters, but got {', '.join(parameters)}")
        self.has_perfect_recall = kind is not None and kind.perfect_recall
        self.recall = PERFECT_MEMORY if self.has_perfect_recall else 0
        self.layout = game.layout
        self.tensor = np.zeros(self.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CardState, player: int) -> None:
        if state.dealt:
            self.tensor[:] = self.layout.observe(state.turns.view(player, self.recall), player)
        else:
            self.tensor.fill(0)

    def string_from(self, state: CardState, player: int) -> str:
        if self.has_perfect_recall:
            return history_of(state.past, player) or "not dealt yet"
        turns = state.turns
        return state.state_text(turns.table_seen_by(player), turns.draft if player == turns.player else ())


def loaded(name: str, parameters: dict[str, Any]) -> CardGame:
    """Return the game with this name in OpenSpiel, after this module has registered it."""
    game: CardGame = pyspiel.load_game(name, parameters)
    return game


def parameters_of(game: Game, version: int) -> dict[str, Parameter]:
    """Return the parameters of a version of a game with their defaults."""
    preset = versions_of(game)[version]
    return defaults_of(game.options, game.presets[preset] if preset else None) | CHANCE_AND_ENDS


def usual_rewards(players: int) -> str:
    return "wins" if players > 1 else "scores"


def type_of(game: Game, version: int, rewards: str) -> pyspiel.GameType:
    """Return the description of a version of a game for OpenSpiel. The first version's name does not have a number."""
    name = game.name if version == game.rules_version else f"{game.name}-v{version}"
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"fairdeal_{name.replace('-', '_')}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if rewards == "wins" else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game, version),
    )


def register() -> None:
    """Register all versions of all installed games with OpenSpiel."""
    for game in installed_games():
        for version in versions_of(game):
            name = f"{game.name}-v{version}"
            players = table_of(name, {})[0].players
            kind = type(CardGame.__name__, (CardGame,), {"name": name})
            pyspiel.register_game(type_of(game, version, usual_rewards(players)), kind)


register()
