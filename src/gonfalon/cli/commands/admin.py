"""`gonfalon admin`: manage the tables and players of a server beside its running processes."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from gonfalon.cli import messages
from gonfalon.cli.arguments import SEAT, Commands, Parser, UsageError, make_help_command, make_number_parser
from gonfalon.cli.commands.bot_accounts import open_store
from gonfalon.cli.commands.database import add_database_argument
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.table import Tables

T = TypeVar("T")
# A copy of the states in the store, because importing them would delay every command.
STATES: Final = ("waiting", "running", "over")
KEY: Final = "the first letters of a key, as `gonfalon admin tables` lists them"


def add_admin(subparsers: Commands) -> None:
    """Add `admin` and its tasks to the commands."""
    admin = subparsers.add_parser(
        "admin",
        help="manage the tables and players of a server",
        description="Manage the tables and players of a server while it runs. All its processes follow within seconds. "
        "No task shows hidden cards of a running game.",
    )
    admin.set_defaults(run=make_help_command(admin))
    tasks = admin.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    add_table_tasks(tasks)
    add_player_tasks(tasks)
    add_server_tasks(tasks)


def add_task(
    tasks: Commands, name: str, about: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add a task and return its parser."""
    sub = tasks.add_parser(
        name, help=f"{about[0].lower()}{about.partition('. ')[0].rstrip('.')[1:]}", description=about
    )
    add_database_argument(sub, run)
    return sub


def add_table_tasks(tasks: Commands) -> None:
    """Add the tasks about tables."""
    sub = add_task(tasks, "tables", "List the tables. Times of activity are rounded to hours.", run_tables)
    sub.add_argument("--name", default="", metavar="TEXT", help="tables with a player whose name contains this")
    sub.add_argument("--game", default="", metavar="GAME", help="tables of a game")
    sub.add_argument(
        "--state", choices=STATES, default="", metavar="STATE", help=f"tables that are {', '.join(STATES)}"
    )
    days = make_number_parser(1, 99_999, "a number of days")
    sub.add_argument("--days", type=days, metavar="N", help="tables opened in the last days")
    sub = add_task(tasks, "show", "Show a table: its seats, and the devices that have visited them.", run_show)
    sub.add_argument("key", metavar="KEY", help=KEY)
    sub = add_task(tasks, "close", "End a game without a result. Its players read a sentence about it.", run_close)
    sub.add_argument("key", metavar="KEY", help=KEY)
    sub = add_task(tasks, "export", "Write the record of a finished game into a file.", run_export)
    sub.add_argument("key", metavar="KEY", help=KEY)
    sub.add_argument("file", type=Path, metavar="FILE", help="the file to write, which must not exist")
    sub = add_task(tasks, "rename", "Change the name of a player at a table.", run_rename)
    sub.add_argument("key", metavar="KEY", help=KEY)
    sub.add_argument("seat", type=SEAT, metavar="SEAT", help="the seat, counted from 0")
    sub.add_argument("name", metavar="NAME", help="the new name")


def add_player_tasks(tasks: Commands) -> None:
    """Add the tasks about players."""
    subject = "the hash of a device as `gonfalon admin show` lists it, or an address or network"
    about = "Exclude a device or a network. It cannot open tables, sit down or play, and its links stop acting."
    sub = add_task(tasks, "ban", about, run_ban)
    sub.add_argument("subject", metavar="DEVICE", help=subject)
    sub.add_argument("--note", default="", metavar="TEXT", help="a note for the list of bans")
    sub = add_task(tasks, "unban", "Admit a device or a network again.", run_unban)
    sub.add_argument("subject", metavar="DEVICE", help=subject)
    add_task(tasks, "bans", "List the excluded devices and networks.", run_bans)
    about = "List the reports of players, show one, or settle it. The record is shown after the end of the game."
    sub = add_task(tasks, "reports", about, run_reports)
    sub.add_argument("id", nargs="?", metavar="ID", help="the first letters of a report, to show it")
    sub.add_argument("--settle", action="store_true", help="settle this report")
    sub.add_argument("--all", action="store_true", help="list settled reports too")


def add_server_tasks(tasks: Commands) -> None:
    """Add the tasks about the whole server."""
    about = "Show a line on all pages. Without a text, print the current one."
    sub = add_task(tasks, "notice", about, run_notice)
    sub.add_argument("text", nargs="?", metavar="TEXT", help="the line, of at most 300 characters")
    sub.add_argument("--clear", action="store_true", help="remove the line")
    about = "Begin no new games, so that the server can be stopped. Running games continue."
    sub = add_task(tasks, "maintenance", about, run_maintenance)
    sub.add_argument("state", nargs="?", choices=("on", "off"), metavar="on|off", help="without it, print the state")
    about = "Create the secret link to the operator's page and print it. It is shown only once."
    sub = add_task(tasks, "link", about, run_link)
    sub.add_argument("--new", action="store_true", help="replace the link; the old one is void at once")


def format_time(moment: float) -> str:
    """Return a time in UTC, to the minute."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")


def run_at_tables(args: argparse.Namespace, work: Callable[[Tables, str], Awaitable[T]]) -> T:
    """Return the result of work at the table whose key the arguments name."""
    from gonfalon.table.administration import find_key, run_beside

    with open_store(args) as store:
        return run_beside(store, find_key(store, args.key), work)


def run_tables(args: argparse.Namespace) -> int:
    """Run `gonfalon admin tables`. Return the exit code."""
    from gonfalon.table import administration
    from gonfalon.table.store.admin_rows import MAX_FOUND

    with open_store(args) as store:
        found = administration.list_tables(store, args.game, args.name, args.days, args.state)
        now = administration.read_time(store)
    if not found:
        print_text(messages.NO_TABLES_FOUND)
    if len(found) == MAX_FOUND:
        print_text(messages.MORE_TABLES.format(count=len(found)))
    for row in found:
        line = messages.TABLE_LINE.format(
            key=row.key[: administration.SHOWN_KEY],
            game=row.game,
            stage=administration.describe_stage(row.stage, row.ended),
            names=", ".join(name or messages.FREE for name in row.names),
            active=administration.describe_age(row.active, now),
        )
        print_text(line)
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Run `gonfalon admin show`. Return the exit code."""
    from gonfalon.table import Tables, administration

    with open_store(args) as store:
        shown = administration.show_table(Tables(store), administration.find_key(store, args.key))
    key = shown.key[: administration.SHOWN_KEY]
    opened = format_time(shown.opened)
    print_text(messages.TABLE_HEAD.format(key=key, title=shown.title, stage=shown.stage, opened=opened))
    if shown.result:
        print_text(shown.result)
    for seat in shown.seats:
        devices = ", ".join(one[: administration.SHOWN_HASH] for one in seat.devices)
        line = messages.SEAT_DEVICES if devices else messages.SEAT_LINE
        print_text(line.format(seat=seat.seat, name=seat.name, by=seat.by, devices=devices))
    return 0


def run_close(args: argparse.Namespace) -> int:
    """Run `gonfalon admin close`. Return the exit code."""
    from gonfalon.table.administration import close_table

    run_at_tables(args, close_table)
    print_text(messages.TABLE_CLOSED.format(key=args.key))
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Run `gonfalon admin export`. Return the exit code."""
    from gonfalon.table.administration import read_record

    if args.file.exists():
        raise UsageError(messages.FILE_EXISTS.format(file=args.file))
    text = run_at_tables(args, read_record)
    try:
        with args.file.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise UsageError(messages.CANNOT_WRITE_FILE.format(file=args.file, reason=error.strerror)) from None
    print_text(messages.RECORD_WRITTEN.format(file=args.file))
    return 0


def run_rename(args: argparse.Namespace) -> int:
    """Run `gonfalon admin rename`. Return the exit code."""
    from gonfalon.table import administration

    with open_store(args) as store:
        key = administration.find_key(store, args.key)
        name = administration.rename_seat(store, key, args.seat, args.name)
    print_text(messages.SEAT_RENAMED.format(seat=args.seat, name=name))
    return 0


def run_ban(args: argparse.Namespace) -> int:
    """Run `gonfalon admin ban`. Return the exit code."""
    from gonfalon.table import administration

    with open_store(args) as store:
        found = administration.ban(store, args.subject, args.note)
    print_text(messages.BANNED.format(subject=administration.shorten_subject(found)))
    return 0


def run_unban(args: argparse.Namespace) -> int:
    """Run `gonfalon admin unban`. Return the exit code."""
    from gonfalon.table import administration

    with open_store(args) as store:
        found = administration.unban(store, args.subject)
    print_text(messages.UNBANNED.format(subject=administration.shorten_subject(found)))
    return 0


def run_bans(args: argparse.Namespace) -> int:
    """Run `gonfalon admin bans`. Return the exit code."""
    from gonfalon.table import administration

    with open_store(args) as store:
        found = store.list_bans()
    if not found:
        print_text(messages.NO_BANS)
    for ban in found:
        subject, since = administration.shorten_subject(ban.subject), format_time(ban.created)
        print_text(messages.BAN_LINE.format(subject=subject, since=since, note=ban.note).rstrip())
    return 0


def run_reports(args: argparse.Namespace) -> int:
    """Run `gonfalon admin reports`. Return the exit code."""
    import time

    from gonfalon.table import administration

    wanted: str = args.id or ""
    if args.settle and not wanted:
        raise UsageError(messages.SETTLE_WHICH)
    with open_store(args) as store:
        if args.settle:
            store.settle_report(administration.find_report(store, wanted).id, time.time())
            print_text(messages.REPORT_SETTLED.format(id=wanted))
            return 0
        found = [administration.find_report(store, wanted)] if wanted else store.list_reports(args.all)
        shown = [administration.show_report(store, report) for report in found]
    if not shown:
        print_text(messages.NO_REPORTS)
    for report in shown:
        print_text(
            messages.REPORT_LINE.format(
                id=report.id,
                created=format_time(report.created),
                key=report.key,
                reporter=report.reporter,
                name=report.name,
                seat=report.seat,
                reason=report.reason,
                settled=messages.SETTLED if report.settled else "",
            )
        )
        if wanted:
            line = messages.REPORT_SEALED if report.decisions is None else messages.REPORT_RECORD
            print_text(line.format(decisions=report.decisions, key=report.key))
    return 0


def run_notice(args: argparse.Namespace) -> int:
    """Run `gonfalon admin notice`. Return the exit code."""
    from gonfalon.table import administration

    if args.clear and args.text:
        raise UsageError(messages.NOTICE_OR_CLEAR)
    with open_store(args) as store:
        if args.text is None and not args.clear:
            print_text(store.server_state().notice or messages.NO_NOTICE)
            return 0
        line = administration.set_notice(store, args.text or "")
    print_text(messages.NOTICE_SET.format(text=line) if line else messages.NOTICE_CLEARED)
    return 0


def run_maintenance(args: argparse.Namespace) -> int:
    """Run `gonfalon admin maintenance`. Return the exit code."""
    from gonfalon.table.administration import set_maintenance

    with open_store(args) as store:
        if args.state:
            set_maintenance(store, args.state == "on")
        on = store.server_state().maintenance
    print_text(messages.MAINTENANCE_ON if on else messages.MAINTENANCE_OFF)
    return 0


def run_link(args: argparse.Namespace) -> int:
    """Run `gonfalon admin link`. Return the exit code."""
    from gonfalon.table.administration import make_link

    with open_store(args) as store:
        print_text(messages.OPERATOR_LINK.format(path=f"/admin/{make_link(store, args.new)}/"))
    return 0
