"""The trained bot: the outputs of its network, what it may see, where it plays, and how well."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairdeal
from fairdeal.bots import learned
from fairdeal.bots.bots import ask
from fairdeal.bots.learned import LearnedBot, Net, net_for
from fairdeal.bots.registry import check_table, code_of, find_bot
from fairdeal.engine.observe.layout import layout_of
from fairdeal.lab.estimates import share
from fairdeal.lab.simulate.jobs import order_of
from fairdeal.lab.simulate.simulation import play
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting, replay
from fairdeal.table.verification import Recomputed
from fairdeal.testing.play import must_have, random_states
from tests.conftest import refusal

STORED = Path(__file__).with_name("learned_answers.npz")
"""Observations of random games, and the outputs of PyTorch for them with the weights of our network."""


@pytest.fixture(scope="module")
def table():
    return fairdeal.load("chi")


@pytest.fixture(scope="module")
def net(table):
    return net_for(table)


def test_the_net_gives_the_outputs_of_its_training(net):
    with np.load(STORED) as stored:
        seen, answers, masks = stored["seen"], stored["answers"], stored["masks"]
    assert len(seen) >= 8
    for observation, answer, mask in zip(seen, answers, masks, strict=True):
        ours = net.answer(observation)[mask] / 2**learned.FRACTION
        np.testing.assert_allclose(ours, answer[mask], atol=0.05)
    assert np.ptp(answers[masks]) > 5, "the outputs differ"


def test_it_plays_legal_moves_and_knows_no_more_than_its_seat(table):
    """It plays the same in another deal that its seat cannot tell from this one."""
    hidden, looked = 0, 0
    for state, _, where in random_states(table, "learned", 60):
        for player in state.to_act:
            bot = LearnedBot(table)
            move = ask(bot, state, player, 0).actions
            assert move in list(state.action_moves(player)), where
            other = state.view(player, bot.recall).guess()
            hidden += other != state
            assert ask(bot, other, player, 7).actions == move, where
            looked += 1
    must_have(looked, 30, "positions")
    must_have(hidden, 20, "deals that differ in what it cannot see")


def test_it_wins_more_than_half_against_greedy(table):
    scores = play(order_of(table, ("learned", "greedy"), "learned"), 200).by_bot
    wins = share((np.sign(scores[:, 0] - scores[:, 1]) + 1) / 2)
    assert wins.low > 0.5, wins


def test_its_moves_in_a_log_can_be_verified(table):
    sitting = Sitting.open(table, [Player("Ada", "greedy"), Player("Learned", "learned")])
    while sitting.moves_made < 30 and not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    again = Recomputed(sitting.log, sitting.seed)
    replay(sitting.log, sitting.seed, watch=again.watch)
    assert sum(again.made.values()) == sitting.moves_made > 0


def test_the_error_of_another_game_or_other_options_says_why_it_cannot_play(table):
    check_table("learned", table)
    with refusal("the game has no trained network"):
        check_table("learned", fairdeal.load("chip-it"))
    with refusal("trained for Chi with hand_limit = 5, not 7"):
        find_bot("learned", fairdeal.load("chi", hand_limit=7), 0, b"")
    check_table("greedy", fairdeal.load("chip-it"))


def test_simulations_call_it_in_python():
    assert code_of("learned", fairdeal.find_game("chi")) is None


def test_a_net_of_other_rules_or_other_actions_does_not_play(table, net, monkeypatch):
    older = replace(net, about=replace(net.about, rules=0))
    assert "trained for rules version 0 of chi; this is version" in older.unfit(table)
    assert not net.unfit(table)
    monkeypatch.setattr(type(table.game.actions), "label", lambda actions, number: f"something else {number}")
    assert "train it again" in net.unfit(table)


@pytest.mark.parametrize(("change", "fits"), [({"words": "other words"}, True), ({"first": 1}, False)])
def test_a_net_depends_on_the_forms_of_observations_not_on_their_descriptions(table, net, monkeypatch, change, fits):
    forms = table.game.observed.forms
    monkeypatch.setitem(forms, "turn", replace(forms["turn"], **change))
    layout_of.cache_clear()
    assert (not net.unfit(table)) == fits
    layout_of.cache_clear()


def test_an_option_added_since_a_net_was_trained_counts_as_its_default(table, net):
    older = {name: value for name, value in net.about.options.items() if name != "hand_limit"}
    for limit, fits in ((table.options.hand_limit, True), (table.options.hand_limit + 1, False)):
        other = fairdeal.load("chi", hand_limit=limit)
        assert (not replace(net, about=replace(net.about, options=older)).unfit(other)) == fits, limit


def test_a_net_is_read_as_it_was_written(net, tmp_path):
    net.write(tmp_path / "net.npz")
    content = (tmp_path / "net.npz").read_bytes()
    assert len(content) < 1_000_000
    again = Net.read(content)
    assert again.about == net.about
    for ours, theirs in zip(net.weights + net.added, again.weights + again.added, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for wrong in (b"", b"no net", content[: len(content) // 2]):
        with refusal("this is not a network file"):
            Net.read(wrong)


def test_weights_that_are_too_large_are_refused(table):
    layers = [np.zeros((3, 2)), np.zeros((2, 2)), np.full((2, 2), 8.0)]
    with refusal("the weights of a network must be below 8"):
        Net.of(table, layers, [np.zeros(2)] * 3)
