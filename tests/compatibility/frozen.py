"""What was frozen of each released version, by `tests.compatibility.freeze`."""

import gzip
import json
import shutil
from pathlib import Path

from fairdeal.engine.registry import find_game

VERSIONS = sorted(path.parent for path in Path(__file__).parent.glob("*/room.json.gz"))
"""The folders, one a version."""

IDS = [path.name for path in VERSIONS]


def titles(version):
    """The titles that a version had."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in (version / "logs").iterdir())


def logs(version, title):
    """The texts of the frozen logs of a title."""
    lines = gzip.decompress((version / "logs" / f"{title}.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in lines.splitlines()]


def is_replayed(game, rules_version):
    """Are these still the rules of today? Games under older ones can be read, and are refused in words."""
    return find_game(game).rules_version == rules_version


def copied(path, folder):
    """A frozen file or folder, where it can be written to."""
    return Path((shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name))
