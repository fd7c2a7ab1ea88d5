"""The panel beside the table: log, rules, score and proof of the deal."""

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, OptionList, RichLog, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from fairdeal.engine import rulebook
from fairdeal.engine.options import changed
from fairdeal.engine.page import filled, page_of, told_clauses
from fairdeal.engine.scene import LogLine, Scene, Score, Sentence, as_text
from fairdeal.engine.scene.points import counted
from fairdeal.table.log import Log
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verify
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.rules_page import told_page

MOST_LINES = 10_000
"""Maximum number of lines of the log, and of the chat, that are kept in memory."""

MARKS = {"R": "in print", "A": "our ruling", "X": "of this edition"}


class SidePanel(Widget):
    """A panel with five tabs: log, how to play, rules, score and fair. More tabs can be added."""

    def __init__(self, clauses: Sequence[rulebook.Clause], page: Text, *more: TabPane) -> None:
        super().__init__(id="side")
        self.clauses = clauses
        self.page = page
        self.more = more

    def compose(self) -> ComposeResult:
        with TabbedContent(id="tabs"):
            with TabPane("Log", id="log"):
                yield RichLog(wrap=True, markup=False, highlight=False, min_width=20, max_lines=MOST_LINES, id="lines")
            with TabPane("How", id="how"), VerticalScroll():
                yield Static(self.page, id="page")
            with TabPane("Rules", id="rules"):
                yield Input(placeholder="Find in the rules", id="find", compact=True)
                yield OptionList(*self.found(""), id="clauses", markup=False)
            with TabPane("Score", id="score"), VerticalScroll():
                yield Static(id="pad")
            with TabPane("Fair", id="fair"), VerticalScroll():
                yield Static(id="proof")
            yield from self.more

    # --- tabs -----------------------------------------------------------------------------------------------

    def tell(self, lines: Iterable[Text]) -> None:
        """Add lines to the log, except empty ones."""
        log = self.query_one("#lines", RichLog)
        for line in filter(None, lines):
            log.write(line)

    def forget(self) -> None:
        """Clear the log."""
        self.query_one("#lines", RichLog).clear()

    def show_score(self, score: Score | None) -> None:
        self.query_one("#pad", Static).update(pad(score) if score else Text("No points yet."))

    def show_proof(self, steps: Text) -> None:
        self.query_one("#proof", Static).update(steps)

    def open_at(self, tab: str, clause: str = "") -> None:
        """Show a tab and, in the rules tab, the given clause."""
        self.query_one(TabbedContent).active = tab
        if tab == "rules":
            self.query_one("#find", Input).value = ""
            self.list_clauses("")
            clauses = self.query_one("#clauses", OptionList)
            ids = [one.id for one in self.clauses]
            if clause in ids:
                clauses.highlighted = ids.index(clause)
                self.call_after_refresh(clauses.scroll_to_highlight, top=True)
            clauses.focus()
        elif tab == "how":
            self.query_one("#how VerticalScroll").focus()

    def list_clauses(self, wanted: str) -> None:
        """List all clauses that contain a word."""
        clauses = self.query_one("#clauses", OptionList)
        clauses.clear_options()
        clauses.add_options(self.found(wanted))

    def found(self, wanted: str) -> Iterator[Option]:
        for one in self.clauses:
            if wanted.lower() in f"{one.id} {one.text}".lower():
                yield Option(clause_text(one), id=one.id)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.list_clauses(event.value)


class SittingPanel(SidePanel):
    """The panel of a sitting on this machine."""

    def __init__(self, sitting: Sitting) -> None:
        game = sitting.table.game
        faces = game.faces(sitting.table.options)
        page = told_page(filled(page_of(game), faces), Catalogue(faces, game.skin), changed(sitting.table.options))
        super().__init__(told_clauses(game), page)
        self.sitting = sitting
        self.told = 0
        self.viewer = -1

    def update_from(self, scene: Scene) -> None:
        """Update all tabs for a scene. The log starts again for a new viewer and after an undo."""
        if scene.viewer != self.viewer or self.told > self.sitting.moves_made:
            self.forget()
            self.told, self.viewer = 0, scene.viewer
        self.tell(self.line(number) for number in range(self.told + 1, self.sitting.moves_made + 1))
        self.told = self.sitting.moves_made
        self.show_score(scene.score)
        self.prove()

    def prove(self) -> None:
        """Update the proof of the deal."""
        log = self.sitting.log
        checked = [one.text for one in verify(log.text())[1] if one.ok] if log.seed else None
        self.show_proof(proof(log.commitment, log, log.seed.hex() if log.seed else "", checked))

    def line(self, number: int) -> Text:
        """Return the log line of a move."""
        lines = [line for _, line in self.sitting.events_of(number, self.viewer)]
        clauses = [clause for line in lines for clause in line.clauses]
        ended = self.sitting.round(number, self.viewer)
        if ended:
            names = ["You" if seat == self.viewer else name for seat, name in enumerate(self.sitting.names)]
            lines.append(LogLine(Sentence(f"Counted: {counted(ended, names)}.")))
        return log_line(number, [as_text(line.text) for line in lines], clauses, self.sitting.names)


class LessonPanel(SittingPanel):
    """The panel beside a lesson, whose deal is fixed."""

    def begin_anew(self, sitting: Sitting) -> None:
        """Continue with another sitting, after a return to an earlier step of the lesson."""
        self.sitting, self.viewer = sitting, -1

    def prove(self) -> None:
        self.show_proof(Text("The cards of a lesson are fixed in advance, so there is nothing to prove."))


def clause_text(one: rulebook.Clause) -> Text:
    return Text.assemble((f"{one.id} ", "bold"), (f"{MARKS[one.mark]}\n", "bold dim italic"), (one.text, "not bold"))


def log_line(number: int, sentences: Sequence[str], clauses: Iterable[str], names: Sequence[str]) -> Text:
    """Return the log line of a move: names in bold, followed by the clauses of rules that took effect automatically.
    The line is empty for a move without sentences, such as a pass in a window."""
    if not any(sentences):
        return Text()
    text = Text(f"{number:>3} ", style="dim")
    words = Text(" ".join(sentences))
    words.highlight_words([*names, "You"], style="bold")
    text.append_text(words)
    acted = " ".join(dict.fromkeys(clauses))
    if acted:
        text.append(f" {acted}", style="dim")
    return text


def pad(score: Score) -> Grid:
    """Return the score pad."""
    grid = Grid(*(Column(Text(word)) for word in score.head), box=None, header_style="bold", pad_edge=False)
    for column in grid.columns[1:]:
        column.justify = "right"
    for row in score.rows:
        grid.add_row(*(Text(str(cell)) for cell in row))
    return grid


def proof(commitment: str, log: Log | None, seed: str, checked: Sequence[str] | None, mixed: bool = False) -> Text:
    """Return the proof of the fair deal as far as it is known, in up to four steps: the commitment, the players'
    nonces, the seed, and the checks. `log` has the header of the deal, if the cards are dealt. `mixed` means that the
    viewer's own nonce is in it: only then does the viewer know that nobody chose the cards. `checked` is None during
    the game, and empty if something is wrong or not proven, or not checked yet."""
    players = log.players if log else []
    chosen = not mixed or any(player.withheld for player in players) or bool(log and log.failed)
    parts: list[str | tuple[str, str]] = []
    if checked is None or checked:
        promise = (
            "Nobody can change these cards." if chosen else "Nobody picked these cards, and nobody can change them."
        )
        parts += [
            (f"{promise}\n", "bold"),
            ("They follow from a secret seed and the players' numbers, all fixed before the deal.\n\n", "dim"),
        ]
    parts += [
        ("✓ Sealed\n", "bold"),
        ("The fingerprint (SHA-256) of the secret seed:\n", "dim"),
        f"{commitment}\n\n",
        (f"{'✓' if players else '…'} Mixed\n", "bold"),
        (f"A number from every seat{'' if chosen else ', so that nobody chose the cards'}:\n", "dim"),
        *(f"{player.name} {player.nonce}\n" for player in players),
        (f"\n{'✓' if seed else '…'} Opened\n", "bold"),
        f"{seed}\n" if seed else ("The seed is shown when the game is over. Then everything can be checked.\n", "dim"),
    ]
    if seed and checked:
        parts += [("\n✓ Verified\n", "bold"), "\n".join(checked)]
    return Text.assemble(*parts)
