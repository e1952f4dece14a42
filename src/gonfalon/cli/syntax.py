"""All commands and their arguments; those that study and train are in `lab_syntax.py`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gonfalon.cli import commands
from gonfalon.cli.arguments import (
    SEAT,
    SEED,
    Commands,
    Parser,
    Version,
    factor,
    help_of,
    number,
    option_argument,
    seconds,
    workers,
)
from gonfalon.cli.lab_syntax import lab_commands, train_commands

DAYS: Final = {"unplayed": 30, "abandoned": 90}
"""How long tables are kept at which nobody plays (`table.live.retention.Policy`)."""
STUDY: Final = 120
"""Seconds of CPU time for a study in the Workshop (`web.workshop.study_jobs.SECONDS`)."""


def parser() -> Parser:
    """All commands and their arguments."""
    top = Parser(
        prog="gonfalon",
        description="A table for war card games. Without a command: start the table server and open the browser.",
    )
    top.add_argument("--version", action=Version, nargs=0, help="show the version, and whether it is compiled")
    top.set_defaults(
        run=commands.serve,
        host="127.0.0.1",
        port=None,
        database=None,
        workers=1,
        browse=True,
        think=None,
        limits=1.0,
        base_url="",
        trusted_proxy=[],
        metrics=None,
        log="text",
        export=None,
        workshop=STUDY,
        **DAYS,
    )
    subparsers = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)

    for add in (
        serve_command,
        database_commands,
        play_command,
        join_commands,
        record_commands,
        author_commands,
        card_commands,
        lab_commands,
        puzzle_commands,
        train_commands,
    ):
        add(subparsers)
    return top


def serve_command(subparsers: Commands) -> None:
    """The table server."""
    sub = subparsers.add_parser("serve", help="start the table server", description="Start the table server.")
    sub.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine only)")
    sub.add_argument("--port", type=number(0, 65535, "a port"), help="the port (default: 8000, or a free one)")
    sub.add_argument("--database", metavar="URL", help="where tables are kept (default: a SQLite file of yours)")
    sub.add_argument(
        "--workers",
        type=number(1, 256, "the number of workers"),
        default=1,
        metavar="N",
        help="serve in so many processes",
    )
    sub.add_argument("--think", type=seconds, metavar="SECONDS", help="how long bots may think about a move")
    sub.add_argument(
        "--workshop",
        type=number(0, 86_400, "a time in seconds"),
        default=STUDY,
        metavar="SECONDS",
        help=f"how much CPU time a study in the Workshop may take (default: {STUDY}; 0: no Workshop)",
    )
    sub.add_argument(
        "--limits",
        type=factor,
        default=1.0,
        metavar="FACTOR",
        help="how much more than usual a seat and an address may do (default: 1; 0: no limits)",
    )
    for option, what in (
        ("unplayed", "clear away tables at which nobody has ever played"),
        ("abandoned", "end games in which nobody has moved, without a result"),
    ):
        sub.add_argument(
            f"--{option}",
            type=number(0, 36_500, "a number of days"),
            default=DAYS[option],
            metavar="DAYS",
            help=f"{what} for so many days (default: {DAYS[option]}; 0: never)",
        )
    sub.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="write each table into a file here before it is cleared away (default: nothing is written)",
    )
    sub.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="what links begin with (default: what the visitor's browser asked for)",
    )
    sub.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or network of proxies whose word is taken for the visitor's address (default: none)",
    )
    sub.add_argument("--metrics", metavar="[HOST:]PORT", help="where Prometheus may ask for metrics (default: nowhere)")
    sub.add_argument(
        "--log", choices=("text", "json"), default="text", help="text: faults only; json: each request too"
    )
    sub.set_defaults(run=commands.serve, browse=False)


def database_commands(subparsers: Commands) -> None:
    """What whoever runs a server does with its database."""
    database = subparsers.add_parser(
        "database",
        help="schema versions of a database",
        description="The schema version of a database. The server brings it to its own when it starts; before an older "
        "server can use it, stop the server, make a backup, and bring it down.",
    )
    database.set_defaults(run=help_of(database))
    tasks = database.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    for task, run, about in (
        ("upgrade", commands.database_upgrade, "Bring a database to a newer schema version, or to the newest."),
        ("downgrade", commands.database_downgrade, "Bring a database to an older schema version, or one back."),
    ):
        sub = tasks.add_parser(task, help=f"{about[0].lower()}{about[1:-1]}", description=about)
        sub.add_argument("version", nargs="?", type=number(1, 9999, "a schema version"), metavar="VERSION")
        database_argument(sub, run)
        if task == "downgrade":
            sub.add_argument("--yes", action="store_true", help="do not ask whether what is lost may be lost")
    about = "Say which schema version a database has."
    sub = tasks.add_parser("current", help="say which schema version a database has", description=about)
    database_argument(sub, commands.database_current)

    for command, run, what, about in (
        ("backup", commands.backup, "write all tables into a file", "the file to write, which is not there yet"),
        ("restore", commands.restore, "fill an empty database from a backup", "the backup"),
    ):
        sub = subparsers.add_parser(command, help=what, description=BACKUPS[command])
        sub.add_argument("file", type=Path, metavar="FILE", help=about)
        database_argument(sub, run)


BACKUPS: Final = {
    "backup": "Write all tables of a database, as they are at this moment, into a file; the server may play on. "
    "The file holds every secret of the server, and only you may read it.",
    "restore": "Fill an empty database, of either kind, from a backup.",
}


def database_argument(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """What every command about a database takes."""
    sub.add_argument("--database", metavar="URL", help="the database (default: a SQLite file of yours)")
    sub.set_defaults(run=run)


def play_command(subparsers: Commands) -> None:
    """A game in the terminal."""
    sub = subparsers.add_parser(
        "play",
        help="play in this terminal",
        description="Play in this terminal, against bots or with others at the same device.",
        epilog="Seats count from 0. With a bot at every seat nobody is asked anything.",
    )
    sub.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="which game (default: that of the record; without one, on a screen, a menu asks)",
    )
    sub.add_argument(
        "--seat",
        type=SEAT,
        action="append",
        default=[],
        metavar="N",
        help="your seat (default: the first without a bot); several of them for several people at this device",
    )
    sub.add_argument(
        "--bots",
        metavar="LEVEL,LEVEL",
        help="a level for all other seats, for each of them, or for every seat (`person` for somebody at this "
        "device); `none` for people only; default: the middle one of the levels",
    )
    sub.add_argument(
        "--tips",
        action=argparse.BooleanOptionalAction,
        help="tips where you are asked, in every game from now on or in none (default: in your first three games)",
    )
    plain_argument(sub)
    motion_argument(sub)
    sub.add_argument("--seed", type=SEED, metavar="N", help="makes chance and the bots repeatable")
    sub.add_argument("--think", type=seconds, metavar="SECONDS", help="how long bots may think about a move")
    sub.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="keep the game's record in FILE; a file with an unfinished game is gone on with. "
        "The record holds every hidden card",
    )
    option_argument(sub)
    sub.add_argument("--from", dest="start", type=Path, metavar="FILE", help="play on from a record's finished game")
    sub.add_argument(
        "--at",
        type=number(1, 1_000_000, "the decision"),
        default=1,
        metavar="N",
        help="with --from: before which decision of the record, as `gonfalon review` counts them (default: the first)",
    )
    sub.add_argument(
        "--true-cards",
        action="store_true",
        help="with --from: the cards lie as they did; else what your seat could not know is dealt anew",
    )
    sub.set_defaults(run=commands.play)


def join_commands(subparsers: Commands) -> None:
    """A server's table in the terminal."""
    sub = subparsers.add_parser(
        "join",
        help="sit at a server's table in this terminal",
        description="Sit at a table of a Gonfalon server, by the link that you were sent or that of your own seat. The "
        "same link leads back to the same seat.",
    )
    sub.add_argument("link", metavar="LINK")
    sub.add_argument("--name", default="", help="what the others call you")
    sub.add_argument(
        "--bring",
        default="",
        metavar="WHAT",
        help="your faction, or your deck: a file, a slug or a share code",
    )
    plain_argument(sub)
    motion_argument(sub)
    sub.set_defaults(run=commands.join)
    sub = subparsers.add_parser(
        "watch",
        help="watch a server's table in this terminal",
        description="Watch a table of a Gonfalon server: you see what everybody may see.",
    )
    sub.add_argument("link", metavar="LINK")
    plain_argument(sub)
    motion_argument(sub)
    sub.set_defaults(run=commands.watch)


def plain_argument(sub: argparse.ArgumentParser) -> None:
    """Whether there is a screen."""
    sub.add_argument("--plain", action="store_true", help="line by line: no screen, no bold type, nothing cleared")


def motion_argument(sub: argparse.ArgumentParser) -> None:
    """Whether anything moves by itself."""
    sub.add_argument("--no-motion", action="store_true", help="nothing moves by itself: moments wait for Enter")


def record_commands(subparsers: Commands) -> None:
    """What is installed, and records of games."""
    sub = subparsers.add_parser("games", help="list the installed games", description="List the installed games.")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=commands.games)

    sub = subparsers.add_parser(
        "learn",
        help="a guided first game",
        description="A guided first game in this terminal, or an exercise. It starts nothing that has to be kept.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", nargs="?", metavar="NAME", help="the lesson or exercise (default: the first game)")
    sub.add_argument("--plain", action="store_true", help="one column, nothing cleared")
    sub.set_defaults(run=commands.learn)

    sub = subparsers.add_parser(
        "replay",
        help="step through a record",
        description="Step through a record. Without a viewer: all open when the game is over, else as a spectator.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    viewer = sub.add_mutually_exclusive_group()
    viewer.add_argument("--seat", type=SEAT, metavar="N", help="what this seat knew")
    viewer.add_argument("--spectator", action="store_true", help="what everybody knew")
    viewer.add_argument("--all", action="store_true", help="with all cards open")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a step")
    form.add_argument("--plain", action="store_true", help="line by line, without a screen")
    sub.set_defaults(run=commands.replay)

    sub = subparsers.add_parser(
        "review",
        help="where a finished game turned",
        description="Review a finished game: each decision by what its seat could know, what the cards brought, and "
        "the decisions that mattered, in words. The review is kept beside the record, as NAME.review.json.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("--seat", type=SEAT, metavar="N", help="the decisions of this seat (default: of all)")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the review as it is kept")
    form.add_argument("--html", action="store_true", help="one page that needs nothing else")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="the same record and seed give the same review")
    sub.add_argument(
        "--workers",
        type=workers,
        default="all",
        metavar="N",
        help="processes, or `all` (default); the result is the same",
    )
    sub.set_defaults(run=commands.review)

    sub = subparsers.add_parser(
        "verify",
        help="check the shuffles of a finished game",
        description="Check the shuffles of a finished game whose deal was proved: a line for each thing that was "
        "looked at. The exit code is 1 when one of them does not hold.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument(
        "--mine", type=Path, metavar="FILE", help="what your own device has kept, saved from the table's page"
    )
    sub.set_defaults(run=commands.verify)


def author_commands(subparsers: Commands) -> None:
    """What authors of games need."""
    sub = subparsers.add_parser(
        "check",
        help="run the conformance kit on a game",
        description="Run the conformance kit on a game. Exit 1 when a law is broken or there was too little time.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--seconds", type=seconds, metavar="N", help="how long to look, in seconds of CPU time")
    sub.add_argument(
        "--honesty",
        type=number(1, 1_000_000, "the number of decisions"),
        metavar="N",
        help="instead, put N decisions to every level in twin worlds",
    )
    option_argument(sub)
    sub.set_defaults(run=commands.check)

    sub = subparsers.add_parser(
        "new",
        help="lay out a game of your own",
        description="Lay out the package of a new game in a folder of its name: a small one that plays.",
    )
    sub.add_argument("name", metavar="NAME", help="small letters, digits and _")
    sub.set_defaults(run=commands.new)

    sub = subparsers.add_parser("bench", help="measure speed", description="Measure speed, per second of CPU time.")
    sub.add_argument("games", nargs="*", metavar="GAME")
    sub.add_argument("--seconds", type=seconds, default=0.3, metavar="N", help="CPU time of a burst (default 0.3)")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="play in so many processes too, or `all`, and compare"
    )
    sub.add_argument("--vector", action="store_true", help="what programs that learn are handed, beside their peers")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=commands.bench)


def card_commands(subparsers: Commands) -> None:
    """Cards and decks."""
    sub = subparsers.add_parser("card", help="what is printed on a card", description="What is printed on a card.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", metavar="NAME", nargs="+")
    option_argument(sub)
    sub.set_defaults(run=commands.card)

    deck = subparsers.add_parser(
        "deck",
        help="check, show and share decks",
        description="Check, show and share decks, of games in which you bring your own. A deck is a file, the slug of "
        "a ready-made deck, or a share code.",
    )
    deck.set_defaults(run=help_of(deck))
    tasks = deck.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    sub = tasks.add_parser("check", help="all that is wrong with a deck", description="All that is wrong with a deck.")
    sub.add_argument("decks", metavar="DECK", nargs="+")
    deck_arguments(sub, commands.deck_check)
    sub = tasks.add_parser(
        "show",
        help="a deck as a file, with its figures",
        description="A deck in the form of a deck file, with its figures.",
    )
    sub.add_argument("deck", metavar="DECK")
    sub.add_argument("--hold", metavar="CARD", help="how likely this card has been drawn by when")
    sub.add_argument("--json", action="store_true")
    deck_arguments(sub, commands.deck_show)
    about = "A deck's share code: its cards, without its name."
    sub = tasks.add_parser("code", help="a deck's share code", description=about)
    sub.add_argument("deck", metavar="DECK")
    deck_arguments(sub, commands.deck_code)
    sub = tasks.add_parser("list", help="the ready-made decks", description="The ready-made decks.")
    deck_arguments(sub, commands.deck_list)


def deck_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """What every task with decks takes."""
    sub.add_argument("--game", metavar="GAME", help="the game that the deck is of (default: the only one with decks)")
    option_argument(sub)
    sub.set_defaults(run=run)


def puzzle_commands(subparsers: Commands) -> None:
    """Puzzles for hidden information."""
    sub = subparsers.add_parser(
        "puzzles",
        help="solve a puzzle in this terminal",
        description="Solve a puzzle in this terminal: a position in which one answer is the best for what its seat can "
        "know.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "number", nargs="?", type=number(1, 100_000, "a puzzle's number"), metavar="N", help="default: today's"
    )
    sub.add_argument("--plain", action="store_true", help="one column, nothing cleared")
    sub.set_defaults(run=commands.puzzles)
