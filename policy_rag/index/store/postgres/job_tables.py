"""The tables of procrastinate, beside those of the index, in a schema of their own."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import IndexingError

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMA = "policy_rag_jobs"
_VERSION = re.compile(r"\d+(?:\.\d+)*")


def make_job_tables(raw: "Connection[tuple[Any, ...]]") -> None:
    """Makes them where there are none, and brings those of an older procrastinate up to the one installed.

    Which one made them stands in the schema's comment.

    Args:
        raw: a connection in a transaction, as a login that may make schemas.
    """
    import procrastinate
    from procrastinate.schema import SchemaManager, migrations_path

    found = raw.execute(
        "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s", (SCHEMA,)
    ).fetchone()
    now = procrastinate.__version__
    if found is not None and found[0] == now:
        return
    if found is None:
        raw.execute(f"CREATE SCHEMA {SCHEMA}".encode())
        scripts = [SchemaManager.get_schema()]
    else:
        scripts = _newer(migrations_path, str(found[0]))
    raw.execute(f"SET LOCAL search_path TO {SCHEMA}".encode())
    for script in scripts:
        raw.execute(script.encode())
    raw.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{now}'".encode())
    raw.execute("SET LOCAL search_path TO DEFAULT")


def _newer(folder: Path, version: str) -> list[str]:
    """The migrations behind a version, in order of their names, which begin with the version that brought them."""
    scripts = sorted(folder.glob("*.sql"))
    return [path.read_text(encoding="utf-8") for path in scripts if _numbers(path.name) > _numbers(version)]


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of the version that a text begins with; none where it begins with none.

    >>> _numbers("03.04.00_01_pre_add.sql") > _numbers("3.3.1"), _numbers("")
    (True, ())
    """
    found = _VERSION.match(text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def require_job_tables(raw: "Connection[tuple[Any, ...]]", name: str) -> None:
    """Refuses a database that has none, or none that this login may use.

    Raises:
        IndexingError: saying what to run.
    """
    row = raw.execute(f"SELECT to_regnamespace('{SCHEMA}') IS NOT NULL".encode()).fetchone()
    if row is None or not row[0]:
        raise IndexingError(f"the index in {name} has no tables for jobs: run `policy-rag migrate --index URL`")
