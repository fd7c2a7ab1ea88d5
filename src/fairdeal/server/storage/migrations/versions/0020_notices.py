"""The devices to which notices are pushed, and the notices that were sent."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the tables of devices and notices."""
    op.create_table(
        "devices",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("guest", sa.String, nullable=False, index=True),
        sa.Column("endpoint", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("auth", sa.String, nullable=False),
        sa.Column("silent", sa.JSON),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "told",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("guest", sa.String, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("due", sa.Float, index=True),
        sa.Column("left", sa.JSON, nullable=False),
    )
