"""Words on the screen, in random games of every title."""

import random
import re

import msgspec

import fairdeal
from fairdeal.testing.play import play_at_random, viewers
from fairdeal.testing.scenes import NAMES
from tests.games.playing import random_moves

ONE = re.compile(r"(?<![\d.,−+-])\b1 (\w+)")
PLURALS = re.compile(
    "points|cards|books|spins|looks|turns|misses|rounds|stacks|stakes|chips|players|pairs|armies|recruits|games|deals"
    "|places|seconds|moves|taps",
    re.IGNORECASE,
)

CLUMSY = re.compile(r"[:,] You \w|[’']s an? |\b[Yy]our an? |\w+ and \w+ and \w+ at which")
"""Clumsy words: a capital in the middle of a sentence, `Bo’s a half`, `2 and 9 and 21`."""

MOVES = 600


def texts(value):
    """Yield all words of a scene."""
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
    """Checked are scenes and lines of the log of random games."""
    read = 0
    for number, (before, state, player, actions) in enumerate(random_moves(name, MOVES)):
        viewer, names = viewers(state)[number // 5 % (state.players + 1)], NAMES[: state.players]
        said = [line.text for line in before.narrate(state, player, actions, viewer, names)]
        if number % 5 == 0 or state.over:
            said += texts(msgspec.to_builtins(state.scene(viewer, names=names)))
        for text in said:
            read += 1
            wrong = [found for found in ONE.findall(text) if PLURALS.fullmatch(found)]
            assert not wrong, f"{state.table}: {text!r} says 1 {wrong[0]}"
            assert not CLUMSY.search(text), f"{state.table}: {text!r}"
    assert read > MOVES


def ended(game, seed, **options):
    """Return the end of a random game, and its result for the first seat."""
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


def test_the_end_of_chip_it_shows_what_everybody_is_left_with():
    """CHIP-64: the scores alone are only 1 and 0."""
    state, result = ended("chip-it", 3, players=4)
    assert sorted(result.scores) == [0, 0, 0, 1]
    for seat, shown in enumerate(result.shown):
        cards = state.position()["hands"][seat]
        assert (shown == "nothing left") == (result.places[seat] == 1)
        assert not cards or shown.startswith(f"{len(cards)} card")
