"""No message shows the password in the URL of a database, even if it is not encoded, or stands at a wrong place."""

import itertools
import random
import re

import pytest

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage import database
from fairdeal.server.storage.store import Store
from tests.server.test_odd_names import WORDS
from tests.server.warm import EMPTY

SIGNS = ":/?#@%& =+[]'\"\\;,.-"
LETTERS = "BJKQVWXYZ0123456789"
"""Of these letters, no message has two in a row by itself."""

URLS = [
    "postgresql://u:{}@127.0.0.1:1/db",
    "postgresql+psycopg://u:{}@127.0.0.1:1/db?connect_timeout=1",
    "postgresql://:{}@[::1]:1/db",
    "postgresql:///db?host=/nowhere&password={}",
    "postgresql:///db?password={}&host=/nowhere",
    "postgres://u:{}@127.0.0.1:1/db",
    "mysql://u:{}@127.0.0.1:1/db",
    "sqlite://u:{}@127.0.0.1:1/db",
    "postgresql:/u:{}@127.0.0.1:1/db",
    "postgresql:u:{}@127.0.0.1:1/db",
    " postgresql://u:{}@127.0.0.1:1/db",
    "'postgresql://u:{}@127.0.0.1:1/db'",
    "URL=postgresql://u:{}@127.0.0.1:1/db",
    "u:{}@127.0.0.1:1/db",
]
"""URLs with a place for the password. Those after the first five are mistaken."""


def passwords(words):
    """Yield passwords in which a sign follows one to three letters."""
    chance = random.Random(words)
    while True:
        parts = ["".join(chance.choices(LETTERS, k=chance.randint(1, 3))) for _ in range(5)]
        yield "".join(part + chance.choice(SIGNS) for part in parts) + "KQ"


def shown(password, text):
    """The parts of a password of four characters that are in a text."""
    return [password[at : at + 4] for at in range(len(password) - 3) if password[at : at + 4] in text]


def toml(text):
    return '"' + text.replace("\\", r"\\").replace('"', r"\"") + '"'


FILES = [
    "database = {}",
    "database = [{}]",
    "databse = {}",
    "{} = 1",
    "port = {}",
    "[limits]\ndatabase = {}",
    "database = {}\ndatabase = 1",
    "[{}]\nx = 1\n[{}]",
]
"""Files of settings with a place for the URL."""


def written(url):
    """Files of settings with a URL, also without quotes, or with those that leave backslashes as they are."""
    yield from (file.replace("{}", toml(url)) for file in FILES)
    yield from (f"database{between}{url}" for between in ("=", ": ", " =\n", " = '", ' = """'))


def ways(words, file, new, old, chance):
    """Functions that return the arguments by which a command gets a URL: as its database, by some files of settings,
    and by mistake."""
    more = WORDS[words].format(new=new, old=old).split()
    yield lambda url: [*more, "--database", url]
    yield lambda url: [*more, "--config", url]
    yield lambda url: [*more, "--database", new, "--", url]
    if more and more[-1] in (new, old):
        yield lambda url: ["--database", old, "--", url]
    if words == "serve":
        yield lambda url: ["--database", url, "--workers", 2, "--log", "json"]
        yield lambda url: ["--port", url]
    for number in chance.sample(range(len([*written("")])), 5):

        def by_settings(url, number=number):
            file.write_text([*written(url)][number])
            return [*more, "--config", file]

        yield by_settings


@pytest.mark.parametrize("words", WORDS)
def test_no_command_shows_a_part_of_a_password(run, tmp_path, monkeypatch, deal, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.db").write_bytes(EMPTY)
    drawn, chance = passwords(deal), random.Random(deal)
    urls = itertools.cycle(chance.sample(URLS, len(URLS)))
    for way in ways(words, tmp_path / "room.toml", "new.db", "old.db", chance):
        password, url = next(drawn), next(urls)
        monkeypatch.setenv("PGPASSWORD", password)
        code, out, err = run(words, *way(url.format(password)))
        assert (code > 0, "Traceback" in err, shown(password, out + err)) == (True, False, []), (url, err)


@pytest.mark.parametrize("url", URLS)
def test_no_name_of_a_database_shows_a_part_of_a_password(tmp_path, deal, url):
    drawn = passwords(deal)
    for _ in range(50):
        password = next(drawn)
        with pytest.raises(FairdealError) as caught:
            Store(url.format(password))
        assert shown(password, str(caught.value)) == []


@pytest.mark.parametrize("group", ["", "room"])
def test_a_url_instead_of_a_command_is_not_shown(run, deal, group):
    for url, password in zip(URLS, passwords(deal), strict=False):
        code, out, err = run(group, url.format(password).strip())
        assert (code, shown(password, out + err)) == (2, []), err


def test_a_command_that_shows_a_part_is_found_out(run, monkeypatch):
    monkeypatch.setattr(database, "URL", re.compile(".*"))  # a mistake: SQLAlchemy alone decides what is a password
    password = "K9@127.0.0.1:1/W8#Z7"
    _, _, err = run("room tables", "--database", URLS[0].format(password))
    assert shown(password, err)
