"""Add the time that was left on the clocks of a paused table."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("tables", sa.Column("rest", sa.JSON))


def downgrade() -> None:
    op.drop_column("tables", "rest")
