"""Tips about surprising rules, shown over the table. Each tip is shown once; a file records those that were read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
from platformdirs import user_data_dir
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Static

from fairdeal.engine.files import from_json
from fairdeal.engine.scene import Bitten, Card, Scene
from fairdeal.engine.scene.instruments import Race
from fairdeal.engine.tips import Bite
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.rules_page import example

HURRY = 60
"""Time for a turn, in seconds, below which a tip is shown as a line that does not interrupt the player."""


class NoteDialog(ModalScreen[bool]):
    """A dialog with a tip, and an example made of the cards concerned. Returns whether the user wants no more tips in
    this game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss(False)", "Got it"),
        Binding("n", "dismiss(True)", "No more notes in this game"),
    ]

    def __init__(self, note: Bite, own: Sequence[Card], catalogue: Catalogue) -> None:
        super().__init__()
        self.note, self.own, self.catalogue = note, own, catalogue

    def compose(self) -> ComposeResult:
        drawn = Text()
        example(drawn, self.note, self.own, self.catalogue)
        drawn.rstrip()
        with Vertical(classes="dialog"):
            yield Label("A rule you have not met before", classes="title")
            yield Static(Text.assemble(self.note.text, (f" {self.note.clause}", "dim")))
            if drawn:
                yield Static(Text.assemble("\n", drawn))
            with Horizontal(classes="buttons"):
                yield Button("Got it", variant="primary", id="read")
                yield Button("No more notes in this game (n)", id="off")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "off")


class Known(msgspec.Struct):
    """The tips that were read, by game, and the games in which the user wants no more tips."""

    read: dict[str, set[str]] = {}
    off: set[str] = set()


def notes_file() -> Path:
    """Return the path of the file that records the tips this user has read."""
    return Path(user_data_dir("fairdeal", appauthor=False)) / "notes.json"


class Noting:
    """A selection of the tips of a game to show at a table: at most one in a turn, and none in a race."""

    def __init__(self, game: str, notes: Sequence[Bite], path: Path) -> None:
        self.game, self.path = game, path
        self.notes = {note.id: note for note in notes}
        self.told = False
        self.last: Scene | None = None

    def known(self) -> Known:
        try:
            return from_json(self.path.read_bytes(), Known)
        except (OSError, msgspec.DecodeError):
            return Known()

    def look(self, scene: Scene) -> Bitten | None:
        """Return the tip to show with a scene, unless the scene is unchanged."""
        last, self.last = self.last, scene
        if last and (last.seq, last.events) == (scene.seq, scene.events):
            return None
        if begins(last, scene):
            self.told = False
        return self.first(scene.bites, scene) if last else None

    def first(self, bites: Sequence[Bitten], scene: Scene) -> Bitten | None:
        """Return the first unread tip of `bites`, if one may be shown now."""
        in_race = isinstance(scene.stage, Race)
        if not bites or self.told or in_race or scene.mode == "over" or scene.result or scene.viewer < 0:
            return None
        known = self.known()
        if self.game in known.off:
            return None
        read = known.read.get(self.game, set())
        found = next((bite for bite in bites if bite.id in self.notes and bite.id not in read), None)
        self.told = found is not None
        return found

    def keep(self, note: str, no_more: bool = False) -> None:
        """Record that a tip was read. With `no_more`, also record that the user wants no more tips in this game."""
        known = self.known()
        known.read.setdefault(self.game, set()).add(note)
        if no_more:
            known.off.add(self.game)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(msgspec.json.encode(known, order="sorted"))


def begins(last: Scene | None, scene: Scene) -> bool:
    """Return whether the viewer's turn begins. With a single player, every move begins a turn."""

    def yours(one: Scene | None) -> bool:
        return bool(one and one.prompt and one.prompt.mode == "yours")

    return len(scene.seats) == 1 or (yours(scene) and not yours(last))
