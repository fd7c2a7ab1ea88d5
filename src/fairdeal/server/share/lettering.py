"""The two fonts of pictures, and the widths of their letters. Pictures use only these fonts, so that they look the same
on every machine."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

FONTS = Path(str(files(__package__) / "fonts"))

MORE = "…"
"""Ending of shortened text."""


@dataclass(frozen=True)
class Font:
    """A font: its family and weight, as in SVG, and the widths of its letters as fractions of the font size."""

    family: str
    weight: int
    file: Path
    widths: Mapping[str, float]

    def has(self, text: str) -> bool:
        """Return whether the font has every letter of `text`."""
        return all(letter in self.widths for letter in text)

    def drawable(self, text: str) -> str:
        """Return `text` without the letters that the font lacks."""
        return " ".join("".join(letter for letter in text if letter in self.widths).split())

    def width(self, text: str, size: float) -> float:
        return size * sum(self.widths[letter] for letter in text)

    def size(self, text: str, size: float, room: float) -> float:
        """Return the largest font size, up to `size`, at which `text` is at most `room` wide."""
        return min(size, size * room / max(self.width(text, size), 1e-9))

    def cut(self, text: str, size: float, room: float) -> str:
        """Return `text`, shortened if it is wider than `room`, without letters that the font lacks."""
        text = self.drawable(text)
        if self.width(text, size) <= room:
            return text
        more = self.drawable(MORE)
        while text and self.width(text + more, size) > room:
            text = text[:-1]
        return text.rstrip(" ,.;:") + more

    def lines(self, text: str, size: float, room: float, most: int) -> list[str]:
        """Break `text` into at most `most` lines that are at most `room` wide. The last line is shortened if needed."""
        found, words = [""], self.drawable(text).split()
        for place, word in enumerate(words):
            longer = f"{found[-1]} {word}".strip()
            if self.width(longer, size) <= room:
                found[-1] = longer
            elif len(found) < most:
                found.append(word)
            else:
                found[-1] = " ".join([found[-1], *words[place:]])
                break
        last = self.cut(found[-1], size, room)
        if last.endswith(MORE) and " " in last:
            last = last.rpartition(" ")[0].rstrip(" ,.;:") + MORE
        return [self.cut(line, size, room) for line in [*found[:-1], last] if line]


@functools.cache
def font(name: str, family: str, weight: int) -> Font:
    file = FONTS / f"{name}.ttf"
    return Font(family, weight, file, widths_in(file))


def sign() -> Font:
    """Return the font of titles and numbers, which has few letters."""
    return font("sign", "Fairdeal", 800)


def words() -> Font:
    """Return the font of names and sentences: Latin, Greek and Cyrillic letters."""
    return font("text", "Fairdeal Text", 600)


def widths_in(file: Path) -> dict[str, float]:
    """Return the widths of all letters of a font, as fractions of the font size."""
    from fontTools.ttLib import TTFont  # loaded only when a picture is drawn

    with TTFont(file, lazy=True) as found:
        advances, units = found["hmtx"], found["head"].unitsPerEm
        return {chr(code): advances[glyph][0] / units for code, glyph in found.getBestCmap().items()}
