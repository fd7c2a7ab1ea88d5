"""Late positions worked out in full, of every game: what each move is worth when all deals that fit what its seat knows
are played on by greedy, whichever way chance falls. `positions.yaml` has them; search must find a best move in each."""

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
"""By game: the position, the seat that moves, in how many deals it was worked out, what each move is worth, and whether
greedy misses the best one."""

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
        solved, told = solver.solve(state, player), state.position()
        values = {game.write_move(state.record, player, actions): value for actions, value in solved.values.items()}
        assert values == {move: Fraction(value) for move, value in place["values"].items()}, told
        assert solved.deals == place["deals"], told
        assert min(values.values()) < solved.best, f"every move is best: {told}"
        missed = solved.values[ask(greedy, state, player, 0).actions] < solved.best
        assert missed == place["greedy_misses"], told
        thoughts = SearchBot(game, b"positions", PLAYOUTS).think(state.view(player, game.recall), player, 0)
        assert solved.values[thoughts[0].actions] == solved.best, (
            f"{thoughts[0]}, the best is worth {solved.best}: {told}"
        )
        for thought in thoughts if state.players > 1 else ():
            value = float(solved.values[thought.actions])
            assert thought.wins == pytest.approx(value, abs=2 / math.sqrt(thought.games)), f"{thought}: {told}"
        looked.update(positions=1, deals=solved.deals, moves=len(values), states=solved.states)
    for what, least in (("positions", 1), ("deals", 4), ("moves", 2)):
        must_have(looked[what], least, f"{title}: {what}; in all {dict(looked)}")
