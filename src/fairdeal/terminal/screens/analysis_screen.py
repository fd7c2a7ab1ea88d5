"""The screen with the analysis of a finished game: the curve, the decisions one by one, and the cards at each
decision."""

from pathlib import Path
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.worker import get_current_worker

from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import FairdealError
from fairdeal.table.analysis import Analysis, Step, by_cost
from fairdeal.table.analysis.analyse import analyse, keep, kept
from fairdeal.table.analysis.hands import all_hands
from fairdeal.table.analysis.holdings import held
from fairdeal.table.analysis.view import AnalysisView, DecisionView, view_of
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.analysis_text import (
    LOUD,
    told_curve,
    told_decision,
    told_hands,
    told_held,
    told_shares,
    told_turns,
)
from fairdeal.terminal.screens.curves import STYLES, bar

TALL = 34
"""Minimum screen height, in lines, at which the curve is drawn taller."""

KEYS = "↑ ↓ decisions · h all hands · p whose · c by cost · t turning points, cards · Esc back"


class Left(Exception):
    """Raised to stop the analysis when the screen is closed."""


class AnalysisScreen(Screen[None]):
    """A screen that analyses a finished sitting, or shows the analysis saved next to its log."""

    AUTO_FOCUS = "#decisions"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,a", "dismiss", "Back"),
        ("p", "whose"),
        ("c", "by_cost"),
        ("h", "hands"),
        ("t", "summary"),
        ("d", "app.day_or_night"),
    ]

    def __init__(self, sitting: Sitting, log: Path, catalogue: Catalogue) -> None:
        super().__init__()
        self.sitting = sitting.still()
        self.log_file = log
        self.catalogue = catalogue
        self.begun: AnalysisView | None = None  # the course of the game, before its decisions are analysed
        self.found: AnalysisView | None = None
        self.whose: int | None = None  # all seats
        self.costs_first = False
        self.hands_open = False
        self.listed: list[DecisionView] = []

    def compose(self) -> ComposeResult:
        yield Static("Analysing the game …", id="curve")
        with Horizontal(id="looked-at"):
            yield OptionList(id="decisions", markup=False)
            with VerticalScroll(id="decision", can_focus=False):
                yield Static(id="told")
        yield Static(KEYS, id="analysis-keys")

    def on_mount(self) -> None:
        self.load_analysis()

    def on_resize(self, event: events.Resize) -> None:
        self.draw_curve()

    # --- the analysis ---------------------------------------------------------------------------------------

    @work(thread=True, group="analysis")
    def load_analysis(self) -> None:
        """Load the saved analysis, or compute it."""
        app, worker, chain = self.app, get_current_worker(), self.sitting.log.chain()

        def progress(step: Step) -> None:
            if worker.is_cancelled:
                raise Left
            app.call_from_thread(self.show_progress, step)

        found = kept(self.log_file, chain, None)
        if found is None:
            try:
                compiled.compiled(self.sitting.table.game)
                found = analyse(self.sitting, progress=progress)
                keep(self.log_file, found)
            except Left:
                return
            except (FairdealError, OSError) as problem:
                app.call_from_thread(self.complain, str(problem))
                return
        if not worker.is_cancelled:
            app.call_from_thread(self.show, found)

    def show_progress(self, step: Step) -> None:
        """Show the progress of the analysis, above the curve once it is known."""
        self.begun = view_of(step.begun) if step.begun else self.begun
        what = "decisions" if self.begun else "course of the game"
        told = Text(f"Analysing the {what}, move {step.done} of {step.of} ")
        told.append(bar(step.done / step.of, 20))
        self.say(Group(told, *self.curve_of(self.begun)) if self.begun else told)

    def complain(self, problem: str) -> None:
        self.say(Text(problem))

    def say(self, words: Text | Group) -> None:
        for curve in self.query("#curve"):  # none if the screen has just been left
            assert isinstance(curve, Static)
            curve.update(words)

    # --- views ----------------------------------------------------------------------------------------------

    def show(self, found: Analysis) -> None:
        self.found = view_of(found)
        self.list_decisions()

    def draw_curve(self) -> None:
        """Draw the curve, with a mark at the current decision."""
        if self.found is None:
            return
        title = Text(f"{self.sitting.table.game.title}: {self.found.result}", style="bold", no_wrap=True)
        self.say(Group(title, *self.curve_of(self.found, self.current.move if self.current else None)))

    def curve_of(self, found: AnalysisView, at: int | None = None) -> list[Text]:
        return told_curve(found, self.size.width - 2, 11 if self.size.height >= TALL else 7, at)

    @property
    def current(self) -> DecisionView | None:
        """The highlighted decision, or None."""
        place = self.query_one("#decisions", OptionList).highlighted
        return self.listed[place] if place is not None and place < len(self.listed) else None

    def list_decisions(self) -> None:
        """List the decisions of one seat or of all seats, in order of play or by cost."""
        assert self.found is not None
        chosen = [one for one in self.found.decisions if self.whose in (None, one.seat)]
        self.listed = by_cost(chosen) if self.costs_first else chosen
        options = self.query_one("#decisions", OptionList)
        options.clear_options()
        options.add_options([self.line(one) for one in self.listed])
        if self.listed:
            options.highlighted = 0
        else:
            self.action_summary()
        self.draw_curve()

    def line(self, one: DecisionView) -> Text:
        """Return a decision's line in the list, such as `23 Ada  −26 blunder`."""
        assert self.found is not None
        words = Text(f"{one.move + 1:>3} ", no_wrap=True, overflow="ellipsis")
        words.append(f"{self.found.names[one.seat][:10]:<10} ", STYLES[one.seat % 8])
        words.append(f"{one.lost:<4}")
        return words.append(one.label, LOUD.get(one.label, ""))

    def on_option_list_option_highlighted(self) -> None:
        one = self.current
        if one and self.found:
            self.query_one("#told", Static).update(told_decision(self.found, one))
            self.query_one("#decision", VerticalScroll).scroll_home(animate=False)
            self.draw_curve()
            self.look_at_cards(one)

    @work(thread=True, group="cards", exclusive=True)
    def look_at_cards(self, one: DecisionView) -> None:
        """Add all hands, or the cards that the rivals could have held, to the description of the highlighted
        decision."""
        worker, sitting = get_current_worker(), self.sitting.still()
        assert self.found is not None
        if self.hands_open:
            words = told_hands(self.found, all_hands(sitting, one.move), self.catalogue)
        else:
            words = told_held(self.found, held(sitting, one.move, one.seat), self.catalogue)
        if not worker.is_cancelled:
            self.app.call_from_thread(self.show_cards, one, words)

    def show_cards(self, one: DecisionView, words: Text) -> None:
        if self.found and self.current is one:
            self.query_one("#told", Static).update(told_decision(self.found, one).append_text(words))

    # --- keys -----------------------------------------------------------------------------------------------

    def action_whose(self) -> None:
        """List the decisions of the next seat, or of all seats."""
        if self.found:
            last = self.whose == len(self.found.names) - 1
            self.whose = None if last else 0 if self.whose is None else self.whose + 1
            self.list_decisions()

    def action_by_cost(self) -> None:
        """Switch between sorting by order of play and sorting by cost."""
        if self.found:
            self.costs_first = not self.costs_first
            self.list_decisions()

    def action_hands(self) -> None:
        """Switch between all hands face up and the cards that the rivals could have held."""
        self.hands_open = not self.hands_open
        self.on_option_list_option_highlighted()

    def action_summary(self) -> None:
        """Show the turning points, and the sources of each seat's result."""
        if self.found:
            heads = Text("Turning points", style="bold"), Text("\nCards and play", style="bold")
            parts = heads[0], told_turns(self.found), heads[1], told_shares(self.found)
            self.query_one("#told", Static).update(Group(*parts))
