"""Evenings, and their players."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the evening to tables, and the tables of evenings and entrants."""
    op.add_column("tables", sa.Column("evening", sa.String))
    op.create_table(
        "evenings",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("form", sa.String, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("clock", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("played", sa.JSON, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("evening", sa.String, sa.ForeignKey("evenings.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String, index=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("plays", sa.String, nullable=False),
        sa.Column("left", sa.Boolean, nullable=False),
    )
