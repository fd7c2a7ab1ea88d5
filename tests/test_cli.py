"""The commands: what they print, where they print it, and how they end."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fairdeal
from fairdeal import cli
from fairdeal.bots.levels import FACES, levels_of, seated
from fairdeal.engine.records import SPECTATOR
from fairdeal.lab.coverage import case_files
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.screens import opponents
from fairdeal.terminal.screens.new_table import title_of
from fairdeal.terminal.screens.side_panel import told


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `fairdeal` with arguments; gives exit code, standard output and standard error."""

    def running(*arguments):
        monkeypatch.setattr(sys, "argv", ["fairdeal", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return running


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A finished log of a short game."""
    table = fairdeal.load("chip-it", players=3)
    sitting = Sitting.open(table, [Player(one, "random") for one in ("Ada", "Ben", "Cid")], seed="5")
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
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

    opened = []
    monkeypatch.setattr(serving, "run", lambda *wishes: opened.append(wishes))
    assert run()[0] == 0
    ((host, port, database, base, browser, *_),) = opened
    assert (host, port, base, browser) == ("127.0.0.1", 8017, "", True)
    assert database.startswith("sqlite:///")


def test_the_version_is_printed(run):
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith("fairdeal ")


@pytest.mark.parametrize("module", ["fairdeal", "fairdeal.cli"])
def test_the_package_runs_as_a_module(module):
    ended = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("fairdeal ")


@pytest.mark.parametrize("arguments", [["shuffle"], ["simulate"], ["simulate", "chi", "--games", "0"], ["--nothing"]])
def test_wrong_usage_ends_with_2(run, arguments):
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert "Usage" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["games", "chii"], "did you mean chi"),
        (["rules", "chii"], "did you mean chi"),
        (["rules", "chi", "CHI-999"], "no clause 'CHI-999'"),
        (["position", "chi", "-o", "hand_limit=99"], "from 3 to 10"),
        (["position", "chi", "-o", "hand_limit"], "NAME=VALUE"),
        (["position", "chi", "--preset", "nothing"], "standard"),
        (["position", "chi", "--viewer", "7"], "and -1 for a spectator, not 7"),
        (["position", "chi", "--file", "/no/such/file"], "/no/such/file: No such file"),
        (["simulate", "chi", "--bots", "clever"], "random, greedy"),
        (["simulate", "chi", "--bots", "nowhere:Bot"], "cannot import 'nowhere'"),
        (["ladder", "chi", "--bots", "otto"], "needs at least 2 different bots, not 1"),
        (["ladder", "chi", "--bots", "otto,pip", "--write"], "--calibrate and --write need the game’s own opponents"),
        (["ladder", "chip-it", "--players", "4", "--calibrate"], "one or two players, not 4"),
        (["simulate", "chi", "--bots", "greedy,greedy,greedy"], "2 seats, not 3"),
        (["perft", "chi", "--depth", "0", "--divide"], "at least 1"),
        (["check", "/no/such/file"], "No such file"),
        (["replay", "/no/such/file"], "No such file"),
        (["verify", sys.executable], "not a text file"),
        (["verify", "pyproject.toml", "--kept", "src"], "src: Is a directory"),
        (["check", "README.md"], "README.md: while scanning"),
        (["position", "chi", "--file", "README.md"], "README.md: not a JSON object"),
        (["games", "xyzzy"], "there are chaos-ninjas, chi"),
        (["play", "chi", "-o", "mixed"], "write an option as NAME=VALUE, not 'mixed'"),
        (["study", "chi", "--sweep", "mixed"], "write a sweep as NAME=A,B,C, not 'mixed'"),
        (["study", "chi", "--json", "/dev/null"], "/dev/null cannot be written: it is not an ordinary file"),
        (["study", "chi", "--out", "README.md/chi.html"], "README.md/chi.html cannot be written"),
        (["simulate", "chi", "--moves", "README.md/moves.parquet"], "README.md/moves.parquet cannot be written"),
        (["simulate", "chi", "--parquet", "/dev/null"], "/dev/null cannot be written"),
        (["analyse", "README.md", "--html", "/dev/null"], "/dev/null cannot be written"),
        (["serve", "--base", "cards"], "--base cards: give a full address, such as https://cards.example.org"),
        (["serve", "--host", "nowhere.invalid"], "try another --host"),
        (
            ["join", "http://127.0.0.1:1/t/abc", "--bot", "vix"],
            "cannot reach the room at http://127.0.0.1:1: Connection",
        ),
        (["play", "chi", "--bots", "juno"], "this needs a terminal"),
        (["play"], "this needs a terminal"),
        (["learn", "chi"], "this needs a terminal"),
    ],
)
def test_bad_input_ends_with_1_and_one_line_on_standard_error(run, arguments, words):
    code, out, err = run(*arguments)
    assert code == 1
    assert out == ""
    assert words in err
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--bots", "vix"], "--bots has no effect without a game"),
        (["play", "chi", "--resume", "saved.log"], "GAME has no effect with --resume"),
        (["play", "--resume", "saved.log", "--seed", "7"], "--seed has no effect with --resume"),
        (["join", "http://127.0.0.1:1/t/abc", "--time-limit", "3"], "--time-limit has no effect without --bot"),
        (["join", "http://127.0.0.1:1/t/abc", "--bot", "vix", "--calm-races"], "--calm-races has no effect with --bot"),
        (["rules", "chi", "CHI-10", "--specification"], "CLAUSE has no effect with --specification"),
        (["simulate", "chi", "--positions"], "--positions has no effect without --moves"),
        (["simulate", "chi", "--lists"], "--lists has no effect without --moves"),
        (["simulate", "chi", "--cluster", "here:1", "--jobs", "2"], "--jobs has no effect with --cluster"),
        (["study", "chi", "--cluster", "here:1", "--jobs", "2"], "--jobs has no effect with --cluster"),
        (["ladder", "chi", "--cluster", "here:1", "--jobs", "2"], "--jobs has no effect with --cluster"),
        (["ladder", "chi", "--minutes", "1"], "--minutes has no effect without --calibrate"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"fairdeal: {words}")


def test_help_speaks_to_people_in_80_columns(run, monkeypatch):
    """Every command, with what it takes named in capitals and no type of Python."""
    monkeypatch.setenv("COLUMNS", "80")
    assert "Without a command, it opens the room" in " ".join(run("-h")[1].split())
    for command in cli.ORDER:
        code, out, _ = run(command, "--help")
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80
        assert re.search(r"<(?!=)|\[\[|\{[a-z]|range", out) is None, f"{command}: {out}"
        assert out == run(command, "-h")[1]


def test_signs_that_a_terminal_cannot_show_end_no_command():
    ended = subprocess.run(
        [sys.executable, "-m", "fairdeal", "games", "chi"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "??????" in ended.stdout


LONG_OUTPUT = ["rules", "chi", "--specification"]
"""More than Python gathers before it writes."""


def ended_with(output, words, unbuffered):
    """Exit status and standard error of a command that writes there, with Python's buffers and without them."""
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONDEVMODE": "1"}  # "" is as if it were not set
    command = [sys.executable, "-m", "fairdeal", *words]
    ended = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, env=environment)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["games"], ["games", "--json"], ["--help"], ["--version"], LONG_OUTPUT])
def test_a_full_disk_is_told_in_a_line(words, unbuffered):
    with open("/dev/full", "w") as full:
        assert ended_with(full, words, unbuffered) == (1, "fairdeal: No space left on device\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["games"], ["--help"], LONG_OUTPUT])
def test_a_command_whose_reader_has_gone_says_nothing(words, unbuffered):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        assert ended_with(pipe, words, unbuffered) == (1, "")


def test_a_speed_is_said_as_people_say_it():
    assert [cli.simulate.rate(number) for number in (66, 4_312, 1_204_000)] == ["66", "4,300", "1.20 million"]


def test_an_interrupt_ends_quietly(run, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    assert run("games") == (130, "", "")


# --- looking ----------------------------------------------------------------------------------------------------


def test_games_lists_every_game(run):
    code, out, _ = run("games")
    assert code == 0
    assert all(one in out for one in fairdeal.game_names())
    facts = json.loads(run("games", "--json")[1])
    assert [fact["name"] for fact in facts] == fairdeal.game_names()


def test_games_has_a_line_for_each_game_and_its_goal_in_80_columns(run):
    lines = run("games")[1].splitlines()
    heads, goals = lines[::2], lines[1::2]
    assert [line.split()[0] for line in heads] == fairdeal.game_names()
    assert all(fairdeal.find_game(line.split()[0]).title in line for line in heads)
    assert [goal.strip() for goal in goals] == [fairdeal.find_game(name).goal for name in fairdeal.game_names()]
    assert max(map(len, lines)) <= 80


def test_the_options_of_a_game_fit_80_columns_with_their_names_whole(run, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("games", name)[1]
    options = json.loads(run("games", name, "--json")[1])[0]["options"]
    (schema,) = options["$defs"].values()
    _, *table = out[out.index(" option ") :].splitlines()
    assert [line.split()[0] for line in table if line[1] != " "] == list(schema["properties"])
    assert max(map(len, table)) <= 80


def test_games_shows_the_options_of_one(run, name):
    options = json.loads(run("games", name, "--json")[1])[0]["options"]
    out = run("games", name)[1]
    assert fairdeal.find_game(name).title in out
    (schema,) = options["$defs"].values()
    assert all(option in out for option in schema["properties"])


def test_rules_prints_the_rules_in_short_then_every_clause(run):
    out = run("rules", "chi")[1]
    assert out.index("GOAL") < out.index("A TURN") < out.index("OFTEN ASKED") < out.index("EVERY RULE, BY NUMBER")
    assert " 3■" not in out[: out.index("A TURN")]
    assert re.search(r" 3▲ +3▲ +one safe stack", out)
    assert "[R]" not in out
    assert "yang_layout" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert run("rules", "chi", "--specification")[1].startswith("#")


def test_rules_prints_one_clause(run):
    assert run("rules", "chi", "chi-10")[1].startswith("CHI-10 in print\nPlayers alternate.")


# --- logs -------------------------------------------------------------------------------------------------------


def test_a_log_is_told_move_by_move(run, log):
    code, out, _ = run("replay", log)
    told = json.loads(run("replay", log, "--json")[1])
    assert code == 0
    assert all(f"{one}: place " in out for one in ("Ada", "Ben", "Cid"))
    assert len(out.splitlines()) == len(told["moves"]) + 3
    assert told["over"] is True


def test_what_nobody_is_told_has_no_line(run, tmp_path):
    """A pass in a window of WAR X-TREME: no bare number in the replay, nor in the panel beside the table."""
    sitting = Sitting.open(
        fairdeal.load("war-xtreme", players=3), [Player(one, "greedy") for one in ("Ada", "Ben", "Cid")], seed="5"
    )
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    sitting.save(tmp_path / "war.log")
    silent = [n for n in range(1, sitting.moves_made + 1) if not any(e.text for e in sitting.lines(n, SPECTATOR))]
    assert silent
    lines = run("replay", tmp_path / "war.log")[1].splitlines()
    assert len(lines) == sitting.moves_made - len(silent) + 3
    assert [line for line in lines if not line.lstrip(" 0123456789")] == []
    assert not told(silent[0], [], [], sitting.names)
    assert told(14, ["Ada flips."], ["WAR-18"], ["Ada"]).plain == " 14 Ada flips. WAR-18"


def test_a_replay_stops_where_it_is_told(run, log):
    told = json.loads(run("replay", log, "--upto", 4, "--json")[1])
    assert len(told["moves"]) == 4
    assert told["over"] is False
    assert len(run("replay", log, "--upto", 4)[1].splitlines()) == 4


def test_a_true_log_verifies(run, log):
    code, out, err = run("verify", log)
    assert (code, err) == (0, "")
    assert out.endswith("verified\n")
    assert json.loads(run("verify", log, "--json")[1])["verified"] is True


def test_an_altered_log_does_not_and_the_line_is_named(run, log, tmp_path):
    lines = log.read_text().splitlines()
    lines[2] = lines[2].replace("1", "2", 1)
    altered = tmp_path / "altered.log"
    altered.write_text("\n".join(lines) + "\n")
    code, out, err = run("verify", altered)
    assert (code, out) == (1, "")
    assert err.startswith("fairdeal: line 3: ")
    code, out, _ = run("verify", altered, "--json")
    assert code == 1
    assert json.loads(out) == json.loads(out) | {"verified": False, "line": 3}


# --- playing ----------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """What the terminal program is given to play, instead of a terminal."""
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
        ("Bram 2", seated("bram", fairdeal.find_game("chip-it"))),
        ("Cleo", "greedy"),
    ]


def test_the_opponent_of_the_last_game_comes_again(run, opened, tmp_path, monkeypatch):
    """Juno the first time; then whoever was chosen, in that game alone."""
    monkeypatch.setattr(opponents, "user_data_dir", lambda *_, **__: str(tmp_path))
    met = []
    for game in ("chi", "chi", "chip-it"):
        assert run("play", game)[0] == 0
        (sitting, _, plan) = opened[-1]
        met.append(sitting.names[1])
        opponents.Opponents(opponents.opponents_file()).choose(plan.game, "otto")
    assert met == ["Juno", "Otto", "Juno"]


def test_what_is_kept_of_opponents_may_be_broken_or_out_of_date(tmp_path):
    kept, chi = tmp_path / "opponents.json", fairdeal.find_game("chi")
    for text in ("[1", '{"chi": "nobody"}', '{"chi": 3}'):
        kept.write_text(text)
        assert opponents.Opponents(kept).last(chi) == "juno"


def test_play_without_a_game_opens_the_menu(run, opened):
    assert run("play")[0] == 0
    assert opened == [None]


def test_learn_opens_the_lesson_of_a_game(run, opened):
    assert run("learn", "chip-it")[0] == 0
    (script,) = opened
    assert (script.game, script.title) == ("chip-it", "Your first game")
    assert run("learn", "chip-it", "values")[0] == 0
    assert opened[-1].title == "What a card can count as"
    code, _, problem = run("learn", "chip-it", "tenth")
    assert (code, problem) == (1, "fairdeal: Chip It has no lesson 'tenth'; it has first, values, points\n")


def test_play_goes_on_with_a_saved_game(run, opened, tmp_path):
    sitting = Sitting.open(fairdeal.load("chi"), [Player("Ada"), Player("Bo", "greedy")], seed="5")
    sitting.save(tmp_path / "saved.log")
    assert run("play", "--resume", tmp_path / "saved.log")[0] == 0
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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "chii"], "did you mean chi"),
        (["play", "chi", "--players", "3"], "players=3: it takes 2"),
        (["play", "chi", "--people", "3"], "3 people do not fit at a table of 2"),
        (["play", "chi", "--name", "A", "--name", "B"], "2 names for 1"),
        (["play", "chi", "--bots", "clever"], "there is no bot"),
        (["play", "chip-it", "--players", "4", "--bots", "greedy,greedy"], "3 seats are left for bots, but 2"),
        (["play", "--resume", "/no/such/file"], "No such file"),
    ],
)
def test_play_says_what_is_wrong_before_anything_is_drawn(run, opened, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert words in err
    assert opened == []


# --- the laboratory ---------------------------------------------------------------------------------------------


def test_simulate_prints_the_same_json_for_any_number_of_jobs(run):
    found = []
    for jobs in (1, 2):
        code, out, _ = run("simulate", "chi", "--games", 600, "--bots", "greedy,random", "--jobs", jobs, "--json")
        assert code == 0
        results = json.loads(out)
        del results["seconds"], results["moves_per_second"]
        found.append(results)
    assert found[0] == found[1]
    assert found[0]["by_bot"][0]["wins"]["value"] > 0.5


def test_simulate_plays_opponents_that_search_and_those_that_blunder(run):
    """Whoever searches is asked in Python; the deals are the same, and so is the result for any number of jobs."""
    found = []
    for jobs in (1, 2):
        words = "simulate", "chi", "--games", 6, "--bots", "vix:100-0-8,juno", "--jobs", jobs, "--json"
        code, out, _ = run(*words)
        assert code == 0
        found.append(json.loads(out)["by_bot"])
    assert found[0] == found[1]
    assert [bot["name"] for bot in found[0]] == ["vix:100-0-8", "juno"]
    assert found[0][0]["games"] == 6


def test_ladder_rates_the_opponents_of_a_game(run):
    code, out, err = run("ladder", "chi", "--bots", "random,juno,otto", "--games", 400, "--json")
    assert code == 0, err
    rungs = json.loads(out)["rungs"]
    assert [rung["name"] for rung in rungs] == ["random", "juno", "otto"]
    assert [rung["games"] for rung in rungs] == [800, 800, 800]
    assert rungs[0]["rating"] < rungs[1]["rating"] < rungs[2]["rating"] == 1400
    assert rungs[0]["wins"] is None
    assert rungs[1]["wins"]["value"] > 0.8
    code, out, _ = run("ladder", "chi", "--bots", "random,otto", "--games", 20)
    assert code == 0
    assert "wins against the one before" in " ".join(out.split())


def test_games_tells_how_the_opponents_of_a_game_play(run):
    out = run("games", "chi")[1]
    for face in levels_of(fairdeal.find_game("chi")):
        assert FACES[face].name in out
    assert "the greedy rule" in out
    facts = json.loads(run("games", "chi", "--json")[1])
    assert [one["id"] for one in facts[0]["levels"]] == [*levels_of(fairdeal.find_game("chi"))]


def test_simulate_prints_tables_for_people(run):
    code, out, _ = run("simulate", "chip-it", "--games", 20, "--bots", "random", "--players", 3)
    assert code == 0
    assert "seat 2" in out
    assert "20 games in" in out


@pytest.mark.parametrize("compiled", [[], ["--compiled"]])
def test_check_runs_case_files(run, name_of_a_kind, compiled):
    files = case_files(fairdeal.find_game(name_of_a_kind))
    code, out, _ = run("check", *files, *compiled)
    assert code == 0
    assert out.endswith("passed, 0 failed\n")


def test_check_names_the_case_that_fails(run, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("game: chi\ncases: [{id: mine, clauses: [], deal: 1, steps: [{over: false}, {over: true}]}]")
    code, out, _ = run("check", path)
    assert code == 1
    assert "wrong.yaml: mine: step 2: over is False, not True" in out
    (outcome,) = json.loads(run("check", path, "--json")[1])
    assert outcome["passed"] is False


SEED_OF = {"war-xtreme": 5}
"""Where the fourth deal is over after five random moves."""


def test_a_position_reads_back_as_it_was_printed(run, name, tmp_path):
    path = tmp_path / "position.json"
    code, printed, _ = run("position", name, "--seed", SEED_OF.get(name, 4), "--after", 5)
    assert code == 0
    path.write_text(printed)
    code, again, summary = run("position", name, "--file", path)
    assert (code, again) == (0, printed)
    assert "to act, " in summary


def test_a_position_of_the_wrong_game_or_shape_is_refused(run, tmp_path):
    path = tmp_path / "position.json"
    path.write_text(run("position", "chi")[1])
    assert run("position", "chip-it", "--file", path)[0] == 1
    path.write_text("[1]")
    assert "not a JSON object" in run("position", "chi", "--file", path)[2]


def test_a_seat_is_not_shown_the_other_hand(run):
    whole = json.loads(run("position", "chi", "--seed", 3)[1])
    seen = json.loads(run("position", "chi", "--seed", 3, "--viewer", 0)[1])
    assert seen["hands"][0] == whole["hands"][0]
    assert set(seen["hands"][1]) == {"?"}


def test_observations_tells_the_planes_of_a_table(run):
    code, told, _ = run("observations", "chip-it", "--players", 3)
    assert code == 0
    assert "at a table for 3 players" in told
    assert re.search(r"\| hands\.cards \| \d+ \| 3 × 31 \| By seat, yours first; number of unknown cards", told)
    assert run("observations", "chip-it", "--players", 9)[0] == 1


def test_perft_counts_and_divides(run):
    counted = json.loads(run("perft", "chi", "--seed", 3, "--depth", 2, "--json")[1])
    divided = json.loads(run("perft", "chi", "--seed", 3, "--depth", 2, "--divide", "--json")[1])
    assert counted["count"] == divided["count"] == sum(divided["divide"].values())
    assert run("perft", "chi", "--seed", 3, "--depth", 2)[1] == f"{counted['count']}\n"


# --- analyse ----------------------------------------------------------------------------------------------------


def test_analyse_tells_a_finished_game_and_keeps_it_beside_the_log(run, log, tmp_path, monkeypatch):
    copy, page = tmp_path / "game.log", tmp_path / "page.html"
    copy.write_text(log.read_text())
    code, out, err = run("analyse", copy, "--playouts", 3, "--jobs", 1)
    assert (code, err.strip()) == (0, "")
    for words in ("CHIP IT", "TURNING POINTS", "COSTLIEST DECISIONS", "LUCK AND PLAY", "Ada", "Ben", "Cid"):
        assert words in out
    kept = json.loads((tmp_path / "game.analysis.json").read_text())
    assert kept["seats"] == ["Ada", "Ben", "Cid"]

    from fairdeal.table.analysis import analyse

    def refuse(*wishes):
        raise AssertionError("what is kept fits, and need not be made again")

    monkeypatch.setattr(analyse, "analyse", refuse)
    assert json.loads(run("analyse", copy, "--json")[1]) == kept
    assert run("analyse", copy, "--html", page)[:2] == (0, "")
    assert page.read_text().startswith("<!doctype html>")
    with pytest.raises(AssertionError, match="made again"):
        run("analyse", copy, "--playouts", 4)


def test_analyse_refuses_a_running_game(run, tmp_path):
    sitting = Sitting.open(fairdeal.load("chi"), [Player("Ada"), Player("Bo")], seed="5")
    sitting.save(tmp_path / "game.log")
    code, out, err = run("analyse", tmp_path / "game.log")
    assert (code, out) == (1, "")
    assert "still running" in err


def test_a_simulation_writes_its_decisions_and_its_games(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    moves, games = tmp_path / "moves.parquet", tmp_path / "games.parquet"
    code, out, _ = run("simulate", "chi", "--games", 3, "--json", "--moves", moves, "--parquet", games)
    told = json.loads(out)
    assert code == 0
    lengths = parquet.read_table(games)["moves"].to_pylist()
    assert len(lengths) == 3
    assert max(lengths) == told["moves"]["longest"]
    assert set(parquet.read_table(moves)["game"].to_pylist()) == {0, 1, 2}


def test_a_cluster_that_is_not_there_is_told_in_a_line(run, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("fairdeal.lab.simulate.executors.SECONDS_TO_CONNECT", 0.2)
    code, out, told = run("simulate", "chi", "--games", 3, "--cluster", "tcp://127.0.0.1:9")
    assert (code, out) == (1, "")
    assert told.startswith("fairdeal: cannot connect to a cluster at tcp://127.0.0.1:9")
    assert len(told.strip().splitlines()) == 1
