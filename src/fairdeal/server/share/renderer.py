"""A program that the room runs to draw a picture: it reads SVG from stdin and writes PNG to stdout. The library holds
the GIL while it draws, which would delay the room's responses."""

import os
import sys

import resvg_py

from fairdeal.server.share.lettering import FONTS


def rendered(svg: str) -> bytes:
    """Return a picture as PNG, drawn only with the fonts of this package."""
    fonts = sorted(str(path) for path in FONTS.glob("*.ttf"))
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts)


def main(niceness: int) -> None:
    """Draw the picture that is read from stdin."""
    if sys.platform != "win32":
        os.nice(niceness)
    sys.stdout.buffer.write(rendered(sys.stdin.buffer.read().decode()))


if __name__ == "__main__":
    main(int(sys.argv[1]))
