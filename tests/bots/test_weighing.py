"""The costs of moves: exact if the rules leave no doubt, by what the seat could know, and with their errors."""

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.evaluation import Ends, Scales, Weighed, spread_of
from fairdeal.bots.search import MEMORY, Decision, actions_of, sources_of
from fairdeal.engine.drivers.rollouts import keep_better_half
from fairdeal.engine.drivers.search import FINALISTS, MASTER, choose_all
from fairdeal.testing.play import must_have, random_states
from tests.bots.test_search import like, played_out

KEY = b"weighing in tests"

LAST_MOVE = {
    "start": 0,
    "turn": 1,
    "row": ["yin-red", "yang6-lime", "chi", "yin-blue", "yang3-pink", "yin-grey"],
    "hands": [["yin-lime", "yin-lime"], ["yang3-green", "yang6-purple"]],
    "areas": [
        [["yang6-purple"], ["yang6-brown"], ["yang6-lime"], ["yang6-orange"], ["yang3-grey"]],
        [["yang3-red"], ["yang3-blue"], ["yang6-teal"], ["yang6-orange"], ["yang6-black"]],
    ],
}
"""A sixth stack of the second player ends this game of CHI: with six points by 31 to 29, with three by 28 to 29."""


def test_a_move_that_wins_at_once_is_weighed_against_one_that_loses_at_once():
    state = fairdeal.load("chi").setup(LAST_MOVE, seed=1)
    wins, loses = (state.read_move(1, f"yang {card}") for card in ("yang6-purple", "yang3-green"))
    for played, chances in ((wins, 1), (loses, 0)):
        found = Scales(KEY, 30).weigh(state.view(1, MEMORY), played, 1)
        assert len(found.moves) == FINALISTS
        assert (found.best.actions, found.moves[found.played].actions) == (wins, played)
        assert (found.chances[found.order[0], 1], found.chances[found.played, 1]) == (1, chances)
        assert (found.cost, found.error) == (1 - chances, 0)


def test_a_sure_win_by_little_stays_in_question_beside_moves_that_get_further_ahead():
    """Ten deals were played out: no other move won as often, and most are further ahead."""
    state = fairdeal.load("chi").deal(seed=1)
    decision = Decision(state.view(1, MEMORY), 1, MEMORY, sources_of(bytes(32), 1))
    desk = decision.desks[0]
    choose_all(desk, 12)
    desk.played = 3
    desk.sums["wins"][:12], desk.sums["margin"][:12] = np.arange(12) % 5, np.arange(12) * 10
    desk.sums["wins"][4], desk.sums["margin"][4] = 10, 1
    keep_better_half(decision.desks)
    assert decision.chosen.tolist() == [0, 3, 4, 9, 10, 11]


def test_the_ends_are_those_of_the_same_games_played_in_python():
    states = random_states(fairdeal.load("chip-it", players=3), "ends", 40)
    state = next(state for state, *_ in states if len(list(state.action_moves(state.to_act[0]))) > 2)
    player, games = state.to_act[0], 3
    view, sources = state.view(player, MEMORY), sources_of(bytes(32), 9)
    decision = Decision(view, player, state.game.recall, sources)
    decision.chosen = [1, 2]
    decision.desks["played"], decision.desks["deals"] = 2, 4
    decision.engine.weigh_moves(decision.desks, games)
    greedy, ends = GreedyBot(state.game.recall), np.zeros((2, games, 3))
    for number in range(2):
        actions = actions_of(decision.moves[1 + number])
        for deal in range(games):
            game = played_out(
                view, player, actions, sources[MASTER], 5 + deal, lambda game, seat: ask(greedy, game, seat, 0).actions
            )
            assert game.over
            first = [rank == 1 for rank in game.ranks]
            ends[number, deal] = [one / sum(first) for one in first]
    own = ends[:, :, player]
    gain = own - own[1]
    for number, sums in enumerate(decision.desks["ends"][0, :2]):
        assert sums["shares"][:3] == pytest.approx(ends[number].sum(axis=0))
        assert sums["squares"] == pytest.approx((own[number] ** 2).sum())
        assert (sums["gain"], sums["spread"]) == (pytest.approx(gain[number].sum()), (gain[number] ** 2).sum())
        assert (sums["better"], sums["worse"]) == ((gain[number] > 0).sum(), (gain[number] < 0).sum())


@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_equal_knowledge_is_weighed_equally(game):
    """The results do not depend on what other seats hold."""
    looked, scales = 0, Scales(KEY, 4)
    for state, _, where in random_states(fairdeal.load(game, players=2), "weighed", 12):
        for player in state.to_act:
            other, played = state.view(player, MEMORY).guess(), next(state.action_moves(player))
            found = [scales.weigh(one.view(player, MEMORY), played, 7) for one in (state, other)]
            if found == [None, None]:
                continue
            assert found[0] == found[1], where
            looked += other != state
    must_have(looked, 5, f"{game}: choices with other cards that nobody sees")


def test_a_move_that_is_as_good_as_the_one_tried_in_its_place_costs_nothing():
    """In Match-2, one of the cards that nobody has seen is tried instead of the one that was turned."""
    looked = 0
    for state, _, where in random_states(fairdeal.load("chimax-match-2"), "alike", 20):
        player = state.to_act[0]
        view, played = state.view(player, MEMORY), list(state.action_moves(player))[-1]
        first = like(view, player, played)
        found = Scales(KEY, 2).weigh(view, played, 3)
        if found and first != played:
            assert found.moves[found.played].actions == played, where
            assert [like(view, player, move.actions) for move in found.moves].count(first) == 1, where
            looked += 1
    must_have(looked, 3, "cards that nobody has seen")


def test_the_move_that_was_played_is_always_weighed_but_not_if_it_was_the_only_one():
    weighed, forced = 0, 0
    for state, _, where in random_states(fairdeal.load("chip-it", players=2), "in question", 90):
        for player in state.to_act:
            moves = list(state.action_moves(player))
            found = Scales(KEY, 2).weigh(state.view(player, MEMORY), moves[-1], 3)
            assert (found is None) == (len(moves) == 1), where
            forced += found is None
            if found:
                weighed += len(moves) > 64
                assert found.moves[found.played].actions == moves[-1], where
                assert len(found.moves) <= 5, where
    must_have(min(weighed, forced), 1, "decisions with too many moves to try all, and without a choice")


def by_deals(*wins):
    """Return a decision of seat 0 whose moves have won these deals, a letter each; the first was played."""
    own = np.array([[float(deal == "1") for deal in move] for move in wins])
    gain, moves = own - own[0], []
    for number, (won, more) in enumerate(zip(own, gain, strict=True)):
        counts = (more**2).sum(), int((more > 0).sum()), int((more < 0).sum())
        moves.append(Ends((number,), (won.sum(), (1 - won).sum()), won.sum(), more.sum(), *counts))
    return Weighed(0, len(wins[0]), 0, tuple(moves))


def test_what_cannot_be_told_apart_costs_nothing():
    near = by_deals("1010" * 10, "1011" + "1010" * 9)
    assert near.order == [1, 0]
    assert near.best.gain / near.games == pytest.approx(1 / 40)
    assert near.cost == 0 < near.error
    far = by_deals("1000" * 10, "1110" * 10)
    assert far.cost == pytest.approx(0.5)
    assert far.chances[far.order[0]].tolist() == [0.75, 0.25]


def test_the_best_of_many_must_be_better_by_more():
    two, many = by_deals("1000" * 10, "1100" * 10), by_deals("1000" * 10, "1100" * 10, *["0000" * 10] * 3)
    assert two.order[0] == many.order[0] == 1
    assert many.error > 1.2 * two.error


def test_of_equal_moves_the_one_that_was_played_is_first():
    assert by_deals("1010", "1010", "0000").order == [0, 1, 2]


def test_the_spread_of_numbers_follows_from_two_sums():
    numbers = np.random.default_rng(1).normal(40, 7, 500)
    for lost in (0, 1):
        assert spread_of(numbers.sum(), (numbers**2).sum(), 500, lost) == pytest.approx(numbers.std(ddof=lost))
    assert spread_of(3.0, 9.0, 1, 1) == 0
