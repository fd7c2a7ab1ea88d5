"""A program that learns a game. It imitates the greedy bot, then plays against it and against itself, and makes actions
more likely if their results were better than expected (PPO: Schulman et al., 2017). It requires PyTorch and PyArrow;
see README.md.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch
from stretches import Inputs, Stretch, advantages
from torch import Tensor, nn

from fairdeal.bots.learned import Net as PlayedNet
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table, table_for
from fairdeal.environments.batch import Batch
from fairdeal.lab.simulate.simulation import Estimate, share

WIDTHS = (256, 128)
GAMES, STEPS = 512, 64
"""Number of games in parallel, half of them against the greedy bot, and number of decisions of each game between two
learning steps."""

EPOCHS, PART = 3, 4096
CLIP, VALUE, ENTROPY, MOST_GRADIENT, MOST_CHANGE = 0.2, 0.5, 0.005, 0.5, 0.03
IMITATING, LEARNING = 1e-3, 7e-4
"""Initial learning rates."""

MATCH, EVERY = 2000, 150.0
"""Number of games in a match against the greedy bot, and number of seconds between two matches."""


class Net(nn.Module):
    """A network with two hidden layers, from an observation to the logits of all actions and the value of the
    position."""

    def __init__(self, table: Table, alike: list[str]) -> None:
        super().__init__()
        self.table, self.inputs = table, Inputs.of(layout_of(table), alike)
        actions = len(table.game.actions)
        self.register_buffer("scale", torch.ones(self.inputs.count))
        self.first, self.second = nn.Linear(self.inputs.count, WIDTHS[0]), nn.Linear(*WIDTHS)
        self.policy, self.value = nn.Linear(WIDTHS[1], actions), nn.Linear(WIDTHS[1], 1)
        for layer, gain in ((self.policy, 0.01), (self.value, 0.1)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log-probability of each action, and the values, which are between -1 and 1."""
        hidden = torch.relu(self.second(torch.relu(self.first(seen * self.scale))))
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return torch.log_softmax(logits, 1), torch.tanh(self.value(hidden)).squeeze(1)

    def fit(self, observations: np.ndarray) -> None:
        """Scale the inputs to at most 1. Inputs that are always 0 start with weights of 0."""
        highest = torch.from_numpy(np.abs(self.inputs.told(observations)).max(0))
        self.scale = 1 / highest.clamp(min=1)
        with torch.no_grad():
            self.first.weight[:, highest == 0] = 0

    def played(self) -> PlayedNet:
        """Return the network in the form used by fairdeal, as integers, with a weight for each number of an
        observation."""
        first = (self.first.weight * self.scale).detach().numpy().T[self.inputs.column]
        others = [layer.weight.detach().numpy().T for layer in (self.second, self.policy)]
        added = [layer.bias.detach().numpy() for layer in (self.first, self.second, self.policy)]
        return PlayedNet.of(self.table, [first, *others], added)


def parts(count: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield the numbers below `count` in random order, a part at a time."""
    yield from np.array_split(generator.permutation(count), max(1, count // PART))


def imitate(net: Net, path: Path, seconds: float, generator: np.random.Generator) -> None:
    """Train on a file of decisions, with their choices and winners, for `seconds` seconds."""
    moves = pq.read_table(path, columns=["observation", "legal", "action", "win"])
    layout = layout_of(net.table)
    content = moves["observation"].combine_chunks().buffers()[-1]
    seen = np.frombuffer(content, layout.dtype).reshape(-1, layout.size)
    net.fit(seen[::17])
    legal = moves["legal"].combine_chunks()
    mask = np.zeros((len(seen), len(net.table.game.actions)), np.bool_)
    mask[np.repeat(np.arange(len(seen)), np.diff(legal.offsets.to_numpy())), legal.values.to_numpy()] = True
    action = torch.from_numpy(moves["action"].to_numpy().astype(np.int64))
    win = torch.from_numpy(moves["win"].to_numpy().astype(np.float32)) * 2 - 1
    optimizer, started = torch.optim.Adam(net.parameters(), IMITATING), time.monotonic()
    while (gone := (time.monotonic() - started) / seconds) < 1:
        slow_down(optimizer, IMITATING, gone)
        some = generator.integers(0, len(seen), PART // 2)
        likely, value = net(torch.from_numpy(net.inputs.told(seen[some])), torch.from_numpy(mask[some]))
        loss = nn.functional.nll_loss(likely, action[some]) + VALUE * (value - win[some]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def slow_down(optimizer: torch.optim.Optimizer, rate: float, gone: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = rate * max(0.05, 1 - gone)


@torch.no_grad()
def play(net: Net, games: Batch) -> Stretch:
    """Continue all games for some steps, with actions drawn from the network's probabilities."""
    players = games.table.players
    stretch = Stretch.blank(STEPS, games.n, net.inputs.count, games.actions, players)
    told = games.arrays
    for step in range(STEPS):
        seen, mask = net.inputs.told(told.observation), told.mask.copy()
        likely, value = net(torch.from_numpy(seen), torch.from_numpy(mask))
        action = torch.multinomial(likely.exp(), 1)
        stretch.seen[step], stretch.mask[step], stretch.player[step] = seen, mask, told.player
        stretch.action[step], stretch.likely[step] = action[:, 0], likely.gather(1, action)[:, 0]
        stretch.value[step] = value
        told = games.step(stretch.action[step])
        stretch.reward[step], stretch.done[step] = told.reward, told.done
    return stretch


def learn(net: Net, stretches: list[Stretch], optimizer: torch.optim.Optimizer, chance: np.random.Generator) -> None:
    """Make actions more likely if their results were better than expected, in small steps. Stop early if the network
    has changed too much."""

    def all_of(arrays: list[Any]) -> Tensor:
        return torch.from_numpy(np.concatenate([each.reshape(-1, *each.shape[2:]) for each in arrays]))

    seen, mask = all_of([one.seen for one in stretches]), all_of([one.mask for one in stretches])
    action, before = all_of([one.action for one in stretches]), all_of([one.likely for one in stretches])
    found = [advantages(one, net.table.players) for one in stretches]
    better, target = all_of([each[0] for each in found]), all_of([each[1] for each in found])
    better = (better - better.mean()) / (better.std() + 1e-8)
    for _ in range(EPOCHS):
        changes = []
        for some in parts(len(action), chance):
            likely, value = net(seen[some], mask[some])
            change = likely.gather(1, action[some, None])[:, 0] - before[some]
            ratio = change.exp()
            gain = torch.min(ratio * better[some], ratio.clamp(1 - CLIP, 1 + CLIP) * better[some]).mean()
            entropy = -(likely.exp() * likely.masked_fill(~mask[some], 0)).sum(1).mean()
            loss = VALUE * (value - target[some]).pow(2).mean() - gain - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), MOST_GRADIENT)
            optimizer.step()
            changes.append(float((ratio - 1 - change).detach().mean()))
        if np.mean(changes) > MOST_CHANGE:
            return


@torch.no_grad()
def match(net: Net, seed: int, count: int = MATCH) -> Estimate:
    """Return the share of games that the network wins against the greedy bot, playing its best moves. Seats
    alternate."""
    games = Batch(net.table, count, seed=seed, bots=("greedy",), rewards="wins", threads=1)
    won, over, told, rows = np.zeros(count), np.zeros(count, np.bool_), games.arrays, np.arange(count)
    while not over.all():
        seat = told.player.copy()
        likely, _ = net(torch.from_numpy(net.inputs.told(told.observation)), torch.from_numpy(told.mask))
        told = games.step(likely.argmax(1).numpy())
        first = told.done & ~over
        won[first] = (told.reward[rows, seat][first] + 1) / 2
        over |= told.done
    return share(won)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("moves", type=Path, help="decisions of greedy bots, by `fairdeal simulate --moves`")
    parser.add_argument("out", type=Path, help="the file of the net; its matches go beside it")
    parser.add_argument("--alike", nargs="*", default=[], help="planes whose places are in no order: areas.cards")
    parser.add_argument("--imitate", type=float, default=2.5, help="minutes")
    parser.add_argument("--minutes", type=float, default=30.0)
    wished = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    chance = np.random.default_rng(1)
    net = Net(table_for(find_game(wished.game).name, {}, ""), wished.alike)
    imitate(net, wished.moves, 60 * wished.imitate, chance)
    half = GAMES // 2
    batches = [
        Batch(net.table, half, seed=11, bots=("greedy",), rewards="wins", threads=1),
        Batch(net.table, half, seed=12, rewards="wins", threads=1),
    ]
    optimizer = torch.optim.Adam(net.parameters(), LEARNING, eps=1e-5)
    started, looked, decisions, best = time.monotonic(), -math.inf, 0, 0.0
    curve = []
    while True:
        gone = (time.monotonic() - started) / (60 * wished.minutes)
        if time.monotonic() - looked > EVERY or gone >= 1:
            wins = match(net, 1000 + len(curve))
            minutes = (time.monotonic() - started) / 60
            look = {"wins": wins.value, "low": wins.low, "high": wins.high}
            curve.append({"minutes": round(minutes, 1), "decisions": decisions, **look})
            told = f"{minutes:5.1f} minutes, {decisions:,} decisions"
            print(f"{told}: {wins.value:.1%} ({wins.low:.1%} to {wins.high:.1%})", flush=True)
            wished.out.with_suffix(".json").write_text(json.dumps(curve))
            looked = time.monotonic()
            if wins.value > best:
                best = wins.value
                net.played().write(wished.out)
        if gone >= 1:
            return
        slow_down(optimizer, LEARNING, gone)
        learn(net, [play(net, games) for games in batches], optimizer, chance)
        decisions += GAMES * STEPS


if __name__ == "__main__":
    main()
