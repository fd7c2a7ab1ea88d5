"""A finished game as a picture of 1200 x 630 pixels in SVG: the cover, the winner, the cards that decided the game, and
the seats."""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.scene import Card, Light, Result, Scene, Seat, Zone, as_text
from fairdeal.engine.scene.points import minus
from fairdeal.server.looks import look_of
from fairdeal.server.share.cards import HEIGHT as TALL
from fairdeal.server.share.cards import WIDTH as WIDE
from fairdeal.server.share.cards import Cards
from fairdeal.server.share.lettering import Font, sign, words
from fairdeal.server.static_files import WEB

SIZE = WIDTH, HEIGHT = 1200, 630
"""Picture size recommended for link previews (https://ogp.me, large cards of X)."""

PAPER, WELL, LINE, INK, QUIET = "#fffdf8", "#f3eee4", "#d3cabb", "#1d1a16", "#5a534a"
LIT, WON = "#ffc400", "#fff3c9"
SEATS = ("#3f5d8a", "#8a4b2f", "#4d6b35", "#7b4380", "#2f6f72", "#80602a", "#8a3a54", "#555a63")
"""Colours of the light theme of the pages (web/styles/tokens.css, web/kit/page.js)."""

MARGIN, TOP = 44, 40
COVER = (276, 368)
LEFT = MARGIN + COVER[0] + 48
ROOM = WIDTH - MARGIN - LEFT
SEATS_TOP, BOTTOM = 452, 424
"""Margins, the size of the cover, the start and the width of the middle, the start of the seats, and the lower edge of
the cards."""

HEAD, LEAST_HEADLINE, TWO_LINES = 86, 44, 33
"""Height of the result, minimum font size of its capitals, and the font size below which it may have two lines."""

WIDEST_CARD, LEAST_CARD, GAP, LEAST_STEP, RING = 132, 100, 26, 44, 7
"""Maximum and minimum width of a card, gap between two cards, minimum visible part of a card, and width of its ring."""

LEAST_COLUMN, LEAST_NAME = 240, 22
"""Minimum width of a text next to the cards, and minimum font size of a name."""

MOST_OF_A_ZONE = 8
"""Maximum number of cards of a zone that are all shown if only some of them decided the game."""

MOST_IN_A_ROW, SEAT_GAP = 4, 20
"""Maximum number of seats in a row, and gap between two seats."""


class Look(NamedTuple):
    """The look of a game in pictures: its cover and emblems as SVG, and its cards."""

    cover: Markup
    emblems: Markup
    cards: Cards


class Laid(NamedTuple):
    """A card in a picture. `lit` is true if the card decided the game."""

    card: Card
    lit: bool


class Box(NamedTuple):
    """The area of a seat."""

    x: float
    y: float
    width: float
    height: float

    @property
    def is_low(self) -> bool:
        """Whether there is room for only one line."""
        return self.height < 80

    @property
    def is_narrow(self) -> bool:
        return self.width < 300


def look_in_pictures(game: Game, cards: Cards) -> Look:
    """Return the look of a game, without the outer elements of its files."""
    cover, emblems = (look_of(game, file) for file in ("cover.svg", "emblems.svg"))
    return Look(inner(cover), inner(emblems), cards)


def inner(svg: str) -> Markup:
    """Return the content of an SVG file."""
    found = re.search(r"<svg\b[^>]*>(.*)</svg>\s*$", svg, re.DOTALL)
    return Markup(found[1] if found else "")  # noqa: S704 - a file of the game


def postcard(scene: Scene, look: Look) -> Markup:
    """Return the picture of a game from its last scene."""
    assert scene.result is not None
    result, light = scene.result, scene.result.light or Light()
    cloth = look.cards.skin.cloth[0]
    x, y = MARGIN, TOP
    return Markup("""\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<defs>{emblems}
<clipPath id="ground"><rect x="4" y="4" width="92" height="132" rx="6"/></clipPath>
<clipPath id="box"><rect x="{x}" y="{y}" width="{cover[0]}" height="{cover[1]}" rx="8"/></clipPath></defs>
<rect width="{width}" height="{height}" fill="{cloth}"/>
<rect x="{lid_x}" y="{lid_y}" width="{cover[0]}" height="{cover[1]}" rx="8" fill="{ink}" opacity=".3"/>
<g clip-path="url(#box)"><svg x="{x}" y="{y}" width="{cover[0]}" height="{cover[1]}" viewBox="0 0 240 320">
{art}</svg></g>
{middle}{seats}</svg>""").format(
        width=WIDTH,
        height=HEIGHT,
        emblems=look.emblems,
        cloth=cloth,
        ink=INK,
        cover=COVER,
        x=x,
        y=y,
        lid_x=x + 9,
        lid_y=y + 9,
        art=look.cover,
        middle=middle(scene, result, light, look.cards),
        seats=seated(scene, result),
    )


def line(x: float, y: float, text: str, size: float, fill: str, font: Font, anchor: str = "start") -> Markup:
    """Return a line of text, without the letters that the font lacks."""
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-family="{}" font-weight="{}" font-size="{:.1f}" text-anchor="{}" fill="{}">'
        "{}</text>"
    ).format(x, y, font.family, font.weight, size, anchor, fill, font.drawable(text))


def lettered(text: str) -> tuple[str, Font]:
    """Return a short text in capitals in the font of signs, or in the font of sentences if that lacks a letter."""
    return (text.upper(), sign()) if sign().has(text.upper()) else (words().drawable(text), words())


# --- the middle -------------------------------------------------------------------------------------------------


def middle(scene: Scene, result: Result, light: Light, cards: Cards) -> Markup:
    """Return the title, the result, the reason, and the cards that decided the game."""
    title, font = lettered(scene.title)
    found = line(LEFT, TOP + 24, font.cut(title, 26, ROOM - 180), 26, QUIET, font) + brand(TOP + 24)
    found += headline(result.text, TOP + 42, result.won)
    laid = laid_cards(scene, result, light, cards)
    reason, decided = result.why, as_text(result.decided.text) if result.decided else ""
    if not reason and ROOM - row_of(laid, WIDEST_CARD).width < LEAST_COLUMN:
        reason, decided = decided, ""
    top: float = TOP + 156
    for text in words().lines(reason, 25, ROOM, 2):
        found += line(LEFT, top, text, 25, INK, words())
        top += 32
    row = row_of(laid, min(WIDEST_CARD, (BOTTOM - top) * WIDE / TALL))
    least = max(top - 8, BOTTOM - WIDEST_CARD * TALL / WIDE)
    top = (least + BOTTOM - row.card * TALL / WIDE) / 2
    drawn, right = hand(row, cards, top)
    return found + drawn + turning_point(decided, right, top)


def brand(y: float) -> Markup:
    """Return the logo and the name of the program, at the right."""
    text, right = "FAIRDEAL", WIDTH - MARGIN
    mark = Markup('<path d="M{:.0f} {:.0f}h24v5h-24Zm0 9h24v5h-24Z" fill="{}"/>')
    left = right - sign().width(text, 22) - 34
    return mark.format(left, y - 15, QUIET) + line(right, y, text, 22, QUIET, sign(), "end")


def headline(text: str, top: float, won: bool) -> Markup:
    """Return the result in large letters, highlighted if somebody has won."""
    room, (shown, font) = ROOM - 30, lettered(text)
    size = font.size(shown, 66, room)
    if size < LEAST_HEADLINE:
        shown, font = words().drawable(text), words()
        size = max(font.size(shown, LEAST_HEADLINE, room), TWO_LINES)
    lines, high = font.lines(shown, size, room, 2), size * 1.1
    right = LEFT + 22 + max(font.width(one, size) for one in lines)
    mark = Markup('<path fill="{}" d="M{} {}H{:.0f}L{:.0f} {}H{}Z"/>')
    found = mark.format(LIT, LEFT, top, right + 10, right, top + HEAD, LEFT - 10) if won else Markup("")
    first = top + HEAD / 2 + 0.33 * size - high * (len(lines) - 1) / 2
    for number, one in enumerate(lines):
        found += line(LEFT + (8 if won else 0), first + high * number, one, size, INK, font)
    return found


def turning_point(text: str, left: float, top: float) -> Markup:
    """Return the event that decided the game as text, next to the cards if there is room."""
    room = WIDTH - MARGIN - left
    if not text or room < LEAST_COLUMN:
        return Markup("")
    found = line(left, top + 20, "WHAT DECIDED IT", 21, QUIET, sign())
    for number, one in enumerate(words().lines(text, 25, room, 4)):
        found += line(left, top + 54 + 31 * number, one, 25, INK, words())
    return found


# --- the cards --------------------------------------------------------------------------------------------------


def laid_cards(scene: Scene, result: Result, light: Light, cards: Cards) -> list[Laid]:
    """Return the cards that decided the game, with the others of a small zone that they are in. If there are none,
    return those of the deciding move, or else the open cards of the winners or of the table."""
    zones = [open_cards(zone, cards) for zone in scene.zones]
    lit = {*light.cards}
    found = []
    for zone in zones:
        among = [card for card in zone if card.id in lit]
        found += [Laid(card, card.id in lit) for card in (zone if len(zone) <= MOST_OF_A_ZONE else among) if among]
    decided = result.decided.cards if result.decided else ()
    if not found:
        found = [
            Laid(Card(f"decided.{place}", face), True) for place, face in enumerate(decided) if face in cards.faces
        ]
    if not found:
        places = {f"seat:{seat}" for seat, place in enumerate(result.places) if place == 1}
        winners = [zone for zone, drawn in zip(scene.zones, zones, strict=True) if drawn and zone.place in places]
        largest = max(zones, key=len, default=[])
        found = [Laid(card, False) for card in (open_cards(winners[0], cards) if winners else largest)]
    return found


def open_cards(zone: Zone, cards: Cards) -> list[Card]:
    """Return the cards of a zone whose faces are visible. In a pile, that is only the top card."""
    shown = zone.cards[-1:] if zone.layout == "stack" else zone.cards
    return [card for card in shown if card.face in cards.faces and not card.down]


class Row(NamedTuple):
    """A row of cards: the width of a card, the distance from one card to the next, and the width of the row."""

    laid: Sequence[Laid]
    card: float
    step: float
    width: float


def row_of(laid: Sequence[Laid], widest: float) -> Row:
    """Return cards in a row. Many cards are drawn smaller; if they still do not fit, they overlap; and finally, cards
    that did not decide the game are omitted."""
    card = max((ROOM + GAP) / max(len(laid), 1) - GAP, LEAST_CARD)
    card = min(card, widest)
    most = int((ROOM - card) / LEAST_STEP) + 1
    if len(laid) > most:
        laid = [one for one in laid if one.lit][:most] or laid[:most]
    step = min(card + GAP, (ROOM - card) / max(len(laid) - 1, 1))
    return Row(laid, card, step, card + step * (len(laid) - 1) if laid else 0)


def hand(row: Row, cards: Cards, top: float) -> tuple[Markup, float]:
    """Return cards in a row, and the position at which a text next to them starts."""
    some, drawn = any(one.lit for one in row.laid), Markup("")
    for place, (card, lit) in enumerate(row.laid):
        drawn += one_card(cards.drawn(card, row.card), (LEFT + place * row.step, top, row.card), lit, some and not lit)
    return drawn, LEFT + row.width + (32 if row.laid else 0)


def one_card(drawn: Markup, box: tuple[float, float, float], lit: bool, dim: bool) -> Markup:
    """Return a card at its place, either with a highlighted ring or dimmed."""
    x, y, width = box
    height, corner = width * TALL / WIDE, 0.09 * width
    frame = Markup('<rect x="{0}" y="{0}" width="{1:.1f}" height="{2:.1f}" rx="{3:.1f}" fill="{4}" opacity="{5}"/>')
    below = frame.format(2, width, height, corner, INK, 0.2)
    if lit:
        below = frame.format(-RING - 1, width + 2 * RING + 2, height + 2 * RING + 2, corner + RING + 1, INK, 1)
        below += frame.format(-RING, width + 2 * RING, height + 2 * RING, corner + RING, LIT, 1)
    veil = frame.format(0, width, height, corner, PAPER, 0.5) if dim else Markup("")
    return Markup('<g transform="translate({:.1f} {:.1f})">{}{}{}</g>').format(x, y, below, drawn, veil)


# --- the seats --------------------------------------------------------------------------------------------------


def seated(scene: Scene, result: Result) -> Markup:
    """Return the seats, the best first, each with its name and score."""
    found = Markup(
        '<rect y="{0}" width="{1}" height="{2}" fill="{3}"/><rect y="{0}" width="{1}" height="2" fill="{4}"/>'
    )
    found = found.format(SEATS_TOP, WIDTH, HEIGHT - SEATS_TOP, PAPER, LINE)
    order = sorted(scene.seats, key=lambda seat: (result.places[seat.seat], -result.scores[seat.seat]))
    rows = 1 if len(order) <= MOST_IN_A_ROW else 2
    columns = -(-len(order) // rows)
    width = (WIDTH - 2 * MARGIN + SEAT_GAP) / columns - SEAT_GAP
    height = (HEIGHT - SEATS_TOP - 2 * 26 + 12) / rows - 12
    for number, seat in enumerate(order):
        row, column = divmod(number, columns)
        x, y = MARGIN + column * (width + SEAT_GAP), SEATS_TOP + 26 + row * (height + 12)
        found += plate(seat, result, Box(x, y, width, height))
    return found


def plate(seat: Seat, result: Result, box: Box) -> Markup:
    """Return a seat with its portrait, name, place and score."""
    alone, won = len(result.places) == 1, result.won and result.places[seat.seat] == 1
    ground = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="14" fill="{}" stroke="{}" {}/>')
    found = ground.format(*box, WON if won else WELL, LIT if won else "none", Markup('stroke-width="5"'))
    ordinal = result.ordinals[seat.seat] if result.ordinals else ""
    told = result.shown[seat.seat] if result.shown else minus(result.scores[seat.seat])
    if box.is_low:
        return found + in_one_line(seat, told, box)
    if result.shown and box.is_narrow:
        return found + in_two_lines(seat, result.shown[seat.seat], "", box)
    below = f"par {result.par}" if alone and result.par is not None else ordinal
    return found + in_two_lines(seat, below, told, box)


def in_one_line(seat: Seat, told: str, box: Box) -> Markup:
    """Return the portrait, name and score of a seat, side by side."""
    face, centre, right = box.height - 14, box.y + box.height / 2, box.x + box.width - 16
    left = box.x + face + 22
    size = max(words().size(words().drawable(told), 24, 0.5 * (right - left)), 19)
    told = words().cut(told, size, 0.6 * (right - left))
    room = right - left - words().width(told, size) - 12
    score = line(right, centre + 8, told, size, QUIET, words(), "end")
    return portrait(seat, box.x + 10, box.y + 7, face) + named(seat.name, (left, centre + 9), 25, room) + score


def in_two_lines(seat: Seat, below: str, score: str, box: Box) -> Markup:
    """Return the portrait of a seat, its name, a line below the name, and its score in large print."""
    face = 64 if box.is_narrow else box.height - 40
    left, right, centre = box.x + face + 30, box.x + box.width - 18, box.y + box.height / 2
    found, room = portrait(seat, box.x + 16, centre - face / 2, face), right - left
    if score:
        shown, font = lettered(score)
        size = font.size(shown, 36 if box.is_narrow else 50, 0.45 * room)
        found += line(right, centre + (32 if box.is_narrow else 0.35 * size), shown, size, INK, font, "end")
        room -= 0 if box.is_narrow else font.width(shown, size) + 14
    if below:
        size = max(words().size(words().drawable(below), 25, room), 20)
        found += line(left, centre + 31, words().cut(below, size, room), size, QUIET, words())
    return found + named(seat.name, (left, centre + (-4 if below or box.is_narrow else 10)), 31, room)


def named(name: str, place: tuple[float, float], size: float, room: float) -> Markup:
    """Return a name. A long name is set in smaller letters or shortened."""
    size = max(words().size(words().drawable(name), size, room), LEAST_NAME)
    return line(*place, words().cut(name, size, room), size, INK, words())


@functools.cache
def portraits() -> dict[str, Markup]:
    """Return the portraits of bots, by name."""
    return {path.stem: inner(read_text(path)) for path in (WEB / "faces").glob("*.svg")}


def portrait(seat: Seat, x: float, y: float, size: float) -> Markup:
    """Return the portrait of a bot, or the initial of a person."""
    found = portraits().get(seat.name.casefold()) if seat.kind == "bot" else None
    if found:
        drawn = Markup('<svg x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" viewBox="0 0 48 48">{}</svg>')
        return drawn.format(x, y, size, size, found)
    initial, font = lettered(seat.name[:1])
    disc = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="{}"/>')
    middle, colour = size / 2, SEATS[seat.seat % len(SEATS)]
    letter = line(x + middle, y + middle + 0.17 * size, initial, 0.5 * size, PAPER, font, "middle")
    return disc.format(x + middle, y + middle, middle, colour) + letter
