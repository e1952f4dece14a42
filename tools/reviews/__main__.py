"""A check on reviews: what they call luck against nothing, levels by what they are said to lose, intervals and marks
against a second referee, who plays to the end. It also fits the numbers that reviews are told by.

    python -m tools.reviews feint --games 400 --workers all --write docs/strength
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonfalon.cli.arguments import Parser, number, seconds
from gonfalon.cli.lab.shared import study_arguments
from gonfalon.cli.lookups import playable_options
from gonfalon.lab.run.progress import Watcher
from tools.command import run
from tools.reviews import baselines, losses, reviews
from tools.strength import pages


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    sub = Parser(prog="python -m tools.reviews", description="Check whether the reviews of a game are right.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--games",
        type=number(3, 10_000_000, "the number of games"),
        default=200,
        metavar="N",
        help="whose luck is told",
    )
    sub.add_argument(
        "--decisions",
        type=number(1, 10_000_000, "the number of decisions"),
        default=100,
        metavar="N",
        help="of each level that are judged",
    )
    sub.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="keep what is found there, game by game; a study that was broken off goes on from it, and one with more "
        "games or decisions too",
    )
    sub.add_argument(
        "--seconds", type=seconds, metavar="N", help="begin no game after that time, and tell what has been found"
    )
    sub.add_argument("--fit", type=Path, metavar="FILE", help="fit the baseline of luck, and keep it there")
    sub.add_argument(
        "--trust", type=Path, metavar="FILE", help="write down which goals were met: the rest of a review is not told"
    )
    sub.add_argument(
        "--fit-losses",
        type=Path,
        metavar="FILE",
        help="fit how much of a loss comes true, to decisions of ordinary players, and keep it there",
    )
    sub.add_argument("--write", type=Path, metavar="FOLDER", help="write table, figures and picture into a folder")
    study_arguments(sub, check)
    return run(sub, arguments)


def check(args: argparse.Namespace) -> int:
    """Check the reviews of a game, or fit what they are told by."""
    options = playable_options(args.game, args.option)
    with Watcher(None if args.fit else args.keep, "" if args.fit else "--keep FILE") as watcher:

        def tell(name: str, done: int, count: int) -> None:
            reviews.tell(name, done, count)
            watcher.games = done

        asked = (args.decisions, args.seed, args.workers, args.keep, args.seconds, tell)
        if args.fit is not None:
            baselines.learn(args.game, options, args.games, args.seed, args.workers, args.fit)
            return 0
        if args.fit_losses is not None:
            losses.learn(args.game, options, *asked, args.fit_losses)
            return 0
        found = reviews.measure(args.game, options, args.games, *asked)
    if args.trust is not None:
        reviews.keep_trust(found, args.trust)
    if args.write is not None:
        name = f"{pages.stem(found.game, found.seats)}-review"
        pages.write(args.write, name, reviews.page(found, f"{name}.svg"), reviews.picture(found))
    print(reviews.page(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
