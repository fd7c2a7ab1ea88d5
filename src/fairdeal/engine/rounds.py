"""The end of a round, or of a game of a match: what it brought each seat, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairdeal.engine.scene import Gain, Round, Tally, Voice
from fairdeal.engine.snapshots import reading


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


def round_done(
    totals: Sequence[int],
    gains: Mapping[int, Sequence[Gain]],
    voice: Voice,
    *,
    number: int,
    what: str = "Round",
    fewest: bool = False,
    **more: Any,
) -> Round:
    """A round with the totals after it and each seat's reasons: counted from the worst seat to the best one, and told
    from the best on. With `fewest` low totals are good."""
    best_first = sorted(range(len(totals)), key=lambda seat: totals[seat] if fewest else -totals[seat])
    told = ", ".join(f"{voice.name(seat)} {minus(totals[seat])}" for seat in best_first)
    tallies = tuple(Tally(seat, totals[seat], tuple(gains.get(seat, ()))) for seat in reversed(best_first))
    return Round(number, f"{what} {number} done: {told}.", tallies, **more)


@reading
def grown_totals(before: Any, after: Any, voice: Voice) -> Round | None:
    """Of a match of several games: what each total has grown by since the last one, where the move has ended one."""
    number = before.match.game
    if before.match.games < 2 or (after.match.game == number and after.over == before.over):
        return None
    totals = after.match.totals[: after.players]
    grown = {seat: total - before.match.totals[seat] for seat, total in enumerate(totals)}
    gains = {seat: [Gain("this game", points)] for seat, points in grown.items() if points}
    return round_done(totals, gains, voice, number=number, what="Game") if gains else None
