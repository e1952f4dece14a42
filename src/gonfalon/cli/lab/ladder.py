"""`gonfalon lab ladder`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import BOT_NOTATION, Commands, make_number_parser
from gonfalon.cli.lab.shared import add_mirrored_argument, add_study_arguments, print_result, split_words
from gonfalon.cli.lookups import check_options


def add_ladder(studies: Commands) -> None:
    """Add the study `ladder`."""
    sub = studies.add_parser(
        "ladder",
        help="play all levels of a game against each other",
        description="Play all levels of a game against each other: ratings, scores, times, and the score of an "
        "exploiter against each level.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--pairs", type=make_number_parser(1, 10_000_000, "the number of pairs"), default=50, metavar="N")
    sub.add_argument(
        "--exploit",
        type=make_number_parser(0, 10_000_000, "the number of pairs"),
        default=10,
        metavar="N",
        help="pairs of games of the exploiter against each level (default: 10; 0: none)",
    )
    add_mirrored_argument(sub)
    sub.add_argument(
        "--players",
        metavar="BOT,BOT,...",
        help=f"the bots, the weakest first (default: all levels of the game); each is {BOT_NOTATION}",
    )
    sub.add_argument("--near", action="store_true", help="a level plays only against the adjacent levels and greedy")
    add_study_arguments(sub, run_ladder)


def run_ladder(args: argparse.Namespace) -> int:
    """Run `gonfalon lab ladder`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies import ladder as lab

    with ProgressReporter():
        found = lab.play_ladder(
            args.game,
            check_options(args.game, args.option),
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            levels=None if args.players is None else split_words(args.players),
            exploits=args.exploit,
            mirrored=args.mirrored,
            near=args.near,
        )
    print_result(found, lab.format_page, args.json)
    return 0
