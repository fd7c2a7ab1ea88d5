"""The schema with which the migrations begin. `database.create` creates it, so nothing is to be done here."""

revision = "0013"
down_revision = None


def upgrade() -> None:
    """Do nothing."""
