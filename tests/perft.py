"""Counts of moves (perft) in deal 7 of each game, which must not change; `tests/perft.toml` has them."""

import json
import tomllib
from pathlib import Path

import fairdeal
from fairdeal.lab.perft import perft

FILE = Path(__file__).with_name("perft.toml")


def counts_of(name):
    """Return the counts of a game: for each set of options, those by depth."""
    return [(kept["options"], kept["counts"]) for kept in tomllib.loads(FILE.read_text("utf-8"))[name]]


def written():
    """Return the file with all counts."""
    lines = ["# Written by `python -m tools.renew perft`."]
    for name, rows in tomllib.loads(FILE.read_text("utf-8")).items():
        for row in rows:
            deal = fairdeal.load(name, **row["options"]).deal(7)
            options = ", ".join(f"{option} = {json.dumps(value)}" for option, value in row["options"].items())
            counts = [perft(deal, depth) for depth in range(len(row["counts"]))]
            lines += [
                "",
                f"[[{name}]]",
                f"options = {{ {options} }}" if options else "options = {}",
                f"counts = {counts}",
            ]
    return "\n".join(lines) + "\n"
