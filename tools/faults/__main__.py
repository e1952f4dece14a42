"""Play mixed tables while the server suffers faults, and count what the players lose.

    python -m tools.faults [--database sqlite|postgresql|both] [--kills 200] [--stops 50] [--steps 20] [--others 3]
                           [--minutes N] [--before COMMIT]

serves from several processes like `gonfalon serve --workers N`, at ports and databases of its own. The run begins with
the server of release 1.0.0, or of the commit of `--before`, and this version takes its place while people play. Then it
kills processes, stops and continues them, sets the wall clock of the server, fills the disk, refuses writes, holds the
locks of the database, stops PostgreSQL, restarts the server, and starts it with the schema before. Of ten kills one
hits all processes, and every second stop. A full disk needs root, which may mount a small one.

Pages reconnect as the script of their version does, and players repeat posts until they are answered. The command
counts moves that were acknowledged and are not in the record (lost) or are in it twice (doubled), tables at which
nobody can move after all faults (stopped), flags that fell although every player moved in time, clocks that ran while
the server stood (clocks), and requests that see an older version than the one that was acknowledged (stale), unless the
database is away. A silence is the time from a post to its answer or to the new board on all pages, or between two
boards while a bot moves. Time without a database, or with all processes stopped, does not count. The exit code is 1
unless all counts are zero and no silence exceeds 10 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import signal
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from gonfalon.lab.run import machine
from gonfalon.lab.run.match import find_percentile
from tools.faults.databases import Control, Database, Disk, Postgres, Sqlite
from tools.faults.suite import Found, Settings, Suite

LONGEST_SILENCE_SECONDS: Final = 10.0
RELEASED: Final = "64d9c857"
"""The commit of the newest release, 1.0.0."""


def run_suite(kind: str, settings: Settings) -> Found:
    """Run all faults on a database of this kind."""
    with tempfile.TemporaryDirectory(prefix="gonfalon-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        control, disk, log = Control(folder / "control"), Disk(folder / "disk"), folder / "log"
        try:
            database: Database = Postgres(disk, control) if kind == "postgresql" else Sqlite(disk, control)
            try:
                suite = Suite(settings, database, disk, control, log)
                try:
                    asyncio.run(suite.run())
                except BaseException:
                    print(format_found(kind, suite.found), flush=True)
                    raise
                return suite.found
            finally:
                database.close()
        finally:
            disk.close()
            if log.exists():
                print(log.read_text("utf-8", "replace")[-4000:])


def format_found(kind: str, found: Found) -> str:
    """Return the counts as Markdown."""
    observed = found.observed
    seconds = [silence.seconds for silence in observed.silences] or [0.0]
    half, most = (find_percentile(seconds, share) for share in (0.5, 0.99))
    lines = [
        f"## {'PostgreSQL' if kind == 'postgresql' else 'SQLite'}",
        "",
        f"{observed.acknowledged:,} acknowledged moves: {found.lost} lost, {found.doubled} doubled, "
        f"{observed.stale.total()} stale reads, {found.stopped} stopped tables, {found.flags} wrong flags, "
        f"{found.clocks} wrong clocks. "
        f"{observed.unanswered:,} requests without an answer, {observed.refused.total()} refused moves. "
        f"Silence: p50 {half:.2f} s, p99 {most:.1f} s, longest {max(seconds):.1f} s.",
        "",
        "| fault | times | longest silence | stale reads |",
        "|---|---|---|---|",
    ]
    for fault, times in sorted({"none": 1, **found.faults, "end": 1}.items()):
        silences = [silence for silence in observed.silences if silence.fault == fault]
        if silences:
            lines.append(f"| {fault} | {times} | {max(silences)} | {observed.stale[fault]} |")
    return "\n".join(lines) + "\n"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of the command."""
    parser = argparse.ArgumentParser(prog="tools.faults", description="Faults while people play.")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--kills", type=int, default=200, metavar="N")
    parser.add_argument("--stops", type=int, default=50, metavar="N")
    parser.add_argument("--steps", type=int, default=20, metavar="N", help="steps of the wall clock")
    parser.add_argument("--others", type=int, default=3, metavar="N", help="each of the other faults")
    parser.add_argument("--stop-seconds", type=float, default=12.0, metavar="SECONDS")
    parser.add_argument("--outage-seconds", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("--minutes", type=float, default=math.inf, metavar="N", help="begin no fault after this time")
    parser.add_argument("--tables", type=int, default=8, metavar="N")
    parser.add_argument("--pause", type=float, default=0.5, metavar="SECONDS", help="mean pause before a move")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--port", type=int, default=8975)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--before", default=RELEASED, metavar="COMMIT", help="the version to upgrade from; '' for none")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    args = parse_arguments(arguments)
    # Without bytecode files each process would compile all modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # An hour's counts are printed and the server is stopped, however the command ends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    values = vars(args).copy()
    chosen = values.pop("database")
    kinds = ("sqlite", "postgresql") if chosen == "both" else (chosen,)
    print(f"# Faults at work\n\n{date.today()}; {machine.describe_machine()}, {machine.describe_build()}.\n")
    fails = False
    for kind in kinds:
        found = run_suite(kind, Settings(**values))
        print(format_found(kind, found), flush=True)
        fails |= found.fails or any(silence.seconds > LONGEST_SILENCE_SECONDS for silence in found.observed.silences)
    return int(fails)


if __name__ == "__main__":
    raise SystemExit(main())
