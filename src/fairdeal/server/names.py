"""Names and words that guests type: cleaned before anybody sees them."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 24
LONGEST_LINE = 300

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that show nothing, or turn the direction of what is around them."""

JOINER = "\u200d"


def clean(text: str, longest: int) -> str:
    """Visible characters only, single spaces, cut to a length; the joiner of emoji stays."""
    normal = unicodedata.normalize("NFC", text[: longest * 8])
    shown = "".join(" " if unicodedata.category(c) in HIDDEN and c != JOINER else c for c in normal)
    return " ".join(shown.split())[:longest].strip()


def clean_name(text: str, otherwise: str = "Guest") -> str:
    return clean(text, LONGEST_NAME).strip(JOINER) or otherwise


def apart(name: str, taken: list[str]) -> str:
    """The name, with a number behind it if somebody at the table has it already."""
    known = {one.casefold() for one in taken}
    if name.casefold() not in known:
        return name
    number = 2
    while f"{name} {number}".casefold() in known:
        number += 1
    return f"{name} {number}"
