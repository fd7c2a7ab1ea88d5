"""The screen of a table. It shows scenes, converts keys and clicks into choices, and runs the bots."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer, TimerCallback
from textual.widgets import OptionList

from fairdeal.bots.custom import FORFEIT
from fairdeal.bots.preparing import prepare_apart
from fairdeal.engine.errors import FairdealError, IllegalMove
from fairdeal.engine.inspection import Inspection, inspect
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import TOP, Bitten, Choice, Scene
from fairdeal.engine.tips import read_bites, refused
from fairdeal.table.advice import Hint, next_look, said_chances
from fairdeal.table.clocks import Reflexes, RoundClock
from fairdeal.table.sitting import Sitting
from fairdeal.table.undo import OFFERED
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.instruments import answers
from fairdeal.terminal.pictures.lingering import Shown, holds, laid, looked_at
from fairdeal.terminal.pictures.speed import Tempo
from fairdeal.terminal.pictures.staging import Staging, counting, deciding, ending, film
from fairdeal.terminal.pictures.targets import buttons_of
from fairdeal.terminal.pictures.widget import TableView
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.dialogs import (
    ANALYSIS,
    DECIDED,
    KEYS,
    CardDialog,
    GameOver,
    HandOver,
    HelpDialog,
    LeaveDialog,
    Menu,
)
from fairdeal.terminal.screens.new_table import people_of
from fairdeal.terminal.screens.side_panel import SidePanel, SittingPanel
from fairdeal.terminal.screens.time_left import timed
from fairdeal.terminal.screens.tips import HINT as WANTS_HINT
from fairdeal.terminal.screens.tips import OFF, NoteDialog, Noting, as_line, is_yours

WIDE = 116
"""Minimum screen width, in columns, at which the side panel is beside the table."""

AFTERWARDS = {"again", "menu", "leave"}

SAYS_AFTER = 0.3
"""Delay, in seconds, before the screen shows that a bot is thinking."""

READING = {"l", "g", "r", "s", "f", "d", "question_mark", "q"}
"""Keys that do not end the counting of points."""


OUT = "You are out. Press k to skip to the end."
"""Note for a viewer who is out of a game that goes on."""

HINT = "Hint: "
"""The first word of a line with a hint."""

BETTER = "Press h for a better one."
"""Text added to a line with a hint if a better move was found while the user reads the hint."""


def is_out(scene: Scene) -> bool:
    """Return whether the viewer of a scene is out of a game that goes on."""
    return scene.mode == "live" and any(seat.seat == scene.viewer and seat.state == "out" for seat in scene.seats)


class PlayScreen(Screen[str]):
    """The screen of a table, whether the game runs in this program or in a room. It shows scenes, and converts keys and
    clicks into choices."""

    DEFAULT_CSS = "PlayScreen { layers: default above; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *((arrow, f"move('{arrow}')") for arrow in ("left", "right", "up", "down")),
        ("space", "choose"),
        ("enter", "confirm"),
        ("escape", "take_back"),
        ("u", "undo"),
        ("h", "hint"),
        ("x", "do_hint"),
        ("b", "recall"),
        ("v", "speed"),
        ("k", "skip"),
        ("i", "inspect"),
        ("g", "panel('how')"),
        ("r", "panel('rules')"),
        ("l", "panel('log')"),
        ("s", "panel('score')"),
        ("f", "panel('fair')"),
        ("d", "app.day_or_night"),
        ("question_mark", "help"),
        ("q", "leave"),
    ]

    keys: Sequence[tuple[str, str]] = KEYS
    noting: Noting | None = None

    def __init__(self, catalogue: Catalogue, tempo: Tempo) -> None:
        super().__init__()
        self.catalogue = catalogue
        self.tempo = tempo
        self.draft: tuple[int, ...] = ()
        self.advised: tuple[int, ...] = ()  # choices of the last hint
        self.better: Hint | None = None  # the hint found by further thought, if its move is another
        self.last: Scene | None = None  # the last scene, without the frames over it
        self.staging = Staging(self.set_timer, self.draw_frame, self.is_read)
        self.looks: list[Shown] = []  # cards that are shown for a while

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield TableView(self.scene, self.catalogue)
            yield self.side_panel()

    def on_mount(self) -> None:
        if self.app.is_running:  # false if the program is just ending, and widgets are missing
            self.begin()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < WIDE, "narrow")

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """Call a function after a delay. Unlike Textual's own timer, the call is made even if the delay ends before the
        timer has started, as happens with short delays in a busy program."""
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False
        return timer

    # --- to be implemented by each kind of table ------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The viewer's current scene, with the draft."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        raise NotImplementedError

    def side_panel(self) -> SidePanel:
        raise NotImplementedError

    def update_side(self, scene: Scene) -> None:
        """Update the side panel to a scene."""
        raise NotImplementedError

    def pick(self, choice: Choice) -> None:
        """Carry out a choice: change the draft, or play a complete move."""
        raise NotImplementedError

    def unpick(self) -> None:
        """Take back the last choice of the draft."""
        self.draft = self.draft[:-1]
        self.show()

    def undo_move(self) -> None:
        """Undo the last complete move and the answers of bots, or show the reason why that is not possible. In a
        lesson, do nothing, because the coach returns to earlier steps instead."""

    def ask_why(self, card: str) -> None:
        """Show the reason why a card cannot be chosen."""
        raise NotImplementedError

    def ask_about(self, card: str) -> None:
        """Show the description of a card."""
        raise NotImplementedError

    def begin(self) -> None:
        """Show the table, and start its game."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Continue after a tip has been read, or after the frames over the table have ended."""

    def recall(self) -> None:
        """Show the scenes since the viewer's turn."""
        raise NotImplementedError

    def show_decided(self) -> None:
        """Show the move that decided the game."""
        raise NotImplementedError

    def skip_to_end(self) -> None:
        """Let bots play to the end after the viewer was eliminated, which cannot happen in a lesson."""

    def action_hint(self) -> None:
        """Show a hint, or the better hint that was found since. This does not make a move."""
        if self.is_hinting and self.better:
            self.show_hint(self.better)
        else:
            self.find_hint()

    def find_hint(self) -> None:
        """Find and show a hint, if it is the viewer's turn."""
        raise NotImplementedError

    def action_result(self) -> None:
        """Show the result."""
        raise NotImplementedError

    def action_leave(self) -> None:
        raise NotImplementedError

    # --- scenes ---------------------------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self.query_one(TableView)

    @property
    def side(self) -> SidePanel:
        return self.query_one(SidePanel)

    @property
    def question(self) -> object:
        """The question on the screen: the scene, the picks of an unfinished move, and whether a frame is over it."""
        return self.last and (self.last.seq, self.last.prompt), self.draft, self.staging.now is not None

    def show(self, note: str = "") -> None:
        """Draw the current scene, with a note in place of the second line of the prompt. While frames are shown, the
        scene is drawn after them."""
        scene = self.scene
        self.update_side(scene)
        if self.staging.now and (self.staging.keeps or self.last is None or scene.seq == self.last.seq):
            return
        self.staging.drop()
        last, self.last = self.last, scene
        if last is None or scene.seq != last.seq:
            self.view.hinted = frozenset()
            if self.stage(last, scene):
                return
        if isinstance(self.app.screen, NoteDialog) and is_yours(scene):  # nothing lies over what can be chosen
            note = note or self.app.screen.line
            self.app.screen.dismiss()
        self.view.typed = ""
        self.view.note = note or (OUT if is_out(scene) else "")
        self.view.show(self.laid(scene))
        if self.noting:
            self.tell(self.noting.next_tip(scene))

    def laid(self, scene: Scene) -> Scene:
        """Return a scene with the cards face up that are shown briefly after a move."""
        self.looks = [shown for shown in self.looks if holds(shown, scene)]
        for shown in self.looks:
            scene = laid(scene, shown)
        return scene

    # --- frames over the table ------------------------------------------------------------------------------

    def stage(self, last: Scene | None, scene: Scene) -> bool:
        """Start the frames for a new scene. Return whether there are any; in that case, the scene is drawn after
        them."""
        if last is None or not last.zones or not self.tempo.stages:
            return False
        self.linger(looked_at(scene))
        frames = counting(scene, self.tempo) if scene.round else []
        frames += ending(scene, self.tempo) if scene.result and not last.result else []
        if frames:
            self.staging.roll(frames, partial(self.settle, counted=scene.round is not None), keeps=True)
        return bool(frames)

    def linger(self, shown: Shown) -> None:
        """Show cards briefly."""
        if shown:
            self.looks.append(shown)
            ((_, seconds),) = self.tempo.course("miss")
            self.set_timer(seconds, partial(self.look_away, shown))

    def look_away(self, shown: Shown) -> None:
        if any(one is shown for one in self.looks):
            self.looks = [one for one in self.looks if one is not shown]
            self.redraw()

    def redraw(self) -> None:
        """Draw the current scene again, with the same note and the same cursor."""
        if not self.staging.now:
            self.view.scene = self.laid(self.scene)
            self.view.refresh()

    def draw_frame(self) -> None:
        if self.staging.now:
            self.view.stage(self.staging.now)

    def is_read(self) -> bool:
        """Return whether a dialog or the panel is open, in which case frames must wait."""
        return self.app.screen is not self or self.has_class("panel")

    def settle(self, counted: bool = False) -> None:
        """Continue after the last frame. If points were counted and the main button is the only choice, press it."""
        self.show()
        if self.staging.now:
            return
        choices = self.scene.choices
        if counted and len(choices) == 1 and choices[0].main:
            self.pick(choices[0])
        else:
            self.go_on()

    def film(self, scenes: Sequence[Scene]) -> None:
        """Show a film of scenes, the last of which is the current scene."""
        if len(scenes) < 2:
            self.say("Nothing has happened since your turn.")
        elif not self.staging.now:
            self.staging.roll(film(scenes, self.tempo), self.show, keeps=False)

    def show_moves(self, before: Scene, after: Scene) -> None:
        """Show the move that decided the game, and then the result again."""
        self.staging.roll(deciding(before, after, self.tempo), self.back_to_result, keeps=True)

    def back_to_result(self) -> None:
        self.show()
        self.action_result()

    def action_recall(self) -> None:
        if not self.over and self.scene.viewer != SPECTATOR:
            self.recall()

    def action_skip(self) -> None:
        if is_out(self.scene):
            self.skip_to_end()
        elif not self.over:
            self.say("You can skip to the end only when you are out.")

    def action_speed(self) -> None:
        self.tempo.step()
        self.say(f"Speed: {self.tempo.speed}.")

    def say(self, note: str) -> None:
        self.view.note = note
        self.view.refresh()

    @property
    def hurried(self) -> bool:
        """Whether less than a minute is left for the turn."""
        return False

    def tell(self, bite: Bitten | None) -> None:
        """Show a tip once, in a dialog or, if time is short or the viewer has a choice to make, as a line."""
        if not self.noting or not bite or isinstance(self.app.screen, NoteDialog):
            return
        noting, note = self.noting, self.noting.notes[bite.id]
        if self.hurried or is_yours(self.scene):
            noting.keep(note.id)
            self.say(as_line(note))
            return

        def read(wish: str | None) -> None:
            noting.keep(note.id, wish == OFF)
            self.go_on()
            if wish == WANTS_HINT:
                self.action_hint()

        self.app.push_screen(NoteDialog(note, bite.cards, self.catalogue), read)

    def show_hint(self, hint: Hint, further: bool = False) -> None:
        """Highlight the choices of a hint, and show its text and chances. This does not make a move. If a `further`
        search finds another move, the hint stays, and the better one is offered next to it."""
        if further and hint.picks != self.advised:
            if not self.better:
                self.say(f"{self.view.note} {BETTER}")
            self.better = hint
            return
        self.advised, self.better = hint.picks, None
        self.view.hinted = frozenset([*hint.marks, *map(str, hint.picks)])
        self.say(HINT + " ".join(filter(None, (hint.text, said_chances(hint), "Press x to play it."))))

    def action_do_hint(self) -> None:
        """Make the move of the current hint."""
        if self.is_hinting:
            *before, last = self.advised
            self.draft = tuple(before)
            self.pick(Choice(last, "button"))

    @property
    def is_hinting(self) -> bool:
        """Whether a hint is shown."""
        return self.view.note.startswith(HINT)

    # --- picking --------------------------------------------------------------------------------------------

    def pick_target(self, target: str) -> None:
        """Make the choice for a target, or show the reason why the target cannot be chosen."""
        sort, _, name = target.partition(":")
        offered = self.view.scene.choices
        if sort == "button":
            found = [choice for choice in offered if not choice.on and str(choice.id) == name]
        else:
            found = [choice for choice in offered if choice.on == name]
        again = [choice for choice in found if choice.id in self.draft]
        if len({choice.id for choice in found}) > 1 and not again:
            self.choose("Which of these?", [(choice.label, partial(self.pick, choice)) for choice in found])
        elif found:
            self.pick((again or found)[0])
        elif sort == "card" and self.view.scene.viewer != SPECTATOR and not self.over:
            self.ask_why(name)

    def on_table_view_touched(self, event: TableView.Touched) -> None:
        if self.staging.now:
            self.staging.skip()
            return
        if not event.target:
            return
        if any(item.target == event.target for item in self.view.items):
            self.view.cursor = event.target
        if self.over:
            self.action_result()
        else:
            self.pick_target(event.target)

    def action_move(self, key: str) -> None:
        self.view.move(key)

    def action_choose(self) -> None:
        if self.over:
            self.action_result()
        elif self.view.current:
            self.pick_target(self.view.current.target)

    def action_confirm(self) -> None:
        """Choose the typed value, the main button of an unfinished move, or the item under the cursor, in this order of
        preference."""
        main = next((choice for choice in self.view.scene.choices if choice.main), None)
        if self.view.typed:
            self.pick_typed()
        elif main and (self.draft or len(self.view.items) == 1):
            self.pick(main)
        else:
            self.action_choose()

    def pick_typed(self) -> None:
        typed, self.view.typed = self.view.typed, ""
        values = [choice for choice in self.view.scene.choices if choice.kind == "value"]
        found = next((choice for choice in values if choice.label == typed), None)
        if found:
            self.pick(found)
        else:
            self.say(f"{typed} is not among the values: {', '.join(choice.label for choice in values[:8])} …")

    def on_key(self, event: events.Key) -> None:
        """Handle keys. While frames are shown, any key ends them, unless it opens a dialog or panel. A digit presses a
        numbered button, or is added to a typed value."""
        if self.staging.now and self.focused is self.view:
            if not (self.staging.keeps and event.key in READING):
                event.stop()
                self.staging.skip()
            return
        if event.key == "backspace" and self.view.typed:
            self.view.typed = self.view.typed[:-1]
            self.view.refresh()
        if not (event.character or "").isdecimal() or self.focused is not self.view:
            return
        event.stop()
        in_race = answers(self.view.scene)
        if in_race:
            found = (choice for choice in self.view.scene.choices if choice.id == in_race.get(str(event.character)))
            for choice in found:
                self.pick(choice)
            return
        if any(choice.kind == "value" for choice in self.view.scene.choices):
            self.view.typed = (self.view.typed + str(event.character))[:4]
            self.view.refresh()
            return
        buttons = buttons_of(self.view.scene)
        number = int(str(event.character))
        if 1 <= number <= len(buttons):
            self.pick(buttons[number - 1])

    def action_take_back(self) -> None:
        """Go back one step: close the panel, clear the typed value, or shorten the draft."""
        if self.has_class("panel") or self.focused is not self.view:
            self.remove_class("panel")
            self.view.focus()
        elif self.view.typed:
            self.show()
        elif self.draft:
            self.unpick()

    def action_undo(self) -> None:
        """Go back one step or, if there is none, undo the last move."""
        covered = self.has_class("panel") or self.focused is not self.view
        if covered or self.view.typed or self.draft or self.over:
            self.action_take_back()
        else:
            self.undo_move()

    # --- requests -------------------------------------------------------------------------------------------

    def action_panel(self, tab: str) -> None:
        """Open a tab of the side panel. If the tab is open over the table, close the panel."""
        if self.has_class("panel") and self.side.query_one("#tabs").active == tab:  # type: ignore[attr-defined]
            self.action_take_back()
            return
        prompt = self.view.scene.prompt
        self.add_class("panel")
        self.side.open_at(tab, prompt.clause if prompt else "")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_take_back()

    def action_inspect(self) -> None:
        """Show the description of the card or pile under the cursor."""
        sort, _, name = self.view.cursor.partition(":")
        if sort == "card":
            self.ask_about(name)
        elif sort == "zone":
            zone = next(zone for zone in self.view.scene.zones if zone.id == name)
            self.ask_about(zone.cards[-1].id if zone.cards else name + TOP)

    def choose(self, title: str, ways: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Show a menu, and do what the user chooses from it, if anything."""

        def chosen(number: int | None) -> None:
            if number is not None:
                ways[number][1]()

        self.app.push_screen(Menu(title, [words for words, _ in ways]), chosen)

    def show_card(self, told: Inspection) -> None:
        self.app.push_screen(CardDialog(told, self.catalogue))

    def action_help(self) -> None:
        self.app.push_screen(HelpDialog(self.keys))


class TableScreen(PlayScreen):
    """The screen of a sitting on this machine, from the first prompt to the end. Returns `again`, `menu` or `leave`."""

    BINDINGS: ClassVar[list[BindingType]] = [("w", "write"), ("a", "analysis")]

    keys: Sequence[tuple[str, str]] = (*KEYS, ("a", "after the game: its analysis"))

    def __init__(
        self,
        sitting: Sitting,
        path: Path,
        tempo: Tempo,
        notes: Path | None,
        calm: bool,
        compiles: bool,
    ) -> None:
        table = sitting.table
        super().__init__(Catalogue(table.game.faces(table.options), table.game.skin), tempo)
        self.sitting = sitting
        self.path = path
        self.compiles = compiles and sitting.searches
        self.round_clock, self.reflexes = RoundClock(calm), Reflexes(calm)
        self.bot_timer: Timer | None = None
        self.skips = False
        self.thinking: set[int] = set()  # seats of bots that think in threads now
        self.people = people_of(sitting)
        self.viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
        self.bites = read_bites(table.game.clauses)
        if notes and len(self.people) == 1:
            self.noting = Noting(table.game.name, self.bites, notes)

    def begin(self) -> None:
        self.sitting.save(self.path)
        self.set_interval(1, self.look_at_clock)
        self.view.focus()
        self.show()
        self.go_on()

    # --- scenes ---------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        ends = self.round_clock.deadline
        return timed(self.sitting.scene(self.viewer, self.draft), None if ends is None else ends - time.monotonic())

    @property
    def over(self) -> bool:
        return self.sitting.over

    @property
    def number(self) -> int:
        """The number of entries in the log, including undone moves and undos."""
        return len(self.sitting.log.entries)

    def side_panel(self) -> SidePanel:
        return SittingPanel(self.sitting)

    def update_side(self, scene: Scene) -> None:
        self.query_one(SittingPanel).update_from(scene)

    # --- the course of the game -----------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let the next bot move after its pause, pass the screen to the next person, or show the end. If frames are
        shown over the table, wait for them."""
        if (self.staging.keeps and self.staging.now) or self.skips:
            return
        if self.sitting.over:
            self.end()
            return
        state, bots, now = self.sitting.state, self.sitting.bots, time.monotonic()
        found = self.reflexes.next(state, bots, self.tempo.pause, now, self.number)
        if self.bot_timer:
            self.bot_timer.stop()
        if found:
            when, seat = found
            wait, move = when - time.monotonic(), partial(self.let_bot_move, seat)
            self.bot_timer = self.set_timer(max(0.001, wait), move) if self.tempo.pause else None
            if not self.tempo.pause:
                self.call_later(move)
        else:
            person = self.sitting.person_to_act()
            if person is not None and person != self.viewer:
                self.hand_over(person)

    def let_bot_move(self, seat: int) -> None:
        if isinstance(self.app.screen, NoteDialog) or self.skips:
            return
        if self.sitting.over or seat not in self.sitting.state.to_act or seat not in self.sitting.bots:
            return
        if self.sitting.thinks(seat):
            if seat not in self.thinking:
                self.let_bot_think(seat)
        else:
            self.sitting.play_bot(seat)
            self.bot_moved(seat)

    def bot_moved(self, seat: int) -> None:
        self.reflexes.moved(seat)
        self.after_move(self.kept_draft())

    @work
    async def let_bot_think(self, seat: int) -> None:
        """Let a bot think in a thread, and play its move unless the table has changed in the meantime."""
        sitting, number = self.sitting.still(), self.number
        self.thinking.add(seat)
        doing = "getting ready; the first time takes a while" if self.compiles else "thinking"
        saying = self.set_timer(SAYS_AFTER, partial(self.say, f"{self.sitting.names[seat]} is {doing}."))
        try:
            if self.compiles:
                await asyncio.to_thread(prepare_apart, sitting.table.game)
                self.compiles = False
            found = await asyncio.to_thread(sitting.bot_move, seat)
        finally:
            saying.stop()
            self.thinking.discard(seat)
        if self.number == number and not self.skips and not isinstance(self.app.screen, NoteDialog):
            self.sitting.play(seat, found.actions)
            self.bot_moved(seat)
            if found.reason.startswith(FORFEIT):
                self.notify(found.reason, markup=False)
        else:
            self.go_on()

    def kept_draft(self) -> tuple[int, ...]:
        """Return the part of the person's draft that is still valid after another seat has moved at the same time."""
        kept: tuple[int, ...] = ()
        for pick in self.draft:
            if all(choice.id != pick for choice in self.sitting.scene(self.viewer, kept).choices):
                return ()
            kept = (*kept, pick)
        return kept

    def after_move(self, draft: tuple[int, ...] = ()) -> None:
        self.draft = draft
        self.sitting.save(self.path)
        self.round_clock.update(self.sitting.state, time.monotonic())
        self.show()
        self.go_on()

    def look_at_clock(self) -> None:
        """Play the house's event if the time of a round is up; otherwise, update the clock of the round."""
        if self.skips:
            return
        called = self.round_clock.time_is_over(self.sitting.state, time.monotonic())
        if called is not None:
            self.sitting.play(HOUSE, called)
            self.after_move()
        elif self.round_clock.deadline is not None:
            self.redraw()

    def hand_over(self, person: int) -> None:
        """Pass the screen to another person. Only public cards are shown until that person confirms."""
        self.viewer = SPECTATOR
        self.show()

        def there(_: None) -> None:
            self.viewer = person
            self.show()

        self.app.push_screen(HandOver(self.sitting.names[person]), there)

    def end(self) -> None:
        if self.viewer == SPECTATOR and self.people:
            self.viewer = self.people[0]
            self.show()
        self.action_result()

    def action_result(self) -> None:
        def done(wish: str | None) -> None:
            if wish in AFTERWARDS:
                self.dismiss(wish)
            elif wish == DECIDED:
                self.show_decided()
            elif wish == ANALYSIS:
                self.action_analysis()

        self.app.push_screen(GameOver(self.sitting, self.scene, self.path), done)

    # --- picking --------------------------------------------------------------------------------------------

    def pick(self, choice: Choice) -> None:
        try:
            picked = self.sitting.seen(self.viewer).pick(self.draft, choice.id)
            if picked.move is None:
                self.draft = picked.draft
                self.show()
            else:
                had_choice = len(self.draft) > 0 or len(self.scene.choices) > 1
                self.sitting.play(self.viewer, picked.move)
                self.after_move()
                if had_choice and self.tempo.pause and len(self.people) == 1:
                    self.offer_undo()
        except IllegalMove as problem:
            self.say(str(problem))

    def skip_to_end(self) -> None:
        out = [seat.seat for seat in self.scene.seats if seat.state == "out"]
        if {*self.people} <= {*out}:
            self.play_out()
        else:
            self.say("Others are still playing; you will see the result when it ends.")

    @work(exclusive=True, group="skip")
    async def play_out(self) -> None:
        """Let bots play to the end, without pauses."""
        sitting = self.sitting
        self.skips = True
        try:
            while not sitting.over and (seat := sitting.bot_to_act()) is not None and sitting.person_to_act() is None:
                self.say(f"Skipping to the end: move {sitting.moves_made} …")
                found = await asyncio.to_thread(sitting.still().bot_move, seat)
                sitting.play(seat, found.actions)
        finally:
            self.skips = False
        self.after_move()

    @work(exclusive=True, group="undo")
    async def offer_undo(self) -> None:
        """If the last move can be undone, delay the bot that answers it by a few seconds."""
        number, sitting = self.number, self.sitting.still()

        def look_up() -> None:
            if self.number != number:
                raise IllegalMove("", "the table has moved on")

        with contextlib.suppress(IllegalMove):
            await asyncio.to_thread(sitting.check_taking_back, self.viewer, look_up)
            if self.number == number and self.sitting.person_to_act() is None and not self.over:
                self.reflexes.hold(number, time.monotonic() + OFFERED * self.tempo.pause / self.tempo.usual)
                self.say("Press u to take it back.")
                self.go_on()

    def undo_move(self) -> None:
        if self.viewer != SPECTATOR:
            self.take_move_back()

    @work(exclusive=True, group="undo")
    async def take_move_back(self) -> None:
        """Undo the last complete move and the answers of bots, or show the reason why that is not possible."""
        number, count = -1, 0
        while self.number != number:  # bots may answer meanwhile
            number, sitting = self.number, self.sitting.still()
            try:
                count = await asyncio.to_thread(sitting.check_taking_back, self.viewer)
            except IllegalMove as problem:
                self.say(problem.reason)
                return
        self.sitting.take_back(count)
        self.reflexes.due.clear()
        self.after_move()

    # --- requests -------------------------------------------------------------------------------------------

    def recall(self) -> None:
        self.film(self.sitting.moments_since(self.viewer))

    def show_decided(self) -> None:
        result = self.scene.result
        if result and result.decided:
            move = result.decided.move
            self.show_moves(self.sitting.moment(move - 1, self.viewer), self.sitting.moment(move, self.viewer))

    def find_hint(self) -> None:
        if self.viewer in self.sitting.state.to_act:
            self.show_hint(self.sitting.hint(self.viewer))
            self.think_further(self.sitting.still(), self.viewer)

    @work(exclusive=True, group="hint")
    async def think_further(self, sitting: Sitting, seat: int) -> None:
        """Improve a hint by searching for longer, as long as the hint is shown."""
        look = next_look(0, sitting.table.players)
        if look:
            await asyncio.to_thread(prepare_apart, sitting.table.game)
        while look:
            found = await asyncio.to_thread(sitting.hint, seat, look)
            if not self.is_hinting or self.number != len(sitting.log.entries):
                return
            self.show_hint(found, further=True)
            look = next_look(look, sitting.table.players)

    def ask_why(self, card: str) -> None:
        reason, clause = self.sitting.seen(self.viewer).why(self.draft, card)
        self.say(f"{reason} ({clause})" if clause else reason)
        bite = refused(self.bites, clause, card, self.scene)
        if self.noting and bite:
            self.noting.wait([bite])

    def ask_about(self, card: str) -> None:
        seen, table = self.sitting.seen(self.viewer), self.sitting.table
        try:
            told = inspect(table.game, self.catalogue.faces, self.scene, card, lambda card: seen.why(self.draft, card))
        except FairdealError as problem:
            self.say(str(problem))
        else:
            self.show_card(told)

    def action_analysis(self) -> None:
        """Open the analysis of a finished game."""
        if self.sitting.over:
            self.app.push_screen(AnalysisScreen(self.sitting, self.path, self.catalogue))

    def action_write(self) -> None:
        self.sitting.save(self.path)
        self.notify(str(self.path), title="Saved", markup=False)

    def action_leave(self) -> None:
        if self.sitting.over:
            self.action_result()
            return
        self.sitting.save(self.path)

        def answered(sure: bool | None) -> None:
            if sure:
                self.dismiss("leave")

        words = f"It is saved. Continue later from the menu, or with\nfairdeal play --resume '{self.path}'"
        self.app.push_screen(LeaveDialog(words), answered)
