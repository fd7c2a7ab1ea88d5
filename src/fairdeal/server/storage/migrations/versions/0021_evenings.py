"""Evenings, and their players."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the evening to tables, and the tables of evenings and entrants."""
    op.add_column("tables", sa.Column("evening", sa.String))
    op.create_table(
        "evenings",
        key("id", sa.String),
        required("host", sa.String),
        required("game", sa.String),
        required("options", sa.JSON),
        required("rounds", sa.Integer),
        required("clock", sa.Integer),
        required("state", sa.String),
        required("played", sa.JSON),
        required("made", sa.Float),
    )
    op.create_table(
        "entrants",
        key("evening", sa.String, sa.ForeignKey("evenings.id")),
        key("number", sa.Integer),
        sa.Column("guest", sa.String, index=True),
        required("name", sa.String),
        required("plays", sa.String),
        required("left", sa.Boolean),
    )
