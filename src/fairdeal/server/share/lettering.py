"""The two fonts of pictures, and the widths of their letters. A picture is drawn with these fonts only, so that it
looks the same on every machine."""

from __future__ import annotations

import functools
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

FONTS = Path(str(files(__package__) / "fonts"))

MORE = "…"
"""Ending of a text that was cut."""


@dataclass(frozen=True)
class Font:
    """A font: its family and weight, as in SVG, and the widths of its letters as parts of the font size."""

    family: str
    weight: int
    file: Path
    widths: Mapping[str, float]

    def has(self, text: str) -> bool:
        """Return whether the font has every letter of `text`."""
        return all(letter in self.widths for letter in text)

    def drawable(self, text: str) -> str:
        """Return `text` without the letters that the font does not have."""
        return " ".join("".join(letter for letter in text if letter in self.widths).split())

    def width(self, text: str, size: float) -> float:
        return size * sum(self.widths[letter] for letter in text)

    def size(self, text: str, size: float, room: float) -> float:
        """Return the largest font size, `size` at most, at which `text` is at most `room` wide."""
        return min(size, size * room / max(self.width(text, size), 1e-9))

    def cut(self, text: str, size: float, room: float) -> str:
        """Return `text`, shortened if it is wider than `room`, without letters that the font does not have."""
        text = self.drawable(text)
        if self.width(text, size) <= room:
            return text
        more = self.drawable(MORE)
        while text and self.width(text + more, size) > room:
            text = text[:-1]
        return text.rstrip(" ,.;:") + more

    def lines(self, text: str, size: float, room: float, most: int) -> list[str]:
        """Return `text` in at most `most` lines that are at most `room` wide. The last one is shortened if needed."""
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
    return Font(family, weight, file, widths_in(file.read_bytes()))


def sign() -> Font:
    """Return the font of titles and numbers, which has few letters."""
    return font("sign", "Fairdeal", 800)


def words() -> Font:
    """Return the font of names and sentences: Latin, Greek and Cyrillic letters."""
    return font("text", "Fairdeal Text", 600)


def widths_in(data: bytes) -> dict[str, float]:
    """Return the widths of all letters of a TrueType font (OpenType specification: cmap format 4, head, hhea, hmtx)."""
    (count,) = struct.unpack_from(">H", data, 4)
    entries = (struct.unpack_from(">4s4xII", data, 12 + 16 * number) for number in range(count))
    at = {tag.decode(): place for tag, place, _ in entries}
    (units,) = struct.unpack_from(">H", data, at["head"] + 18)
    (metrics,) = struct.unpack_from(">H", data, at["hhea"] + 34)

    def width(glyph: int) -> float:
        (advance,) = struct.unpack_from(">H", data, at["hmtx"] + 4 * min(glyph, metrics - 1))
        return float(advance / units)

    return {letter: width(glyph) for letter, glyph in glyphs_in(data, at["cmap"]).items()}


def glyphs_in(data: bytes, cmap: int) -> dict[str, int]:
    """Return the numbers of the glyphs of all letters, from the table `cmap`, which begins there."""
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    offsets = [struct.unpack_from(">I", data, cmap + 8 + 8 * number)[0] for number in range(count)]
    table = next(cmap + offset for offset in offsets if struct.unpack_from(">H", data, cmap + offset)[0] == 4)
    size = struct.unpack_from(">H", data, table + 6)[0]
    shape = f">{size // 2}H"
    starts = (table + 14, table + 16 + size, table + 16 + 2 * size, table + 16 + 3 * size)
    ends, begins, deltas, ranges = (struct.unpack_from(shape, data, start) for start in starts)
    found = {}
    for segment, (begin, end, delta, offset) in enumerate(zip(begins, ends, deltas, ranges, strict=True)):
        for code in range(begin, min(end, 0xFFFE) + 1):
            glyph = code + delta
            if offset:
                place = starts[3] + 2 * segment + offset + 2 * (code - begin)
                (glyph,) = struct.unpack_from(">H", data, place)
                glyph += delta if glyph else 0
            if glyph & 0xFFFF:
                found[chr(code)] = glyph & 0xFFFF
    return found
