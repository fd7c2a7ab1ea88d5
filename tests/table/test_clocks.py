"""The time of a round, by the rules of the game itself."""

import fairdeal
from fairdeal.table.clocks import RoundClock


class Limited:
    """A state of a game whose round takes ten seconds."""

    over = False

    def __init__(self, seconds=10):
        self.game = self
        self.record = None
        self.seconds = seconds
        self.called = ()

    def limit(self, record):
        return self.seconds

    def read_move(self, player, text):
        assert (player, text) == (fairdeal.engine.records.HOUSE, "clock")
        return (7,)


def test_a_round_is_over_when_its_time_is():
    clock, state = RoundClock(), Limited()
    assert clock.look(state, 100.0) == 110.0
    assert clock.look(state, 105.0) == 110.0
    assert clock.time_is_over(state, 109.0) is None
    assert clock.time_is_over(state, 110.0) == (7,)
    assert clock.look(state, 111.0) == 121.0


def test_the_clock_stands_while_the_game_rests():
    clock, state = RoundClock(), Limited()
    clock.look(state, 100.0)
    state.seconds = 0
    assert clock.look(state, 105.0) is None
    state.seconds = 10
    assert clock.look(state, 108.0) == 118.0


def test_most_games_have_no_limit(name):
    state = fairdeal.load(name).deal(1)
    assert RoundClock().look(state, 0.0) is None
