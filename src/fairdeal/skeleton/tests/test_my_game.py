"""My Game owes what every game owes."""

from __future__ import annotations

from fairdeal.testing import GameTests, Hidden, Zone


class TestMyGame(GameTests):
    """All kinds of tests; `least_clauses` and `least_cases` grow with your rules."""

    game = "my-game"
    hidden = Hidden(zones=[Zone("hands.*[]")])
    longest = 12
    least_cases = 4
    least_clauses = 5
