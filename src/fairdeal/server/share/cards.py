"""Cards as SVG: the face of a card as drawn by its game, with marks for its current state on top.

The drawings of a game are the symbols of `look/cards.svg`, 100 units wide and 140 high, one for each kind of face.
Words in braces are replaced with the values of the face (`values_of`). A kind without a drawing uses the symbol `face`,
or a plain drawing. A raised card uses the drawing `KIND-raised`, and a card that stands for another one `KIND-as`, if
the game has them. `data-sizes` lists the font sizes of `{big}` for one, two and three letters.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.scene import Card, Face, Skin
from fairdeal.server.looks import look_of
from fairdeal.server.share.lettering import sign

WIDTH, HEIGHT = 100, 140
SIZES = (100, 70, 50)
"""Font sizes for one, two and three letters in the middle of a card."""

STOCK, INK = "#fbf6ea", "#1d1a16"
CHIPS = ((3, "#1f5f7a", STOCK, STOCK), (2, "#b83e27", STOCK, STOCK), (1, STOCK, "#b83e27", "#8f2d1b"))
"""The chips: their values, and the colours of their middle, their edge and their number."""

MOST_CHIPS, MOST_POINTS = 4, 11
"""Maximum number of chips on a card, and maximum number of points that they can show. More points are written on one
chip."""

SYMBOL = re.compile(r'<symbol id="([\w-]+)"(?: data-sizes="([\d ]+)")?>(.*?)</symbol>', re.DOTALL)

PLAIN = Markup("""\
<rect x="4" y="4" width="92" height="132" rx="6" fill="{ground}"/>
<text x="20" y="30" font-size="20" fill="{ink}">{corner}</text>
<text x="50" y="{base}" font-size="{size}" fill="{ink}">{big}</text>
<text x="50" y="128" font-size="{foot_size}" fill="{ink}">{foot}</text>""")

EMBLEM = Markup('<use href="#{}" x="25" y="45" width="50" height="50" fill="{}" color="{}"/>')
ENDS = Markup('<text x="20" y="30" font-size="20" fill="{ink}" transform="rotate(180 50 70)">{bottom}</text>')


class Undrawn(FairdealError):
    """Raised when a picture cannot be drawn."""


class Drawing(NamedTuple):
    """The drawing of a kind of face, and the font sizes of the large print on it."""

    text: Markup
    sizes: tuple[int, ...] = SIZES


class Cards(NamedTuple):
    """The look of a table's cards: their faces, the skin, and the drawings of the game by kind."""

    faces: Mapping[str, Face]
    skin: Skin
    drawings: Mapping[str, Drawing]

    def drawn(self, card: Card, width: float) -> Markup:
        """Return a face-up card as SVG, at the origin."""
        face = self.faces[str(card.face)]
        size = width / WIDTH
        body = Markup('<g transform="scale({:.4f})" font-family="Fairdeal" font-weight="800" text-anchor="middle">')
        stock = Markup('<rect width="{}" height="{}" rx="9" fill="{}"/>').format(WIDTH, HEIGHT, STOCK)
        laid = self.laid_on_top(card)
        return body.format(size) + stock + self.front(card, face) + laid + Markup("</g>")

    def front(self, card: Card, face: Face) -> Markup:
        state = "-raised" if card.load else "-as" if card.as_ else ""
        names = (face.kind + state, face.kind, "face")
        drawing = next((self.drawings[name] for name in names if name in self.drawings), None)
        values = self.values_of(card, face, drawing.sizes if drawing else SIZES)
        if drawing:
            try:
                return drawing.text.format(**values)
            except (KeyError, IndexError, ValueError):
                known = ", ".join(values)
                raise Undrawn(f"{face.kind} in cards.svg: only these words in braces have a value: {known}") from None
        found = PLAIN.format(**values)
        if face.art:
            found += EMBLEM.format(face.art, values["ink"], values["ink"])
        return found + ENDS.format(**values) if face.ends else found

    def values_of(self, card: Card, face: Face, sizes: tuple[int, ...]) -> dict[str, Any]:
        """Return the values that a drawing may name.

        big, corner, title, foot, step, art, corner_art  as in the face
        top, bottom                                      the ends of a card that can be turned, as it lies
        ground, ink                                      the colours of its kind
        dark, light                                      its shades for a light and for a dark background
        pips                                             its dots
        size, base                                       font size and baseline of `big` in the middle of the card
        title_size, foot_size                            font sizes at which these lines fit
        """
        ink = self.skin.kinds.get(face.kind, self.skin.back)
        tones, lights = self.skin.tones, self.skin.light_tones or self.skin.tones
        toned = 0 <= face.tone < len(tones)
        size = sizes[min(max(len(face.big), 1), len(sizes)) - 1]
        ends = face.ends[::-1] if card.turned else face.ends
        return {
            **{name: getattr(face, name) for name in ("big", "art", "corner_art", "step")},
            "corner": face.corner or (ends[0] if ends else ""),
            "title": face.title.upper(),
            "foot": face.foot.upper(),
            "top": ends[0] if ends else "",
            "bottom": ends[-1] if ends else "",
            "ground": ink.ground,
            "ink": ink.ink,
            "dark": tones[face.tone] if toned else ink.ink,
            "light": lights[face.tone] if toned else ink.ink,
            "pips": pips(face.pips),
            "size": size,
            "base": round(HEIGHT / 2 + 0.35 * size, 1),
            "title_size": fitting(face.title.upper(), 13),
            "foot_size": fitting(face.foot.upper(), 13),
        }

    def laid_on_top(self, card: Card) -> Markup:
        """Return the value that a card stands for, and its raised value with the points on it."""
        found = Markup("")
        if card.as_:
            ground, ink = self.colours_of(card.as_)
            found += Markup(
                '<rect x="10" y="54" width="80" height="54" rx="5" fill="{}"/><text x="50" y="96" font-size="{}" '
                'fill="{}">{}</text>'
            ).format(ground, sign().size(sign().drawable(card.as_), 44, 74), ink, card.as_)
        if card.load:
            value = str(card.value)
            found += Markup(
                '<rect x="4" y="69" width="92" height="67" rx="5" fill="{}"/><text x="50" y="125" font-size="{:.1f}" '
                'fill="{}">{}</text>'
            ).format("#ffffff", sign().size(value, 46, 84), INK, value)
            found += stacked(card.load)
        return found

    def colours_of(self, label: str) -> tuple[str, str]:
        """Return the colours of the face with `label` in large print."""
        kinds = (face.kind for face in self.faces.values() if face.big == label)
        ink = self.skin.kinds.get(next(kinds, ""), self.skin.back)
        return ink.ground, ink.ink


def cards_of(game: Game, options: Any) -> Cards:
    """Return the cards of a table, as drawn in pictures."""
    drawings = {
        kind: Drawing(Markup(text), tuple(map(int, sizes.split())) or SIZES)  # noqa: S704 - a file of the game
        for kind, sizes, text in SYMBOL.findall(look_of(game, "cards.svg"))
    }
    return Cards(game.faces(options), game.skin, drawings)


def fitting(text: str, size: float) -> float:
    """Return the font size at which a line fits on a card."""
    return round(sign().size(sign().drawable(text), size, 84), 1)


def pips(count: int) -> Markup:
    """Return dots in a row at the bottom of a card."""
    first = WIDTH / 2 - 5.25 * (count - 1)
    dot = Markup('<circle cx="{:.1f}" cy="125.5" r="3.5"/>')
    return Markup("").join(dot.format(first + 10.5 * number) for number in range(count))


def chips(points: int) -> list[int]:
    """Return the values of the chips that show a number of points, the largest first."""
    if points > MOST_POINTS:
        return [points]
    found: list[int] = []
    for value, *_ in CHIPS:
        count = min(points // value, MOST_CHIPS - len(found))
        found += [value] * count
        points -= value * count
    return found


def stacked(points: int) -> Markup:
    """Return the chips with a number of points, in a row across a card."""
    looks = {value: colours for value, *colours in CHIPS}
    values = chips(points)
    first = WIDTH / 2 - 10 * (len(values) - 1)
    chip = Markup(
        '<g transform="translate({:.1f} 66.5)"><circle r="14" fill="{edge}"/><circle r="11.3" fill="none" '
        'stroke="{middle}" stroke-width="5.4" stroke-dasharray="6.9 4.93"/><circle r="8.6" fill="{middle}"/>'
        '<text y="5.2" font-size="15" fill="{number}">{value}</text></g>'
    )
    found = []
    for place, value in enumerate(values):
        middle, edge, number = looks.get(value, looks[2])
        found.append(chip.format(first + 20 * place, middle=middle, edge=edge, number=number, value=value))
    return Markup("").join(found)
