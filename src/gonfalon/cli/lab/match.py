"""`gonfalon lab match`."""

from __future__ import annotations

import argparse

from gonfalon.cli import messages
from gonfalon.cli.arguments import BOT_NOTATION, Commands, UsageError, make_number_parser, parse_shares
from gonfalon.cli.lab.shared import add_mirrored_argument, add_study_arguments
from gonfalon.cli.lookups import check_options
from gonfalon.core.text.untrusted import print_json


def add_match(studies: Commands) -> None:
    """Add the study `match`."""
    sub = studies.add_parser(
        "match",
        help="play two bots against each other",
        usage="%(prog)s [options] GAME A B",
        description="Play two bots against each other: the same deals from all seats, so that luck cancels out. "
        "GAME is a game, or a named task such as gonfalon/jinkei-small-v1.",
    )
    sub.add_argument("game", metavar="GAME", nargs="?")
    sub.add_argument(
        "a", metavar="A", help=BOT_NOTATION + "; exploiter/LEVEL for an opponent that knows the answers of the level"
    )
    sub.add_argument("b", metavar="B", help="the other bot, in the same form")
    # Commands of version 1.0 name the game this way.
    sub.add_argument("--game", dest="named_game", help=argparse.SUPPRESS)
    sub.add_argument("--pairs", type=make_number_parser(1, 10_000_000, "the number of pairs"), default=100, metavar="N")
    sub.add_argument(
        "--between",
        type=parse_shares,
        metavar="LOW,HIGH",
        help="stop when the score of A is decided between LOW and HIGH, such as 0.5,0.62 (after at least 20 deals)",
    )
    add_mirrored_argument(sub)
    add_study_arguments(sub, run_match)


def run_match(args: argparse.Namespace) -> int:
    """Run `gonfalon lab match`. Return the exit code."""
    from dataclasses import asdict

    from gonfalon.bridges.tasks import TASKS
    from gonfalon.lab.run import match as lab
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies.overrides import map_names

    name = args.game or args.named_game
    if name is None:
        raise UsageError(messages.NAME_MATCH)
    if (task := TASKS.get(name)) is not None and (args.option or "pairings" in task.options):
        raise UsageError(messages.NOT_THIS_TASK.format(task=name, game=task.game))
    name, options = (task.game, {**task.options}) if task else (name, check_options(name, args.option))
    times: dict[str, list[float]] = {}
    with ProgressReporter():
        result = lab.play_match(
            args.a,
            args.b,
            name,
            options,
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            times=times,
            between=args.between,
            mirrored=args.mirrored,
        )
    if args.json:
        print_json(asdict(result), indent=1)
    else:
        lab.print_match(result, times, map_names(name, options))
    return 0
