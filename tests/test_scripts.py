"""Studies and benchmarks are run by hand and seldom, so tests import them."""

import importlib
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
MODULES = sorted(
    f"{path.parent.name}.{path.stem}"
    for folder in ("studies", "benchmarks")
    for path in (HOUSE / folder).glob("[!_]*.py")
)
PEERS = ("aiohttp", "jax", "pgx", "rlcard")
"""Libraries that only `uv run --group bench` has."""


def test_there_are_studies_and_benchmarks():
    assert {module.partition(".")[0] for module in MODULES} == {"studies", "benchmarks"}


@pytest.mark.parametrize("module", MODULES)
def test_studies_and_benchmarks_can_be_imported(module):
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as missing:
        assert missing.name in PEERS  # noqa: PT017
