import pytest

import fairdeal
from fairdeal.bots.preparing import prepare
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from fairdeal.table import advice
from fairdeal.table.advice import MOST_OPTIONS, SECONDS, Hint, Option, chances_of, hint, next_look, said_chances
from fairdeal.testing.play import must_have, random_states

NAMES = ("Ada", "Bo")


@pytest.fixture(autouse=True, scope="module")
def prepared():
    """Nobody thinks before the search is there, neither in a room nor in the terminal."""
    prepare(fairdeal.find_game("chi"))


@pytest.fixture(autouse=True)
def little_time(monkeypatch):
    """Enough for a few dozen games on a machine that does much else."""
    monkeypatch.setattr(advice, "SECONDS", (0.0, 0.1, 0.1, 0.1))


def positions(many):
    for state, _, where in random_states(fairdeal.load("chi"), "advice", many):
        for seat in state.to_act:
            if len(list(state.action_moves(seat))) > 1:
                yield state, seat, where


def test_the_first_look_is_the_game_s_own_rule():
    state, seat, _ = next(positions(5))
    found = hint(state, seat, NAMES, 0, b"key")
    assert found.options == ()
    assert said_chances(found) == ""
    assert state.is_legal_move(seat, found.actions)
    assert found.text[0].isupper()


def test_a_further_look_tells_the_best_moves_with_their_chances():
    looked, others = 0, 0
    for state, seat, where in positions(6):
        found = hint(state, seat, NAMES, 1, b"key")
        assert state.is_legal_move(seat, found.actions), where
        assert 0 < len(found.options) <= MOST_OPTIONS, where
        assert found.options[0].notation == state.game.write_move(state.record, seat, found.actions), where
        assert all(0 <= option.chance <= 1 and option.error < 0.25 for option in found.options), where
        assert len({option.notation for option in found.options}) == len(found.options), where
        assert found.of == "to win", where
        words = said_chances(found)
        assert words.startswith(f"Your chance to win: {advice.percent(found.options[0].chance)}."), where
        others += "Next best" in words
        looked += 1
    must_have(looked, 4, "positions")
    must_have(others, 4, "next best moves")


def test_the_chances_of_a_hint_make_a_sentence():
    moves = [("Play 8.", 0.7), ("Take a yellow Yin.", 0.65), ("Play a brown Yang.", 0.6)]
    options = tuple(Option(text.rstrip("."), text, chance, 0.01) for text, chance in moves)
    found = Hint((1,), "Play 8. It leads.", (), (), options, "to win")
    words = "Your chance to win: 70%. Next best: take a yellow Yin (65%) or play a brown Yang (60%)."
    assert said_chances(found) == words
    said = [advice.percent(chance) for chance in (0, 0.009, 0.01, 0.99, 0.991, 1)]
    assert said == ["<1%", "<1%", "1%", "99%", ">99%", ">99%"]


def test_a_hint_is_thought_out_from_what_the_seat_knows(monkeypatch):
    """With other cards where the seat cannot see them, the search is given the same."""
    given = []
    monkeypatch.setattr(advice, "advise", lambda view, *_: given.append(view.record.tobytes()) or [])
    source, looked = new(chance_record), 0
    chance.set_key(source, chance.key_of("others"))
    for state, seat, where in positions(6):
        other = state.view(seat, 100).resample(source)
        other.record.chance = state.record.chance
        hint(state, seat, NAMES, 1, b"key")
        hint(other, seat, NAMES, 1, b"key")
        assert given[-1] == given[-2], where
        looked += other != state
    must_have(looked, 3, "deals that differ")


def test_looks_come_to_an_end_and_one_player_alone_has_one():
    assert [next_look(look, 2) for look in range(len(SECONDS))] == [1, 2, 3, 0]
    assert next_look(0, 1) == 0


def test_what_the_chances_are_of():
    assert chances_of(fairdeal.load("chip-it", players=2, duel_games=2).deal(1)) == "to lead after this game"
    assert chances_of(fairdeal.load("chi").deal(1)) == "to win"
    war = fairdeal.load("war-xtreme").deal(1)
    assert chances_of(war) == f"to be ahead {war.game.horizon} moves on"
