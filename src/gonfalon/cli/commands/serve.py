"""`gonfalon serve`, which `gonfalon` alone runs too."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from gonfalon.cli.arguments import (
    Commands,
    factor,
    number,
    seconds,
)

DAYS: Final = {"unplayed": 30, "abandoned": 90}
"""The days for which unused tables are kept (`table.live.retention.Policy`)."""


STUDY: Final = 120
"""Seconds of CPU time for a study in the Workshop (`web.workshop.study_jobs.SECONDS`)."""


def add_serve(subparsers: Commands) -> None:
    """Add `serve` to the commands."""
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
    sub.set_defaults(run=run_serve, browse=False)


def run_serve(args: argparse.Namespace) -> int:
    """`gonfalon` and `gonfalon serve`."""
    from gonfalon.web import serve as web_serve

    web_serve(
        host=args.host,
        port=args.port,
        database_url=args.database,
        open_browser=args.browse,
        workers=args.workers,
        think=args.think,
        limits=args.limits,
        unplayed=args.unplayed,
        abandoned=args.abandoned,
        export=args.export,
        base_url=args.base_url,
        proxies=args.trusted_proxy,
        metrics_at=args.metrics,
        log=args.log,
        study=args.workshop,
    )
    return 0
