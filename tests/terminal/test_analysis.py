"""The analysis in the terminal: its curve in characters, and its screen, driven by keys."""

import time
from contextlib import asynccontextmanager

import msgspec
import pytest
from rich.console import Console
from textual.widgets import Button

import fairdeal
from fairdeal.table.analysis import Step, by_cost, points
from fairdeal.table.analysis import analyse as analysing
from fairdeal.table.analysis.analyse import analyse, analysis_file, keep, kept
from fairdeal.table.analysis.view import view_of
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.screens import analysis_screen
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.analysis_text import told_analysis
from fairdeal.terminal.screens.curves import bar, curve, marks_under
from fairdeal.terminal.screens.dialogs import ANALYSIS, GameOver
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.table import sittings
from tests.terminal.driving import at_table, comes, until

LONGEST = 5000
"""Number of steps of an analysis that is left long before its end."""


@pytest.fixture(scope="module")
def sitting():
    return sittings.finished("chi", ("random", "greedy"), "analysed in the terminal", ("Ada", "Bo"))


@pytest.fixture(scope="module")
def found(sitting):
    return analyse(sitting, 150, jobs=2)


@asynccontextmanager
async def finished(sitting, tmp_path, found=None, size=(80, 24)):
    """Yield a terminal at the result of a saved game, with its analysis if there is one, and the path of the log."""
    path = tmp_path / "game.log"
    sitting.save(path)
    if found:
        keep(path, found)
    async with FairdealApp((Sitting.resume(path), path, None), pause=0).run_test(size=size) as pilot:
        await comes(pilot, GameOver)
        yield pilot, path


def dots(lines):
    """Return the places of braille characters that are not empty, by line."""
    return [[place for place, sign in enumerate(line.plain) if "\u2800" < sign <= "\u28ff"] for line in lines]


def test_a_curve_lies_where_its_chances_are():
    lines = curve([(1.0, 0.0)] * 5, ("Ada", "Bo"), 40, 5)
    assert len(lines) == 5
    assert all(line.cell_len <= 40 for line in lines)
    drawn = dots(lines)
    whole, dashed = (sum((ord(sign) - 0x2800).bit_count() for sign in lines[row].plain[4:36]) for row in (0, 4))
    assert whole == 2 * len(drawn[0]) > 50
    assert 0.4 < dashed / whole < 0.8, "the second seat's line is dashed"
    assert not any(drawn[1:4])
    assert [line.plain[:4] for line in lines] == ["100 ", "    ", " 50 ", "    ", "  0 "]
    assert lines[0].plain.endswith(" Ada")
    assert lines[4].plain.endswith(" Bo")


def test_a_curve_rises_from_left_to_right_and_its_moment_is_marked():
    lines = curve([(step / 10,) for step in range(11)], ("Ada",), 50, 6, at=10)
    middles = [sum(places) / len(places) for places in dots(lines)]
    assert middles == sorted(middles, reverse=True)
    marked = {span.start for line in lines for span in line.spans if "reverse" in str(span.style)}
    assert marked == {max(dots(lines)[0])}
    assert marks_under([0, 10], 11, ("Ada",), 50).plain.strip().startswith("1")
    assert marks_under([10], 11, ("Ada",), 50).plain.index("1") == max(dots(lines)[0])


def test_names_of_one_height_stand_in_lines_of_their_own():
    lines = curve([(0.5, 0.5, 0.5)] * 3, ("Ada", "Bo", "Cleo"), 40, 7)
    assert sorted(line.plain.split()[-1] for line in lines if line.plain.endswith(("Ada", "Bo", "Cleo"))) == [
        *("Ada", "Bo", "Cleo")
    ]


@pytest.mark.parametrize(("share", "drawn"), [(0, ""), (1, "████"), (0.5, "██"), (0.125, "▌"), (2, "████")])
def test_a_bar_is_as_long_as_its_share(share, drawn):
    assert bar(share, 4) == drawn


@pytest.mark.parametrize("width", [80, 120])
def test_the_whole_analysis_fits_the_width(found, width):
    console = Console(width=width, record=True, highlight=False)
    with console.capture() as printed:
        console.print(told_analysis(view_of(found), width))
    lines = printed.get().splitlines()
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    costly = costly_of(found)
    assert costly
    for one in {one.seat: one for one in reversed(costly)}.values():
        assert f"move {one.move + 1} −{points(one.cost)} ±{points(one.error)} {one.label}" in text
    for turn in found.turns:
        assert f"{points(turn.before)} → {points(turn.after)} %" in text
    assert found.result in text


async def test_every_decision_of_a_finished_game_is_looked_at_by_keys(sitting, found, tmp_path):
    async with finished(sitting, tmp_path, found) as (pilot, _):
        buttons = pilot.app.screen.query("Button")
        assert ANALYSIS in [button.id for button in buttons]
        assert all(button.region.right <= 76 and button.region.width >= 8 for button in buttons), "all are whole"
        await pilot.press("a")
        screen, shown = await comes(pilot, AnalysisScreen, lambda screen: screen.found), view_of(found)
        assert screen.found == shown
        assert screen.listed == list(shown.decisions)
        await pilot.press("c")
        costly = costly_of(shown)
        assert screen.listed[: len(costly)] == costly
        await pilot.press("down")
        one = costly[1]
        await until(pilot, lambda: "could have held" in told(screen) and f"Move {one.move + 1}," in told(screen))
        for option in one.options:
            assert option.text in told(screen)
        assert f"▸{points(one.options[one.played].chance):>3} %" in told(screen)
        await pilot.press("h")
        await until(pilot, lambda: "Bo held: " in told(screen))
        for seat, name in enumerate(("Ada", "Bo")):
            (hand,) = (zone for zone in sitting.state_at(one.move).scene(seat).zones if zone.place == "hand")
            cards = " · ".join(screen.catalogue.faces[card.face].name for card in hand.cards)
            assert f"{name} held: {cards}" in told(screen)
        assert "could have held" not in told(screen)
        await pilot.press("h")
        await until(pilot, lambda: "could have held" in told(screen))
        await pilot.press("p")
        assert {one.seat for one in screen.listed} == {0}
        await pilot.press("p", "p")
        assert {one.seat for one in screen.listed} == {0, 1}
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, TableScreen)


def costly_of(found):
    return [one for one in by_cost(found.decisions) if one.cost]


def told(screen):
    return str(screen.query_one("#told").content)


async def test_an_analysis_shows_its_progress_and_is_saved(sitting, tmp_path, monkeypatch):
    monkeypatch.setattr(analysing, "FINENESS", (3,))
    said, shown = [], AnalysisScreen.show_progress

    def show_progress(screen, step):
        shown(screen, step)
        curve = screen.query_one("#curve").content
        said.append((step.done, "".join(str(part) for part in getattr(curve, "renderables", [curve]))))

    monkeypatch.setattr(AnalysisScreen, "show_progress", show_progress)
    async with finished(sitting, tmp_path) as (pilot, path):
        await pilot.click("#analysis")
        await comes(pilot, AnalysisScreen, lambda screen: screen.found)
    moves = sitting.moves_made
    assert [done for done, _ in said] == [*range(1, moves + 1), 0, *range(1, moves + 1)]
    for number, (done, words) in enumerate(said):
        assert f"move {done} of {moves}" in words
        assert ("100 " in words and "Ada" in words) == (number >= moves), "the curve is there before the decisions"
    assert kept(path, sitting.log.chain(), 3).chances[-1] == (0.0, 1.0)


async def test_leaving_an_analysis_ends_the_work_and_saves_nothing(sitting, tmp_path, monkeypatch):
    asked, left = [], []

    def slow(sitting, progress):
        try:
            while len(asked) < LONGEST:
                asked.append(1)
                time.sleep(0.01)
                progress(Step(len(asked), LONGEST))
        finally:
            left.append(len(asked))

    monkeypatch.setattr(analysis_screen, "analyse", slow)
    monkeypatch.setattr(AnalysisScreen, "show_progress", lambda screen, step: None)
    async with finished(sitting, tmp_path) as (pilot, path):
        await pilot.press("a")
        await until(pilot, lambda: len(asked) > 3)
        await pilot.press("escape")
        await comes(pilot, TableScreen)
        await until(pilot, lambda: left)
        assert left[0] < LONGEST
    assert not analysis_file(path).exists()


async def test_a_running_game_has_no_analysis():
    async with at_table("chi", seed="running") as (pilot, screen):
        await pilot.press("a")
        await pilot.pause()
        assert pilot.app.screen is screen


async def test_a_game_without_decisions_shows_its_luck(sitting, found, tmp_path):
    lucky = msgspec.structs.replace(found, decisions=(), turns=())
    async with finished(sitting, tmp_path, lucky, size=(80, 40)) as (pilot, _):
        await pilot.press("a")
        assert (await comes(pilot, AnalysisScreen, lambda screen: screen.found)).listed == []


@pytest.mark.parametrize("answer", ["yes", "no"])
async def test_an_analysis_is_offered_unless_nobody_has_won(answer, tmp_path):
    table = fairdeal.load("war-xtreme", players=2, ask_extreme=True, max_rounds=1)
    sitting = Sitting.open(table, [Player("Ada"), Player("Bo")], "no game")
    sitting.play(0, answer)
    sitting.play(1, "yes")
    while not sitting.over:
        sitting.play(sitting.state.to_act[0], next(sitting.state.moves(sitting.state.to_act[0])))
    async with finished(sitting, tmp_path) as (pilot, _):
        offered = [button.id for button in pilot.app.screen.query(Button)]
    assert (ANALYSIS in offered) == (answer == "yes")
