"""The settings of a room, from `fairdeal serve --config` and the command line."""

import pickle
import re

import msgspec
import pytest
from typer.testing import CliRunner

from fairdeal.cli import app
from fairdeal.cli.serve import located
from fairdeal.server import serving, workers
from fairdeal.server.limits import Both, LimitSettings, Rate
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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prot = 1", "contains unknown field `prot`; did you mean `port`?"),
        ("[limits]\ntabels = 1", "limits: Object contains unknown field `tabels`; did you mean `tables`?"),
        ("[limits.say]\nguest = [1, 2]\naddress = [1, 2]\nadress = 1", "limits.say: .* did you mean `address`?"),
        ("port = '1'", "port: Expected `int`, got `str`"),
        ("port = 70000", "port: Expected `int` <= 65535"),
        ("metrics = 0", "metrics: Expected `int` >= 1"),
        ("metrics = 8016\nworkers = 2", "metrics 8016: the room needs port 8017"),
        ("pause = nan", "pause: Expected `float` >= 0"),
        ("pause = inf", "pause: Expected `float` <= 3600"),
        ("log = 'xml'", "log: give text or json"),
        ("base = 'cards'", "base cards: give a full address"),
        ("base = 'https://cards.example.org?a'", "give a full address"),
        ("base = 'https://example.org/cards'", "give a full address without a path"),
        ("contact = 'Ada'", "contact Ada: give an e-mail address or a full web address"),
        ("contact = 'javascript://example.org'", "give an e-mail address"),
        ("contact = 'https://example.org/a b'", "give an e-mail address"),
        ("contact = 'a?b@example.org'", "give an e-mail address"),
        ("proxies = ['10.0.0.1/24']", "proxies 10.0.0.1/24: give addresses or networks"),
        ("proxies = ['proxy.example.org']", "proxies proxy.example.org: give addresses or networks"),
        ("webhooks = ['a b']", "webhooks a b: give full host names"),
        ("[limits]\ntables = 0", "limits.tables: Expected `int` >= 1"),
        ("[limits.say]\nguest = [0, 2]\naddress = [1, 2]", r"limits.say.guest\[0\]: Expected `float` > 0"),
        ("[limits.say]\nguest = [1, 2]", "limits.say: Object missing required field `address`"),
        ("port =", "room.toml: Invalid value"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_name_and_the_key(written, text, problem):
    with refusal(problem) as refused:
        read_settings(written(text))
    assert "room.toml: " in str(refused.value)


async def test_the_room_applies_the_limits(tmp_path):
    limits = LimitSettings(tables=1, say=Both(Rate(1, 1), Rate(1, 1)), nonces=7, replaying=1, address_connections=300)
    async with opened(tmp_path, limits=limits) as guest:
        await guest.open("chi", "you", "person")
        refused = await guest.post("/api/tables", game="chi", chairs=["you", "person"])
        assert (refused.status, "you have 1 unfinished table;" in refused.json()["reason"]) == (429, True)
        assert guest.room.limits.settings == limits
        assert guest.room.replaying._value == 1
        assert serving.configured(guest.app).http.entered.of_an_address == 300
