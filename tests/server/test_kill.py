"""The server is killed while people play, again and again: what was acknowledged is there, and every table lives."""

import os
import random
import threading
import time

from websockets.exceptions import ConnectionClosed

from tests.server.conftest import Guest
from tests.server.test_play import mine, step

ROUNDS = int(os.environ.get("FAIRDEAL_KILL_ROUNDS", "25"))
TABLES = 3


def play_until_killed(guest, chance, acknowledged, table):
    """Play against a bot as fast as it goes; keep the highest number that was acknowledged."""
    try:
        while guest.scene.get("mode") != "over":
            if not mine(guest):
                guest.hear()
                continue
            answer = step(guest, chance)
            if answer["type"] == "done":
                acknowledged[table] = max(acknowledged[table], answer["seq"])
    except (ConnectionClosed, OSError, EOFError, TimeoutError):
        pass


def test_no_acknowledged_move_is_lost_and_every_table_lives_on(room):
    chance = random.Random(9)
    guests = [Guest(room, f"Guest {number}") for number in range(TABLES)]
    games = ["chi", "chip-it", "chi"]
    tables, acknowledged = {}, {}
    survived = 0
    for number in range(ROUNDS):
        for guest, game in zip(guests, games, strict=True):
            if guest not in tables or guest.get(f"/api/tables/{tables[guest]}")["status"] == "over":
                tables[guest] = guest.open(game, chairs=["you", "greedy"], options={"players": 2})["id"]
                acknowledged[tables[guest]] = 0
            guest.connect(tables[guest])
        players = [
            threading.Thread(
                target=play_until_killed, args=(guest, random.Random(number), acknowledged, tables[guest]), daemon=True
            )
            for guest in guests
        ]
        for player in players:
            player.start()
        time.sleep(chance.uniform(0.02, 0.2))
        room.kill()
        for player in players:
            player.join(10)
            assert not player.is_alive()
        room.start()
        for guest in guests:
            facts = guest.get(f"/api/tables/{tables[guest]}")
            assert facts["readable_only"] == ""
            assert facts["seq"] >= acknowledged[tables[guest]], f"round {number}"
            survived += acknowledged[tables[guest]] > 0
    assert survived > ROUNDS, "hardly anything was acknowledged: the rounds are too short to say much"
    for guest in guests:
        guest.close()
