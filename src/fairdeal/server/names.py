"""Names and words that guests type: cleaned before anybody sees them, and names that look alike kept apart."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable

LONGEST_NAME = 24
LONGEST_LINE = 300
MOST_MARKS = 2
"""Marks above or below one letter of a name."""

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that show nothing, or turn the direction of what is around them."""

JOINER = "\u200d"
EMOJI_STYLE = "\ufe0f"
BLANK = "\u2800\u3164\uffa0\U0001d159\ufffc"
"""Characters that count as letters or symbols and show nothing."""


def clean(text: str, longest: int) -> str:
    """Visible characters only, single spaces, cut to a length; the joiner of emoji stays."""
    normal = unicodedata.normalize("NFC", text[: longest * 8])
    shown = "".join(" " if unicodedata.category(c) in HIDDEN and c != JOINER else c for c in normal)
    return " ".join(shown.split())[:longest].strip()


def clean_name(text: str, otherwise: str = "Guest") -> str:
    """A nickname (RFC 8266): letters in their usual form, signs, spaces between words. `otherwise` if nothing of it
    shows."""
    kept = ""
    for letter in unicodedata.normalize("NFKC", clean(text, LONGEST_NAME * 4)):
        if is_allowed(letter) or (letter in (JOINER, EMOJI_STYLE) and is_sign(kept[-1:])):
            kept += "" if is_mark(letter) and is_crowded(kept) else letter
        elif letter != JOINER:
            kept += " "
    name = " ".join(kept.split())[:LONGEST_NAME].strip(" " + JOINER)
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else otherwise


def apart(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it if somebody at the table has one that looks like it."""
    known = [looks(one) for one in taken if one]
    number, found = 2, name
    while any(looks(found) & one for one in known):
        found, number = f"{name} {number}", number + 1
    return found


@functools.lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """What a name looks like, as it is written and in small letters: if two names share one of these, one can be taken
    for the other. Which letters look alike is what Unicode Technical Standard 39 says; accents do not count."""
    plain = unicodedata.normalize("NFKD", name)
    return frozenset("".join(map(look, text)).casefold() for text in (plain, plain.casefold()))


def look(letter: str) -> str:
    """The letters that stand for all that look like this one; nothing for what shows little or nothing."""
    if unicodedata.name(letter, "").startswith("COMBINING ") or not is_allowed(letter) or letter.isspace():
        return ""
    return prototypes().get(letter, letter)


@functools.lru_cache(4096)
def is_allowed(letter: str) -> bool:
    """May a nickname have this letter? As RFC 8264 says of free forms; and something of it is to be seen."""
    from precis_i18n.derived import CONTEXTO, FREE_PVAL, PVALID, derived_property
    from precis_i18n.unicode import UnicodeData

    return letter not in BLANK and derived_property(ord(letter), UnicodeData())[0] in (PVALID, FREE_PVAL, CONTEXTO)


@functools.cache
def prototypes() -> dict[str, str]:
    """For each letter that looks like others the one that stands for them. The table has each letter with those that
    look like it: of one that stands for several all of them, of another that one."""
    from confusable_homoglyphs.confusables import confusables_data

    alike = {letter: [other["c"] for other in others] for letter, others in confusables_data.items()}

    def stands_for(letter: str, others: list[str]) -> str:
        if len(others) > 1:
            return letter
        return others[0] if len(alike[others[0]]) > 1 else min(letter, others[0])

    return {letter: stands_for(letter, others) for letter, others in alike.items() if len(letter) == 1}


def is_mark(letter: str) -> bool:
    """Is it put above, below or over the letter before?"""
    return unicodedata.category(letter) in ("Mn", "Me")


def is_crowded(text: str) -> bool:
    """Has the last letter as many marks as it may have?"""
    return len(text) >= MOST_MARKS and all(map(is_mark, text[-MOST_MARKS:]))


def is_sign(letter: str) -> bool:
    """Is it a picture, or what belongs to one?"""
    return bool(letter) and (unicodedata.category(letter) in ("So", "Sk") or letter == EMOJI_STYLE)
