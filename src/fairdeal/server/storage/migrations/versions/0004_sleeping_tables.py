"""Add the seats to act after each entry, which would otherwise require a replay; the time at which a guest entered a
name; and the request ids of chat lines."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("acts", sa.Integer))
    op.add_column("entries", sa.Column("acts", sa.Integer))
    op.add_column("chat", sa.Column("client", sa.String, nullable=False, server_default=""))
    op.add_column("guests", sa.Column("named", sa.Float, nullable=False, server_default="0"))
    op.create_index("ix_guests_named", "guests", ["named"])


def downgrade() -> None:
    op.drop_index("ix_guests_named", "guests")
    op.drop_column("guests", "named")
    op.drop_column("chat", "client")
    op.drop_column("entries", "acts")
    op.drop_column("tables", "acts")
