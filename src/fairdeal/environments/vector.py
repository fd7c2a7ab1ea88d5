"""A batch of games as a Gymnasium vector environment: one agent at one seat, and bots at all other seats.

games = VectorGames("chi", 4096, opponents="greedy")
observations, infos = games.reset(seed=7)
observations, rewards, over, _, infos = games.step(choose(observations, infos["action_mask"]))
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fairdeal.environments.batch import batch
from fairdeal.environments.spaces import seen_in
from fairdeal.environments.stepping import Arrays

Observations = NDArray[Any]
Actions = NDArray[Any]


class VectorGames(VectorEnv[Observations, Actions, NDArray[Any]]):
    """Many games at tables of one kind, as a Gymnasium vector environment. The agent's seat changes from game to game.
    Arguments:

    name        the game
    num_envs    number of games
    opponents   the bots at all other seats, starting at the agent's left, or one for all seats; only bots that compiled
                code can call
    more        arguments of `batch`: `preset`, `rewards`, `recall`, `threads`, and the options of the game

    When a game ends, the next one begins within the same step. The observation then belongs to the next game, and
    `final_obs` in the infos is the last observation of the game that ended. Arrays are overwritten by the second step
    after the one that returned them.

    >>> games = VectorGames("chimax-cut", 8, players=2)
    >>> seen, infos = games.reset(seed=7)
    >>> seen.shape[0], infos["action_mask"].shape
    (8, (8, 47))
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, name: str, num_envs: int = 4096, *, opponents: Sequence[str] = "greedy", **more: Any) -> None:
        self.games = batch(name, num_envs, bots=opponents, **more)
        self.num_envs = num_envs
        self.spare = self.games.new_arrays()
        self.single_observation_space = seen_in(self.games.layout)
        self.single_action_space = Discrete(self.games.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games. The same seed, which must be a whole number, deals the same games."""
        if isinstance(seed, list):
            raise ValueError("all games use one seed: give a single number, not a list")
        super().reset(seed=seed, options=options)
        arrays = self.games.reset(int(self.np_random.integers(2**62)) if seed is None else seed)
        return arrays.observation, infos_of(arrays)

    def step(self, actions: Actions) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Carry out an action of the agent in every game, and let the bots move until its next turn."""
        before = self.games.arrays
        arrays, self.spare = self.games.step(actions, self.spare), before
        rewards = arrays.reward[np.arange(self.num_envs), before.player]
        return arrays.observation, rewards, arrays.done, np.zeros(self.num_envs, np.bool_), infos_of(arrays)


def infos_of(arrays: Arrays) -> dict[str, Any]:
    """Return the info dict of a step: legal actions, the agent's seats, and final observations of ended games."""
    infos: dict[str, Any] = {"action_mask": arrays.mask, "seat": arrays.player}
    if arrays.done.any():
        infos |= {"final_obs": arrays.final, "_final_obs": arrays.done}
    return infos
