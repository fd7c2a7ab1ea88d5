"""A table as text or as a picture: what the terminal draws, for environments to render."""

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
"""`human` prints to the standard output, `ansi` gives the same text, with colours, `rgb_array` a picture of it."""

WIDTH, HEIGHT = 100, 34
"""Columns and lines."""

CELL = (9, 18)
"""Pixels of a character, across and down."""

BELOW = 4
"""Pixels of a cell below the line on which letters stand."""

FONT_SIZE = 15

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
"""What is drawn without a colour of its own, and on what."""


def check_mode(mode: str | None) -> str | None:
    """The mode, if there is one of that name. Raises FairdealError."""
    if mode is not None and mode not in MODES:
        raise FairdealError(f"there is no render mode {mode!r}; there are {', '.join(MODES)}")
    return mode


def rendered(mode: str | None, view: State) -> str | NDArray[np.uint8] | None:
    """The table as the viewer of a concealed state sees it, in a mode; nothing without one."""
    if mode is None:
        return None
    canvas = drawn(view)
    if mode == "rgb_array":
        return pictured(canvas)
    if mode == "ansi":
        return written(canvas)
    print(written(canvas))
    return None


def drawn(view: State) -> Canvas:
    """The table as the terminal draws it."""
    from fairdeal.terminal.pictures.cards import Catalogue
    from fairdeal.terminal.pictures.look import Look
    from fairdeal.terminal.pictures.table_picture import TablePicture

    assert view.viewer is not None, "a whole state is shown to nobody"
    catalogue = Catalogue(view.game.faces(view.table.options), view.game.skin)
    return TablePicture(view.scene(view.viewer), catalogue, WIDTH, HEIGHT, Look()).canvas


def written(canvas: Canvas) -> str:
    """A canvas as text with the escape sequences of a terminal of 24-bit colours."""
    from rich.color import ColorSystem

    return "\n".join(
        "".join(style.render(text, color_system=ColorSystem.TRUECOLOR) for text, style in line)
        for line in canvas.runs()
    )


def pictured(canvas: Canvas) -> NDArray[np.uint8]:
    """A canvas as pixels: height, width, and red, green, blue."""
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
    """Ground and ink of what is written in a style."""
    ground = tuple(style.bgcolor.get_truecolor()) if style.bgcolor else BLACK
    ink = tuple(style.color.get_truecolor()) if style.color else WHITE
    return (ink, ground) if style.reverse else (ground, ink)


@cache
def font_for(character: str, bold: bool) -> FreeTypeFont:
    """The face in which a character is drawn: that of fixed width, if it has it."""
    import matplotlib
    from matplotlib.ft2font import FT2Font
    from PIL import ImageFont

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    weight = "-Bold" if bold else ""
    fixed, wide = (fonts / f"{family}{weight}.ttf" for family in ("DejaVuSansMono", "DejaVuSans"))
    has_it = FT2Font(fixed).get_char_index(ord(character))
    return ImageFont.truetype(fixed if has_it else wide, FONT_SIZE)
