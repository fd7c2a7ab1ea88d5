"""The log of a sitting: it round-trips, it verifies, and it fails with the line wherever it is altered."""

import hmac
import re

import pytest

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.table import fairness
from fairdeal.table.log import Player, marked
from fairdeal.table.receipts import Record, Visit
from fairdeal.table.sitting import Sitting, seed_file
from fairdeal.table.verification import verify
from tests.conftest import opening, refusal
from tests.table.sittings import finished

MIXED = ("random", "greedy")


def test_a_move_taken_back_leaves_what_was_there_before_it(name_of_a_kind):
    table = fairdeal.load(name_of_a_kind, **opening(name_of_a_kind))
    sitting = Sitting.open(table, [Player(f"Player {seat}", "greedy") for seat in range(table.players)], seed="9")
    moments = []
    while len(moments) < 20 and not sitting.over:
        moments.append((sitting.state.record.tobytes(), told(sitting)))
        sitting.play_bot(sitting.bot_to_act())
    assert len(moments) > 3
    for content, story in reversed(moments):
        sitting.take_back()
        assert sitting.state.record.tobytes() == content
        assert told(sitting) == story
    with refusal("no move to take back"):
        sitting.take_back()


def told(sitting):
    """All that a spectator is told of the moves so far."""
    return [sitting.lines(number, SPECTATOR) for number in range(1, sitting.moves_made + 1)]


@pytest.fixture(scope="module")
def text():
    return finished("chip-it", MIXED, players=3).log.text()


def test_the_seed_comes_last_and_its_promise_first(text):
    lines = text.splitlines()
    assert lines[4].startswith("commitment sha256 ")
    assert lines[-1].startswith("seed ")
    seed = lines[-1].split()[1]
    assert len(seed) == 64
    assert not any(seed in line or line.startswith("seed ") for line in lines[:-1])


def test_a_line_altered_missing_or_moved_anywhere_is_named(text):
    for line in range(1, 40):
        *before, right, following, last = text.splitlines()[: line + 3]
        altered = right.replace("a", "b", 1), right + "0", re.sub(r"\d", "5", right, count=1)
        for wrong in (*([one, following] for one in altered if one != right), [following], [following, right]):
            with pytest.raises(fairdeal.BadLog) as problem:
                verify("\n".join([*before, *wrong, last]))
            assert problem.value.line == line + 1, wrong


def marked_anew(lines):
    """Somebody who alters a log and writes all marks anew still fails, on what the log claims."""
    log = [re.sub(r" +#[0-9a-f]{8}$", "", line.rstrip("\n")) for line in lines]
    return "\n".join(marked(log[0], log[1:]))


@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        (r'\["Player 0"', '["Somebody"', "line"),
        (r"^seed ..", "seed 00", "seed is not the one that was promised"),
        (r"^result .*", "result [9,0,0]", "result"),
        (r'"players":3', '"players":4', "seats"),
        (r"^seat 1 .*", "seat 1", "expected: seat 1"),
        (r'^seat 1 \["Player', 'seat 1 ["Player 1" "', "cannot read this name"),
        (r"^1 seat \d .*", "1 seat 0 [1]: play 1z", "line"),
        (r"^1 seat", "\u0661 seat", "line"),
        (r"^(\d) seat 1 ", "\\1 seat \u0661 ", "line"),
        (r"^(\d seat \d) \[\d+\]", "\\1 [\u0661]", "line"),
    ],
)
def test_an_altered_log_with_fresh_marks_fails_too(text, pattern, replacement, words):
    altered = [re.sub(pattern, replacement, line) for line in text.splitlines()]
    assert altered != text.splitlines()
    with pytest.raises(fairdeal.BadLog, match=words):
        verify(marked_anew(altered))


@pytest.mark.parametrize(
    ("line", "other", "words"), [("rules 1", "rules 2", "version 2"), ("chip-it", "chips", "chips")]
)
def test_a_game_that_is_not_installed_is_not_replayed(text, run, tmp_path, line, other, words):
    path = tmp_path / "game.log"
    path.write_text(marked_anew(text.replace(line, other).splitlines()), "utf-8")
    found = {one.check: one for one in verify(path.read_text("utf-8"), Record(visits={"1": Visit()}))[1]}
    assert found["moves"].ok is found["shown"].ok is None
    assert words in found["moves"].text
    code, out, err = run(f"verify {path}")
    assert (code, err) == (1, "fairdeal: not verified, because the moves or the signatures are not proven\n")
    assert f"? moves: not proven. {found['moves'].text}\n" in out
    assert run(f"verify {path} --json")[0] == 1


def test_a_running_log_does_not_verify_but_can_be_resumed(tmp_path):
    table = fairdeal.load("chip-it", players=3)
    sitting = Sitting.open(table, [Player("Ann"), Player("Bo", "greedy"), Player("Cleo", "random")])
    for _ in range(9):
        seat = sitting.state.to_act[0]
        sitting.play(seat, next(sitting.state.moves(seat)))
    path = tmp_path / "game.log"
    sitting.save(path)
    assert sitting.seed.hex() not in path.read_text()
    assert seed_file(path).stat().st_mode & 0o077 == 0
    with pytest.raises(fairdeal.BadLog, match="not been revealed"):
        verify(path.read_text())
    again = Sitting.resume(path)
    assert again.state == sitting.state
    assert again.log.text() == sitting.log.text()
    seed_file(path).unlink()
    with pytest.raises(fairdeal.BadLog, match="seed of this running game is missing"):
        Sitting.resume(path)


def test_a_refused_move_changes_nothing():
    sitting = people()
    before, log = sitting.state.copy(), sitting.log.text()
    for seat in range(3):
        with pytest.raises(fairdeal.IllegalMove):
            sitting.play(seat, "play 21g 21g 21g as 21")
    assert sitting.state == before
    assert sitting.log.text() == log


def people(names="ABC", seed=None, **options):
    table = fairdeal.load("chip-it", players=3, **options)
    return Sitting.open(table, [Player(name) for name in names], seed=seed)


def test_the_deal_depends_on_seed_names_options_and_nonces():
    wishes = ({}, {}, {"names": "ABD"}, {"seed": "2"}, {"start_points": 4})
    one, *others = (people(**{"seed": "1"} | wish).state.position()["hands"] for wish in wishes)
    assert [other == one for other in others] == [True, False, False, False]


def test_the_chance_key_is_hmac_sha_256_of_the_header():
    sitting = finished("chip-it", MIXED, players=3)
    expected = hmac.digest(sitting.seed, sitting.log.header(), "sha256")
    assert fairness.chance_key(sitting.seed, sitting.log.header()) == expected
    assert b"nonce " + sitting.log.players[1].nonce.encode() in sitting.log.header()


def test_seeds_and_nonces_are_new_every_time():
    sittings = [people() for _ in range(2)]
    assert sittings[0].seed != sittings[1].seed
    assert len({player.nonce for sitting in sittings for player in sitting.log.players}) == 6
