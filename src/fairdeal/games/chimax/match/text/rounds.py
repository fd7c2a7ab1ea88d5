"""CHIMAX MATCH: the scores of a layout by seat, with the reasons for them, if several layouts are played to a
target."""

from collections.abc import Iterator

from fairdeal.engine.events import RoundEnded
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Gain
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.match.rules import worth
from fairdeal.games.chimax.match.state import FLIPPING, MIXED
from fairdeal.games.chimax.match.text.prompts import clause_of, set_name


def count_round(before: Snapshot, after: Snapshot) -> Iterator[RoundEnded]:
    """Yield the end of a layout, if a move has ended one (M2-11, M3-06)."""
    if after.options.target <= 0 or before.phase != FLIPPING or after.phase == FLIPPING:
        return
    gains = tuple(tuple(gains_of(after, seat)) for seat in range(after.players))
    yield RoundEnded(before.match.game, tuple(after.match.totals[: after.players]), gains, label="Layout")


def gains_of(state: Snapshot, seat: int) -> list[Gain]:
    """Return a seat's gains: one gain for all sets that score points, and one for each set that costs points (M2-09,
    M3-05)."""
    taken, size = state.taken[seat].held, state.alike
    sets = [taken[first : first + size] for first in range(0, len(taken), size)]
    points = [worth(state, faces[0]) if len({*faces}) == 1 else MIXED for faces in sets]
    good = [faces for faces, own in zip(sets, points, strict=True) if own > 0]
    clause, name = clause_of(state, 9, 5), set_name(state)
    gains = []
    if good:
        cards = tuple(FACE_CODES[faces[0]] for faces in good)
        many = f"{len(good)} {name}{'s' * (len(good) > 1)}"
        gains.append(Gain(many, sum(own for own in points if own > 0), clause, cards))
    for faces, own in zip(sets, points, strict=True):
        if own < 0:
            gains.append(Gain(f"a {name}", own, clause, tuple(FACE_CODES[face] for face in faces)))
    return gains
