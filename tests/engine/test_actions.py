"""Actions and their texts, declared once; and their tables in docs/rules."""

import re

import pytest

from fairdeal.engine.kit.actions import Action, Actions, Texts, Verb
from fairdeal.engine.registry import find_game
from tests.conftest import ROOT

SMALL = Actions(draw=3, cut=Verb(2, start=1), pass_=1, call=Verb(2, start=7, at=10))
TEXTS = Texts(SMALL, draw="draw {}", cut="cut {}", pass_="pass", call=("call {}", ("red", "blue")))


def test_numbers_and_verbs_are_converted_both_ways():
    assert len(SMALL) == 12
    assert [*SMALL] == [0, 1, 2, 3, 4, 5, 10, 11]
    assert SMALL.firsts == (0, 2, 5, 3)  # `cut 1` is number 3, `call 7` number 10
    assert [SMALL.decode(number) for number in SMALL] == [
        *(Action("draw", which) for which in range(3)),
        *(Action("cut", 1), Action("cut", 2), Action("pass", 0)),
        *(Action("call", 7), Action("call", 8)),
    ]
    assert [SMALL.encode(*SMALL.decode(number)) for number in SMALL] == [*SMALL]
    assert [SMALL.label(number) for number in (2, 3, 5)] == ["draw 2", "cut 1", "pass"]


@pytest.mark.parametrize("number", [-1, 6, 9, 12])
def test_a_number_that_is_not_an_action_is_refused(number):
    with pytest.raises(IndexError, match=f"{number} is not an action"):
        SMALL.decode(number)


@pytest.mark.parametrize(("verb", "which"), [("draw", 3), ("draw", -1), ("cut", 0), ("pass", 1)])
def test_an_index_that_a_verb_does_not_have_is_refused(verb, which):
    with pytest.raises(IndexError, match=f"{verb} has the indices"):
        SMALL.encode(verb, which)


def test_verbs_may_not_overlap():
    with pytest.raises(ValueError, match="the next free number is 3"):
        Actions(draw=3, call=Verb(2, at=2))
    with pytest.raises(ValueError, match="draw overlaps another verb"):
        Actions(SMALL, draw=1)


def test_a_game_adds_actions_to_those_that_it_shares():
    more = Actions(SMALL, flip=4)
    assert more.firsts == (12,)
    assert more.decode(2) == Action("draw", 2)
    assert more.decode(15) == Action("flip", 3)
    texts = Texts(more, TEXTS, flip="flip {}")
    assert [texts.write(number) for number in (2, 5, 13)] == ["draw 2", "pass", "flip 1"]


def test_texts_are_written_and_read():
    assert [TEXTS.write(number) for number in SMALL] == [
        *("draw 0", "draw 1", "draw 2", "cut 1", "cut 2", "pass", "call red", "call blue"),
    ]
    assert [TEXTS.read(TEXTS.write(number)) for number in SMALL] == [*SMALL]
    assert TEXTS.read("draw 3") is None


def test_the_error_of_an_unknown_text_gives_examples_and_similar_texts():
    error = str(TEXTS.unknown("call rod", "`draw 1` or `pass`"))
    assert "write `draw 1` or `pass`; did you mean `call red`?" in error
    assert "did you mean" not in str(TEXTS.unknown("zzzzzzzz", "`pass`"))


def test_texts_must_fit_their_actions():
    with pytest.raises(ValueError, match="each verb must have one template; check call, cut"):
        Texts(SMALL, draw="draw {}", pass_="pass")
    with pytest.raises(ValueError, match="draw has 3 actions and 2 names"):
        Texts(Actions(draw=3), draw=("draw {}", ("a", "b")))
    with pytest.raises(ValueError, match="'go' stands for actions 0 and 1"):
        Texts(Actions(draw=1, play=1), draw="go", play="go")


# --- the tables of docs/rules --------------------------------------------------------------------------------------

PAGES = ROOT / "docs" / "rules"
TABLE = re.compile(r"^\| ids \| verb of `([\w-]+)` \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", re.MULTILINE)


def tables():
    """Return the rows of every table of action ids, as ids and verb, by the name in its head."""
    pages = (page.read_text("utf-8") + "\n" for page in sorted(PAGES.glob("*.md")))
    return {
        name: [tuple(cell.strip() for cell in row.split("|")[1:3]) for row in body.splitlines()]
        for page in pages
        for name, body in TABLE.findall(page)
    }


def rows_of(actions):
    """Yield the rows that such a table should have."""
    for name, verb in actions.verbs.items():
        if verb.count == 1:
            yield str(verb.at), name
        else:
            more = verb.count - 1
            yield f"{verb.at}-{verb.at + more}", f"{name} {verb.start}-{verb.start + more}"


def test_the_page_of_a_game_lists_its_actions(name):
    listed = tables()
    shared = name.partition("-")[0]  # sister games list shared actions once
    rows = [*listed.get(shared, []), *listed[name]] if shared != name else listed[name]
    assert rows == [*rows_of(find_game(name).actions)]
