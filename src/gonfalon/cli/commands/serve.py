"""The command `gonfalon serve`, which `gonfalon` without a command runs too."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from gonfalon.cli.arguments import BOT_NOTATION, Commands, make_number_parser, parse_factor, parse_seconds

# Copies of numbers of the server, because importing it would delay every command.
DAYS: Final = {"unplayed": 30, "abandoned": 90}
"""The days for which unused tables are kept (`table.live.retention.Policy`)."""

STUDY: Final = 120
"""The maximum seconds of CPU time for a study in the Workshop (`web.workshop.study_jobs.SECONDS`)."""


def add_serve(subparsers: Commands) -> None:
    """Add `serve` to the commands."""
    sub = subparsers.add_parser("serve", help="start the table server", description="Start the table server.")
    sub.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    sub.add_argument(
        "--port", type=make_number_parser(0, 65535, "a port"), help="the port (default: 8000, or a free one)"
    )
    sub.add_argument(
        "--database", metavar="URL", help="the database of tables (default: a SQLite file in your data folder)"
    )
    sub.add_argument(
        "--workers",
        type=make_number_parser(1, 256, "the number of workers"),
        default=1,
        metavar="N",
        help="number of server processes (default: 1)",
    )
    sub.add_argument(
        "--reload", action="store_true", help="restart when a file of an installed game changes, for its author"
    )
    sub.add_argument(
        "--workshop",
        type=make_number_parser(0, 86_400, "a time in seconds"),
        default=STUDY,
        metavar="SECONDS",
        help=f"maximum CPU time of a study in the Workshop (default: {STUDY}; 0: no Workshop)",
    )
    sub.add_argument(
        "--limits",
        type=parse_factor,
        default=1.0,
        metavar="FACTOR",
        help="a factor for all rate limits (default: 1; 0: no limits)",
    )
    add_content_arguments(sub)
    add_retention_arguments(sub)
    add_network_arguments(sub)
    sub.set_defaults(run=run_serve, browse=False)


def add_content_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for cards, bots and programs."""
    sub.add_argument(
        "--cards",
        action="append",
        default=[],
        metavar="[GAME=]FILE",
        help="offer the cards of this file at all tables; the game may be named in the file; may be repeated",
    )
    sub.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=BOT",
        help=f"a bot of your own in the menu of opponents; may be repeated. A bot is {BOT_NOTATION}",
    )
    sub.add_argument("--think", type=parse_seconds, metavar="SECONDS", help="thinking time of bots for each move")
    sub.add_argument(
        "--bot-accounts", action="store_true", help="let programs play by bot accounts (see `gonfalon bot`)"
    )


def add_retention_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for how long tables are kept."""
    for option, what in (
        ("unplayed", "remove tables without any move after this time"),
        ("abandoned", "end games without a result if there was no move for this time"),
    ):
        sub.add_argument(
            f"--{option}",
            type=make_number_parser(0, 36_500, "a number of days"),
            default=DAYS[option],
            metavar="DAYS",
            help=f"{what} (default: {DAYS[option]} days; 0: never)",
        )
    sub.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="write each table into a file in this folder before it is removed (default: no file)",
    )


def add_network_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for links, proxies, metrics and the log."""
    sub.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="the beginning of links (default: the address in the visitor's browser)",
    )
    sub.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or network of proxies that may report the visitor's address (default: none); may be repeated",
    )
    sub.add_argument(
        "--metrics", metavar="[HOST:]PORT", help="the address of the metrics for Prometheus (default: none)"
    )
    sub.add_argument(
        "--log", choices=("text", "json"), default="text", help="text: errors only; json: also each request"
    )


def run_serve(args: argparse.Namespace) -> int:
    """Run `gonfalon` or `gonfalon serve`. Return the exit code."""
    from gonfalon.web import serve as web_serve

    web_serve(
        host=args.host,
        port=args.port,
        database_url=args.database,
        open_browser=args.browse,
        workers=args.workers,
        think=args.think,
        own_bots=args.bot,
        limits=args.limits,
        unplayed=args.unplayed,
        abandoned=args.abandoned,
        export=args.export,
        base_url=args.base_url,
        proxies=args.trusted_proxy,
        metrics_at=args.metrics,
        log=args.log,
        study=args.workshop,
        bot_accounts=args.bot_accounts,
        cards=args.cards,
        reload=args.reload,
    )
    return 0
