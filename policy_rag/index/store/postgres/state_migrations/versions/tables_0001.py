"""What a service keeps for itself; in SQLite each concept of `policy_rag.server` makes the same tables."""

from alembic import op

revision = "0001"
down_revision = None

_TABLES = """
CREATE TABLE policy_rag_service.keys (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    secret text COLLATE "C" NOT NULL,
    groups text COLLATE "C" NOT NULL,
    admin boolean NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C",
    revoked text COLLATE "C"
);
CREATE INDEX keys_by_name ON policy_rag_service.keys (name);
CREATE TABLE policy_rag_service.sessions (
    secret text COLLATE "C" PRIMARY KEY,
    caller text COLLATE "C" NOT NULL,
    label text COLLATE "C" NOT NULL,
    groups text COLLATE "C" NOT NULL,
    admin boolean NOT NULL,
    key_id text COLLATE "C",
    expires text COLLATE "C" NOT NULL
);
CREATE TABLE policy_rag_service.sign_ins (
    state text COLLATE "C" PRIMARY KEY,
    browser text COLLATE "C" NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    verifier text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL
);
CREATE TABLE policy_rag_service.rates (caller text COLLATE "C" PRIMARY KEY, until double precision NOT NULL);
CREATE TABLE policy_rag_service.questions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    at text COLLATE "C" NOT NULL,
    caller text COLLATE "C" NOT NULL,
    label text COLLATE "C" NOT NULL,
    groups text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    question text COLLATE "C" NOT NULL,
    as_of text COLLATE "C",
    outcome text COLLATE "C" NOT NULL,
    confidence double precision,
    llm text COLLATE "C",
    experiment text COLLATE "C" NOT NULL,
    variant text COLLATE "C" NOT NULL,
    took_ms double precision NOT NULL,
    documents text COLLATE "C" NOT NULL,
    answer text COLLATE "C",
    trace text COLLATE "C",
    trace_id text COLLATE "C",
    trace_store text COLLATE "C",
    helpful boolean,
    comment text COLLATE "C"
);
CREATE INDEX questions_of_callers ON policy_rag_service.questions (caller, conversation);
CREATE INDEX questions_by_time ON policy_rag_service.questions (at);
CREATE INDEX questions_by_outcome ON policy_rag_service.questions (outcome);
CREATE TABLE policy_rag_service.jobs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    kind text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    caller text COLLATE "C" NOT NULL,
    label text COLLATE "C" NOT NULL,
    given text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    step text COLLATE "C" NOT NULL DEFAULT '',
    share double precision NOT NULL DEFAULT 0,
    ended text COLLATE "C",
    report text COLLATE "C",
    error text COLLATE "C"
);
CREATE INDEX jobs_by_state ON policy_rag_service.jobs (state);
CREATE TABLE policy_rag_service.uploaded_files (
    id text COLLATE "C" PRIMARY KEY,
    job text COLLATE "C",
    name text COLLATE "C" NOT NULL,
    said text COLLATE "C" NOT NULL
);
CREATE TABLE policy_rag_service.uploaded_parts (
    file text COLLATE "C" NOT NULL REFERENCES policy_rag_service.uploaded_files ON DELETE CASCADE,
    part integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (file, part)
);
"""


def upgrade() -> None:
    """Makes the tables; `migrate` lets logins use them."""
    op.execute(_TABLES)
