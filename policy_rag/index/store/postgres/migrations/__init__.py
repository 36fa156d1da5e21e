"""Migrations of the tables, run by alembic; see `postgres.schema`."""
