"""Run Alembic's migrations on the connection that the store passes in."""

from alembic import context

from fairdeal.server.storage.store import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
