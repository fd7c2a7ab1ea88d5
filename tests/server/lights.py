"""The record of a fault: the attempts of players, and the lights meanwhile."""

import itertools

EACH = 0.1
"""Seconds between two comparisons of the lights with a move."""

STATES = {
    "the room cannot save: %s",
    "the room can save again",
}
"""Log lines about a state that lasts. Tests compare them with moves."""


class Record:
    """Attempts of players, whether they succeeded, and what the lights said, in this order."""

    def __init__(self):
        self.told = []

    def contradictions(self, least, length=None):
        """Return the lights that were on, and the lines of the log that said so, between two failed attempts of the
        first `length` records, or of all. Fails if fewer than `least` were compared."""
        attempts = [place for place, (name, _) in enumerate(self.told[:length]) if name == "attempt"]
        found, compared = [], 0
        for before, after in itertools.pairwise(attempts):
            if not self.told[before][1] and not self.told[after][1]:
                compared += after - before - 1
                found += [name for name, is_on in self.told[before + 1 : after] if is_on]
        assert compared >= least, "the fault was too short"
        return found
