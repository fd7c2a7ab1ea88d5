"""A bot trained to play a game: a small neural network that rates actions from the observation of a seat.

A game names the file of its network in `Game.learned`. The network computes with integers, so that it finds the same
move on every machine. It can play only at tables like the one it was trained for, which the file records together with
the meaning of the inputs.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeal.bots.bots import Suggestion
from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_bytes
from fairdeal.engine.observe.layout import Layout, layout_of, plainly
from fairdeal.engine.options import as_dict
from fairdeal.engine.state import State, Table

FRACTION = 12
"""Number of fractional bits in weights and in values passed between layers."""

HIGHEST = 2**15 - 1
"""Maximum absolute value of a weight in a file."""

RECALL = 100
"""Percentage of the cards seen by its seat that the network is shown."""

LAYERS = 3

REASON = "This has won most often since I began to learn."

Weights = NDArray[Any]


@dataclass(frozen=True)
class About:
    """The training setup of a network: the game, the version of its rules, the options, and a digest of inputs and
    outputs."""

    game: str
    rules: int
    options: dict[str, object]
    meaning: str

    @classmethod
    def of(cls, table: Table) -> About:
        return cls(table.game.name, table.game.rules_version, as_dict(table.options), meaning_of(layout_of(table)))


def meaning_of(layout: Layout) -> str:
    """Return a digest of the meaning of the numbers in observations and actions. The descriptions of planes are not
    included."""
    actions, observed = layout.table.game.actions, layout.table.game.observed
    planes = [(plane.name, plane.shape) for plane in layout.planes]
    forms = [(name, form.kind, form.values, form.first, form.by_seat) for name, form in sorted(observed.forms.items())]
    labels = [actions.label(action) for action in range(len(actions))]
    found = (layout.dtype.name, planes, forms, observed.rotates, labels)
    return hashlib.sha256(repr(found).encode()).hexdigest()


@dataclass(frozen=True)
class Net:
    """The integer weights and biases of each layer, and a description of the training setup."""

    about: About
    weights: tuple[Weights, ...]
    added: tuple[Weights, ...]

    @classmethod
    def of(cls, table: Table, weights: list[Weights], added: list[Weights]) -> Net:
        """Return a network with rounded weights. Raises FairdealError if a weight is too large for a file."""
        if max(float(np.abs(layer).max()) for layer in (*weights, *added)) * 2**FRACTION > HIGHEST:
            raise FairdealError(f"the weights of a network must be below {2 ** (15 - FRACTION)}")
        return cls(
            About.of(table),
            *(tuple(np.rint(layer * 2**FRACTION).astype(np.int64) for layer in layers) for layers in (weights, added)),
        )

    @classmethod
    def read(cls, content: bytes) -> Net:
        """Return the network stored in the bytes of a file. Raises FairdealError if they are not valid."""
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                weights = tuple(file[f"weights{layer}"].astype(np.int64) for layer in range(LAYERS))
                added = tuple(file[f"added{layer}"].astype(np.int64) for layer in range(LAYERS))
                return cls(About(**json.loads(str(file["about"]))), weights, added)
        except (OSError, EOFError, KeyError, ValueError, TypeError, RecursionError, zipfile.BadZipFile) as problem:
            raise FairdealError(f"this is not a network file: {problem}") from None

    def write(self, path: Path) -> None:
        """Write the network to a file, as 16-bit integers."""
        arrays: dict[str, Any] = {f"weights{place}": layer.astype(np.int16) for place, layer in enumerate(self.weights)}
        arrays |= {f"added{place}": layer.astype(np.int16) for place, layer in enumerate(self.added)}
        np.savez_compressed(path, about=np.array(json.dumps(vars(self.about))), **arrays)

    def answer(self, seen: NDArray[Any]) -> Weights:
        """Return a rating of each action for an observation. Higher is better."""
        (there,) = np.nonzero(seen)
        passed = seen[there].astype(np.int64) @ self.weights[0][there] + self.added[0]
        for weights, added in zip(self.weights[1:], self.added[1:], strict=True):
            passed = (np.maximum(passed, 0) @ weights >> FRACTION) + added
        found: Weights = passed
        return found

    def unfit(self, table: Table) -> str:
        """Return the reason why the network cannot play at a table, or an empty string if it can."""
        here, learned, title = About.of(table), self.about, table.game.title
        if (learned.game, learned.rules) != (here.game, here.rules):
            return f"it was trained for rules version {learned.rules} of {learned.game}; this is version {here.rules}"
        if learned.meaning != here.meaning:
            return f"it was trained for {title} with a different observation layout; train it again"
        defaults = type(table.options)(players=table.options.players)
        trained = as_dict(defaults) | learned.options  # options added since had their defaults
        other = [name for name, value in here.options.items() if trained[name] != value]
        if other:
            name = other[0]
            return f"it was trained for {title} with {name} = {trained[name]}, not {here.options[name]}"
        return ""


@cache
def read_net(place: str) -> Net:
    """Return the network in a package file such as `fairdeal.games.chi:learned.npz`. Raises FairdealError if it cannot
    be read."""
    return Net.read(read_bytes(place))


def net_for(table: Table) -> Net:
    """Return the network for a table. Raises FairdealError, with the reason, if no network fits."""
    if not table.game.learned:
        raise FairdealError(f"the bot `learned` does not play {table.game.title}: the game has no trained network")
    net = read_net(table.game.learned)
    why = net.unfit(table)
    if why:
        raise FairdealError(f"the bot `learned` cannot play at this table: {why}")
    return net


class LearnedBot:
    """A bot that plays the action that its network rates highest. Equal views always give the same move.

    In a move of several actions, the earlier ones are tried in a state with guessed hidden cards.
    """

    recall = RECALL

    def __init__(self, table: Table) -> None:
        self.net, self.layout = net_for(table), layout_of(table)

    def __reduce__(self) -> tuple[Any, ...]:
        return LearnedBot, (self.layout.table,)

    def choose(self, view: State, player: int, turn: int = 0) -> Suggestion:
        trial, seen, actions = view.guess(), view, list[int]()
        while not actions or trial.composing:
            legal = seen.legal_actions(player)
            answers = self.net.answer(plainly(self.layout, seen))[legal]
            actions.append(legal[int(answers.argmax())])
            compiled.rules_of(view.game).apply(trial.record, player, actions[-1])
            seen = trial.view(player, RECALL)
        return Suggestion(tuple(actions), REASON)
