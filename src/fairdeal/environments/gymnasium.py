"""The games as Gymnasium environments: one agent at one seat, and bots at all other seats.

    import gymnasium
    import fairdeal.environments.gymnasium

    chi = gymnasium.make("fairdeal/Chi-v1", opponents=("juno",))

Importing this module registers every installed game, in all of its versions.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from fairdeal.bots.bots import Bot, ask
from fairdeal.bots.registry import find_bot, one_for_each, usual_bot
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.kit import chance
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.registry import installed_games
from fairdeal.environments.rendering import MODES, check_mode, rendered
from fairdeal.environments.rewards import rewards_by
from fairdeal.environments.spaces import seen_in
from fairdeal.environments.turns import Turns, drawn_seed
from fairdeal.environments.versions import table_of, versions_of

NAMESPACE = "fairdeal"


class GameEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A Gymnasium environment that plays one game after another at one table.

    Arguments:

    name            name of the game, such as `chi`, or of one of its versions, such as `war-xtreme-v2`
    opponents       names of the bots at the other seats: one for all, or one for each, from the agent's left
                    (default: the game's default opponent)
    seat            seat of the agent, or None for a random seat at every deal
    preset          name of a preset of options
    rewards         `scores` or `wins`, given at the end
    recall          percentage of seen cards that the agent is shown; 100 is a perfect memory
    illegal_reward  reward for an illegal action, which ends the game; None raises IllegalMove instead
    render_mode     None, or one of `rendering.MODES`
    options         options of the game, by name
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        opponents: Sequence[str] = (),
        seat: int | None = None,
        preset: str = "",
        rewards: str = "scores",
        recall: int = 100,
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        table, _ = table_of(name, options, preset)
        self.render_mode = check_mode(render_mode)
        self.rewards_of = rewards_by(rewards, table)
        self.recall = recall
        self.illegal_reward = illegal_reward
        self.opponents = one_for_each(opponents or usual_bot(table.game), table.players - 1, table.game)
        if seat is not None and not 0 <= seat < table.players:
            raise FairdealError(
                f"there is no seat {seat!r}; the seat must be from 0 to {table.players - 1}, or None for any seat"
            )
        self.chosen_seat = seat
        self.seat = seat or 0
        self.bots: dict[int, Bot] = {}
        self.turns = Turns(table)
        self.layout = layout_of(table)
        self.observation_space = seen_in(self.layout)
        self.action_space = Discrete(len(table.game.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal the cards, and let the bots play until the agent's turn.

        With a seed, the cards are those of `Table.deal(seed)`. Games that end before the agent's first turn are
        skipped.
        """
        super().reset(seed=seed)
        self.begin(drawn_seed(self.np_random) if seed is None else seed)
        while self.turns.over:
            self.begin(drawn_seed(self.np_random))
        return self.seen(), self.info()

    def begin(self, seed: int) -> None:
        players = self.turns.table.players
        self.seat = int(self.np_random.integers(players)) if self.chosen_seat is None else self.chosen_seat
        self.turns.deal(seed)
        self.bots = {
            seat: find_bot(bot, self.turns.table, seat, chance.key_of(f"bot of seat {seat} of game {seed}"))
            for place, bot in enumerate(self.opponents, 1)
            for seat in [(self.seat + place) % players]
        }
        self.let_bots_play()

    def let_bots_play(self) -> None:
        """Let the bots play until the agent's turn or the end of the game."""
        while not self.turns.over and self.turns.player != self.seat:
            player = self.turns.player
            for action in ask(self.bots[player], self.turns.state, player, self.turns.moves).actions:
                self.turns.act(action)

    def step(self, action: np.int64) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Carry out an action, and let the bots play until the agent's next turn. The reward is given at the end of the
        game."""
        try:
            self.turns.act(int(action))
        except IllegalMove as problem:
            if self.illegal_reward is None or self.turns.over:
                raise
            return self.seen(), self.illegal_reward, True, False, self.info() | {"illegal": str(problem)}
        self.let_bots_play()
        reward = self.rewards_of(self.turns.state.returns())[self.seat] if self.turns.over else 0.0
        return self.seen(), reward, self.turns.over, False, self.info()

    def seen(self) -> NDArray[Any]:
        """Return the agent's observation."""
        found: NDArray[Any] = self.layout.observe(self.turns.view(self.seat, self.recall), self.seat)
        return found

    def info(self) -> dict[str, Any]:
        """Return the info dict of an observation: the agent's seat, and a mask with 1 for each legal action."""
        return {"seat": self.seat, "action_mask": self.turns.mask(self.seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a boolean mask of legal actions, under the name that learners such as MaskablePPO expect."""
        return self.turns.mask(self.seat).astype(bool)

    def render(self) -> Any:
        """Render the table as the agent sees it. Return the text or image, or None if the render mode produces
        neither."""
        return rendered(self.render_mode, self.turns.table_seen_by(self.seat))


def id_of(name: str, version: int) -> str:
    """Return the Gymnasium id of a version of a game, such as `fairdeal/ChipIt-v1`."""
    return f"{NAMESPACE}/{''.join(part.capitalize() for part in name.split('-'))}-v{version}"


def register() -> None:
    """Register all versions of all installed games with Gymnasium."""
    for game in installed_games():
        for version in versions_of(game):
            gymnasium.register(
                id_of(game.name, version),
                entry_point=f"{__name__}:GameEnv",
                vector_entry_point="fairdeal.environments.vector:VectorGames",
                kwargs={"name": f"{game.name}-v{version}"},
            )


register()
