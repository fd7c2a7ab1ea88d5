"""A fight in characters: a column for each fighter, with what counts over the cards and the name under them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from fairdeal.engine.scene import Card, Scene
from fairdeal.engine.scene.instruments import Fight, Fighter
from fairdeal.terminal.pictures.canvas import Canvas, shortened
from fairdeal.terminal.pictures.cards import Catalogue, short_name

WIDEST = 16
"""Cells of a column at most."""

BOLD = Style(bold=True)


def steps_of(fight: Fight) -> int:
    """How many lines of cards the longest column has."""
    return max((len(fighter.steps) for fighter in fight.columns), default=0) or 1


def told_of(fight: Fight) -> tuple[bool, bool, bool]:
    """Whether any column has a value, a sum, a note: what none has takes no line."""
    columns = fight.columns
    return any(one.value for one in columns), any(one.parts for one in columns), any(one.note for one in columns)


def fight_lines(fight: Fight) -> int:
    """How many lines it takes: the title, what counts, the steps, the names, how they stand."""
    return 2 + sum(told_of(fight)) + steps_of(fight)


@dataclass(frozen=True)
class LineUp:
    """Draws the fight of a scene; `chip` draws a card as a chip of text."""

    canvas: Canvas
    scene: Scene
    catalogue: Catalogue
    chip: Callable[[Card, int, int], int]
    quiet: Style

    def draw(self, fight: Fight, y: int, width: int) -> None:
        """Draw it from a line on."""
        pot = f"pot {fight.pot}" if fight.pot else ""
        self.canvas.centre(y, " · ".join(part for part in (fight.title, fight.text, pot, fight.next) if part), BOLD)
        across = min(WIDEST, (width - 2) // max(1, len(fight.columns)))
        left = (width - across * len(fight.columns)) // 2
        for number, fighter in enumerate(fight.columns):
            self.draw_column(fight, fighter, left + number * across, y + 1, across)

    def draw_column(self, fight: Fight, fighter: Fighter, x: int, y: int, across: int) -> None:
        """What counts, the cards, the name, how it stands. A click on it is one on the seat."""
        self.canvas.mark(x, y, across, fight_lines(fight) - 1, f"seat:{fighter.seat}")
        values, sums, _ = told_of(fight)
        self.canvas.centre(y, fighter.value, BOLD, x, across)
        self.canvas.centre(y + values, fighter.parts, self.quiet, x, across)
        y += values + sums
        self.draw_steps(fighter, x, y, across)
        y += steps_of(fight)
        name = next(seat.name for seat in self.scene.seats if seat.seat == fighter.seat)
        self.canvas.centre(y, shortened(name, across - 1), Style(bold=True, reverse=fighter.leads), x, across)
        self.canvas.centre(y + 1, fighter.note, self.quiet, x, across)

    def draw_steps(self, fighter: Fighter, x: int, y: int, across: int) -> None:
        """The cards of a column from the first step down, the top one of each; stakes by their number."""
        zones = {zone.id: zone for zone in self.scene.zones}
        for line, zone in enumerate([zones[name] for name in fighter.steps], start=y):
            if zone.layout == "lap":
                self.canvas.centre(line, f"▒×{zone.count}", self.quiet, x, across)
            elif zone.cards:
                self.draw_card(zone.cards[-1], x, line, across)
            else:
                style = BOLD if zone.heed else self.quiet
                self.canvas.centre(line, f"[{zone.gap or ' '}]", style, x, across)
        if fighter.face:
            self.draw_card(Card(id=f"last{fighter.seat}", face=fighter.face), x, y, across)

    def draw_card(self, card: Card, x: int, y: int, across: int) -> None:
        """A card in the middle of its column."""
        wide = cell_len(short_name(self.catalogue.face(card), card)) + 2
        self.chip(card, x + max(0, (across - wide) // 2), y)
