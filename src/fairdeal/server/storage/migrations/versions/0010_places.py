"""Add the places of a finished game, which cannot be derived from its scores."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("tables", sa.Column("places", sa.JSON))


def downgrade() -> None:
    op.drop_column("tables", "places")
