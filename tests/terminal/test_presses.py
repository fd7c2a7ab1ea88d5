"""One press makes one move in the terminal, where a held key arrives as the same key again and again."""

import asyncio
import os
import time

from textual import events

from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.presses import Presses
from fairdeal.terminal.screens.dialogs import GameOver
from fairdeal.terminal.screens.new_table import Plan
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.conftest import SHORT, at_most_two
from tests.terminal.driving import comes, until

GESTURES = int(os.environ.get("FAIRDEAL_PRESSES", "3"))
"""Number of gestures in each game; the name of the game decides with which it begins. A larger number plays longer,
through questions of more kinds."""

PAUSE = 0.02
"""Pause of the bots, in seconds: short, but not 0, at which nothing is ignored."""

KEYS = {"enter": "\r", "space": " ", "1": "1"}
SOON, DELAY, RATE = 0.15, 0.5, 0.03
"""Time between two presses that follow each other quickly, and between those of a key that is held, in seconds."""


def send(app, key):
    app.post_message(events.Key(key, KEYS[key]))


async def hold(app, key):
    send(app, key)
    await asyncio.sleep(DELAY)
    for _ in range(10):
        send(app, key)
        await asyncio.sleep(RATE)


async def press_twice(app, key, gap=SOON):
    send(app, key)
    await asyncio.sleep(gap)
    send(app, key)


async def click_twice(app, key):
    """Click twice on what the cursor is on."""
    view = app.screen.view
    hit = next(hit for hit in view.picture.canvas.hits if hit.target == view.cursor)
    x, y = view.region.x + hit.left, view.region.y + hit.top
    for gap in (SOON, 0):
        for kind in (events.MouseDown, events.MouseUp):
            app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
        await asyncio.sleep(gap)


LASTS = {hold: DELAY + 10 * RATE, press_twice: SOON, click_twice: SOON}
"""Seconds that a gesture takes. A busy machine may need longer: then it is another one."""


def app_with_pauses(name, pause=PAUSE):
    plan = Plan(name, seed="presses", players=at_most_two(name), options=SHORT.get(name, {}))
    return FairdealApp((plan.open(), None, plan), pause=pause)


def moves_of(screen):
    return sum(entry.seat == screen.viewer for entry in screen.sitting.log.entries)


async def test_one_press_makes_at_most_one_move(name):
    gestures = [(hold, "enter"), (press_twice, "enter"), (click_twice, ""), (hold, "space"), (hold, "1")]
    app, made, first = app_with_pauses(name), 0, sum(map(ord, name))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await comes(pilot, TableScreen)
        for number in range(GESTURES):
            await until(pilot, lambda: screen.sitting.over or (screen.view.scene.choices and not screen.staging.now))
            if screen.sitting.over:
                break
            gesture, key = gestures[(first + number) % len(gestures)]
            before, began = moves_of(screen), time.monotonic()
            if gesture is click_twice and not screen.view.current:
                continue
            await gesture(app, key)
            is_quick = time.monotonic() - began < LASTS[gesture] + 0.1
            await until(pilot, lambda: not app.presses.queue)
            await pilot.pause(0.1)
            told = f"{gesture.__name__} {key}: {screen.sitting.log.entries[-2:]}"
            assert not is_quick or moves_of(screen) - before <= 1, told
            made += moves_of(screen) - before + len(screen.draft)
            if isinstance(app.screen, GameOver):
                break
        assert made, "no gesture did anything"


async def flip_twice(gap, pause=PAUSE, keys=("enter", "enter")):
    """Press two keys at the machine. Return the number of cards that were flipped, and whether a press was ignored."""
    app = app_with_pauses("chimax-jackpot", pause)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await comes(pilot, TableScreen, lambda screen: screen.view.scene.choices)
        for key in keys:
            send(app, key)
            await asyncio.sleep(gap)
        await until(pilot, lambda: not app.presses.queue)
        await until(pilot, lambda: moves_of(screen) == 2 or len(app._notifications) == 1)
        return moves_of(screen), len(app._notifications)


async def test_a_press_that_is_ignored_is_said_to_be_and_no_other_is():
    assert await flip_twice(SOON) == (1, 1)
    assert await flip_twice(0) == (1, 1)
    assert await flip_twice(0.4) == (2, 0)
    assert await flip_twice(SOON, keys=("enter", "space")) == (2, 0)
    assert await flip_twice(SOON, pause=0) == (2, 0)


async def test_what_is_typed_within_one_question_keeps_its_order():
    heard, asked = [], iter(range(100))
    presses = Presses(lambda: 0, record(heard), lambda: heard.append("ignored"))
    for key in "1123":
        await presses.hear(key, key, 0.01 * next(asked))
    await presses.weigh()
    assert heard == [*"1123"]


def record(heard):
    async def forward(event):
        heard.append(event)

    return forward
