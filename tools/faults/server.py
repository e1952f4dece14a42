"""The server that `tools.faults` disturbs: its wall clock and the access to its SQLite file follow a file.

The processes of a server are spawned and run this module first, so the clock is in place before Gonfalon is imported.
"""

from __future__ import annotations

import mmap
import os
import sqlite3
import struct
import sys
import time
from multiprocessing import current_process
from pathlib import Path
from typing import Final

CONTROL: Final = "GONFALON_FAULTS"
"""The environment variable with the path of the file."""
FORM: Final = struct.Struct("d?")
"""The seconds by which the wall clock is ahead, and whether SQLite refuses to write."""


def follow_file(path: Path) -> None:
    """Let clock and database of this process follow a file from now on."""
    with path.open("rb") as file:
        control = mmap.mmap(file.fileno(), FORM.size, access=mmap.ACCESS_READ)
    read_wall = time.time

    def limit_access(connection: object, *_: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.execute(f"PRAGMA query_only={int(FORM.unpack(control[:])[1])}")

    # The processes in which bots think have no database, and start without waiting for its library.
    if current_process().name in ("MainProcess", "gonfalon"):
        from sqlalchemy import event
        from sqlalchemy.pool import Pool

        event.listen(Pool, "checkout", limit_access)
    time.time = lambda: read_wall() + float(FORM.unpack(control[:])[0])


def main() -> None:
    """Serve at a port, from a database, in a number of processes."""
    from gonfalon.web import serve

    port, database, workers = sys.argv[1:]
    serve(port=int(port), database_url=database, workers=int(workers), limits=0)


if CONTROL in os.environ:
    follow_file(Path(os.environ[CONTROL]))
if __name__ == "__main__":
    main()
