"""`gonfalon lab play`: random games."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    number,
)
from gonfalon.cli.lab.shared import study_arguments
from gonfalon.cli.lookups import playable_options


def add_play(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "play",
        help="random games by the million",
        description="Play random games: how long they are, how they end, who wins.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--games", type=number(1, 1_000_000_000, "the number of games"), default=1000, metavar="N")
    study_arguments(sub, run_random_play)


def run_random_play(args: argparse.Namespace) -> int:
    """Run `gonfalon lab play`. Return the exit code."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.run.random_play import main as play_main

    options = playable_options(args.game, args.option)
    with ProgressReporter():
        return play_main(args.game, options, args.games, args.seed, args.workers, args.json)
