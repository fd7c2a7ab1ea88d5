"""Add calm races, both as an option of a table and as a setting of a guest."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("calm", sa.Boolean, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("calm", sa.Boolean, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("seats", "calm")
    op.drop_column("tables", "calm")
