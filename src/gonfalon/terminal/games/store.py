"""Records on disk, complete at every moment."""

from __future__ import annotations

import os
from pathlib import Path

from gonfalon.core.files.record import Record


def write_record(record: Record, path: Path) -> None:
    """Write a record to a temporary file and move it into place, so that an interruption keeps the old one."""
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        path.write_text(record.dumps(), encoding="utf-8")
        return
    # In the same folder, because a file can be replaced atomically only within one file system.
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(record.dumps(), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
