"""The games as PettingZoo environments, in which agents act one after the other (AEC).

    from fairdeal.environments.pettingzoo import env

    chi = env("chi", render_mode="ansi")

Agents are called `player_0`, `player_1`, ... by their seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.state import table_for
from fairdeal.environments.rendering import MODES, check_mode, rendered
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.spaces import seen_in
from fairdeal.environments.turns import Turns, drawn_seed

Observation = dict[str, NDArray[Any]]


def env(name: str, /, **choices: Any) -> AECEnv[str, Observation, int | None]:
    """A game with its options, as `GameEnv` takes them; it says so when it is used before `reset`."""
    return OrderEnforcingWrapper(GameEnv(name, **choices))


class GameEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """One game after the other, at one table. Arguments:

    name         the game, such as `chi`
    preset       a preset of its options
    rewards      `scores` or `wins`, given at the end
    recall       how much of what they have seen agents are shown, in percent: 100 is a perfect memory
    max_cycles   how often an agent may act until the game is broken off; None for ever
    render_mode  None, or one of `rendering.MODES`
    options      the options of the game, by name
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
        table = table_for(name, options, preset)
        self.metadata = {
            "name": f"fairdeal_{name.replace('-', '_')}_v{table.game.rules_version}",
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
        """Deal. With a seed the cards are those of `Table.deal(seed)`; without, the next deal of the last seed."""
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
        """What an agent may know now, and a 1 for each action that it may do now."""
        seat = self.possible_agents.index(agent)
        seen = self.layout.observe(self.turns.view(seat, self.recall), seat)
        return {"observation": seen, "action_mask": self.turns.mask(seat)}

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent selected. Raises IllegalMove, which changes nothing."""
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
        """The table as the agent selected sees it."""
        return rendered(self.render_mode, self.turns.table_seen_by(self.possible_agents.index(self.agent_selection)))

    def close(self) -> None:
        """Nothing is kept open."""
