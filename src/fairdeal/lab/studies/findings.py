"""The results of a study, as plain data that can be saved as JSON."""

from typing import Any

from fairdeal.engine.kit.frozen import Frozen
from fairdeal.lab.estimates import Estimate
from fairdeal.lab.studies.cards import Card
from fairdeal.lab.studies.comparing import Difference
from fairdeal.lab.studies.luck import Among, Luck
from fairdeal.lab.studies.measures import Chance, Histogram, Measure, Often, PartOfGame
from fairdeal.lab.studies.recipe import Study
from fairdeal.lab.studies.targets import Verdict
from fairdeal.lab.studies.unused import Unused


class Stopped(Frozen):
    """The answer to the main question when the games of a table stopped: an interval that is valid for any number of
    interim looks, its p-value if it is compared with anything, whether the answer was clear, and the number of
    games."""

    estimate: Estimate
    p: float | None
    clear: bool
    games: int


class Found(Frozen):
    """The results of one table. `same_as` names an earlier table with exactly the same games, if there is one."""

    name: str
    options: dict[str, Any]
    differs: dict[str, Any]
    bots: tuple[str, ...]
    seed: int | str
    same_as: str
    games: int
    watched: int
    followed: int
    measures: tuple[Measure, ...]
    order: tuple[Chance, ...]
    by_bot: tuple[Chance, ...]
    lengths: dict[str, Histogram]
    often: tuple[Often, ...]
    course: tuple[PartOfGame, ...]
    luck: tuple[Luck, ...]
    among: tuple[Among, ...]
    stopped: Stopped | None
    dealt: tuple[Card, ...] = ()

    def measure(self, key: str) -> Measure | None:
        """Return the measure with this name, or None if the table does not have it."""
        return next((measure for measure in self.measures if measure.key == key), None)


class Findings(Frozen):
    """The results of a study, with the answer to its main question in a sentence, and the number of tests, which are
    corrected together. The same recipe, seed and versions give the same results for any number of jobs."""

    answer: str
    study: Study
    main: str
    command: str
    versions: dict[str, str]
    setups: tuple[Found, ...]
    differences: tuple[Difference, ...]
    tests: int
    unused: tuple[Unused, ...]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def several(self) -> bool:
        """Whether the study has several tables."""
        return len(self.setups) > 1
