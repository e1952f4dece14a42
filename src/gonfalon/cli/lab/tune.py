"""`gonfalon lab tune`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import (
    Commands,
    band,
    number,
    points,
)
from gonfalon.cli.lab.shared import balanced_arguments, changed_arguments, several, study_arguments, wanted
from gonfalon.cli.lookups import playable_options


def add_tune(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "tune",
        help="what numbers should be, so that all sides are equal",
        description="Single steps of the numbers that are free, each measured, that bring every faction or deck into a "
        "band at several levels. You choose among the best; the whole path is kept.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--target", type=band, default=(0.45, 0.55), metavar="LOW..HIGH", help="the band in %% (default: 45..55)"
    )
    sub.add_argument(
        "--free",
        action="append",
        default=[],
        metavar="WORD",
        help="what may change: a card, card.number, a side, or where numbers come from; may be repeated (default: "
        "reconstructed, ours)",
    )
    sub.add_argument("--players", default="club,greedy", metavar="LEVEL,LEVEL", help="who plays (default: club,greedy)")
    sub.add_argument(
        "--take",
        type=number(0, 100, "the number of steps"),
        metavar="N",
        help="take the best step by itself, at most so often (default: ask at the terminal)",
    )
    changed_arguments(sub)
    sub.add_argument(
        "--precision", type=points, default=0.03, metavar="POINTS", help="know shares to so many points (default: 3)"
    )
    sub.add_argument("--out", type=Path, metavar="FILE", help="write what was changed as a file for --b")
    balanced_arguments(sub, 500_000)
    study_arguments(sub, run_tune)


def run_tune(args: argparse.Namespace) -> int:
    """Run `gonfalon lab tune`. Return the exit code."""
    from gonfalon.lab.studies.overrides import make_variant
    from gonfalon.lab.studies.tune.command import main
    from gonfalon.lab.studies.tune.steps import DEFAULT_FREE
    from gonfalon.lab.studies.tune.tune import Tuning

    start = make_variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        tuning = Tuning(
            game=args.game,
            options=start.options,
            players=tuple(several(args.players)),
            free=tuple(args.free) or DEFAULT_FREE,
            low=args.target[0],
            high=args.target[1],
            precision=wants.precision,
            most=wants.most,
            seed=wants.seed,
            turns=100 if args.take is None else args.take,
        )
        return main(tuning, args.take is not None, args.out, wants)
