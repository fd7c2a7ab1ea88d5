"""The deals of the day, and the tries at them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the deal of the day to tables, and the tables of deals and tries."""
    op.add_column("tables", sa.Column("daily", sa.JSON))
    op.create_table(
        "days",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("closes", sa.Float, nullable=False),
        sa.Column("best", sa.JSON),
    )
    op.create_table(
        "tries",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("guest", sa.String, index=True),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("nonce", sa.String, nullable=False),
    )
    counted = sa.text("counted")
    op.create_index(
        "tries_counted", "tries", ["deal", "guest"], unique=True, sqlite_where=counted, postgresql_where=counted
    )
