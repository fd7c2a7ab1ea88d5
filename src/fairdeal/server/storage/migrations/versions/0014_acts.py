"""The acts of the keeper, links that open something, invited guests, and the reports of guests."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the log of acts, reports, links and invited guests."""
    op.create_table(
        "acts",
        key("id", sa.Integer),
        required("kind", sa.String),
        required("about", sa.JSON),
        required("by", sa.String),
        required("at", sa.Float),
        sa.Column("taken", sa.Float),
        sa.Column("done", sa.Float),
        required("problem", sa.String, server_default=""),
    )
    op.create_index("acts_by_done", "acts", ["done"])
    op.create_table(
        "reports",
        key("id", sa.Integer),
        required("table", sa.String, sa.ForeignKey("tables.id"), index=True),
        required("seat", sa.Integer),
        sa.Column("line", sa.Integer),
        required("at", sa.Float),
    )
    op.create_table(
        "links",
        key("hash", sa.String),
        required("kind", sa.String),
        required("until", sa.Float),
    )
    op.create_table("invited", key("guest", sa.String))
