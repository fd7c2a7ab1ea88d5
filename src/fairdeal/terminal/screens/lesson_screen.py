"""The screen of a lesson. Its prompt is the coach's instruction, and the target of the instruction is highlighted."""

import time
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.timer import Timer

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.scene import Choice, Scene
from fairdeal.table.lessons import BACK, Script, Taught, offer_after
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.speed import Tempo
from fairdeal.terminal.screens.dialogs import KEYS
from fairdeal.terminal.screens.side_panel import LessonPanel, SidePanel
from fairdeal.terminal.screens.table_screen import PlayScreen

CALM = 2
"""Pause before a rival's move, in multiples of a bot's pause at a table."""

OVER = "The lesson is over. Press Enter for a full game, q for the menu."
HERE = ("Backspace", "the previous step again"), ("n", "the next lesson"), ("q", "leave the lesson")


class LessonScreen(PlayScreen):
    """The screen of a lesson, and of the game that follows it. Returns `again` to play a whole game, `next` for the
    lesson `onward`, or `menu`."""

    BINDINGS: ClassVar[list[BindingType]] = [("backspace", "back"), ("n", "next_lesson")]

    keys: Sequence[tuple[str, str]] = (
        *(key for key in KEYS if key[0] not in ("b", "k", "u", "v", "w", "x", "q")),
        *HERE,
    )

    def __init__(self, script: Script, tempo: Tempo) -> None:
        self.taught = Taught(script)
        self.timer: Timer | None = None
        table = self.taught.sitting.table
        self.onward = offer_after(table.game, script.name)
        super().__init__(Catalogue(table.game.faces(table.options), table.game.skin), tempo)

    def begin(self) -> None:
        self.view.focus()
        self.go_on()

    # --- scenes ---------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene of the lesson, without the second line of its prompt. That line is shown as a note, because a small
        terminal has no room for it in the prompt."""
        scene = self.taught.scene(self.draft)
        if scene.lesson is None or scene.prompt is None:
            return scene
        where = f"Lesson, step {scene.lesson.step} of {scene.lesson.of}"
        if self.taught.is_last and self.onward:
            where += f"; n for the next one, {self.onward.title}"
        return scene.replaced(sub=where, prompt=scene.prompt.replaced(sub=""))

    @property
    def why(self) -> str:
        """The second line of the coach's prompt."""
        return "" if self.taught.to_come else self.taught.step.sub

    @property
    def over(self) -> bool:
        return self.taught.free and self.taught.sitting.over

    @property
    def ending(self) -> str:
        """The choices after the lesson, with their labels."""
        return f"{OVER} n: {self.onward.title}." if self.onward else OVER

    def side_panel(self) -> SidePanel:
        return LessonPanel(self.taught.sitting)

    def update_side(self, scene: Scene) -> None:
        panel = self.query_one(LessonPanel)
        if panel.sitting is not self.taught.sitting:
            panel.begin_anew(self.taught.sitting)
        panel.update_from(scene)

    def show(self, note: str = "") -> None:
        """Highlight the coach's target, and put the cursor on the item that makes the move."""
        super().show(note)
        scene = self.view.scene
        if scene.lesson is None:
            return
        self.view.note = note or self.why
        self.view.hinted = frozenset({scene.lesson.on} - {""})
        meant = (f"{scene.lesson.kind}:{scene.lesson.on}", *(f"button:{one.id}" for one in scene.choices if one.main))
        able = [item.target for item in self.view.items if item.choice]
        self.view.cursor = next((target for target in meant if target in able), self.view.cursor)
        self.view.refresh()

    def stage(self, last: Scene | None, scene: Scene) -> bool:
        """Show no frames, because the coach sets the pace of a lesson."""
        return False

    def action_recall(self) -> None:
        """Do nothing, because the coach returns to earlier steps instead."""

    def action_speed(self) -> None:
        """Do nothing, because a lesson has its own pace."""

    # --- the course of the lesson ---------------------------------------------------------------------------

    def go_on(self) -> None:
        """Show the lesson, and schedule the next move of a rival."""
        self.show(self.ending if self.over else "")
        if self.timer:
            self.timer.stop()
        now = time.monotonic()
        due = self.taught.due(CALM * self.tempo.usual, now)
        if due is not None:
            self.timer = self.set_timer(max(0.001, due - now), self.let_others_move)

    def let_others_move(self) -> None:
        self.taught.go_on()
        self.go_on()

    def follow(self, choice: int) -> None:
        try:
            self.draft = self.taught.pick(self.draft, choice)
        except IllegalMove as problem:
            self.say(problem.reason)
        else:
            self.go_on()

    def pick(self, choice: Choice) -> None:
        self.follow(choice.id)

    # --- requests -------------------------------------------------------------------------------------------

    def action_back(self) -> None:
        if self.taught.at and not self.taught.free:
            self.draft = ()
            self.follow(BACK)

    def find_hint(self) -> None:
        if not self.taught.free:
            self.say(self.taught.asks)

    def ask_why(self, card: str) -> None:
        reason, clause = self.taught.why(self.draft, card)
        self.say(f"{reason} ({clause})" if clause else reason)

    def action_next_lesson(self) -> None:
        if self.onward:
            self.dismiss("next")

    def action_result(self) -> None:
        self.dismiss("again")

    def action_leave(self) -> None:
        self.dismiss("menu")
