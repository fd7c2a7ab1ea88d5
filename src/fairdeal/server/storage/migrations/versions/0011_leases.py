"""Add the workers that share a database, the owner of each table, and the codes of invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("guests", sa.Integer, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("worker", sa.String),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("here", sa.Integer, nullable=False),
    )
    op.create_index("ix_leases_worker", "leases", ["worker"])
    op.create_table(
        "invitations",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("invitations")
    op.drop_table("leases")
    op.drop_table("workers")
