"""Draw cards as text, given a face and a skin: full size, compact, or as a short label."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from fairdeal.engine.scene import Card, Face, Skin
from fairdeal.terminal.pictures.canvas import Canvas

Size = tuple[int, int]

FULL: Size = (7, 5)
COMPACT: Size = (5, 3)
SLIP: Size = (5, 1)
CHIP: Size = (0, 1)
"""Sizes of cards, in cells across and down. A slip has no frame, and a chip is as wide as its name."""

LIT = "#ffc400"
LIT_INK = "#1d1a16"
LIGHT = Style(color=LIT_INK, bgcolor=LIT, bold=True)
BORDERS = {
    "plain": "╭─╮│╰╯",
    "lit": "┏━┓┃┗┛",
    "chosen": "╔═╗║╚╝",
    "aim": "┌╌┐╎└┘",
}


@dataclass(frozen=True)
class Catalogue:
    """The faces and the skin of a game, from which all its cards are drawn."""

    faces: Mapping[str, Face]
    skin: Skin

    def face(self, card: Card) -> Face | None:
        return self.faces.get(card.face) if card.face else None

    def chip(self, card: Card) -> tuple[str, Style]:
        """Return a card as a chip: its short name, and its colours."""
        face = self.face(card)
        return f" {short_name(face, card)} ", self.style(face)

    def style(self, face: Face | None) -> Style:
        """Return the background and ink of a face, or of a card back if `face` is None."""
        if face is None:
            return Style(color=self.skin.back.ink, bgcolor=self.skin.back.ground)
        inks = self.skin.kinds[face.kind]
        ink = inks.ink
        if face.tone >= 0:
            dark = is_dark(inks.ground)
            tones = self.skin.light_tones if dark and self.skin.light_tones else self.skin.tones
            ink = tones[face.tone]
        return Style(color=ink, bgcolor=inks.ground, bold=True)


def frame_style(style: Style, state: str, cursor: bool) -> Style:
    """Return the style of a card's frame. It is amber if the card can be chosen, and filled if it has been chosen. The
    cursor is never amber."""
    if cursor:
        return Style(color=LIT_INK, bgcolor="#ffffff", bold=True)
    if state == "lit":
        return Style(color=LIT, bgcolor=LIT_INK, bold=True)
    if state == "chosen":
        return LIGHT
    return style


def is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red * 3 + green * 6 + blue < 1280


def short_name(face: Face | None, card: Card) -> str:
    """Return the short name of a card for its chip, such as `11×`, `11×→22` or `6●`."""
    if face is None:
        return "▒"
    name = corner_of(face) or face.title or face.name
    if card.as_:
        return f"{name}→{card.as_}"
    return f"{name}→{card.value}" if card.load else name


def corner_of(face: Face) -> str:
    """Return the few characters that identify a card at its left edge, which is the visible part in a fan."""
    multiplies = "×" if face.step.startswith("×") else ""  # unlike cards that add
    return (face.corner or face.big) + (face.glyph or multiplies)


def draw_chip(canvas: Canvas, x: int, y: int, card: Card, catalogue: Catalogue, state: str) -> int:
    """Draw a card as a line of text in its colours. Return the cell after it."""
    name, style = catalogue.chip(card)
    if state == "lit":
        style += Style(underline=True)
    canvas.mark(x, y, cell_len(name), 1, f"card:{card.id}")
    return canvas.put(x, y, name, style)


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    card: Card,
    catalogue: Catalogue,
    *,
    size: Size = FULL,
    state: str = "plain",
    cursor: bool = False,
    faded: bool = False,
) -> None:
    """Draw a card with its frame. `state` is `plain`, `lit`, `chosen` or `aim`, and changes the shape of the frame as
    well as its colour."""
    width, height = size
    face = catalogue.face(card)
    style = catalogue.style(face) + (Style(dim=True) if faded else Style())
    frame = frame_style(style, state, cursor)
    if height == 1:
        draw_slip(canvas, x, y, card, catalogue, width, state, cursor)
        return
    draw_frame(canvas, x, y, size, state, frame, style)
    for row, text in enumerate(inner_lines(face, card, catalogue, width - 2, height - 2)):
        canvas.put(x + 1, y + 1 + row, text, style)
    if card.as_ and face and height == COMPACT[1]:
        canvas.put(x + width // 2, y, corner_of(face), frame)
    if state == "chosen":
        canvas.put(x + width - 2, y, "✓", frame)
    if cursor:
        canvas.put(x, y, "▸", frame)
    if card.mark:
        canvas.centre(y + height - 1, card.mark[:width], frame, x, width)
    canvas.mark(x, y, width, height, f"card:{card.id}")


def draw_frame(canvas: Canvas, x: int, y: int, size: Size, state: str, frame: Style, inside: Style) -> None:
    """Draw the frame of a card or of an empty place, and clear what is inside it."""
    width, height = size
    top_left, across, top_right, side, low_left, low_right = tuple(BORDERS[state])
    canvas.put(x, y, top_left + across * (width - 2) + top_right, frame)
    for row in range(y + 1, y + height - 1):
        canvas.put(x, row, side, frame)
        canvas.put(x + 1, row, " " * (width - 2), inside)
        canvas.put(x + width - 1, row, side, frame)
    canvas.put(x, y + height - 1, low_left + across * (width - 2) + low_right, frame)


SLIPS = {"plain": "  ", "lit": "[]", "chosen": "✓]", "aim": "◂▸"}
"""The left and right ends of a slip, by its state."""


def draw_slip(
    canvas: Canvas, x: int, y: int, card: Card, catalogue: Catalogue, width: int, state: str, cursor: bool
) -> None:
    """Draw a card on one line: its name between two ends that show its state."""
    face = catalogue.face(card)
    frame = frame_style(catalogue.style(face), state, cursor)
    start, end = tuple(SLIPS[state])
    name = f"?{card.as_}" if card.as_ else catalogue.skin.back_sign if face is None else short_name(face, card)
    canvas.put(x, y, "▸" if cursor else start, frame)
    canvas.put(x + 1, y, padded(name[: width - 2], width - 2), catalogue.style(face))
    canvas.put(x + width - 1, y, end, frame)
    canvas.mark(x, y, width, 1, f"card:{card.id}")


def inner_lines(face: Face | None, card: Card, catalogue: Catalogue, width: int, height: int) -> list[str]:
    """Return the lines inside the frame. The three leftmost cells are enough to identify a card in a fan."""
    if face is None:
        sign = catalogue.skin.back_sign
        return [f"{sign if row == height // 2 else '░':^{width}}" for row in range(height)]
    corner = corner_of(face)
    if height == 1:
        lines = [card.as_ or (str(card.value) if card.load else corner or face.title[:width])]
    elif not corner:
        words = [word[:width] for word in face.title.split()]
        lines = [*[*words, "", ""][: height - 1], foot(face, width)]
    elif card.as_:
        lines = [corner, f"→{card.as_}", ""]
    elif card.load:
        lines = [corner, f"▸{card.value}", f"●{card.load}"]
    else:
        lines = [corner, face.glyph, foot(face, width)]
    if corner and height > 1:  # it is at the left edge
        lines[0] += " " * (width - cell_len(corner))
    return [padded(line, width) for line in lines[:height]]


def padded(text: str, width: int) -> str:
    """Return text centred in `width` cells."""
    room = max(0, width - cell_len(text))
    return " " * (room // 2) + text + " " * (room - room // 2)


def foot(face: Face, width: int) -> str:
    """Return the text at the bottom of a card, or an empty string if it does not fit."""
    text = ":" * (face.pips // 2) + "·" * (face.pips % 2) if face.pips else face.foot or face.step
    return text if cell_len(text) <= width else ""
