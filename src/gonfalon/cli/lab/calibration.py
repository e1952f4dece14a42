"""`gonfalon lab calibration`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import Commands, make_number_parser
from gonfalon.cli.lab.shared import add_study_arguments, print_result
from gonfalon.cli.lookups import check_options


def add_calibration(studies: Commands) -> None:
    """Add the study `calibration`."""
    sub = studies.add_parser(
        "calibration",
        help="measure the calibration of levels",
        description="Compare the win chances that levels report with their results: ten bins, and the calibration "
        "error with its interval.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("levels", nargs="*", metavar="LEVEL", help="the levels (default: all that report chances)")
    sub.add_argument("--games", type=make_number_parser(2, 10_000_000, "the number of games"), default=400, metavar="N")
    sub.add_argument("--against", metavar="LEVEL", help="the level at the other seats (default: the measured level)")
    add_study_arguments(sub, run_calibration)


def run_calibration(args: argparse.Namespace) -> int:
    """Run `gonfalon lab calibration`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies import calibration as lab

    options = check_options(args.game, args.option)
    with ProgressReporter():
        found = lab.measure_levels(
            args.game, args.levels or None, options, args.games, args.seed, args.workers, args.against
        )
    print_result(found, lab.format_page, args.json)
    return 0
