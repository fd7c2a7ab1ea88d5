"""My Game owes what every game owes."""

from fairdeal.skeleton.tests.test_my_game import set_aside
from fairdeal.testing import GameTests, Hidden, Zone


class TestMyGame(GameTests):
    """All kinds of tests; `least_clauses` and `least_cases` grow with your rules."""

    game = "my-game"
    options = ({"players": 4}, {"players": 2, "target": 1})
    hidden = Hidden(zones=[Zone("hands.*[]")], aside=set_aside)
    longest = 160
    least_cases = 6
    least_clauses = 6
