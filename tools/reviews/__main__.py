"""Check the accuracy of reviews, and fit their parameters.

Luck is compared with zero, levels by their marks, and marks with a third judge that plays to the end.

    python -m tools.reviews feint --games 400 --workers all --write docs/strength
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonfalon.cli.arguments import Parser, make_number_parser, parse_seconds
from gonfalon.cli.lab.shared import add_study_arguments
from gonfalon.cli.lookups import check_options
from gonfalon.lab.run.progress import ProgressReporter
from tools.command import run_command
from tools.reviews import baselines, reviews
from tools.strength import pages


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    sub = Parser(prog="python -m tools.reviews", description="Check whether the reviews of a game are right.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--games",
        type=make_number_parser(0, 10_000_000, "the number of games"),
        default=200,
        metavar="N",
        help="number of games for luck",
    )
    sub.add_argument(
        "--reviews",
        type=make_number_parser(0, 10_000_000, "the number of reviews"),
        default=10,
        metavar="N",
        help="number of reviewed games between levels",
    )
    sub.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="store results, game by game; an interrupted study continues from it, and so does one with more "
        "games or reviews",
    )
    sub.add_argument(
        "--seconds",
        type=parse_seconds,
        metavar="N",
        help="start no game after this time, and report the results so far",
    )
    sub.add_argument("--fit", type=Path, metavar="FILE", help="fit the baseline of luck, and write it")
    sub.add_argument("--write", type=Path, metavar="FOLDER", help="write the page into a folder")
    add_study_arguments(sub, check_reviews)
    return run_command(sub, arguments)


def check_reviews(args: argparse.Namespace) -> int:
    """Check the reviews of a game, or fit their parameters."""
    options = check_options(args.game, args.option)
    with ProgressReporter(None if args.fit else args.keep, "" if args.fit else "--keep FILE") as watcher:

        def tell(name: str, done: int, count: int) -> None:
            reviews.print_progress(name, done, count)
            watcher.games = done

        asked = (args.reviews, args.seed, args.workers, args.keep, args.seconds, tell)
        if args.fit is not None:
            baselines.learn_baseline(args.game, options, args.games, args.seed, args.workers, args.fit)
            return 0
        found = reviews.check_game(args.game, options, args.games, *asked)
    if args.write is not None:
        pages.write_page(args.write, f"{pages.file_stem(found.game, found.seats)}-review", reviews.format_page(found))
    print(reviews.format_page(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
