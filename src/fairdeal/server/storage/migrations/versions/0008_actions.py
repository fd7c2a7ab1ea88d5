"""Add the actions of moves."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("entries", sa.Column("actions", sa.String))


def downgrade() -> None:
    op.drop_column("entries", "actions")
