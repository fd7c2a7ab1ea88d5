"""Words that people read, over random games of every title."""

import random
import re

import msgspec

import fairdeal
from fairdeal.testing.play import play_at_random, table_of, viewers
from fairdeal.testing.scenes import NAMES

ONE = re.compile(r"(?<![\d.,−+-])\b1 (\w+)")
PLURALS = {
    *(
        "points",
        "cards",
        "books",
        "spins",
        "looks",
        "turns",
        "misses",
        "rounds",
        "stacks",
        "stakes",
        "chips",
        "players",
    ),
    *("pairs", "armies", "recruits", "games", "deals", "places", "seconds", "moves", "taps"),
}

CLUMSY = re.compile(r"[:,] You \w|[’']s an? |\b[Yy]our an? |\w+ and \w+ and \w+ at which")
"""What nobody says: a capital in the middle of a sentence, `Bo’s a half`, `2 and 9 and 21`."""

MOVES = 600


def texts(value):
    """All words of a scene that people read, in whatever field they are."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if isinstance(value.get("label"), str) and "value" in value:  # a counter: its number is read before its label
            yield f"{value['value']} {value['label']}"
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def test_nothing_counts_one_as_several_or_stumbles(name):
    """Scenes, lines of the log, prompts and results of random games, for everybody who looks on."""
    dice, read, game = random.Random(name), 0, fairdeal.find_game(name)
    for preset in game.presets:
        state = table_of(game, preset=preset).deal(str(dice.random()))
        for number in range(MOVES // len(game.presets)):
            if state.over:
                state = state.table.deal(str(dice.random()))
            before = state.copy()
            player, actions = play_at_random(state, dice)
            viewer = dice.choice(viewers(state))
            said = [line.text for line in before.narrate(state, player, actions, viewer, NAMES[: state.players])]
            if number % 5 == 0 or state.over:
                said += texts(msgspec.to_builtins(state.scene(viewer, names=NAMES[: state.players])))
            for text in said:
                read += 1
                wrong = [found for found in ONE.findall(text) if found.lower() in PLURALS]
                assert not wrong, f"{preset}: {text!r} says 1 {wrong[0]}"
                assert not CLUMSY.search(text), f"{preset}: {text!r}"
    assert read > MOVES


def ended(game, seed, **options):
    """The result of a random game for its first seat."""
    state, dice = fairdeal.load(game, **options).deal(seed=seed), random.Random(seed)
    while not state.over:
        play_at_random(state, dice)
    return state, state.scene(0, names=NAMES[: state.players]).result


def test_a_deal_below_par_is_not_won():
    """JACK-11."""
    met = set()
    for seed in range(12):
        state, result = ended("chimax-jackpot", seed, par=1)
        assert result.par == 1
        assert result.won == (state.scores[0] >= 1)
        assert "win" not in result.text
        met.add(result.won)
    assert met == {True, False}


def test_a_game_that_nobody_felt_extreme_enough_for_is_not_won():
    """WAR-03."""
    state = fairdeal.load("war-xtreme", players=2).deal(seed=1)
    state.play(0, "no")
    state.play(1, "no")
    result = state.scene(0).result
    assert not result.won
    assert result.text == "No game: too few felt extreme."


def test_the_end_of_chip_it_shows_what_everybody_is_left_with():
    """CHIP-64: the scores are 1 and 0, which tells nobody how near they came."""
    state, result = ended("chip-it", 3, players=4)
    assert sorted(result.scores) == [0, 0, 0, 1]
    for seat, shown in enumerate(result.shown):
        cards = state.position()["hands"][seat]
        assert (shown == "nothing left") == (result.places[seat] == 1)
        assert not cards or shown.startswith(f"{len(cards)} card")
