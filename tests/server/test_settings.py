"""The settings of a room, from `fairdeal serve --config` and the command line."""

import pickle
import re

import msgspec
import pytest
from typer.testing import CliRunner

from fairdeal.cli import app
from fairdeal.cli.serve import located
from fairdeal.engine.errors import FairdealError
from fairdeal.server import serving, workers
from fairdeal.server.limits import Both, LimitSettings, Rate
from fairdeal.server.mistakes import fields_of
from fairdeal.server.settings import Settings, read_settings
from tests.conftest import ROOT, refusal
from tests.server.inside import opened


@pytest.fixture
def written(tmp_path):
    def write(text):
        file = tmp_path / "room.toml"
        file.write_text(text)
        return file

    return write


@pytest.fixture
def served(monkeypatch):
    """Return a function that returns the settings with which `fairdeal serve` would open a room."""
    found = []
    monkeypatch.setattr(serving, "run", found.append)
    monkeypatch.setattr(workers, "run_workers", found.append)

    def serve(*words):
        done = CliRunner().invoke(app, ["serve", *map(str, words)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return found.pop()

    return serve


def printed():
    return CliRunner().invoke(app, ["room", "config"], catch_exceptions=False).output


def test_the_printed_file_contains_every_setting_and_its_defaults(written):
    text = printed()
    for shape in (Settings, LimitSettings):
        for name in shape.__struct_fields__:
            assert re.search(rf"^(# )?(\[limits\.|\[)?{name}(\]| =)", text, re.MULTILINE), name
    assert msgspec.toml.decode(text).keys() >= {*Settings.__struct_fields__} - {"metrics"}
    assert msgspec.toml.decode(text)["limits"].keys() == {*LimitSettings.__struct_fields__}
    assert read_settings(written(text)) == Settings() == read_settings(written(""))


def test_the_documentation_contains_the_printed_file():
    assert f"```toml\n{printed()}```" in (ROOT / "docs" / "keeping.md").read_text()


def test_options_replace_the_settings_of_a_file(written, served):
    text = 'port = 1\npause = 2\nbrowser = true\ncompile = false\nlog = "json"\nwebhooks = ["Example.org"]\n'
    text += 'proxies = ["10.0.0.0/24", "::1"]\n'
    file = written(text + "[limits]\ntables = 3\nsay = {guest = [2, 7], address = [6, 61]}\n")
    found = served("--config", file, "--port", 0, "--no-browser", "--database", "x.db")
    limits = LimitSettings(tables=3, say=Both(Rate(2, 7), Rate(6, 61)))
    assert found == Settings(
        port=0,
        database=located("x.db"),
        pause=2,
        compile=False,
        log="json",
        webhooks=("example.org",),
        proxies=("10.0.0.0/24", "::1"),
        limits=limits,
    )
    assert served("--database", "x.db") == Settings(database=located("x.db"))
    assert served("--config", file, "--proxies", "10.0.0.1, 10.1.0.0/16").proxies == ("10.0.0.1", "10.1.0.0/16")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "3601"])
def test_a_pause_that_is_out_of_range_is_refused(seconds, served):
    with pytest.raises(AssertionError, match="Invalid value for '--pause'"):
        served("--pause", seconds)


def test_workers_get_the_settings_of_the_file(written, served):
    found = served("--config", written('workers = 2\ndatabase = "postgresql://a:b@c/d"\n[limits]\nidle = 5\n'))
    assert (found.workers, found.database, found.limits.idle) == (2, "postgresql://a:b@c/d", 5)
    assert pickle.loads(pickle.dumps(found)) == found


MISTAKES = [
    ("prot = 1", "line 1, column 1: `prot` is not a setting; did you mean `port`?"),
    ("[limits]\ntabels = 1", "line 2, column 1: `limits.tabels` is not a setting; did you mean `limits.tables`?"),
    ("limits = {tabels = 1}", "line 1, column 11: `limits.tabels` is not a setting; did you mean `limits.tables`?"),
    ("[limits.say]\nguest = [1, 2]\naddress = [1, 2]\nadress = 1", "line 4, column 1: .* `limits.say.address`?"),
    ("tables = 1", "`tables` is not a setting; did you mean `limits.tables`?"),
    ("[limits]\nport = 1", "did you mean `port`, which belongs above all tables?"),
    ("colour = 1", "`colour` is not a setting; `fairdeal room config` prints all settings"),
    ("'a@b' = 1", "line 1, column 1: this key is not a setting"),
    ("\n  port = '1'", 'line 2, column 3: `port` must be a whole number, not "1"'),
    ("port = 70000", "`port` must be a whole number of at most 65535, not 70000"),
    ("metrics = 0", "`metrics` must be a whole number of at least 1, not 0"),
    ("metrics = 8016\nworkers = 2", "`metrics` 8016: the room needs port 8017"),
    ("pause = nan", "`pause` must be a number of at least 0, not nan"),
    ("pause = inf", "`pause` must be a number of at most 3600, not inf"),
    ("every = '6'", "`every` 6: give minutes, hours or days up to a year, such as 30m, 6h or 1d"),
    ("every = '0h'", "`every` 0h: give minutes"),
    ("every = '6 h'", "`every` 6 h: give minutes"),
    ("every = '-6h'", "`every` -6h: give minutes"),
    ("every = '1.5h'", "`every` 1.5h: give minutes"),
    ("every = '٦h'", "`every` ٦h: give minutes"),
    ("every = '367d'", "`every` 367d: give minutes"),
    ("every = 6", "`every` must be a text in quotes, not 6"),
    ("keep = 0", "`keep` must be a whole number of at least 1, not 0"),
    ("log = 'xml'", '`log` must be text or json, not "xml"'),
    ("base = 'cards'", "`base` cards: give a full address"),
    ("base = 'https://cards.example.org?a'", "give a full address"),
    ("base = 'https://example.org/cards'", "give a full address without a path"),
    ("contact = 'Ada'", "`contact` Ada: give an e-mail address or a full web address"),
    ("contact = 'javascript://example.org'", "give an e-mail address"),
    ("contact = 'https://example.org/a b'", "give an e-mail address"),
    ("contact = 'a?b@example.org'", "give an e-mail address"),
    ("proxies = ['10.0.0.1/24']", "`proxies` 10.0.0.1/24: give addresses or networks"),
    ("port = 1\nproxies = ['proxy.example.org']", "line 2, column 1: `proxies` proxy.example.org: give addresses"),
    ("webhooks = ['a b']", "`webhooks` a b: give full host names"),
    ("webhooks = ['a', 1]", "`webhooks[1]` must be a text in quotes, not 1"),
    ("[limits]\ntables = 0", "line 2, column 1: `limits.tables` must be a whole number of at least 1, not 0"),
    (
        "[limits.say]\nguest = [0, 2]\naddress = [1, 2]",
        "`limits.say.guest[0]` must be a number above 0, not 0",
    ),
    ("limits.say = {guest = 3, address = [1, 2]}", "column 15: `limits.say.guest` must be a list, not 3"),
    ("[limits.say]\nguest = [1]", "`limits.say.guest` must be a list of length 2, not a list of 1"),
    ("[limits.say]\nguest = [1, 2]", "line 1, column 2: `limits.say` needs `limits.say.address`, too"),
    ("host = 1979-05-27", "`host` must be a text in quotes, not a date or a time"),
    ("port =", "line 1, column 1: `port`: invalid value"),
    ("# port\nport: 8017", "line 2, column 5: `port`: expected '=' after a key"),
    ('host = """\n\n"""\nport = x', "line 4, column 8: `port`: invalid value"),
    ("[limits\ntables = 1", "line 1, column 8: expected ']' at the end of a table declaration"),
    ("limits.tables = 1\n[limits]", "line 2, column 2: `limits` is given twice, and first in line 1, column 1"),
    ("[limits]\n[limits.say]\n[limits]", "line 3, column 2: `limits` is given twice, and first in line 1, column 2"),
    ("limits = {tables = 1, tables = 2}", "`limits.tables` is given twice"),
    (f"port = {'[' * 5000}", "it is nested too deeply"),
]


@pytest.mark.parametrize(("text", "problem"), MISTAKES)
def test_a_file_that_is_wrong_is_refused_with_its_name_the_place_and_the_key(written, text, problem):
    with refusal(f"room.toml: .*{problem}".replace("?", r"\?").replace("[", r"\[")):
        read_settings(written(text))


ALL = sorted(fields_of(Settings))
VALUES = ("'1'", "3", "1.5", "true", "[]", "{}", "1979-05-27")
"""A value of each type of TOML. A setting accepts at most two of them."""


def assigned(names, value):
    """Texts with a setting, in its table and in a line of its own, and the place of its key."""
    *table, name = names
    head = f"[{'.'.join(table)}]" if table else ""
    return [
        (f"# above\n{head}\n  {name} = {value}\n", "line 3, column 3"),
        (f"\n\n {'.'.join(names)}={value} # port = 1", "line 3, column 2"),
    ]


def mistake(file):
    """What is wrong in a file of settings, if anything."""
    try:
        read_settings(file)
    except FairdealError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("names", ALL, ids=".".join)
def test_every_setting_is_named_with_its_place_if_its_value_is_wrong(written, names):
    asked = []
    for value in VALUES:
        for text, place in assigned(names, value):
            if problem := mistake(written(text)):
                assert f"room.toml: {place}: `{'.'.join(names)}" in problem
                asked += re.findall(r"must be (.*?)(?: of .*)?, not .", problem)
    assert len(asked) >= 2 * (len(VALUES) - 2)
    assert len({*asked}) == 1, asked


@pytest.mark.parametrize("names", ALL, ids=".".join)
def test_every_setting_is_named_with_both_places_if_it_is_given_twice(written, names):
    for text, place in assigned(names, "0"):
        line = text.rstrip("\n").rpartition("\n")[2]
        with refusal(f"line 4, .*: `{'.'.join(names)}` is given twice, and first in {place}"):
            read_settings(written(f"{text.rstrip()}\n{line}"))


@pytest.mark.parametrize("names", ALL, ids=".".join)
def test_every_setting_is_suggested_if_its_name_is_misspelt(written, names):
    *table, name = names
    for text, place in assigned([*table, f"{name}x"], "0"):
        with refusal(rf"{place}: `{'.'.join(names)}x` is not a setting; did you mean `{'.'.join(names)}`\?"):
            read_settings(written(text))


async def test_the_room_applies_the_limits(tmp_path):
    limits = LimitSettings(tables=1, say=Both(Rate(1, 1), Rate(1, 1)), nonces=7, replaying=1, address_connections=300)
    async with opened(tmp_path, limits=limits) as guest:
        await guest.open("chi", "you", "person")
        refused = await guest.post("/api/tables", game="chi", chairs=["you", "person"])
        assert (refused.status, "you have 1 unfinished table;" in refused.json()["reason"]) == (429, True)
        assert guest.room.limits.settings == limits
        assert guest.room.replaying._value == 1
        assert serving.configured(guest.app).http.entered.of_an_address == 300
