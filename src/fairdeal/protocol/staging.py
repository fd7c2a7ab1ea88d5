"""The stages of a table after a move: their order and their duration. The terminal and the page take them from here."""

from typing import NamedTuple

from fairdeal.protocol.messages import SpeedName

SPEEDS: dict[SpeedName, float] = {"slow": 1.8, "normal": 1.0, "instant": 0.0}
"""Durations at each speed, as multiples of those at normal speed."""

MANY = 4
"""Minimum number of seats whose points are counted all at once."""

DEAL = 12
"""Maximum number of cards moved at once that are highlighted. A move of more cards is a deal."""


class Stage(NamedTuple):
    """A stage of a course.

    name        its name
    time        its duration at normal speed, in milliseconds
    at_instant  its duration at instant speed, in milliseconds; if 0, the stage is left out
    is_fixed    whether it takes as long at slow as at normal speed
    """

    name: str
    time: int
    at_instant: int = 0
    is_fixed: bool = False

    def at(self, speed: SpeedName) -> float:
        """Return its duration at a speed, in milliseconds."""
        if speed == "instant":
            return self.at_instant
        return self.time if self.is_fixed else self.time * SPEEDS[speed]


COURSES = {
    "round": (Stage("look", 900), Stage("count", 700), Stage("sum", 600), Stage("done", 8000, 600, is_fixed=True)),
    "attack": (Stage("look", 900, 600),),
    "end": (Stage("look", 1500, 600), Stage("word", 900, 600)),
    "victory": (Stage("look", 1500, 600), Stage("word", 1700, 680)),
    "film": (Stage("first", 450, 250), Stage("moment", 900, 250)),
    "miss": (Stage("look", 1400, 600),),
    "note": (Stage("look", 900, 300),),
    "group": (Stage("look", 1200),),
}
"""The stages of a course, in their order: of the end of a round, whose points are counted seat by seat (`count`), of an
attack, and of a game, for its winner, too; of a film, which repeats `moment` for each of its scenes after the first; of
cards of a grid that are turned back or taken; of the move before a note on a rule; and of the moves of a group of
bots."""


def course(kind: str, speed: SpeedName, **times: int) -> list[tuple[str, float]]:
    """Return the stages of a course with their durations at a speed, in milliseconds. `times` is the
    number of repetitions of a stage, by its name."""
    stages = [(stage.name, stage.at(speed)) for stage in COURSES[kind]]
    return [stage for stage in stages if stage[1] for _ in range(times.get(stage[0], 1))]
