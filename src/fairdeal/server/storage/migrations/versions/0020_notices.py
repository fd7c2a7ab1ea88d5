"""The devices to which notices are sent, with the web addresses in place of `webhooks`, and the notices."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the tables of devices and notices, and move the web addresses."""
    op.create_table(
        "devices",
        key("guest", sa.String),
        key("id", sa.String),
        required("endpoint", sa.String),
        sa.Column("room", sa.String),
        sa.Column("key", sa.String),
        sa.Column("auth", sa.String),
        sa.Column("silent", sa.JSON),
        required("at", sa.Float),
    )
    op.execute("insert into devices (guest, id, endpoint, room, at) select guest, '', address, room, 0 from webhooks")
    op.drop_table("webhooks")
    op.create_table(
        "told",
        key("table", sa.String, sa.ForeignKey("tables.id")),
        key("guest", sa.String),
        key("kind", sa.String),
        key("device", sa.String),
        required("moves", sa.Integer),
        required("at", sa.Float),
        sa.Column("due", sa.Float, index=True),
    )
