"""How things are measured: contenders take turns, round after round, and medians are compared.

Machines are shared and noisy. What is measured in the same round met the same noise, so ratios of medians say more
than any number of seconds.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

Contender = Callable[[], Mapping[str, float]]
"""Does a fixed piece of work and gives its rates, such as `{"moves/s": 7e6}`."""


def in_turns(contenders: Mapping[str, Contender], rounds: int) -> dict[str, dict[str, float]]:
    """Return the medians of all rates over the rounds, after one round that does not count."""
    seen: dict[str, list[Mapping[str, float]]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, contender in contenders.items():
            rates = contender()
            if number:
                seen[name].append(rates)
    return {
        name: {rate: statistics.median(rates[rate] for rates in rounds_of) for rate in rounds_of[0]}
        for name, rounds_of in seen.items()
    }


def microseconds(work: Callable[[], object], least: float = 0.05, repeats: int = 7) -> float:
    """Return the median time of a call."""
    calls = 1
    while True:
        started = time.perf_counter()
        for _ in range(calls):
            work()
        if time.perf_counter() - started > least / 5:
            break
        calls *= 4
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        for _ in range(calls):
            work()
        times.append((time.perf_counter() - started) / calls)
    return statistics.median(times) * 1e6


def machine() -> dict[str, str]:
    """Return the machine on which the figures were measured."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = f"{len(lines)} x {lines[0].partition(':')[2].strip()}" if lines else cpu
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "msgspec"))
    return {"processor": cpu, "Python": platform.python_version(), "libraries": libraries}
