"""`fairdeal join` and the example bot, at tables of a room."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fairdeal.bots import custom
from fairdeal.bots.registry import name_of
from fairdeal.engine.errors import FairdealError
from fairdeal.protocol import messages as m
from fairdeal.table.analysis import analyse
from fairdeal.table.analysis.analyse import kept
from fairdeal.table.analysis.view import view_of
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from fairdeal.terminal.online import bot as bot_visit
from fairdeal.terminal.online import client as visits
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.chat import Menu
from fairdeal.terminal.online.client import Visit, parts_of
from fairdeal.terminal.online.remote_table import RemoteApp, RemoteScreen
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.dialogs import ANALYSIS, DECIDED, Ending, LeaveDialog
from fairdeal.terminal.screens.table_screen import BETTER
from fairdeal.terminal.screens.time_left import hurry, left
from tests.terminal.driving import until
from tests.terminal.test_playing import play_a_choice

BOT = Path(__file__).parents[2] / "examples" / "bot.py"
ME_FIRST = {"players": 2, "first_player": 1}
LONG = 7000.0
"""A pause so long that nothing laid over the table goes by itself."""


@pytest.fixture(autouse=True)
def known(tmp_path, monkeypatch):
    """Cookies of tests are kept in a file of their own."""
    path = tmp_path / "data" / "guests.json"
    monkeypatch.setattr(keeper, "guests_file", lambda: path)
    return path


@pytest.fixture
def come():
    """Comes to a table by its link, and goes home at the end."""
    made = []

    def come_to(room, table, name="Tess"):
        made.append(Visit(f"{room.address}/t/{table}"))
        made[-1].come_in(name)
        return made[-1]

    yield come_to
    for visit in made:
        visit.close()


async def at_table(pilot, app):
    await until(pilot, lambda: isinstance(app.screen, RemoteScreen) and app.screen.line.socket)
    return app.screen


def yours(screen):
    return screen.drawn.prompt and screen.drawn.prompt.mode == "yours" and screen.drawn.choices and not screen.picking


async def play(pilot, app, screen, moves, seed=1):
    """Play with keys until so many entries are made, or the game is over."""
    chance = random.Random(seed)
    for _ in range(4000):
        if screen.drawn.seq >= moves or screen.over:
            return
        if app.screen is screen and yours(screen):
            await play_a_choice(pilot, screen, chance)
        await pilot.pause(0.01)
    raise AssertionError("the game does not go on")


def lines_of(screen):
    return "\n".join(strip.text for strip in screen.side.query_one("#lines").lines)


async def test_a_table_is_waited_for_and_played_with_keys(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chip-it", chairs=["you", "person", "person"], options={"players": 3})["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        assert screen.drawn.prompt.text == "Waiting for 1 more player"
        assert [seat.name for seat in screen.drawn.seats] == ["Ada", "Tess", "free seat"]
        ada.post(f"/api/tables/{table}/start")
        await until(pilot, lambda: screen.drawn.zones)
        assert screen.drawn.viewer == 1
        ada.post(f"/api/tables/{table}/leave")
        await play(pilot, app, screen, 12)
        assert ada.get(f"/api/tables/{table}")["seq"] >= 12


async def test_a_few_moves_are_played_against_a_bot_and_told(room, guests, come):
    table = guests("Ada").open("chi", chairs=["person", "greedy"])["id"]
    app = RemoteApp(come(room, table), pause=LONG)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await play(pilot, app, screen, 8)
        assert screen.drawn.viewer == 0
        assert {line.seat for line in screen.panel.lines} >= {0, 1}
        numbers = [int(line.split()[0]) for line in lines_of(screen).splitlines() if line[:3].strip().isdecimal()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers[-1] >= 8
        for _ in range(9):  # a turn may be of several moves
            await until(pilot, lambda: yours(screen))
            if screen.drawn.recap:
                break
            await play(pilot, app, screen, screen.drawn.seq + 1)
        made = screen.drawn.seq
        await pilot.press("b")
        await until(pilot, lambda: screen.staging.now)
        assert screen.view.scene.choices == ()
        assert screen.staging.frames[-1].scene.seq == made
        await pilot.press("1")
        assert screen.staging.now is None
        assert screen.drawn.seq == made
        assert screen.view.scene.choices


async def test_a_game_ends_checked_is_looked_at_again_and_its_rematch_is_played(room, guests, come, monkeypatch):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST | {"stacks_to_end": 4})["id"]
    app = RemoteApp(come(room, table), pause=LONG)
    ada.post(f"/api/tables/{table}/leave")
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at_table(pilot, app)
        await play(pilot, app, screen, 10**6)
        assert app.screen is screen, "the last card is looked at first"
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("Button"))
        assert "The deal was fair" in str(app.screen.query_one("#checked").content)
        proof = str(screen.side.query_one("#proof").content)
        assert all(f"✓ {step}" in proof for step in ("Sealed", "Mixed", "Opened", "Verified"))
        assert proof.startswith("Nobody picked these cards")
        decided = screen.drawn.result.decided
        app.screen.query_one(f"#{DECIDED}").press()
        await until(pilot, lambda: app.screen is screen and screen.staging.now)
        assert screen.view.scene.seq == decided.move - 1
        await pilot.press("x")
        assert screen.view.scene.seq == decided.move
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("Button"))
        monkeypatch.setattr(analyse, "FINENESS", (2,))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, AnalysisScreen) and app.screen.found)
        written = read_log(ada.http.get(f"/api/tables/{table}/log?format=3").text)
        assert app.screen.found.fits(written.chain(), 2)
        assert view_of(kept(screen.visit.log_file, written.chain(), 2)) == app.screen.found
        await pilot.press("escape", "q")
        await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("Button"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RemoteScreen) and app.screen is not screen)
        assert (await at_table(pilot, app)).facts.id == ada.get(f"/api/tables/{table}")["rematch"]


async def test_escape_takes_a_pick_back_and_asking_is_answered(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await pilot.press("h")
        await until(pilot, lambda: screen.view.note.startswith("Hint: "))
        assert screen.view.hinted
        await until(pilot, lambda: "Your chance to win: " in screen.view.note or BETTER in screen.view.note)
        card = next(choice.on for choice in screen.drawn.choices if choice.kind == "card")
        screen.pick_target(f"card:{card}")
        await until(pilot, lambda: screen.draft)
        assert card in screen.drawn.draft.chosen
        await pilot.press("escape")
        await until(pilot, lambda: not screen.draft)
        assert not screen.drawn.draft
        screen.ask_why(card)
        await until(pilot, lambda: screen.view.note and not screen.view.note.startswith("Hint"))
        await pilot.press("r")
        assert screen.side.query_one("#clauses").has_focus
        await pilot.press("escape", "h")
        await until(pilot, lambda: screen.is_hinting)
        before = screen.drawn.seq
        await pilot.press("x")
        await until(pilot, lambda: screen.drawn.seq > before)


async def test_a_lost_connection_comes_back_and_what_was_asked_is_done_once(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        first = next(choice for choice in screen.drawn.choices if choice.kind == "card")
        screen.pick(first)
        await until(pilot, lambda: screen.draft)
        room.kill()
        await until(pilot, lambda: screen.line.socket is None)
        assert "lost" in screen.view.note
        screen.pick(next(choice for choice in screen.drawn.choices if choice.main))
        await pilot.pause(0.1)
        assert screen.picking
        room.start()
        await until(pilot, lambda: screen.drawn.seq == 1)
        await until(pilot, lambda: not screen.line.asked)
        assert ada.get(f"/api/tables/{table}")["seq"] == 1


async def test_the_seat_is_found_again_and_who_is_late_watches(room, guests, come, known):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    assert come(room, table).facts.seat == 1
    assert known.stat().st_mode & 0o777 == 0o600
    assert come(room, table).facts.seat == 1
    known.unlink()
    late = come(room, table, "Late")
    app = RemoteApp(late)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, app)
        assert screen.drawn.viewer == -1
        await pilot.press("q")
    assert not app.is_running


async def test_who_leaves_gives_his_place_to_a_bot(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, app)
        await pilot.press("q")
        assert isinstance(app.screen, LeaveDialog)
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
    assert ada.get(f"/api/tables/{table}")["chairs"][1]["stand_in"]


async def test_a_table_that_is_gone_is_not_asked_for_again(room, guests, come):
    table = guests("Ada").open("chi", chairs=["person", "greedy"])["id"]
    visit = come(room, table)
    visit.table = "nothing"
    app = RemoteApp(visit)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, RemoteScreen) and app.screen.line.gone)
        assert "no longer exists" in app.screen.view.note
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)


def test_the_example_bot_plays_a_whole_game_against_a_bot_of_the_room(name_for_several, room, guests):
    ada = guests("Ada")
    table = ada.open(name_for_several, chairs=["person", "greedy"], options={"players": 2})["id"]
    command = [sys.executable, str(BOT), f"{room.address}/t/{table}", "Rosa"]
    bot = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert bot.returncode == 0, bot.stderr
    assert bot.stdout.strip()
    facts = ada.get(f"/api/tables/{table}")
    assert facts["status"] == "over"
    assert facts["chairs"][0]["name"] == "Rosa"
    log, _ = verify(ada.http.get(f"/api/tables/{table}/log?format=3").text)
    assert {move.seat for move in log.moves} == {0, 1}


@pytest.mark.parametrize("bot", ["own_bot:OneAhead", "otto"])
def test_a_bot_comes_by_the_link_plays_to_the_end_and_goes(bot, room, guests, come, monkeypatch):
    """Every move that it says it plays stands in the log, and none was refused."""
    monkeypatch.syspath_prepend(BOT.parent)
    custom.admit([bot])
    ada, told = guests("Ada"), []
    table = ada.open("chi", chairs=["person", "greedy"])["id"]
    bot_visit.run(f"{room.address}/t/{table}", None, bot, told.append)
    facts = ada.get(f"/api/tables/{table}")
    assert facts["status"] == "over"
    called = name_of(bot)
    assert facts["chairs"][0]["name"] == called
    assert told[0].startswith(f"{called} sits at seat 0")
    assert not any("refuses" in line for line in told), "\n".join(told)
    log, _ = verify(ada.http.get(f"/api/tables/{table}/log?format=3").text)
    plays = [line for line in told if f" {called} plays " in line]
    made = [move.text for move in log.moves if move.seat == 0]
    assert len(plays) == len(made) > 3
    assert all(f" plays {move}." in line for move, line in zip(made, plays, strict=True))
    assert "The deal was fair" in " ".join(told[-3:]), told


def test_a_position_is_what_the_seat_may_know(guests):
    """Nobody else's hand is in it; whoever has no seat is told nothing."""
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open("chi", chairs=["you", "greedy"], options=ME_FIRST | {"first_player": 0})["id"]
    ada.connect(table)
    found = ada.ask("position")
    assert (found["type"], found["seq"]) == ("positioned", 0)
    mine, theirs = found["position"]["hands"]
    assert theirs
    assert set(theirs) == {"?"}
    assert "?" not in mine
    assert ada.ask("position", recall=101)["type"] == "refused"
    ben.connect(table)
    assert ben.ask("position")["type"] == "refused"


def join(*words):
    command = [sys.executable, "-m", "fairdeal.cli", "join", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("link", ["nonsense", "ftp://a/t/b", "http://127.0.0.1:99999/t/a", "http:///t/a", "http://a/"])
def test_a_bad_link_is_told_in_one_line(link):
    with pytest.raises(FairdealError, match="not a link to a table"):
        parts_of(link)


def test_a_link_needs_no_scheme_and_may_have_a_path():
    assert parts_of("localhost:8017/t/abc") == ("http://localhost:8017", "abc")
    assert parts_of("https://example.org/cards/t/abc/") == ("https://example.org/cards", "abc")


def test_a_room_that_does_not_answer_and_a_table_that_is_not_there_are_told_in_one_line(
    room, guests, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"])["id"]
    blind = join(f"{room.address}/t/{table}")
    assert blind.returncode == 1
    assert blind.stderr.startswith("fairdeal: this needs a terminal")
    assert not ada.get(f"/api/tables/{table}")["chairs"][1]["taken"]
    gone = join(f"{room.address}/t/nothing")
    assert gone.returncode == 1
    assert "no table" in gone.stderr
    assert gone.stderr.count("\n") == 1
    room.stop()
    silent = join(f"{room.address}/t/nothing")
    assert silent.returncode == 1
    assert "cannot reach the room" in silent.stderr
    assert silent.stderr.count("\n") == 1
    assert join("nonsense").stderr.count("\n") == 1


# --- company --------------------------------------------------------------------------------------------------------


def note_of(screen, seat):
    return next(one for one in screen.view.scene.seats if one.seat == seat).note


async def test_clocks_tick_until_the_move_is_made(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST, clock=60)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await until(pilot, lambda: yours(screen))
        seen = set()

        def ticked():
            seen.add(screen.view.scene.prompt.text.rpartition(" · ")[2])
            return len(seen) >= 3

        await until(pilot, ticked)
        assert seen <= {f"0:{second}" for second in range(50, 60)} | {"1:00"}
        assert note_of(screen, 1).startswith(max(seen - {"1:00"})[:3])
        await play(pilot, app, screen, 1)
        await until(pilot, lambda: 0 in ada.get(f"/api/tables/{table}")["acts"])
        await until(pilot, lambda: note_of(screen, 0).startswith(("0:", "1:00")))
        assert ":" not in note_of(screen, 1)


@pytest.mark.parametrize(
    ("seconds", "words", "hurried"),
    [
        (0, "0:00", "0 seconds left"),
        (0.4, "0:01", "1 second left"),
        (9.5, "0:10", "10 seconds left"),
        (10.5, "0:11", "0:11"),
        (125, "2:05", "2:05"),
        (86400, "24 h", "24 h"),
    ],
)
def test_times_are_told_as_people_tell_them(seconds, words, hurried):
    assert left(seconds) == words
    assert hurry(seconds) == hurried


async def test_what_is_said_and_shown_reaches_the_others_and_is_kept(room, guests, come):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        screen = await at_table(pilot, app)
        ada.connect(table)
        ada.ask("say", text="good evening [b]all[/b]")
        await until(pilot, lambda: screen.panel.unread == 1)
        await until(pilot, lambda: app.screen.query("Toast"))
        assert "Chat 1" in str(screen.panel.query_one("#tabs").get_tab("chat").label)
        await pilot.press("c")
        await until(pilot, lambda: screen.panel.unread == 0)
        await pilot.press("h", "i", "question_mark")
        assert screen.panel.query_one("#clauses").option_count == len(screen.visit.clauses)
        await pilot.press("enter")
        assert ada.until("chat")["said"]["text"] == "hi?"
        await pilot.press("escape")
        assert screen.view.has_focus
        await pilot.press("e")
        assert isinstance(app.screen, Menu)
        await pilot.press("2")
        assert ada.until("chat")["said"]["text"] == "😄"
        await until(pilot, lambda: len(talk_of(screen)) == 6)
        assert screen.panel.unread == 0
        room.kill()
        await until(pilot, lambda: screen.line.socket is None)
        room.start()
        await until(pilot, lambda: screen.line.socket)
        assert talk_of(screen)[1::2] == ["good evening [b]all[/b]", "hi?", "😄"]


async def test_a_reaction_stands_beside_the_name_for_some_seconds(room, guests, come, monkeypatch):
    monkeypatch.setattr("fairdeal.terminal.online.remote_table.REACTION_SHOWS", 5.0)
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        ada.connect(table)
        await until(pilot, lambda: yours(screen))
        ada.ask("say", text="hello 👏")
        ada.ask("say", text="👏")
        await until(pilot, lambda: note_of(screen, 0).startswith("👏"))
        await until(pilot, lambda: "👏" in screen.view.picture.canvas.text().plain)
        await pilot.press("e", "2")
        await until(pilot, lambda: note_of(screen, 1).startswith("😄"))
        await until(pilot, lambda: "👏" not in note_of(screen, 0) and "😄" not in note_of(screen, 1))
        assert not screen.reactions


def talk_of(screen):
    return [strip.text.strip() for strip in screen.panel.chat.said.lines]


async def test_a_move_that_shows_nothing_is_taken_back_and_another_stands(room, guests, come):
    ada = guests("Ada")
    options = {"players": 2, "first_player": 1}
    table = ada.open("chip-it", chairs=["you", "person"], options=options)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await until(pilot, lambda: yours(screen))
        await pilot.press("u")
        assert not screen.line.asked
        screen.ask(m.Play(seq=0, move="pass 1"))
        await until(pilot, lambda: screen.drawn.seq == 1)
        await pilot.press("escape")
        assert not screen.line.asked
        await pilot.press("u")
        await until(pilot, lambda: screen.drawn.seq == 2 and yours(screen))
        hand = next(zone for zone in screen.drawn.zones if zone.place == "hand")
        card = hand.cards[0].face
        screen.ask(m.Play(seq=2, move=f"play {card} as {card[:-1]}"))
        await until(pilot, lambda: screen.drawn.seq == 3)
        await pilot.press("u")
        await until(pilot, lambda: "cannot be taken back" in screen.view.note)


async def test_who_wishes_for_calm_races_has_them_from_the_terminal(room, guests, come):
    ada = guests("Ada")
    options = {"players": 3, "ask_extreme": False}
    table = ada.open("war-xtreme", chairs=["you", "person", "person"], options=options)["id"]
    assert ada.get(f"/api/tables/{table}")["calm"] is False
    app = RemoteApp(come(room, table), calm=True)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await until(pilot, lambda: screen.facts.calm)
        assert ada.get(f"/api/tables/{table}")["calm"] is True


async def test_who_is_shown_a_window_passes_with_a_key(room, guests, come):
    room.kill()
    room.pause = 0.05
    room.start()
    options = {"players": 2, "ask_extreme": False, "must_play": "enforced"}
    table = guests("Ada").open("war-xtreme", chairs=["person", "greedy"], options=options)["id"]
    app = RemoteApp(come(room, table), pause=0)

    def pictured():
        return screen.view.picture.canvas.text().plain

    def in_window():
        return screen.drawn.prompt.text == "Does anybody play equipment?" and screen.drawn.choices

    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        for _ in range(30):
            await until(pilot, lambda: yours(screen) or in_window())
            if in_window():
                break
            choices = screen.drawn.choices
            screen.pick(next((choice for choice in choices if choice.main), choices[0]))
            await until(pilot, lambda: not screen.picking)
        await until(pilot, lambda: "[1] Pass" in pictured())
        await pilot.press("1")
        await until(pilot, lambda: screen.drawn.prompt.sub == "You have passed.")
        assert not screen.drawn.choices
        await until(pilot, lambda: "Pass" not in pictured())
        await until(pilot, lambda: screen.drawn.prompt.text != "Does anybody play equipment?")


async def test_a_bot_plays_for_who_is_away_and_the_own_seat_is_taken_back(room, guests, come):
    ada, cleo = guests("Ada"), guests("Cleo")
    options = {"players": 3, "first_player": 0}
    table = ada.open("chip-it", chairs=["you", "person", "person"], options=options)["id"]
    visit = come(room, table)
    cleo.post(f"/api/tables/{table}/join")
    app = RemoteApp(visit)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await until(pilot, lambda: note_of(screen, 0) == note_of(screen, 2) == "away (a: bot)")
        await pilot.press("a")
        assert isinstance(app.screen, Menu)
        await pilot.press("1")
        await until(pilot, lambda: "may still come back; try again in" in screen.view.note)
        await until(pilot, lambda: ada.get(f"/api/tables/{table}")["chairs"][0]["grace"] == 0)
        await pilot.press("a", "1")
        await until(pilot, lambda: note_of(screen, 0) == "away, a bot plays on")
        await until(pilot, lambda: screen.drawn.seq == 1)
        cleo.connect(table)
        await until(pilot, lambda: "away" not in note_of(screen, 2))
        await pilot.press("a")
        await until(pilot, lambda: screen.view.note.startswith("No player is away"))
        visit.leave()
        await until(pilot, lambda: note_of(screen, 1).startswith("a bot plays for you"))
        await pilot.press("a")
        await until(pilot, lambda: not note_of(screen, 1).startswith("a bot"))
        assert not ada.get(f"/api/tables/{table}")["chairs"][1]["stand_in"]


async def test_who_comes_back_is_told_what_he_missed(room, guests, come):
    ada = guests("Ada")
    options = {"players": 2, "first_player": 0}
    table = ada.open("chip-it", chairs=["you", "person"], options=options)["id"]
    app = RemoteApp(come(room, table), pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        await screen.line.close()
        await until(pilot, lambda: screen.view.note == "You are back; nothing has changed.")
        screen.drawn = msgspec.structs.replace(screen.drawn, seq=-2)
        await screen.line.close()
        await until(pilot, lambda: screen.view.note == "You are back; 2 moves were made meanwhile.")


async def test_a_room_that_speaks_a_newer_protocol_is_told_of(room, guests, come, monkeypatch):
    table = guests("Ada").open("chi", chairs=["person", "greedy"])["id"]
    visit, warned, said = come(room, table), [], []
    monkeypatch.setattr(RemoteScreen, "notify", lambda screen, words, **_: warned.append(words))
    app, bot = RemoteApp(visit, pause=LONG), bot_visit.BotVisit(visit, "greedy", said.append)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, app)
        for protocol in (0, m.PROTOCOL, m.PROTOCOL + 1):
            assert not warned
            assert visits.NEWER_ROOM not in said
            welcome = m.encoded(m.Welcome(facts=screen.facts, protocol=protocol))
            screen.hear(welcome)
            bot.heard(welcome)
        assert warned == [visits.NEWER_ROOM]
        assert said.count(visits.NEWER_ROOM) == 1


async def test_a_game_that_was_played_on_from_another_has_no_rematch(room, guests):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "greedy"], options=ME_FIRST | {"stacks_to_end": 4})["id"]
    ada.post(f"/api/tables/{table}/leave")
    await over(ada, table)
    again = ada.post(f"/api/tables/{table}/branch", move=3, seat=0)["id"]
    ada.post(f"/api/tables/{again}/leave")
    await over(ada, again)
    ada.connect(again)
    assert "cannot have a rematch" in ada.ask("rematch", hash="")["reason"]
    visit = Visit(f"{room.address}/t/{again}")
    visit.http.cookies = ada.http.cookies
    visit.come_in()
    app = RemoteApp(visit)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("Button"))
        assert [button.id for button in app.screen.query("Button")] == ["look", "that-move", ANALYSIS, "leave"]
        assert visit.finished().over, "it can be looked at again"
    visit.close()


async def over(guest, table):
    for _ in range(400):
        if guest.get(f"/api/tables/{table}")["status"] == "over":
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the game does not end")
