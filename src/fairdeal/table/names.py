"""Clean the names and lines that people type before others see them, distinguish names that look alike, and refuse
names that could be taken for an opponent or for a word of the room."""

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable

from fairdeal.bots.levels import FACES
from fairdeal.bots.registry import BOTS, name_of
from fairdeal.engine.errors import FairdealError

NAMELESS = "Guest"
"""The name of everybody who has not given one."""

LONGEST_NAME = 24
LONGEST_LINE = 300
MOST_MARKS = 2
"""Maximum number of combining marks on one letter of a name."""

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of invisible characters, and of characters that change the text direction."""

JOINER, NON_JOINER = "\u200d", "\u200c"
EMOJI_STYLE = "\ufe0f"
BLANK = "\u2800\u3164\uffa0\U0001d159\ufffc"
"""Characters that count as letters or symbols but are invisible."""

WHOLE = r"(?:\X(?<=\u200d))*\X"
"""Pattern of a letter as readers see it: a grapheme cluster (Unicode Standard Annex 29), with those that a joiner links
to it, as in Sinhala."""

ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"

ROLES = (
    *("you", "your", "yours", "me", "person", "player", "host", "opponent", "rival", "seat"),
    *("bot", "stand-in", "computer", "dealer", "house", "keeper", "room", "system", "fairdeal"),
    *("spectator", "spectators", "watcher", "everybody", "everyone", "all", "nobody", "no one", "somebody", "someone"),
)
"""Words that the room uses in its sentences for players, for others at a table and for itself, and that players would
take for its own. `Guest` is not among them."""

NUMERAL = re.compile(r"\s[ivxlc]+$", re.IGNORECASE)


class Reserved(FairdealError):
    """Raised for a name that could be taken for an opponent, a word of the room, or a guest who keeps this name."""


# --- names and lines ----------------------------------------------------------------------------------------------


def clean(text: str, longest: int) -> str:
    """Return the visible characters of `text` with single spaces, cut to `longest` characters between two letters as
    readers see them. Joiners are kept where they change the shape of letters and emoji."""
    line = unicodedata.normalize("NFC", text[: longest * 8])
    whole = settled(lambda line: visible(line, longest * 32), line)  # what is removed takes no place
    return settled(lambda line: visible(line, longest), whole)


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a valid nickname (RFC 8266): letters in normalized form, symbols, and single spaces between words, cut to
    `longest` characters. Return `Guest` if no visible characters remain."""
    name = settled(lambda line: letters(line, longest), clean(text, longest * 4))
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else NAMELESS


def settled(step: Callable[[str], str], text: str) -> str:
    """Repeat a step until the text does not change: what is removed may bring others together (RFC 8264, section
    7)."""
    for _ in range(len(text) + 2):
        before, text = text, step(text)
        if text == before:
            break
    return text


def visible(text: str, longest: int) -> str:
    """Return a line in normalized form without invisible characters, cut to a length."""
    kept = "".join(" " if unicodedata.category(c) in HIDDEN and c not in (JOINER, NON_JOINER) else c for c in text)
    return cut(unicodedata.normalize("NFC", joined_where_needed(" ".join(kept.split()))), longest)


def letters(text: str, longest: int) -> str:
    """Return a name in normalized form without the characters that names cannot contain, cut to a length."""
    kept = ""
    for letter in unicodedata.normalize("NFKC", text):
        if letter in (JOINER, NON_JOINER) or is_allowed(letter) or (letter == EMOJI_STYLE and is_sign(kept[-1:])):
            kept += "" if is_mark(letter) and is_crowded(kept) else letter
        else:
            kept += " "
    return cut(joined_where_needed(" ".join(kept.split())), longest)


def joined_where_needed(text: str) -> str:
    """Return `text` without the joiners that change nothing: a joiner stands between two pictographs or after a
    virama, and a non-joiner after a virama or between two letters that would be connected (RFC 5892, appendix A)."""
    from precis_i18n.context import context_rule_error
    from precis_i18n.unicode import UnicodeData

    def is_needed(place: int) -> bool:
        if text[place] == JOINER and is_sign(text[place - 1 : place]) and is_sign(text[place + 1 : place + 2]):
            return True
        return place + 1 < len(text) and not context_rule_error(text, place, UnicodeData())

    if JOINER not in text and NON_JOINER not in text:
        return text
    return "".join(c for place, c in enumerate(text) if c not in (JOINER, NON_JOINER) or is_needed(place))


def cut(text: str, longest: int) -> str:
    """Return the beginning of `text`: as many letters, with their marks, as fit into `longest` characters."""
    if len(text) <= longest:
        return text.strip()
    import regex

    found = ""
    for cluster in regex.findall(WHOLE, text):
        if len(found) + len(cluster) > longest:
            break
        found += cluster
    return found.strip()


def isolated(name: str) -> str:
    """Return a name to show within a text. If it has letters that are written from right to left, it is isolated, so
    that the words around it keep their places (Unicode Standard Annex 9). No other name changes."""
    is_turned = not name.startswith(ISOLATE) and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in name)
    return f"{ISOLATE}{name}{END_OF_ISOLATE}" if is_turned else name


# --- names that look alike ----------------------------------------------------------------------------------------


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
    return frozenset("".join(map(prototype_of, text)).casefold() for text in (plain, plain.casefold()))


def prototype_of(letter: str) -> str:
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


# --- names that are taken -----------------------------------------------------------------------------------------


@functools.cache
def taken_words() -> dict[str, str]:
    """Return what each reserved name stands for, by its skeletons: the opponents and bots that the room offers, and
    ROLES."""
    bots = {name: f"{name}, an opponent" for name in map(name_of, (*FACES, *BOTS))}
    roles = {f"{article}{word}": f"“{word}”, a word of the room" for word in ROLES for article in ("", "the ", "a ")}
    return {skeleton: what for word, what in (roles | bots).items() for skeleton in looks(word)}


@functools.lru_cache(4096)
def reserved(name: str, kept: frozenset[str] = frozenset()) -> str:
    """Return what a name could be taken for, or an empty string: an opponent or a word of the room, also if numbers,
    marks or signs are added to it, or a guest whose kept name has one of the skeletons `kept`."""
    found = looks(name) | cores(name) | cores(NUMERAL.sub("", name))
    kept_by = "a guest who keeps this name" if looks(name) & kept else ""
    return next((taken_words()[one] for one in found if one in taken_words()), kept_by)


def cores(name: str) -> frozenset[str]:
    """Return the skeletons of a name without what is before and after its letters, and of its letters alone."""
    kept = [unicodedata.category(letter)[0] in "LM" for letter in name]
    if True not in kept:
        return frozenset()
    first, last = kept.index(True), len(kept) - kept[::-1].index(True)
    return looks(name[first:last]) | looks("".join(itertools.compress(name, kept)))


def check_name(name: str, kept: frozenset[str] = frozenset()) -> str:
    """Return a cleaned name. Raises FairdealError if it is longer than LONGEST_NAME, or Reserved if it is reserved."""
    cleaned = clean_name(name)
    if clean_name(name, 2 * LONGEST_NAME) != cleaned:
        raise FairdealError(f"a name has at most {LONGEST_NAME} characters; choose a shorter one")
    if what := reserved(cleaned, kept):
        raise Reserved(f"“{cleaned}” could be taken for {what}; choose a different name")
    return cleaned


def shown(name: str, kept: frozenset[str] = frozenset()) -> str:
    """Return a person's name as others know it. A reserved one, which only earlier versions accepted, is marked."""
    return f"{name} (guest)" if reserved(name, kept) else name
