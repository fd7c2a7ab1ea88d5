"""Golden games: fifty recorded games of each title, which must replay to the same bytes.

A change of rules that alters one must raise the game's rules version and record the games again, as `python -m
tools.renew` does.
"""

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path

import fairdeal
from fairdeal.bots.bots import GreedyBot, RandomBot, ask
from fairdeal.engine.errors import FairdealError

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


def played_again(name, game):
    """Replay a recorded game, and return its end."""
    state = fairdeal.load(name, preset=game["preset"]).deal(seed=game["seed"])
    for player, move in game["moves"]:
        state.play(player, move)
    return {"over": state.over, "scores": list(state.scores), "bytes": digest(state)}


def differences(name):
    """Yield the number of each recorded game of a title that ends otherwise by today's rules, with that end or with
    the rule that it breaks."""
    for number, game in enumerate(read_games(name)):
        try:
            found = played_again(name, game)
        except FairdealError as problem:
            yield number, str(problem)
            continue
        if found != {"over": True, "scores": game["scores"], "bytes": game["bytes"]}:
            yield number, found


def record(name):
    """Record the games of a title again."""
    lines = "".join(json.dumps(record_game(name, number)) + "\n" for number in range(GAMES))
    (FOLDER / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))


def test_golden_games_replay_to_the_same_end(name):
    assert [*differences(name)] == []
