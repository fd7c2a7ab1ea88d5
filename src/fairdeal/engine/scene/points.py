"""The points of a round, or of a game of a match, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.scene import Gain, Round


def minus(number: int) -> str:
    """A number as it is printed: `−1`."""
    return str(number).replace("-", "−")


def signed(gain: Gain) -> str:
    """What a reason brings, behind its words: `Books 3`, but `three ∞ +3` and `½ ½ −1`, where the words are cards."""
    return f"+{gain.value}" if gain.value > 0 and gain.cards else minus(gain.value)


def counted(ended: Round, names: Sequence[str]) -> str:
    """Why everybody got what they got, in the order of counting: `Bo 0 · You: Books 3, three ∞ +3`."""
    told = [(names[tally.seat], [f"{gain.label} {signed(gain)}" for gain in tally.gains]) for tally in ended.tallies]
    return " · ".join(f"{name}: {', '.join(gains)}" if gains else f"{name} 0" for name, gains in told)
