"""The parser of the command line. Each module of commands adds its own."""

from __future__ import annotations

from gonfalon.cli.arguments import Parser, Version
from gonfalon.cli.commands import (
    admin,
    authors,
    bot_accounts,
    cards,
    database,
    games,
    join,
    lessons,
    play,
    records,
    serve,
    train,
)
from gonfalon.cli.lab import studies


def build_parser() -> Parser:
    """Return the parser of all commands. Without a command the server starts and a browser opens."""
    top = Parser(
        prog="gonfalon",
        description="A table for war card games. Without a command it starts the table server and opens a browser.",
    )
    top.add_argument("--version", action=Version, nargs=0, help="show the version and the build")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for add in (
        serve.add_serve,
        database.add_database,
        admin.add_admin,
        bot_accounts.add_bot,
        play.add_play,
        join.add_join,
        games.add_games,
        lessons.add_learn,
        records.add_records,
        authors.add_authors,
        cards.add_cards,
        studies.add_lab,
        lessons.add_puzzles,
        train.add_train,
    ):
        add(commands)
    # Without a command the defaults of `serve` apply, and a browser opens.
    top.set_defaults(**{**vars(commands.choices["serve"].parse_args([])), "browse": True})
    return top
