"""The parser of the command line, to which all commands add themselves."""

from __future__ import annotations

from gonfalon.cli.arguments import Parser, Version
from gonfalon.cli.commands import authors, cards, database, games, join, lessons, play, records, serve, train
from gonfalon.cli.lab import studies


def parser() -> Parser:
    """Return the parser of all commands. Without a command it starts the server and opens the browser."""
    top = Parser(
        prog="gonfalon",
        description="A table for war card games. Without a command: start the table server and open the browser.",
    )
    top.add_argument("--version", action=Version, nargs=0, help="show the version, and whether it is compiled")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for add in (
        serve.add_serve,
        database.add_database,
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
    top.set_defaults(**{**vars(commands.choices["serve"].parse_args([])), "browse": True})
    return top
