import math
import random

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import MEMORY, MOST_MOVES, Decision, SearchBot, actions_of, like
from fairdeal.engine.drivers import MOST_STEPS
from fairdeal.engine.drivers.search import BEHIND, MASTER, MOVE, SOURCES, SPREAD, SUMS, keep_move
from fairdeal.engine.kit import chance
from fairdeal.engine.records import blank_array, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.testing.play import must_have, random_states

GAMES = {
    **{"chi": {}, "chip-it": {"players": 2}, "chaos-ninjas": {"players": 4}, "chimax-jackpot": {"players": 1}},
    "chimax-match-2": {},
}
"""Moves of one action and of several, against one and several, and alone; and moves that are alike."""

ALIKE = {
    **{f"chimax-{name}": {} for name in ("match-2", "match-3", "order", "fate")},
    "chimax-cut": {"players": 3},
    "war-xtreme": {"players": 3, "max_rounds": 20},
}
"""Games with moves that are alike."""

KEY = b"a key for tests"


def sources():
    found = blank_array(chance_record, SOURCES)
    chance.set_key(found[MASTER], chance.key_of(KEY))
    return found


def decision(state, player):
    return Decision(state.view(player, state.game.recall), player, state.game.recall, sources())


def played_on(state, player):
    """The move by which a seat that searches plays on: that of its game's rollout rule, or the greedy one."""
    rule = state.game.rollout or state.game.greedy
    view, plan = state.view(player, state.game.recall), np.zeros(len(state.game.actions) + MOST_STEPS, np.int16)
    return tuple(plan[: rule(view.record, player, plan)].tolist())


def moves_of(found):
    return [actions_of(move) for move in found.moves]


@pytest.mark.parametrize("game", GAMES)
def test_every_whole_move_is_tried_the_one_of_the_rollout_rule_first(game):
    looked, most, unlike, spared = 0, 0, 0, 0
    for state, _, where in random_states(fairdeal.load(game, **GAMES[game]), "search", 60):
        for player in state.to_act:
            found, legal = moves_of(decision(state, player)), list(state.action_moves(player))
            most = max(most, len(legal))
            view = state.view(player, state.game.recall)
            kinds, tried = ({like(view, player, move) for move in moves} for moves in (legal, found))
            assert found[0] == played_on(state, player), where
            assert len(tried) == len(found) == min(len(kinds), MOST_MOVES), where
            assert set(found) <= set(legal), where
            spared += len(legal) - len(kinds)
            looked += len(found) > 1
            unlike += found[0] != ask(GreedyBot(state.game.recall), state, player, 0).actions
    must_have(looked, 20, f"{game}: choices")
    assert (unlike > 0) == (game == "chip-it"), "only CHIP IT has a rollout rule that is not greedy"
    assert (spared > 0) == (game == "chimax-match-2"), "only Match has moves that are alike"
    assert most > MOST_MOVES or game != "chip-it", "there was room for all moves of CHIP IT"


@pytest.mark.parametrize("game", ALIKE)
def test_moves_that_are_alike_are_worth_the_same(game):
    """The first and the last of those alike, in the same deals: they may differ by luck alone."""
    looked = 0
    for state, _, where in random_states(fairdeal.load(game, **ALIKE[game]), "alike", 150):
        player = state.to_act[0]
        view = state.view(player, state.game.recall)
        kinds: dict[int, list[int]] = {}
        for action in state.legal_actions(player):
            kinds.setdefault(like(view, player, (action,))[0], []).append(action)
        assert all(first == alike[0] for first, alike in kinds.items()), where
        several = [alike for alike in kinds.values() if len(alike) > 1]
        if several and looked < 12:
            found = decision(state, player)
            found.moves = blank_array(MOVE, 2)
            for move, action in zip(found.moves, (several[-1][0], several[-1][-1]), strict=True):
                keep_move([action], 1, move)
            found.sums, found.chosen = np.zeros((2, SUMS)), np.arange(2)
            found.try_moves(400)
            better = -found.sums[1, BEHIND] / 400
            error = math.sqrt(max(0.0, found.sums[1, SPREAD] / 400 - better * better) / 400)
            assert abs(better) <= 4 * error, (where, several[-1], better, error)
            looked += 1
    must_have(looked, 5, f"{game}: moves that are alike")


@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_gives_equal_answers(game):
    """Whatever the others hold: the answer follows from what the seat knows, the key and the turn."""
    looked, source = 0, new(chance_record)
    chance.set_key(source, chance.key_of("others"))
    for state, _, where in random_states(fairdeal.load(game, **GAMES[game]), "knowledge", 12):
        for player in state.to_act:
            view = state.view(player, MEMORY)
            other = view.resample(source)
            assert other.view(player, MEMORY) == view, where
            bots = [SearchBot(state.game, KEY, 40) for _ in range(2)]
            answers = [
                bot.think(one.view(player, bot.recall), player, 7)
                for bot, one in zip(bots, (state, other), strict=True)
            ]
            assert answers[0] == answers[1], where
            looked += len(answers[0]) > 1 and other != state
    must_have(looked, 5, f"{game}: choices with other cards that nobody sees")


def test_other_turns_have_other_luck():
    state = fairdeal.load("chi").deal(seed=1)
    player = state.to_act[0]
    bot, view = SearchBot(state.game, KEY, 200), state.view(player)
    assert bot.think(view, player, 1) == bot.think(view, player, 1) != bot.think(view, player, 2)


def test_games_are_spent_on_moves_that_are_hard_to_tell_apart():
    state = fairdeal.load("chip-it", players=2).deal(seed=1)
    player = state.to_act[0]
    thoughts = SearchBot(state.game, KEY, 2000).think(state.view(player), player, 1)
    games = [thought.games for thought in thoughts]
    assert len(thoughts) > 8
    assert max(games) > 8 * min(games) > 0
    assert 0.5 * 2000 < sum(games) < 1.5 * 2000


def test_any_number_of_threads_gives_the_same_answer():
    state = fairdeal.load("chip-it", players=3).deal(seed=2)
    player = state.to_act[0]
    answers = [
        SearchBot(state.game, KEY, 300, threads=threads).think(state.view(player), player, 1) for threads in (1, 2, 3)
    ]
    assert answers[0] == answers[1] == answers[2]
    must_have(len(answers[0]), 8, "moves of CHIP IT")


@pytest.mark.parametrize(("game", "preset"), [("chi", ""), ("war-xtreme", "four"), ("chip-it", "single")])
def test_what_is_summed_up_is_what_was_played(game, preset):
    """The same games, played in Python from the moves that were tried; in WAR several may act at once, in any order,
    and search looks at the decks after so many moves; in CHIP IT the seat plays on by a better rule than greedy."""
    states = random_states(fairdeal.load(game, preset=preset), "sums", 60)
    state = next(state for state, *_ in states if len(list(state.action_moves(state.to_act[-1]))) > 2)
    player = state.to_act[-1]
    found = decision(state, player)
    found.try_moves(3)
    found.try_moves(2)
    thoughts = found.thoughts()
    assert {thought.games for thought in thoughts} == {5}
    first = next(thought for thought in thoughts if thought.actions == moves_of(found)[0])
    assert first.better == first.error == 0
    for thought in thoughts:
        assert thought.margin == pytest.approx(first.margin + thought.better)
    assert played_by_hand(state, player, moves_of(found), 5) == pytest.approx(
        [next(one.margin for one in thoughts if one.actions == actions) for actions in moves_of(found)]
    )


def played_by_hand(state, player, moves, deals):
    """The mean margins of moves, by the plain face of the engine."""
    found = np.zeros(len(moves))
    master = sources()[MASTER]
    own, luck, greedy = new(chance_record), new(chance_record), GreedyBot(state.game.recall)
    for deal in range(1, deals + 1):
        chance.derive(own, master, 2 * deal)
        dealt = state.view(player, state.game.recall).resample(own)
        for number, actions in enumerate(moves):
            chance.derive(luck, master, 2 * deal + 1)
            game = dealt.copy()
            game.play_actions(player, actions)
            made = 0
            while not game.over and game.record.match.game == state.record.match.game:
                seat = game.to_act[0] if len(game.to_act) == 1 else game.to_act[chance.draw(luck, len(game.to_act))]
                game.play_actions(seat, played_on(game, seat) if seat == player else ask(greedy, game, seat, 0).actions)
                made += 1
                if made == game.game.horizon:
                    break
            scores = np.array(game.returns())
            if game.game.estimate:
                game.game.estimate(game.record, scores)
            found[number] += scores[player] - max(score for seat, score in enumerate(scores) if seat != player)
    return found / deals


def test_the_first_move_is_left_only_for_one_that_is_surely_better():
    state = fairdeal.load("chi").deal(seed=3)
    player = state.to_act[0]
    bot, left, kept = SearchBot(state.game, KEY, 300), 0, 0
    dice = random.Random(1)
    for turn in range(40):
        if state.over:
            state = state.table.deal(str(dice.random()))
        player = state.to_act[0]
        thoughts = bot.think(state.view(player), player, turn)
        greedy = ask(GreedyBot(0), state, player, 0).actions
        if thoughts[0].actions == greedy:
            kept += 1
        else:
            left += 1
            assert thoughts[0].better > thoughts[0].error > 0 or math.isclose(thoughts[0].error, 0)
        state.play_actions(player, thoughts[0].actions)
    must_have(min(left, kept), 3, "moves that were greedy, and moves that were not")
