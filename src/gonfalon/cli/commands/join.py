"""`gonfalon join` and `watch`: a table of a server in the terminal."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    motion_argument,
    plain_argument,
)


def add_join(subparsers: Commands) -> None:
    """Add `join` and `watch` to the commands."""
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
    sub.set_defaults(run=run_join)
    sub = subparsers.add_parser(
        "watch",
        help="watch a server's table in this terminal",
        description="Watch a table of a Gonfalon server: you see what everybody may see.",
    )
    sub.add_argument("link", metavar="LINK")
    plain_argument(sub)
    motion_argument(sub)
    sub.set_defaults(run=run_watch)


def run_join(args: argparse.Namespace) -> int:
    """Run `gonfalon join`. Return the exit code."""
    from gonfalon.terminal.screens import run as screen

    return screen.join_table(args.link, args.name, args.bring, watch=False, motion=not args.no_motion, plain=args.plain)


def run_watch(args: argparse.Namespace) -> int:
    """Run `gonfalon watch`. Return the exit code."""
    from gonfalon.terminal.screens import run as screen

    return screen.join_table(args.link, "", "", watch=True, motion=not args.no_motion, plain=args.plain)
