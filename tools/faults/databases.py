"""The databases of `tools.faults`, which can be full, read-only, busy and away."""

from __future__ import annotations

import mmap
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

import sqlalchemy as sa

from tests.databases import USER, PostgresServer, find_programs
from tools.faults.server import FORM

DISK_MEGABYTES: Final = 192
BLOCK_BYTES: Final = 1 << 16


class Control:
    """The file that the processes of a server follow (`tools.faults.server`)."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(FORM.size))
        self.path = path
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), FORM.size)

    @property
    def ahead(self) -> float:
        """The seconds by which the wall clock of the server is ahead."""
        return float(FORM.unpack(self._map[:])[0])

    def set(self, ahead: float, read_only: bool = False) -> None:
        """Set the wall clock, and the access to SQLite."""
        self._map[:] = FORM.pack(ahead, read_only)


class Disk:
    """A folder, which root gets as a small disk of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o755)
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(folder)]
        self.small = subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode == 0

    @contextmanager
    def filled(self) -> Iterator[None]:
        """Fill the disk."""
        file = self.folder / "filling"
        try:
            with suppress(OSError), file.open("wb", buffering=0) as output:
                while output.write(bytes(BLOCK_BYTES)):
                    pass
            yield
        finally:
            file.unlink()

    def close(self) -> None:
        """Remove the folder."""
        if self.small:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


class Database(Protocol):
    """A database under test."""

    url: str
    can_leave: bool
    """Whether it can be away."""

    def busy(self) -> AbstractContextManager[None]: ...

    def read_only(self) -> AbstractContextManager[None]: ...

    def away(self) -> AbstractContextManager[None]: ...

    def recover(self) -> None: ...

    def close(self) -> None: ...


class Sqlite:
    """A SQLite file. It cannot be away."""

    can_leave: bool = False

    def __init__(self, disk: Disk, control: Control) -> None:
        self.file = disk.folder / "tables.db"
        self.url = f"sqlite:///{self.file}"
        self.control = control

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Let all writers wait."""
        with closing(sqlite3.connect(self.file, isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Refuse all writers."""
        self.control.set(self.control.ahead, read_only=True)
        yield
        self.control.set(self.control.ahead)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Do nothing."""
        yield

    def recover(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Postgres:
    """A PostgreSQL server, whose commits wait for the log as on a club's server."""

    can_leave: bool = True

    def __init__(self, disk: Disk, control: Control) -> None:
        programs = find_programs()
        if programs is None:
            raise SystemExit("No PostgreSQL server is installed.")
        self.server = PostgresServer(programs, disk.folder, "max_wal_size=32MB", "min_wal_size=32MB")
        self.url = f"postgresql://{USER}@/postgres?host={disk.folder}"
        driver = sa.make_url(self.url).set(drivername="postgresql+psycopg")
        self.engine = sa.create_engine(driver, isolation_level="AUTOCOMMIT", pool_pre_ping=True)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Let all writers of records wait."""
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("LOCK TABLE entries IN EXCLUSIVE MODE")
            yield
            connection.exec_driver_sql("ROLLBACK")

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Refuse all writers."""
        self._set_default("on")
        yield
        self._set_default("off")

    def _set_default(self, value: str) -> None:
        with self.engine.connect() as connection:
            connection.exec_driver_sql("SET default_transaction_read_only = off")
            connection.exec_driver_sql(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
            connection.exec_driver_sql("SELECT pg_reload_conf()")

    @contextmanager
    def away(self) -> Iterator[None]:
        """Stop the server at once; it recovers from its log."""
        self.server.stop(signal.SIGQUIT)
        yield
        self.server.start()

    def recover(self) -> None:
        """Start the server again if it has given up, as it does where its log has no room."""
        if self.server.process.poll() is not None:
            self.server.start()

    def close(self) -> None:
        """Stop the server."""
        self.engine.dispose()
        self.server.stop()
