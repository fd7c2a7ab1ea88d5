"""Passes in windows have no number, and salts keep the running hash from telling who passed."""

import re
from dataclasses import replace

import pytest
from msgspec.structs import replace as replace_in

import fairdeal
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import version_of
from fairdeal.table import fairness
from fairdeal.table.log import Log, Move, read_log
from fairdeal.table.receipts import Drawn, Record, Visit
from fairdeal.table.sitting import replay
from fairdeal.table.verification import verify
from tests.table.sittings import finished
from tests.table.test_log_and_verification import marked_anew


@pytest.fixture(scope="module")
def sitting():
    """A game of four with passes in windows, by two seats in one of them."""
    return finished("war-xtreme", seed="2", players=4, ask_extreme=False)


def test_only_passes_in_windows_are_hidden(sitting):
    entries = []

    def watch(running, entry):
        asked = running.table.game.in_window(running.state.record)
        entries.append((entry.hidden, asked and entry.text == "pass"))

    replay(sitting.log, sitting.seed, watch=watch)
    assert all(hidden == passes for hidden, passes in entries)
    assert {hidden for hidden, _ in entries} == {False, True}


def test_nobody_else_learns_that_a_bot_passed_in_a_window(sitting):
    number = next(n for n, move in enumerate(sitting.log.moves, start=1) if move.hidden)
    move = sitting.log.moves[number - 1]
    stood_in = sitting.still()
    stood_in.log.moves[number - 1] = replace(move, by="greedy")
    assert [stood_in.made_for(number, viewer) for viewer in range(SPECTATOR, 4) if viewer != move.seat] == [""] * 4
    assert stood_in.made_for(number, move.seat) == "A bot played for you."


def test_a_log_with_hidden_entries_verifies_and_reads_back(sitting):
    log, text = sitting.log, sitting.log.text()
    verify(text)
    assert read_log(text).text() == text
    numbers = re.findall(r"^(\d+|\+) (?:seat|house)", text, re.MULTILINE)
    assert [one for one in numbers if one != "+"] == [str(number + 1) for number in range(log.number_for(SPECTATOR))]
    assert numbers.count("+") == len(log.entries) - log.number_for(SPECTATOR) > 10
    salts = [entry.salt for entry in log.entries]
    assert salts == [fairness.entry_salt(sitting.seed, number) for number in range(1, len(salts) + 1)]


def test_a_game_of_bots_verifies_and_without_windows_has_neither_salts_nor_hidden_entries(name):
    game = finished(name, ("random", "greedy"), **({"ask_extreme": False} if name == "war-xtreme" else {}))
    assert verify(game.log.text())[0].result == game.state.scores
    assert {bool(entry.salt) for entry in game.log.entries} == {game.table.game.has_windows}
    if not game.table.game.has_windows:
        assert game.log.number_for(SPECTATOR) == len(game.log.entries)


def test_each_seat_counts_its_own_passes_and_hears_the_hash_after_what_it_knows(sitting):
    written = replace(sitting.log, entries=[], moves=[], seed=None, result=None)
    chains = sitting.log.chains()
    for entry in sitting.log.entries:
        written.add(entry)
        for viewer in range(SPECTATOR, 4):
            known = written.known_to(viewer)
            assert written.number_for(viewer) == len(known) - 1
            assert written.chain_for(viewer) == chains[known[-1]]
            assert written.move_for(viewer, len(written.moves)) == len(known) - 1
    assert len({sitting.log.number_for(viewer) for viewer in range(SPECTATOR, 4)}) > 2


@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        (r" salt 0", " salt 1", "the salt of this entry must be 0"),
        (r" salt [0-9a-f]{32}", "", "the salt of this entry must be"),
        (r" salt [0-9a-f]{31}", " salt ", "expected move"),
    ],
)
def test_another_salt_is_refused(sitting, pattern, replacement, words):
    lines = sitting.log.text().splitlines()
    changed = next(n for n, line in enumerate(lines) if re.search(pattern, line))
    lines[changed] = re.sub(pattern, replacement, lines[changed])
    with pytest.raises(fairdeal.BadLog, match=words) as problem:
        verify(marked_anew(lines))
    assert problem.value.line == changed + 1


def test_an_entry_is_hidden_if_and_only_if_it_is_a_pass_in_a_window(sitting):
    hidden = next(number for number, entry in enumerate(sitting.log.entries) if entry.hidden)
    for changed in (hidden, hidden - 1):
        entries = [*sitting.log.entries]
        entries[changed] = replace(entries[changed], hidden=not entries[changed].hidden)
        with pytest.raises(fairdeal.BadLog, match="a pass in a window, and no other entry"):
            verify(replace(sitting.log, entries=entries).text())


def test_other_games_have_no_salts():
    log = finished("chi").log
    salted = replace(log, entries=[replace(log.entries[0], salt="0" * 32), *log.entries[1:]])
    with pytest.raises(fairdeal.BadLog, match="the salt of this entry is out of place"):
        verify(salted.text())


def test_the_next_hash_does_not_reveal_whether_somebody_passed():
    """Nobody can compute the hash after a window for each guess and compare: it follows from the seed."""
    header = {"game": "g", "rules_version": 1, "options": {}, "players": (), "commitment": "0" * 64}
    passes, flips = Move(1, "pass", actions=(3,), hidden=True), Move(0, "flip", actions=(1,))
    for made in ([flips], [passes, flips]):
        heard = set()
        for seed in (bytes(32), bytes([1] * 32)):
            salted = [replace(one, salt=fairness.entry_salt(seed, n)) for n, one in enumerate(made, start=1)]
            heard.add(Log(**header, entries=salted).chain_for(0))
        assert len(heard) == 2


def seen_by(sitting, seat):
    """Return the visit of the program of a seat: it is shown a state in a window only when the seat is asked."""
    visit, layout = Visit(sitting.log.commitment, seat=seat), layout_of_scenes(sitting.table.game)

    def watch(running, entry=None):
        asked = running.table.game.in_window(running.state.record) if not running.over else False
        number = running.log.number_for(seat)
        visit.acknowledges(number, running.log.chain_for(seat))
        if not asked or seat in running.state.to_act:
            visit.scenes.append(Drawn(running.sent(seat), layout, version_of("war-xtreme")))

    watch(replay(sitting.log, sitting.seed, watch=watch))
    return visit


@pytest.mark.parametrize("seat", range(4))
def test_the_record_of_a_seat_is_compared_by_its_own_numbers(sitting, seat):
    visit, text = seen_by(sitting, seat), sitting.log.text()
    assert not visit.broken

    def checked(**changes):
        return verify(text, Record(visits={"visit": replace(visit, **changes)}))[1]

    sentences = {one.check: one.text for one in checked() if one.ok}
    assert sentences["shown"] == f"You were shown this game: {len(visit.scenes)} scenes compared."
    last = max(entries for _, entries in visit.acknowledged)
    assert sentences["acknowledged"] == f"All {last} entries were acknowledged to you when they were made."
    for number in (1, len(visit.scenes) // 2, len(visit.scenes) - 1):
        false = [*visit.scenes]
        other = replace_in(false[number].scene, state="0" * 32)
        false[number] = false[number]._replace(scene=other)
        with pytest.raises(fairdeal.BadLog, match=rf"entry {other.seq}, you were shown a table that differs"):
            checked(scenes=false)
    for number in (1, last // 2, last):
        with pytest.raises(fairdeal.BadLog, match=f"up to entry {number} is not what the room acknowledged"):
            checked(acknowledged=visit.acknowledged | {(seat, number): "0" * 32})
    with pytest.raises(fairdeal.BadLog, match=f"acknowledged {last + 1} entries to you, but the log has {last}"):
        checked(acknowledged=visit.acknowledged | {(seat, last + 1): "0" * 32})
