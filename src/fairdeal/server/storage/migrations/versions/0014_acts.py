"""The acts of the keeper, links that open something, invited guests, and the reports of guests."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the log of acts, reports, links and invited guests."""
    op.create_table(
        "acts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("taken", sa.Float),
        sa.Column("done", sa.Float),
        sa.Column("problem", sa.String, nullable=False, server_default=""),
    )
    op.create_index("acts_by_done", "acts", ["done"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), nullable=False, index=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table("invited", sa.Column("guest", sa.String, primary_key=True))
