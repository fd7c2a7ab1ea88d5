"""Counts of the work that a game takes: time cannot be asserted on a machine that others use.

In a room, a recorded game is played with two seats and a spectator connected, over a database in a file. For a
simulation the plain rules play games from a seed. Nothing that is counted depends on time: the room's clocks, and the
times in what it sends, are those of a clock that only the test moves on, and all that is drawn by chance and sent, such
as ids and hashes, has the same length at every run. The rules may be plain or compiled.

A count that differs needs a line in the changelog that says why; then write the counts anew:
`python -m tools.renew counts`.
"""

import asyncio
import contextlib
import dataclasses
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.drivers import Desk
from fairdeal.engine.fields import in_place, structure_of
from fairdeal.engine.kit import chance, snapshots
from fairdeal.engine.records import blank_array
from fairdeal.engine.records import chance as chance_record
from fairdeal.server.api.opening import open_table
from fairdeal.server.storage.store import Store
from fairdeal.server.tables.seating import join
from fairdeal.server.tables.windows import SECONDS
from fairdeal.table import fairness
from tests.games.test_golden import read_games
from tests.server.in_process import InsideRoom, Ticker, Viewer, end_all

FILE = Path(__file__).with_name("counts.toml")

RECORDED = {"chi": 0, "chip-it": 0, "war-xtreme": 1}
"""The recorded game of each title, by its number: CHIP IT is for four, the others for two."""

SIMULATED = {"chi": 40, "chip-it": 20, "war-xtreme": 10}
"""Number of games that are simulated."""

BOTS = (0, 1)
"""The bots of a simulation, in turn: `drivers.RANDOM` and `drivers.GREEDY`."""

AGAIN = "if that is meant, write a line in CHANGELOG.md that says why, and run `python -m tools.renew counts`"


def counted(counts, what, function):
    """Return a function that does the same and counts its calls."""

    def call(*arguments, **named):
        counts[what] += 1
        return function(*arguments, **named)

    return call


@contextlib.contextmanager
def counting_drawing(game):
    """Count the work of drawing a game."""
    counts, draw, rules_of, unpacker = Counter(), game.scene, compiled.rules_of, snapshots.unpacker

    def counting_rules(game):
        rules = rules_of(game)
        return dataclasses.replace(rules, conceal=counted(counts, "views concealed", rules.conceal))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "rules_of", counting_rules)
        patch.setattr(snapshots, "unpacker", lambda kind: counted(counts, "snapshots unpacked", unpacker(kind)))
        object.__setattr__(game, "scene", counted(counts, "scenes drawn", draw))  # a frozen dataclass
        try:
            yield counts
        finally:
            object.__setattr__(game, "scene", draw)


@contextlib.contextmanager
def counting_statements(store):
    """Count the statements and transactions of a database."""
    counts = Counter()
    heard = {
        "before_cursor_execute": counted(counts, "SQL statements", lambda *_: None),
        "commit": counted(counts, "transactions", lambda *_: None),
    }
    for event, listener in heard.items():
        sa.event.listen(store.engine, event, listener)
    yield counts
    for event, listener in heard.items():
        sa.event.remove(store.engine, event, listener)


def count_sent(viewers):
    """Count the messages that viewers are sent from now on."""
    counts = Counter()
    for viewer in viewers:

        def write(text, write=viewer.connection.write):
            counts["messages sent"] += 1
            counts["bytes sent"] += len(text.encode())
            write(text)

        viewer.connection.write = write
    return counts


async def seated(room, game, table):
    """Return the table of a recorded game, viewers at its seats, and the connected ones: two of them, a spectator."""
    guests = [f"guest {seat}" for seat in range(table.players)]
    chairs = ["you", *["person"] * (table.players - 1)]
    live = await open_table(room, guests[0], game=table.game.name, preset=game["preset"], chairs=chairs)
    for guest in guests[1:]:
        await join(live, guest, None, "")
    viewers = [Viewer(room, live, guest) for guest in guests]
    for viewer in viewers[2:]:
        viewer.go()
    connected = [*viewers[:2], Viewer(room, live, "spectator")]
    for viewer in connected:
        await viewer.arrive()
    return live, viewers, connected


async def play_in_room(game, table, folder):
    """Play a recorded game in a room, from its first move to its end; return counts of the work."""
    ticker, store = Ticker(), Store(f"sqlite:///{folder}/room.db")
    room = InsideRoom(store, pause=0.7, ticker=ticker)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", ticker)
        patch.setattr(fairness, "chance_key", lambda *_: chance.key_of(game["seed"]))
        live, viewers, connected = await seated(room, game, table)
        assert live.sitting.table.game is table.game
        sent = count_sent(connected)
        with counting_drawing(table.game) as drawn, counting_statements(store) as asked:
            for seat, move in game["moves"]:
                look_on(live, ticker, seat)
                assert (await viewers[seat].play(move))["type"] == "done"
            look_on(live, ticker, 0)
            assert live.status == "over"
            assert list(live.sitting.state.scores) == game["scores"]
            await asyncio.wait_for(live.driver.task, 20) if live.driver.task else None
    end_all(room)
    store.close()
    return {"moves": len(game["moves"]), **drawn, **asked, **sent}


def look_on(live, ticker, seat):
    """Pass the time of the windows that a seat has to wait for."""
    while live.covered(seat):
        ticker.seconds += SECONDS
        live.look_at_windows()


class Copied:
    """An array of records that counts the written ones."""

    def __init__(self, counts, records):
        self.counts, self.records = counts, records

    def __len__(self):
        return len(self.records)

    def __getitem__(self, place):
        return self.records[place]

    def __setitem__(self, place, record):
        self.counts["records copied"] += 1
        self.records[place] = record


def simulate(table, games):
    """Play games by the plain rules; return counts of the work."""
    counts, game = Counter(games=games), table.game
    states, sources = blank_array(game.state, 3), blank_array(chance_record, 2)
    states[0] = table.start
    chance.set_key(sources[0], chance.key_of("counts"))
    scores, lengths = np.zeros((games, table.players)), np.zeros((games, 2), np.int64)
    bots = np.asarray([BOTS[seat % 2] for seat in range(table.players)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance, "write_block", counted(counts, "chance blocks drawn", chance.write_block))
        play = compiled.bound_plainly(compiled.drivers_of(), compiled.contract_of(game))["simulate"]
        copied = Copied(counts, in_place(states, structure_of(game.state)))
        chances = in_place(sources, structure_of(chance_record))
        play(Desk(copied, chances, compiled.scratch(game), bots), 0, scores, lengths)
    counts["moves"] = int(lengths[:, 0].sum())
    return dict(counts)


def count_room(name):
    game = read_games(name)[RECORDED[name]]
    table = fairdeal.load(name, preset=game["preset"])
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play_in_room(game, table, folder))


def count_simulation(name):
    return simulate(fairdeal.load(name), SIMULATED[name])


KINDS = {"room": (count_room, "move"), "simulation": (count_simulation, "game")}
"""Functions that count, each with the unit for which the file states rates."""


def rate(counts, what, unit):
    """Return a count for each move or game."""
    return f"{counts.get(what, 0) / counts[unit + 's']:,.2f}"


@pytest.mark.parametrize("title", RECORDED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_takes_as_much_work_as_it_did(kind, title):
    was, now = tomllib.loads(FILE.read_text("utf-8"))[kind][title], KINDS[kind][0](title)
    assert all(now.values()), f"nothing was counted: {now}"
    assert now == was, f"{title} in a {kind} takes other work than before: {AGAIN}"


def written():
    """Return the file with all counts."""
    lines = ["# Written by `python -m tools.renew counts`."]
    for kind, (count, unit) in KINDS.items():
        for name in RECORDED:
            found = count(name)
            lines += ["", f"[{kind}.{name}]"]
            lines += [f'"{what}" = {found[what]}  # {rate(found, what, unit)} a {unit}' for what in found]
    return "\n".join(lines) + "\n"
