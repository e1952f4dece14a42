"""`gonfalon database`, `backup` and `restore`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.cli.arguments import (
    Commands,
    Parser,
    UsageError,
    help_of,
    number,
)
from gonfalon.core.text.untrusted import print_text

BACKUPS: Final = {
    "backup": "Write all tables of a database, as they are at this moment, into a file; the server may play on. "
    "The file holds every secret of the server, and only you may read it.",
    "restore": "Fill an empty database, of either kind, from a backup.",
}


def add_database(subparsers: Commands) -> None:
    """Add `database`, `backup` and `restore` to the commands."""
    database = subparsers.add_parser(
        "database",
        help="schema versions of a database",
        description="The schema version of a database. The server brings it to its own when it starts; before an older "
        "server can use it, stop the server, make a backup, and bring it down.",
    )
    database.set_defaults(run=help_of(database))
    tasks = database.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    for task, run, about in (
        ("upgrade", run_database_upgrade, "Bring a database to a newer schema version, or to the newest."),
        ("downgrade", run_database_downgrade, "Bring a database to an older schema version, or one back."),
    ):
        sub = tasks.add_parser(task, help=f"{about[0].lower()}{about[1:-1]}", description=about)
        sub.add_argument("version", nargs="?", type=number(1, 9999, "a schema version"), metavar="VERSION")
        database_argument(sub, run)
        if task == "downgrade":
            sub.add_argument("--yes", action="store_true", help="do not ask whether what is lost may be lost")
    about = "Say which schema version a database has."
    sub = tasks.add_parser("current", help="say which schema version a database has", description=about)
    database_argument(sub, run_database_current)

    for command, run, what, about in (
        ("backup", run_backup, "write all tables into a file", "the file to write, which is not there yet"),
        ("restore", run_restore, "fill an empty database from a backup", "the backup"),
    ):
        sub = subparsers.add_parser(command, help=what, description=BACKUPS[command])
        sub.add_argument("file", type=Path, metavar="FILE", help=about)
        database_argument(sub, run)


def database_argument(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every command about a database."""
    sub.add_argument("--database", metavar="URL", help="the database (default: a SQLite file of yours)")
    sub.set_defaults(run=run)


def run_database_current(args: argparse.Namespace) -> int:
    """Run `gonfalon database current`. Return the exit code."""
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import SCHEMA_VERSION, found_version

    found = found_version(args.database or default_database())
    if found is None:
        print_text("There are no tables in this database yet.")
    elif found == SCHEMA_VERSION:
        print_text(f"Schema version {found}, the newest.")
    else:
        print_text(f"Schema version {found}; the newest is {SCHEMA_VERSION}.")
    return 0


def run_database_upgrade(args: argparse.Namespace) -> int:
    """Run `gonfalon database upgrade`. Return the exit code."""
    return _migrate(args, up=True)


def run_database_downgrade(args: argparse.Namespace) -> int:
    """Run `gonfalon database downgrade`. It names the losses and asks, unless `--yes` is given. Return the
    exit code."""
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import way_of
    from gonfalon.terminal.drawing.console import Console

    way = way_of(args.database or default_database(), args.version, up=False)
    if args.yes or way.found == way.wanted:
        return _migrate(args, up=False)
    console = Console()
    if not console.terminal:
        raise UsageError(
            f"This would bring the database down from schema version {way.found} to {way.wanted}, and nobody is at a "
            "terminal to agree to what is lost: give --yes."
        )
    console.say(
        f"From schema version {way.found} down to {way.wanted}. Only a backup brings back what is lost by that:"
    )
    for line in way.told():
        console.say(" ".join(line.split()))
    if (console.ask("Bring it down? (yes, or Enter for no) ") or "").lower() not in ("yes", "y"):
        console.say("Nothing was changed.")
        return 1
    args.version = way.wanted  # what was agreed to, whatever else happens meanwhile
    return _migrate(args, up=False, tell=False)


def _migrate(args: argparse.Namespace, up: bool, tell: bool = True) -> int:
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import found_version, migrate

    url = args.database or default_database()
    said = migrate(url, args.version, up)
    print_text(f"Schema version {found_version(url)}.")
    for line in said if tell else []:
        print_text(" ".join(line.split()))
    return 0


def run_backup(args: argparse.Namespace) -> int:
    """Run `gonfalon backup`. Return the exit code."""
    from gonfalon.table.store import backup as backups
    from gonfalon.table.store.engines import default_database

    print_text(f"{args.file} holds {backups.backup(args.database or default_database(), args.file)}.")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Run `gonfalon restore`. Return the exit code."""
    from gonfalon.table.store import backup as backups
    from gonfalon.table.store.engines import default_database

    print_text(f"The database holds {backups.restore(args.database or default_database(), args.file)}.")
    return 0
