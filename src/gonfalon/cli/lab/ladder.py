"""`gonfalon lab ladder`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    number,
)
from gonfalon.cli.lab.shared import mirrored_argument, report, study_arguments
from gonfalon.cli.lookups import playable_options


def add_ladder(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "ladder",
        help="every level of a game against every other",
        description="Every level of a game against every other: ratings, scores, times; and how much who knows a "
        "level can score against it.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--pairs", type=number(1, 10_000_000, "the number of pairs"), default=50, metavar="N")
    sub.add_argument(
        "--exploit",
        type=number(0, 10_000_000, "the number of pairs"),
        default=10,
        metavar="N",
        help="pairs that the exploiter plays against each level (default 10; 0: none)",
    )
    mirrored_argument(sub)
    sub.add_argument("--near", action="store_true", help="a level meets only the next ones and greedy")
    study_arguments(sub, run_ladder)


def run_ladder(args: argparse.Namespace) -> int:
    """Run `gonfalon lab ladder`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies import ladder as lab

    with ProgressReporter():
        found = lab.play_ladder(
            args.game,
            playable_options(args.game, args.option),
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            exploits=args.exploit,
            mirrored=args.mirrored,
            near=args.near,
        )
    report(found, lab.format_page, args.json)
    return 0
