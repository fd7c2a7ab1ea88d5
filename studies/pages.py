"""What the pages of all studies are made of: estimates in words, tables, links to plots."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.lab.simulation import Estimate


def told(estimate: Estimate, percent: bool = False) -> str:
    """An estimate with its 95 % interval."""
    if percent:
        return f"{estimate.value:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def plotted(folder: str, name: str) -> str:
    """The plot of that name beside the page, as a paragraph of its own."""
    return f"\n\n![{name.replace('-', ' ')}]({folder}/{name}.svg)"
