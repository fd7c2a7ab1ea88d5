"""Text of others, in everything that commands print and screens draw: it is shown, and it commands nothing."""

import json
import unicodedata

import msgspec
import pytest
from textual.widgets import TabbedContent

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.inspection import Inspection
from fairdeal.protocol.messages import Said
from fairdeal.table.analysis.analyse import analyse, keep
from fairdeal.table.log import Move, Player, read_log
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.console import PlainConsole
from fairdeal.terminal.online import bot as bot_visit
from fairdeal.terminal.online.chat import chat_line
from fairdeal.terminal.plain import plain
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.dialogs import CardDialog, GameOver, HandOver, LeaveDialog, Menu
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.bots.test_own import First
from tests.table.sittings import finished
from tests.terminal.driving import comes, until

HOSTILE = "Zoë\x1b]0;title\x07\x1b[2J\x9b31m\x7f\u202e[/b][@click=app.quit]\x85\n✓ forged"
"""A name with commands to a terminal and to Textual, and with a line of its own."""

DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def commands_in(text):
    """Return the characters of a line that a terminal would carry out."""
    return {
        c for c in text if unicodedata.category(c) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(c) in DIRECTIONS
    }


def check_plain(text, shown="Zoë"):
    """Check that the text of others is shown, but commands nothing."""
    assert shown in text
    assert not commands_in(text.replace("\n", ""))


class Loud(First):
    def choose(self, view, player, turn):
        raise RuntimeError(HOSTILE)


def named_game(name="chi", names=(HOSTILE, "Bo"), **options):
    return finished(name, ("random", "greedy"), "hostile", names, **options)


def altered(text):
    """Return a log whose last entry is text of somebody, with a mark that fits."""
    log = read_log(text)
    log.entries[-1] = log.moves[-1] = Move(log.entries[-1].seat, HOSTILE.replace("\n", "").replace("\x85", ""))
    log.running = None
    return log.text()


CASES = {
    "game": "chi",
    "cases": [{"id": HOSTILE, "clauses": [], "deal": HOSTILE, "steps": [{"expect": {HOSTILE: HOSTILE}}]}],
}
RECIPE = f'game = "chi"\nbots = [{json.dumps(HOSTILE, ensure_ascii=True)}]\n'.replace("\\u001b", "\\u001B")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with files of others, by what is in them."""
    folder = tmp_path_factory.mktemp("files")
    sitting = named_game()
    sitting.save(folder / "game.log")
    text = (folder / "game.log").read_text()
    (folder / "altered.log").write_text(altered(text))
    found = analyse(sitting, 20, jobs=1)
    keep(folder / "game.log", found)
    record = {"entry": "record", "version": 1, "address": HOSTILE, "table": ""}, {"entry": "missed", "reason": HOSTILE}
    (folder / "kept.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in record), "utf-8")
    (folder / "bad.json").write_bytes(msgspec.json.encode({"promise": HOSTILE, "chains": {HOSTILE: HOSTILE}}))
    (folder / "position.json").write_bytes(msgspec.json.encode({"hands": [[HOSTILE], []], "row": ["chi"] * 6}))
    (folder / "cases.yaml").write_text(json.dumps(CASES), encoding="utf-8")
    (folder / "recipe.toml").write_text(RECIPE)
    return folder


COMMANDS = {
    "replay game.log": 0,
    "replay game.log --json": 0,
    "replay altered.log": 1,
    "verify altered.log": 1,
    "verify altered.log --json": 1,
    "verify game.log --kept kept.jsonl": 0,
    "verify \x1b]0;Zoë\x07\x9b.nothing": 1,
    "analyse game.log --playouts 20": 0,
    "analyse game.log --playouts 20 --json": 0,
    "analyse altered.log": 1,
    "check cases.yaml": 1,
    "check cases.yaml --json": 1,
    "position chi --file position.json": 1,
    "perft chi --depth 1 --position position.json": 1,
    "study recipe.toml --games 2": 1,
    "simulate chi --games 1 --bots tests.terminal.test_plain:Loud,greedy": 0,
    "simulate chi --games 1 --bots tests.terminal.test_plain:Loud,greedy --json": 0,
    "simulate chi --bots \x1bZoë\x9b": 1,
    "join http://\x1bZoë\x9b/t/abc --bot vix": 1,
    "games Zoë\x1b[2J": 1,
}
"""Commands that read text of others, each with its exit code."""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_text_that_controls_the_terminal(run, files, monkeypatch, command):
    monkeypatch.chdir(files)
    code, out, err = run(command)
    assert code == COMMANDS[command], err
    check_plain(out + err)
    if not command.startswith("analyse"):  # its tables break long names
        assert not any(line.startswith("✓ forged") for line in out.splitlines() + err.splitlines())


def test_json_keeps_what_it_does_not_print(run, files, monkeypatch):
    monkeypatch.chdir(files)
    _, out, _ = run("replay game.log --json")
    name = " ".join(HOSTILE.split())
    assert any(name in line for move in json.loads(out)["moves"] for line in move["told"])


def test_a_line_of_others_stays_one_line():
    assert named_game().names == (" ".join(HOSTILE.split()), "Bo")
    assert plain("a\nb\x85c\u2028d\te") == "a b c d e"
    assert plain("👩\u200d💻 می\u200cخواهم") == "👩\u200d💻 می\u200cخواهم"


def test_a_console_prints_its_own_colours_and_not_those_of_others():
    console = PlainConsole()
    with console.capture() as printed:
        console.print(f"{HOSTILE}[bold]x[/bold]", style="red")
    check_plain(printed.get().replace("\n", " "))
    assert "[bold]x[/bold]" in printed.get()


# --- screens ----------------------------------------------------------------------------------------------------


def drawn(app):
    """Return the text of the whole screen."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


SCREENS = {
    "hand over": lambda: HandOver(HOSTILE),
    "leave": lambda: LeaveDialog(HOSTILE),
    "menu": lambda: Menu(HOSTILE, [HOSTILE]),
}


@pytest.mark.parametrize("dialog", SCREENS)
async def test_no_dialog_draws_text_that_controls_the_terminal(dialog):
    async with FairdealApp(pause=0).run_test(size=(100, 30)) as pilot:
        await comes(pilot, StartScreen)
        pilot.app.push_screen(SCREENS[dialog]())
        await until(pilot, lambda: "Zoë" in drawn(pilot.app))
        check_plain(drawn(pilot.app))


async def test_a_card_of_others_commands_nothing(tmp_path):
    told = Inspection(name=HOSTILE, where=HOSTILE, text=HOSTILE, now=HOSTILE, seen=HOSTILE, clause=HOSTILE)
    path = tmp_path / "game.log"
    named_game().save(path)
    async with FairdealApp((Sitting.resume(path), path, None), pause=0).run_test(size=(100, 50)) as pilot:
        over = await comes(pilot, GameOver)
        pilot.app.push_screen(CardDialog(told, over.app.screen_stack[1].catalogue))
        await until(pilot, lambda: "Where" in drawn(pilot.app))
        check_plain(drawn(pilot.app))


@pytest.mark.parametrize("name_of_game", ["chi", "chip-it"])
async def test_no_screen_of_a_saved_game_draws_text_that_controls_the_terminal(tmp_path, name_of_game):
    sitting = named_game(name_of_game, players=2)
    path = tmp_path / "game.log"
    sitting.save(path)
    keep(path, analyse(sitting, 20, jobs=1))
    async with FairdealApp((Sitting.resume(path), path, None), pause=0).run_test(size=(130, 40)) as pilot:
        await comes(pilot, GameOver)
        check_plain(drawn(pilot.app))
        await pilot.press("a")
        await comes(pilot, AnalysisScreen, lambda screen: screen.found)
        await until(pilot, lambda: "Zoë" in drawn(pilot.app))
        check_plain(drawn(pilot.app))
        await pilot.press("escape")
        table = await comes(pilot, TableScreen)
        table.notify(HOSTILE, title=HOSTILE, markup=False)
        for tab in ("log", "how", "rules", "score", "fair"):
            table.side.query_one(TabbedContent).active = tab
            await pilot.pause()
            check_plain(drawn(pilot.app))


async def test_saved_games_in_the_menu_command_nothing(logs, monkeypatch):
    logs.mkdir()
    path = logs / "Zoë\x1b]0;t\x07[b]\x9b.log"
    sitting = Sitting.open(named_game().table, [Player("Ada"), Player("Bo", "greedy")], "saved")
    sitting.save(path)
    async with FairdealApp(pause=0).run_test(size=(100, 40)) as pilot:
        await comes(pilot, StartScreen)
        await until(pilot, lambda: "Zoë" in drawn(pilot.app))
        check_plain(drawn(pilot.app))


def test_an_error_of_a_room_is_one_plain_line(run, monkeypatch):
    def refused(*wishes):
        raise FairdealError(HOSTILE)

    monkeypatch.setattr(bot_visit, "run", refused)
    code, out, err = run("join http://127.0.0.1:1/t/abc --bot vix")
    assert (code, out) == (1, "")
    check_plain(err)
    assert err.count("\n") == 1


@pytest.mark.parametrize("seat", [0, -1])
def test_nothing_follows_the_name_in_a_line_of_chat(seat):
    first, second = chat_line(Said(seat, "محمد", "مرحبا", 0.0)).plain.split("\n")
    assert first.endswith(" محمد")
    assert (":" in first, "watching" in first, second) == (True, seat < 0, "مرحبا")
