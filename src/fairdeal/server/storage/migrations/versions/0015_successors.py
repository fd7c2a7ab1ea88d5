"""The names of guests who have taken over seats."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the name of the guest who has taken a seat over."""
    op.add_column("seats", sa.Column("successor", sa.String, nullable=False, server_default=""))
