"""The truth in Postgres: many writers and servers, access enforced by the database itself."""
