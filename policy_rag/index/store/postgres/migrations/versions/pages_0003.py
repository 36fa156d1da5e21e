"""Where the pages of a document begin: format 8."""

from alembic import op

revision = "0003"
down_revision = "0002"

# What is there gets its pages when it is ingested again.
_COLUMN = """
ALTER TABLE policy_rag.documents ADD COLUMN pages text COLLATE "C" NOT NULL DEFAULT '[]';
UPDATE policy_rag.manifest SET value = '8' WHERE key = 'format';
"""


def upgrade() -> None:
    """Adds the column."""
    op.execute(_COLUMN)
