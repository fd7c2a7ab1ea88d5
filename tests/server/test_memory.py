"""What a room keeps in memory does not grow with the number of guests and games that it has seen."""

import asyncio
import gc
import json
import math
import sys
from collections import Counter
from socket import SHUT_RDWR
from types import SimpleNamespace

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fairdeal.engine.compile import compiled
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.server import limits
from fairdeal.server.limits import DEFAULT_LIMITS, Both, Limits, LimitSettings
from fairdeal.server.tables.audience import Connection
from tests.server.in_process import until
from tests.server.inside import listening, opened

GAMES = 16
A_GAME = 50
"""Number of objects of a finished game that may stay, because other things happen while objects are counted. Its log
alone has about ninety."""


async def play(inside, games):
    """Play games of bots, each opened and read by a new guest, and let their tables sleep. Return the number of
    objects in memory."""
    for _ in range(games):
        guest = await inside.newcomer()
        live = await guest.open("chi", "greedy", "greedy", options={"players": 2, "stacks_to_end": 4})
        await asyncio.wait_for(live.driver.task, 60)
        assert live.status == "over"
        assert (await guest.get(f"/api/tables/{live.id}/log")).status == 200
    del live
    inside.room.let_sleep(math.inf)
    assert not inside.room.live
    gc.collect()
    return sys.getallocatedblocks()


async def test_nothing_of_a_finished_game_stays_in_memory(tmp_path):
    compiled.compiled(find_game("chi"))
    async with opened(tmp_path) as inside:
        await play(inside, GAMES)
        before = await play(inside, GAMES)
        after = await play(inside, GAMES)
    assert after - before < GAMES * A_GAME


COMPILER = "fairdeal.engine.compile."


@pytest.fixture
def garbage():
    """Return a function that returns the kinds of this package's objects that can be freed only by a search for
    garbage, other than those that a compiler has left. The room searches seldom (`calm_collector`), so that they would
    pile up."""

    def found():
        gc.collect()
        kinds = [type(one) for one in gc.garbage]
        own = [kind for kind in kinds if kind.__module__.startswith("fairdeal.")]
        return Counter(kind.__qualname__ for kind in own if not kind.__module__.startswith(COMPILER))

    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield found
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.parametrize("game", ["chi", "chip-it", "war-xtreme"])
async def test_an_unloaded_table_is_freed_without_a_search_for_garbage(tmp_path, game, garbage):
    compiled.compiled(find_game(game))
    async with opened(tmp_path) as inside:
        garbage()
        gc.garbage.clear()
        live = await inside.open(game, "greedy", "greedy", options={"players": 2})
        heard = []
        watching = Connection("ada", SPECTATOR, heard.append, welcomed=True)
        live.audience.connections.append(watching)
        await asyncio.wait_for(live.driver.task, 60)
        live.audience.part(watching)
        assert '"mode":"over"' in heard[-2]
        del live, watching
        inside.room.let_sleep(math.inf)
        assert not inside.room.live
        await asyncio.sleep(0)
        assert garbage() == {}


async def test_an_ended_connection_is_freed_without_a_search_for_garbage(tmp_path, garbage):
    async with opened(tmp_path) as inside, listening(inside.app) as port:
        live, cookie = await inside.open("chi", "you", "person"), {"cookie": inside.cookie}

        def visit():
            """Connect to a table, where none is, and from another site; make a request; break off a connection, and
            one to which the room is sending."""
            play = f"ws://127.0.0.1:{port}/api/tables/{live.id}/play"
            with connect(f"{play}?patches=1", additional_headers=cookie) as socket:
                socket.recv()
                socket.send('{"type": "say", "id": "1", "text": "hello"}')
                socket.recv()
            with connect(play.replace(live.id, "x")) as socket, pytest.raises(ConnectionClosed, match="4404"):
                list(socket)
            for address, origin in ((play + "s", None), (play, "https://other.example")):
                with pytest.raises(InvalidStatus, match=r"HTTP 40[34]"):
                    connect(address, origin=origin)
            httpx2.get(f"http://127.0.0.1:{port}/api/me")
            with connect(play, additional_headers=cookie, close_timeout=0.5) as broken:
                broken.socket.shutdown(SHUT_RDWR)
            with connect(play, additional_headers=cookie, close_timeout=0.5) as busy:
                for number in range(20):
                    busy.send(json.dumps({"type": "say", "id": str(number), "text": "hello"}))

        await asyncio.to_thread(visit)  # compiles and imports
        await until(lambda: not live.audience.connections)
        garbage()
        gc.garbage.clear()
        await asyncio.to_thread(visit)
        await until(lambda: not live.audience.connections)
        await asyncio.sleep(0.1)
        assert garbage() == {}


@pytest.mark.parametrize(
    "kind", [name for name in LimitSettings.__struct_fields__ if isinstance(getattr(DEFAULT_LIMITS, name), Both)]
)
def test_the_allowances_of_guests_who_have_gone_are_dropped(monkeypatch, kind):
    now = 0.0
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    found = Limits()
    for guest in range(1000):
        found.spend(kind, f"guest {guest}", f"10.0.{guest // 256}.{guest % 256}")
        now += 1 / getattr(DEFAULT_LIMITS, kind).guest.a_second
    assert len(found.guests) <= 2
    assert len(found.addresses) <= 2


def test_an_allowance_that_is_spent_is_kept_while_it_fills(monkeypatch):
    now = 0.0
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    found = Limits()
    for _ in range(int(DEFAULT_LIMITS.say.guest.at_once)):
        found.spend("say", "ada", "10.0.0.1")
    for guest in range(100):
        found.spend("say", f"guest {guest}", "10.0.0.2", cost=0.1)
    with pytest.raises(limits.TooFast):
        found.spend("say", "ada", "10.0.0.1")
