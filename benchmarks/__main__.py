"""All measurements in one run, as Markdown: `uv run --group bench python -m benchmarks`."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterable, Sequence

from benchmarks import operations, peers, start_up
from benchmarks.measuring import in_turns, machine
from benchmarks.playouts import random_games, rollouts, searches

GAMES = {"chip-it": 30_000, "chi": 60_000, "chaos-ninjas": 60_000}

MORE = {
    "chimax-books": 10_000,
    "chimax-order": 50_000,
    "chimax-match-2": 10_000,
    "chimax-match-3": 10_000,
    "chimax-cut": 20_000,
    "chimax-fate": 30_000,
    "chimax-jackpot": 30_000,
    "war-xtreme": 10_000,
}
"""Games that are measured in random games, in bytes and in compiling alone."""

AS_PLAYED = {
    "war-xtreme": {"ask_extreme": False},
    "war-xtreme without equipment": {"equipment": False, "ask_extreme": False},
    "war-xtreme for 4": {"players": 4, "ask_extreme": False},
    "war-xtreme for 8": {"players": 8, "ask_extreme": False},
}
"""Options of random games: players at random mostly say no when they are asked whether they feel extreme."""

TARGETS = (
    ("chip-it", "OpenSpiel dou_dizhu", 2.0),
    ("chip-it, after the deal", "OpenSpiel dou_dizhu", 2.0),
    ("chip-it", "RLCard uno", 30.0),
    ("chi", "OpenSpiel go_fish", 3.0),
    ("chi, after the deal", "OpenSpiel go_fish", 3.0),
    ("chi, after the deal", "OpenSpiel crazy_eights", None),
    ("chi", "RLCard uno", 30.0),
    ("chip-it on 2 threads", "chip-it", 1.8),
    ("chi on 2 threads", "chi", 1.8),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds in which all take turns (default 7)")
    parser.add_argument("--skip-peers", action="store_true", help="measure fairdeal alone")
    chosen = parser.parse_args()
    print(f"Measured {datetime.date.today()}; " + "; ".join(f"{what}: {value}" for what, value in machine().items()))
    speed(chosen.rounds, with_peers=not chosen.skip_peers)
    print_search(chosen.rounds, with_peers=not chosen.skip_peers)
    print_operations()
    print_start_up()


def print_search(rounds: int, with_peers: bool) -> None:
    contenders = {
        "CHI": searches("chi", 100),
        "CHAOS NINJAS for four": searches("chaos-ninjas", 20, players=4),
        "CHIP IT for four": searches("chip-it", 20, players=4),
    }
    if with_peers:
        contenders |= {
            f"OpenSpiel ISMCTS, {name}": peers.openspiel_search(name, simulations)
            for name, simulations in {"hearts": 3000, "gin_rummy": 200}.items()
        }
    rates = in_turns(contenders, rounds)
    print("\n## Games played out by a search\n")
    what = ("moves", "games/s", "moves/s")
    print_table(
        ("", "moves left", *what[1:]),
        [(name, *(f"{found[one]:,.0f}" for one in what)) for name, found in rates.items()],
    )


def speed(rounds: int, with_peers: bool) -> None:
    contenders = {name: random_games(name, games) for name, games in (GAMES | MORE).items() if name not in AS_PLAYED}
    contenders |= {
        label: random_games("war-xtreme", MORE["war-xtreme"], **options) for label, options in AS_PLAYED.items()
    }
    contenders |= {f"{name} on 2 threads": random_games(name, games, 2) for name, games in GAMES.items()}
    contenders |= {f"{name}, after the deal": rollouts(name, games) for name, games in GAMES.items()}
    if with_peers:
        contenders |= {
            "OpenSpiel dou_dizhu": peers.openspiel("dou_dizhu", 10_000),
            "OpenSpiel crazy_eights": peers.openspiel("crazy_eights", 3_000),
            "OpenSpiel go_fish": peers.openspiel("go_fish", 10_000),
            "RLCard uno": peers.rlcard("uno", 30),
        }
    rates = in_turns(contenders, rounds)
    print("\n## Random games\n")
    rows = [
        (name, *(f"{found[rate]:,.0f}" if rate in found else "" for rate in ("actions/s", "moves/s", "games/s")))
        for name, found in rates.items()
    ]
    print_table(("", "actions/s", "moves/s", "games/s"), rows)
    print("\n## Ratios of moves a second\n")
    pairs = [(ours, peer, target) for ours, peer, target in TARGETS if peer in rates]
    print_table(
        ("", "against", "ratio", "target"),
        [
            (ours, peer, f"{rates[ours]['moves/s'] / rates[peer]['moves/s']:.2f}", f"{target}" if target else "")
            for ours, peer, target in pairs
        ],
    )


def print_operations() -> None:
    found = {name: operations.operations(name) for name in GAMES}
    print("\n## Operations, in microseconds, called from Python\n")
    what = list(next(iter(found.values())))
    print_table(("", *found), [(one, *(f"{found[name][one]:.1f}" for name in found)) for one in what])
    print("\n## Bytes of a state\n")
    print_table(("", "bytes"), [(name, str(operations.sizes(name))) for name in GAMES | MORE])
    print("\n## Where the time goes: nanoseconds an action, in compiled loops over positions of random games\n")
    spent = {name: operations.parts(name) for name in GAMES}
    what = list(next(iter(spent.values())))
    print_table(("", *spent), [(one, *(f"{spent[name][one]:.1f}" for name in spent)) for one in what])


def print_start_up() -> None:
    print("\n## Start, in seconds of a fresh process\n")
    print_table(("", "seconds"), [(what, f"{time:.2f}") for what, time in start_up.start_up(list(GAMES)).items()])
    print("\n## Compiling, in seconds\n")
    rows = []
    for name in GAMES | MORE:
        first, later = start_up.compiling(name)
        rows.append((name, f"{first:.1f}", f"{later:.2f}"))
    print_table(("", "first time", "from the cache"), rows)


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Return a table of Markdown."""
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
