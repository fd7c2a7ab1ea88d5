"""Clean the names and lines that guests type before others see them, and distinguish names that look alike."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable

LONGEST_NAME = 24
LONGEST_LINE = 300
MOST_MARKS = 2
"""Maximum number of combining marks on one letter of a name."""

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of invisible characters, and of characters that change the text direction."""

JOINER = "\u200d"
EMOJI_STYLE = "\ufe0f"
BLANK = "\u2800\u3164\uffa0\U0001d159\ufffc"
"""Characters that count as letters or symbols but are invisible."""


def clean(text: str, longest: int) -> str:
    """Return the visible characters of `text` with single spaces, cut to `longest` characters. Joiners in emoji are
    preserved."""
    normal = unicodedata.normalize("NFC", text[: longest * 8])
    shown = "".join(" " if unicodedata.category(c) in HIDDEN and c != JOINER else c for c in normal)
    return " ".join(shown.split())[:longest].strip()


def clean_name(text: str) -> str:
    """Return a valid nickname (RFC 8266): letters in normalized form, symbols, and single spaces between words.
    Return `Guest` if no visible characters remain."""
    kept = ""
    for letter in unicodedata.normalize("NFKC", clean(text, LONGEST_NAME * 4)):
        if is_allowed(letter) or (letter in (JOINER, EMOJI_STYLE) and is_sign(kept[-1:])):
            kept += "" if is_mark(letter) and is_crowded(kept) else letter
        elif letter != JOINER:
            kept += " "
    name = " ".join(kept.split())[:LONGEST_NAME].strip(" " + JOINER)
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else "Guest"


def apart(name: str, taken: Iterable[str]) -> str:
    """Return `name`, with a number appended if it looks like one of `taken`."""
    known = [looks(one) for one in taken if one]
    number, found = 2, name
    while any(looks(found) & one for one in known):
        found, number = f"{name} {number}", number + 1
    return found


@functools.lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """Return the skeletons of a name, as written and in lower case. Two names with a common skeleton can be mistaken
    for each other. Unicode Technical Standard 39 defines confusable letters; accents are ignored."""
    plain = unicodedata.normalize("NFKD", name)
    return frozenset("".join(map(look, text)).casefold() for text in (plain, plain.casefold()))


def look(letter: str) -> str:
    """Return the prototype of the letters that look like `letter`, or an empty string for an invisible character."""
    if unicodedata.name(letter, "").startswith("COMBINING ") or not is_allowed(letter) or letter.isspace():
        return ""
    return prototypes().get(letter, letter)


@functools.lru_cache(4096)
def is_allowed(letter: str) -> bool:
    """Return whether a nickname may contain this character: it must be visible and allowed in the FreeformClass of RFC
    8264."""
    from precis_i18n.derived import CONTEXTO, FREE_PVAL, PVALID, derived_property
    from precis_i18n.unicode import UnicodeData

    return letter not in BLANK and derived_property(ord(letter), UnicodeData())[0] in (PVALID, FREE_PVAL, CONTEXTO)


@functools.cache
def prototypes() -> dict[str, str]:
    """Return the prototype of each confusable letter. For a prototype, the library lists all letters that look like it;
    for any other letter, it lists only the prototype."""
    from confusable_homoglyphs.confusables import confusables_data

    alike = {letter: [other["c"] for other in others] for letter, others in confusables_data.items()}

    def stands_for(letter: str, others: list[str]) -> str:
        if len(others) > 1:
            return letter
        return others[0] if len(alike[others[0]]) > 1 else min(letter, others[0])

    return {letter: stands_for(letter, others) for letter, others in alike.items() if len(letter) == 1}


def is_mark(letter: str) -> bool:
    """Return whether a character is a combining mark above, below or over the previous letter."""
    return unicodedata.category(letter) in ("Mn", "Me")


def is_crowded(text: str) -> bool:
    """Return whether the last letter of `text` has the maximum number of combining marks."""
    return len(text) >= MOST_MARKS and all(map(is_mark, text[-MOST_MARKS:]))


def is_sign(letter: str) -> bool:
    """Return whether a character is a pictograph, or part of one."""
    return bool(letter) and (unicodedata.category(letter) in ("So", "Sk") or letter == EMOJI_STYLE)
