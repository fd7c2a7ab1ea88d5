import sys

import pytest

from fairdeal.engine.bites import Notes, read_bites
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_file
from fairdeal.engine.page import Page

BROKEN = {
    "a page with a wrong key": (Page, 'goal = { text = "Win", claus = "X-1" }', r"claus.* - at `\$\.goal`"),
    "a page with a wrong key at its top": (Page, 'goal = { text = "Win" }\ncard = []', r"Object contains.*card`$"),
    "a page with a wrong key in a list": (
        Page,
        'goal = { text = "Win" }\nturn = [{ text = "Draw" }, { text = "Play", claus = "X-1" }]',
        r"claus.* - at `\$\.turn\[1\]`",
    ),
    "levels with a wrong key": (dict[str, Notes], "[otto]\nbite = []\nlevels = 1", r"levels.* - at `\$\[\.\.\.\]`"),
    "notes with a wrong word": (
        Notes,
        '[[bite]]\nid = "a"\nclause = "X-1"\ntext = "Ouch"\nwhen = "maybe"\n',
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
    monkeypatch.delitem(sys.modules, "a_game", raising=False)  # that of the test before
    return folder


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_says_where(package, what):
    shape, text, problem = BROKEN[what]
    (package / "told.toml").write_text(text)
    with pytest.raises(FairdealError, match=rf"a_game:told\.toml: .*{problem}"):
        read_file("a_game:told.toml", shape)


def test_a_file_that_is_not_there_says_where(package):
    with pytest.raises(FairdealError, match=r"^a_game:told\.toml: "):
        read_file("a_game:told.toml", Page)
    with pytest.raises(FairdealError, match=r"^no_such_game:told\.toml: "):
        read_file("no_such_game:told.toml", Page)


def test_a_game_may_bring_no_notes():
    assert read_bites("") == ()
