"""Write PyTorch's results for the weights of a saved network, for tests of the NumPy version: `python answers.py chi
chi.npz ../../tests/bots/learned_answers.npz`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from fairdeal.bots.learned import FRACTION, Net
from fairdeal.engine.state import table_for
from fairdeal.environments.batch import Batch

POSITIONS, STEPS = 24, 40


def answers(net: Net, seen: torch.Tensor) -> torch.Tensor:
    """Return the logits of the network as fractions, computed layer by layer."""
    for number, (weights, added) in enumerate(zip(net.weights, net.added, strict=True)):
        seen = torch.relu(seen) if number else seen
        seen = seen @ torch.from_numpy(weights / 2**FRACTION) + torch.from_numpy(added / 2**FRACTION)
    return seen


def main() -> None:
    net = Net.read(Path(sys.argv[2]).read_bytes())
    games = Batch(table_for(sys.argv[1], {}, ""), POSITIONS, seed="answers", threads=1)
    generator = np.random.default_rng(1)
    seen, masks = [], []
    for step in range(STEPS):
        told = games.step(games.sample(generator))
        seen.append(told.observation[step % POSITIONS].copy())
        masks.append(told.mask[step % POSITIONS].copy())
    observations = np.stack(seen)
    found = answers(net, torch.from_numpy(observations.astype(np.float64))).numpy().astype(np.float32)
    np.savez_compressed(sys.argv[3], seen=observations, answers=found, masks=np.stack(masks))


if __name__ == "__main__":
    main()
