"""The way to a move: the choices of the scene that lead to it, one after the other, and what they lie on.

Advice needs it: screens mark what is to be picked, and words name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import Choice, Picked, Scene

Draw = Callable[[tuple[int, ...]], Scene]
"""The scene with a draft."""

Pick = Callable[[tuple[int, ...], int, Scene], Picked]
"""What picking a choice of the scene with a draft leads to."""

MOST_PICKS = 40
"""Picks of one move, at most: also of one that is half made."""


class Way(msgspec.Struct, frozen=True, gc=False):
    """How a move is picked: the ids of the choices, in order; the cards and zones to mark by their ids, those that it
    is aimed at among them, and seats as `seat:2`; and the labels of the choices."""

    picks: tuple[int, ...]
    marks: tuple[str, ...]
    labels: tuple[str, ...]


def way_to(actions: Sequence[int], picks_of_it: Sequence[int], draw: Draw, pick: Pick) -> Way:
    """How a whole move is picked, by the picks that it is made of; the filled button does what they leave. Raises
    FairdealError where the scene offers no way to it."""
    draft: tuple[int, ...] = ()
    scene = draw(draft)
    wanted = iter(picks_of_it)
    picks: list[int] = []
    marks: dict[str, None] = {}
    labels: dict[str, None] = {}
    while len(picks) < MOST_PICKS:
        choice = next_choice(scene, wanted)
        picked = pick(draft, choice.id, scene)
        picks.append(choice.id)
        labels[choice.label] = None
        if picked.move is not None:
            if picked.move != tuple(actions):
                break
            aimed = not draft or choice.kind in ("seat", "zone")
            marks |= dict.fromkeys(parts_of(scene, choice.id) if aimed else ())
            return Way(tuple(picks), tuple(marks), tuple(filter(None, labels)))
        marks |= dict.fromkeys(parts_of(scene, choice.id) if choice.kind in ("seat", "zone") else [])
        draft, scene = picked.draft, draw(picked.draft)
        marks |= dict.fromkeys([*scene.draft.chosen, *scene.draft.aim] if scene.draft else ())
    raise FairdealError(f"the scene leads to no move {list(actions)}")


def next_choice(scene: Scene, wanted: Iterator[int]) -> Choice:
    """The next wanted choice; after the last one, the filled button."""
    for pick in wanted:
        offered = [choice for choice in scene.choices if choice.id == pick]
        if offered:
            return offered[0]
        raise FairdealError(f"choice {pick} is not offered")
    for choice in scene.choices:
        if choice.main:
            return choice
    raise FairdealError("nothing asks for a yes")


def parts_of(scene: Scene, choice: int) -> list[str]:
    """What a choice lies on: cards and zones by their ids, a seat as `seat:2`."""
    return [
        f"seat:{offered.on}" if offered.kind == "seat" else offered.on
        for offered in scene.choices
        if offered.id == choice and offered.on
    ]
