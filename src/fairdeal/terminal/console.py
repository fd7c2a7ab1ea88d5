"""A console that prints tables and styled text to a terminal, without control characters in the text."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from fairdeal.terminal.plain import COMMANDS


class PlainConsole(Console):
    """A console that treats text as plain text: neither as markup nor as terminal commands."""

    def __init__(self, error: bool = False) -> None:
        super().__init__(stderr=error, highlight=False, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield plain_segment(segment, keeps="\n")


def plain_segment(segment: Segment, keeps: str = "") -> Segment:
    """Return a segment without the control characters in its text, except those in `keeps`. Its width stays the same,
    because control characters have no width."""
    if segment.control or segment.text.isprintable():
        return segment
    return Segment(COMMANDS.sub(lambda found: found[0] if found[0] in keeps else "", segment.text), segment.style)
