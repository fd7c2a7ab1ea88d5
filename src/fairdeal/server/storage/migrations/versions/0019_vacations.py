"""When tables with clocks in days are due, and the vacations of guests."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the times of tables, and the vacations."""
    op.add_column("tables", sa.Column("due", sa.Float))
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_table(
        "vacations",
        key("guest", sa.String),
        key("since", sa.Float),
        required("until", sa.Float),
    )
