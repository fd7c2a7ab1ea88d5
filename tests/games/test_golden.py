"""Golden games: fifty recorded games of each title, which must replay to the same bytes.

A change of rules that alters one must raise the game's rules version and record the games anew:
`python -m tests.games.test_golden NAME`.
"""

import gzip
import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import fairdeal
from fairdeal.bots.bots import GreedyBot, RandomBot, ask

FOLDER = Path(__file__).parent.parent / "golden"
GAMES = 50


def record_game(name, number):
    """Play a game, half of the seats greedy, and return its seed, preset, moves, scores and final bytes."""
    presets = list(fairdeal.find_game(name).presets)
    preset = presets[number % len(presets)]
    table = fairdeal.load(name, preset=preset)
    state = table.deal(seed=f"golden {number}")
    bots = [
        GreedyBot(table.game.recall) if (seat + number) % 2 else RandomBot(f"{number}".encode())
        for seat in range(table.players)
    ]
    moves = []
    while not state.over:
        player = state.to_act[0]
        actions = ask(bots[player], state, player, len(moves)).actions
        moves.append([player, table.game.write_move(state.record, player, actions)])
        state.play_actions(player, actions)
    return {
        "rules": table.game.rules_version,
        "preset": preset,
        "seed": f"golden {number}",
        "moves": moves,
        "scores": state.scores,
        "bytes": digest(state),
    }


def digest(state):
    return hashlib.sha256(state.record.tobytes()).hexdigest()[:32]


@cache
def read_games(name):
    path = FOLDER / f"{name}.jsonl.gz"
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def test_there_are_fifty_golden_games_of_the_running_rules(name):
    games = read_games(name)
    assert len(games) == GAMES
    assert {game["rules"] for game in games} == {fairdeal.find_game(name).rules_version}


def test_golden_games_replay_to_the_same_end(name):
    for number, game in enumerate(read_games(name)):
        state = fairdeal.load(name, preset=game["preset"]).deal(seed=game["seed"])
        for player, move in game["moves"]:
            state.play(player, move)
        found = {"over": state.over, "scores": list(state.scores), "bytes": digest(state)}
        assert found == {"over": True, "scores": game["scores"], "bytes": game["bytes"]}, f"game {number} of {name}"


if __name__ == "__main__":
    for title in sys.argv[1:] or fairdeal.game_names():
        lines = "".join(json.dumps(record_game(title, number)) + "\n" for number in range(GAMES))
        (FOLDER / f"{title}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
