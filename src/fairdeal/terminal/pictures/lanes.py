"""Frames with lanes drawn in characters: a title, then one line for each lane with its cards."""

from collections.abc import Callable, Sequence

from rich.style import Style

from fairdeal.engine.scene import Card, Panel, Zone
from fairdeal.terminal.pictures.canvas import BOLD, Canvas, shortened

NAME = 12
"""Width of a lane's name, in cells."""

FEW_LANES = 3
"""Maximum number of lanes in a single column. More lanes are drawn in two columns."""

Chip = Callable[[Card, int, int], int]
"""A function that draws a card as a chip of text at a cell, and returns the cell after it."""


def lane_rows(panel: Panel) -> int:
    """Return the number of lines that the lanes of a frame take."""
    return len(panel.rows) if len(panel.rows) <= FEW_LANES else -(-len(panel.rows) // 2)


def panel_lines(panel: Panel, zones: Sequence[Zone]) -> int:
    """Return the number of lines of a frame, which consist of its title, the cards outside of lanes, and the lanes."""
    return 1 + any(zone.panel == panel.id and not zone.row for zone in zones) + lane_rows(panel)


def draw_panel(
    canvas: Canvas, panel: Panel, zones: Sequence[Zone], top: int, width: int, chip: Chip, quiet: Style
) -> int:
    """Draw a frame with its lanes, and return the line below it."""
    x = canvas.put(2, top, f"⚔ {panel.title.upper()} ", BOLD)
    canvas.put(x + 1, top, shortened(panel.text, width - x - 2), quiet)
    y = top + 1
    for zone in (zone for zone in zones if zone.panel == panel.id and not zone.row):
        x = canvas.put(4, y, f"{zone.label} " if zone.label else "", quiet)
        draw_lying(canvas, zone, x, y, chip, quiet)
        y += 1
    across = 1 if len(panel.rows) <= FEW_LANES else 2
    for number, row in enumerate(panel.rows):
        left, line = 4 + number % across * (width // across), y + number // across
        canvas.put(left, line, shortened(row, NAME - 1), BOLD)
        x = left + NAME
        for zone in (zone for zone in zones if zone.panel == panel.id and zone.row == row):
            x = draw_lying(canvas, zone, x, line, chip, quiet) + 1
    return y + lane_rows(panel)


def draw_lying(canvas: Canvas, zone: Zone, x: int, y: int, chip: Chip, quiet: Style) -> int:
    """Draw the cards of a zone in a line, and return the cell after them. Several face-down cards are drawn as their
    number."""
    if len(zone.cards) > 1 and all(card.face is None for card in zone.cards):
        return canvas.put(x, y, f"▒×{zone.count}", quiet)
    for card in zone.cards:
        x = chip(card, x, y)
        if card.mark and card.face:
            x = canvas.put(x, y, f" {card.mark}", quiet)
    for _ in range(len(zone.cards), zone.slots):
        x = canvas.put(x, y, f"[{zone.gap or ' '}]", BOLD if zone.heed else quiet)
    return x
