"""Sessions of browsers: a cookie that no script can read, whose hash is kept."""

import datetime as dt
import json
from dataclasses import dataclass

from fastapi import Request, Response

from policy_rag.server.callers import Caller
from policy_rag.server.identity.keys import ApiKeys
from policy_rag.server.identity.secrets import hashed, new_secret
from policy_rag.server.state import ServiceState

LASTING = dt.timedelta(hours=10)
COOKIES = ("policy_rag_session", "__Host-policy_rag_session")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    secret TEXT PRIMARY KEY,
    caller TEXT NOT NULL,
    label TEXT NOT NULL,
    groups TEXT NOT NULL,
    admin INTEGER NOT NULL,
    key_id TEXT,
    expires TEXT NOT NULL
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a service.

    Attributes:
        state: where they are kept.
        keys: those that a session may have begun with; it ends with its key.
        secure: whether browsers reach the service by https alone; their cookies then never leave it.
    """

    state: ServiceState
    keys: ApiKeys
    secure: bool = False

    def __post_init__(self) -> None:
        self.state.add_tables(_SCHEMA)

    @property
    def cookie(self) -> str:
        """The cookie's name."""
        return COOKIES[self.secure]

    def begin(
        self, request: Request, response: Response, caller: Caller, now: dt.datetime, *, key_id: str | None = None
    ) -> None:
        """Begins a session under a new secret, whose cookie the response gets; the one of the browser's before ends.

        It ends with the key that was signed in with, if any.
        """
        secret = new_secret()
        row = (
            hashed(secret),
            caller.name,
            caller.label,
            json.dumps(caller.groups),
            caller.admin,
            key_id,
            (now + LASTING).isoformat(),
        )
        with self.state.changing() as db:
            db.execute("DELETE FROM sessions WHERE expires <= ?", (now.isoformat(),))
            self._forget(request)
            db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        response.set_cookie(
            self.cookie,
            secret,
            max_age=int(LASTING.total_seconds()),
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )

    def find(self, request: Request, now: dt.datetime) -> Caller | None:
        """Who has the session of a request's cookie; None where there is none, or it is over."""
        secret = request.cookies.get(self.cookie)
        if secret is None:
            return None
        with self.state.reading() as db:
            row = db.execute(
                "SELECT * FROM sessions WHERE secret = ? AND expires > ?", (hashed(secret), now.isoformat())
            ).fetchone()
        if row is None:
            return None
        if row["key_id"] is not None:
            key = self.keys.by_id(row["key_id"], now)
            return key.caller if key is not None else None
        return Caller(row["caller"], tuple(json.loads(row["groups"])), bool(row["admin"]), row["label"])

    def end(self, request: Request, response: Response) -> None:
        """Ends the session of a request, here and in the browser."""
        with self.state.changing():
            self._forget(request)
        response.delete_cookie(self.cookie, path="/", secure=self.secure, httponly=True, samesite="lax")

    def _forget(self, request: Request) -> None:
        secret = request.cookies.get(self.cookie)
        if secret is not None:
            with self.state.reading() as db:
                db.execute("DELETE FROM sessions WHERE secret = ?", (hashed(secret),))
