"""The acts of the keeper."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the log of acts."""
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
