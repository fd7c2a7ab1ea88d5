"""A guest's result at a deal of the day as a picture of 1080 x 1080 pixels in SVG, which shows no cards."""

from markupsafe import Markup

from fairdeal.protocol import bodies as b
from fairdeal.server.share.postcard import INK, lettered, line

SIDE, ROOM = 1080, 880
RED = "#8a2b1f"
IN_A_ROW, STEP, HIGHEST = 12, 72, 5
"""Number of marks in a row, distance between two marks, and maximum number of rows."""

PICTURE = Markup(
    "<svg xmlns='http://www.w3.org/2000/svg' width='1080' height='1080' viewBox='0 0 1080 1080'>"
    "<path d='M0 0H1080V1080H0Z' fill='#f4ecd8'/><path d='M36 36H1044V1044H36ZM58 58H1022V1022H58Z' fill='none' "
    "stroke='{}' stroke-width='8'/>{}</svg>"
)

MARKS = {
    "●": Markup("<circle cx='{x}' cy='{y}' r='24' fill='{ink}'/>"),
    "○": Markup("<circle cx='{x}' cy='{y}' r='19' fill='none' stroke='{ink}' stroke-width='10'/>"),
    "■": Markup("<path d='M{x} {y}m-22-22h44v44h-44Z' fill='{red}'/>"),
}


def daily_print(found: b.Today) -> Markup:
    """Return the picture of a try that is over."""
    drawn = centred(f"No. {found.deal}", 150, 40) + centred(found.title, 290, 150)
    for number, mark in enumerate(found.marks[: IN_A_ROW * HIGHEST]):
        row, place = divmod(number, IN_A_ROW)
        beside = min(len(found.marks) - row * IN_A_ROW, IN_A_ROW)
        x = SIDE / 2 + (place - (beside - 1) / 2) * STEP
        drawn += MARKS[mark].format(x=x, y=400 + row * STEP, ink=INK, red=RED)
    drawn += centred(found.result, 830, 120, RED) + centred("fairdeal", 985, 34)
    for other in found.beside[:1]:
        drawn += centred(f"{other.name} {other.result}", 910, 48)
    return PICTURE.format(INK, drawn)


def centred(text: str, y: float, size: float, fill: str = INK) -> Markup:
    """Return a line of text in the middle, smaller if it is too long."""
    shown, font = lettered(text)
    return line(SIDE / 2, y, shown, font.size(font.drawable(shown), size, ROOM), fill, font, "middle")
