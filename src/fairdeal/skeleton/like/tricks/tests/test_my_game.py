"""Run all of fairdeal's game tests on My Game."""

from collections.abc import Sequence
from typing import Any

from fairdeal.testing import GameTests, Hidden, Zone


def set_aside(position: Any) -> Sequence[str]:
    """Return the cards that are in no zone: cards not dealt, and cards of finished tricks."""
    seen = {code for zone in (*position["hands"], position["played"]) for code in zone}
    return [code for code in (f"{suit}{rank}" for suit in "cdhs" for rank in range(1, 7)) if code not in seen]


class TestMyGame(GameTests):
    """All kinds of tests. Raise `least_clauses` and `least_cases` as your rules grow."""

    game = "my-game"
    options = ({"players": 4},)
    hidden = Hidden(zones=[Zone("hands.*[]")], aside=set_aside)
    spoken = ("play",)  # everybody sees the card, although the state forgets it when the trick is taken
    longest = 20
    least_cases = 5
    least_clauses = 5
