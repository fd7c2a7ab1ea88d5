"""Actions, declared once: numbers, verbs, texts; and the tables of them in docs/rules."""

import re
from itertools import chain
from pathlib import Path

import pytest

from fairdeal.engine.kit.actions import Action, Actions, Texts, Verb
from fairdeal.engine.registry import find_game

SMALL = Actions(draw=3, cut=Verb(2, start=1), pass_=1, call=Verb(2, start=7, at=10))
TEXTS = Texts(SMALL, draw="draw {}", cut="cut {}", pass_="pass", call=("call {}", ("red", "blue")))


def test_numbers_mean_verbs_and_back():
    assert len(SMALL) == 12
    assert [*SMALL] == [0, 1, 2, 3, 4, 5, 10, 11]
    assert SMALL.firsts == (0, 2, 5, 3)  # `cut 1` is number 3, `call 7` number 10
    assert [SMALL.decode(number) for number in SMALL] == [
        *(Action("draw", which) for which in range(3)),
        *(Action("cut", 1), Action("cut", 2), Action("pass", 0)),
        *(Action("call", 7), Action("call", 8)),
    ]
    assert all(SMALL.encode(*SMALL.decode(number)) == number for number in SMALL)
    assert [SMALL.label(number) for number in (2, 3, 5)] == ["draw 2", "cut 1", "pass"]


@pytest.mark.parametrize("number", [-1, 6, 9, 12])
def test_a_number_that_is_no_action_is_refused(number):
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


def test_a_game_goes_on_from_the_actions_it_shares():
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
    assert all(TEXTS.read(str(TEXTS.write(number))) == number for number in SMALL)
    assert TEXTS.read("draw 02") == 2
    assert TEXTS.read("draw 3") is None


def test_an_unknown_text_is_answered_with_examples_and_near_ones():
    told = str(TEXTS.unknown("call rod", "`draw 1` or `pass`"))
    assert "write `draw 1` or `pass`; did you mean `call red`?" in told
    assert "did you mean" not in str(TEXTS.unknown("zzzzzzzz", "`pass`"))


def test_texts_must_fit_their_actions():
    with pytest.raises(ValueError, match="each verb needs one template: check call, cut"):
        Texts(SMALL, draw="draw {}", pass_="pass")
    with pytest.raises(ValueError, match="draw has 3 actions and 2 names"):
        Texts(Actions(draw=3), draw=("draw {}", ("a", "b")))
    with pytest.raises(ValueError, match="'go' stands for actions 0 and 1"):
        Texts(Actions(draw=1, play=1), draw="go", play="go")


# --- the tables of docs/rules --------------------------------------------------------------------------------------

PAGES = Path(__file__).parents[2] / "docs" / "rules"
TABLE = re.compile(r"^\| ids \| verb of `([\w-]+)` \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", re.MULTILINE)


def tables():
    """For every table of action ids, the name in its head, and its rows as ids and verb."""
    found = {}
    for page in sorted(PAGES.glob("*.md")):
        for name, body in TABLE.findall(page.read_text("utf-8") + "\n"):
            found[name] = [tuple(cell.strip() for cell in row.split("|")[1:3]) for row in body.splitlines()]
    return found


def rows_of(actions):
    """The same rows from the declaration."""
    for name, verb in actions.verbs.items():
        last = verb.at + verb.count - 1
        alone = verb.count == 1
        yield (
            str(verb.at) if alone else f"{verb.at}-{last}",
            name if alone else f"{name} {verb.start}-{verb.start + verb.count - 1}",
        )


def test_the_page_of_a_game_lists_its_actions(name):
    listed = tables()
    shared = name.partition("-")[0]  # sister games list what they have in common once
    assert list(chain(listed.get(shared, []) if shared != name else [], listed[name])) == [
        *rows_of(find_game(name).actions)
    ]
