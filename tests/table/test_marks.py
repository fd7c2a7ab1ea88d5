"""What a replay marks: where a game of the match, or a round, had ended."""

from fairdeal.engine.records import SPECTATOR
from fairdeal.table.analysis.highlights import MOST, round_ends
from tests.table.sittings import finished


def test_the_end_of_each_game_of_a_match_is_marked_but_the_last():
    sitting = finished("chip-it", preset="tournament", players=3)
    marks = round_ends(sitting)
    games = [int(sitting.state_at(move).record.match.game) for move in (0, *marks)]
    assert games == list(range(1, int(sitting.state.record.match.games) + 1))
    assert len(games) > 1


def test_in_a_single_game_the_changes_of_the_score_pad_are_marked():
    sitting = finished("chimax-books", players=2)
    marks = round_ends(sitting)
    assert 0 < len(marks) <= MOST
    for mark in marks:
        before, after = (sitting.state_at(move).scene(SPECTATOR).score for move in (mark - 1, mark))
        assert before != after
