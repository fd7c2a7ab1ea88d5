"""The state of a table's picture, apart from its scene."""

from dataclasses import dataclass

DAY = {"paper": "#f3eee4", "ink": "#1d1a16", "quiet": "#5a534a", "line": "#d3cabb"}
NIGHT = {"paper": "#2a282e", "ink": "#f4efe6", "quiet": "#b8b0a4", "line": "#47434d"}


@dataclass(frozen=True)
class Look:
    """The state of a table's picture, apart from its scene.

    cursor   target under the cursor
    typed    digits of a value being typed
    note     a line above the prompt
    dark     whether the dark theme is used
    hinted   ids of highlighted cards, zones and choices, and highlighted seats as `seat:N`
    tallied  number of seats whose points of a round are shown; -1 if points are not being counted
    part     progress of a film from 0 to 1; -1 if none is shown
    """

    cursor: str = ""
    typed: str = ""
    note: str = ""
    dark: bool = True
    hinted: frozenset[str] = frozenset()
    tallied: int = -1
    part: float = -1.0

    @property
    def inks(self) -> dict[str, str]:
        return NIGHT if self.dark else DAY
