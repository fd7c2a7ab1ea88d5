"""Create the tables for game tables, seats, entries, chat, guests and secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("clock", sa.Integer, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("rematch", sa.String),
        sa.Column("origin", sa.JSON),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("moved", sa.Float, nullable=False),
    )
    op.create_index("tables_by_status", "tables", ["status", "listed", "moved"])
    op.create_table(
        "seats",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("plays", sa.String, nullable=False),
        sa.Column("guest", sa.String),
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("stand_in", sa.Boolean, nullable=False),
    )
    op.create_index("seats_by_guest", "seats", ["guest"])
    op.create_table(
        "entries",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("client", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), nullable=False, index=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
    )
    op.create_table("secrets", sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.LargeBinary))


def downgrade() -> None:
    for name in ("secrets", "guests", "chat", "entries", "seats", "tables"):
        op.drop_table(name)
