"""The files of each released version, written by `tests.compatibility.freeze`."""

import gzip
import json
import shutil
from pathlib import Path

from fairdeal.engine.registry import find_game

VERSIONS = sorted(path.parent for path in Path(__file__).parent.glob("*/room.json.gz"))
"""The folders, one a version."""

THIRD_PARTY = "go-fish"
"""A game that is frozen as a wheel."""

IDS = [path.name for path in VERSIONS]


def titles(version):
    """Return the titles that a version had."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in (version / "logs").iterdir())


def logs(version, title):
    """Return the texts of the frozen logs of a title."""
    lines = gzip.decompress((version / "logs" / f"{title}.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in lines.splitlines()]


def is_replayed(game, rules_version):
    """Return whether the rules are still those of today. Games of older ones are read, but not replayed."""
    return find_game(game).rules_version == rules_version


def copied(path, folder):
    """Copy a frozen file or folder into one that can be written to, and return its path."""
    return Path((shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name))
