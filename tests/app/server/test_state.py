"""The service's state: shared by threads and processes, whole after errors, one worker at a time; for its owner alone."""

import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime

import psycopg
import pytest

from policy_rag.errors import StateError
from policy_rag.index.store.place import index_place, migrate_tables
from policy_rag.server.folder_state import DATABASE, FolderState
from policy_rag.server.identity.keys import ApiKeys
from policy_rag.server.jobs import JobQueue
from policy_rag.server.postgres_state import PostgresState
from policy_rag.server.rates import RateLimit
from policy_rag.server.state import open_state

COUNTED = "UPDATE rates SET until = ? WHERE caller = 'all'"
OTHER = """
import sys
from policy_rag.index.store.place import index_place
from policy_rag.server.state import open_state
state = open_state(index_place(sys.argv[1]))
for _ in range(25):
    with state.changing() as db:
        until = db.execute("SELECT until FROM rates WHERE caller = 'all'").fetchone()["until"]
        db.execute("UPDATE rates SET until = ? WHERE caller = 'all'", (until + 1,))
state.close()
"""


def count_of(state):
    with state.reading() as db:
        return db.execute("SELECT until FROM rates").fetchone()["until"]


def increase(state):
    with state.changing() as db:
        until = db.execute("SELECT until FROM rates").fetchone()["until"]
        db.execute(COUNTED, (until + 1,))


@pytest.fixture
def counted(state):
    """A state with a count of nothing in it."""
    RateLimit(state, 1)
    with state.changing() as db:
        db.execute("INSERT INTO rates VALUES ('all', 0)")
    return state


def test_threads_and_processes_lose_no_change(counted, state_home):
    place = getattr(state_home, "url", str(state_home))
    other = subprocess.Popen([sys.executable, "-c", OTHER, place])
    threads = [threading.Thread(target=lambda: [increase(counted) for _ in range(25)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert other.wait() == 0
    assert count_of(counted) == 5 * 25


def test_an_error_undoes_all_of_a_change(counted):
    def change():
        with counted.changing() as db:
            db.execute(COUNTED, (7,))
            db.execute("INSERT INTO absent VALUES (1)")

    with pytest.raises(StateError, match=r"absent|lacks tables") as raised:
        change()
    assert isinstance(raised.value.__cause__, sqlite3.Error | psycopg.Error)
    increase(counted)
    assert count_of(counted) == 1


def test_a_change_within_sees_what_it_changed_and_others_do_not(counted, state_home):
    with closing(open_state(state_home)) as other, counted.changing() as db:
        db.execute(COUNTED, (5,))
        assert count_of(counted) == 5
        seen = []
        thread = threading.Thread(target=lambda: (seen.append(count_of(other)), other.close()))
        thread.start()
        thread.join()
        assert seen == [0]


def test_of_many_workers_one_works(state, state_home):
    with closing(open_state(state_home)) as other:
        with state.working_alone() as first, state.reading() as db:
            assert db.execute("SELECT 1 AS one").fetchone() == {"one": 1}
            with other.working_alone() as second:
                assert (first, second) == (True, False)
        with other.working_alone() as now:
            assert now


def test_a_worker_that_lost_its_lock_is_told(empty_database, postgres_server):
    with closing(PostgresState(empty_database)) as state, closing(PostgresState(empty_database)) as other:

        def work():
            with state.working_alone() as first, state.reading() as db:
                (pid,) = db.execute("SELECT pg_backend_pid() AS pid").fetchone().values()
                postgres_server.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
                with other.working_alone() as second:
                    assert (first, second) == (True, True)
                JobQueue(state).begin_next()

        with pytest.raises(StateError, match="does not answer"):
            work()


def test_texts_are_kept_whatever_they_hold(state):
    keys, now = ApiKeys(state), datetime(2026, 6, 1, tzinfo=UTC)
    hostile = [
        "x'); DROP TABLE keys; --",
        *("%s", "%(a)s", "?", "$1", "a% LIKE b", "\\", '"', "${x}", "Größe \u2019 OR 1=1"),
    ]
    for name in hostile:
        keys.add(name, now=now, groups=[name])
    assert {(key.name, key.groups) for key in keys.all()} == {(name, (name,)) for name in hostile}
    assert keys.by_id("\0", now) is None
    assert keys.find("prk_a\0b_c", now) is None


def test_only_the_owner_may_read_it(tmp_path):
    FolderState(tmp_path / "state")
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / DATABASE).stat().st_mode) == 0o600


def test_a_file_that_is_no_database_is_one_clear_error(tmp_path):
    (tmp_path / DATABASE).write_text("this is no database, but a note that somebody left here\n" * 20)
    with pytest.raises(StateError, match="--state"):
        FolderState(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="--state"):
        FolderState(tmp_path / "file")


def test_an_error_of_a_statement_names_the_state(tmp_path):
    state = FolderState(tmp_path)
    with pytest.raises(StateError, match=f"{tmp_path}.*no such table"), state.reading() as db:
        db.execute("SELECT 1 FROM absent")


@pytest.mark.parametrize("role", ["policy_rag_reader", "policy_rag_keeper"])
def test_no_role_under_which_policies_are_read_sees_any_of_it(empty_database, role):
    with psycopg.connect(empty_database.url) as raw:
        tables = raw.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'policy_rag_service'").fetchall()
        assert {"keys", "sessions", "sign_ins", "questions", "jobs", "uploaded_parts"} <= {name for (name,) in tables}
        raw.execute(f"SET ROLE {role}")
        for (table,) in tables:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), raw.transaction():
                raw.execute(f"SELECT FROM policy_rag_service.{table}".encode())


def test_a_database_that_cannot_be_used_is_one_line_that_says_what_to_run(postgres_server, empty_database):
    def said(database, login):
        with pytest.raises(StateError) as raised:
            open_state(index_place(postgres_server.url(database, login)))
        assert "\n" not in str(raised.value)
        return str(raised.value)

    postgres_server.execute("CREATE ROLE unknown LOGIN")
    name = empty_database.url.partition("@/")[2].partition("?")[0]
    assert "run `policy-rag migrate --index URL`" in said("template1", "app")
    assert "`policy-rag migrate --index URL --grant LOGIN`" in said(name, "unknown")
    assert "does not answer" in said("absent", "app")


def test_a_database_whose_dump_left_the_state_out_gets_a_new_one(postgres_server, postgres_url):
    owner = postgres_url.replace("app@", "postgres@")
    with psycopg.connect(owner) as raw:
        raw.execute("DROP SCHEMA policy_rag_service CASCADE")
    with pytest.raises(StateError, match="policy-rag migrate"):
        open_state(index_place(postgres_url))
    migrate_tables(index_place(owner))
    with closing(open_state(index_place(postgres_url))) as state:
        assert ApiKeys(state).all() == ()


def test_a_closed_state_says_so(empty_database):
    state = PostgresState(empty_database)
    state.close()
    with pytest.raises(StateError, match="was closed"), state.reading():
        pass
