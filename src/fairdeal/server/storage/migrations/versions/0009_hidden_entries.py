"""Add the numbers of hidden entries."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("entries", sa.Column("hidden", sa.String))


def downgrade() -> None:
    op.drop_column("entries", "hidden")
