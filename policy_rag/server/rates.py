"""How often a caller may ask: so many requests a minute, in all processes of the service together."""

import math
from dataclasses import dataclass

from policy_rag.server.problems import RequestProblem
from policy_rag.server.state import ServiceState

_SCHEMA = "CREATE TABLE IF NOT EXISTS rates (caller TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID"
# Each request moves `until` on by its share of a minute; it is refused where that would come to lie too far ahead.
_TAKE = """
INSERT INTO rates VALUES (?, ?) ON CONFLICT (caller) DO UPDATE
SET until = CASE WHEN rates.until > ? THEN rates.until ELSE ? END + ? WHERE rates.until <= ?
"""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The limit.

    Attributes:
        state: where it is kept who asked how often.
        a_minute: requests that a caller may send in a minute, all of them at once if they like; 0: no limit.
    """

    state: ServiceState
    a_minute: int

    def __post_init__(self) -> None:
        self.state.add_tables(_SCHEMA)

    def take(self, caller: str, now: float) -> None:
        """Counts a request of a caller, by unique name; `now` is in seconds since 1970.

        Raises:
            Problem: 429, there were too many; it says when to come again.
        """
        if not self.a_minute:
            return
        share = 60 / self.a_minute
        # Half a share of slack, for sums of shares are a little off.
        most = now + 60 - share / 2
        with self.state.reading() as db:
            if db.execute(_TAKE, (caller, now + share, now, now, share, most)).rowcount:
                return
            until = db.execute("SELECT until FROM rates WHERE caller = ?", (caller,)).fetchone()["until"]
        wait = max(1, math.ceil(until + share - now - 60))
        raise RequestProblem(
            429, f"more than {self.a_minute} requests a minute: try again in {wait} s", retry_after=wait
        )
