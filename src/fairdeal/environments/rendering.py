"""Rendering of a table as text or as an image, as in the terminal."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import State

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont
    from rich.style import Style

    from fairdeal.terminal.pictures.canvas import Canvas

MODES = ("human", "ansi", "rgb_array")
"""The render modes: `human` prints the table, `ansi` returns it as coloured text, and `rgb_array` as an image."""

WIDTH, HEIGHT = 100, 34
"""Width and height of the canvas, in columns and lines."""

CELL = (9, 18)
"""Width and height of a character cell, in pixels."""

BELOW = 4
"""Distance from the baseline of letters to the bottom of a cell, in pixels."""

FONT_SIZE = 15

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
"""Default background colour and default foreground colour."""


def check_mode(mode: str | None) -> str | None:
    """Return `mode`. Raises FairdealError if the mode is unknown."""
    if mode is not None and mode not in MODES:
        raise FairdealError(f"there is no render mode {mode!r}; the modes are {', '.join(MODES)}")
    return mode


def rendered(mode: str | None, view: State) -> str | NDArray[np.uint8] | None:
    """Render the table in the given mode, as seen by the viewer of a concealed state. Return None if `mode` is None."""
    if mode is None:
        return None
    canvas = drawn(view)
    if mode == "rgb_array":
        return pictured(canvas)
    if mode == "ansi":
        return ansi_text(canvas)
    print(ansi_text(canvas))
    return None


def drawn(view: State) -> Canvas:
    """Return the table as drawn in the terminal."""
    from fairdeal.terminal.pictures.cards import Catalogue
    from fairdeal.terminal.pictures.look import Look
    from fairdeal.terminal.pictures.table_picture import TablePicture

    assert view.viewer is not None, "the state must be concealed"
    catalogue = Catalogue(view.game.faces(view.table.options), view.game.skin)
    return TablePicture(view.scene(view.viewer), catalogue, WIDTH, HEIGHT, Look()).canvas


def ansi_text(canvas: Canvas) -> str:
    """Return a canvas as text with escape sequences for 24-bit colours."""
    from rich.color import ColorSystem

    return "\n".join(
        "".join(style.render(text, color_system=ColorSystem.TRUECOLOR) for text, style in line)
        for line in canvas.runs()
    )


def pictured(canvas: Canvas) -> NDArray[np.uint8]:
    """Return a canvas as pixels, in an array of shape (height, width, 3)."""
    from PIL import Image, ImageDraw

    across, down = CELL
    image = Image.new("RGB", (canvas.width * across, canvas.height * down))
    draw = ImageDraw.Draw(image)
    cells = [(line, column, *cell) for line, row in enumerate(canvas.cells) for column, cell in enumerate(row)]
    for line, column, _, style in cells:
        left, top = column * across, line * down
        draw.rectangle((left, top, left + across - 1, top + down - 1), fill=colours(style)[0])
    for line, column, character, style in cells:
        ink = colours(style)[1]
        if character.strip():
            place = (column * across, (line + 1) * down - BELOW)
            draw.text(place, character, fill=ink, font=font_for(character, bool(style.bold)), anchor="ls")
        if style.underline:
            y = (line + 1) * down - 2
            draw.line((column * across, y, (column + 1) * across - 1, y), fill=ink)
    return np.asarray(image)


def colours(style: Style) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the background and foreground colour of a style."""
    ground = tuple(style.bgcolor.get_truecolor()) if style.bgcolor else BLACK
    ink = tuple(style.color.get_truecolor()) if style.color else WHITE
    return (ink, ground) if style.reverse else (ground, ink)


@cache
def font_for(character: str, bold: bool) -> FreeTypeFont:
    """Return the font for a character: the monospaced font if it has the character, or else the proportional one."""
    import matplotlib
    from matplotlib.ft2font import FT2Font
    from PIL import ImageFont

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    weight = "-Bold" if bold else ""
    fixed, wide = (fonts / f"{family}{weight}.ttf" for family in ("DejaVuSansMono", "DejaVuSans"))
    has_it = FT2Font(fixed).get_char_index(ord(character))
    return ImageFont.truetype(fixed if has_it else wide, FONT_SIZE)
