"""`gonfalon check`, `new` and `bench`: for authors of games."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli.arguments import (
    Commands,
    number,
    option_argument,
    seconds,
    workers,
)
from gonfalon.cli.lookups import (
    read_options,
)
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.check import Pages, Requests


def add_authors(subparsers: Commands) -> None:
    """Add `check`, `new` and `bench` to the commands."""
    sub = subparsers.add_parser(
        "check",
        help="run the conformance kit on a game",
        description="Run the conformance kit on a game. Exit 1 when a law is broken or there was too little time.",
    )
    sub.add_argument("game", metavar="GAME", nargs="?")
    sub.add_argument("--seconds", type=seconds, metavar="N", help="how long to look, in seconds of CPU time")
    sub.add_argument("--explain", metavar="LAW", help="instead, print the page of a law: meaning, mistake and cure")
    sub.add_argument(
        "--honesty",
        type=number(1, 1_000_000, "the number of decisions"),
        metavar="N",
        help="instead, put N decisions to every level in twin worlds",
    )
    option_argument(sub)
    sub.set_defaults(run=run_check)

    sub = subparsers.add_parser(
        "new",
        help="lay out a game of your own",
        description="Lay out the package of a new game in a folder of its name: a small one that plays.",
    )
    sub.add_argument("name", metavar="NAME", help="small letters, digits and _")
    sub.set_defaults(run=run_new)

    sub = subparsers.add_parser("bench", help="measure speed", description="Measure speed, per second of CPU time.")
    sub.add_argument("games", nargs="*", metavar="GAME")
    sub.add_argument("--seconds", type=seconds, default=0.3, metavar="N", help="CPU time of a burst (default 0.3)")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="play in so many processes too, or `all`, and compare"
    )
    sub.add_argument("--vector", action="store_true", help="what programs that learn are handed, beside their peers")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=run_bench)


def run_check(args: argparse.Namespace) -> int:
    """Run `gonfalon check`. Return the exit code."""
    if args.explain:
        return explain_law(args.explain)
    if args.game is None:
        raise OptionError("Name a game, or a law with --explain.")
    from gonfalon.bridges.senders import available_senders
    from gonfalon.check import main as check_main
    from gonfalon.games import find_game_class

    find_game_class(args.game)
    options = read_options(args.game, args.option)
    if args.honesty:
        from gonfalon.check.laws.secrecy.honesty import compare_in_twin_worlds

        return 0 if compare_in_twin_worlds(args.game, args.honesty, options) else 1
    return check_main(args.game, args.seconds, options, available_senders(), *server_checks())


def explain_law(name: str) -> int:
    """Run `gonfalon check --explain`: print the page of a law. Return the exit code. Raises OptionError."""
    from gonfalon.check import LAWS
    from gonfalon.check.law import build_page

    for law in LAWS:
        if law.anchor == name:
            print_text(build_page(law))
            return 0
    near = get_close_matches(name, [law.anchor for law in LAWS], 1, 0.4)
    raise OptionError(f"There is no law {name!r}." + (f" Did you mean {near[0]}?" if near else ""))


def server_checks() -> tuple[Pages | None, Requests | None]:
    """Return the functions that open pages and send requests for the kit; None for both without the extra `server`."""
    try:
        from gonfalon.table.check_requests import send_actions
        from gonfalon.web.server.check_pages import open_pages
    except ModuleNotFoundError as error:
        if describe_missing(error) is None:
            raise
        return None, None
    return open_pages, send_actions


def run_new(args: argparse.Namespace) -> int:
    """Run `gonfalon new`. Return the exit code."""

    from gonfalon.cli.new import lay_out, report

    lay_out(args.name, Path())
    print_text(report(args.name))
    return 0


def run_bench(args: argparse.Namespace) -> int:
    """Run `gonfalon bench`. Return the exit code."""
    from gonfalon import bench as benches

    run = benches.vector_main if args.vector else benches.main
    return run(args.games, args.seconds, args.workers, args.json)
