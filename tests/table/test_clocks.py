"""The time of a turn, and that of a round by the rules of the game itself."""

import fairdeal
from fairdeal.table.clocks import GRACE, Reflexes, RoundClock, TurnClocks


class Limited:
    """A state of a game whose round takes ten seconds."""

    over = False
    calm_race = 0
    to_act = (0, 1)

    def __init__(self, seconds=10):
        self.game = self
        self.record = None
        self.seconds = seconds
        self.called = ()

    def limit(self, record):
        return self.seconds

    def tempo(self, record):
        return 2.0, 2.0

    def read_move(self, player, text):
        assert (player, text) == (fairdeal.engine.records.HOUSE, "clock")
        return (7,)


def test_a_round_is_over_when_its_time_is():
    clock, state = RoundClock(), Limited()
    assert clock.update(state, 100.0) == 110.0
    assert clock.update(state, 105.0) == 110.0
    assert clock.time_is_over(state, 109.0) is None
    assert clock.time_is_over(state, 110.0) == (7,)
    assert clock.update(state, 111.0) == 121.0


def test_the_clock_stands_while_the_game_rests():
    clock, state = RoundClock(), Limited()
    clock.update(state, 100.0)
    state.seconds = 0
    assert clock.update(state, 105.0) is None
    state.seconds = 10
    assert clock.update(state, 108.0) == 118.0


def test_most_games_have_no_limit(name):
    state = fairdeal.load(name).deal(1)
    assert RoundClock().update(state, 0.0) is None


def test_a_turn_has_its_time_regardless_of_others():
    clocks = TurnClocks(60)
    clocks.start([0, 1, 2], 100.0)
    clocks.moved(1, [0, 2], 130.0)
    clocks.start([0, 2], 140.0)
    assert clocks.deadlines == {0: 160.0, 2: 160.0}


def test_who_moves_and_may_act_again_has_a_new_turn():
    clocks = TurnClocks(60)
    clocks.start([0, 1], 100.0)
    clocks.moved(0, [0, 1], 130.0)
    assert clocks.deadlines == {0: 190.0, 1: 160.0}


def test_what_has_not_begun_can_begin_earlier_but_nothing_that_runs_is_shortened():
    turns, rounds, state = TurnClocks(60), RoundClock(), Limited()
    turns.start([0], 100.0)
    turns.start([0, 1], 110.0)
    assert rounds.update(state, 110.0) == 120.0
    for begins in (105.0, 108.0):
        turns.begin(begins)
        rounds.begin(state, begins)
        assert turns.deadlines == {0: 160.0, 1: 165.0}
        assert rounds.deadline == 115.0
    RoundClock().begin(state, 105.0)


def test_taking_back_gives_back_what_was_left_and_no_more():
    clocks = TurnClocks(60)
    clocks.start([0], 100.0)
    for now in (150.0, 155.0, 160.0):  # ten seconds are left, and each time two more are used
        clocks.moved(0, [1], now)
        assert clocks.deadlines == {1: now + 60}
        clocks.taken_back([0], now + 3)
    assert clocks.deadlines == {0: 169.0}
    clocks.moved(0, [0], 164.0)
    clocks.moved(0, [1], 174.0)
    clocks.taken_back([0], 175.0)
    assert clocks.deadlines == {0: 225.0}
    clocks.taken_back([0], 176.0)
    assert clocks.deadlines == {0: 181.0}


def test_a_seat_is_late_when_its_time_is_over_but_not_when_the_room_was_away():
    clocks = TurnClocks(60)
    clocks.start([3], 100.0)
    assert clocks.late(159.0) == (None, False)
    assert clocks.late(160.5) == (3, False)
    assert clocks.late(170.0) == (None, True)
    assert clocks.deadlines == {3: 170.0 + GRACE}
    assert clocks.late(170.0 + GRACE) == (3, False)


def test_after_a_restart_a_time_has_gone_on_but_everybody_can_come_back():
    clocks = TurnClocks(600)
    clocks.start([0], 5000.0)
    clocks.start([0, 1], 5300.0)
    clocks.deadlines[2] = 9999.0  # the wall clock was turned back since
    clocks.read_again(5595.0, 20.0)
    assert clocks.deadlines == {0: 20.0 + GRACE, 1: 20.0 + 305.0, 2: 20.0 + 600.0}


def test_without_a_clock_nobody_is_late():
    clocks = TurnClocks(0)
    clocks.start([0], 1.0)
    clocks.moved(0, [1], 2.0)
    clocks.taken_back([0], 3.0)
    assert clocks.late(1e9) == (None, False)


def test_the_time_of_a_round_goes_on_after_a_restart():
    clock, state = RoundClock(), Limited(300)
    clock.update(state, 5000.0)
    clock.read_again(5100.0, 20.0, state)
    assert clock.update(state, 21.0) == 220.0
    clock.read_again(400.0, 0.0, state)
    assert clock.update(state, 1.0) == GRACE


class Race(Limited):
    """A race of ten seconds, or of twenty where races are calm."""

    calm_race = 20


def test_calm_races_last_longer_and_bots_take_as_much_longer():
    for calm, state, seconds, answer in ((True, Race(), 20, 4), (False, Race(), 10, 2), (True, Limited(), 10, 2)):
        assert RoundClock(calm).update(state, 100.0) == 100.0 + seconds
        assert Reflexes(calm).next(state, {1}, 0.5, 100.0) == (100.0 + answer, 1)
    longer = RoundClock(calm=True).update(Race(30), 100.0)
    assert longer == 130.0, "a race that is longer by its rules becomes no shorter"
    assert RoundClock(calm=True).update(Race(0), 100.0) is None, "a part without a limit gets none"


def test_a_race_that_is_run_becomes_longer_but_not_shorter():
    clock, state = RoundClock(), Race()
    clock.update(state, 100.0)
    clock.be_calm(state, calm=True)
    clock.be_calm(state, calm=True)
    assert clock.update(state, 105.0) == 120.0
    clock.be_calm(state, calm=False)
    assert clock.update(state, 106.0) == 120.0
    clock.deadline = None
    assert clock.update(state, 130.0) == 140.0
