"""The log of questions: what is old enough is dropped, all of it."""

import asyncio
import datetime as dt

import pytest

from policy_rag.server.callers import Caller
from policy_rag.server.folder_state import DATABASE, FolderState
from policy_rag.server.question_log import FAILED, LogReader, QuestionLog
from policy_rag.server.service_options import ServerOptions

NOW = dt.datetime(2026, 6, 30, 12, tzinfo=dt.UTC)
ALL = LogReader((), ())


def log_of(log, *ages):
    """Questions of so many days before."""
    for age in ages:
        log.add(
            Caller("ann"),
            f"asked {age} days ago",
            at=NOW - dt.timedelta(days=age),
            took_ms=1.0,
            conversation="one",
            groups_in_use=(),
            outcome=FAILED,
        )


def asked(log):
    return [one.question for one in log.recent(ALL)]


@pytest.fixture
def log(state):
    return QuestionLog(state)


@pytest.fixture
def served(app_of, kept, log):
    """Runs a service from its start to its end, over questions of so many days before."""

    def run(days, *ages):
        log_of(log, *ages)
        app = app_of(ServerOptions(**kept, keep_days=days), clock=lambda: NOW)

        stays = sum(age <= days for age in ages) if days else len(ages)

        async def started():
            async with app.router.lifespan_context(app):
                await asyncio.sleep(0 if days else 0.3)  # which would be enough to drop what is to stay
                while len(asked(log)) > stays:
                    await asyncio.sleep(0.01)

        asyncio.run(started())

    return run


def test_what_is_older_than_the_days_that_were_set_is_dropped(served, log):
    served(30, 31, 30.5, 30, 29, 0)
    assert asked(log) == ["asked 0 days ago", "asked 29 days ago", "asked 30 days ago"]


def test_with_no_days_everything_stays(served, log):
    served(0, 4000, 1)
    assert len(asked(log)) == 2


def test_what_is_dropped_is_not_left_in_the_file(tmp_path):
    state = FolderState(tmp_path)
    log = QuestionLog(state)
    log_of(log, 31)
    log.drop_before(NOW - dt.timedelta(days=30))
    with state.reading() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"asked 31 days ago" not in (tmp_path / DATABASE).read_bytes()


def test_times_of_any_zone_compare(log):
    east = dt.timezone(dt.timedelta(hours=9))
    log_of(log, 0)
    assert log.drop_before(NOW.astimezone(east)) == 0
    assert log.drop_before((NOW + dt.timedelta(seconds=1)).astimezone(east)) == 1
