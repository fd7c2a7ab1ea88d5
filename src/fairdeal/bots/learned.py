"""A bot that has learned a game: a small net that answers from the observation of its seat.

A game names the file of its net (`Game.learned`). The net computes in whole numbers, so that every machine finds the
same move. It fits the table that it learned at, and no other: the file says which, and what its inputs meant.
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
"""Bits behind the point of a weight, and of what goes from layer to layer."""

HIGHEST = 2**15 - 1
"""No weight of a file is above this one, nor below its negative."""

RECALL = 100
"""Percent of what its seat has seen that the net is shown."""

LAYERS = 3

REASON = "This has won most often since I began to learn."

Weights = NDArray[Any]


@dataclass(frozen=True)
class About:
    """What a net has learned: the game with the version of its rules and its options, and by a digest what the numbers
    of an observation and of an action mean."""

    game: str
    rules: int
    options: dict[str, object]
    meaning: str

    @classmethod
    def of(cls, table: Table) -> About:
        return cls(table.game.name, table.game.rules_version, as_dict(table.options), meaning_of(layout_of(table)))


def meaning_of(layout: Layout) -> str:
    """A digest of what the numbers of an observation and of an action mean."""
    actions = layout.table.game.actions
    planes = [(plane.name, plane.shape, plane.words) for plane in layout.planes]
    told = (layout.dtype.name, planes, [actions.label(action) for action in range(len(actions))])
    return hashlib.sha256(repr(told).encode()).hexdigest()


@dataclass(frozen=True)
class Net:
    """The weights of each layer and what it adds, in whole numbers, and what they have learned."""

    about: About
    weights: tuple[Weights, ...]
    added: tuple[Weights, ...]

    @classmethod
    def of(cls, table: Table, weights: list[Weights], added: list[Weights]) -> Net:
        """A net of fractions, rounded. Raises FairdealError for a weight that is too large for a file."""
        if max(float(np.abs(layer).max()) for layer in (*weights, *added)) * 2**FRACTION > HIGHEST:
            raise FairdealError(f"a weight of the net is {2 ** (15 - FRACTION)} or more; make them smaller")
        return cls(
            About.of(table),
            *(tuple(np.rint(layer * 2**FRACTION).astype(np.int64) for layer in layers) for layers in (weights, added)),
        )

    @classmethod
    def read(cls, content: bytes) -> Net:
        """A net from the bytes of its file. Raises FairdealError."""
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                weights = tuple(file[f"weights{layer}"].astype(np.int64) for layer in range(LAYERS))
                added = tuple(file[f"added{layer}"].astype(np.int64) for layer in range(LAYERS))
                return cls(About(**json.loads(str(file["about"]))), weights, added)
        except (OSError, EOFError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as problem:
            raise FairdealError(f"this is no file of a net: {problem}") from None

    def write(self, path: Path) -> None:
        """Write its file, in numbers of two bytes."""
        arrays: dict[str, Any] = {f"weights{place}": layer.astype(np.int16) for place, layer in enumerate(self.weights)}
        arrays |= {f"added{place}": layer.astype(np.int16) for place, layer in enumerate(self.added)}
        np.savez_compressed(path, about=np.array(json.dumps(vars(self.about))), **arrays)

    def answer(self, seen: NDArray[Any]) -> Weights:
        """A number for each action from an observation: the higher, the better."""
        (there,) = np.nonzero(seen)
        passed = seen[there].astype(np.int64) @ self.weights[0][there] + self.added[0]
        for weights, added in zip(self.weights[1:], self.added[1:], strict=True):
            passed = (np.maximum(passed, 0) @ weights >> FRACTION) + added
        found: Weights = passed
        return found

    def unfit(self, table: Table) -> str:
        """Why it cannot play at a table, in a sentence; "" if it can."""
        here, learned, title = About.of(table), self.about, table.game.title
        if (learned.game, learned.rules) != (here.game, here.rules):
            return f"it learned {learned.game} by version {learned.rules} of its rules; this is version {here.rules}"
        if learned.meaning != here.meaning:
            return f"it learned {title} when positions were told in other numbers; it has to learn again"
        other = [name for name, value in here.options.items() if learned.options.get(name) != value]
        if other:
            name = other[0]
            return f"it learned {title} with {name} = {learned.options.get(name)} only, not {here.options[name]}"
        return ""


@cache
def read_net(place: str) -> Net:
    """The net in a file of a package, such as `fairdeal.games.chi:learned.npz`. Raises FairdealError."""
    return Net.read(read_bytes(place))


def net_for(table: Table) -> Net:
    """The net that can play at a table. Raises FairdealError, saying why none can."""
    if not table.game.learned:
        raise FairdealError(f"the bot `learned` does not play {table.game.title}: no net has learned it")
    net = read_net(table.game.learned)
    why = net.unfit(table)
    if why:
        raise FairdealError(f"the bot `learned` cannot play at this table: {why}")
    return net


class LearnedBot:
    """Plays what a net finds best, action by action; the same knowledge gives the same answer, for ever. Where a move
    has several actions, the first ones are tried with cards made up for those that the seat cannot see."""

    recall = RECALL

    def __init__(self, table: Table) -> None:
        self.net, self.layout = net_for(table), layout_of(table)

    def choose(self, view: State, player: int, turn: int = 0) -> Suggestion:
        trial, seen, actions = view.guess(), view, list[int]()
        while not actions or trial.composing:
            legal = seen.legal_actions(player)
            answers = self.net.answer(plainly(self.layout, seen))[legal]
            actions.append(legal[int(answers.argmax())])
            compiled.rules_of(view.game).apply(trial.record, player, actions[-1])
            seen = trial.view(player, RECALL)
        return Suggestion(tuple(actions), REASON)
