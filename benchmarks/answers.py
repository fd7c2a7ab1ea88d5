"""`fairdeal`, which writes down when bots that think answered: a row for each answer into the file that is named first.

    python -m benchmarks.answers FILE serve ...

A row has two numbers of seconds, counted from when the bot was to act: when its answer was planned, by the processor
time that its thoughts took, and when it came. They differ where others make it wait for a processor.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fairdeal.cli import main
from fairdeal.server.tables.thinking import STEPS, Thought, Thoughts


def watch(file: Path) -> None:
    """Write down every answer."""
    answers_at = Thoughts.answers_at

    def watched(self: Thoughts, seat: int, thought: Thought, usual: float) -> float | None:
        answered = answers_at(self, seat, thought, usual)
        if answered is not None and thought.number not in written.setdefault(id(self), set()):
            written[id(self)].add(thought.number)
            asked = max(usual, thought.began)
            print(STEPS[self.steps[seat]], answered - asked, file=rows, flush=True)
        return answered

    written: dict[int, set[int]] = {}
    rows = file.open("w")
    Thoughts.answers_at = watched  # type: ignore[method-assign]


if __name__ == "__main__":
    watch(Path(sys.argv.pop(1)))
    main()
