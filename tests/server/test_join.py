"""`fairdeal join` and the example bot, at tables of a room."""

import contextlib
import random
import subprocess
import sys
import time

import msgspec
import pytest

from fairdeal.bots import custom
from fairdeal.bots.registry import name_of
from fairdeal.cli.serve import located
from fairdeal.protocol import messages as m
from fairdeal.server.storage.ratings import rate
from fairdeal.server.tables import audience
from fairdeal.table.analysis import analyse
from fairdeal.table.analysis.analyse import kept
from fairdeal.table.analysis.view import view_of
from fairdeal.table.log import read_log
from fairdeal.table.names import shown
from fairdeal.table.verification import verify
from fairdeal.terminal.online import bot as bot_visit
from fairdeal.terminal.online import client as visits
from fairdeal.terminal.online import connection, keeper, remote_table
from fairdeal.terminal.online.client import Visit, parts_of
from fairdeal.terminal.online.remote_table import RemoteApp, RemoteScreen
from fairdeal.terminal.presses import DELAY
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.dialogs import ANALYSIS, DECIDED, Ending, HelpDialog, LeaveDialog, Menu
from fairdeal.terminal.screens.table_screen import BETTER
from fairdeal.terminal.screens.time_left import hurry, left
from tests.conftest import ROOT, SHORT, refusal
from tests.server.in_process import Viewer, apart, execute
from tests.server.silent import SilentWire
from tests.server.test_ratings import over
from tests.server.test_room_commands import command
from tests.terminal.driving import comes, play_a_choice, until

BOT = ROOT / "examples" / "bot.py"
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


@pytest.fixture
def sit(room, guests, come):
    """Seats Tess in a terminal beside Ada, at a table of two where Tess moves first, or as wished."""

    @contextlib.asynccontextmanager
    async def sitting(game="chi", pause=0, calm=False, **wishes):
        ada = guests("Ada")
        table = ada.open(game, **{"chairs": ["you", "person"], "options": ME_FIRST} | wishes)["id"]
        app = RemoteApp(come(room, table), pause=pause, calm=calm)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            yield ada, table, pilot, await at_table(pilot)

    return sitting


async def at_table(pilot):
    return await comes(pilot, RemoteScreen, lambda screen: screen.line.socket)


async def at_the_end(pilot):
    return await comes(pilot, Ending, lambda screen: screen.query("Button"))


def yours(screen):
    return screen.drawn.prompt and screen.drawn.prompt.mode == "yours" and screen.drawn.choices and not screen.picking


async def play(pilot, screen, moves, seed=1):
    """Play with keys until so many entries are made, or the game is over."""
    chance = random.Random(seed)
    for _ in range(4000):
        if screen.drawn.seq >= moves or screen.over:
            return
        if pilot.app.screen is screen and yours(screen):
            await play_a_choice(pilot, screen, chance)
        await pilot.pause(0.01)
    raise AssertionError("the game does not go on")


def lines_of(screen):
    return "\n".join(strip.text for strip in screen.side.query_one("#lines").lines)


async def test_a_table_is_waited_for_and_played_with_keys(sit):
    async with sit("chip-it", chairs=["you", "person", "person"], options={"players": 3}) as (
        ada,
        table,
        pilot,
        screen,
    ):
        assert screen.drawn.prompt.text == "Waiting for 1 more player"
        assert [seat.name for seat in screen.drawn.seats] == ["Ada", "Tess", "free seat"]
        ada.post(f"/api/tables/{table}/start")
        await until(pilot, lambda: screen.drawn.zones)
        assert screen.drawn.viewer == 1
        ada.post(f"/api/tables/{table}/leave")
        await play(pilot, screen, 12)
        assert ada.facts(table)["seq"] >= 12


async def test_a_few_moves_are_played_against_a_bot_and_told_and_a_newer_protocol_too(sit, monkeypatch):
    warned, said = [], []
    monkeypatch.setattr(RemoteScreen, "notify", lambda screen, words, **_: warned.append(words))
    async with sit(chairs=["person", "greedy"], options={}, pause=LONG) as (_, _, pilot, screen):
        await play(pilot, screen, 8)
        assert screen.drawn.viewer == 0
        assert {line.seat for line in screen.panel.lines} >= {0, 1}
        numbers = [int(line.split()[0]) for line in lines_of(screen).splitlines() if line[:3].strip().isdecimal()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers[-1] >= 8
        for _ in range(9):  # a turn may be of several moves
            await until(pilot, lambda: yours(screen))
            if screen.drawn.recap:
                break
            await play(pilot, screen, screen.drawn.seq + 1)
        made = screen.drawn.seq
        await pilot.press("b")
        await until(pilot, lambda: screen.staging.now)
        assert screen.view.scene.choices == ()
        assert screen.staging.frames[-1].scene.seq == made
        await pilot.press("1")
        assert screen.staging.now is None
        assert screen.drawn.seq == made
        assert screen.view.scene.choices
        bot = bot_visit.BotVisit(screen.visit, "greedy", said.append)
        for protocol in (0, m.PROTOCOL, m.PROTOCOL + 1):
            assert not warned
            assert visits.NEWER_ROOM not in said
            welcome = m.encoded(m.Welcome(facts=screen.facts, protocol=protocol))
            screen.hear(welcome)
            bot.heard(welcome)
        assert warned == [visits.NEWER_ROOM]
        assert said.count(visits.NEWER_ROOM) == 1


async def test_a_game_ends_checked_is_looked_at_again_and_its_rematch_is_played(sit, monkeypatch):
    async with sit(options=ME_FIRST | {"stacks_to_end": 4}, pause=LONG) as (ada, table, pilot, screen):
        ada.post(f"/api/tables/{table}/leave")
        await play(pilot, screen, 10**6)
        assert pilot.app.screen is screen, "the last card is looked at first"
        await pilot.press("x")
        ending = await at_the_end(pilot)
        assert "The deal was fair" in str(ending.query_one("#checked").content)
        proof = str(screen.side.query_one("#proof").content)
        assert all(f"✓ {step}" in proof for step in ("Sealed", "Mixed", "Opened", "Verified"))
        assert proof.startswith("Nobody picked these cards")
        decided = screen.drawn.result.decided
        ending.query_one(f"#{DECIDED}").press()
        await until(pilot, lambda: pilot.app.screen is screen and screen.staging.now)
        assert screen.view.scene.seq == decided.move - 1
        await pilot.pause(DELAY)  # or the key might be held
        await pilot.press("x")
        assert screen.view.scene.seq == decided.move
        await pilot.pause(DELAY)
        await pilot.press("x")
        await at_the_end(pilot)
        monkeypatch.setattr(analyse, "FINENESS", (2,))
        await pilot.press("a")
        found = (await comes(pilot, AnalysisScreen, lambda analysis: analysis.found)).found
        written = read_log(ada.log(table))
        assert found.fits(written.chain(), 2)
        assert view_of(kept(screen.visit.log_file, written.chain(), 2)) == found
        await pilot.press("escape", "q")
        await at_the_end(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RemoteScreen) and pilot.app.screen is not screen)
        assert (await at_table(pilot)).facts.id == ada.facts(table)["rematch"]


async def test_escape_takes_a_pick_back_asking_is_answered_and_who_leaves_gives_his_place_to_a_bot(sit):
    async with sit() as (ada, table, pilot, screen):
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
        await pilot.press("q")
        assert isinstance(pilot.app.screen, LeaveDialog)
        await pilot.press("y")
        await until(pilot, lambda: not pilot.app.is_running)
    assert ada.facts(table)["chairs"][1]["stand_in"]


async def test_a_lost_connection_comes_back_and_what_was_asked_is_done_once(room, sit):
    async with sit() as (ada, table, pilot, screen):
        screen.pick(next(choice for choice in screen.drawn.choices if choice.kind == "card"))
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
        assert ada.facts(table)["seq"] == 1


async def test_the_seat_is_found_again_latecomers_watch_and_a_missing_table_is_reported(room, guests, come, known):
    table = guests("Ada").open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    assert come(room, table).facts.seat == 1
    assert known.stat().st_mode & 0o777 == 0o600
    assert come(room, table).facts.seat == 1
    known.unlink()
    late, gone = come(room, table, "Late"), come(room, table)
    gone.table = "nothing"
    for visit in (late, gone):
        app = RemoteApp(visit)
        async with app.run_test(size=(80, 24)) as pilot:
            if visit is late:
                assert (await at_table(pilot)).drawn.viewer == -1
            else:  # which is not asked for again
                screen = await comes(pilot, RemoteScreen, lambda screen: screen.line.gone)
                assert "no longer exists" in screen.view.note
            await pilot.press("q")
            await until(pilot, lambda app=app: not app.is_running)


async def test_a_spectator_of_a_finished_game_follows_its_rematch_and_takes_no_seat(room, guests, come):
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open("chi", chairs=["you", "person"], options=SHORT["chi"])["id"]
    ben.post(f"/api/tables/{table}/join")
    ben.connect(table)
    ben.ask("stand_in", seat=1)
    ada.finish(table)
    app = RemoteApp(come(room, table))
    async with app.run_test(size=(120, 40)) as pilot:
        ending = await at_the_end(pilot)
        assert "again" not in [button.id for button in ending.query("Button")]
        (_, won), (_, lost) = ada.facts(table)["score"]
        assert {won, lost} == {0, 1}
        score = f"ames won: Ada {won} : {lost} Ben"
        assert str(ending.query_one("#wins").content) == f"G{score}"
        for guest in (ada, ben):
            assert guest.ask("rematch", hash="")["type"] == "done"
        again = ada.facts(table)["rematch"]
        await until(pilot, lambda: isinstance(app.screen, Ending) and app.screen.query("#again"))
        app.screen.query_one("#again").press()
        await until(pilot, lambda: isinstance(app.screen, RemoteScreen) and app.screen.facts.id == again)
        assert app.screen.facts.seat == -1
        await until(pilot, lambda: app.screen.scene.facts[-1:] == (f"g{score}",))


async def test_a_banned_guest_reads_the_reason_and_does_not_come_back(room, guests, come):
    visit = come(room, guests("Ada").open("chi", chairs=["you", "person"])["id"])
    guest = visit.cookie.partition("=")[2].partition(".")[0]
    async with RemoteApp(visit).run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        with apart(located(room.database)) as connection:
            execute(connection, "INSERT INTO bans VALUES (?, 1.0)", guest)
        await until(pilot, lambda: screen.line.gone)
        assert "has excluded you" in screen.view.note


def test_the_example_bot_plays_a_whole_game_against_a_bot_of_the_room(name_with_drafts, room, guests):
    ada = guests("Ada")
    table = ada.open(name_with_drafts, chairs=["person", "greedy"], options=SHORT[name_with_drafts] | {"players": 2})[
        "id"
    ]
    command = [sys.executable, str(BOT), f"{room.address}/t/{table}", "Rosa"]
    bot = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert bot.returncode == 0, bot.stderr
    assert bot.stdout.strip()
    facts = ada.facts(table)
    assert facts["status"] == "over"
    assert facts["chairs"][0]["name"] == "Rosa"
    log, _ = verify(ada.log(table))
    assert {move.seat for move in log.moves} == {0, 1}


@pytest.mark.parametrize("bot", ["own_bot:OneAhead", "otto"])
def test_a_bot_comes_by_the_link_plays_to_the_end_and_goes(bot, room, guests, come, monkeypatch):
    """Every move that it says it plays stands in the log, and none was refused."""
    monkeypatch.syspath_prepend(BOT.parent)
    custom.admit([bot])
    ada, told = guests("Ada"), []
    table = ada.open("chi", chairs=["person", "greedy"], options={"stacks_to_end": 4})["id"]
    bot_visit.run(f"{room.address}/t/{table}", None, bot, told.append)
    facts = ada.facts(table)
    assert facts["status"] == "over"
    called = name_of(bot)
    assert facts["chairs"][0]["name"] == shown(called)
    assert told[0].startswith(f"{called} sits at seat 0")
    assert not any("refuses" in line for line in told), "\n".join(told)
    log, _ = verify(ada.log(table))
    plays = [line for line in told if f" {called} plays " in line]
    made = [move.text for move in log.moves if move.seat == 0]
    assert len(plays) == len(made) > 3
    assert all(f" plays {move}." in line for move, line in zip(made, plays, strict=True))
    assert "The deal was fair" in " ".join(told[-4:]), told


async def test_a_position_is_what_the_seat_may_know(guest):
    """Nobody else's hand is in it; whoever has no seat is told nothing."""
    live = await guest.open("chi", options=ME_FIRST | {"first_player": 0})
    ada, ben = (Viewer(guest.room, live, one) for one in (guest.guest, "ben"))
    found = await ada.ask(m.Position(id="1"))
    assert (found["type"], found["seq"]) == ("positioned", 0)
    mine, theirs = found["position"]["hands"]
    assert theirs
    assert set(theirs) == {"?"}
    assert "?" not in mine
    assert (await ada.ask(m.Position(id="2", recall=101)))["type"] == "refused"
    assert (await ben.ask(m.Position(id="3")))["type"] == "refused"


@pytest.mark.parametrize("link", ["nonsense", "ftp://a/t/b", "http://127.0.0.1:99999/t/a", "http:///t/a", "http://a/"])
def test_a_bad_link_is_reported_in_one_line(link):
    with refusal("not a link to a table"):
        parts_of(link)


def test_a_link_needs_no_scheme_and_may_have_a_path():
    assert parts_of("localhost:8017/t/abc") == ("http://localhost:8017", "abc")
    assert parts_of("https://example.org/cards/t/abc/") == ("https://example.org/cards", "abc")


def test_a_room_that_does_not_answer_and_a_missing_table_are_reported_in_one_line(room, guests, run):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"])["id"]

    def is_told(link, words):
        code, _, told = run(f"join {link}")
        assert (code, told.count("\n")) == (1, 1), told
        assert words in told

    is_told(f"{room.address}/t/{table}", "fairdeal: this needs a terminal")
    assert not ada.facts(table)["chairs"][1]["taken"]
    is_told(f"{room.address}/t/nothing", "no table")
    room.stop()
    is_told(f"{room.address}/t/nothing", "cannot reach the room")
    is_told("nonsense", "not a link")


# --- company --------------------------------------------------------------------------------------------------------


def note_of(screen, seat):
    return next(one for one in screen.view.scene.seats if one.seat == seat).note


async def test_clocks_tick_until_the_move_is_made(sit):
    async with sit(clock=60) as (ada, table, pilot, screen):
        await until(pilot, lambda: yours(screen))
        seen = set()

        def ticked():
            seen.add(screen.view.scene.prompt.text.rpartition(" · ")[2])
            return len(seen) >= 2

        await until(pilot, ticked)
        assert seen <= {f"0:{second}" for second in range(50, 60)} | {"1:00"}
        assert note_of(screen, 1).startswith(max(seen - {"1:00"})[:3])
        await play(pilot, screen, 1)
        await until(pilot, lambda: 0 in ada.facts(table)["acts"])
        await until(pilot, lambda: note_of(screen, 0).startswith(("0:", "1:00")))
        assert ":" not in note_of(screen, 1)


TIMES = {
    0: ("0:00", "0 seconds left"),
    0.4: ("0:01", "1 second left"),
    9.5: ("0:10", "10 seconds left"),
    10.5: ("0:11", "0:11"),
    125: ("2:05", "2:05"),
    86400: ("24 h", "24 h"),
}


def test_times_are_written_as_people_say_them():
    assert {seconds: (left(seconds), hurry(seconds)) for seconds in TIMES} == TIMES


def talk_of(screen):
    return [strip.text.strip() for strip in screen.panel.chat.said.lines]


async def test_what_is_said_and_shown_reaches_the_others_and_is_kept(room, sit, monkeypatch):
    """A reaction stands beside the name for some seconds. Whoever comes back is told how much they missed."""
    monkeypatch.setattr(remote_table, "REACTION_SHOWS", 600.0)
    async with sit() as (ada, table, pilot, screen):
        ada.connect(table)
        ada.ask("say", text="good evening [b]all[/b]")
        await until(pilot, lambda: screen.panel.unread == 1)
        await until(pilot, lambda: pilot.app.screen.query("Toast"))
        assert "Chat 1" in str(screen.panel.query_one("#tabs").get_tab("chat").label)
        await pilot.press("c")
        await until(pilot, lambda: screen.panel.unread == 0)
        await pilot.press("h", "i", "question_mark")
        assert screen.panel.query_one("#clauses").option_count == len(screen.visit.clauses)
        await pilot.press("enter")
        assert ada.until("chat")["said"]["text"] == "hi?"
        await pilot.press("escape")
        assert screen.view.has_focus
        ada.ask("say", text="hello 👏")
        await until(pilot, lambda: "hello 👏" in talk_of(screen))
        assert not screen.reactions, "a word beside it is a line"
        ada.ask("say", text="👏")
        await until(pilot, lambda: note_of(screen, 0).startswith("👏"))
        await until(pilot, lambda: "👏" in screen.view.picture.canvas.text().plain)
        await pilot.press("e")
        assert isinstance(pilot.app.screen, Menu)
        await pilot.press("2")
        assert ada.until("chat")["said"]["text"] == "😄"
        await until(pilot, lambda: note_of(screen, 1).startswith("😄"))
        monkeypatch.setattr(remote_table, "REACTION_SHOWS", 0.0)
        await until(pilot, lambda: "👏" not in note_of(screen, 0) and "😄" not in note_of(screen, 1))
        await until(pilot, lambda: not screen.reactions)
        assert screen.panel.unread == 0
        await screen.line.close()
        await until(pilot, lambda: screen.view.note == "You are back; nothing has changed.")
        screen.drawn = msgspec.structs.replace(screen.drawn, seq=-2)
        room.kill()
        await until(pilot, lambda: screen.line.socket is None)
        room.start()
        await until(pilot, lambda: screen.view.note == "You are back; 2 moves were made meanwhile.")
        assert talk_of(screen)[1::2] == ["good evening [b]all[/b]", "hi?", "hello 👏", "👏", "😄"]


async def test_a_move_that_shows_nothing_is_taken_back_and_another_stands(sit):
    async with sit("chip-it") as (_, _, pilot, screen):
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


async def test_who_wishes_for_calm_races_has_them_from_the_terminal(sit):
    wishes = {"chairs": ["you", "person", "person"], "options": {"players": 3, "ask_extreme": False}}
    async with sit("war-xtreme", calm=True, **wishes) as (ada, table, pilot, screen):
        await until(pilot, lambda: screen.facts.calm)
        assert ada.facts(table)["calm"] is True


async def test_who_is_shown_a_window_passes_with_a_key(room, sit):
    room.kill()
    room.pause = 0.05
    room.start()
    options = {"players": 2, "ask_extreme": False, "must_play": "enforced"}

    def pictured():
        return screen.view.picture.canvas.text().plain

    def in_window():
        return screen.drawn.prompt.text == "Does anybody play equipment?" and screen.drawn.choices

    async with sit("war-xtreme", options=options) as (ada, table, pilot, screen):
        ada.post(f"/api/tables/{table}/leave")  # a bot plays for her
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


def wait_shortly():
    audience.GRACE = 3.0


async def test_names_of_guests_and_lines_are_reported_with_a_key_and_what_is_gone_is_not(room, sit):
    """No own name, own line or name of a bot is offered."""
    wishes = {"chairs": ["you", "person", "greedy"], "options": {"players": 3, "first_player": 0}}
    async with sit("chip-it", **wishes) as (ada, table, pilot, screen):

        async def report(number):
            await pilot.press("exclamation_mark")
            menu = await comes(pilot, Menu, lambda menu: menu.query("OptionList"))
            screen.say("")
            await pilot.press(str(number))
            await until(pilot, lambda: screen.view.note)
            return menu.choices, screen.view.note

        ada.connect(table)
        assert (await report(1)) == (["the name Ada"], "Reported. The keeper does not learn who reported it.")
        screen.ask(m.Say(text="good evening"))
        ada.ask("say", text="a rude [b]line[/b] with many words")
        await until(pilot, lambda: len(screen.panel.said) == 2)
        offered, note = await report(2)
        assert offered == ["the name Ada", "Ada: a rude [b]line[/b] with many…"]
        assert note.startswith("Reported.")
        line = room.rows("SELECT id FROM chat WHERE seat = 0")[0][0]
        assert room.rows("SELECT seat, line FROM reports ORDER BY id") == [(0, None), (0, line)]
        with apart(located(room.database)) as connection:
            execute(connection, "DELETE FROM chat")
        assert (await report(2))[1] == "Not reported: there is no such line."


async def test_nothing_is_reported_where_only_bots_play_and_a_small_screen_shows_all_keys(sit):
    async with sit(chairs=["person", "greedy"], options={}, pause=LONG) as (_, _, pilot, screen):
        await pilot.press("exclamation_mark")
        assert screen.view.note.startswith("There is nothing to report")
        await pilot.resize_terminal(80, 24)
        await pilot.press("question_mark")
        dialog = (await comes(pilot, HelpDialog, lambda help: help.query("Static"))).query_one(".dialog")
        await pilot.press("end")
        await until(pilot, lambda: dialog.scroll_y == dialog.virtual_size.height - dialog.size.height > 0)


async def test_finished_games_and_ratings_are_listed_with_a_key(room, sit):
    async with sit(chairs=["person", "greedy"], options={}, pause=LONG) as (_, _, pilot, _):
        ((tess,),) = room.rows("SELECT guest FROM seats WHERE guest IS NOT NULL")
        with apart(located(room.database)) as connection:
            over(connection, "t1", 1e9, [tess, "pip:0-100-0"], [20, 12])
            over(connection, "t2", 2e9, [tess], [-3], game="chimax-match-2", rated=False)
            rate(connection, "chi")
        await pilot.press("y")
        dialog = await comes(pilot, HelpDialog, lambda dialog: dialog.query("Static"))
        days = [time.strftime("%Y-%m-%d", time.localtime(at)) for at in (2e9, 1e9)]
        assert (dialog.heading, dialog.note) == ("Your games", "2 finished games")
        assert [*dialog.rows] == [
            ("Chimax Match-2", "1 game"),
            ("Chi", "1 game, rating 1428 ± 475 after 1"),
            (days[0], "Chimax Match-2: score −3"),
            (days[1], "Chi with Pip: won 20 to 12"),
        ]


async def test_a_bot_plays_for_who_is_away_and_the_own_seat_is_taken_back(room, guests, sit):
    room.kill()
    room.change = wait_shortly
    room.start()
    wishes = {"chairs": ["you", "person", "person"], "options": {"players": 3, "first_player": 0}}
    async with sit("chip-it", **wishes) as (ada, table, pilot, screen):
        cleo = guests("Cleo")
        cleo.post(f"/api/tables/{table}/join")
        ada.connect(table)
        await until(pilot, lambda: screen.drawn.zones)
        ada.stack.close()
        await until(pilot, lambda: note_of(screen, 0) == note_of(screen, 2) == "away (a: bot)")
        await pilot.press("a")
        assert isinstance(pilot.app.screen, Menu)
        await pilot.press("1")
        await until(pilot, lambda: "may still come back; try again in" in screen.view.note)
        await until(pilot, lambda: ada.facts(table)["chairs"][0]["grace"] == 0)
        await pilot.press("a", "1")
        await until(pilot, lambda: note_of(screen, 0) == "away, a bot plays on")
        await until(pilot, lambda: screen.drawn.seq == 1)
        cleo.connect(table)
        await until(pilot, lambda: "away" not in note_of(screen, 2))
        await pilot.press("a")
        await until(pilot, lambda: screen.view.note.startswith("No player is away"))
        screen.visit.leave()
        await until(pilot, lambda: note_of(screen, 1).startswith("a bot plays for you"))
        await pilot.press("a")
        await until(pilot, lambda: not note_of(screen, 1).startswith("a bot"))
        assert not ada.facts(table)["chairs"][1]["stand_in"]


async def test_a_game_that_was_played_on_from_another_has_no_rematch(room, guests):
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "greedy"], options=ME_FIRST | {"stacks_to_end": 4})["id"]
    ada.finish(table)
    again = ada.post(f"/api/tables/{table}/branch", move=3, seat=0)["id"]
    ada.finish(again)
    ada.connect(again)
    assert "cannot have a rematch" in ada.ask("rematch", hash="")["reason"]
    with contextlib.closing(Visit(f"{room.address}/t/{again}")) as visit:
        visit.http.cookies = ada.http.cookies
        visit.come_in()
        async with RemoteApp(visit).run_test(size=(120, 40)) as pilot:
            buttons = (await at_the_end(pilot)).query("Button")
            assert [button.id for button in buttons] == ["look", "that-move", ANALYSIS, "leave"]
            assert visit.finished().over, "it can be looked at again"


async def test_a_seat_that_a_player_has_left_for_good_can_be_taken(room, guests, come):
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    ben.join(table)
    command("free", table, 1, "--database", room.database)
    tess = come(room, table)
    assert (tess.facts.seat, tess.facts.chairs[1].name, tess.facts.free_seats) == (1, "Tess", [])
    async with RemoteApp(tess, pause=0).run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot)
        await until(pilot, lambda: screen.drawn.prompt.mode == "yours")


# --- a line that is silent ------------------------------------------------------------------------------------------


async def test_a_silent_line_is_found_and_what_is_chosen_meanwhile_is_kept_and_done_once(
    room, guests, come, monkeypatch
):
    """Time passes five times as fast for the terminal."""
    for module, limit in ((m, "QUIET"), (m, "ANSWER"), (m, "WAITS"), (connection, "OPENING")):
        monkeypatch.setattr(module, limit, getattr(module, limit) / 5)
    ada = guests("Ada")
    table = ada.open("chi", chairs=["you", "person"], options=ME_FIRST)["id"]
    with SilentWire(room.port) as wire:
        visit = come(room, table)
        visit.address = wire.address
        async with RemoteApp(visit, pause=0).run_test(size=(120, 40)) as pilot:
            screen = await at_table(pilot)
            await until(pilot, lambda: yours(screen))
            await pilot.pause(1.5 * (m.QUIET + m.ANSWER))
            assert wire.connections == 1, "a line without news is not given up"
            wire.hush()
            began = time.monotonic()
            card = next(choice for choice in screen.drawn.choices if choice.kind == "card")
            screen.pick(card)
            await until(pilot, lambda: screen.view.note == "Waiting for the room. Your choice is kept.")
            assert time.monotonic() - began >= m.WAITS
            screen.view.note = ""
            screen.pick(card)
            assert screen.view.note == "Waiting for the room. Your choice is kept."
            await until(pilot, lambda: "connection is lost" in screen.view.note)
            assert "Your choice is kept." in screen.view.note
            await until(pilot, lambda: wire.connections > 1)
            wire.speak()
            await until(pilot, lambda: screen.draft)
            assert screen.draft == (card.id,)
            assert not screen.line.asked


async def test_the_time_of_the_room_counts_and_not_that_of_the_machine(sit, monkeypatch):
    async with sit(clock=600) as (_, _, pilot, screen):
        await until(pilot, lambda: yours(screen))
        now = time.time
        for hours in (1, -1):
            monkeypatch.setattr(time, "time", lambda hours=hours: now() + 3600 * hours)
            screen.redraw()
            assert screen.view.scene.prompt.text.rpartition(" · ")[2].startswith(("9:", "10:00"))
