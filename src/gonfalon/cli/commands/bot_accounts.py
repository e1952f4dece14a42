"""`gonfalon bot`: the accounts of programs at a server, and a bot that plays at one."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from gonfalon.cli import messages
from gonfalon.cli.arguments import Commands, Parser, UsageError, make_help_command, make_number_parser
from gonfalon.cli.commands.database import add_database_argument
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.table import Store

# Copies of numbers and words of the accounts, because importing them would delay every command.
CLOCKS: Final = ("any", "none", "only")
MAX_TABLES: Final = 64
TOKEN: Final = "GONFALON_BOT_TOKEN"
"""The environment variable of the token, which other users of the machine cannot read, unlike a command line."""


def add_bot(subparsers: Commands) -> None:
    """Add `bot` and its tasks to the commands."""
    bot = subparsers.add_parser(
        "bot",
        help="let programs play at a server",
        description="Manage the bot accounts of a server, or play with a bot by such an account. A server admits them "
        "with `gonfalon serve --bot-accounts`.",
    )
    bot.set_defaults(run=make_help_command(bot))
    tasks = bot.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    add_create(tasks)
    for task, run, about in (
        ("list", run_list, "List the bot accounts of a database."),
        ("token", run_token, "Give a bot account a new token. The old one is void at once."),
        ("remove", run_remove, "Delete a bot account. Its running games continue without it."),
    ):
        sub = tasks.add_parser(task, help=f"{about[0].lower()}{about.partition('.')[0][1:]}", description=about)
        if task != "list":
            sub.add_argument("name", metavar="NAME", help="the name of the account")
        add_database_argument(sub, run)
    add_run(tasks)


def add_create(tasks: Commands) -> None:
    """Add `bot create` to the tasks."""
    about = "Create a bot account and print its token. The token is shown only once."
    sub = tasks.add_parser("create", help="create a bot account", description=about)
    sub.add_argument("name", metavar="NAME", help="the name at tables, where “(program)” follows it")
    sub.add_argument("--about", default="", metavar="TEXT", help="a line for people who choose an opponent")
    sub.add_argument("--games", default="", metavar="GAMES", help="the games, separated by commas (default: all)")
    sub.add_argument("--seats", default="", metavar="COUNTS", help="the numbers of seats, such as 2,3 (default: all)")
    sub.add_argument(
        "--clocks", choices=CLOCKS, default="any", help="tables with any clock, with none, or only with one"
    )
    sub.add_argument("--cards", action="store_true", help="accept games with changed cards")
    sub.add_argument(
        "--tables",
        type=make_number_parser(1, MAX_TABLES, "the number of tables"),
        default=4,
        metavar="N",
        help="the number of tables at once (default: 4)",
    )
    sub.add_argument("--ask", action="store_true", help="let the program answer each challenge that fits")
    add_database_argument(sub, run_create)


def add_run(tasks: Commands) -> None:
    """Add `bot run` to the tasks."""
    about = "Play with a bot at a server until interrupted. The bot thinks in processes of its own."
    sub = tasks.add_parser("run", help="play with a bot at a server", description=about)
    sub.add_argument("bot", metavar="BOT", help="a level, or another notation of a bot such as module:Class")
    sub.add_argument("--server", required=True, metavar="URL", help="the address of the server")
    sub.add_argument("--token", default="", help=f"the token of the account (default: the variable {TOKEN})")
    sub.add_argument(
        "--workers",
        type=make_number_parser(1, 64, "the number of workers"),
        default=1,
        metavar="N",
        help="the number of moves to think about at once (default: 1)",
    )
    sub.set_defaults(run=run_bot)


@contextmanager
def open_store(args: argparse.Namespace) -> Iterator[Store]:
    """Open the database of the arguments within the block. Raises StoreError if a server has not created it yet."""
    # Imported here, so that other commands start without the packages of the database.
    from gonfalon.table import Store
    from gonfalon.table import messages as table_messages
    from gonfalon.table.errors import StoreError
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import SCHEMA_VERSION, read_version_at

    url = args.database or default_database()
    found = read_version_at(url)
    if found is None:
        raise StoreError(table_messages.NO_TABLES_YET)
    # Only a server or `gonfalon database upgrade` changes the schema: an older server may be using it.
    if found != SCHEMA_VERSION:
        raise StoreError(table_messages.COMMAND_AT_OTHER_SCHEMA.format(found=found, known=SCHEMA_VERSION))
    # The command says what failed, so the log of the store would say it twice.
    logging.getLogger("gonfalon").addHandler(logging.NullHandler())
    store = Store(url)
    try:
        yield store
    finally:
        store.close()


def run_create(args: argparse.Namespace) -> int:
    """Run `gonfalon bot create`. Return the exit code."""
    from gonfalon.games import find_game_class
    from gonfalon.table.accounts import AcceptRules
    from gonfalon.table.live.programs import create_account

    games = split_words(args.games)
    for game in games:
        find_game_class(game)  # raises OptionError for an unknown one
    counts = split_words(args.seats)
    if not all(count.isdecimal() and 0 < int(count) < 100 for count in counts):
        raise UsageError(messages.SEAT_COUNTS.format(text=repr(args.seats[:40])))
    seats = tuple(sorted({int(count) for count in counts}))
    rules = AcceptRules(games, seats, args.clocks, args.cards, args.tables, args.ask)
    with open_store(args) as store:
        account, token = create_account(store, args.name, args.about, rules)
    print_text(messages.ACCOUNT_CREATED.format(name=account.name, token=token))
    return 0


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def run_list(args: argparse.Namespace) -> int:
    """Run `gonfalon bot list`. Return the exit code."""
    from gonfalon.table.accounts import describe_rules

    with open_store(args) as store:
        accounts = store.list_accounts()
    if not accounts:
        print_text(messages.NO_ACCOUNTS)
    for account in accounts:
        rules = describe_rules(account.rules)
        about = f" {account.about}" if account.about else ""
        print_text(messages.ACCOUNT_LINE.format(name=account.name, rules=rules, about=about))
    return 0


def run_token(args: argparse.Namespace) -> int:
    """Run `gonfalon bot token`. Return the exit code."""
    from gonfalon.table.live.programs import renew_token

    with open_store(args) as store:
        print_text(messages.ACCOUNT_TOKEN.format(name=args.name, token=renew_token(store, args.name)))
    return 0


def run_remove(args: argparse.Namespace) -> int:
    """Run `gonfalon bot remove`. Return the exit code."""
    from gonfalon.table.live.programs import remove_account

    with open_store(args) as store:
        remove_account(store, args.name)
    print_text(messages.ACCOUNT_REMOVED.format(name=args.name))
    return 0


def print_line(line: str) -> None:
    """Print a line at once, also into a file or pipe."""
    print_text(line)
    sys.stdout.flush()


def run_bot(args: argparse.Namespace) -> int:
    """Run `gonfalon bot run`. Return the exit code."""
    from gonfalon.terminal.games.bot_client import BotClient
    from gonfalon.terminal.games.server import Server

    token = args.token or os.environ.get(TOKEN, "")
    if not token:
        raise UsageError(messages.NO_BOT_TOKEN.format(variable=TOKEN))
    # A stop in order ends the worker processes.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    BotClient(Server(args.server, token=token), args.bot, print_line, args.workers).run()
    return 0
