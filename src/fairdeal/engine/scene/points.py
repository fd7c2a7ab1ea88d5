"""Sentences about the points of a round, or of a game of a match."""

from collections.abc import Sequence

from fairdeal.engine.scene import Gain, Round


def minus(number: int) -> str:
    """Format a number with a real minus sign: `−1`.

    >>> minus(-1), minus(3)
    ('−1', '3')
    """
    return str(number).replace("-", "−")


def signed(gain: Gain) -> str:
    """Format the points of a gain for display after its label. They are `3` in `Books 3`, but have a sign if the label
    consists of cards: `three ∞ +3`, `½ ½ −1`.

    >>> signed(Gain("Books", 3)), signed(Gain("three ∞", 3, cards=("∞", "∞", "∞")))
    ('3', '+3')
    """
    return f"+{gain.value}" if gain.value > 0 and gain.cards else minus(gain.value)


def counted(ended: Round, names: Sequence[str]) -> str:
    """Return each player's gains in a round, in the order of counting: `Bo 0 · You: Books 3, three ∞ +3`.

    >>> ended = RoundEnded(2, totals=(10, 7), gains=((Gain("Kings", 3),), ()))
    >>> counted(ended.round(Voice(("Ada", "Bo"), viewer=0)), names=("You", "Bo"))
    'Bo 0 · You: Kings 3'
    """
    told = [(names[tally.seat], [f"{gain.label} {signed(gain)}" for gain in tally.gains]) for tally in ended.tallies]
    return " · ".join(f"{name}: {', '.join(gains)}" if gains else f"{name} 0" for name, gains in told)
