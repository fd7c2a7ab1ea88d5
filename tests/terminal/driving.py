"""Terminals that tests drive by keys, as a person would."""

import random
from contextlib import asynccontextmanager
from inspect import getsource

from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.screens.dialogs import GameOver, HandOver
from fairdeal.terminal.screens.new_table import Plan
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen

MOST_KEYS = 4000
MOVES_OF_A_SIZE = 8
"""Number of moves after which a whole game goes on in a terminal of another size."""


async def until(pilot, ready, what=""):
    """Wait until `ready()` is true, for a minute of the program's time."""
    for _ in range(6000):
        if ready():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"waited for {what or getsource(ready).strip()}; the screen is {pilot.app.screen}")


async def comes(pilot, kind, ready=bool):
    """Wait for a screen of a class, until `ready` is true of it, and return it."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and ready(pilot.app.screen), kind.__name__)
    return pilot.app.screen


def app_for(name, **wishes):
    plan = Plan(name, **wishes)
    return FairdealApp((plan.open(), None, plan), pause=0)


@asynccontextmanager
async def at_table(name, size=(80, 24), **wishes):
    """Yield a terminal and its screen, at a new table, when there is something to choose."""
    async with app_for(name, **wishes).run_test(size=size) as pilot:
        yield pilot, await comes(pilot, TableScreen, lambda screen: screen.view.scene.choices)


@asynccontextmanager
async def at_menu(game="", size=(80, 24), **wishes):
    """Yield a terminal and its menu, at a game."""
    async with FairdealApp(pause=0, **wishes).run_test(size=size) as pilot:
        menu = await comes(pilot, StartScreen, lambda menu: menu.query("#bots"))
        if game:
            menu.query_one("#games").highlighted = [one.name for one in menu.games].index(game)
            await until(pilot, lambda: menu.game.name == game)
        yield pilot, menu


async def walk_to(pilot, view, target):
    """Move the cursor by the arrows, the shorter way round."""
    targets = [item.target for item in view.items]
    far = (targets.index(target) - targets.index(view.cursor)) % len(targets) if view.cursor in targets else 0
    for _ in range(60):
        if view.cursor == target:
            return
        await pilot.press("right" if 2 * far <= len(targets) else "left")
    raise AssertionError(f"the cursor does not reach {target}, only {view.cursor}")


async def play_a_choice(pilot, screen, chance):
    """Take one of the offered choices, with keys alone."""
    view = screen.view
    main = next((choice for choice in view.scene.choices if choice.main), None)
    if main and (screen.draft or len(view.items) == 1) and chance.random() < 0.8:
        await pilot.press("enter")
        return
    item = chance.choice([item for item in view.items if item.choice])
    if item.choice.kind == "value" and item.choice.label.isdecimal():
        await pilot.press(*item.choice.label, "enter")
    else:
        await walk_to(pilot, view, item.target)
        await pilot.press("space")


async def play_to_the_end(pilot, seed, moves=10**6, sizes=()):
    """Play until the game is over, or `moves` moves are made; every few moves the terminal gets the next size."""
    app, chance = pilot.app, random.Random(seed)
    for _ in range(MOST_KEYS):
        screen = app.screen
        if sizes and isinstance(screen, TableScreen):
            size = sizes[screen.sitting.moves_made // MOVES_OF_A_SIZE % len(sizes)]
            if tuple(app.size) != size:
                await pilot.resize_terminal(*size)
        if isinstance(screen, GameOver) or (getattr(screen, "sitting", None) and screen.sitting.moves_made >= moves):
            return
        if isinstance(screen, HandOver) or not isinstance(screen, TableScreen):
            await pilot.press("enter")
        elif screen.view.scene.choices:
            await play_a_choice(pilot, screen, chance)
        else:
            await pilot.pause(0.01)
    raise AssertionError(f"the game does not end after {MOST_KEYS} keys; the screen is {app.screen}")
