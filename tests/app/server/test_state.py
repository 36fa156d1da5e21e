"""The service's state: shared by threads and processes, whole after errors, for its owner alone."""

import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from policy_rag.errors import StateError
from policy_rag.server.state import DATABASE, ServiceState

COUNTS = "CREATE TABLE IF NOT EXISTS counts (n INTEGER)"


def increase(state):
    with state.changing() as db:
        (n,) = db.execute("SELECT n FROM counts").fetchone()
        db.execute("UPDATE counts SET n = ?", (n + 1,))


def counted(folder):
    state = ServiceState(folder)
    state.add_tables(COUNTS)
    with state.changing() as db:
        db.execute("INSERT INTO counts VALUES (0)")
    return state


def test_threads_and_processes_lose_no_change(tmp_path):
    state = counted(tmp_path)
    code = (
        "import sys; from pathlib import Path; from policy_rag.server.state import ServiceState\n"
        "state = ServiceState(Path(sys.argv[1]))\n"
        "for _ in range(50):\n"
        "    with state.changing() as db:\n"
        "        (n,) = db.execute('SELECT n FROM counts').fetchone()\n"
        "        db.execute('UPDATE counts SET n = ?', (n + 1,))\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    threads = [threading.Thread(target=lambda: [increase(state) for _ in range(25)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert other.wait() == 0
    with state.reading() as db:
        assert db.execute("SELECT n FROM counts").fetchone()["n"] == 4 * 25 + 50


def test_an_error_undoes_all_of_a_change(tmp_path):
    state = counted(tmp_path)

    def change():
        with state.changing() as db:
            db.execute("UPDATE counts SET n = 7")
            db.execute("INSERT INTO absent VALUES (1)")

    with pytest.raises(StateError, match="absent"):
        change()
    increase(state)
    with state.reading() as db:
        assert db.execute("SELECT n FROM counts").fetchone()["n"] == 1


def test_only_the_owner_may_read_it(tmp_path):
    ServiceState(tmp_path / "state")
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / DATABASE).stat().st_mode) == 0o600


def test_a_file_that_is_no_database_is_one_clear_error(tmp_path):
    (tmp_path / DATABASE).write_text("this is no database, but a note that somebody left here\n" * 20)
    with pytest.raises(StateError, match="--state"):
        ServiceState(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="--state"):
        ServiceState(tmp_path / "file")


def test_an_error_of_a_statement_names_the_state(tmp_path):
    state = counted(tmp_path)
    with pytest.raises(StateError, match="no such table") as raised, state.reading() as db:
        db.execute("SELECT 1 FROM absent")
    assert isinstance(raised.value.__cause__, sqlite3.Error)
