"""The evening of a keeper, on both databases: `/api/ready` is compared with what guests can save all along."""

import contextlib
import threading
import time

import httpx2
import pytest

from fairdeal.cli.serve import located
from tests.server.test_keeper import evening, keep, until  # noqa: F401 - fixtures
from tests.server.test_room_commands import command

pytestmark = pytest.mark.databases("sqlite", "postgresql")

EACH = 0.1
"""Seconds between two comparisons."""


class Lights:
    """Compares the light of a room with what a guest saves directly before and after."""

    def __init__(self, guest):
        self.guest, self.seen, self.wrong, self.saved, self.ends = guest, [], [], 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ends.wait(EACH):
            before, light, after = self.can_save(), self.is_on(), self.can_save()
            self.seen.append(light)
            if before == after != light:
                self.wrong.append((len(self.seen), light, after))

    def is_on(self):
        return self.answers("GET", "/api/ready")

    def can_save(self):
        """Return whether a name that is given now is saved, as a move would be."""
        done = self.answers("POST", "/api/me", json={"name": f"Light {self.saved + 1}"})
        self.saved += done
        return done

    def answers(self, method, path, **wishes):
        with contextlib.suppress(httpx2.HTTPError):
            return self.guest.http.request(method, path, timeout=5, **wishes).status_code == 200
        return False

    def end(self):
        self.ends.set()
        self.thread.join()


def test_an_evening_goes_well_and_the_lights_are_right(keep, room, guests, evening, tmp_path):  # noqa: F811
    table, ada, _ben = evening
    keep("doors", "--invited-only")
    link = keep("invite", "--base", room.address).strip()
    rudolf, watcher = guests("Rudolf the Rude"), guests("Light")
    for guest in (rudolf, watcher):
        assert guest.http.get(link).status_code == 303
    lights = Lights(watcher)
    try:
        own = rudolf.open("chi", chairs=["you", "person"])["id"]
        rudolf.connect(own)
        rudolf.ask("say", text="something rude")
        ada.post(f"/api/tables/{own}/report", 200, seat=0)
        rudolf.id = rudolf.http.cookies["fairdeal_guest"].partition(".")[0]
        keep("unname", rudolf.id, "--yes")
        keep("ban", rudolf.id)
        assert "Rudolf" not in ada.http.get("/api/lobby").text
        keep("free", table, 1)
        copy = tmp_path / "copy.db"
        command("backup", copy, "--database", room.database)
        keep("announce", "Update at 21:00")
        keep("hold")
        moves = len(room.rows("SELECT * FROM entries"))
        room.end()
        time.sleep(3 * EACH)
        room.start()
        until(lambda: watcher.http.get("/api/lobby").json()["holds"])
        keep("hold", "--lift")
        keep("announce")
        until(lambda: ada.facts(table)["status"] == "running")
        assert len(room.rows("SELECT * FROM entries")) >= moves
        time.sleep(5 * EACH)
    finally:
        lights.end()
    assert lights.wrong == []
    assert {True, False} == {*lights.seen}
    assert lights.saved > 20
    assert (f"Light {lights.saved}",) in room.rows("SELECT name FROM guests"), "what was acknowledged is there"
    assert "wrong" not in command("check", "--database", located(str(copy)))
