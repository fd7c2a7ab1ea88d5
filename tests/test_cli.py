"""The commands: their output, their messages and their exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import fairdeal
from fairdeal import cli
from fairdeal.bots.levels import FACES, levels_of, seated
from fairdeal.engine.page import told_clauses
from fairdeal.engine.records import SPECTATOR
from fairdeal.lab.coverage import case_files
from fairdeal.table.analysis.analyse import analysis_file, kept
from fairdeal.table.log import FIRST_LINE, Player, marked
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.screens import opponents
from fairdeal.terminal.screens.new_table import title_of
from fairdeal.terminal.screens.side_panel import log_line
from tests.conftest import rows_of, run_module
from tests.table.sittings import finished


@pytest.fixture
def printed(run):
    """Run a command of `fairdeal` that has to succeed; return its standard output."""

    def running(command, *more):
        code, out, err = run(command, *more)
        assert code == 0, f"fairdeal {command} ends with {code}: {err}"
        return out

    return running


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A finished log of a short game."""
    sitting = finished("chip-it", ["random"], "5", ("Ada", "Ben", "Cid"), players=3)
    path = tmp_path_factory.mktemp("logs") / "game.log"
    sitting.save(path)
    return path


# --- the house --------------------------------------------------------------------------------------------------


def test_help_needs_none_of_the_heavy_libraries():
    heavy = ("numpy", "numba", "textual", "yaml", "pydantic")
    program = f"import sys, fairdeal.cli; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"


def test_without_arguments_the_room_is_opened_in_a_browser(run, monkeypatch):
    from fairdeal.server import serving
    from fairdeal.server.settings import Settings

    opened = []
    monkeypatch.setattr(serving, "run", opened.append)
    assert run()[0] == 0
    (settings,) = opened
    assert replace(settings, database="") == Settings(browser=True)
    assert Path(settings.database).name == "room.db"


def test_lan_opens_the_room_to_the_network_with_and_without_a_command(run, monkeypatch):
    from fairdeal.server import serving

    opened = []
    monkeypatch.setattr(serving, "run", opened.append)
    assert [run("--lan")[0], run("serve", "--lan")[0], run("serve")[0]] == [0, 0, 0]
    assert [(settings.lan, settings.browser) for settings in opened] == [(True, True), (True, False), (False, False)]
    code, _, error = run("--lan", "games")
    assert (code, "fairdeal serve --lan" in error) == (1, True)


def test_the_commands_run_as_a_module():
    """So does the package: see the tests below."""
    assert run_module("fairdeal.cli --version").startswith("fairdeal ")


@pytest.mark.parametrize("command", ["shuffle", "simulate", "simulate chi --games 0", "--nothing"])
def test_wrong_usage_ends_with_2(run, command):
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert "Usage" in err


REFUSED = """
games chii -> did you mean chi
rules chii -> did you mean chi
rules chi CHI-999 -> no clause 'CHI-999'
position chi -o hand_limit=99 -> from 3 to 10
position chi -o hand_limit -> NAME=VALUE
position chi --preset nothing -> standard
position chi --viewer 7 -> and -1 for a spectator, not 7
position chi --file /no/such/file -> /no/such/file: No such file
simulate chi --bots clever -> random, greedy
simulate chi --bots nowhere:Bot -> cannot import 'nowhere'
ladder chi --bots otto -> needs at least 2 different bots, not 1
ladder chi --bots otto,pip --write -> --calibrate and --write need the game’s own opponents
ladder chip-it --players 4 --calibrate -> one or two players, not 4
simulate chi --bots greedy,greedy,greedy -> 2 seats, not 3
perft chi --depth 0 --divide -> at least 1
check /no/such/file -> No such file
replay /no/such/file -> No such file
verify src/fairdeal/games/chi/learned.npz -> not a text file
verify pyproject.toml --kept src -> src: Is a directory
check README.md -> README.md: 
position chi --file README.md -> README.md: not a JSON object
games xyzzy -> there are chaos-ninjas, chi
play chi -o mixed -> an option must have the form NAME=VALUE, not 'mixed'
study chi --sweep mixed -> a sweep must have the form NAME=A,B,C, not 'mixed'
study chi --json /dev/null -> /dev/null cannot be written: it is not an ordinary file
study chi --out README.md/chi.html -> README.md/chi.html cannot be written
simulate chi --moves README.md/moves.parquet -> README.md/moves.parquet cannot be written
simulate chi --parquet /dev/null -> /dev/null cannot be written
analyse README.md --html /dev/null -> /dev/null cannot be written
serve --base cards -> --base cards: give a full address without a path, such as https://cards.example.org
serve --host nowhere.invalid -> try another --host
join http://127.0.0.1:1/t/abc --bot vix -> cannot reach the room at http://127.0.0.1:1: Connection
play chi --bots juno -> this needs a terminal
play -> this needs a terminal
learn chi -> this needs a terminal
play --bots vix -> fairdeal: --bots has no effect without a game
play chi --resume saved.log -> fairdeal: GAME has no effect with --resume
play --resume saved.log --seed 7 -> fairdeal: --seed has no effect with --resume
join http://127.0.0.1:1/t/abc --time-limit 3 -> fairdeal: --time-limit has no effect without --bot
join http://127.0.0.1:1/t/abc --bot vix --calm-races -> fairdeal: --calm-races has no effect with --bot
rules chi CHI-10 --specification -> fairdeal: CLAUSE has no effect with --specification
simulate chi --positions -> fairdeal: --positions has no effect without --moves
simulate chi --lists -> fairdeal: --lists has no effect without --moves
simulate chi --cluster here:1 --jobs 2 -> fairdeal: --jobs has no effect with --cluster
study chi --cluster here:1 --jobs 2 -> fairdeal: --jobs has no effect with --cluster
ladder chi --cluster here:1 --jobs 2 -> fairdeal: --jobs has no effect with --cluster
ladder chi --minutes 1 -> fairdeal: --minutes has no effect without --calibrate
"""
"""Commands that are refused, each with words of the message."""


@pytest.mark.parametrize(("command", "words"), rows_of(REFUSED))
def test_bad_input_ends_with_1_and_one_line_on_standard_error(run, command, words):
    code, out, err = run(command)
    assert (code, out) == (1, "")
    assert words in err
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1


DEEP = 100_000

NESTED = {
    "position chi --file deep.json": "[" * DEEP,
    "perft chi --depth 1 --position deep.json": '{"hands":' + "[" * DEEP,
    "verify game.log --kept deep.json": '{"promise":"","unknown":' + "[" * DEEP + "]" * DEEP + "}",
    "verify game.log --kept newer.jsonl": '{"entry":"record","version":99,"address":"","table":""}\n',
    "verify game.log --kept bad.json": '{"promise":"","nonce":"12"}',
    "check deep.yaml": "[" * DEEP,
    "check dashes.yaml": "- " * DEEP,
    "study deep.toml": "games = " + "[" * DEEP,
    "study tables.toml": "games = " + "{a = " * DEEP,
    "simulate war-xtreme --catalogue deep.toml": "suit = " + "[" * DEEP,
    "replay deep.log": "options " + '{"players":' + "[" * DEEP,
}
"""Commands with a file of somebody who wants to exhaust them, and the content of the file."""


@pytest.mark.parametrize("command", NESTED)
def test_a_file_that_is_nested_very_deeply_is_refused_in_one_line(run, log, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.log").write_text(log.read_text())
    name, text = command.split()[-1], NESTED[command]
    if name.endswith(".log"):
        text = "\n".join(marked(FIRST_LINE, [text])) + "\n"
    (tmp_path / name).write_text(text)
    code, out, err = run(command)
    assert (code, out) == (1, "")
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1
    assert name.endswith((".log", ".jsonl")) or name in err


def test_a_file_of_this_program_that_is_nested_very_deeply_is_ignored(tmp_path):
    analysis_file(tmp_path / "game.log").write_text("[" * DEEP)
    assert kept(tmp_path / "game.log", "", None) is None
    (tmp_path / "opponents.json").write_text("[" * DEEP)
    assert opponents.Opponents(tmp_path / "opponents.json").chosen == {}


def test_help_fits_80_columns_and_names_no_python_types(printed, monkeypatch):
    """All commands show their arguments in capitals, without Python types."""
    monkeypatch.setenv("COLUMNS", "80")
    assert "Without a command, it opens the room" in " ".join(printed("-h").split())
    of_rooms = [f"room {one.name or one.callback.__name__}" for one in cli.room.app.registered_commands]
    for command in (*cli.ORDER, "room", *of_rooms):
        out = printed(f"{command} --help")
        assert "default: (" not in out
        assert max(map(len, out.splitlines())) <= 80
        assert re.search(r"<(?!=)|\[\[|\{[a-z]|range", out) is None, f"{command}: {out}"
        assert out == printed(f"{command} -h")


def test_characters_that_the_terminal_lacks_are_replaced():
    ended = subprocess.run(
        [sys.executable, "-m", "fairdeal", "games", "chi"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "??????" in ended.stdout


LONG_OUTPUT = "rules chi --specification"
"""A command that prints more than the size of Python's buffers."""

PRINTING = pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        ("games", ""),  # what fails here is written when the program ends,
        (LONG_OUTPUT, ""),
        ("games", "1"),  # and here by the command
        ("games --json", "1"),
        ("--help", "1"),
        ("--version", "1"),
    ],
)


def ended_with(output, words, unbuffered):
    """Return the exit status and standard error of a command that writes to a file."""
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONDEVMODE": "1"}  # "" is as if it were not set
    command = [sys.executable, "-m", "fairdeal", *words.split()]
    ended = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, env=environment)
    return ended.returncode, ended.stderr


@PRINTING
def test_a_full_disk_is_reported_in_one_line(words, unbuffered):
    with open("/dev/full", "w") as full:
        assert ended_with(full, words, unbuffered) == (1, "fairdeal: No space left on device\n")


@PRINTING
def test_a_command_with_a_closed_pipe_says_nothing(words, unbuffered):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        assert ended_with(pipe, words, unbuffered) == (1, "")


def test_a_rate_is_printed_with_three_digits_at_most():
    assert [cli.simulate.rate(number) for number in (66, 4_312, 1_204_000)] == ["66", "4,300", "1.20 million"]


def test_an_interrupt_ends_quietly(run, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    assert run("games") == (130, "", "")


# --- looking ----------------------------------------------------------------------------------------------------


def test_games_has_a_line_for_each_game_and_its_goal_in_80_columns(printed):
    lines = printed("games").splitlines()
    heads, goals = lines[::2], lines[1::2]
    assert [line.split()[0] for line in heads] == fairdeal.game_names()
    assert all(fairdeal.find_game(line.split()[0]).title in line for line in heads)
    assert [goal.strip() for goal in goals] == [fairdeal.find_game(name).goal for name in fairdeal.game_names()]
    assert max(map(len, lines)) <= 80
    assert [fact["name"] for fact in json.loads(printed("games --json"))] == fairdeal.game_names()


def test_the_options_of_a_game_fit_80_columns_with_their_names_whole(printed, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    out = printed(f"games {name}")
    options = json.loads(printed(f"games {name} --json"))[0]["options"]
    (schema,) = options["$defs"].values()
    assert fairdeal.find_game(name).title in out
    _, *table = out[out.index(" option ") :].splitlines()
    assert [line.split()[0] for line in table if line[1] != " "] == list(schema["properties"])
    assert max(map(len, table)) <= 80


def test_rules_prints_the_rules_in_short_then_every_clause(printed):
    out = printed("rules chi")
    assert out.index("GOAL") < out.index("A TURN") < out.index("OFTEN ASKED") < out.index("EVERY RULE, BY NUMBER")
    assert " 3■" not in out[: out.index("A TURN")]
    assert re.search(r" 3▲ +3▲ +one safe stack", out)
    assert "[R]" not in out
    assert "yang_layout" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert printed("rules chi --specification").startswith("#")


def test_rules_prints_every_clause_of_a_game(printed, name):
    told = printed(f"rules {name}")
    assert [one.id for one in told_clauses(fairdeal.find_game(name)) if f"{one.id} " not in told] == []


def test_rules_prints_one_clause(printed):
    assert printed("rules chi chi-10").startswith("CHI-10 in print\nPlayers alternate.")


@pytest.mark.parametrize(
    ("wished", "reason"),
    [
        ("Sky Jump", "is not a valid game name"),
        ("chip-it", "a game called chip-it already exists"),
        ("mine", "was not overwritten"),
    ],
)
def test_nothing_is_begun_under_a_name_that_cannot_be(run, wished, reason, tmp_path):
    (tmp_path / "mine").mkdir()
    code, _, err = run("new", wished, "--folder", tmp_path)
    assert code == 1
    assert reason in err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]


# --- logs -------------------------------------------------------------------------------------------------------


def test_a_log_is_printed_move_by_move_and_a_replay_stops_at_the_given_move(printed, log):
    out = printed(f"replay {log}")
    assert all(f"{one}: place " in out for one in ("Ada", "Ben", "Cid"))
    for upto, over in (("", True), ("--upto 4", False)):
        told = json.loads(printed(f"replay {log} {upto} --json"))
        assert len(printed(f"replay {log} {upto}").splitlines()) == len(told["moves"]) + 3 * over
        assert told["over"] is over
    assert len(told["moves"]) == 4


def test_a_move_without_narration_has_no_line(printed, tmp_path):
    """A pass in a window of WAR X-TREME leaves no bare number in the replay or in the panel beside the table."""
    sitting = finished("war-xtreme", ["greedy"], "5", ("Ada", "Ben", "Cid"), players=3)
    sitting.save(tmp_path / "war.log")
    silent = [n for n in range(1, sitting.moves_made + 1) if not any(e.text for e in sitting.lines(n, SPECTATOR))]
    assert silent
    lines = printed(f"replay {tmp_path / 'war.log'}").splitlines()
    assert len(lines) == sitting.moves_made - len(silent) + 3
    assert [line for line in lines if not line.lstrip(" 0123456789")] == []
    assert not log_line(silent[0], [], [], sitting.names)
    assert log_line(14, ["Ada flips."], ["WAR-18"], ["Ada"]).plain == " 14 Ada flips. WAR-18"


def test_a_true_log_verifies(run, printed, log):
    code, out, err = run(f"verify {log}")
    assert (code, err) == (0, "")
    assert out.endswith("verified\n")
    assert json.loads(printed(f"verify {log} --json"))["verified"] is True


def test_the_line_of_an_altered_log_is_named(run, log, tmp_path):
    lines = log.read_text().splitlines()
    lines[2] = lines[2].replace("1", "2", 1)
    altered = tmp_path / "altered.log"
    altered.write_text("\n".join(lines) + "\n")
    code, out, err = run(f"verify {altered}")
    assert (code, out) == (1, "")
    assert err.startswith("fairdeal: line 3: ")
    code, out, _ = run(f"verify {altered} --json")
    assert code == 1
    assert json.loads(out) == json.loads(out) | {"verified": False, "line": 3}


# --- playing ----------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """The tables and lessons that the terminal program is given, instead of a terminal."""
    from fairdeal.terminal.app import FairdealApp

    tables = []
    monkeypatch.setattr(FairdealApp, "run", lambda app: tables.append(app.opened))
    monkeypatch.setattr("fairdeal.terminal.app.require_terminal", lambda: None)
    return tables


def test_play_opens_the_table_that_is_asked_for(monkeypatch, opened):
    arguments = ["play", "chip-it", "--players", "5", "--bots", "random,bram,bram,greedy", "--name", "Zoe"]
    monkeypatch.setattr(sys, "argv", ["fairdeal", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    ((sitting, _, _),) = opened
    assert [(player.name, player.plays) for player in sitting.log.players] == [
        ("Zoe", "person"),
        ("Bo", "random"),
        ("Bram", seated("bram", fairdeal.find_game("chip-it"))),
        ("Cleo", seated("bram", fairdeal.find_game("chip-it"))),
        ("Dai", "greedy"),
    ]


def test_one_bot_for_all_seats_brings_others_of_about_its_strength(run, opened):
    for bots in ("--bots juno", ""):
        assert run(f"play war-xtreme --players 6 {bots}")[0] == 0
        seats = opened[-1][0].log.players[1:]
        assert [player.name for player in seats] == ["Juno", "Bram", "Pip", "Bo", "Cleo"]
        kinds = [player.plays.partition(":")[0] for player in seats]
        assert kinds == ["juno", "bram", "pip", "juno", "juno"], "the log says how each of them plays"


def test_the_opponent_of_the_last_game_comes_again(run, opened, tmp_path, monkeypatch):
    """Juno comes the first time, and then the opponent that was chosen last in that game."""
    monkeypatch.setattr(opponents, "user_file", tmp_path.joinpath)
    met = []
    for game in ("chi", "chi", "chip-it"):
        assert run(f"play {game}")[0] == 0
        (sitting, _, plan) = opened[-1]
        met.append(sitting.names[1])
        opponents.Opponents(opponents.opponents_file()).choose(plan.game, "otto")
    assert met == ["Juno", "Otto", "Juno"]


def test_a_broken_or_outdated_file_of_opponents_is_ignored(tmp_path):
    kept, chi = tmp_path / "opponents.json", fairdeal.find_game("chi")
    for text in ("[1", '{"chi": "nobody"}', '{"chi": 3}'):
        kept.write_text(text)
        assert opponents.Opponents(kept).last(chi) == "juno"


def test_play_without_a_game_opens_the_menu(run, opened):
    assert run("play")[0] == 0
    assert opened == [None]


def test_learn_opens_the_lesson_of_a_game(run, opened):
    assert run("learn chip-it")[0] == 0
    (script,) = opened
    assert (script.game, script.title) == ("chip-it", "Your first game")
    assert run("learn chip-it values")[0] == 0
    assert opened[-1].title == "What a card can count as"
    code, _, problem = run("learn chip-it tenth")
    assert (code, problem) == (1, "fairdeal: Chip It has no lesson 'tenth'; it has first, values, points\n")


def test_play_goes_on_with_a_saved_game(run, opened, tmp_path):
    sitting = Sitting.open(fairdeal.load("chi"), [Player("Ada"), Player("Bo", "greedy")], seed="5")
    sitting.save(tmp_path / "saved.log")
    assert run(f"play --resume {tmp_path / 'saved.log'}")[0] == 0
    ((resumed, path, _),) = opened
    assert resumed.log.text() == sitting.log.text()
    assert path == tmp_path / "saved.log"


@pytest.mark.parametrize(
    ("stem", "told"),
    [
        ("chi 2026-11-03 19.05.50", "Chi, 3 Nov 19:05"),
        ("chip-it 2026-01-30 08.00.09 2", "Chip It, 30 Jan 08:00"),
        ("chess 2026-11-03 19.05.50", "chess 2026-11-03 19.05.50"),
        ("against Juno", "against Juno"),
    ],
)
def test_a_saved_game_is_called_by_its_game_and_its_time(stem, told):
    assert title_of(Path(f"{stem}.log")) == told


REFUSED_AT_A_TERMINAL = """
play chii -> did you mean chi
play chi --players 3 -> players=3: it takes 2
play chi --people 3 -> 3 people do not fit at a table of 2
play chi --name A --name B -> 2 names for 1
play chi --bots clever -> there is no bot
play chip-it --players 4 --bots greedy,greedy -> 3 seats are left for bots, but 2
play --resume /no/such/file -> No such file
"""


@pytest.mark.parametrize(("command", "words"), rows_of(REFUSED_AT_A_TERMINAL))
def test_play_says_what_is_wrong_before_anything_is_drawn(run, opened, command, words):
    code, out, err = run(command)
    assert (code, out) == (1, "")
    assert words in err
    assert opened == []


# --- the laboratory ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "bots"), [(600, "greedy,random"), (6, "vix:100-0-8,juno")])
def test_simulate_prints_the_same_json_for_any_number_of_jobs(printed, games, bots):
    """Also for bots that search or blunder."""
    command = f"simulate chi --games {games} --bots {bots} --json --jobs"
    one, two = (json.loads(printed(command, jobs)) for jobs in (1, 2))
    times = {name: two[name] for name in ("seconds", "moves_per_second")}
    assert one | times == two
    assert [(bot["name"], bot["games"]) for bot in one["by_bot"]] == [(bot, games) for bot in bots.split(",")]


def test_ladder_rates_the_opponents_of_a_game(printed):
    out = printed("ladder chi --bots random,juno,otto --games 400 --json")
    rungs = json.loads(out)["rungs"]
    assert [rung["name"] for rung in rungs] == ["random", "juno", "otto"]
    assert [rung["games"] for rung in rungs] == [800, 800, 800]
    assert rungs[0]["rating"] < rungs[1]["rating"] < rungs[2]["rating"] == 1400
    assert rungs[0]["wins"] is None
    assert rungs[1]["wins"]["value"] > 0.8
    out = printed("ladder chi --bots random,otto --games 20")
    assert "wins against the previous one" in " ".join(out.split())


def test_games_describes_the_opponents_of_a_game(printed):
    out = printed("games chi")
    for face in levels_of(fairdeal.find_game("chi")):
        assert FACES[face].name in out
    assert "the greedy rule" in out
    facts = json.loads(printed("games chi --json"))
    assert [one["id"] for one in facts[0]["levels"]] == [*levels_of(fairdeal.find_game("chi"))]


def test_simulate_prints_tables_for_people(printed):
    out = printed("simulate chip-it --games 20 --bots random --players 3")
    assert "seat 2" in out
    assert "20 games in" in out


@pytest.mark.parametrize("compiled", [[], ["--compiled"]])
def test_check_runs_case_files(printed, name_of_a_kind, compiled):
    files = case_files(fairdeal.find_game(name_of_a_kind))
    out = printed("check", *files, *compiled)
    assert out.endswith("passed, 0 failed\n")


def test_check_names_the_case_that_fails(run, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("game: chi\ncases: [{id: mine, clauses: [], deal: 1, steps: [{over: false}, {over: true}]}]")
    code, out, _ = run(f"check {path}")
    assert code == 1
    assert "wrong.yaml: mine: step 2: over is False, not True" in out
    (outcome,) = json.loads(run(f"check {path} --json")[1])
    assert outcome["passed"] is False


SEED_OF = {"war-xtreme": 5}
"""Seeds of games in which the fourth deal is over after five random moves."""


def test_a_position_reads_back_as_it_was_printed(run, printed, name, tmp_path):
    path = tmp_path / "position.json"
    position = printed(f"position {name} --seed {SEED_OF.get(name, 4)} --after 5")
    path.write_text(position)
    code, again, summary = run(f"position {name} --file {path}")
    assert (code, again) == (0, position)
    assert "to act, " in summary


def test_a_position_of_the_wrong_game_or_shape_is_refused(run, printed, tmp_path):
    path = tmp_path / "position.json"
    path.write_text(printed("position chi"))
    assert run(f"position chip-it --file {path}")[0] == 1
    path.write_text("[1]")
    assert "not a JSON object" in run(f"position chi --file {path}")[2]


def test_a_seat_is_not_shown_the_other_hand(printed):
    whole = json.loads(printed("position chi --seed 3"))
    seen = json.loads(printed("position chi --seed 3 --viewer 0"))
    assert seen["hands"][0] == whole["hands"][0]
    assert set(seen["hands"][1]) == {"?"}


def test_observations_tells_the_planes_of_a_table(run, printed):
    told = printed("observations chip-it --players 3")
    assert "at a table for 3 players" in told
    assert re.search(r"\| hands\.cards \| \d+ \| 3 × 31 \| By seat, yours first; number of unknown cards", told)
    assert run("observations chip-it --players 9")[0] == 1


def test_perft_counts_and_divides(printed):
    counted = json.loads(printed("perft chi --seed 3 --depth 2 --json"))
    divided = json.loads(printed("perft chi --seed 3 --depth 2 --divide --json"))
    assert counted["count"] == divided["count"] == sum(divided["divide"].values())
    assert printed("perft chi --seed 3 --depth 2") == f"{counted['count']}\n"


# --- analyse ----------------------------------------------------------------------------------------------------


def test_analyse_tells_a_finished_game_and_keeps_it_beside_the_log(run, printed, log, tmp_path, monkeypatch):
    copy, page = tmp_path / "game.log", tmp_path / "page.html"
    copy.write_text(log.read_text())
    code, out, err = run(f"analyse {copy} --playouts 3 --jobs 1")
    assert (code, err.strip()) == (0, "")
    for words in ("CHIP IT", "TURNING POINTS", "COSTLIEST DECISIONS", "CARDS AND PLAY", "Ada", "Ben", "Cid"):
        assert words in out
    kept = json.loads((tmp_path / "game.analysis.json").read_text())
    assert kept["seats"] == ["Ada", "Ben", "Cid"]

    from fairdeal.table.analysis import analyse

    def refuse(*wishes):
        raise AssertionError("what is kept fits, and need not be made again")

    monkeypatch.setattr(analyse, "analyse", refuse)
    assert json.loads(printed(f"analyse {copy} --json")) == kept
    assert run(f"analyse {copy} --html {page}")[:2] == (0, "")
    assert page.read_text().startswith("<!doctype html>")
    with pytest.raises(AssertionError, match="made again"):
        run(f"analyse {copy} --playouts 4")


def test_a_simulation_writes_its_decisions_and_its_games(printed, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    moves, games = tmp_path / "moves.parquet", tmp_path / "games.parquet"
    out = printed(f"simulate chi --games 3 --json --moves {moves} --parquet {games}")
    told = json.loads(out)
    lengths = parquet.read_table(games)["moves"].to_pylist()
    assert len(lengths) == 3
    assert max(lengths) == told["moves"]["longest"]
    assert set(parquet.read_table(moves)["game"].to_pylist()) == {0, 1, 2}


def test_a_missing_cluster_is_reported_in_one_line(run, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("fairdeal.lab.simulate.executors.SECONDS_TO_CONNECT", 0.2)
    code, out, told = run("simulate chi --games 3 --cluster tcp://127.0.0.1:9")
    assert (code, out) == (1, "")
    assert told.startswith("fairdeal: cannot connect to a cluster at tcp://127.0.0.1:9")
    assert len(told.strip().splitlines()) == 1
