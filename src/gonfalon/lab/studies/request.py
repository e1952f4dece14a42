"""Command-line settings shared by the studies of a game's numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.charts import charts
from gonfalon.lab.data import tables
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.progress import ProgressReporter
from gonfalon.lab.run.workers import Workers


class StudySettings(NamedTuple):
    """The settings of a study: precision, limits and output.

    `folder` keeps the games, `page` and `pictures` are the paths of the report and its charts, `parquet` is the path of
    the games as a table, and `watcher` reports the progress.
    """

    precision: float
    most: int
    seed: int
    workers: Workers
    folder: Path | None
    as_json: bool
    page: Path | None
    pictures: Path | None
    watcher: ProgressReporter
    parquet: Path | None = None

    def check(self) -> None:
        """Check before the first game that the requested charts, tables and files can be written.

        Raises:
            OptionError: A library is missing, or a path cannot be written.
        """
        if self.parquet is not None:
            tables.import_polars()
            # An existing file may only be replaced if it is a table of the lab.
            if self.parquet.is_file():
                tables.read_table(self.parquet)  # Fails for files of other programs, which are never replaced.
        if self.page is not None or self.pictures is not None:
            charts.import_libraries()
        if self.page is not None:
            atomic_files.check_file(self.page)
        if self.parquet is not None and self.parquet.is_dir():
            raise OptionError(f"{self.parquet} is a folder. Name a file in it.")
        for folder in (self.folder, self.pictures, self.parquet and self.parquet.parent):
            if folder is not None:
                atomic_files.check_folder(folder)

    def write(self, page: Callable[[], str], pictures: Callable[[Path], None], stopped: bool) -> int:
        """Write the requested files and return the exit code.

        Raises:
            KeyboardInterrupt: The study was interrupted.
        """
        if self.page is not None:
            atomic_files.write_file(self.page, page())
        if self.pictures is not None:
            pictures(self.pictures)
        # The interruption is raised last, so that an interrupted study still writes its report.
        if stopped:
            raise KeyboardInterrupt
        return 0
