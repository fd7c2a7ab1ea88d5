"""The terminal program, which shows a menu and then the tables that the user opens."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import get_terminal_size

from rich.segment import Segment
from textual import events, work
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.widgets import Input

from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import count_of
from fairdeal.table.lessons import FIRST, Script, find_script
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.console import plain_segment
from fairdeal.terminal.pictures.speed import PAUSE, Tempo, speed_file
from fairdeal.terminal.presses import SOON, Presses
from fairdeal.terminal.screens.lesson_screen import LessonScreen
from fairdeal.terminal.screens.new_table import Plan, new_log_path
from fairdeal.terminal.screens.opponents import Opponents, opponents_file
from fairdeal.terminal.screens.start_screen import Opened, StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen
from fairdeal.terminal.screens.tips import notes_file
from fairdeal.terminal.themes import DAY, NIGHT

NEAR = 3
"""Largest distance between two clicks at the same place, in columns."""

COMPILE_AFTER = 3.0
"""Duration of play after which the rules are compiled in the background, in seconds."""


LEAST_COLUMNS, LEAST_LINES = 40, 12
"""Size of a terminal below which the parts of a table would cover each other."""

BROWSER = "`fairdeal serve` plays in a browser"


class PlainLines(LineFilter):
    """A filter for everything that the screens draw. It removes control characters from untrusted text."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [plain_segment(segment) for segment in segments]


class FairdealApp(App[None]):
    """The terminal program.

    opened     the first table or lesson (default: the menu)
    pause      a bot's pause at normal speed, in seconds
    compiles   whether the rules are compiled in the background
    notes      the file that records which tips were read (default: no tips are shown)
    speed      the file in which the speed is saved
    calm       whether races are calm
    opponents  the user's last opponents
    """

    CSS_PATH = Path(__file__).parent / "app.tcss"  # also for apps of other packages
    TITLE = "fairdeal"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        opened: Opened | Script | None = None,
        pause: float = PAUSE,
        compiles: bool = False,
        notes: Path | None = None,
        speed: Path | None = None,
        calm: bool = False,
        opponents: Opponents | None = None,
    ) -> None:
        super().__init__()
        self.plain_lines = PlainLines()
        self.opponents = opponents or Opponents()
        self.presses = Presses(self.question, super().on_event, self.tell_ignored)
        self.clicked: tuple[float, int, int, object] = 0.0, 0, 0, None
        self.lifts = False  # whether the end of an ignored click is still to come
        self.opened = opened
        self.tempo = Tempo(pause, speed)
        self.compiles = compiles
        self.notes = notes
        self.calm = calm

    def on_mount(self) -> None:
        self.register_theme(DAY)
        self.register_theme(NIGHT)
        self.theme = "day" if light_terminal() else "night"
        self.play_tables()

    @work
    async def play_tables(self) -> None:
        """Show tables until the user leaves."""
        opened = self.opened
        while True:
            if opened is None:
                opened = await self.push_screen_wait(StartScreen(self.opponents))
            if isinstance(opened, Script):
                opened = await self.teach(opened)
                continue
            sitting, path, plan = opened
            path = path or new_log_path(sitting.table.game.name)
            if plan and len(plan.bots) == 1:
                self.opponents.choose(plan.game, plan.bots[0])
            if self.compiles:
                self.set_timer(COMPILE_AFTER, partial(compiled.compile_in_background, sitting.table.game))
            wish = await self.push_screen_wait(
                TableScreen(sitting, path, self.tempo, self.notes, self.calm, self.compiles)
            )
            if wish == "leave":
                self.exit()
                return
            opened = (rematch(sitting), None, plan) if wish == "again" else None

    async def teach(self, script: Script) -> Opened | Script | None:
        """Show a lesson, and return what to open next: the next lesson, a whole game, or None for the menu."""
        screen = LessonScreen(script, self.tempo)
        wish = await self.push_screen_wait(screen)
        if wish == "next" and screen.onward:
            return find_script(script.game, screen.onward.name)
        plan = Plan(script.game, bots=[self.opponents.last(find_game(script.game))])
        return (plan.open(), None, plan) if wish == "again" else None

    # --- presses --------------------------------------------------------------------------------------------

    def question(self) -> object:
        """Return what the screen asks now, as an object that differs from that of every other question."""
        return self.screen, getattr(self.screen, "question", None)

    def tell_ignored(self) -> None:
        self.notify("Pressed too soon for the new question: ignored.", timeout=2)

    async def on_event(self, event: events.Event) -> None:
        """Handle an event, unless it is a press that came too soon. Without pauses, nothing is too soon, and what is
        typed into a field answers nothing."""
        if not self.tempo.pause or (isinstance(event, events.InputEvent) and event.is_forwarded):
            await super().on_event(event)
        elif isinstance(event, events.Key) and not isinstance(self.focused, Input):
            weighs = bool(self.presses.queue)
            if await self.presses.hear(event, event.key, event.time) and not weighs:
                self.run_worker(self.presses.weigh(), group="presses")
        elif not self.is_ignored(event):
            await super().on_event(event)

    def is_ignored(self, event: events.Event) -> bool:
        """Return whether an event is part of a click at the place of the last click, too soon after a new question."""
        if isinstance(event, events.MouseUp) and self.lifts:
            self.lifts = False
            return True
        if not isinstance(event, events.MouseDown):
            return False
        time, x, y, asked = self.clicked
        near = abs(event.x - x) <= NEAR and abs(event.y - y) <= 1
        self.lifts = near and event.time - time < SOON and self.question() != asked
        self.clicked = event.time, event.x, event.y, asked if self.lifts else self.question()
        if self.lifts:
            self.tell_ignored()
        return self.lifts

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self.plain_lines]

    def action_day_or_night(self) -> None:
        self.theme = "night" if self.theme == "day" else "day"


def rematch(sitting: Sitting) -> Sitting:
    """Return a new sitting with the same people and bots, and new cards."""
    return Sitting.open(sitting.table, sitting.log.players)


def light_terminal() -> bool:
    """Return whether the terminal has a light background. COLORFGBG ends with the number of its colour."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground.isdecimal() and int(ground) in (7, *range(9, 16))


def require_terminal() -> None:
    """Check that there is a terminal with a keyboard and a screen that is large enough. Raises FairdealError
    otherwise."""
    drawn_to = sys.__stdout__ if sys.platform == "win32" else sys.__stderr__  # the stream that Textual draws to
    if not all(stream is not None and stream.isatty() for stream in (sys.__stdin__, drawn_to)):
        raise FairdealError(f"this needs a terminal with a keyboard and a screen; {BROWSER}")
    if os.environ.get("TERM", "").lower() in ("dumb", "unknown"):
        raise FairdealError(f"this needs a terminal that can move its cursor, and TERM says that it cannot; {BROWSER}")
    columns, lines = get_terminal_size()
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        raise FairdealError(
            f"this terminal has {count_of(columns, 'column')} and {count_of(lines, 'line')}; tables are drawn for 80 "
            f"and 24, so enlarge it; {BROWSER}"
        )


def run(plan: Plan | None, resume: Path | None, save: Path | None, calm: bool) -> None:
    """Play in this terminal: a planned table, a saved game, or what the user chooses from the menu. Raises
    FairdealError if it cannot be opened; nothing is drawn before."""
    opened: Opened | None = None
    opponents = Opponents(opponents_file())
    if resume is not None:
        opened = (Sitting.resume(resume), save or resume, None)
    elif plan is not None:
        plan = replace(plan, bots=plan.bots or [opponents.last(find_game(plan.game))])
        opened = (plan.open(), save, plan)
    app = FairdealApp(opened, compiles=True, notes=notes_file(), speed=speed_file(), calm=calm, opponents=opponents)
    require_terminal()
    app.run()


def learn(game: str, lesson: str = FIRST) -> None:
    """Take a lesson in this terminal. Raises FairdealError, before anything is drawn, if the lesson does not exist."""
    script, opponents = find_script(game, lesson), Opponents(opponents_file())
    require_terminal()
    FairdealApp(script, compiles=True, notes=notes_file(), speed=speed_file(), opponents=opponents).run()
