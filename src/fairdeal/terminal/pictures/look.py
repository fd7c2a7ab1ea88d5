"""What a picture of a table depends on besides the scene."""

from __future__ import annotations

from dataclasses import dataclass

DAY = {"paper": "#f3eee4", "ink": "#1d1a16", "quiet": "#5a534a", "line": "#d3cabb"}
NIGHT = {"paper": "#2a282e", "ink": "#f4efe6", "quiet": "#b8b0a4", "line": "#47434d"}


@dataclass(frozen=True)
class Look:
    """What a picture depends on besides the scene: the cursor, what is being typed, a note, day or night; how many
    seats' points of a round have been counted, if they are, and how far a film is, if there is one."""

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
