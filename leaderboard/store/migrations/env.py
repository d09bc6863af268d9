"""Alembic runs this to run migrations, in the transaction that `migrate` has begun."""

from alembic import context

from leaderboard.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
