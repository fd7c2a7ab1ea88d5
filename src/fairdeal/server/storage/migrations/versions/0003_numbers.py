"""Add commitments to nonces, the format of the log, and the author of a move made for another player."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("format", sa.Integer, nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("attempt", sa.Integer, nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("waits", sa.Boolean, nullable=False, server_default="1"))
    op.create_index("tables_by_seed", "tables", ["seed"])
    op.add_column("seats", sa.Column("hash", sa.String))
    op.add_column("seats", sa.Column("withheld", sa.Boolean, nullable=False, server_default="0"))
    op.execute("UPDATE seats SET hash = ''")
    op.add_column("entries", sa.Column("by", sa.String, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("entries", "by")
    op.drop_column("seats", "withheld")
    op.drop_column("seats", "hash")
    op.drop_index("tables_by_seed", "tables")
    op.drop_column("tables", "waits")
    op.drop_column("tables", "attempt")
    op.drop_column("tables", "format")
