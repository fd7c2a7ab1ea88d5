"""Add the analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("table", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("analysis", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("analyses")
