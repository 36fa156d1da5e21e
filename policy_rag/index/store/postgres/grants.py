"""Rights on the schemas beside that of the index: of jobs, and of a service's state."""

from typing import TYPE_CHECKING, Any

from psycopg import sql

if TYPE_CHECKING:
    from psycopg import Connection

# To the logins themselves: the roles are those of all databases of a server, and those under which policies are read
# have nothing to look for there. Row-level security would keep from procrastinate which job waits twice.
_GRANTS = """
GRANT USAGE ON SCHEMA {schema} TO {login};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {login};
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schema} TO {login};
"""


def grant_to_logins(raw: "Connection[tuple[Any, ...]]", schema: str) -> None:
    """Lets every login that may use the index use the tables of a schema."""
    logins = raw.execute("SELECT rolname FROM pg_roles JOIN policy_rag.logins ON login = rolname").fetchall()
    for (login,) in logins:
        raw.execute(sql.SQL(_GRANTS).format(schema=sql.Identifier(schema), login=sql.Identifier(login)))
