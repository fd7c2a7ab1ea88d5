"""Run all of fairdeal's game tests on My Game."""

from collections.abc import Sequence
from typing import Any

from fairdeal.testing import GameTests, Hidden, Zone


def set_aside(position: Any) -> Sequence[str]:
    """Return the cards that are in no zone, because they were not dealt."""
    zones = (*position["hands"], *position["used"], position["chosen"], position["played"])
    seen = {code for zone in zones for code in zone}
    return [code for code in (f"c{number}" for number in range(1, 31)) if code not in seen]


class TestMyGame(GameTests):
    """All kinds of tests. Raise `least_clauses` and `least_cases` as your rules grow."""

    game = "my-game"
    options = ({"players": 10}, {"players": 4, "lowest": True})
    hidden = Hidden(zones=[Zone("hands.*[]"), Zone("chosen.*")], aside=set_aside)
    longest = 30
    least_cases = 6
    least_clauses = 5
