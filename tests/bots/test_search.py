import math
import random

import numpy as np
import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import MEMORY, Decision, SearchBot, actions_of, sources_of
from fairdeal.engine.drivers import MOST_STEPS, acting_player
from fairdeal.engine.drivers.search import MASTER, MOST_MOVES, SURE, choose_all, keep_move, next_round, rank_moves
from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
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

KEY = chance.key_of("a key for tests")


def decision(state, player):
    return Decision(state.view(player, state.game.recall), player, state.game.recall, sources_of(KEY, 1))


def played_on(state, player):
    """Return the move by which a searching seat plays on: that of its game's rollout rule, or the greedy one."""
    rule = state.game.rollout or state.game.greedy
    view, plan = state.view(player, state.game.recall), np.zeros(len(state.game.actions) + MOST_STEPS, np.int16)
    return tuple(plan[: rule(view.record, player, plan)].tolist())


def moves_of(found):
    return [actions_of(move) for move in found.moves]


def like(view, player, actions):
    """Return a key that is equal for moves that are equivalent given the player's knowledge (`Game.alike`)."""
    return int(view.game.alike(view.record, player, actions[0])), *actions[1:]


@pytest.mark.parametrize("game", GAMES)
def test_every_whole_move_is_tried_the_one_of_the_rollout_rule_first(game):
    looked, most, unlike, spared = 0, 0, 0, 0
    for state, _, where in random_states(fairdeal.load(game, **GAMES[game]), "search", 60):
        for player in state.to_act:
            view = state.view(player, state.game.recall)
            found, legal = moves_of(decision(state, player)), list(state.action_moves(player))
            kinds, tried = ({like(view, player, move) for move in moves} for moves in (legal, found))
            assert found[0] == played_on(state, player), where
            assert len(tried) == len(found) == min(len(kinds), MOST_MOVES), where
            assert set(found) <= set(legal), where
            most = max(most, len(legal))
            spared += len(legal) - len(kinds)
            looked += len(found) > 1
            unlike += found[0] != ask(GreedyBot(state.game.recall), state, player, 0).actions
    must_have(looked, 20, f"{game}: choices")
    assert (unlike > 0) == (game == "chip-it"), "only CHIP IT has a rollout rule that is not greedy"
    assert (spared > 0) == (game == "chimax-match-2"), "only Match has moves that are alike"
    assert most > MOST_MOVES or game != "chip-it", "all moves of CHIP IT were tried"


@pytest.mark.parametrize("game", ALIKE)
def test_moves_that_are_alike_have_equal_values(game):
    """The first and the last of several alike differ by luck alone in the same deals."""
    looked, deals = 0, 400
    for state, _, where in random_states(fairdeal.load(game, **ALIKE[game]), "alike", 150):
        player = state.to_act[0]
        view = state.view(player, state.game.recall)
        kinds: dict[int, list[int]] = {}
        for action in state.legal_actions(player):
            kinds.setdefault(like(view, player, (action,))[0], []).append(action)
        assert [*kinds] == [alike[0] for alike in kinds.values()], where
        several = [alike for alike in kinds.values() if len(alike) > 1]
        if several and looked < 6:
            found = decision(state, player)
            choose_all(found.desks[0], 2)
            for move, action in zip(found.moves, (several[-1][0], several[-1][-1]), strict=True):
                keep_move([action], 1, move)
            found.try_moves(deals)
            better = -found.sums["behind"][1] / deals
            error = math.sqrt(max(0.0, found.sums["spread"][1] / deals - better * better) / deals)
            assert abs(better) <= 4 * error, (where, several[-1])
            looked += 1
    must_have(looked, 5, f"{game}: moves that are alike")


@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_leads_to_equal_results(game):
    """The results do not depend on what other seats hold."""
    looked = 0
    for state, _, where in random_states(fairdeal.load(game, **GAMES[game]), "knowledge", 12):
        for player in state.to_act:
            other = state.view(player, MEMORY).guess()
            assert other.view(player, MEMORY) == state.view(player, MEMORY), where
            views = (one.view(player, MEMORY) for one in (state, other))
            found, again = (SearchBot(state.game, KEY, 40).think(view, player, 7) for view in views)
            assert found == again, where
            looked += len(found) > 1 and other != state
    must_have(looked, 5, f"{game}: choices with other cards that nobody sees")


def test_other_turns_have_other_luck():
    state = fairdeal.load("chi").deal(seed=1)
    player = state.to_act[0]
    bot, view = SearchBot(state.game, KEY, 200), state.view(player)
    assert bot.think(view, player, 1) == bot.think(view, player, 1) != bot.think(view, player, 2)


def test_each_round_drops_the_worse_half_but_never_the_first_move():
    """The moves that get furthest ahead stay; of equal ones, those that were listed first."""
    dice, desks = random.Random(5), decision(fairdeal.load("chi").deal(seed=1), 1).desks
    for count in range(1, MOST_MOVES + 1):
        choose_all(desks[0], count)
        margins = desks["sums"]["margin"][0]
        margins[:count] = [dice.randrange(-count, count) for _ in range(count)]
        chosen, rounds = list(range(count)), 0
        while next_round(desks, 0):
            if rounds:
                others = sorted(chosen[1:], key=lambda number: -margins[number])
                chosen = [0, *sorted(others[: max(1, len(chosen) // 2 - 1)])]
            assert desks["chosen"][0, : desks["left"][0]].tolist() == chosen
            rounds += 1
        assert rounds == math.ceil(math.log2(count))


def test_a_move_is_preferred_to_the_first_one_if_it_leads_by_more_than_an_error_in_as_many_games():
    dice, desks, preferred = random.Random(6), decision(fairdeal.load("chi").deal(seed=1), 1).desks, 0
    for _ in range(100):
        count = dice.randint(2, 12)
        choose_all(desks[0], count)
        sums = desks["sums"][0]
        for number in range(count):
            sums[number]["played"] = games = dice.choice((8, 16))
            sums[number]["behind"] = behind = dice.randint(-40, 40) if number else 0
            sums[number]["spread"] = behind * behind / games + dice.randint(0, 200) if number else 0
        rank_moves(desks)
        games, better, error = sums["played"], desks["results"]["better"][0], desks["results"]["error"][0]
        sure = [
            number for number in range(1, count) if games[number] == games[0] and better[number] > SURE * error[number]
        ]
        best = max(sure, key=lambda number: better[number], default=0)
        order = sorted(range(count), key=lambda number: (number != best, -games[number], -better[number]))
        assert desks["order"][0, :count].tolist() == order
        preferred += best > 0
    must_have(preferred, 20, "moves that were preferred")


def test_most_games_are_played_out_for_moves_that_are_hard_to_tell_apart():
    state = fairdeal.load("chip-it", players=2).deal(seed=1)
    player = state.to_act[0]
    thoughts = SearchBot(state.game, KEY, 2000).think(state.view(player), player, 1)
    games = [thought.games for thought in thoughts]
    assert len(thoughts) > 8
    assert max(games) > 8 * min(games) > 0
    assert 0.5 * 2000 < sum(games) < 1.5 * 2000


def test_any_number_of_threads_gives_the_same_results():
    state = fairdeal.load("chip-it", players=3).deal(seed=2)
    player = state.to_act[0]
    alone, *others = (
        SearchBot(state.game, KEY, 300, threads=threads).think(state.view(player), player, 1) for threads in (1, 2, 3)
    )
    assert others == [alone, alone]
    must_have(len(alone), 8, "moves of CHIP IT")


@pytest.mark.parametrize(("game", "preset"), [("chi", ""), ("war-xtreme", "four"), ("chip-it", "single")])
def test_results_are_those_of_the_same_games_played_in_python(game, preset):
    """In WAR several seats may act at once, in any order, and search looks at the decks after some moves; in CHIP IT
    the seat plays on by a better rule than greedy."""
    states = random_states(fairdeal.load(game, preset=preset), "sums", 60)
    state = next(state for state, *_ in states if len(list(state.action_moves(state.to_act[-1]))) > 2)
    player = state.to_act[-1]
    found = decision(state, player)
    found.try_moves(3)
    found.try_moves(2)
    thoughts = {thought.actions: thought for thought in found.thoughts()}
    moves = [thoughts[actions] for actions in moves_of(found)]
    assert moves[0].better == moves[0].error == 0
    for thought in moves:
        assert thought.games == 5
        assert thought.margin == pytest.approx(moves[0].margin + thought.better)
    assert played_by_hand(state, player, moves_of(found), 5) == pytest.approx([thought.margin for thought in moves])


def played_by_hand(state, player, moves, deals):
    """Return the mean margins of moves over some deals."""
    found = np.zeros(len(moves))
    greedy = GreedyBot(state.game.recall)

    def choose(game, seat):
        return played_on(game, seat) if seat == player else ask(greedy, game, seat, 0).actions

    for deal in range(1, deals + 1):
        for number, actions in enumerate(moves):
            view = state.view(player, state.game.recall)
            game = played_out(view, player, actions, sources_of(KEY, 1)[MASTER], deal, choose)
            scores = np.array(game.returns())
            if game.game.estimate:
                game.game.estimate(game.record, scores)
            found[number] += scores[player] - max(np.delete(scores, player))
    return found / deals


def played_out(view, player, actions, master, deal, choose):
    """Return a deal of the cards that a player cannot see, after a move and the moves that `choose` returns: at the end
    of the game, or when search stops."""
    own, luck = new(chance_record), new(chance_record)
    chance.derive(own, master, 2 * deal)
    chance.derive(luck, master, 2 * deal + 1)
    game, made = view.resample(own), 0
    game.play_actions(player, actions)
    while not game.over and game.record.match.game == view.record.match.game:
        seat = acting_player(game.record, luck)
        game.play_actions(seat, choose(game, seat))
        made += 1
        if made == game.game.horizon:
            break
    return game


def test_the_first_move_is_left_only_for_one_that_is_surely_better():
    state, dice = fairdeal.load("chi").deal(seed=3), random.Random(1)
    bot, left, kept = SearchBot(state.game, KEY, 300), 0, 0
    for turn in range(40):
        if state.over:
            state = state.table.deal(str(dice.random()))
        player = state.to_act[0]
        first = bot.think(state.view(player), player, turn)[0]
        if first.actions == ask(GreedyBot(0), state, player, 0).actions:
            kept += 1
        else:
            left += 1
            assert first.better > first.error > 0 or math.isclose(first.error, 0)
        state.play_actions(player, first.actions)
    must_have(min(left, kept), 3, "moves that were greedy, and moves that were not")
