"""The dialogs over the table: help, passing the screen to another person, leaving, and the end of a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, OptionList, Static
from textual.widgets.option_list import Option

from fairdeal.engine.inspection import Inspection
from fairdeal.engine.scene import Card, Result, Scene, as_text
from fairdeal.table.log import Log
from fairdeal.table.sitting import Sitting
from fairdeal.table.verdict import code_of
from fairdeal.table.verification import verify
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.side_panel import pad

KEYS = (
    ("← →", "move between the things you can choose"),
    ("↑ ↓", "to the hand, the table, the buttons"),
    ("Space", "choose, or take a card back"),
    ("Enter", "the filled button, or what the cursor is on"),
    ("1 … 9", "the numbered buttons; a value can be typed"),
    ("Esc", "take back the last choice of an unfinished move"),
    ("u", "the same, or your last move and the bots’ replies, if nothing was revealed"),
    ("h", "a hint, with its reason"),
    ("x", "play the hint that is shown"),
    ("i", "the card under the cursor, read in full"),
    ("b", "replay what happened since your turn"),
    ("v", "speed: slow, normal, instant"),
    ("k", "when you are out: skip to the end"),
    ("g", "the goal, and the rules in short"),
    ("r", "the rules, at the clause that applies"),
    ("l  s  f", "log, score, proof of the fair deal"),
    ("d", "day or night"),
    ("w", "write the game to its file"),
    ("q", "leave; the game can be resumed"),
)


CLICKS = "Everything can be clicked. Click a dimmed card to see why it cannot be played."

DECIDED = "that-move"
"""The result of `Ending` if the user wants to see the move that decided the game."""

ANALYSIS = "analysis"
"""The result of `Ending` if the user wants to see the analysis."""


class HelpDialog(ModalScreen[None]):
    """A dialog with a list, such as that of the keys, which the arrows scroll on a small screen."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,enter,q", "dismiss", "Back")]

    def __init__(self, rows: Sequence[tuple[str, str]], title: str = "Keys", note: str = CLICKS) -> None:
        super().__init__()
        self.rows, self.heading, self.note = rows, title, note

    def compose(self) -> ComposeResult:
        grid = Grid.grid(padding=(0, 2))
        for key, meaning in self.rows:
            grid.add_row(Text(key, style="bold"), Text(meaning))
        with VerticalScroll(classes="dialog"):
            yield Label(self.heading, classes="title")
            yield Static(grid)
            yield Static(self.note, classes="sub", markup=False)


class HandOver(ModalScreen[None]):
    """A dialog that hides the table until the next person is at the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter,space", "dismiss", "Show my hand")]

    def __init__(self, name: str) -> None:
        super().__init__(id="hand-over")
        self.person = name

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(f"{self.person}, it is your turn", classes="title", markup=False)
            yield Static("Pass the screen on. Nobody's cards are shown until you press Enter.")
            yield Button("Show my hand", variant="primary", id="show")

    def on_button_pressed(self) -> None:
        self.dismiss()


class Menu(ModalScreen[int | None]):
    """A menu used with arrow keys or numbers. Returns the index of the choice."""

    DEFAULT_CSS = """
    Menu OptionList { width: 40; height: auto; max-height: 14; background: $surface; border: none; padding: 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, choices: Sequence[str]) -> None:
        super().__init__()
        self.heading = title
        self.choices = choices

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self.heading, classes="title")
            yield OptionList(
                *(Option(f"{number}  {words}") for number, words in enumerate(self.choices, start=1)), markup=False
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def on_key(self, event: events.Key) -> None:
        number = int(event.character) if event.character and event.character.isdecimal() else 0
        if 1 <= number <= len(self.choices):
            event.stop()
            self.dismiss(number - 1)


class CardDialog(ModalScreen[None]):
    """A dialog with the description of a card."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,i,q,space", "dismiss", "Back")]

    def __init__(self, told: Inspection, catalogue: Catalogue) -> None:
        super().__init__()
        self.told = told
        self.catalogue = catalogue

    def compose(self) -> ComposeResult:
        told, name = self.told, Text(self.told.name)
        if told.face in self.catalogue.faces:
            name = Text.assemble(self.catalogue.chip(Card(told.face, told.face)), f" {told.name}")
        grid = Grid.grid(padding=(0, 2, 0, 0))
        for head, words in (("Where", told.where), ("", told.text), ("Now", told.now), ("Seen", told.seen)):
            if words:
                grid.add_row(Text(head, style="bold"), Text(words))
        grid.add_row(Text("Rule", style="bold") if told.clause else "", Text(told.clause))
        with Vertical(classes="dialog"):
            yield Label(name, classes="title")
            yield Static(grid)


class LeaveDialog(ModalScreen[bool]):
    """A dialog that asks for confirmation before the user leaves a running game. `words` describes how to
    return to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,n", "dismiss(False)", "Stay"),
        ("y,q", "dismiss(True)", "Leave"),
    ]

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Leave this game?", classes="title")
            yield Static(Text(self.words))
            with Horizontal(classes="buttons"):
                yield Button("Stay", variant="primary", id="stay")
                yield Button("Leave", id="leave")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "leave")


class Ending(ModalScreen[str]):
    """A dialog with the result, the deciding move, the points, and the check of the deal. Returns the id of one of
    `wishes`, which are pairs of an id and a label, or `look`, `leave`, ANALYSIS or DECIDED. `score` is the score
    between the people at a room's table, in words."""

    AUTO_FOCUS = "Button"

    BINDINGS: ClassVar[list[BindingType]] = [
        ("a", f"dismiss('{ANALYSIS}')", "Analysis"),
        ("escape", "dismiss('look')", "Look at the table"),
        ("q", "dismiss('leave')", "Leave"),
    ]

    def __init__(self, scene: Scene, checked: Text, wishes: Sequence[tuple[str, str]], score: str = "") -> None:
        super().__init__(id="over")
        self.scene = scene
        self.checked = checked
        self.score = score
        result = scene.result
        if result and result.is_level:
            wishes = [wish for wish in wishes if wish[0] != ANALYSIS]
        decided = result is not None and result.decided is not None
        self.wishes = (*wishes[:1], (DECIDED, "That move"), *wishes[1:]) if decided else wishes

    def compose(self) -> ComposeResult:
        result = self.scene.result
        assert result is not None
        with Vertical(classes="dialog"):
            yield Label(result.text, classes="title", markup=False)
            with VerticalScroll(id="story", can_focus=False):
                if result.comfort:
                    yield Static(result.comfort, markup=False, id="comfort")
                if result.why:
                    yield Static(result.why, markup=False)
                if result.decided:
                    yield Static(as_text(result.decided.text), markup=False, id="decided")
                names = [seat.name for seat in self.scene.seats]
                scores = result.shown or [str(score) for score in result.scores]
                if result.is_ranked:
                    yield Static(podium(names, result, scores), id="podium")
                elif len(scores) == 1:
                    yield Static(f"{names[0]}  {scores[0]}", markup=False, id="podium")
                if self.score:
                    yield Static(f"Games won: {self.score}", markup=False, id="wins")
                if self.scene.score and self.scene.score.rows and len(self.scene.score.head) > 2:
                    yield Static(pad(self.scene.score), id="points")
                yield Static(self.checked, id="checked")
            with Horizontal(classes="buttons"):
                for number, (wish, words) in enumerate(self.wishes):
                    yield Button(words, variant="default" if number else "primary", id=wish)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or "look")


class GameOver(Ending):
    """The dialog at the end of a sitting on this machine. It can also return `menu`."""

    def __init__(self, sitting: Sitting, scene: Scene, path: Path) -> None:
        looks = (ANALYSIS, "Analysis"), ("look", "Table")
        wishes = (("again", "Rematch"), *looks, ("menu", "Menu"), ("leave", "Leave"))
        super().__init__(scene, fairly_dealt(verify(sitting.log.text())[0], str(path)), wishes)
        self.sitting = sitting


def fairly_dealt(log: Log, kept: str) -> Text:
    """Return the message that a log was verified, with the revealed seed and the path of the log."""
    assert log.seed is not None
    code = f"\nEverybody who was shown this game has the code {code_of(log)}." if log.signed_end else ""
    told = f"promise, deal, every move and the result were recomputed.{code}\n{log.seed.hex()}\n{kept}"
    return Text.assemble(("✓ The deal was fair: ", "bold"), told)


def not_proven(claims: Sequence[str]) -> Text:
    """Return the warning that a log contains no contradiction but leaves checks open, with a sentence for each."""
    return Text.assemble(("? Not proven. ", "bold"), "\n".join(claims))


def podium(names: Sequence[str], result: Result, scores: Sequence[str]) -> Grid:
    """Return the names sorted by place, with a longer bar for a better place."""
    grid, places = Grid.grid(padding=(0, 2)), result.places
    last = max(places)
    for seat in sorted(range(len(places)), key=lambda seat: (places[seat], seat)):
        bar = "█" * (3 + 5 * (last - places[seat]))
        style = "bold" if places[seat] == 1 else ""
        ordinal = result.ordinals[seat] if result.ordinals else ""
        grid.add_row(ordinal, Text(names[seat], style=style), Text(bar, style=style), Text(scores[seat]))
    return grid
