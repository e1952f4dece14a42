"""`gonfalon database`, `backup` and `restore`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.cli import messages
from gonfalon.cli.arguments import Commands, Parser, UsageError, make_help_command, make_number_parser
from gonfalon.core.text.untrusted import print_text

BACKUPS: Final = {
    "backup": "Write a snapshot of a database into a file; the server may continue to run. The file contains all "
    "secrets of the server, and only your user can read it.",
    "restore": "Fill an empty database (SQLite or PostgreSQL) from a backup.",
}


def add_database(subparsers: Commands) -> None:
    """Add `database`, `backup` and `restore` to the commands."""
    database = subparsers.add_parser(
        "database",
        help="show or change the schema version of a database",
        description="Show or change the schema version of a database. A server upgrades its database when it starts. "
        "Before you install an older server, stop the server, make a backup and downgrade the database.",
    )
    database.set_defaults(run=make_help_command(database))
    tasks = database.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    for task, run, about in (
        ("upgrade", run_database_upgrade, "Upgrade a database to a schema version (default: the newest)."),
        ("downgrade", run_database_downgrade, "Downgrade a database to a schema version (default: the previous one)."),
    ):
        sub = tasks.add_parser(task, help=f"{about[0].lower()}{about[1:-1]}", description=about)
        sub.add_argument("version", nargs="?", type=make_number_parser(1, 9999, "a schema version"), metavar="VERSION")
        add_database_argument(sub, run)
        if task == "downgrade":
            sub.add_argument("--yes", action="store_true", help="do not ask for confirmation of lost data")
    about = "Show the schema version of a database."
    sub = tasks.add_parser("current", help="show the schema version of a database", description=about)
    add_database_argument(sub, run_database_current)

    for command, run, what, about in (
        ("backup", run_backup, "write a database into a file", "the file to write, which must not exist"),
        ("restore", run_restore, "fill an empty database from a backup", "the backup"),
    ):
        sub = subparsers.add_parser(command, help=what, description=BACKUPS[command])
        sub.add_argument("file", type=Path, metavar="FILE", help=about)
        add_database_argument(sub, run)


def add_database_argument(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every command about a database."""
    sub.add_argument(
        "--database",
        metavar="URL",
        help="the database (default: the variable GONFALON_DATABASE, or a SQLite file in your data folder)",
    )
    sub.set_defaults(run=run)


def run_database_current(args: argparse.Namespace) -> int:
    """Run `gonfalon database current`. Return the exit code."""
    # Imported here, so that other commands start without the packages of the database.
    from gonfalon.table.store.migrations import SCHEMA_VERSION, read_version_at

    found = read_version_at(args.database)
    if found is None:
        print_text(messages.NO_TABLES)
    elif found == SCHEMA_VERSION:
        print_text(messages.VERSION_NEWEST.format(version=found))
    else:
        print_text(messages.VERSION_OLDER.format(version=found, newest=SCHEMA_VERSION))
    return 0


def run_database_upgrade(args: argparse.Namespace) -> int:
    """Run `gonfalon database upgrade`. Return the exit code."""
    return _migrate_schema(args, up=True)


def run_database_downgrade(args: argparse.Namespace) -> int:
    """Run `gonfalon database downgrade`, which lists the losses and asks unless `--yes` is given. Return the exit
    code."""
    from gonfalon.table.store.migrations import way_of
    from gonfalon.terminal.drawing.console import Console

    way = way_of(args.database, args.version, up=False)
    # Without a change of the version no data can be lost.
    if args.yes or way.found == way.wanted:
        return _migrate_schema(args, up=False)
    console = Console()
    # A script cannot answer the question, so it must pass --yes.
    if not console.terminal:
        raise UsageError(messages.NEEDS_YES.format(version=way.found, wanted=way.wanted))
    console.say(messages.LOSES_DATA.format(version=way.found, wanted=way.wanted))
    for line in way.told():
        console.say(" ".join(line.split()))
    if (console.ask(messages.ASK_DOWNGRADE) or "").lower() not in ("yes", "y"):
        console.say(messages.UNCHANGED)
        return 1
    args.version = way.wanted  # the confirmed version, even if another process migrates meanwhile
    return _migrate_schema(args, up=False, tell=False)


def _migrate_schema(args: argparse.Namespace, up: bool, tell: bool = True) -> int:
    """Migrate a database, and print its version and, if `tell`, the changes. Return the exit code."""
    from gonfalon.table.store.migrations import migrate, read_version_at

    said = migrate(args.database, args.version, up)
    print_text(messages.VERSION_NOW.format(version=read_version_at(args.database)))
    for line in said if tell else []:
        print_text(" ".join(line.split()))
    return 0


def run_backup(args: argparse.Namespace) -> int:
    """Run `gonfalon backup`. Return the exit code."""
    from gonfalon.table.store import backup as backups

    content = backups.backup(args.database, args.file)
    print_text(messages.BACKUP_WRITTEN.format(file=args.file, content=content))
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Run `gonfalon restore`. Return the exit code."""
    from gonfalon.table.store import backup as backups

    content = backups.restore(args.database, args.file)
    print_text(messages.BACKUP_RESTORED.format(content=content))
    return 0
