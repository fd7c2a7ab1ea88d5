"""The acts of the keeper, and the links to the keeper's page."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the log of acts, and the secrets of links and sessions."""
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
        "keepers",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("is_session", sa.Boolean, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
