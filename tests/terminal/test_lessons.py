"""Lessons in the terminal, taken with keys alone."""

import itertools
import time
from contextlib import asynccontextmanager

import pytest
import textual.timer

from fairdeal.table.lessons import find_script
from fairdeal.terminal.app import FairdealApp, learn
from fairdeal.terminal.screens.lesson_screen import LessonScreen
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.conftest import refusal
from tests.terminal.driving import at_menu, comes, until, walk_to


@asynccontextmanager
async def taught(game, size=(100, 30)):
    """Yield a terminal and its screen, at the first step of a lesson."""
    async with FairdealApp(find_script(game), pause=0).run_test(size=size) as pilot:
        yield pilot, await comes(pilot, LessonScreen, has_choices)


def has_choices(screen):
    return screen.view.scene.choices


async def do_step(pilot, screen):
    """Take the step of the lesson, with keys alone."""
    at = screen.taught.at
    for _ in range(6):
        if screen.taught.at != at or screen.taught.to_come:
            break
        before = screen.view.scene
        await pilot.press("enter" if before.choices[0].main else "space")
        await until(pilot, lambda before=before: screen.view.scene is not before or screen.taught.at != at)
    await until(pilot, lambda: screen.taught.at == at + 1)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["chi", "chimax-order", "chip-it"])
async def test_a_lesson_is_taken_with_keys_alone_and_the_game_goes_on(game, size, logs):
    async with taught(game, size) as (pilot, screen):
        for number, step in enumerate(screen.taught.script.steps, start=1):
            scene = screen.view.scene
            assert scene.prompt.text == step.text
            assert scene.sub.startswith(f"Lesson, step {number} of {len(screen.taught.script.steps)}")
            marked = {scene.lesson.on} - {""}
            assert screen.view.hinted == marked
            assert marked or not (step.at or step.play)
            await do_step(pilot, screen)
        assert screen.taught.free
        assert len(screen.view.scene.choices) > 1
        assert not logs.exists()
        await pilot.press("q")
        await comes(pilot, StartScreen)


async def test_the_step_before_comes_back_and_other_cards_say_what_is_asked():
    async with taught("chi") as (pilot, screen):
        await do_step(pilot, screen)
        screen.pick_target("card:hand0/yin-pink.1")
        assert screen.view.note == screen.taught.step.text
        await pilot.press("h")
        assert screen.view.note == screen.taught.step.text
        await do_step(pilot, screen)
        await pilot.press("backspace")
        assert screen.taught.at == 1
        assert screen.taught.sitting.moves_made == 0


async def test_a_rival_moves_however_late_its_timer_starts(monkeypatch):
    busy = itertools.count()
    async with taught("chi") as (pilot, screen):
        monkeypatch.setattr(textual.timer._time, "get_time", lambda: time.monotonic() + 0.01 * next(busy))
        for _ in screen.taught.script.steps:
            await do_step(pilot, screen)
        assert screen.taught.free


async def test_a_lesson_that_is_won_leads_to_a_whole_game():
    async with taught("chimax-order") as (pilot, screen):
        while not screen.taught.free:
            await do_step(pilot, screen)
        for place in (5, 8):
            await walk_to(pilot, screen.view, f"card:layout0.{place}")
            await pilot.press("space")
        assert screen.over
        assert "Press Enter for a full game" in screen.view.note
        await pilot.press("f")
        assert "nothing to prove" in str(screen.side.query_one("#fair").query("Static").first().content)
        await pilot.press("escape", "enter")
        assert (await comes(pilot, TableScreen)).sitting.table.game.name == "chimax-order"


async def test_the_menu_offers_the_lesson_of_a_game():
    async with at_menu(size=(100, 40)) as (pilot, menu):
        await until(pilot, lambda: menu.query("#lesson-first"))
        await pilot.press("f2")
        assert (await comes(pilot, LessonScreen)).taught.script.game == menu.game.name


async def test_the_menu_names_every_lesson_and_the_next_one_follows():
    async with at_menu("chip-it") as (pilot, menu):
        await until(pilot, lambda: menu.query("#lesson-points"))
        labels = [str(button.label) for button in menu.query("#lessons Button")]
        assert labels[0] == "Learn it: 90 seconds (F2)"
        assert labels[1:] == ["Then: What a card can count as", "Then: Points, and losing them"]
        await pilot.click("#lesson-values")
        values = await comes(pilot, LessonScreen, has_choices)
        assert values.taught.script.name == "values"
        values.taught.go_to(99)
        values.go_on()
        assert values.view.scene.sub.endswith("n for the next one, Points, and losing them")
        await pilot.press("n")
        points = await comes(pilot, LessonScreen, lambda screen: screen is not values)
        assert points.taught.script.name == "points"
        await pilot.press("n")
        assert pilot.app.screen.taught.script.name == "points", "there is none after the last"


def test_an_unknown_lesson_is_refused_before_anything_is_drawn():
    with refusal("has no lesson 'tenth'"):
        learn("chi", "tenth")
