"""Late positions of every game, worked out in full: the value of each move if all deals that fit the knowledge of its
seat are played on by greedy, for every outcome of chance. `positions.yaml` holds them; search must find a best move in
each."""

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

import fairdeal
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import SearchBot
from fairdeal.engine.compile import compiled
from fairdeal.testing.exact import Solver
from fairdeal.testing.play import must_have

POSITIONS = yaml.safe_load(Path(__file__).with_name("positions.yaml").read_text(encoding="utf-8"))
"""By game: the position, the seat that moves, the number of deals, the value of each move, and whether greedy misses
the best one."""

PLAYOUTS = 1000


def test_every_game_has_positions():
    ours = {name for name in fairdeal.game_names() if fairdeal.find_game(name).look.startswith("fairdeal.")}
    assert ours == set(POSITIONS)
    must_have(min(map(len, POSITIONS.values())), 1, "positions of a game")


@pytest.mark.parametrize("title", POSITIONS)
def test_search_finds_the_best_move_of_positions_worked_out_in_full(title):
    game = fairdeal.load(title).game
    compiled.compiled(game)
    solver, greedy, looked = Solver(game), GreedyBot(game.recall), Counter()
    for place in POSITIONS[title]:
        state, player = fairdeal.load(title).setup(place["position"]), place["player"]
        solved, where = solver.solve(state, player), state.position()
        values = {game.write_move(state.record, player, actions): value for actions, value in solved.values.items()}
        assert values == {move: Fraction(value) for move, value in place["values"].items()}, where
        assert solved.deals == place["deals"], where
        assert min(values.values()) < solved.best, f"every move is best: {where}"
        missed = solved.values[ask(greedy, state, player, 0).actions] < solved.best
        assert missed == place["greedy_misses"], where
        thoughts = SearchBot(game, b"positions", PLAYOUTS).think(state.view(player, game.recall), player, 0)
        assert solved.values[thoughts[0].actions] == solved.best, (
            f"{thoughts[0]}, the best is worth {solved.best}: {where}"
        )
        for thought in thoughts if state.players > 1 else ():
            value = float(solved.values[thought.actions])
            assert thought.wins == pytest.approx(value, abs=2 / math.sqrt(thought.games)), f"{thought}: {where}"
        looked.update(positions=1, deals=solved.deals, moves=len(values), states=solved.states)
    for what, least in (("positions", 1), ("deals", 4), ("moves", 2)):
        must_have(looked[what], least, f"{title}: {what}; in all {dict(looked)}")
