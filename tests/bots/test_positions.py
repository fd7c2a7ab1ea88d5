"""End positions worked out in full: every deal that fits what a seat knows is played out after each of its moves, where
no more chance is drawn. So the values are exact, and search must find a move that is worth as much as the best."""

import math
from collections import Counter
from fractions import Fraction

import pytest

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import SearchBot
from fairdeal.engine import chance, compiled
from fairdeal.engine.records import UNKNOWN, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.testing.play import must_have

SEEDS = {"chimax-match-2": (7, 8), "chimax-match-3": (1, 3), "chimax-order": (0, 1)}
"""Deals of games in which places are hidden, where every order of the cards that may lie there is equally likely."""

GREEDY_IS_WRONG = [("chimax-match-2", 8)]
"""Where the greedy move is not the best."""

MOST_HIDDEN = 3


def layout_of(record):
    return record.boards[0] if "boards" in record.dtype.names else record.layout


def deals_of(view, player, hidden):
    """All deals that fit, each equally likely: drawn until all are there."""
    source, found, alike = new(chance_record), {}, 0
    chance.set_key(source, chance.key_of("deals"))
    while alike < 40 * math.factorial(hidden):
        deal = view.resample(source)
        key = tuple(layout_of(deal.record).cards.tolist())
        alike = alike + 1 if key in found else 0
        found.setdefault(key, deal)
    return list(found.values())


def end_of(deal, player, actions):
    """The seat's share of the first place after a move, when everybody plays on by greedy; None if chance is drawn."""
    game, bot = deal.copy(), GreedyBot(deal.game.recall)
    game.play_actions(player, actions)
    number = int(deal.record.match.game)
    while not game.over and game.record.match.game == number:
        game.play_actions(game.to_act[0], ask(bot, game, game.to_act[0], 0).actions)
    if game.record.chance != deal.record.chance:
        return None
    scores = game.returns()
    return Fraction(scores[player] == max(scores), scores.count(max(scores)))


def values(state, player):
    """The exact value of every move; none where chance is drawn."""
    view = state.view(player, state.game.recall)
    layout = layout_of(view.record)
    hidden = Counter(layout.cards[: layout.length].tolist())[UNKNOWN]
    if hidden > MOST_HIDDEN:
        return {}
    deals, found = deals_of(view, player, hidden), {}
    for actions in state.action_moves(player):
        ends = [end_of(deal, player, actions) for deal in deals]
        if None in ends:
            return {}
        found[actions] = sum(ends) / len(ends)
    return found


def positions(name):
    """Late choices of greedy games whose moves are not all worth the same, one a deal: state, player, values."""
    table = fairdeal.load(name)
    compiled.compiled(table.game)
    bot = GreedyBot(table.game.recall)
    for seed in SEEDS[name]:
        state, late = table.deal(seed), []
        while not state.over:
            late = [*late[-11:], state.copy()]
            state.play_actions(state.to_act[0], ask(bot, state, state.to_act[0], 0).actions)
        for before in late:
            player = before.to_act[0]
            found = values(before, player) if len(list(before.action_moves(player))) > 1 else {}
            if len(set(found.values())) > 1:
                yield before, player, found
                break


@pytest.mark.parametrize("game", SEEDS)
def test_search_finds_the_best_move_of_positions_worked_out_in_full(game):
    looked, wrong = 0, []
    for seed, (state, player, found) in zip(SEEDS[game], positions(game), strict=True):
        view, best = state.view(player, state.game.recall), max(found.values())
        thoughts = SearchBot(state.game, b"positions", 2000).think(view, player, seed)
        assert found[thoughts[0].actions] == best, f"{state.position()}: {thoughts[0]}, the best is worth {best}"
        for thought in thoughts:
            assert thought.wins == pytest.approx(float(found[thought.actions]), abs=2 / math.sqrt(thought.games))
        if found[ask(GreedyBot(state.game.recall), state, player, 0).actions] < best:
            wrong.append((game, seed))
        looked += 1
    assert wrong == [place for place in GREEDY_IS_WRONG if place[0] == game]
    must_have(looked, 2, f"{game}: positions")
