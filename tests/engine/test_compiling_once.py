"""If several processes need the same code, one compiles it, and the others wait and load it."""

import os
import subprocess
import sys

PROGRAM = """
import sys
from fairdeal.engine.compile import compiler
from fairdeal.engine.kit import chance as rules
from fairdeal.engine.records import blank_array, chance
from numba import from_dtype, int64
source = from_dtype(chance)
one, other = ({name: getattr(rules, name)} for name in ("derive", "draw"))
one, other = (compiler.compile_rules("no game", chance, roots, {}) for roots in (one, other))
print("ready", flush=True)
sys.stdin.readline()
steps = []
compiler.compile_together(one, {"derive": (source, source, int64)}, steps.append)
other["draw"](blank_array(chance, 1)[0], 6)
print("compiled" if steps else "loaded", "loaded" if other["draw"].stats.cache_hits else "compiled")
"""
"""Compiles one rule together with all that it calls, as the rules of a game, and another at its first call."""


def test_of_two_processes_one_compiles_and_the_other_loads(tmp_path):
    environment = os.environ | {"FAIRDEAL_CACHE": str(tmp_path)}
    pipe = subprocess.PIPE
    both = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdin=pipe, stdout=pipe, text=True)
        for _ in range(2)
    ]
    try:
        for one in both:
            assert one.stdout.readline() == "ready\n"
        for one in both:  # at once
            one.stdin.write("go\n")
            one.stdin.flush()
        said = [one.communicate(timeout=120)[0].split() for one in both]
    finally:
        for one in both:
            one.kill()
            one.wait()
    for made in zip(*said, strict=True):
        assert sorted(made) == ["compiled", "loaded"]
