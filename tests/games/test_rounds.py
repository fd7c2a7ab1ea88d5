"""Ends of rounds: the points of each seat and their reasons, which add up to the totals of the rules."""

import random

import pytest

import fairdeal
from fairdeal.engine.events import round_in
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Gain, Round, Tally
from fairdeal.engine.scene.points import counted
from fairdeal.testing.play import play_at_random

NAMES = ("Ada", "Bo", "Cleo", "Dai")

ROUNDS = {
    "chimax-books": [
        {"target": 1000, "max_rounds": 8},
        {"players": 2, "tap": "point", "pair_count": "once", "target": 1000, "max_rounds": 8},
        {"preset": "summary", "pair_count": "exact", "target": 1000, "max_rounds": 8},
    ],
    "chimax-cut": [{}, {"mode": "one_cut"}, {"mode": "until_infinity"}],
    "chimax-match-2": [{"target": 20, "stall_limit": 1}, {"target": 25, "qmark_wild": True, "stall_limit": 1}],
    "chimax-match-3": [{"target": 9, "stall_limit": 1}],
    "chip-it": [{"preset": "tournament"}, {"preset": "duel"}],
}
"""Games of several rounds, with options that change how points are counted."""


def rounds_of(name, options, seed):
    """Yield the rounds of a random game: the state after each, and its summary."""
    dice = random.Random(seed)
    state = fairdeal.load(name, **options).deal(seed)
    while not state.over:
        before = state.copy()
        player, actions = play_at_random(state, dice)
        seen = before.seen_by(SPECTATOR, NAMES[: state.players])
        ended = round_in(seen.happened(state.seen_by(SPECTATOR), player, actions), seen.voice)
        if ended:
            yield state.copy(), ended


@pytest.mark.parametrize(("game", "options"), [(name, one) for name, sets in ROUNDS.items() for one in sets], ids=str)
def test_the_reasons_of_a_round_add_up_to_its_points(game, options):
    reasons, met = set(), 0
    for seed in range(2):
        totals = None
        for after, ended in rounds_of(game, options, seed):
            now = [int(total) for total in after.record.match.totals[: after.players]]
            grown = [new - old for new, old in zip(now, totals or [0] * len(now), strict=True)]
            tallies = {tally.seat: tally for tally in ended.tallies}
            assert sorted(tallies) == list(range(after.players))
            assert [tallies[seat].points for seat in range(after.players)] == grown
            assert [tallies[seat].total for seat in range(after.players)] == now
            faces = after.game.faces(after.table.options)
            gains = [gain for tally in ended.tallies for gain in tally.gains]
            assert [card for gain in gains for card in gain.cards if card not in faces] == []
            reasons |= {gain.label for gain in gains}
            totals, met = now, met + 1
    assert met > 1
    assert reasons


def test_every_reason_of_books_comes_up():
    labels = set()
    for options in ROUNDS["chimax-books"]:
        for _, ended in rounds_of("chimax-books", options, 3):
            labels |= {gain.label for tally in ended.tallies for gain in tally.gains}
    assert {"Book", "Books", "? ?", "½ ½", "three 0"} <= labels
    assert labels & {"three ∞", "Tap", "Taps"}


def test_a_round_is_described_from_the_best_on_and_counted_from_the_worst_on():
    _, ended = next(rounds_of("chimax-books", ROUNDS["chimax-books"][0], 5))
    totals = [tally.total for tally in ended.tallies]
    assert totals == sorted(totals)
    best = max(ended.tallies, key=lambda tally: (tally.total, -tally.seat))
    assert ended.text.startswith(f"Round 1 done: {NAMES[best.seat]} {best.total}, ")
    assert (ended.sweep, ended.winner >= 0) == ("taken", True)


def test_the_count_is_said_in_a_line():
    gains = (Gain("Books", 3), Gain("three ∞", 3, cards=("inf",) * 3), Gain("½ ½", -1, cards=("half",) * 2))
    ended = Round(3, "Round 3 done: Bo 8, you 0.", (Tally(0, 0), Tally(1, 8, gains)))
    assert counted(ended, ["You", "Bo"]) == "You 0 · Bo: Books 3, three ∞ +3, ½ ½ −1"


def test_a_game_of_one_round_has_none_to_count():
    assert list(rounds_of("chi", {}, 1)) == []
    assert list(rounds_of("chip-it", {}, 1)) == []


def test_in_a_duel_few_points_are_good():
    after, ended = next(rounds_of("chip-it", {"preset": "duel"}, 2))
    totals = [int(total) for total in after.record.match.totals[:2]]
    best = totals.index(min(totals))
    assert ended.text.startswith(f"Game 1 done: {NAMES[best]} {min(totals)}, ")


def test_before_a_round_is_over_nothing_is_counted():
    state = fairdeal.load("chimax-books").deal(1)
    before = state.copy()
    player, actions = state.to_act[0], state.legal_actions(state.to_act[0])[:1]
    state.apply(player, *actions)
    seen = before.seen_by(SPECTATOR)
    assert round_in(seen.happened(state.seen_by(SPECTATOR), player, actions), seen.voice) is None
