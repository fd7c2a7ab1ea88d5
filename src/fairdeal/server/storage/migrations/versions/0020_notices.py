"""The devices to which notices are sent, with the web addresses in place of `webhooks`, and the notices."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the tables of devices and notices, and move the web addresses."""
    op.create_table(
        "devices",
        sa.Column("guest", sa.String, primary_key=True),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("endpoint", sa.String, nullable=False),
        sa.Column("room", sa.String),
        sa.Column("key", sa.String),
        sa.Column("auth", sa.String),
        sa.Column("silent", sa.JSON),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.execute("insert into devices (guest, id, endpoint, room, at) select guest, '', address, room, 0 from webhooks")
    op.drop_table("webhooks")
    op.create_table(
        "told",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("guest", sa.String, primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("device", sa.String, primary_key=True),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("due", sa.Float, index=True),
    )
