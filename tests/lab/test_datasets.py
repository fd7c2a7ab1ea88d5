"""Datasets: every decision of simulated games, with the view of its seat."""

import doctest
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import fairdeal
from fairdeal.bots.registry import code_of
from fairdeal.engine.kit import chance
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.lab.data import datasets, decisions
from fairdeal.lab.data.datasets import ROWS, Wishes, play_into
from fairdeal.lab.simulate.jobs import Order, order_of
from fairdeal.lab.simulate.simulation import play, play_part, simulate
from tests.conftest import ROOT, refusal

parquet = pytest.importorskip("pyarrow.parquet")

GAMES = {"chi": {}, "chip-it": {"players": 3}, "chimax-match-2": {"players": 2}}
"""Games with moves of one action and of several, and a game of memory, in which bots see what they remember."""


def written(table, seated, games, path, jobs=2, wishes=Wishes()):  # noqa: B008
    play_into(path, None, wishes)(order_of(table, seated, 5), games, jobs)
    return parquet.read_table(path)


def told(file):
    return json.loads(file.schema.metadata[b"fairdeal"])


@pytest.fixture(params=GAMES)
def table(request):
    return fairdeal.load(request.param, **GAMES[request.param])


def test_recorded_games_are_those_of_a_simulation_and_the_room_for_them_changes_nothing(table, monkeypatch):
    seated = ("greedy", "juno", "random")[: table.players]
    order = order_of(table, seated, 5)
    expected = play_part(order, 3, 13)
    one_by_one = replace(expected, scores=np.zeros_like(expected.scores), lengths=np.zeros_like(expected.lengths))
    first, parts = 3, []
    while first < 13:
        rest = replace(one_by_one, scores=one_by_one.scores[first - 3 :], lengths=one_by_one.lengths[first - 3 :])
        with monkeypatch.context() as patch:
            patch.setattr(decisions, "ROOM", 0)
            parts.append(decisions.recorded(order, first, rest))
        first = int(parts[-1].rows["game"][-1]) + 1
    assert len(parts) > 5
    assert np.array_equal(one_by_one.scores, expected.scores)
    assert np.array_equal(one_by_one.lengths, expected.lengths)
    ((_, whole),) = decisions.record_part(order, 3, 13)
    assert len(whole.rows) == expected.lengths[:, 1].sum()
    assert b"".join(part.views.tobytes() for part in parts) == whole.views.tobytes()
    assert np.array_equal(np.concatenate([part.legal for part in parts]), whole.legal)


def test_each_row_says_what_its_seat_saw_and_might_have_done(table, tmp_path):
    """The games are played again from the file by the plain functions of a state."""
    seated, games = ("greedy", "forgetful", "random")[: table.players], 3
    file = written(table, seated, games, tmp_path / "a.parquet", wishes=Wishes(positions=True))
    rows, layout, compared = file.to_pylist(), layout_of(table), 0
    recalls = {bot: max(0, code_of(bot, table.game) - 1) for bot in seated}
    master = new(chance_record)
    chance.set_key(master, chance.key_of(5))
    for game in range(games):
        state = table.blank()
        chance.derive(state.record.chance, master, 2 * game)
        state.game.rules.deal(state.record)
        mine = [row for row in rows if row["game"] == game]
        for number, row in enumerate(mine):
            seat = row["seat"]
            assert row["bot"] == seated[(seat + game) % table.players]
            view = state.view(seat, recalls[row["bot"]])
            assert row["observation"] == layout.observe(view, seat).tobytes()
            assert json.loads(row["position"]) == json.loads(msgspec.json.encode(view.position()))
            assert row["legal"] == state.legal_actions(seat)
            assert row["step"] == (mine[number - 1]["step"] + 1 if state.composing else 0)
            state.apply(seat, row["action"])
            compared += 1
        assert state.over
        assert {row["seat"]: row["score"] for row in mine}.items() <= dict(enumerate(state.returns())).items()
        assert {row["seat"]: row["place"] for row in mine}.items() <= dict(enumerate(state.ranks)).items()
        assert {row["seat"] for row in mine if row["win"]} <= state.leaders
        assert [row["move"] for row in mine if not row["step"]] == list(range(mine[-1]["move"] + 1))
    assert compared == len(rows) > 50


def test_bots_that_are_asked_in_python_are_noted_as_those_in_compiled_code_are(tmp_path, monkeypatch):
    table = fairdeal.load("chip-it", players=2)
    quick = written(table, ("greedy", "greedy"), 4, tmp_path / "quick.parquet")
    monkeypatch.setattr(Order, "is_compiled", False)
    asked = written(table, ("greedy", "greedy"), 4, tmp_path / "asked.parquet")
    assert quick.equals(asked)
    assert quick.num_rows > 100


def test_bots_of_one_name_are_written_the_same_each_time(tmp_path):
    path, contents = tmp_path / "moves.parquet", set()
    for _ in range(5):
        written(fairdeal.load("chi"), ("random", "random"), 20, path, 1)
        contents.add(path.read_bytes())
    assert len(contents) == 1, "a dictionary that lists a bot twice has random bytes"


def test_any_number_of_threads_writes_the_same_bytes_in_groups_of_rows(monkeypatch, tmp_path):
    monkeypatch.setattr(datasets, "ROWS", 300)
    table, files = fairdeal.load("chi"), []
    for jobs in (1, 2):
        monkeypatch.setattr("fairdeal.lab.simulate.simulation.CHUNK", 10 * jobs)
        written(table, ("greedy", "random"), 40, tmp_path / "moves.parquet", jobs)
        files.append((tmp_path / "moves.parquet").read_bytes())
    assert files[0] == files[1]
    file = parquet.ParquetFile(tmp_path / "moves.parquet")
    sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert len(sizes) > 5
    assert set(sizes[:-1]) == {300}
    assert [path.name for path in tmp_path.iterdir()] == ["moves.parquet"]
    assert ROWS > 300


def test_a_file_tells_its_games_its_actions_and_the_planes_of_an_observation(tmp_path):
    table = fairdeal.load("chi")
    bytes_, lists = (
        written(table, ("greedy", "pip"), 3, tmp_path / "a.parquet", wishes=Wishes(lists=wish))
        for wish in (False, True)
    )
    about, layout = told(bytes_), layout_of(table)
    assert about == told(lists)
    assert (about["game"], about["bots"], about["seed"], about["games"]) == ("chi", ["greedy", "pip"], "5", 3)
    assert about["options"] == msgspec.to_builtins(table.options)
    assert about["actions"] == [table.game.actions.label(number) for number in table.game.actions]
    said = about["observation"]
    assert (said["size"], said["dtype"]) == (layout.size, layout.dtype.name)
    assert [(it["name"], tuple(it["shape"]), it["start"]) for it in said["planes"]] == [
        (it.name, it.shape, it.start) for it in layout.planes
    ]
    assert lists["observation"].type.list_size == layout.size
    numbers = np.frombuffer(b"".join(bytes_["observation"].to_pylist()), said["dtype"])
    assert numbers.tolist() == lists["observation"].combine_chunks().flatten().to_pylist()
    assert bytes_.drop_columns(["observation"]).equals(lists.drop_columns(["observation"]))


def test_a_file_of_games_has_their_results_by_seat(tmp_path):
    table, path = fairdeal.load("chip-it", players=3), tmp_path / "games.parquet"
    seated = ("greedy", "random", "pip")
    found = simulate(table, 30, seated, 5, play_them=play_into(None, path, Wishes()))
    played, file = play(order_of(table, seated, 5), 30), parquet.read_table(path)
    rows = file.to_pylist()
    assert [row["game"] for row in rows] == list(range(30))
    assert [row["scores"] for row in rows] == played.scores.tolist()
    assert [[row["moves"], row["actions"]] for row in rows] == played.lengths.tolist()
    assert rows[1]["bots"] == ["random", "pip", "greedy"]
    for row in rows:
        assert row["places"] == [1 + sum(other > own for other in row["scores"]) for own in row["scores"]]
        assert sum(row["wins"]) == pytest.approx(1)
    greedy = [row["wins"][row["bots"].index("greedy")] for row in rows]
    assert found.by_bot[0].wins.value == pytest.approx(np.mean(greedy))
    assert told(file)["title"] == table.game.title


def test_a_file_that_was_not_finished_is_not_there(tmp_path):
    table, path = fairdeal.load("chi"), tmp_path / "moves.parquet"

    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_into(path, None, Wishes())(order_of(table, ("greedy",) * 2), 20, 1, interrupt)
    assert list(tmp_path.iterdir()) == []
    with refusal(r"cannot be written: No such file"):
        written(table, ("greedy",) * 2, 2, Path(tmp_path / "nowhere" / "a.parquet"))


def test_where_pyarrow_is_missing_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with refusal("uv sync --inexact --extra data"):
        play_into(tmp_path / "a.parquet", None, Wishes())(order_of(fairdeal.load("chi"), ("greedy",) * 2), 2)


def test_the_page_on_datasets_shows_what_happens(tmp_path, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    play_into(Path("moves.parquet"), None, Wishes())(order_of(fairdeal.load("chi"), ("otto", "juno")), 4)
    page = ROOT / "docs" / "datasets.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert failed == 0
    assert tried > 10
    columns = re.findall(r"^\| `(\w+)` \| ", page.read_text("utf-8"), re.MULTILINE)
    assert columns == [*parquet.read_schema("moves.parquet").names, "position"]
