"""Run all of fairdeal's game tests on My Game."""

from fairdeal.skeleton.tests.test_my_game import set_aside
from fairdeal.testing import GameTests, Hidden, Zone


class TestMyGame(GameTests):
    """All kinds of tests. Raise `least_clauses` and `least_cases` as your rules grow."""

    game = "my-game"
    options = ({"players": 4}, {"players": 2, "target": 1})
    hidden = Hidden(zones=[Zone("hands.*[]")], aside=set_aside)
    longest = 160
    least_cases = 6
    least_clauses = 7
