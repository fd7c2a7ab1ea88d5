"""Who is to act, beside every entry, so that a table need not be replayed to know it; when a guest was named; chat's
request ids."""

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
