"""Rated tables, and the ratings of their players."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the term of a table, and the ratings before and after each rated game."""
    op.add_column("tables", sa.Column("rated", sa.Boolean, nullable=False, server_default="0"))
    op.create_table(
        "ratings",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("old_mu", sa.Float, nullable=False),
        sa.Column("old_sigma", sa.Float, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
