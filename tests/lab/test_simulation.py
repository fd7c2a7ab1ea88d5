"""Simulations: the same for any number of threads, fair to all seats, with correct intervals."""

from itertools import count
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

import fairdeal
from fairdeal.bots.registry import one_for_each
from fairdeal.engine.compile import compiled
from fairdeal.lab.estimates import mean, share
from fairdeal.lab.simulate import simulation
from fairdeal.lab.simulate.simulation import CHUNK, Simulation, lengths_of, simulate, standings
from tests.conftest import refusal


def without_time(results):
    return msgspec.structs.replace(results, seconds=0.0, moves_per_second=0.0)


def test_the_number_of_threads_changes_nothing(name_of_a_kind):
    table = fairdeal.load(name_of_a_kind)
    games = 2 * CHUNK + 7
    one, two = (without_time(simulate(table, games, ("greedy",), seed=5, jobs=jobs)) for jobs in (1, 2))
    assert one == two
    assert one != without_time(simulate(table, games, ("greedy",), seed=6))


def test_what_plays_games_is_compiled_for_the_first_of_them_and_before_the_clock_starts(monkeypatch):
    table, when, ticks = fairdeal.load("chi"), [], count(1)
    monkeypatch.setattr(compiled, "_compiled", {})
    engine = compiled.compiled(table.game)
    assert engine.rules.deal.signatures
    for driver in (engine.simulate, engine.random_moves, engine.count_moves):
        assert not driver.signatures

    def clock():
        when.append(len(engine.simulate.signatures))
        return next(ticks)

    monkeypatch.setattr(simulation, "time", SimpleNamespace(perf_counter=clock))
    assert simulate(table, 20, ("greedy",)).seconds == 1
    assert when == [1, 1]


def test_progress_moves_chunk_by_chunk_and_ends_at_the_last_game():
    told = []
    simulate(fairdeal.load("chi"), CHUNK + 3, ("random",), progress=told.append)
    assert told == [CHUNK, 3]


def test_every_bot_sits_everywhere_and_the_better_one_wins(name_for_several):
    results = simulate(fairdeal.load(name_for_several, players=2), 400, ("greedy", "random"), seed=1)
    greedy, random = results.by_bot
    assert (greedy.name, random.name) == ("greedy", "random")
    assert greedy.games == random.games == 400
    assert greedy.wins.low > 0.5 > random.wins.high
    assert greedy.place.value < random.place.value
    assert greedy.wins.value + random.wins.value == pytest.approx(1)
    assert sum(seat.wins.value for seat in results.by_seat) == pytest.approx(1)


def test_alone_the_better_bot_scores_more(name_for_one):
    table = fairdeal.load(name_for_one)
    greedy, random = (simulate(table, 400, (bot,), seed=1).by_bot[0] for bot in ("greedy", "random"))
    assert greedy.wins.value == random.wins.value == 1
    assert greedy.score.low > random.score.high


def test_results_become_json_and_come_back():
    results = simulate(fairdeal.load("chi"), 20, ("random",), seed="a word")
    assert msgspec.json.decode(msgspec.json.encode(results), type=Simulation).by_seat == results.by_seat
    assert results.seed == "a word"
    assert results.moves.low_5 <= results.moves.median <= results.moves.high_5 <= results.moves.longest


def test_one_name_stands_for_all_seats_else_there_is_one_for_each():
    table = fairdeal.load("chip-it", players=3)
    assert one_for_each("random", 3, table.game) == ("random",) * 3
    assert one_for_each(["greedy", "random", "random"], 3, table.game) == ("greedy", "random", "random")
    with refusal("one for each of the 3 seats, not 2"):
        one_for_each(["greedy", "random"], 3, table.game)
    with refusal("there is no bot 'clever'"):
        one_for_each(["clever"], 3, table.game)
    with refusal("must be at least 1"):
        simulate(table, 0)


def test_shared_wins_are_split_and_shared_places_are_the_best_of_them():
    found = standings(("a", "b", "b"), np.array([[5.0, 5.0, 1.0], [2.0, 3.0, 1.0]]))
    assert [seat.wins.value for seat in found["by_seat"]] == [0.25, 0.75, 0.0]
    assert [seat.place.value for seat in found["by_seat"]] == [1.5, 1.0, 3.0]
    a, b = found["by_bot"]  # a sits at seat 0 in game 0, at seat 2 in game 1
    assert (a.games, a.wins.value, a.score.value) == (2, 0.25, 3.0)
    assert (b.games, b.wins.value) == (4, 0.375)
    assert found["shared_wins"].value == 0.5


def test_a_share_has_its_exact_interval():
    ten_of_forty = share(np.array([1.0] * 10 + [0.0] * 30))
    assert ten_of_forty.value == 0.25
    assert (ten_of_forty.low, ten_of_forty.high) == pytest.approx((0.12691, 0.41196), abs=1e-5)
    never, always = share(np.zeros(10)), share(np.ones(10))
    assert (never.low, never.high) == (1 - always.high, pytest.approx(1 - always.low))
    assert never.high == pytest.approx(1 - 0.025 ** (1 / 10))


def test_a_mean_has_the_interval_of_student_and_lengths_their_percentiles():
    spread = mean(np.array([0.0, 2.0] * 50))
    assert (spread.value, spread.high - spread.value) == pytest.approx((1.0, 1.984217 / 99**0.5), abs=1e-6)
    two = mean(np.array([0.0, 2.0]))
    assert two.high - two.value == pytest.approx(12.7062, abs=1e-4)
    assert mean(np.ones(1)).high == np.inf
    lengths = lengths_of(np.arange(101))
    assert (lengths.low_5, lengths.median, lengths.high_5, lengths.longest) == (5, 50, 95, 100)
