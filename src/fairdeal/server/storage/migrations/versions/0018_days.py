"""The deals of the day, and the tries at them."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the deal of the day to tables, and the tables of deals and tries."""
    op.add_column("tables", sa.Column("daily", sa.JSON))
    op.create_table(
        "days",
        key("number", sa.Integer, autoincrement=False),
        required("closes", sa.Float),
        sa.Column("best", sa.JSON),
    )
    op.create_table(
        "tries",
        key("table", sa.String, sa.ForeignKey("tables.id")),
        required("deal", sa.Integer),
        sa.Column("guest", sa.String, index=True),
        required("counted", sa.Boolean),
        required("day", sa.Integer),
        required("hash", sa.String),
        required("nonce", sa.String),
    )
    counted = sa.text("counted")
    op.create_index(
        "tries_counted", "tries", ["deal", "guest"], unique=True, sqlite_where=counted, postgresql_where=counted
    )
