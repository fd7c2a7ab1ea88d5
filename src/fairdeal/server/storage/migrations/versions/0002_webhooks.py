"""Add the webhooks that notify guests of their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("guest", sa.String, primary_key=True),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("room", sa.String, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("webhooks")
