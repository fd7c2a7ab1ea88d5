"""Rated tables, and the ratings of their players."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the term of a table, and the ratings before and after each rated game."""
    op.add_column("tables", required("rated", sa.Boolean, server_default="0"))
    op.create_table(
        "ratings",
        key("table", sa.String, sa.ForeignKey("tables.id")),
        key("seat", sa.Integer),
        required("place", sa.Integer),
        required("games", sa.Integer),
        required("old_mu", sa.Float),
        required("old_sigma", sa.Float),
        required("mu", sa.Float),
        required("sigma", sa.Float),
    )
