"""Codes to say aloud instead of sending the link of a table that is waiting for guests.

Because codes are short, they are valid only for a limited time, and the number of attempts is limited for each guest
and each address.
"""

from __future__ import annotations

import secrets
import time
from typing import NamedTuple

LETTERS = "ACDEFGHJKLMNPQRTUVWXY34679"
"""Letters and digits that are hard to confuse: without 0 and O, 1 and I, 2 and Z, 5 and S, 8 and B."""

LENGTH = 6

LASTS = 15 * 60.0
"""Number of seconds for which a code is valid."""

MOST = 2000
"""Maximum number of codes. The oldest ones are dropped."""


class Invitation(NamedTuple):
    """The id of a table, and the time of the monotonic clock at which its code expires."""

    table: str
    until: float


class Invitations:
    """The valid codes of a room. They are kept in memory only."""

    def __init__(self) -> None:
        self.codes: dict[str, Invitation] = {}

    def code_of(self, table: str) -> tuple[str, float]:
        """Return the code of a table, and the number of seconds for which it is valid. A code is replaced after half of
        its time."""
        now = self.drop_old()
        known = next((code for code, one in reversed(self.codes.items()) if one.table == table), None)
        if known is None or self.codes[known].until - now < LASTS / 2:
            known = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            self.codes[known] = Invitation(table, now + LASTS)
            while len(self.codes) > MOST:
                del self.codes[next(iter(self.codes))]
        return known, self.codes[known].until - now

    def table_of(self, code: str) -> str | None:
        """Return the id of the table with a code, or None if the code is not valid. Spaces, hyphens and case do not
        matter."""
        self.drop_old()
        found = self.codes.get("".join(code.split()).replace("-", "").upper())
        return found and found.table

    def drop_old(self) -> float:
        """Drop expired codes, and return the current time."""
        now = time.monotonic()
        self.codes = {code: one for code, one in self.codes.items() if one.until > now}
        return now
