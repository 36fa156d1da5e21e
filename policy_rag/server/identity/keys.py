"""API keys: for programs, and for people where there is no issuer to sign in with."""

import datetime as dt
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.errors import UsageError
from policy_rag.server.callers import Caller
from policy_rag.server.identity.secrets import hashed, new_secret, same
from policy_rag.server.state import Row, ServiceState, record_of

PREFIX = "prk"
_NAME = re.compile(r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]{0,98}[^\s\x00-\x1f\x7f])?")
_ID_BYTES = 6

_SCHEMA = """
CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret TEXT NOT NULL,
    groups TEXT NOT NULL,
    admin INTEGER NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    revoked TEXT
);
CREATE INDEX IF NOT EXISTS keys_by_name ON keys (name);
"""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key; the key itself is not.

    Attributes:
        id: stands in the key too.
        name: of whom it is for.
        groups: access groups.
        admin: whether its holder is an administrator.
        created: when it was made.
        expires: from when on it is not taken any more, or None.
        revoked: when it was revoked, or None.
    """

    id: str
    name: str
    groups: tuple[str, ...]
    admin: bool
    created: dt.datetime
    expires: dt.datetime | None
    revoked: dt.datetime | None

    def is_valid(self, now: dt.datetime) -> bool:
        """Whether it is taken at a time."""
        return self.revoked is None and (self.expires is None or now < self.expires)

    @property
    def caller(self) -> Caller:
        """Who sends it."""
        return Caller(f"key:{self.name}", self.groups, self.admin, self.name)


class ApiKeys:
    """The keys of a service, which are kept as hashes."""

    def __init__(self, state: ServiceState) -> None:
        self._state = state
        state.add_tables(_SCHEMA)

    def add(
        self,
        name: str,
        *,
        now: dt.datetime,
        groups: Sequence[str] = (),
        admin: bool = False,
        expires: dt.datetime | None = None,
    ) -> str:
        """Makes a key, and gives it out this once.

        Args:
            name: of whom it is for; what they asked stays theirs under later keys of the name.
            now: the time.
            groups: access groups.
            admin: whether its holder is an administrator.
            expires: from when on it is not taken any more.

        Raises:
            UsageError: the name is none or has a key already, a group is none, or the time of expiry is past.
        """
        if not _NAME.fullmatch(name):
            raise UsageError("a key's name has 1 to 100 characters, none of them a line break")
        for group in groups:
            if not group.strip() or group != group.strip():
                raise UsageError(f"{group!r} is no group: write its name as documents declare it under `access`")
        if expires is not None and expires <= now:
            raise UsageError(f"{expires.date()} is past: give a day to come")
        made, secret = secrets.token_hex(_ID_BYTES), new_secret()
        with self._state.changing() as db:
            held = db.execute("SELECT * FROM keys WHERE name = ?", (name,)).fetchall()
            if any(_key(row).is_valid(now) for row in held):
                raise UsageError(f"{name} has a key already: run `policy-rag keys revoke {name}` first")
            db.execute(
                "INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    made,
                    name,
                    hashed(secret),
                    json.dumps(list(dict.fromkeys(groups))),
                    admin,
                    now.isoformat(),
                    expires.isoformat() if expires else None,
                ),
            )
        return f"{PREFIX}_{made}_{secret}"

    def find(self, given: str, now: dt.datetime) -> ApiKey | None:
        """The key that somebody sends; None where there is no such valid key."""
        prefix, _, rest = given.partition("_")
        key_id, _, secret = rest.partition("_")
        with self._state.reading() as db:
            row = db.execute("SELECT * FROM keys WHERE id = ?", (key_id,)).fetchone()
        kept = row["secret"] if row is not None else hashed("")
        if not same(hashed(secret), kept) or row is None or prefix != PREFIX:
            return None
        key = _key(row)
        return key if key.is_valid(now) else None

    def by_id(self, key_id: str, now: dt.datetime) -> ApiKey | None:
        """A valid key by its id, for sessions that began with it."""
        with self._state.reading() as db:
            row = db.execute("SELECT * FROM keys WHERE id = ?", (key_id,)).fetchone()
        return _key(row) if row is not None and _key(row).is_valid(now) else None

    def all(self) -> tuple[ApiKey, ...]:
        """All that were ever made, in order of name and time."""
        with self._state.reading() as db:
            return tuple(_key(row) for row in db.execute("SELECT * FROM keys ORDER BY name, created"))

    def revoke(self, name: str, now: dt.datetime) -> None:
        """Takes back the valid key of a name; sessions that began with it end too.

        Raises:
            UsageError: there is none.
        """
        with self._state.changing() as db:
            held = [_key(row) for row in db.execute("SELECT * FROM keys WHERE name = ?", (name,))]
            valid = [key.id for key in held if key.is_valid(now)]
            if not valid:
                raise UsageError(f"{name} has no valid key: `policy-rag keys list` shows those there are")
            db.executemany("UPDATE keys SET revoked = ? WHERE id = ?", [(now.isoformat(), key_id) for key_id in valid])


def _key(row: Row) -> ApiKey:
    return record_of(ApiKey, row, "groups")
