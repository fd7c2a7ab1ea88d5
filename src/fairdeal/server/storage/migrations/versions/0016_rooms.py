"""Kept names, ratings, deals of the day, vacations, notices, and evenings."""

import sqlalchemy as sa
from alembic import op

from fairdeal.server.storage.store import key, required

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the tables and columns of all these, and move the web addresses of notices from `webhooks` to `devices`."""
    op.create_table(
        "kept",
        key("guest", sa.String),
        sa.Column("hash", sa.String, unique=True),
        sa.Column("skeleton", sa.String, index=True),
        sa.Column("other_skeleton", sa.String, index=True),
        required("epoch", sa.Integer, index=True),
    )
    for column in (
        required("rated", sa.Boolean, server_default="0"),
        sa.Column("daily", sa.JSON),
        sa.Column("due", sa.Float, index=True),
        sa.Column("evening", sa.String),
    ):
        op.add_column("tables", column)
    op.create_table(
        "ratings",
        key("table", sa.String, sa.ForeignKey("tables.id")),
        key("seat", sa.Integer),
        required("place", sa.Integer),
        required("games", sa.Integer),
        required("old_mu", sa.Float),
        required("old_sigma", sa.Float),
        required("mu", sa.Float),
        required("sigma", sa.Float),
    )
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
    op.create_table(
        "vacations",
        key("guest", sa.String),
        key("since", sa.Float),
        required("until", sa.Float),
    )
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
    op.create_table(
        "evenings",
        key("id", sa.String),
        required("host", sa.String),
        required("game", sa.String),
        required("options", sa.JSON),
        required("rounds", sa.Integer),
        required("clock", sa.Integer),
        required("state", sa.String),
        required("played", sa.JSON),
        required("made", sa.Float),
    )
    op.create_table(
        "entrants",
        key("evening", sa.String, sa.ForeignKey("evenings.id")),
        key("number", sa.Integer),
        sa.Column("guest", sa.String, index=True),
        required("name", sa.String),
        required("plays", sa.String),
        required("left", sa.Boolean),
    )
