"""The tables in Postgres, made and changed by migrations."""

from pathlib import Path
from typing import Any, cast

import psycopg
from psycopg import Connection, sql

from policy_rag.errors import IndexingError
from policy_rag.index.store.manifest import read_format
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.postgres.connection import (
    KEEPER,
    READER,
    DatabaseCaller,
    PostgresDatabase,
    SharedConnection,
)
from policy_rag.index.store.postgres.job_tables import SCHEMA as JOBS
from policy_rag.index.store.postgres.job_tables import make_job_tables
from policy_rag.index.store.postgres.milvus import choose_milvus, leave_milvus
from policy_rag.index.store.postgres.pgvector import drop_embeddings, make_embeddings
from policy_rag.index.store.postgres.pool import first_line
from policy_rag.index.store.schema import FORMAT

SCHEMA, SERVICE = "policy_rag", "policy_rag_service"
"""Of the index; and of what a service over it keeps for itself."""

OLDEST = 160000
"""The oldest server: version 16."""

_MIGRATING = 0x6D696772617465  # the key of an advisory lock, "migrate": of two that begin at once one waits
_MIGRATIONS = {SCHEMA: Path(__file__).parent / "migrations", SERVICE: Path(__file__).parent / "state_migrations"}


def migrate(
    address: PostgresAddress,
    *,
    grant: str | None = None,
    vectors: VectorEngine | None = None,
    milvus: str | None = None,
) -> bool:
    """Makes the tables where there are none, and brings those of an older version up to this one.

    Args:
        address: the database; the login must be allowed to make roles and tables, unless nothing is to be done.
        grant: a login that may use the index from now on; the own login always may.
        vectors: what searches vectors from now on; None leaves it as it is.
        milvus: where Milvus is; None where it is not used, or known already.

    Returns:
        Whether what searches vectors from now on is as `vectors` asks: the graph is made only once there are vectors.

    Raises:
        IndexingError: the database does not answer or is too old, the login may not do that, there is no login of the
            name to grant it to, or Milvus cannot be used.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError, OperationalError
    from sqlalchemy.pool import NullPool

    config = Config()
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(address.url, connect_timeout=10, client_encoding="utf8"),
        poolclass=NullPool,
    )
    made = True
    try:
        with engine.begin() as connection:
            _require_server(connection, address, grant)
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
            config.attributes["connection"] = connection
            for schema, scripts in _MIGRATIONS.items():
                if not connection.exec_driver_sql(f"SELECT to_regnamespace('{schema}') IS NOT NULL").scalar():
                    connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
                config.set_main_option("script_location", str(scripts).replace("%", "%%"))
                command.upgrade(config, "head")
            raw = cast("Connection[tuple[Any, ...]]", connection.connection.dbapi_connection)
            if not connection.exec_driver_sql("SELECT to_regclass('policy_rag.logins') IS NOT NULL").scalar():
                raise IndexingError(_OLDER.format(name=address))
            make_job_tables(raw)
            raw.execute("INSERT INTO policy_rag.logins VALUES (session_user) ON CONFLICT DO NOTHING")
            if vectors is not None:
                made = _have_search(raw, vectors, milvus)
            if grant is not None:
                name = connection.dialect.identifier_preparer.quote_identifier(grant)
                connection.exec_driver_sql(f"GRANT {READER}, {KEEPER} TO {name} WITH INHERIT FALSE, SET TRUE")
                raw.execute("INSERT INTO policy_rag.logins VALUES (%s) ON CONFLICT DO NOTHING", (grant,))
            for schema in (JOBS, SERVICE):
                _grant_to_logins(raw, schema)
    except (psycopg.Error, DBAPIError, CommandError) as error:
        message = first_line(getattr(error, "orig", None) or error)
        if isinstance(error, OperationalError | psycopg.OperationalError):
            raise IndexingError(
                f"the database {address} does not answer ({message}): start it, or mend --index"
            ) from error
        raise IndexingError(
            f"the tables of the index cannot be made in {address} ({message}): run `policy-rag migrate --index URL` "
            f"as a login that may create roles and schemas there"
        ) from error
    return made


def _require_server(connection: Any, address: PostgresAddress, grant: str | None) -> None:
    version = int(connection.exec_driver_sql("SHOW server_version_num").scalar())
    if version < OLDEST:
        raise IndexingError(f"{address} is PostgreSQL {version // 10000}: an index needs {OLDEST // 10000} or newer")
    known = "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = %s)"
    if grant is not None and not connection.exec_driver_sql(known, (grant,)).scalar():
        raise IndexingError(
            f"{address} has no login {grant!r}: let its owner run CREATE ROLE ... LOGIN, then this again"
        )


# To the logins themselves: the roles are those of all databases of a server, and those under which policies are read
# have nothing to look for there. Row-level security would keep from procrastinate which job waits twice.
_GRANTS = """
GRANT USAGE ON SCHEMA {schema} TO {login};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {login};
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schema} TO {login};
"""


def _grant_to_logins(raw: "Connection[tuple[Any, ...]]", schema: str) -> None:
    """Lets every login that may use the index use the tables of a schema beside that of the index."""
    logins = raw.execute("SELECT rolname FROM pg_roles JOIN policy_rag.logins ON login = rolname").fetchall()
    for (login,) in logins:
        raw.execute(sql.SQL(_GRANTS).format(schema=sql.Identifier(schema), login=sql.Identifier(login)))


def _have_search(raw: "Connection[tuple[Any, ...]]", vectors: VectorEngine, milvus: str | None) -> bool:
    """Has `vectors` search, and nothing else; whether it does from now on."""
    own = PostgresDatabase(SharedConnection(raw), DatabaseCaller())
    if vectors is VectorEngine.MILVUS:
        choose_milvus(own, milvus)
    else:
        leave_milvus(own)
    raw.execute("RESET ROLE; RESET search_path")
    if vectors in {VectorEngine.FILES, VectorEngine.MILVUS}:
        drop_embeddings(raw)
        return True
    return make_embeddings(raw, graph=vectors is VectorEngine.PGVECTOR_HNSW)


_OLDER = (
    "the index in {name} was made before logins were granted one by one, and cannot be read any more: run `policy-rag "
    "migrate --index URL` on an empty database, and ingest into that"
)
_NOT_GRANTED = (
    "the login of {name} may not use the index: let its owner run `policy-rag migrate --index URL --grant LOGIN`"
)


def has_tables(raw: "Connection[tuple[Any, ...]]") -> bool:
    """Whether the tables of an index are there, of whatever version."""
    row = raw.execute("SELECT to_regnamespace('policy_rag') IS NOT NULL").fetchone()
    return row is not None and bool(row[0])


def require_current(raw: "Connection[tuple[Any, ...]]", name: str) -> None:
    """Refuses a database without an index, or with one of another format.

    Raises:
        IndexingError: saying what to run.
    """
    if not has_tables(raw):
        raise IndexingError(f"there is no index in {name}: run `policy-rag ingest PATH --index URL` first")
    try:
        with raw.transaction():
            own = PostgresDatabase(SharedConnection(raw), DatabaseCaller())
            granted, found = own.execute("SELECT is_granted()").fetchone()[0], read_format(own)
    except psycopg.errors.UndefinedFunction as error:
        raise IndexingError(_OLDER.format(name=name)) from error
    except psycopg.Error as error:
        raise IndexingError(_NOT_GRANTED.format(name=name)) from error
    if not granted:
        raise IndexingError(_NOT_GRANTED.format(name=name))
    if found != str(FORMAT):
        raise IndexingError(
            f"the index in {name} has format {found}, this version reads {FORMAT}: "
            f"run `policy-rag migrate --index URL`, or install the newer policy-rag that made it"
        )
