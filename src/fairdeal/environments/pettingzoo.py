"""The games as PettingZoo environments, in which agents act in turn (AEC).

    from fairdeal.environments.pettingzoo import env

    chi = env("chi", render_mode="ansi")

Agents are named by their seats: `player_0`, `player_1`, ...
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from fairdeal.engine.observe.layout import layout_of
from fairdeal.environments.rendering import MODES, check_mode, rendered
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.spaces import seen_in
from fairdeal.environments.turns import Turns, drawn_seed
from fairdeal.environments.versions import table_of

Observation = dict[str, NDArray[Any]]


def env(name: str, /, **choices: Any) -> AECEnv[str, Observation, int | None]:
    """Return a PettingZoo environment (AEC) for a game, wrapped so that steps before `reset` raise an error.

    `choices` are `preset`, `rewards` ("scores" or "wins"), `recall` (percent), `max_cycles`, `render_mode` and the
    options of the game. Observations are dictionaries of `observation`, of shape (size,), and `action_mask`, of shape
    (actions,). Raises UnknownGame or BadOption if the game or an option does not exist.

    >>> game = env("chimax-cut", players=2)
    >>> game.reset(seed=7)
    >>> game.agents, game.last()[0]["action_mask"].shape
    (['player_0', 'player_1'], (47,))
    """
    return OrderEnforcingWrapper(GameEnv(name, **choices))


class GameEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A PettingZoo environment that plays one game after another at one table.

    Arguments:

    name         name of the game, such as `chi`
    preset       name of a preset of options
    rewards      `scores` or `wins`, given at the end
    recall       percentage of seen cards that agents are shown; 100 is a perfect memory
    max_cycles   maximum number of actions of an agent, after which the game is truncated; None for no limit
    render_mode  None, or one of `rendering.MODES`
    options      options of the game, by name
    """

    def __init__(
        self,
        name: str,
        /,
        *,
        preset: str = "",
        rewards: str = "scores",
        recall: int = 100,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        table, version = table_of(name, options, preset)
        self.metadata = {
            "name": f"fairdeal_{table.game.name.replace('-', '_')}_v{version}",
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = check_mode(render_mode)
        self.rewards_of = rewards_by(rewards, table)
        self.recall = recall
        self.max_cycles = max_cycles
        self.turns = Turns(table)
        self.layout = layout_of(table)
        self.np_random, _ = seeding.np_random()
        self.possible_agents = [f"player_{seat}" for seat in range(table.players)]
        self.agents: list[str] = []
        mask = Box(0, 1, (len(table.game.actions),), np.int8)
        seen = seen_in(self.layout)
        self.observation_spaces = {agent: Dict(observation=seen, action_mask=mask) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(table.game.actions)) for agent in self.possible_agents}

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the cards of `Table.deal(seed)`. If `seed` is None, deal the next game of the last seed."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.turns.deal(drawn_seed(self.np_random) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.acted = dict.fromkeys(self.agents, 0)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.turns.player]

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and a mask with 1 for each action that is legal for it now."""
        seat = self.possible_agents.index(agent)
        seen = self.layout.observe(self.turns.view(seat, self.recall), seat)
        return {"observation": seen, "action_mask": self.turns.mask(seat)}

    def step(self, action: int | None) -> None:
        """Carry out an action of the selected agent. If it is illegal, raises IllegalMove and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.turns.act(action)
        self.acted[agent] += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.turns.over:
            self.rewards = dict(zip(self.agents, self.rewards_of(self.turns.state.returns()), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.acted[agent] == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.turns.player]
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render the table as the selected agent sees it. Return the text or image, or None if the render mode produces
        neither."""
        return rendered(self.render_mode, self.turns.table_seen_by(self.possible_agents.index(self.agent_selection)))

    def close(self) -> None:
        """Do nothing, because no resources are held."""
