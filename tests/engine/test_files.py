import errno
import os
import sys

import pytest

from fairdeal.engine.files import read_file, write_whole
from fairdeal.engine.page import Page, read_page
from fairdeal.engine.tips import ForPeople, read_bites, read_clauses, read_plain
from tests.conftest import refusal

BROKEN = {
    "a page with a wrong key": (Page, 'goal = { text = "Win", claus = "X-1" }', r"claus.* - at `\$\.goal`"),
    "a page with a wrong key at its top": (
        Page,
        'goal = { text = "Win" }\ncard = []',
        r"`card`; did you mean `cards`\?$",
    ),
    "a page with a wrong key in a list": (
        Page,
        'goal = { text = "Win" }\nturn = [{ text = "Draw" }, { text = "Play", claus = "X-1" }]',
        r"claus.* - at `\$\.turn\[1\]`",
    ),
    "clauses with a wrong key": (dict[str, ForPeople], '[X-1]\nplain = "Ouch"\ntip = 1', r"tip.* - at `\$\[\.\.\.\]`"),
    "notes with a wrong word": (
        dict[str, ForPeople],
        '[[X-1.tips]]\nid = "a"\ntext = "Ouch"\nwhen = "maybe"\n',
        "maybe",
    ),
    "no TOML": (Page, "goal = ", "Invalid value"),
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "a_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("a_game", "a_game.sister"):
        monkeypatch.delitem(sys.modules, name, raising=False)  # those of the test before
    for read in (read_page, read_clauses, read_bites, read_plain):
        read.cache_clear()
    return folder


@pytest.mark.parametrize(("shape", "text", "problem"), BROKEN.values(), ids=BROKEN)
def test_the_error_of_a_broken_file_says_where(package, shape, text, problem):
    (package / "told.toml").write_text(text)
    with refusal(rf"a_game:told\.toml: .*{problem}"):
        read_file("a_game:told.toml", shape)


@pytest.mark.parametrize("missing", ["a_game:told.toml", "no_such_game:told.toml"])
@pytest.mark.usefixtures("package")
def test_the_error_of_a_missing_file_names_it(missing):
    with refusal(f"^{missing}: "):
        read_file(missing, Page)


def test_a_game_may_have_no_notes():
    assert read_bites("") == ()


def test_notes_are_read_in_the_order_of_the_file(package):
    (package / "clauses.toml").write_text(
        '[[X-2.tips]]\nid = "ouch"\ntext = "It hurts."\n[[X-1.tips]]\nid = "again"\ntext = "And again."\n'
    )
    notes = read_bites("a_game:clauses.toml")
    assert [(note.id, note.clause) for note in notes] == [("ouch", "X-2"), ("again", "X-1")]


def test_plain_words_stand_beside_the_game_or_in_the_package_above(package):
    below = package / "sister"
    below.mkdir()
    (below / "__init__.py").write_text("")
    (package / "clauses.toml").write_text(
        '[X-1]\nplain = "One."\n[X-2]\nplain = "Two."\n[[X-2.tips]]\nid = "a"\ntext = "b"\n'
    )
    (below / "clauses.toml").write_text('[X-2]\nplain = "Two here."\n[X-3]\nplain = "Three."\n')
    assert read_plain("a_game:clauses.toml") == {"X-1": "One.", "X-2": "Two."}
    assert read_plain("a_game.sister:clauses.toml") == {"X-1": "One.", "X-2": "Two here.", "X-3": "Three."}
    assert read_bites("a_game.sister:clauses.toml") == ()


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "folder" / "kept"
    write_whole(path, "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert [file.read_text() for file in path.parent.iterdir()] == ["old"]
