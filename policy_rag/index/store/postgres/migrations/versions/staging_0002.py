"""Documents that jobs have prepared and no ingest has taken in yet."""

from alembic import op

revision = "0002"
down_revision = "0001"

_TABLE = """
CREATE TABLE policy_rag.staged (
    source_hash text COLLATE "C" PRIMARY KEY,
    document bytea NOT NULL,
    hashes text[] NOT NULL,
    vectors bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON policy_rag.staged TO policy_rag_keeper;
ALTER TABLE policy_rag.staged ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_rag.staged FORCE ROW LEVEL SECURITY;
CREATE POLICY keep ON policy_rag.staged TO policy_rag_keeper USING ((SELECT policy_rag.is_granted()));
"""


def upgrade() -> None:
    """Makes the table."""
    op.execute(_TABLE)
