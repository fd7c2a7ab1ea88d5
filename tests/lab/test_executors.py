"""Workers: results do not depend on which worker plays which games, nor on lost workers."""

import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fairdeal
from fairdeal.bots import custom
from fairdeal.lab.ratings.ladder import ladder
from fairdeal.lab.simulate import executors
from fairdeal.lab.simulate import jobs as orders
from fairdeal.lab.simulate.executors import AHEAD, LARGEST, Workers, in_order, workers_for
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import play, play_part
from tests.conftest import refusal


def test_answers_come_in_the_order_of_the_parts_and_few_are_waited_for():
    begun, most = [], []

    def play_one(first, end):
        begun.append(first)
        time.sleep(0.005 * (first % 3))
        return first, end

    with ThreadPoolExecutor(3) as pool:
        for number, answer in enumerate(in_order(Workers(pool, 3), play_one, 0, 98, size=5)):
            assert answer == (5 * number, min(5 * number + 5, 98))
            most.append(len(begun) - number)
    assert sorted(begun) == list(range(0, 98, 5))
    assert max(most) <= 3 * AHEAD


@pytest.mark.parametrize("fails", [True, False])
def test_where_a_part_fails_or_nobody_wants_the_rest_it_is_not_begun(fails):
    begun, is_asked = [], threading.Event()

    def play_one(first, end):
        begun.append(first)
        if fails:
            raise fairdeal.FairdealError("no")
        if first:
            is_asked.wait(10)

    with ThreadPoolExecutor(1) as pool:
        answers = in_order(Workers(pool, 1), play_one, 0, 1000, size=1)
        if fails:
            with refusal(r"^no$"):
                next(answers)
        else:
            next(answers)
            answers.close()
        is_asked.set()
    assert len(begun) <= AHEAD + 1


def test_parts_are_large_where_a_message_goes_there_and_back():
    far, here = Workers(None, 10), Workers(None, 10, are_here=True)
    assert here.part_size(10**9, 500) == 500
    assert [far.part_size(games, 500) for games in (1000, 160 * 700, 10**9)] == [500, 700, 500 * LARGEST]


def test_an_executor_is_left_running_and_threads_are_not():
    with ThreadPoolExecutor(1) as pool:
        with workers_for(Workers(pool, 1)) as given:
            pass
        assert given.executor.submit(int).result() == 0
    with workers_for(2) as made:
        assert made.number == 2
    with pytest.raises(RuntimeError, match="after shutdown"):
        made.executor.submit(int)


def elsewhere(order, monkeypatch):
    """Return the order as another process receives it, without any known table or bot."""
    monkeypatch.setattr(orders, "_tables", {})
    monkeypatch.setattr(custom, "_admitted", {})
    return pickle.loads(pickle.dumps(order))


def test_an_order_is_small_and_has_all_that_a_worker_needs(monkeypatch):
    table = fairdeal.load("chip-it", players=3, duel_games=2)
    seated = ("greedy", "random", "pip")
    here = order_of(table, seated, "a word")
    expected = play_part(here, 40, 60)
    sent = pickle.dumps(here)
    assert len(sent) < 500, len(sent)
    there = elsewhere(here, monkeypatch)
    assert there.table is not table
    found = play_part(there, 40, 60)
    assert found.scores.tobytes() == expected.scores.tobytes()
    assert found.lengths.tobytes() == expected.lengths.tobytes()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"game": "go-ish"}, "there is no game called 'go-ish'"),
        ({"fairdeal": "9.9"}, "but the job requires 9.9"),
        ({"rules": 99}, "chi has rules version 1 on this machine, but the job requires 99"),
        ({"options": b'{"cards":1}'}, "option cards=1"),
    ],
    ids=lambda it: str(it) if isinstance(it, dict) else "",
)
def test_a_worker_that_would_play_other_games_says_so_and_where_it_is(changed, reason, monkeypatch):
    order = order_of(fairdeal.load("chi"), ("greedy",) * 2, 1)
    other = orders.Order(order.place._replace(**changed), order.bots, order.seed, order.limits)
    monkeypatch.setattr(orders, "_tables", {})
    with refusal(f"^on {os.uname().nodename}: .*{reason}"):
        play_part(other, 0, 1)


BOT = """
class First:
    recall = 0
    def __init__(self, table, seat, key): pass
    def choose(self, view, player, turn): return next(view.moves(player))
"""


def test_a_bot_of_ones_own_plays_where_its_module_is_found(monkeypatch, tmp_path):
    (tmp_path / "at_a_worker.py").write_text(BOT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(custom, "_admitted", {})
    custom.admit(["at_a_worker:First"], 3.0)
    order = order_of(fairdeal.load("chi"), ("at_a_worker:First", "random"), 1)
    there = elsewhere(order, monkeypatch)
    assert play_part(there, 0, 1).lengths[0, 0] > 1
    assert custom.limit_of("at_a_worker:First") == 3.0
    monkeypatch.undo()
    monkeypatch.delitem(__import__("sys").modules, "at_a_worker")
    with refusal(r"^on .*: cannot import 'at_a_worker': ModuleNotFoundError"):
        play_part(elsewhere(order, monkeypatch), 0, 1)


def test_a_cluster_that_loses_a_worker_gives_the_same_numbers_as_threads():
    """One of two processes is killed after the first games; Dask starts another one."""
    distributed = pytest.importorskip("distributed")
    table, games = fairdeal.load("chi"), 30_000
    order = order_of(table, ("greedy", "pip"), 3)
    expected = play(order, games)
    told, killed = [], []

    def kill_one(done):
        told.append(done)
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as local,
        distributed.Client(local) as client,
        executors.cluster(local.scheduler_address) as workers,
    ):
        assert workers.number == 2
        found = play(order, games, workers, kill_one)
        assert killed[0] not in client.run(os.getpid).values()
        bots = {"otto": "otto", "pip": "pip"}
        assert ladder(table, bots, 50, 2, jobs=workers) == ladder(table, bots, 50, 2)
    assert sum(told) == games
    assert len(told) > 2 * AHEAD
    assert np.array_equal(found.scores, expected.scores)
    assert np.array_equal(found.lengths, expected.lengths)
