"""The analysis of finished games: what it says adds up, comes out the same again, and is told in every form."""

import re
from html import unescape
from itertools import pairwise

import msgspec
import pytest

import fairdeal
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.table import analysing
from fairdeal.table.analysing import analyse, analysis_file, keep, kept, turns_of
from fairdeal.table.analysis import Analysis, label_of, points, signed
from fairdeal.table.analysis_page import name_places, page_of
from fairdeal.table.holding import held
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting

PLAYOUTS = 12


def finished(name="chi", bots=("random", "greedy"), **options):
    table = fairdeal.load(name, **options)
    names = ("Ada", "Bo <b>", "Cleo")
    players = [Player(names[seat], bots[seat % len(bots)]) for seat in range(table.players)]
    sitting = Sitting.open(table, players, "to be analysed")
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    return sitting


@pytest.fixture(scope="module")
def sitting():
    return finished()


@pytest.fixture(scope="module")
def found(sitting):
    return analyse(sitting, PLAYOUTS, jobs=2)


def test_there_is_a_chance_for_every_seat_before_every_move_and_the_result_at_the_end(sitting, found):
    assert len(found.chances) == sitting.moves_made + 1 > 20
    assert all(len(row) == 2 and all(0 <= chance <= 1 for chance in row) for row in found.chances)
    places = sitting.state.ranks
    assert sorted(places) == [1, 2]
    assert found.chances[-1] == tuple(float(place == 1) for place in places)
    assert found.result == sitting.scene(SPECTATOR).result.text


def test_every_decision_is_told_and_nothing_else(sitting, found):
    choices = {
        move
        for move in range(sitting.moves_made)
        if len(list(sitting.state_at(move).action_moves(sitting.log.moves[move].seat))) > 1
    }
    assert {one.move for one in found.decisions} == choices
    assert len(choices) > 20
    for one in found.decisions:
        entry = sitting.log.moves[one.move]
        assert one.seat == entry.seat
        assert one.options[one.played].notation == entry.text
        assert 1 <= len(one.options) <= 4
        best = [option.chance for option in one.options]
        assert best == sorted(best, reverse=True)
        assert one.label == label_of(one.cost)
        assert one.cost == pytest.approx(best[0] - best[one.played], abs=2e-4) or one.cost == 0


def test_the_same_comes_out_with_any_number_of_threads(sitting, found):
    assert analyse(sitting, PLAYOUTS, jobs=1) == found
    assert analyse(sitting, PLAYOUTS + 1, jobs=1) != found


def test_shares_add_up():
    found = analyse(finished("chip-it", ("random", "greedy", "random"), players=3), 40)
    assert sum(share.play for share in found.shares) < 0
    for share in found.shares:
        assert share.start + share.luck + share.play + share.gifts == pytest.approx(share.result)
        assert share.play <= 0
    assert sum(share.start for share in found.shares) == pytest.approx(1)
    assert sum(share.luck for share in found.shares) == pytest.approx(0, abs=1e-9)
    assert sum(share.play + share.gifts for share in found.shares) == pytest.approx(0, abs=1e-9)
    costs = {seat: sum(one.cost for one in found.decisions if one.seat == seat) for seat in range(3)}
    assert [share.play for share in found.shares] == pytest.approx([-costs[seat] for seat in range(3)], abs=0.01)


def test_turning_points_are_the_sharpest_changes_in_order(sitting):
    chances = [(0.5, 0.5)] * (sitting.moves_made + 1)
    for move, chance in ((3, 0.62), (4, 0.62), (7, 0.1), (8, 0.4), (9, 0.41), (12, 0.9), (13, 0.5), (15, 0.3)):
        chances[move:] = [(0.5, chance)] * (sitting.moves_made + 1 - move)
    turns = turns_of(sitting, chances, 0.12)
    assert [turn.move + 1 for turn in turns] == [7, 8, 12, 13, 15]
    assert {turn.seat for turn in turns} == {1}
    assert (turns[0].before, turns[0].after) == (0.62, 0.1)
    assert turns[0].text in " ".join(event.text for event in sitting.events(7, SPECTATOR))
    assert turns_of(sitting, [(0.5, 0.5)] * (sitting.moves_made + 1), 0.12) == ()


@pytest.mark.parametrize(
    ("cost", "word"),
    [(0, "best"), (0.01, "best"), (0.011, "fine"), (0.04, "fine"), (0.05, "slip"), (0.1, "slip"), (0.11, "blunder")],
)
def test_the_words_of_costs_have_plain_thresholds(cost, word):
    assert label_of(cost) == word


def test_points_are_told_with_a_sign():
    assert [points(0.094), signed(0.094), signed(-0.186), signed(0.001), signed(-0.001)] == ["9", "+9", "−19", "0", "0"]


def test_progress_counts_the_moves_and_can_end_the_work(sitting):
    told = []
    analyse(sitting, 2, 2, lambda done, of: told.append((done, of)))
    assert told == [(number, sitting.moves_made) for number in range(1, sitting.moves_made + 1)]

    class Enough(Exception):
        pass

    def stop(done, of):
        told.append((done, of))
        if done == 3:
            raise Enough

    told.clear()
    with pytest.raises(Enough):
        analyse(sitting, 2, 1, stop)
    assert len(told) < sitting.moves_made


def test_a_running_game_and_a_player_alone_are_refused():
    running = Sitting.open(fairdeal.load("chi"), [Player("Ada", "greedy"), Player("Bo", "greedy")], "running")
    running.play_bot(running.bot_to_act())
    with pytest.raises(FairdealError, match="still runs"):
        analyse(running, 2)
    with pytest.raises(FairdealError, match="still runs"):
        held(running, 0, 0)
    with pytest.raises(FairdealError, match="alone"):
        analyse(finished("chimax-jackpot", players=1), 2)


def test_how_many_games_are_played_out_follows_from_the_time_there_is(sitting, monkeypatch):
    states = [sitting.state_at(number).copy() for number in range(sitting.moves_made + 1)]
    assert analysing.affordable(states, 2) in analysing.FINENESS
    for seconds, number in ((1e-6, analysing.FINENESS[-1]), (1e9, analysing.FINENESS[0])):
        monkeypatch.setattr(analysing, "SECONDS", seconds)
        assert analysing.affordable(states, 1) == number


# --- what they could have held ----------------------------------------------------------------------------------


def test_what_rivals_could_have_held_follows_from_what_the_seat_knew_and_shows_what_they_had(sitting):
    looked = 0
    for move in range(0, sitting.moves_made, 6):
        seat = sitting.log.moves[move].seat
        (rival,) = held(sitting, move, seat) or (None,)
        if rival is None:
            continue
        hand = [card.face for card in zone_of(sitting.state_at(move), 1 - seat).cards]
        assert sorted(hand) == sorted(rival.true)
        likely = dict(rival.faces)
        assert list(likely.values()) == sorted(likely.values(), reverse=True)
        assert all(0 < share <= 1 for share in likely.values())
        assert sum(likely.values()) <= len(hand) + 1e-9
        looked += len(likely) > len(set(hand))
    assert looked > 2


def zone_of(state, seat):
    return next(zone for zone in state.scene(seat).zones if zone.place == "hand")


def test_a_move_or_seat_that_there_is_not_is_refused(sitting):
    for move, seat in ((-1, 0), (sitting.moves_made, 0), (0, 2), (0, SPECTATOR)):
        with pytest.raises(FairdealError, match="there is no move"):
            held(sitting, move, seat)


# --- its forms --------------------------------------------------------------------------------------------------


def test_it_is_read_again_as_it_was_written(found):
    assert msgspec.json.decode(msgspec.json.encode(found), type=Analysis) == found


def test_it_is_kept_beside_the_log_for_as_long_as_it_fits(found, tmp_path):
    log = tmp_path / "a.game.log"
    assert kept(log, found.chain, None) is None
    keep(log, found)
    assert analysis_file(log).name == "a.game.analysis.json"
    assert kept(log, found.chain, None) == kept(log, found.chain, PLAYOUTS) == found
    assert kept(log, found.chain, PLAYOUTS + 1) is None
    assert kept(log, "0" * 64, None) is None
    keep(log, msgspec.structs.replace(found, version=0))
    assert kept(log, found.chain, None) is None
    analysis_file(log).write_text("{}")
    assert kept(log, found.chain, None) is None


def test_the_page_has_all_numbers_and_needs_nothing_from_elsewhere(found):
    page = page_of(found)
    assert not re.search(r"https?:|<script|<link|url\(|src=", page)
    assert "Bo &lt;b&gt;" in page
    assert "<b>" not in page.partition("<section>")[0]
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))
    for one in found.decisions:
        played = one.options[one.played]
        assert f"{played.text} {points(played.chance)} ±{points(played.error)} %" in told
        assert f" {one.move + 1} " in told
    assert max(one.cost for one in found.decisions) > 0.1
    for one in found.costliest:
        assert f"−{points(one.cost)} ±{points(one.error)} {one.label}" in told
    for share in found.shares:
        assert f"{signed(share.luck)} {signed(share.play)} {signed(share.gifts)} {points(share.result)}" in told
    for turn in found.turns:
        assert f"{points(turn.before)} → {points(turn.after)}" in told
    assert page.count("<polyline") == 2
    assert page.count("role='img'") == 1


def test_names_at_the_ends_of_lines_do_not_lie_on_one_another():
    for last in ((1.0, 0.0, 0.0, 0.0), (0.25, 0.25, 0.25, 0.25), (0.0, 0.0, 1.0), (0.5, 0.5)):
        places = sorted(name_places(last))
        assert all(below - above >= 16.9 for above, below in pairwise(places))
        assert places[0] >= -1
        assert places[-1] <= 250
