"""`gonfalon lab play`: random games."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import Commands, make_number_parser
from gonfalon.cli.lab.shared import add_study_arguments
from gonfalon.cli.lookups import check_options


def add_play(studies: Commands) -> None:
    """Add the study `play`."""
    sub = studies.add_parser(
        "play",
        help="play random games",
        description="Play random games: their length, their endings and their winners.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--games", type=make_number_parser(1, 1_000_000_000, "the number of games"), default=1000, metavar="N"
    )
    add_study_arguments(sub, run_random_play)


def run_random_play(args: argparse.Namespace) -> int:
    """Run `gonfalon lab play`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.run.random_play import main as play_main

    options = check_options(args.game, args.option)
    with ProgressReporter():
        return play_main(args.game, options, args.games, args.seed, args.workers, args.json)
