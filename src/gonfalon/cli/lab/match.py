"""`gonfalon lab match`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    number,
    two_shares,
)
from gonfalon.cli.lab.shared import mirrored_argument, study_arguments
from gonfalon.cli.lookups import playable_options
from gonfalon.core.text.untrusted import print_json


def add_match(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "match",
        help="two levels play the same deals from all seats",
        description="Two levels play the same deals from all seats, so that luck and seats cancel out.",
    )
    sub.add_argument(
        "a",
        metavar="A",
        help="a level; LEVEL:N to let it think for N iterations; exploiter/LEVEL for who knows its answers",
    )
    sub.add_argument("b", metavar="B", help="a level, likewise")
    sub.add_argument("--game", required=True, metavar="GAME")
    sub.add_argument("--pairs", type=number(1, 10_000_000, "the number of pairs"), default=100, metavar="N")
    sub.add_argument(
        "--between",
        type=two_shares,
        metavar="LOW,HIGH",
        help="stop when it is known whether A scores LOW or HIGH, say 0.5,0.62 (after 20 deals at least)",
    )
    mirrored_argument(sub)
    study_arguments(sub, run_match)


def run_match(args: argparse.Namespace) -> int:
    """Run `gonfalon lab match`. Return the exit code."""
    from dataclasses import asdict

    from gonfalon.lab.run import match as lab
    from gonfalon.lab.run.progress import ProgressReporter

    times: dict[str, list[float]] = {}
    with ProgressReporter():
        result = lab.play_match(
            args.a,
            args.b,
            args.game,
            playable_options(args.game, args.option),
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
        lab.print_match(result, times)
    return 0
