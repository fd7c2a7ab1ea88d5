"""Several processes of a machine that need the same code: one compiles it, the others wait and load it."""

import os
import subprocess
import sys

import pytest

TOGETHER = """
import sys
from fairdeal.engine import chance as rules, linking, twin
from fairdeal.engine.records import blank_array, chance
from numba import from_dtype
twins = twin.compile_rules("no game", chance, {"restart": rules.restart}, {})
print("ready", flush=True)
sys.stdin.readline()
"""
CALLED = (
    TOGETHER
    + """
twins["restart"](blank_array(chance, 1)[0])
print(sum(twins["restart"].stats.cache_hits.values()))
"""
)
LINKED = (
    TOGETHER
    + """
steps = []
twin.compile_together(twins, {"restart": (from_dtype(chance),)}, steps.append)
print(0 if steps else 1)
"""
)


@pytest.mark.parametrize("program", [CALLED, LINKED], ids=["at a call", "linked"])
def test_of_three_processes_one_compiles_and_the_others_load(program, tmp_path):
    told = os.environ | {"FAIRDEAL_CACHE": str(tmp_path)}
    pipe = subprocess.PIPE
    three = [
        subprocess.Popen([sys.executable, "-c", program], env=told, stdin=pipe, stdout=pipe, text=True)
        for _ in range(3)
    ]
    try:
        for one in three:
            assert one.stdout.readline() == "ready\n"
        for one in three:  # all begin at once
            one.stdin.write("go\n")
            one.stdin.flush()
        loaded = [one.communicate(timeout=120)[0].strip() for one in three]
    finally:
        for one in three:
            one.kill()
            one.wait()
    assert sorted(loaded) == ["0", "1", "1"]
