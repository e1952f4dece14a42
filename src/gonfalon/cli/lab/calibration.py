"""`gonfalon lab calibration`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    number,
)
from gonfalon.cli.lab.shared import report, study_arguments
from gonfalon.cli.lookups import playable_options


def add_calibration(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "calibration",
        help="whether a level's chances come true",
        description="Whether the chances to win that levels tell come true: ten bins, and the error with its interval.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("levels", nargs="*", metavar="LEVEL", help="default: all that tell chances")
    sub.add_argument("--games", type=number(2, 10_000_000, "the number of games"), default=400, metavar="N")
    sub.add_argument("--against", metavar="LEVEL", help="who sits in the other seats (default: the level itself)")
    study_arguments(sub, run_calibration)


def run_calibration(args: argparse.Namespace) -> int:
    """Run `gonfalon lab calibration`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies import calibration as lab

    options = playable_options(args.game, args.option)
    with ProgressReporter():
        found = lab.measure_levels(
            args.game, args.levels or None, options, args.games, args.seed, args.workers, args.against
        )
    report(found, lab.format_page, args.json)
    return 0
