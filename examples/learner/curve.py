"""Draw the table and the picture of a learning curve: `python curve.py chi.json chi.svg`. This requires matplotlib."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure


def main() -> None:
    curve = json.loads(Path(sys.argv[1]).read_text())
    minutes, wins = [look["minutes"] for look in curve], [100 * look["wins"] for look in curve]
    matplotlib.rcParams |= {"svg.hashsalt": "fairdeal", "font.size": 9}
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axis = figure.subplots()
    axis.fill_between(minutes, [100 * look["low"] for look in curve], [100 * look["high"] for look in curve], alpha=0.2)
    axis.plot(minutes, wins, marker="o", ms=3)
    axis.axhline(50, color="grey", lw=0.8, ls="--")
    axis.set_xlabel("minutes of playing against greedy and itself")
    axis.set_ylabel("% of games won against greedy")
    axis.grid(alpha=0.3)
    figure.savefig(sys.argv[2], format="svg", metadata={"Date": None, "Creator": "fairdeal"})
    print("| minutes | decisions | wins against greedy | 95 % |\n|---|---|---|---|")
    for look in curve:
        interval = f"{look['low']:.1%} to {look['high']:.1%}"
        print(f"| {look['minutes']} | {look['decisions']:,} | {look['wins']:.1%} | {interval} |")


if __name__ == "__main__":
    main()
