"""Tips about surprising rules, shown over the table after the player has moved. Each tip is shown once, and a file
records which tips were read."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Static

from fairdeal.engine.files import read_json, user_file, write_whole
from fairdeal.engine.scene import Bitten, Card, Scene
from fairdeal.engine.scene.instruments import Race
from fairdeal.engine.tips import Bite
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.rules_page import example

HURRY = 60
"""Remaining time for a turn, in seconds, below which a tip is shown as a line that does not interrupt the player."""


CALM = 2
"""Number of the player's turns that must end before the first tip."""

OFF, HINT = "off", "hint"


class NoteDialog(ModalScreen[str]):
    """A dialog with a tip and an example made from the player's cards. Returns `off` if the user wants no more tips in
    this game, and `hint` if the user asks for a hint."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,q", "dismiss", "Got it"),
        ("n", f"dismiss({OFF!r})", "No more notes in this game"),
        ("h", f"dismiss({HINT!r})", "Hint"),
    ]

    def __init__(self, note: Bite, own: Sequence[Card], catalogue: Catalogue) -> None:
        super().__init__()
        self.note, self.own, self.catalogue = note, own, catalogue

    @property
    def line(self) -> str:
        """The tip as a line."""
        return as_line(self.note)

    def compose(self) -> ComposeResult:
        drawn = Text()
        example(drawn, self.note, self.own, self.catalogue)
        drawn.rstrip()
        with Vertical(classes="dialog"):
            yield Label("A rule that is new to you", classes="title")
            yield Static(Text.assemble(self.note.text, (f" {self.note.clause}", "dim")))
            if drawn:
                yield Static(Text.assemble("\n", drawn))
            with Horizontal(classes="buttons"):
                yield Button("Got it", variant="primary", id="read")
                yield Button("No more notes in this game (n)", id="off")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(OFF if event.button.id == "off" else None)


def as_line(note: Bite) -> str:
    """Return a tip in one line."""
    return f"{note.text} ({note.clause})"


class ReadTips(msgspec.Struct):
    """The tips that were read, by game, and the games in which the user wants no more tips."""

    read: dict[str, set[str]] = {}
    off: set[str] = set()


def notes_file() -> Path:
    """Return the path of the file that records the tips this user has read."""
    return user_file("notes.json")


class Noting:
    """A selection of the tips of a game to show at a table: at most one after each of the viewer's turns, and none
    during a race or before the second turn has ended."""

    def __init__(self, game: str, notes: Sequence[Bite], path: Path) -> None:
        self.game, self.path = game, path
        self.notes = {note.id: note for note in notes}
        self.waiting: Bitten | None = None
        self.turns = 0
        self.last: Scene | None = None

    def known(self) -> ReadTips:
        try:
            return read_json(self.path, ReadTips)
        except (OSError, msgspec.DecodeError):
            return ReadTips()

    def next_tip(self, scene: Scene) -> Bitten | None:
        """Return the tip to show with a scene, if the viewer's turn has just ended."""
        last, self.last = self.last, scene
        if last is None or (last.seq, last.events) == (scene.seq, scene.events) or scene.viewer < 0:
            return None
        ended = ends(last, scene)
        self.wait(scene.bites, instead=ended)
        if not ended:
            return None
        self.turns += 1
        if self.turns < CALM or isinstance(scene.stage, Race) or scene.mode == "over" or scene.result:
            return None
        found, self.waiting = self.waiting, None
        return found if found and self.is_new(found) else None

    def wait(self, bites: Sequence[Bitten], instead: bool = False) -> None:
        """Keep the first unread tip of `bites` until the viewer has moved. With `instead`, it replaces another tip."""
        if bites and (instead or not self.waiting):
            self.waiting = next(filter(self.is_new, bites), self.waiting)

    def is_new(self, bite: Bitten) -> bool:
        """Return whether a tip is unread and the user wants tips in this game."""
        known = self.known()
        return bite.id in self.notes and self.game not in known.off and bite.id not in known.read.get(self.game, set())

    def keep(self, note: str, no_more: bool = False) -> None:
        """Record that a tip was read. With `no_more`, also record that the user wants no more tips in this game."""
        known = self.known()
        known.read.setdefault(self.game, set()).add(note)
        if no_more:
            known.off.add(self.game)
        write_whole(self.path, msgspec.json.encode(known, order="sorted"), syncs=False)


def is_yours(scene: Scene) -> bool:
    """Return whether it is the viewer's turn."""
    return bool(scene.prompt and scene.prompt.mode == "yours")


def ends(last: Scene, scene: Scene) -> bool:
    """Return whether the viewer's turn has ended. With a single player, every move ends a turn."""
    return is_yours(last) and (not is_yours(scene) or (len(scene.seats) == 1 and scene.seq != last.seq))
