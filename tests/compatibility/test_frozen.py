"""What released versions have written is opened, replayed, verified and played on with, for ever.

A test that fails here says that the files of people would fail too: mend the code, and leave the files alone
(tests/compatibility/freeze.py). Only a game whose rules version was raised is let off: its logs can be read, and the
refusal says why they are not replayed.
"""

import importlib
import os
import shutil
from pathlib import Path

import msgspec
import pytest

from fairdeal.engine.compile.compiled import compiled
from fairdeal.engine.errors import NotReplayable
from fairdeal.engine.registry import find_game
from fairdeal.protocol.record import read_record
from fairdeal.table.analysis import VERSION as ANALYSIS
from fairdeal.table.analysis import analyse
from fairdeal.table.log import FORMAT, read_log
from fairdeal.table.sitting import PERSON, Sitting
from fairdeal.table.verification import verdict, verify
from tests.compatibility.frozen import IDS, THIRD_PARTY, VERSIONS, copied, is_replayed, logs, titles
from tests.conftest import run_module

ROOT = Path(__file__).parents[2]
LOGS = 50
OURS = [
    pytest.param(version, title, id=f"{version.name}-{title}")
    for version in VERSIONS
    for title in titles(version)
    if title != THIRD_PARTY
]

each_version = pytest.mark.parametrize("version", VERSIONS, ids=IDS)


def fairdeal(command, folder=None, packages=""):
    """Return what a command prints, in a process with these packages beside the installed ones."""
    return run_module(f"fairdeal {command}", cwd=folder, env=os.environ | {"PYTHONPATH": str(packages)})


def test_every_title_is_frozen():
    assert "0.1.0" in IDS
    assert len(titles(VERSIONS[0])) == 12


def test_the_program_that_freezes_finds_what_it_imports():
    """It is run once a release, so nobody else would notice."""
    for name in ("freeze", "freeze_room"):
        importlib.import_module(f"tests.compatibility.{name}")


@pytest.mark.parametrize(("version", "title"), OURS)
def test_logs_are_read_replayed_and_verified(version, title):
    frozen = logs(version, title)
    assert len(frozen) == LOGS
    compiled(find_game(title))
    verified = refused = asked = 0
    for text in frozen:
        log = read_log(text)
        assert log.text() == text
        if is_replayed(title, log.rules_version):
            found = {one.check: one.ok for one in verify(text)[1]}
            assert found["moves"]
            verified += 1
            asked += found["bots"] is True
        else:
            found = {one.check: one for one in verify(text)[1]}
            assert f"rules version {log.rules_version}" in found["moves"].text
            assert found["signed"].ok or not log.room
            refused += 1
    assert (verified, refused) in ((LOGS, 0), (0, LOGS))
    assert asked > LOGS / 2 or refused


@each_version
def test_the_frozen_logs_hold_all_that_a_log_can(version):
    texts = [text for title in titles(version) for text in logs(version, title)]
    read = [read_log(text) for text in texts]
    plays = {player.plays.partition(":")[0] for log in read for player in log.players}
    assert plays >= {
        PERSON,
        "greedy",
        "greedy-40",
        "forgetful",
        "random",
        "learned",
        "pip",
        "juno",
        "bram",
        "otto",
        "vix",
    }
    assert {len(log.players) for log in read} == set(range(1, 9))
    assert {log.room is None for log in read} == {True, False}
    for words in (": undo #", " house: clock #", " by greedy: ", " from the seed #", " given "):
        assert sum(words in text for text in texts) > 3, words


@pytest.mark.parametrize(("version", "title"), OURS)
def test_a_saved_game_goes_on(version, title, tmp_path):
    place = copied(version / "unfinished", tmp_path) / f"{title}.log"
    before = read_log(place.read_text("utf-8"))
    if not is_replayed(title, before.rules_version):
        with pytest.raises(NotReplayable):
            Sitting.resume(place)
        return
    compiled(find_game(title))
    sitting = Sitting.resume(place)
    assert 0 < len(before.entries) == len(sitting.log.entries)
    while not sitting.over:
        seat = sitting.state.to_act[0]
        if seat in sitting.bots:
            sitting.play_bot(seat)
        else:
            sitting.play(seat, sitting.stand_in(seat).actions)
    sitting.save(place)
    log, _ = verify(place.read_text("utf-8"))
    assert len(log.entries) > len(before.entries)
    told = [entry.written(log.format) for entry in before.entries]
    assert [entry.written(log.format) for entry in log.entries[: len(told)]] == told
    assert log.header() == before.header()


@each_version
@pytest.mark.parametrize("program", ["browser", "joined"])
def test_the_saved_facts_of_a_program_agree_with_the_log(version, program):
    text = (version / "kept" / f"{program}.log").read_text("utf-8")
    log, record = read_log(text), read_record(version / "kept" / f"{program}.json")
    found = {one.check: one.ok for one in verdict(log, record)}
    assert False not in found.values()
    assert all(found[check] for check in ("promise", "number", "outline"))
    heard = [number for visit in record.visits.values() for _, number in visit.acknowledged]
    assert len(heard) > 5
    assert found["acknowledged"] or len(set(heard) - {0}) < len(log.entries)
    assert found["shown"] is None, "a record of an older version has no scenes that can be compared"


@each_version
def test_a_log_is_verified_and_told_by_the_commands(version):
    log, kept = version / "kept" / "joined.log", version / "kept" / "joined.json"
    if is_replayed("chi", read_log(log.read_text("utf-8")).rules_version):
        part = " in part" if read_log(log.read_text("utf-8")).format < FORMAT else ""
        assert fairdeal(f"verify {log} --kept {kept}").endswith(f"\nverified{part}\n")
        assert "place 1, score" in fairdeal(f"replay {log}")


@each_version
def test_an_analysis_opens(version, tmp_path):
    place = copied(version / "analysis", tmp_path) / "game.log"
    beside = analyse.analysis_file(place)
    log, kept = read_log(place.read_text("utf-8")), msgspec.json.decode(beside.read_bytes())
    found = analyse.kept(place, log.chain(), kept["playouts"])
    assert (found is None) == (kept["version"] < ANALYSIS), "one of an older version is made again"
    if found:
        assert len(found.chances) == len(log.moves) + 1
        assert found.decisions
        written = beside.read_bytes()
        assert found.shares[0].result == kept["shares"][0]["result"]
        assert f"{len(found.decisions)} decisions" in fairdeal(f"analyse {place}")
        assert beside.read_bytes() == written, "it was made again"


@each_version
def test_a_bot_of_ones_own_makes_its_moves_again(version, tmp_path):
    log = copied(version / "own_bot.log", tmp_path)
    copied(version / "own_bot.py", tmp_path)
    if is_replayed("chi", read_log(log.read_text("utf-8")).rules_version):
        told = fairdeal(f"verify {log} --bots own_bot:OneAhead", folder=tmp_path)
        assert "✓ bots: Every move of a bot is the one that it chose: " in told


# --- a game of a third party ----------------------------------------------------------------------------------------


@each_version
def test_a_game_of_a_third_party_is_found_played_drawn_and_verified(version, tmp_path):
    (wheel,) = version.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "packages", "zip")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "packages")}
    printed = run_module(f"tests.compatibility.stranger {version}", cwd=ROOT, env=environment)
    assert int(printed.split()[-1]) > 50
    cases = sorted((tmp_path / "packages" / "go_fish" / "cases").glob("*.yaml"))
    assert ", 0 failed" in fairdeal(f"check {' '.join(map(str, cases))}", packages=tmp_path / "packages")
    assert "FISH-01" in fairdeal(f"rules {THIRD_PARTY}", packages=tmp_path / "packages")
