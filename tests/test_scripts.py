"""Studies and benchmarks are run by hand and seldom, so tests import them."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.start_up import COMPILE, FIRST_PROMPT

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


@pytest.mark.parametrize("program", [COMPILE, FIRST_PROMPT], ids=["compile", "first prompt"])
def test_programs_that_are_measured_in_processes_of_their_own_run(program):
    subprocess.run([sys.executable, "-c", program.format(name="chi")], check=True, capture_output=True)
