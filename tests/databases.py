"""Both databases, for tests of the store: a file of SQLite, and a PostgreSQL server of the tests' own."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.missing import missing

NUMBERS = itertools.count()
USER = "postgres"
"""The user of the server if the tests run as root, which PostgreSQL refuses."""


def find_programs() -> Path | None:
    """Return the paths of initdb and postgres, or None."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    folders += [Path(on_path).resolve().parent] if on_path else []
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


class PostgresServer:
    """A PostgreSQL server without a network, in a folder of its own."""

    def __init__(self, programs: Path, folder: Path, *settings: str) -> None:
        self.programs = programs
        self.folder = folder
        self.words = [f"-c{one}" for one in (*settings, "fsync=off", "listen_addresses=", "shared_buffers=16MB")]
        self.log = folder / "log"
        self.user = USER if os.geteuid() == 0 else None
        if self.user is not None:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
        begin = (programs / "initdb", "--auth=trust", f"--username={USER}", "--no-sync", f"--pgdata={folder / 'data'}")
        subprocess.run(begin, check=True, stdout=subprocess.DEVNULL, user=self.user, cwd=folder)
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        command: list[str | Path] = [
            self.programs / "postgres",
            "-D",
            self.folder / "data",
            "-k",
            self.folder,
            *self.words,
        ]
        with self.log.open("a") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, user=self.user, cwd=self.folder)
        ready: list[str | Path] = [self.programs / "pg_isready", "-q", "-h", self.folder]
        while subprocess.run(ready, check=False).returncode != 0:
            assert self.process.poll() is None, self.log.read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the server; SIGQUIT lets it recover at its next start."""
        self.process.send_signal(how)
        self.process.wait(20)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server and yield the folder of its socket."""
    programs = find_programs()
    if programs is None:
        missing("Tests on PostgreSQL need its server: no initdb in /usr/lib/postgresql, and none on PATH.")
    folder = Path(tempfile.mkdtemp(prefix="gonfalon-"))
    server = PostgresServer(programs, folder, "autovacuum=off", "synchronous_commit=off", "full_page_writes=off")
    try:
        yield str(folder)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.extended)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
    else:
        yield from postgres_database(request.getfixturevalue("postgres"))


def postgres_database(folder: str) -> Iterator[str]:
    """Create an empty database of the server with its socket in this folder."""
    name = f"test{next(NUMBERS)}"
    engine = sa.create_engine(f"postgresql+psycopg://{USER}@/postgres?host={folder}", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name} STRATEGY file_copy")
        yield f"postgresql://{USER}@/{name}?host={folder}"
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    engine.dispose()


@contextmanager
def nobody_reaches(url: str) -> Iterator[None]:
    """Make this PostgreSQL database unreachable and close its connections."""
    made = sa.make_url(url).set(drivername="postgresql+psycopg")
    name = made.database
    engine = sa.create_engine(made.set(database="postgres"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            cut = sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
            connection.execute(cut, {"name": name})
            try:
                yield
            finally:
                connection.exec_driver_sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        engine.dispose()
