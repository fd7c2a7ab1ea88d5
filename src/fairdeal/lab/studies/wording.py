"""Numbers as reports write them."""

from __future__ import annotations

from markupsafe import Markup

from fairdeal.lab.simulate.simulation import Estimate

NARROW = "\u00a0"
"""Between a number and its unit: a space at which no line ends."""


def told(value: float, kind: str, points: bool = False) -> str:
    """A value as it is written; the difference of two shares is in points of a hundred."""
    if kind == "share":
        return f"{100 * value:.1f}{' points' if points else NARROW + '%'}"
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 1 else 2
    text = f"{value:,.{digits}f}"
    text = text.replace("-", "−")
    return f"{text}{NARROW}min" if kind == "minutes" else text


def whole(share: float) -> str:
    """A share that is known exactly: `50 %`, `33.3 %`."""
    return f"{100 * share:.3g}{NARROW}%"


def bare(value: float, kind: str) -> str:
    return told(value, kind).partition(NARROW)[0]


def signed(value: float, kind: str) -> str:
    """A difference: `+1.4 points`."""
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{told(abs(value), kind, points=True)}"


def between(estimate: Estimate, kind: str, signs: bool = False) -> str:
    """The ends of an interval: `40.3 to 44.6`. No share is below 0 or above 100 %."""
    ends = (estimate.low, estimate.high)
    if signs:
        low, high = (f"{'+' if end > 0 else '−' if end < 0 else ''}{bare(abs(end), kind)}" for end in ends)
    else:
        if kind == "share" and 0 <= estimate.value <= 1:
            ends = (max(estimate.low, 0.0), min(estimate.high, 1.0))
        low, high = (bare(end, kind) for end in ends)
    return f"{low} to {high}"


def cell(estimate: Estimate, kind: str, signs: bool = False) -> Markup:
    """A value with the ends of its interval below it."""
    value = signed(estimate.value, kind) if signs else told(estimate.value, kind)
    return Markup("{}<small>{}</small>").format(value, between(estimate, kind, signs))


def told_p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"
