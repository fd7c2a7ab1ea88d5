"""Formatting of numbers for reports."""

from markupsafe import Markup

from fairdeal.lab.estimates import Estimate

NARROW = "\u00a0"
"""The no-break space between a number and its unit."""


def formatted(value: float, kind: str, points: bool = False) -> str:
    """Format a value. If `points` is true, a difference of two shares is in percentage points."""
    if kind == "share":
        return f"{100 * value:.1f}{' points' if points else NARROW + '%'}"
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 1 else 2
    text = f"{value:,.{digits}f}"
    text = text.replace("-", "−")
    return f"{text}{NARROW}min" if kind == "minutes" else text


def whole(share: float) -> str:
    """Format an exact share, such as `50 %` or `33.3 %`."""
    return f"{100 * share:.3g}{NARROW}%"


def bare(value: float, kind: str) -> str:
    return formatted(value, kind).partition(NARROW)[0]


def signed(value: float, kind: str) -> str:
    """Format a difference with its sign, such as `+1.4 points`."""
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{formatted(abs(value), kind, points=True)}"


def between(estimate: Estimate, kind: str, signs: bool = False) -> str:
    """Format the ends of an interval, such as `40.3 to 44.6`. Shares are clipped to 0 and 100 %, and counts and times
    to 0."""
    ends = (estimate.low, estimate.high)
    if signs:
        low, high = (f"{'+' if end > 0 else '−' if end < 0 else ''}{bare(abs(end), kind)}" for end in ends)
    else:
        if kind == "share" and 0 <= estimate.value <= 1:
            ends = (max(estimate.low, 0.0), min(estimate.high, 1.0))
        elif kind in ("number", "minutes") and estimate.value >= 0:
            ends = (max(estimate.low, 0.0), estimate.high)
        low, high = (bare(end, kind) for end in ends)
    return f"{low} to {high}"


def cell(estimate: Estimate, kind: str, signs: bool = False) -> Markup:
    """Format a value for a cell of a table, with the ends of its interval below it."""
    value = signed(estimate.value, kind) if signs else formatted(estimate.value, kind)
    return Markup("{}<small>{}</small>").format(value, between(estimate, kind, signs))


def told_p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"
