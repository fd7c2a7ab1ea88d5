"""The acts of the keeper, the links to the keeper's page, and the reports of guests."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the log of acts, reports, and the secrets of links and sessions."""
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
        sa.Column("table", sa.ForeignKey("tables.id"), nullable=False, index=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "keepers",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("is_session", sa.Boolean, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
