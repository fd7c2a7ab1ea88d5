"""Names and lines: what stays as it is, what is removed, where they are cut, and which names are refused."""

import re
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fairdeal
from fairdeal.bots.levels import FACES
from fairdeal.bots.registry import BOTS, name_of
from fairdeal.table.log import Player
from fairdeal.table.names import (
    HIDDEN,
    JOINER,
    LONGEST_LINE,
    LONGEST_NAME,
    NAMELESS,
    NON_JOINER,
    ROLES,
    Reserved,
    apart,
    check_name,
    clean,
    clean_name,
    isolated,
    looks,
    prototypes,
    reserved,
    shown,
)
from fairdeal.table.sitting import PERSON, Sitting
from fairdeal.terminal.screens.new_table import Plan
from tests.conftest import refusal

SOURCES = Path(fairdeal.__file__).parent

WITH_JOINERS = {
    "Sinhala": "ශ්\u200dරී ලංකා",
    "Persian": "می\u200cخواهم",
    "Kurdish": "نه\u200cورۆز",
    "Hindi": "क्\u200dष",
    "Malayalam": "ന്\u200dറെ",
    "Bengali": "ক্\u200cষ",
    "emoji": "👩\u200d🚀 Eve",
    "family": "👨\u200d👩\u200d👧",
    "flag": "🏳\ufe0f\u200d🌈",
}
LOOSE = ["a\u200db", "A\u200c", "\u200dA", "A\u200cb", "1\u200d2", "A \u200d B", "👩\u200d", "م\u200c", "\u200c\u200d"]


@pytest.mark.parametrize("text", WITH_JOINERS.values(), ids=WITH_JOINERS)
def test_joiners_that_shape_letters_and_emoji_stay(text):
    assert clean_name(text) == text
    assert clean(text, LONGEST_LINE) == text


@pytest.mark.parametrize("text", LOOSE, ids=ascii)
def test_joiners_that_shape_nothing_are_removed(text):
    for cleaned in (clean_name(text), clean(text, LONGEST_LINE)):
        assert not {JOINER, NON_JOINER} & set(cleaned)
    assert clean("ab", 9) == clean("a\u200db", 9)


PIECES = [
    *WITH_JOINERS.values(),
    *LOOSE,
    *(
        "e\u0301",
        "g\u0308\u0323",
        "ﷺ",
        "ﬁ",
        "🇩🇪",
        "👍🏽",
        "1\ufe0f\u20e3",
        "각",
        "\u1100\u1161\u11a8",
        "நி",
        "กำ",
        "\u0130",
    ),
    *(
        "محمد",
        "דנה",
        "Ada",
        "\u202eevil",
        "\u2066x\u2069",
        "\u00ad",
        "\u115f",
        "\ue000",
        "\n",
        "\t",
        "  ",
        "\u0301\u0301",
    ),
]
ADA = [
    "Ada", "ada", "ADA", "Аda", "Αda", "Ａｄａ", "𝐀𝐝𝐚", "A\u200bda", "A\u00adda", "Ad\u034fa", "Ada\u0301", "Ada\ufe0f",
    "Ada\u115f", "\u2066Ada\u2069", " Ada ", "A\u0335da", "Ada\u2800", "ᴬda", "Ada\U000e0041", "A d a",
]  # fmt: skip
NOBODY = [
    "", " ", "\u2800", "\u3164", "\uffa0", "\u115f\u1160", "\u0301", "\u0301\u0302", "\u200d", "\ufe0f", "\u200b\u202e",
    "\u034f", "\u180e", "\u17b4\u17b5", "\U0001d159", "\ufffc", "\u00ad", "\ue000", "\U000e0001", "\u2003",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=40).map("".join)
TRICKY = TEXTS | st.text(st.characters() | st.sampled_from([*"".join(ADA + NOBODY), *"rnmlI1O0"]))
MANY = settings(max_examples=200, deadline=None, derandomize=True, database=None)


def clusters(text):
    """Return the grapheme clusters of a text, without joiners at the ends of those that are not joined."""
    return [one.removesuffix(NON_JOINER) for one in regex.findall(r"(?:\X(?<=\u200d))*\X", text)]


def check_signs(text):
    """Check that nothing in a cleaned text is hidden, and that every joiner has something to join."""
    for place, sign in enumerate(text):
        if sign in (JOINER, NON_JOINER):
            assert 0 < place < len(text) - 1
            assert not text[place - 1].isspace()
            assert not text[place - 1].isascii()
            assert not text[place + 1].isascii()
        else:
            assert unicodedata.category(sign) not in HIDDEN, ascii(text)
    assert text == " ".join(text.split(" "))
    assert text == text.strip()
    assert "  " not in text


@MANY
@given(TRICKY, st.lists(TRICKY, max_size=3))
def test_a_cleaned_name_shows_something_stays_as_it_is_and_is_kept_apart(text, others):
    name, taken = clean_name(text), [clean_name(other) for other in others]
    assert 1 <= len(name) <= LONGEST_NAME
    assert any(unicodedata.category(letter)[0] in "LNPS" for letter in name)
    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFKC", name)
    check_signs(name)
    found = apart(name, taken)
    assert found.startswith(name)
    assert not any(looks(found) & looks(other) for other in taken)


@pytest.mark.parametrize("text", ADA, ids=ascii)
def test_there_is_one_ada_at_a_table(text):
    found = apart(clean_name(text), ["Ada", "Bo"])
    assert found.endswith(" 2")
    assert not looks(found) & looks("Ada")


@pytest.mark.parametrize("text", NOBODY, ids=ascii)
def test_a_name_that_shows_nothing_is_none(text):
    assert clean_name(text) == "Guest"


@MANY
@given(TEXTS, st.integers(1, 30))
def test_a_line_is_cut_between_letters_as_readers_see_them(text, longest):
    whole, part = clean(text, 10_000), clean(text, longest)
    assume(len(text) <= longest * 8)
    assert clean(part, longest) == part
    assert len(part) <= longest
    check_signs(part)
    if len(whole) <= longest:
        assert part == whole
    else:
        assert clusters(whole)[: len(clusters(part))] == clusters(part), (ascii(whole), ascii(part))


def test_a_name_is_cut_between_letters_as_readers_see_them():
    for letter in ("👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "ශ්\u200dරී", "g\u0323\u0308"):
        name = clean_name(letter * 24)
        assert name == letter * (LONGEST_NAME // len(letter)), ascii(name)
    assert clean_name("x" * 23 + "👍🏽") == "x" * 23
    assert clean_name("Z" + "\u0351" * 20 + "oe") == "Z\u0351\u0351oe", "marks do not pile up"


# --- names that are refused -----------------------------------------------------------------------------------------


def offered():
    """Return the names of all opponents and bots that the room offers."""
    return [name_of(bot) for bot in (*FACES, *BOTS)]


ADDED = (
    "{}",
    "{} 2",
    "{}7",
    "{}.",
    "«{}»",
    "{}!",
    "_{}_",
    " {} ",
    "{} II",
    "🐭 {}",
    "{}👑",
    "{}\u0301",
    "the {}",
    "{}\u200d",
)


@pytest.mark.parametrize("added", ADDED, ids=ascii)
def test_nobody_is_called_like_an_opponent_or_a_word_of_the_room(added):
    for word in (*offered(), *ROLES):
        if added == "the {}" and word in offered():
            continue  # Pip the mouse is called Pip
        for written in (word, word.upper(), word.capitalize()):
            with pytest.raises(Reserved, match="choose a different name"):
                check_name(added.format(written))


def test_letters_that_look_like_theirs_are_refused_too():
    alike = {}
    for letter, prototype in prototypes().items():
        if letter != prototype and clean_name(letter) == letter:
            alike.setdefault(prototype, []).append(letter)
    tried = 0
    for word in (*offered(), "you", "bot", "house"):
        for place, letter in enumerate(word):
            for other in alike.get(letter, ())[:6]:
                name = word[:place] + other + word[place + 1 :]
                tried += 1
                assert reserved(clean_name(name)), ascii(name)
    assert tried > 100
    for name in ("Рір", "Ｐｉｐ", "𝐏𝐢𝐩", "Y0u", "B0t", "Nοx", "Y o u", "P.i.p", "Yоu"):
        assert reserved(clean_name(name)), ascii(name)


@pytest.mark.parametrize("long", ["x" * 25, "x" * 400, "x" * 23 + "👍🏽", "ﷺ" * 3], ids=ascii)
def test_a_longer_name_is_refused_rather_than_cut(long):
    with refusal("at most 24 characters"):
        check_name(long)
    assert check_name(f"  {'x' * 24}\u200b ") == "x" * 24


FREE = [
    "Guest",
    "Guest 2",
    "Ada",
    "Bo",
    "Philip",
    "Pippa",
    "Young",
    "Botho",
    "Rooney",
    "Ottoline",
    "Ali",
    "Mia",
    "محمد",
    "李",
    "José",
    "Żółć",
    "Ἀθηνᾶ",
    "Мария",
    "रवि",
    "❤\ufe0f",
    "O'Neil-3",
    "Ж",
]


@pytest.mark.parametrize("free", FREE)
def test_other_names_are_free(free):
    assert check_name(free) == free == shown(free) == apart(free, ["Cleo", "Dai"])


def test_every_reserved_word_is_one_that_the_program_uses():
    texts = [path.read_text() for end in ("py", "js") for path in SOURCES.rglob(f"*.{end}") if path.name != "names.py"]
    words = set(re.findall(r"[a-z-]+", " ".join(texts).lower()))
    assert {part for word in ROLES for part in word.split()} <= words
    assert NAMELESS.lower() not in ROLES


def test_an_old_name_that_is_reserved_now_is_marked_and_stays_in_the_log():
    players = [Player("You"), Player("Pip"), Player("Pip", "pip:0-100-0"), Player("Ada")]
    sitting = Sitting.open(fairdeal.load("chip-it", players=4), players, "7")
    assert sitting.names == ("You (guest)", "Pip (guest)", "Pip", "Ada")
    assert [player.name for player in sitting.log.players] == ["You", "Pip", "Pip", "Ada"]
    assert all(player.plays == PERSON for player in players if player.plays != "pip:0-100-0")
    assert shown(shown("You")) == "You (guest)"


def test_people_at_one_screen_have_the_same_rules():
    with refusal("“You” could be taken for “you”, a word of the room; choose a different"):
        Plan("chi", people=2, names=["You", "Ben"]).open()
    assert Plan("chi", people=2, names=["ශ්\u200dරී", " Ben "]).open().names == ("ශ්\u200dරී", "Ben")


def test_names_from_right_to_left_are_isolated_in_plain_text():
    assert isolated("محمد") == "\u2068محمد\u2069"
    assert [isolated(name) for name in ("Ada", "Żółć", "李小龍")] == ["Ada", "Żółć", "李小龍"]
