"""The evening of a keeper, on both databases: every light of the room is compared with real moves all along, also while
the disk is full, during an update, and when a backup takes the place of a lost database."""

import contextlib
import threading
import time
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from fairdeal.cli.serve import located
from fairdeal.server.storage.store import LONGEST_CHECK
from fairdeal.table.redrawing import CANNOT_SAVE
from tests.ports import free_port
from tests.server.conftest import PORT, ForkedRoom
from tests.server.forking import hasten
from tests.server.in_process import on_small_disk
from tests.server.lights import EACH, STATES, Record
from tests.server.test_keeper import evening, keep, until  # noqa: F401 - fixtures
from tests.server.test_room_commands import command

pytestmark = pytest.mark.databases("sqlite", "postgresql")

BARRED = {"X-Forwarded-For": "192.0.2.7"}
"""The header of a proxy on this machine for a guest at an address that the keeper refuses."""


@pytest.fixture
def disk(database, server, tmp_path):
    """A small disk, or None if none can be mounted, and the database on it."""
    with on_small_disk(database, server, tmp_path) as found:
        yield found


@pytest.fixture
def room(disk, tmp_path, deal):
    """A room on the small disk, which serves metrics and hurries."""
    errors, metrics = tmp_path / "room.db.errors", free_port()
    process = ForkedRoom(disk[1], port=PORT, errors=errors, chance=deal, change=hasten, metrics=metrics)
    yield process
    process.stop()


@pytest.fixture
def lights(room, guests):
    made = Lights(room, guests("Light"))
    yield made
    made.end()


class Lights(Record):
    """Lets a guest make moves, one about every EACH seconds, and looks at all lights of the room between them.

    needless  the lights that were off between two moves that were saved soon one after the other
    failed    the number of moves that have failed in a row
    calm      the number of times in a row that a move was saved and all lights were on
    excused   whether lights may be off although a small move is still saved, because of a fault or an update
    answers   whether the room has answered to the last move: otherwise it can save, but nobody can ask it to
    hurries   whether moves follow each other without a pause and a look at the lights, until one fails
    """

    def __init__(self, room, mover):
        super().__init__()
        self.room, self.mover, self.seq, self.acknowledged, self.read = room, mover, None, 0, 0
        self.table = mover.open("chimax-match-2", chairs=["you"], options={"players": 1})["id"]
        self.needless, self.failed, self.calm, self.excused, self.answers, self.hurries = [], 0, 0, False, True, False
        self.http = httpx2.Client(timeout=5, verify=False)
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        self.told.append(("attempt", self.move()))
        while not self.ends.wait(0 if self.hurries else EACH):
            (_, before), since, first = self.told[-1], time.monotonic(), len(self.told)
            if not self.hurries:
                self.told += self.seen()
            after = self.move()
            dark = [name for name, is_on in self.told[first:] if not is_on]
            self.told.append(("attempt", after))
            if before and after and not self.excused and time.monotonic() < since + LONGEST_CHECK:
                self.needless += dark
            self.failed = 0 if after else self.failed + 1
            self.calm = self.calm + 1 if after and not dark and not self.hurries else 0
            self.hurries = self.hurries and after

    def seen(self):
        """Return what the lights say, with the log lines since the last look."""
        said = self.room.errors.read_text()[self.read :]
        said = said[: said.rfind("\n") + 1]
        self.read += len(said)
        lines = [(line, "again" in line) for text in said.splitlines() for line in STATES if line.strip("%s") in text]
        return [
            *lines,
            ("/api/ready", bool(self.answer(f"{self.room.address}/api/ready"))),
            *([("fairdeal_saves", "\nfairdeal_saves 1.0\n" in self.answer(self.metrics))] if self.answers else []),
            ("the table", CANNOT_SAVE not in (self.answer(self.at_table) or CANNOT_SAVE)),
        ]

    @property
    def metrics(self):
        return f"http://127.0.0.1:{self.room.wishes['metrics']}/metrics"

    @property
    def at_table(self):
        return f"{self.room.address}/api/tables/{self.table}"

    def answer(self, address):
        """Return the text at an address, or an empty one if there is none."""
        with contextlib.suppress(httpx2.HTTPError):
            answer = self.http.get(address)
            return answer.text if answer.status_code == 200 else ""
        return ""

    def move(self):
        """Turn up the first card that the scene offers, and return whether that was acknowledged. If the connection is
        lost, try once more over a new one, as the page does. This game lasts for more than a thousand moves."""
        for _ in range(2):
            try:
                if self.seq is None:
                    self.seq = self.mover.connect(self.table)["facts"]["seq"]
                while self.mover.scene["seq"] < self.seq:
                    self.mover.hear()
                answer = self.mover.ask("pick", seq=self.seq, choice=self.mover.scene["choices"][0]["id"])
            except (ConnectionClosed, OSError):
                self.seq, self.answers = None, False
            else:
                self.answers = True
                self.seq = self.acknowledged = answer["seq"] if answer["type"] == "done" else self.seq
                return answer["type"] == "done"
        return False

    @contextlib.contextmanager
    def fault(self):
        """Excuse lights that are off, until all is well again after the end of this context."""
        self.excused = True
        yield
        until(lambda: self.calm >= 2)
        self.excused = False

    def end(self):
        self.ends.set()
        self.thread.join()
        self.http.close()


def entries(room):
    return set(room.rows("SELECT * FROM entries"))


def test_an_evening_goes_well_and_the_lights_are_right(
    keep,  # noqa: F811
    room,
    guests,
    evening,  # noqa: F811
    lights,
    disk,
    database,
    server,
    tmp_path,
):
    table, ada, ben = evening
    keep("doors", "--invited-only")
    link = keep("invite", "--base", room.address).strip()
    rudolf = guests("Rudolf the Rude")
    assert rudolf.http.get(link).status_code == 303
    own = rudolf.open("chi", chairs=["you", "person"])["id"]
    rudolf.connect(own)
    rudolf.ask("say", text="something rude")
    ada.post(f"/api/tables/{own}/report", 200, seat=0)
    rudolf.id = rudolf.http.cookies["fairdeal_guest"].partition(".")[0]
    keep("unname", rudolf.id, "--yes")
    keep("ban", rudolf.id)
    assert "Rudolf" not in ada.http.get("/api/lobby").text
    keep("free", table, 1)
    keep("exclude", ben.id, table)
    keep("bar", "192.0.2.7")
    if disk[0]:
        with lights.fault():
            lights.hurries = True  # there is still space for some small moves
            disk[0].fill()
            until(lambda: lights.failed >= 8)
            disk[0].empty()
    kept, acknowledged = entries(room), lights.acknowledged
    copy = tmp_path / "copy.db"
    command("backup", copy, "--database", room.database)
    assert "wrong" not in command("check", "--database", copy)
    keep("announce", "Update at 21:00")
    keep("hold")
    saved = entries(room)
    with lights.fault():
        room.end()
        until(lambda: lights.failed >= 2)
        room.start()
        assert ada.http.get("/api/lobby").json()["holds"]
        assert entries(room) >= saved
    with lights.fault(), contextlib.ExitStack() as opened:
        room.end()
        until(lambda: lights.failed >= 2)
        room.database = tmp_path / "restored.db"
        if not isinstance(database, Path):
            room.database = opened.enter_context(server(fsync=False).database())
        opened.callback(room.end)
        command("import", copy, "--database", located(str(room.database), creates=True))
        assert entries(room) >= kept
        room.start()
        assert rudolf.http.get("/api/lobby").status_code == 403
        assert ada.http.get("/api/lobby", headers=BARRED).status_code == 403
        with pytest.raises(ConnectionClosed, match="4403"):
            ben.connect(table)
        until(lambda: lights.calm >= 2)
        assert lights.acknowledged >= acknowledged
        ada.connect(table)
        assert ada.ask("play", seq=ada.scene["seq"], move=ada.ask("hint")["move"])["type"] == "done"
        keep("announce", "We are back")
        lights.end()
    assert lights.contradictions(least=20 if disk[0] else 2) == []
    assert lights.needless == []
