"""The choices of a scene that lead to a move, and the parts of the scene that they are attached to.

They are used for advice: screens highlight these choices, and texts name them.
"""

from collections.abc import Callable, Iterator, Sequence

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.scene import Choice, Picked, Scene

Draw = Callable[[tuple[int, ...]], Scene]
"""A function that returns the scene with a draft."""

Pick = Callable[[tuple[int, ...], int, Scene], Picked]
"""A function that returns the result of making a choice of the scene with a draft."""

MOST_PICKS = 40
"""Maximum number of choices in one move, complete or unfinished."""


class Way(Frozen, gc=False):
    """The choices that make a move: their ids, in order; the ids of the cards and zones to highlight, including
    targets, with seats as `seat:2`; and the labels of the choices."""

    picks: tuple[int, ...]
    marks: tuple[str, ...]
    labels: tuple[str, ...]


def way_to(actions: Sequence[int], picks_of_it: Sequence[int], draw: Draw, pick: Pick) -> Way:
    """Return the choices that make a complete move, given the ids of these choices. The main button completes the move.
    Raises FairdealError if the scene does not offer the move."""
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
    raise FairdealError(f"the scene does not lead to move {list(actions)}")


def next_choice(scene: Scene, wanted: Iterator[int]) -> Choice:
    """Return the scene's choice for the next of the `wanted` ids, or the main button after the last one."""
    for pick in wanted:
        offered = [choice for choice in scene.choices if choice.id == pick]
        if offered:
            return offered[0]
        raise FairdealError(f"choice {pick} is not offered")
    for choice in scene.choices:
        if choice.main:
            return choice
    raise FairdealError("no button completes the move")


def parts_of(scene: Scene, choice: int) -> list[str]:
    """Return the parts of a scene that a choice is attached to: ids of cards and zones, and seats as `seat:2`."""
    return [
        f"seat:{offered.on}" if offered.kind == "seat" else offered.on
        for offered in scene.choices
        if offered.id == choice and offered.on
    ]
