"""Events that a room may count."""


class Meter:
    """A meter that counts nothing. `server.metrics` has one that counts."""

    def moved(self, game: str, by: str) -> None:
        """Count a move. `by` is `person` or `bot`."""

    def acknowledged(self, game: str, seconds: float) -> None:
        """Record the time from a player's request to its acknowledgement."""

    def committed(self, seconds: float) -> None:
        """Record the duration of a commit. The store calls this in its own thread."""

    def refused(self, kind: str) -> None:
        """Count a refused request of a connection to a table."""

    def responded(self, status: int) -> None:
        """Count an HTTP response."""
