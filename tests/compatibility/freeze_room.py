"""Freeze a room: its database with tables in all states, its guests, and the files that their programs save."""

import contextlib
import gzip
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from inspect import getsource
from pathlib import Path

import fairdeal
from fairdeal.engine.registry import find_game
from fairdeal.table.analysis import VERSION as ANALYSIS
from tests.compatibility.freeze import fitting, write_lines
from tests.conftest import SHORT
from tests.server.conftest import ForkedRoom, Guest
from tests.server.test_play import can_move, step
from tests.server.visiting import BROWSER, STILL

ROOT = Path(__file__).parents[2]

FACTS = ("game", "title", "name", "options", "clock", "calm", "listed", "rematch", "origin")
"""Facts of a table that never change."""

HOOKS = "hooks.example.org"
WEEK = 7 * 24 * 3600
PATIENCE = 120
"""Maximum time to wait, in seconds."""


def until(ready):
    """Wait for something that comes by itself."""
    for _ in range(PATIENCE * 20):
        if found := ready():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{getsource(ready).strip()} was not true in {PATIENCE} seconds")


def go_on(guests, chance, enough):
    """Play by choices at random until `enough` is true of the scene of a guest."""
    heard, acted = time.monotonic(), {}
    while not any(enough(guest.scene) for guest in guests):
        ready = [guest for guest in guests if can_move(guest, acted)]
        answer = {"type": ""}
        if ready:
            newest = max(ready, key=lambda guest: guest.scene["seq"])
            acted[newest] = newest.scene
            answer = step(newest, chance)
        if answer["type"] == "done":
            heard = time.monotonic()
        else:
            for guest in guests:
                with contextlib.suppress(TimeoutError):
                    guest.hear(0.05)
        assert time.monotonic() < heard + 40, [(guest.scene["seq"], guest.scene["prompt"]) for guest in guests]


def is_over(scene):
    return scene.get("mode") == "over"


class Freezer:
    """A room that is being filled, and its tables by their descriptions."""

    def __init__(self, database):
        self.room = ForkedRoom(database, webhooks=HOOKS)
        self.guests = {name: Guest(self.room, name) for name in ("Ada", "Ben", "Cleo")}
        self.tables = {}
        self.nonces = {}  # that are not shown yet
        self.chance = random.Random(1)

    def note(self, what, table):
        """Note the id of a table by its description."""
        assert what not in self.tables
        self.tables[what] = table
        return table

    def seat(self, what, game, *names, free=0, bots=(), shown=True, **wishes):
        """Open a table for these guests and bots; its guests show their nonces if `shown` says so."""
        players = [self.guests[name] for name in names]
        chairs = ["you", *["person"] * (len(players) - 1 + free), *bots]
        wishes["options"] = {"players": len(chairs)} | wishes.get("options", {})
        table = players[0].open(game, numbers=True, chairs=chairs, **wishes)["id"]
        for guest in players[1:]:
            guest.join(table)
        if shown and len(players) > 1 and not free:
            for guest in players:
                guest.show(table)
        return self.note(what, table), players

    def run(self, what, game, *names, moves, **wishes):
        """Open a table and make `moves` moves there, by choices at random."""
        table, players = self.seat(what, game, *names, **wishes)
        self.play(table, players, moves)
        return table

    def play(self, table, players, moves):
        for guest in players:
            guest.connect(table)
        go_on(players, self.chance, lambda scene: scene["seq"] >= moves)

    def end(self, what, game, *names, **wishes):
        """Open a table and play there to the end of the game."""
        table, players = self.seat(what, game, *names, **wishes)
        self.finish(table, players)
        return table, players

    def finish(self, table, players):
        for guest in players:
            guest.connect(table)
        go_on(players, self.chance, is_over)
        until(lambda: players[0].get(f"/api/tables/{table}")["status"] == "over")


def freeze_room(folder: Path) -> dict[str, list[str]]:
    """Write room.db.gz, room.json.gz and the folder `kept`; return logs of every title that the room has signed."""
    with tempfile.TemporaryDirectory() as temporary:
        database = Path(temporary) / "room.db"
        made = Freezer(database)
        try:
            signed = signed_logs(made)
            fill(made)
            kept = programs_keep(made, folder, Path(temporary))
            told = tell(made)
        finally:
            for guest in made.guests.values():
                guest.close()
            made.room.stop()
        with contextlib.closing(sqlite3.connect(database)) as open_now:
            open_now.execute("VACUUM INTO ?", (f"{database}.small",))
        (folder / "room.db.gz").write_bytes(gzip.compress(Path(f"{database}.small").read_bytes(), mtime=0))
    write_lines(folder / "room.json.gz", [told | kept])
    return signed


def signed_logs(made):
    """Return logs of games of every title, played by bots to the end."""
    found = {}
    for title in fairdeal.game_names():
        game = find_game(title)
        guest = Guest(made.room, f"Host of {title}"[:20])
        logs = []
        for number in range(5):
            preset = list(game.presets)[-1 - number % len(game.presets)]
            players = game.players[1] if number == 4 else min(2, game.players[1])
            table, options = fitting(title, preset, players, short=True)
            chairs = (["otto", "greedy", "random", "pip"] * 2)[: table.players]
            table = guest.open(title, chairs=chairs, preset=preset, options=options)["id"]
            until(lambda guest=guest, table=table: guest.get(f"/api/tables/{table}")["status"] == "over")
            logs.append(guest.http.get(f"/api/tables/{table}/log?format=3").text)
        found[title] = logs
        guest.close()
    with contextlib.closing(sqlite3.connect(made.room.database)) as database:  # they lie among the logs
        for part in ("entries", "seats"):
            database.execute(f"DELETE FROM {part}")
        database.execute("DELETE FROM tables")
        database.execute("DELETE FROM guests WHERE name LIKE 'Host of %'")
        database.commit()
    return found


def fill(made):
    """Fill a room with tables in all states."""
    ada, ben, cleo = (made.guests[name] for name in ("Ada", "Ben", "Cleo"))
    ada.http.put("/api/webhook", json={"address": f"https://{HOOKS}/ada"}).raise_for_status()
    short = {"stacks_to_end": 4}

    # before the deal
    made.note("open", ada.open("chip-it", numbers=True, chairs=["you", "person", "juno"])["id"])
    table, _ = made.seat("open, chi", "chi", "Ada", free=1)
    made.nonces["open, chi"] = ada.nonce
    quiet = {"listed": False, "clock": 60, "calm": True, "waits": False}
    made.note("open, not listed", ada.open("war-xtreme", numbers=True, chairs=["you", "person"], **quiet)["id"])
    table, _ = made.seat("numbers are shown", "chi", "Ada", "Ben", shown=False)
    ada.show(table)
    made.nonces["numbers are shown"] = ben.nonce
    table, _ = made.seat("numbers are asked for again", "chi", "Ada", "Ben", shown=False)
    ben.show(table)
    ben.post(f"/api/tables/{table}/leave")
    cleo.join(table)
    made.nonces["numbers are asked for again"] = cleo.nonce

    # running
    made.run("running, people", "chi", "Ada", "Ben", options=short | {"first_player": 0}, moves=9)
    ada.ask("say", text="Good luck! ♣")
    ben.ask("say", text="Glück gehabt, не так ли?")
    made.run("running, with bots", "chip-it", "Ada", bots=("greedy", "pip", "otto"), moves=12)
    made.run("running, against a bot that searches", "chi", "Cleo", bots=("vix",), moves=3)
    made.run("running, against the net", "chi", "Cleo", bots=("learned",), moves=3)
    made.run("running, with a clock", "chaos-ninjas", "Ada", "Ben", clock=WEEK, moves=7)
    made.run("running, the game's clock runs", "chimax-order", "Ada", "Ben", preset="tournament", moves=4)
    table = made.run("running, a bot stands in", "chimax-cut", "Ada", "Ben", "Cleo", moves=4)
    cleo.post(f"/api/tables/{table}/leave")
    table, players = made.seat("running, a move was taken back", "chip-it", "Ada", "Ben", options={"first_player": 0})
    ada.connect(table)
    assert ada.ask("play", seq=0, move="pass 1")["type"] == "done"
    assert ada.ask("undo", seq=1)["type"] == "done"
    table, players = made.seat("dealt, no move yet", "chimax-fate", "Ben", "Cleo")
    for title in ("chimax-books", "chimax-match-2", "chimax-match-3", "chimax-jackpot"):
        most = find_game(title).players[1]
        made.run(f"running, {title}", title, *("Ben", "Cleo")[:most], moves=3)
    made.run("cards of one's own", "war-xtreme", "Ada", "Ben", options=own_cards(), moves=6)

    # over
    over, players = made.end("over", "chi", "Ada", "Ben", options=short)
    table, players = made.end("over, analysed", "chi", "Ada", bots=("juno",), options=short)
    address = f"/api/tables/{table}/analysis"
    until(lambda: ada.get(address)["analysis"])
    table, players = made.end("over, played again", "chi", "Ada", "Ben", options=short)
    next_hash = {guest: guest.bind() for guest in players}
    for guest in players:
        guest.ask("rematch", hash=next_hash[guest])
    again = until(lambda: ada.get(f"/api/tables/{table}")["rematch"])
    for guest in players:
        guest.show(again)
    made.note("a rematch", again)
    branched = ada.post(f"/api/tables/{over}/branch", move=8, seat=0)["id"]
    made.note("played on from another", branched)
    table, players = made.seat(
        "over, a number was withheld", "chi", "Ada", "Ben", options=short, shown=False, waits=False
    )
    ada.show(table)
    until(lambda: ada.get(f"/api/tables/{table}")["status"] == "running")
    made.finish(table, players)
    for title in ("chip-it", "chimax-jackpot", "war-xtreme"):
        bots = ("greedy",)[: find_game(title).players[1] - 1]
        made.end(f"over, {title}", title, "Ada", bots=bots, options=SHORT.get(title, {}))
    table, _ = made.seat("cleared", "chi", "Ada", bots=("greedy",))
    made.guests["Ada"].http.delete(f"/api/tables/{table}").raise_for_status()


def own_cards():
    """Return options of a table with a catalogue of cards of one's own."""
    file = ROOT / "examples" / "my-war-catalogue.toml"
    return SHORT["war-xtreme"] | {"catalogue": tomllib.loads(file.read_text("utf-8"))}


def programs_keep(made, folder, temporary):
    """Write the files that a browser saves of a finished game, and `fairdeal join` of that and of a running one."""
    ada = made.guests["Ada"]
    (folder / "kept").mkdir()
    join = [sys.executable, "-m", "fairdeal", "join", "--bot", "greedy", "--name", "Tess"]
    told = os.environ | {"XDG_DATA_HOME": str(temporary / "data")}
    for what, ends in (("joined from a terminal", True), ("joined from a terminal, running", False)):
        table, _ = made.seat(what, "chi", "Ada", free=1, options={"stacks_to_end": 4})
        program = subprocess.Popen([*join, f"{made.room.address}/t/{table}"], env=told, stdout=subprocess.DEVNULL)
        until(lambda table=table: ada.get(f"/api/tables/{table}")["deal"]["stage"] == "numbers")
        ada.show(table)
        if ends:
            made.finish(table, [ada])
            assert program.wait(PATIENCE) == 0
        else:
            made.play(table, [ada], 6)
            program.send_signal(signal.SIGKILL)
            program.wait()
        (kept,) = (temporary / "data" / "fairdeal" / "records").glob(f"*/{table}.jsonl")
        (folder / "kept" / f"{'joined' if ends else 'joined-running'}.json").write_bytes(kept.read_bytes())
        if ends:
            (folder / "kept" / "joined.log").write_text(ada.http.get(f"/api/tables/{table}/log?format=3").text)
    tess = json.loads((temporary / "data" / "fairdeal" / "guests.json").read_text())[made.room.address]

    from tests.server.test_browser import choose_by_clicks
    from tests.server.test_browser import play_out as play_pages_out

    table = made.note(
        "played in a browser",
        ada.open("chi", numbers=False, chairs=["person", "greedy"], options={"stacks_to_end": 4})["id"],
    )
    with BROWSER.visits(made.room.address) as visit:
        page = visit(f"/t/{table}", **STILL)
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_selector(".prompt")
        play_pages_out([page], random.Random(6), choose_by_clicks)
        page.get_by_role("button", name="Show how").click()
        page.wait_for_selector(".fair li:nth-child(4):is([data-ok], [data-open])")
        with page.expect_download() as downloading:
            page.get_by_role("button", name="this browser’s records").click()
        (folder / "kept" / "browser.json").write_bytes(Path(downloading.value.path()).read_bytes())
        storage = page.evaluate("() => Object.fromEntries(Object.entries(localStorage))")
        (cookie,) = [one for one in page.context.cookies() if one["name"] == "fairdeal_guest"]
    BROWSER.close()
    (folder / "kept" / "browser.log").write_text(ada.http.get(f"/api/tables/{table}/log?format=3").text)
    return {"tess": tess, "browser": {"cookie": cookie["value"], "storage": storage}}


def tell(made):
    """Return the cookies of the guests and the state of each table."""
    ada, timed = made.guests["Ada"], ["running, the game's clock runs", "running, several act at once"]
    race, players = made.seat(timed[1], "war-xtreme", "Ada", "Ben", "Cleo", calm=True, options={"ask_extreme": False})
    for guest in players:
        guest.connect(race)
    go_on(players, made.chance, lambda scene: len(ada.get(f"/api/tables/{race}")["acts"]) > 1)
    tables = {what: state_of(made, table) for what, table in reversed(made.tables.items())}  # while the race is run
    assert len(ada.get(f"/api/tables/{race}")["acts"]) > 1
    said = ada.connect(made.tables["running, people"])["chat"]
    return {
        "guests": {name: guest.http.cookies["fairdeal_guest"] for name, guest in made.guests.items()},
        "nonces": made.nonces,
        "chat": [[line["name"], line["text"]] for line in said],
        "timed": timed,
        "record": ada.get("/api/games/chi/record"),
        "key": ada.get("/api/key")["key"],
        "analysis": ANALYSIS,
        "tables": tables,
    }


def state_of(made, table):
    """Return the facts of a table, and the positions that our guests there see."""
    answer = made.guests["Ada"].http.get(f"/api/tables/{table}")
    if answer.status_code == 404:
        return {"id": table, "status": "cleared"}
    facts = answer.json()
    told = {name: facts[name] for name in ("id", "game", "status", "options", "seq")}
    told["rules"] = find_game(facts["game"]).rules_version
    told["facts"] = {name: facts[name] for name in FACTS}
    told["deal"] = [facts["deal"]["stage"], facts["deal"]["attempt"]]
    told["chairs"] = [[chair["name"], chair["plays"], chair["stand_in"]] for chair in facts["chairs"]]
    if facts["status"] == "over":
        log = made.guests["Ada"].http.get(f"/api/tables/{table}/log?format=3").content
        told["log"] = hashlib.sha256(log).hexdigest()
    told["known"] = {}
    for name, guest in made.guests.items():
        seat = guest.get(f"/api/tables/{table}")["seat"]
        if facts["status"] == "running" and seat >= 0 and not facts["chairs"][seat]["stand_in"]:
            guest.connect(table)
            found = guest.ask("position", recall=100)
            told["known"][name] = [found["seq"], found["position"]]
    return told
