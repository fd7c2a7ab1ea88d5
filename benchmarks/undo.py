"""Measure how often a person who plays against bots may take a move back: before a bot answers, and together with the
answers when it is the person's turn again.

    uv run --group bench python -m benchmarks.undo --games 1000

The person plays at random or as the greedy bot, at seat 0 of the first preset of each game, against greedy bots. Only
moves for which there was a choice are counted, a share of which is looked at.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import fairdeal
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.registry import find_game, game_names
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting

PERSONS = ("random", "greedy")

PERSON = 0
"""The person's seat."""

MOST_MOVES = 2_000
"""Moves of one game that are played at most."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.undo", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each title (default 1000)")
    parser.add_argument("--share", type=float, default=0.1, help="share of the moves that is looked at (default 0.1)")
    parser.add_argument("--only", nargs="*", default=game_names(), help="names of the games (default: all)")
    chosen = parser.parse_args()
    print("| game | the person | moves | before the answer | with the answers | why not |")
    print("|---|---|--:|--:|--:|---|")
    for name in chosen.only:
        for person in PERSONS:
            print(row(name, person, chosen.games // len(PERSONS), chosen.share), flush=True)


def row(name: str, person: str, games: int, share: float) -> str:
    """Return the line of a game in the table."""
    found: Counter[str] = Counter()
    for number in range(games):
        found += of_a_game(name, person, number, share)
    moves = found.pop("moves")
    before, after = found.pop("before", 0), found.pop("after", 0)
    why = ", ".join(f"{reason} {times / moves:.0%}" for reason, times in found.most_common(3))
    return f"| {find_game(name).title} | {person} | {moves} | {before / moves:.0%} | {after / moves:.0%} | {why} |"


def of_a_game(name: str, person: str, number: int, share: float) -> Counter[str]:
    """Return how many moves of one game were looked at, and which of them could be taken back."""
    table, dice, found = fairdeal.load(name), random.Random(f"{name} {person} {number}"), Counter[str]()
    seats = (Player("You", person), *(Player(f"Bot {seat}", "greedy") for seat in range(1, table.players)))
    sitting, looks = Sitting.open(table, seats, seed=str(number)), False
    while not sitting.over and sitting.moves_made < MOST_MOVES:
        seat = sitting.state.to_act[0]
        if PERSON in sitting.state.to_act:
            seat = PERSON
            if looks:
                found[why_not(sitting) or "after"] += 1
            moves = sitting.state.moves(PERSON)
            looks = dice.random() < share and next(moves, "") != "" and next(moves, "") != ""
        sitting.play_bot(seat)
        if seat == PERSON and looks:
            found["moves"] += 1
            found["before"] += not why_not(sitting)
    if looks:
        found[why_not(sitting) or "after"] += 1
    return found


def why_not(sitting: Sitting) -> str:
    """Return the reason why the person's last move cannot be taken back now, or nothing if it can."""
    try:
        sitting.check_taking_back(PERSON)
    except IllegalMove as problem:
        return problem.reason.removeprefix("your move cannot be taken back: ")
    return ""


if __name__ == "__main__":
    main()
