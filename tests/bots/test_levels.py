import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.levels import FACES, Level, LevelBot, level_of, levels_of, read_levels, seated
from fairdeal.bots.registry import find_bot
from fairdeal.testing.play import must_have, random_states
from tests.conftest import refusal

KEY = b"a key for tests"


def test_every_game_has_opponents_in_order(name):
    game = fairdeal.find_game(name)
    levels = levels_of(game)
    assert [*levels] == [face for face in FACES if face in levels]
    assert len(levels) >= 2
    assert "otto" in levels
    for word in map(seated, levels, [game] * len(levels)):
        assert level_of(word, game).way == levels[word.partition(":")[0]].way


def test_blunders_come_as_often_as_they_should():
    """Forty percent of the moves are random, and some of these are the greedy move."""
    game = fairdeal.find_game("chi")
    sound, bot = GreedyBot(0), LevelBot(game, Level(blunders=40), KEY)
    looked = 0
    for state, _, where in random_states(fairdeal.load("chi"), "blunders", 12):
        for player in state.to_act:
            moves = len(list(state.action_moves(player)))
            if moves < 5:
                continue
            best = ask(sound, state, player, 0).actions
            others = sum(ask(bot, state, player, turn).actions != best for turn in range(200))
            assert 80 * (1 - 1 / moves) - 30 < others < 80 * (1 - 1 / moves) + 30, where
            looked += 1
    must_have(looked, 5, "positions with a choice")


def test_a_bot_remembers_as_much_as_its_level_says():
    game = fairdeal.find_game("chimax-match-2")
    assert LevelBot(game, Level(memory=0), KEY).recall == 0
    assert LevelBot(game, Level(memory=40), KEY).recall == 40
    assert LevelBot(game, Level(memory=40, playouts=10), KEY).sound.recall == 40


def test_a_bot_that_searches_remembers_cards_taken_from_the_row_and_greedy_need_not():
    game = fairdeal.find_game("chi")
    assert LevelBot(game, Level(), KEY).recall == 0
    bot = LevelBot(game, Level(playouts=10), KEY)
    assert (bot.recall, bot.sound.recall, bot.sound.others) == (100, 100, 0)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("fox", "there is no bot 'fox'"),
        ("vixx", "did you mean vix"),
        ("vix:100-0", "NAME:MEMORY-BLUNDERS-PLAYOUTS"),
        ("vix:100-101-5", "NAME:MEMORY-BLUNDERS-PLAYOUTS"),
        ("greedy:1-1-1", "NAME:MEMORY-BLUNDERS-PLAYOUTS"),
        ("vix", "Vix does not play Chimax Order; its opponents are pip, juno, bram, otto"),
    ],
)
def test_the_error_of_an_unknown_bot_says_which_exist(word, says):
    with refusal(says):
        find_bot(word, fairdeal.load("chimax-order"), 0, KEY)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[fox]\n", "there is no opponent 'fox'; the opponents are pip, juno"),
        ("[pip]\nluck = 3\n", "unknown field `luck`"),
    ],
)
def test_the_error_of_a_wrong_file_says_where(text, says, tmp_path, monkeypatch):
    package = f"opponents_{len(text)}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / package / "levels.toml").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with refusal(says):
        read_levels(f"{package}:levels.toml")
