"""Fights drawn in characters: a column for each fighter with the value, the cards and the name."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from fairdeal.engine.scene import Card, Scene
from fairdeal.engine.scene.instruments import Fight, Fighter
from fairdeal.terminal.pictures.canvas import BOLD, Canvas, shortened
from fairdeal.terminal.pictures.cards import Catalogue

WIDEST = 16
"""Maximum width of a column, in cells."""


def steps_of(fight: Fight) -> int:
    """Return the number of card lines of the longest column."""
    return max((len(fighter.steps) for fighter in fight.columns), default=0) or 1


def told_of(fight: Fight) -> tuple[bool, bool, bool]:
    """Return whether any column has a value, a sum and a note, as three results. Lines that are empty in all columns
    are not drawn."""
    columns = fight.columns
    return any(one.value for one in columns), any(one.parts for one in columns), any(one.note for one in columns)


def fight_lines(fight: Fight) -> int:
    """Return the number of lines of a fight, which consist of title, values, cards, names and notes."""
    return 2 + sum(told_of(fight)) + steps_of(fight)


@dataclass(frozen=True)
class LineUp:
    """The drawing of a scene's fight. `chip` draws a card as a chip of text."""

    canvas: Canvas
    scene: Scene
    catalogue: Catalogue
    chip: Callable[[Card, int, int], int]
    quiet: Style

    def draw(self, fight: Fight, y: int, width: int) -> None:
        """Draw a fight, starting at line `y`."""
        pot = f"pot {fight.pot}" if fight.pot else ""
        self.canvas.centre(y, " · ".join(part for part in (fight.title, fight.text, pot, fight.next) if part), BOLD)
        across = min(WIDEST, (width - 2) // max(1, len(fight.columns)))
        left = (width - across * len(fight.columns)) // 2
        for number, fighter in enumerate(fight.columns):
            self.draw_column(fight, fighter, left + number * across, y + 1, across)

    def draw_column(self, fight: Fight, fighter: Fighter, x: int, y: int, across: int) -> None:
        """Draw a column: value, cards, name and note. A click on the column selects the seat."""
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
        """Draw the top card of each step of a column, from the first step down. Stakes are drawn as a number."""
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
        """Draw a card in the middle of its column."""
        wide = cell_len(self.catalogue.chip(card)[0])
        self.chip(card, x + max(0, (across - wide) // 2), y)
