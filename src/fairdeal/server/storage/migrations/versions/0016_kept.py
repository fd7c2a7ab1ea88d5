"""Names that guests keep under six words, and how often their other devices were signed out."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the kept names."""
    op.create_table(
        "kept",
        sa.Column("guest", sa.String, primary_key=True),
        sa.Column("hash", sa.String, unique=True),
        sa.Column("skeleton", sa.String, index=True),
        sa.Column("other_skeleton", sa.String, index=True),
        sa.Column("epoch", sa.Integer, nullable=False, index=True),
    )
