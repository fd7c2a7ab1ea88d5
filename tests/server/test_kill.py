"""The server is killed while people play, again and again: what was acknowledged is there, and every table lives."""

import json
import os
import random
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed

from fairdeal.cli.serve import database_url
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from tests.server.conftest import ForkedRoom, Guest, RoomProcess
from tests.server.in_process import apart, execute
from tests.server.test_play import mine, step

pytestmark = [pytest.mark.databases("sqlite", "postgresql"), pytest.mark.durable]

ROUNDS = int(os.environ.get("FAIRDEAL_KILL_ROUNDS", "100"))
GAMES = (("chi", {"players": 2}), ("chip-it", {"players": 2, "duel_games": 2}), ("chi", {"players": 2}))
RUNS = 4
"""The rounds are made in so many runs, each with a database of its own."""

BY_COMMAND = 25
"""Every so many rounds the room is started by its command; between them by a fork."""


class Player:
    """A guest who plays one table after the other against a bot, and remembers what was acknowledged."""

    def __init__(self, room, number):
        self.guest = Guest(room, f"Guest {number}")
        self.game, self.options = GAMES[number]
        self.tables = []
        self.acknowledged = []

    @property
    def table(self):
        return self.tables[-1]

    def sit_down(self):
        """At the last table, or at a new one if that game is over."""
        if not self.tables or self.guest.facts(self.table)["status"] == "over":
            opened = self.guest.open(self.game, chairs=["you", "greedy"], options=self.options)
            self.tables.append(opened["id"])
        self.guest.connect(self.table)

    def play_until_killed(self, chance):
        """As fast as it goes."""
        try:
            while self.guest.scene.get("mode") != "over":
                if not mine(self.guest):
                    self.guest.hear()
                    continue
                answer = step(self.guest, chance)
                if answer["type"] == "done":
                    self.acknowledged.append((self.table, answer["id"], answer["seq"]))
        except (ConnectionClosed, OSError, EOFError, TimeoutError):
            pass

    def check_back(self):
        facts = self.guest.facts(self.table)
        assert facts["readable_only"] == ""
        assert facts["seq"] >= max((seq for table, _, seq in self.acknowledged if table == self.table), default=0)


def play_and_kill(room, players, seed):
    """Play until a few moves were acknowledged, and then a moment longer: a slow machine plays as many moves."""
    dice = random.Random(seed)
    before = acknowledged_by(players)
    for player in players:
        player.sit_down()
    threads = [
        threading.Thread(target=player.play_until_killed, args=(random.Random(f"{seed} {number}"),), daemon=True)
        for number, player in enumerate(players)
    ]
    for thread in threads:
        thread.start()
    wanted = before + dice.randint(3, 8)
    for _ in range(10_000):
        if acknowledged_by(players) >= wanted or not any(thread.is_alive() for thread in threads):
            break
        time.sleep(0.002)
    time.sleep(dice.uniform(0, 0.02))
    room.kill()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def acknowledged_by(players):
    """How many moves these players know to be kept."""
    return sum(len(player.acknowledged) for player in players)


@pytest.mark.parametrize("run", range(RUNS))
def test_no_acknowledged_move_is_lost_and_every_table_lives_on(run, database, tmp_path):
    rounds = -(-ROUNDS // RUNS)
    errors = tmp_path / "room.errors"
    room = ForkedRoom(database, errors=errors)
    players = [Player(room, number) for number in range(len(GAMES))]
    for number in range(rounds):
        play_and_kill(room, players, f"{run} {number}")
        kind = RoomProcess if number % BY_COMMAND == 0 else ForkedRoom
        room = kind(database, port=room.port, errors=errors)
        for player in players:
            player.check_back()
    acknowledged = [one for player in players for one in player.acknowledged]
    assert len(acknowledged) > 3 * rounds, "hardly anything was acknowledged: the rounds are too short to say much"
    for player in players:
        for table in player.tables:
            verify(player.guest.finish(table))
    kept = room.rows("select \"table\", client, number from entries where client != ''")
    places = [(table, client.partition(":")[2], number) for table, client, number in kept]
    assert len({(table, request) for table, request, _ in places}) == len(places), "a request was carried out twice"
    assert set(acknowledged) <= set(places)
    for player in players:
        player.guest.close()
    room.stop()


def test_a_table_that_was_killed_before_its_deal_or_before_its_end_was_noted_goes_on(room, guests):
    """The room writes to the database in between."""
    ada = guests()
    full = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    over = ada.open("chi", chairs=["greedy", "greedy"])["id"]
    text = ada.finish(over)
    room.kill()
    with apart(database_url(str(room.database))) as connection:
        assert execute(connection, "update tables set status = 'open' where id = ?", full).rowcount
        undone = "update tables set status = 'running', result = null where id = ?"
        assert execute(connection, undone, over).rowcount
    room.start()
    assert ada.facts(full)["status"] == "running", "it is dealt"
    assert ada.connect(full)["scene"]["choices"]
    assert ada.facts(over)["status"] == "over"
    for _ in range(200):  # it is noted in the background
        ((status, result),) = room.rows("select status, cast(result as varchar) from tables where id = ?", over)
        if status == "over":
            break
        time.sleep(0.05)
    assert status == "over"
    assert tuple(json.loads(result)) == read_log(text).result
    assert ada.log(over) == text
