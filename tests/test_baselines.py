"""The table of baselines in docs/environments.md has the form that benchmarks.baselines prints."""

import re

import pytest

from benchmarks import baselines
from fairdeal.engine.registry import find_game, game_names
from tests.conftest import ROOT

INTERVAL = r"\d+% \(\d+ to \d+\)( of \d+)?"
SCORE = r"-?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\)( of \d+)?"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text):
    """Return the tables of a text, as lists of rows."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [[cells_of(line) for line in block.splitlines() if "---" not in line] for block in blocks]


def check_form(rows, head, names):
    """Check the head, the games in order, and which bots play which game, with intervals that contain their values."""
    assert rows[0] == head
    assert [row[0] for row in rows[1:]] == [find_game(name).title for name in names]
    for name, row in zip(names, rows[1:], strict=True):
        there = baselines.bots_at(find_game(name))
        form = SCORE if find_game(name).players == (1, 1) else INTERVAL
        for column, cell in zip(head[1:], row[1:], strict=True):
            if column in ("playouts", "games"):
                assert re.fullmatch(r"[\d,]+", cell)
            elif column.endswith(" ms") or column.lower() in there:
                assert re.fullmatch(form, cell), (name, column, cell)
                value, low, high = map(float, re.findall(r"-?\d+(?:\.\d+)?", cell)[:3])
                assert low <= value <= high
            else:
                assert cell == "", (name, column)


def test_the_page_has_the_baselines_of_all_games_and_bots():
    page = (ROOT / "docs" / "environments.md").read_text("utf-8")
    section = page.partition("\n## Baselines\n")[2].partition("\n## ")[0]
    own, search = tables(section)
    check_form(own, baselines.OWN, game_names())
    check_form(search, baselines.SEARCH, game_names())


@pytest.mark.parametrize("game", ["chimax-cut", "chimax-jackpot"])
def test_the_command_prints_this_form(game, monkeypatch, capsys):
    monkeypatch.setattr(baselines, "SEARCHES", (0.05, 0.1))
    few = ["--games", "4", "--seconds", "0", "--fewest", "2", "--jobs", "1"]
    monkeypatch.setattr("sys.argv", ["baselines", *few, "--game", game])
    baselines.main()
    own, search = tables(capsys.readouterr().out)
    check_form(own, baselines.OWN, [game])
    check_form(search, baselines.SEARCH, [game])
