"""Add the attempts at a deal that failed, and the commitments of guests who ask for a rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("failed", sa.JSON))
    op.add_column("seats", sa.Column("ready", sa.String))


def downgrade() -> None:
    op.drop_column("seats", "ready")
    op.drop_column("tables", "failed")
