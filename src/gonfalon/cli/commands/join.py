"""`gonfalon join`, `watch` and `mcp`: a table of a server in the terminal, or for an assistant."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import Commands, add_motion_argument, add_plain_argument


def add_join(subparsers: Commands) -> None:
    """Add `join`, `watch` and `mcp` to the commands."""
    sub = subparsers.add_parser(
        "join",
        help="play at a table of a server",
        description="Play at a table of a Gonfalon server, with an invitation or the link of your seat. The same link "
        "returns to the same seat.",
    )
    sub.add_argument("link", metavar="LINK")
    sub.add_argument("--name", default="", help="your name at the table")
    sub.add_argument(
        "--bring", default="", metavar="WHAT", help="your faction, or your deck: a file, a slug or a share code"
    )
    add_plain_argument(sub)
    add_motion_argument(sub)
    sub.set_defaults(run=run_join)
    sub = subparsers.add_parser(
        "watch",
        help="watch a table of a server",
        description="Watch a table of a Gonfalon server with public information only.",
    )
    sub.add_argument("link", metavar="LINK")
    add_plain_argument(sub)
    add_motion_argument(sub)
    sub.set_defaults(run=run_watch)
    sub = subparsers.add_parser(
        "mcp",
        help="let an AI assistant play",
        description="Serve the Model Context Protocol over standard input and output. The tools let an assistant open "
        "or join tables and play in words, as its seat sees the table.",
    )
    sub.add_argument("--server", metavar="URL", help="the table server (default: start one on this machine)")
    sub.set_defaults(run=run_mcp)


def run_join(args: argparse.Namespace) -> int:
    """Run `gonfalon join`. Return the exit code."""
    from gonfalon.terminal.screens import run as screen

    return screen.join_table(args.link, args.name, args.bring, watch=False, motion=not args.no_motion, plain=args.plain)


def run_watch(args: argparse.Namespace) -> int:
    """Run `gonfalon watch`. Return the exit code."""
    from gonfalon.terminal.screens import run as screen

    return screen.join_table(args.link, "", "", watch=True, motion=not args.no_motion, plain=args.plain)


def run_mcp(args: argparse.Namespace) -> int:
    """Run `gonfalon mcp`. Return the exit code."""
    from gonfalon.terminal.assistant.tools import run_server

    return run_server(args.server)
