"""The log of questions: what is old enough is dropped, all of it."""

import asyncio
import datetime as dt
from dataclasses import replace

import pytest

from policy_rag.server.app import create_app
from policy_rag.server.callers import Caller
from policy_rag.server.question_log import FAILED, LogReader
from policy_rag.server.state import DATABASE

NOW = dt.datetime(2026, 6, 30, 12, tzinfo=dt.UTC)
ALL = LogReader((), ())


def log_of(service, *ages):
    """Questions of so many days before."""
    for age in ages:
        service.questions.add(
            Caller("ann"),
            f"asked {age} days ago",
            at=NOW - dt.timedelta(days=age),
            took_ms=1.0,
            conversation="one",
            groups_in_use=(),
            outcome=FAILED,
        )


def asked(service):
    return [one.question for one in service.questions.recent(ALL)]


@pytest.fixture
def of_days(filled, options):
    def made(days, *ages):
        app = create_app(filled, replace(options, keep_days=days), clock=lambda: NOW)
        log_of(app.state.service, *ages)
        return app

    return made


def started(app):
    """The app from its start to its end."""

    async def run():
        async with app.router.lifespan_context(app):
            await asyncio.sleep(0.3)

    asyncio.run(run())
    return app.state.service


def test_what_is_older_than_the_days_that_were_set_is_dropped(of_days):
    service = started(of_days(30, 31, 30.5, 30, 29, 0))
    assert asked(service) == ["asked 0 days ago", "asked 29 days ago", "asked 30 days ago"]


def test_with_no_days_everything_stays(of_days):
    assert len(asked(started(of_days(0, 4000, 1)))) == 2


def test_what_is_dropped_is_not_left_in_the_file(of_days):
    service = started(of_days(30, 31))
    with service.state.reading() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"asked 31 days ago" not in (service.state.folder / DATABASE).read_bytes()


def test_times_of_any_zone_compare(service):
    east = dt.timezone(dt.timedelta(hours=9))
    log_of(service, 0)
    assert service.questions.drop_before(NOW.astimezone(east)) == 0
    assert service.questions.drop_before((NOW + dt.timedelta(seconds=1)).astimezone(east)) == 1
