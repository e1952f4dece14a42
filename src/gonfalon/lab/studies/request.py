"""What a study of a game's numbers is asked for on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.charts import charts
from gonfalon.lab.data import tables
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.progress import Watcher
from gonfalon.lab.run.workers import Workers


class Wanted(NamedTuple):
    """How closely, from at most how many games, and what is to be written. `folder` keeps the games, `page` and
    `pictures` say where a report and its charts go, `parquet` where the games go as a table; `watcher` says how far
    it is."""

    precision: float
    most: int
    seed: int
    workers: Workers
    folder: Path | None
    as_json: bool
    page: Path | None
    pictures: Path | None
    watcher: Watcher
    parquet: Path | None = None

    def check(self) -> None:
        """Before anything is played: whether charts can be drawn and tables written, if they are wanted, and where.
        Raises OptionError."""
        if self.parquet is not None:
            tables.needed()
            if self.parquet.is_file():
                tables.read(self.parquet)  # what somebody else has written is not replaced
        if self.page is not None or self.pictures is not None:
            charts.needed()
        if self.page is not None:
            atomic_files.check_file(self.page)
        if self.parquet is not None and self.parquet.is_dir():
            raise OptionError(f"{self.parquet} is a folder; name a file in it.")
        for folder in (self.folder, self.pictures, self.parquet and self.parquet.parent):
            if folder is not None:
                atomic_files.check_folder(folder)

    def write(self, page: Callable[[], str], pictures: Callable[[Path], None], stopped: bool) -> int:
        """Write what is wanted, and return the exit code. Raises KeyboardInterrupt if the study was stopped."""
        if self.page is not None:
            atomic_files.write(self.page, page())
        if self.pictures is not None:
            pictures(self.pictures)
        if stopped:
            raise KeyboardInterrupt
        return 0
