"""Runs migrations on the connection that `postgres.schema` gives."""

from alembic import context

if hasattr(context, "config"):  # alembic runs this file; whatever else imports it has nothing to migrate
    context.configure(connection=context.config.attributes["connection"], version_table_schema="policy_rag_service")
    with context.begin_transaction():
        context.run_migrations()
