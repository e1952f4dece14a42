"""`gonfalon check`, `new` and `bench`: for authors of games."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli import messages
from gonfalon.cli.arguments import Commands, add_option_argument, make_number_parser, parse_seconds, parse_workers
from gonfalon.cli.lookups import read_options
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.check import Law, Pages, Requests


def add_authors(subparsers: Commands) -> None:
    """Add `check`, `new` and `bench` to the commands."""
    sub = subparsers.add_parser(
        "check",
        help="run the conformance kit on a game",
        description="Run the conformance kit on a game. The exit code is 1 if a law is broken or the time was too "
        "short.",
    )
    sub.add_argument("game", metavar="GAME", nargs="?")
    sub.add_argument("--seconds", type=parse_seconds, metavar="N", help="CPU time of the check, in seconds")
    sub.add_argument(
        "--law",
        action="append",
        default=[],
        metavar="LAW",
        help="only check this law, and that games end; may be repeated",
    )
    sub.add_argument("--explain", metavar="LAW", help="only print the page of a law: meaning, mistake and fix")
    sub.add_argument(
        "--honesty",
        type=make_number_parser(1, 1_000_000, "the number of decisions"),
        metavar="N",
        help="only compare N decisions of every level in twin worlds",
    )
    add_option_argument(sub)
    sub.set_defaults(run=run_check)

    sub = subparsers.add_parser(
        "new",
        help="write the package of a new game",
        description="Write the package of a new game into a folder of its name: a small game that can be played.",
    )
    sub.add_argument("name", metavar="NAME", help="lower-case letters, digits and _")
    sub.set_defaults(run=run_new)
    add_bench(subparsers)


def add_bench(subparsers: Commands) -> None:
    """Add `bench` to the commands."""
    sub = subparsers.add_parser("bench", help="measure speed", description="Measure speed, per second of CPU time.")
    sub.add_argument("games", nargs="*", metavar="GAME")
    sub.add_argument(
        "--seconds", type=parse_seconds, default=0.3, metavar="N", help="CPU time of a measurement (default 0.3)"
    )
    sub.add_argument(
        "--workers",
        type=parse_workers,
        default=1,
        metavar="N",
        help="with --vector also measure N processes (`all`: one for each core)",
    )
    sub.add_argument(
        "--vector", action="store_true", help="measure vectors for learning, and compare them with OpenSpiel"
    )
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=run_bench)


def run_check(args: argparse.Namespace) -> int:
    """Run `gonfalon check`. Return the exit code."""
    if args.explain:
        return explain_law(args.explain)
    if args.game is None:
        raise OptionError(messages.NAME_GAME_OR_LAW)
    from gonfalon.bridges.senders import available_senders
    from gonfalon.check import main as check_main
    from gonfalon.games import find_game_class

    find_game_class(args.game)
    options = read_options(args.game, args.option)
    if args.honesty:
        from gonfalon.check.laws.secrecy.honesty import compare_in_twin_worlds

        return 0 if compare_in_twin_worlds(args.game, args.honesty, options) else 1
    laws = choose_laws(args.law)
    return check_main(args.game, args.seconds, options, available_senders(), *find_server_checks(), laws)


def explain_law(name: str) -> int:
    """Run `gonfalon check --explain`: print the page of a law. Return the exit code. Raises OptionError."""
    from gonfalon.check.law import build_page

    print_text(build_page(find_law(name)))
    return 0


def choose_laws(names: list[str]) -> list[Law]:
    """Return the laws of these names and the law on which all others rely; all laws if there are no names.

    Raises:
        OptionError: There is no such law.
    """
    from gonfalon.check import LAWS
    from gonfalon.check.kit import ENDS_LAW

    chosen = [find_law(name) for name in names]
    return [law for law in LAWS if not chosen or law in chosen or law is ENDS_LAW]


def find_law(name: str) -> Law:
    """Return a law by its name in commands. Raises OptionError."""
    from gonfalon.check import LAWS

    for law in LAWS:
        if name in (law.anchor, law.name):
            return law
    near = get_close_matches(name, [law.anchor for law in LAWS], 1, 0.4)
    if near:
        raise OptionError(messages.NO_LAW_NEAR.format(law=repr(name), near=near[0]))
    raise OptionError(messages.NO_LAW.format(law=repr(name)))


def find_server_checks() -> tuple[Pages | None, Requests | None]:
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
    from gonfalon.cli.new import format_next_steps, lay_out

    lay_out(args.name, Path())
    print_text(format_next_steps(args.name))
    return 0


def run_bench(args: argparse.Namespace) -> int:
    """Run `gonfalon bench`. Return the exit code."""
    from gonfalon import bench as benches

    if args.vector:
        return benches.vector_main(args.games, args.seconds, args.workers, args.json)
    return benches.main(args.games, args.seconds, args.json)
