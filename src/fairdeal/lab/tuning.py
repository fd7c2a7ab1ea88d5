"""The search for the options of a game that meet its targets, by successive halving (K. Jamieson, A. Talwalkar,
"Non-stochastic best arm identification and hyperparameter optimization", 2016).

In each round, half as many candidates as before play twice as many games: those whose values are nearest to the middle
of the targets. A candidate that misses a target for certain plays no more. The verdicts are those of a report
(`lab/studies/targets.py`), corrected for all candidates, targets and rounds (C. E. Bonferroni, 1936), so that none of
them is wrong with a probability of 95 %, no matter how the search goes.

Every game is numbered and depends only on the seed, so the search is the same for any number of jobs and on a cluster,
and goes on from a file of the games played so far.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text, write_whole
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.options import changed
from fairdeal.engine.scene import count_of
from fairdeal.lab.estimates import FEWEST_GAMES
from fairdeal.lab.simulate.executors import Jobs
from fairdeal.lab.simulate.outcomes import Outcomes, play_from
from fairdeal.lab.studies.measures import Samples, samples_of
from fairdeal.lab.studies.recipe import Setup, Study
from fairdeal.lab.studies.run import Begin, versions_of
from fairdeal.lab.studies.targets import State, Verdict, distance, state_of, verdict_of
from fairdeal.lab.studies.watching import Watched, outcomes_of, watch_from

MOST_CANDIDATES = 1000
"""Maximum number of combinations of options."""

LEAST = 100
"""Minimum number of games of a candidate in the first round."""

FOLLOWED = ("turns", "decided")
"""Measures that need the chances in the course of a game."""

Span = tuple[int, int]
"""The first game of a part, and the one after its last."""


class Row(Frozen):
    """A candidate of a search: its name, the options that differ from the defaults, its games, and the verdicts."""

    name: str
    options: dict[str, Any]
    games: int
    verdicts: tuple[Verdict, ...]

    @property
    def state(self) -> State:
        return state_of(self.verdicts)


class Tuned(Frozen):
    """The result of a search: the candidates, the best one first. `best` is the state of the search: whether the first
    candidate meets all targets, whether all candidates miss them, or neither is proven."""

    study: Study
    versions: dict[str, str]
    games: int
    rows: tuple[Row, ...]

    @property
    def best(self) -> State:
        return self.rows[0].state


@dataclass
class Candidate:
    """A table of the search, with the values of its measures so far and the latest verdicts."""

    setup: Setup
    samples: Samples = field(default_factory=dict)
    games: int = 0
    watched: int = 0
    verdicts: tuple[Verdict, ...] = ()

    @property
    def state(self) -> State:
        return state_of(self.verdicts)

    @property
    def rank(self) -> tuple[int, float]:
        """The order of candidates: those that meet all targets first, then those that may, each by their distance from
        the middle of the targets."""
        return ("meets", "open", "misses").index(self.state), distance(self.verdicts)


@dataclass
class Search:
    """A search, with the file of the games played so far, if there is one."""

    study: Study
    candidates: list[Candidate]
    jobs: Jobs
    begin: Begin
    kept: SavedParts

    @property
    def rounds(self) -> int:
        """The number of rounds: each has half as many candidates and twice as many games as the one before."""
        halvings = math.ceil(math.log2(len(self.candidates)))
        affordable = math.floor(math.log2(max(1, self.study.games / LEAST)))
        return 1 + min(halvings, affordable)

    @property
    def tests(self) -> int:
        return len(self.candidates) * len(self.study.targets) * (self.rounds + 1)

    def run(self) -> None:
        """Play all rounds. If none of the last candidates meets the targets, play on with the others, the nearest
        first."""
        for number in range(self.rounds):
            share = 2.0 ** (number + 1 - self.rounds)
            going = [one for one in sorted(self.candidates, key=lambda one: one.rank) if one.state != "misses"]
            for one in going[: math.ceil(len(self.candidates) / 2**number)]:
                self.play(one, share, f"round {number + 1} of {self.rounds}")
        for one in sorted(self.candidates, key=lambda one: one.rank):
            if any(other.state == "meets" for other in self.candidates):
                break
            if one.state == "open":
                self.play(one, 1.0, "after the rounds")

    def play(self, one: Candidate, share: float, when: str) -> None:
        """Play games of a candidate, up to a share of all games of the study, and judge it. `when` tells the round."""
        study = self.study
        games = max(min(LEAST, study.games), math.ceil(share * study.games))
        watched = min(games, max(FEWEST_GAMES, math.ceil(share * self.most_watched(one.setup))))
        asked = (one.games, games), (one.watched, max(one.watched, watched) if self.watches else 0)
        if asked[0][0] < games or asked[1][0] < asked[1][1]:
            for key, values in self.values(one.setup, *asked, when).items():
                one.samples[key] = np.concatenate([one.samples.get(key, values[:0]), values])
            one.games, one.watched = games, asked[1][1]
        one.verdicts = tuple(
            verdict_of(one.setup.name, key, one.samples[key], target, self.tests)
            for key, target in study.targets.items()
            if key in one.samples
        )
        if len(one.verdicts) < len(study.targets):
            missing = next(key for key in study.targets if key not in one.samples)
            raise FairdealError(f"{one.setup.name} has no measure `{missing}`, for which there is a target")

    def most_watched(self, setup: Setup) -> int:
        """Return the number of games that are watched in a whole study."""
        if not setup.order.is_compiled:
            return self.study.games
        return self.study.followed if self.follows else self.study.watched

    @property
    def follows(self) -> bool:
        return any(key in FOLLOWED for key in self.study.targets)

    @property
    def watches(self) -> bool:
        """Whether any target is of a measure that only watched games have."""
        return any(key not in ("first", "shared", "score", "margin", "moves") for key in self.study.targets)

    def values(self, setup: Setup, played: Span, watched: Span, when: str) -> Samples:
        """Return the values of the targets' measures in these games, from the file or by playing them."""
        part = f"{setup.name} {played} {watched}"
        if part not in self.kept.parts:
            games, seen = self.outcomes(setup, played, watched, when)
            self.kept.add(part, samples_of(games, seen, self.study.targets))
        return self.kept.parts[part]

    def outcomes(self, setup: Setup, played: Span, watched: Span, when: str) -> tuple[Outcomes, list[Watched]]:
        """Play and watch games."""
        playouts = self.study.playouts if self.follows else 0
        if not setup.order.is_compiled:
            progress = self.begin(f"{when}, playing and watching: {setup.name}", played[1] - played[0])
            seen = watch_from(setup.order, *played, playouts, self.jobs, progress)
            return outcomes_of(setup.order, seen), seen if self.watches else []
        progress = self.begin(f"{when}, playing: {setup.name}", played[1] - played[0])
        found = play_from(setup.order, *played, self.jobs, progress)
        if watched[0] == watched[1]:
            return found, []
        progress = self.begin(f"{when}, watching: {setup.name}", watched[1] - watched[0])
        return found, watch_from(setup.order, *watched, playouts, self.jobs, progress)


class SavedParts:
    """A file with the games of a search played so far, as JSON in lines: the search, and the values of each part. With
    no path, nothing is kept."""

    def __init__(self, path: Path | None, study: Study, setups: Sequence[Setup]) -> None:
        self.path = path
        self.parts: dict[str, Samples] = {}
        head = {
            "study": msgspec.to_builtins(study),
            "versions": versions_of(study),
            "tables": [[setup.name, setup.bots, changed(setup.table.options)] for setup in setups],
        }
        self.head = json.dumps(msgspec.to_builtins(head), sort_keys=True)
        if path is not None and path.exists():
            self.read(path)
        elif path is not None:
            self.write(self.head)

    def read(self, path: Path) -> None:
        """Read the parts that were written completely. Raises FairdealError if they are those of another search."""
        text = read_text(path)
        lines = text.split("\n")[:-1]  # what follows the last line end was not written completely
        if not lines or lines[0] != self.head:
            raise FairdealError(f"{path} has the games of another search: delete it, or choose another --progress")
        for line in lines[1:]:
            part = json.loads(line)
            self.parts[part["part"]] = {key: np.array(values) for key, values in part["values"].items()}
        whole = "".join(f"{line}\n" for line in lines)
        if whole != text:
            write_whole(path, whole)

    def add(self, part: str, values: Samples) -> None:
        self.parts[part] = values
        self.write(json.dumps({"part": part, "values": {key: one.tolist() for key, one in values.items()}}))

    def write(self, line: str) -> None:
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(f"{line}\n".encode())


def tune(study: Study, setups: Sequence[Setup], jobs: Jobs, begin: Begin, path: Path | None = None) -> Tuned:
    """Search for the table that meets the targets of a study. `path` is a file with the games played so far. Raises
    FairdealError if there are no targets, or if games cannot be played."""
    if not study.targets:
        raise FairdealError("there is nothing to search for: the recipe has no [targets]")
    search = Search(study, [Candidate(setup) for setup in setups], jobs, begin, SavedParts(path, study, setups))
    search.run()
    ranked = sorted(search.candidates, key=lambda one: one.rank)
    rows = tuple(Row(one.setup.name, changed(one.setup.table.options), one.games, one.verdicts) for one in ranked)
    return Tuned(study, versions_of(study), sum(one.games for one in ranked), rows)


def told_tuned(found: Tuned) -> str:
    """Return the result of a search in a sentence."""
    states = [row.state for row in found.rows]
    missed, number, games = states.count("misses"), count_of(len(states), "combination"), f"after {found.games:,} games"
    if found.best == "misses":
        return f"The targets cannot be had with these options: {number} miss one for certain, {games}."
    certain = f"Of {number}, {missed} {'misses' if missed == 1 else 'miss'} one for certain, {games}."
    if found.best == "meets":
        return f"“{found.rows[0].name}” meets all targets. {certain}"
    return f"Not proven: “{found.rows[0].name}” is nearest to the targets. {certain} More games would tell."


def recipe_of(study: Study, setup: Setup, folder: Path, comment: str) -> str:
    """Return the recipe of a table as TOML, with the other settings of the study. Files are named by their whole
    paths."""
    plain = msgspec.to_builtins(Study(game=study.game))
    options = {
        name: value for name, value in changed(setup.table.options).items() if name not in ("players", "catalogue")
    }
    catalogue = str((folder / study.catalogue).resolve()) if study.catalogue else ""
    own = {"players": setup.table.players, "preset": "", "options": options, "bots": list(setup.bots)}
    told = msgspec.to_builtins(study) | own | {"catalogue": catalogue, "sweep": {}, "variants": []}
    kept = {name: value for name, value in told.items() if value != plain[name] or name == "game"}
    return "".join(f"{line}\n" for line in [f"# {comment}", *toml_lines(kept)])


def toml_lines(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a TOML document: plain values, then a section for each table."""
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    yield from (f"{name} = {in_toml(value)}" for name, value in values.items() if name not in tables)
    for name, value in tables.items():
        yield from ("", f"[{name}]", *(f"{json.dumps(key)} = {in_toml(one)}" for key, one in value.items()))


def in_toml(value: Any) -> str:
    """Return a value in TOML, in which texts, numbers, truth values and lists are written as in JSON."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {in_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(in_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
