"""`gonfalon lab tune`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import Commands, make_number_parser, parse_band
from gonfalon.cli.lab.shared import (
    add_change_arguments,
    add_measuring_arguments,
    add_precision_argument,
    add_study_arguments,
    open_study,
    split_words,
)
from gonfalon.cli.lookups import check_options


def add_tune(studies: Commands) -> None:
    """Add the study `tune`."""
    sub = studies.add_parser(
        "tune",
        help="search for numbers that balance all sides",
        description="Change free numbers step by step until the win rate of every faction or deck is in a band at "
        "several levels. You choose among the best steps, and the whole path is saved.",
    )
    sub.add_argument("game", metavar="GAME")
    add_search_arguments(sub)
    add_change_arguments(sub)
    add_precision_argument(sub, 3, "the intervals")
    sub.add_argument("--out", type=Path, metavar="FILE", help="write the changes as a file for --b")
    add_measuring_arguments(sub, 500_000)
    add_study_arguments(sub, run_tune)


def add_search_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for the goal and the steps of the search."""
    sub.add_argument(
        "--target", type=parse_band, default=(0.45, 0.55), metavar="LOW..HIGH", help="the band in %% (default: 45..55)"
    )
    sub.add_argument(
        "--free",
        action="append",
        default=[],
        metavar="WORD",
        help="numbers that may change: a card, card.number, a side, or a provenance; may be repeated (default: "
        "reconstructed, ours)",
    )
    sub.add_argument(
        "--players",
        default="club,greedy",
        metavar="LEVEL,LEVEL",
        help="the levels of the players (default: club,greedy)",
    )
    sub.add_argument(
        "--take",
        type=make_number_parser(0, 100, "the number of steps"),
        metavar="N",
        help="take the best step automatically, at most N times (default: ask)",
    )


def run_tune(args: argparse.Namespace) -> int:
    """Run `gonfalon lab tune`. Return the exit code."""
    from gonfalon.lab.studies.overrides import make_variant
    from gonfalon.lab.studies.tune.command import main
    from gonfalon.lab.studies.tune.steps import DEFAULT_FREE
    from gonfalon.lab.studies.tune.tune import Tuning

    start = make_variant(args.game, check_options(args.game, args.option), args.sets, args.b)
    with open_study(args) as wants:
        tuning = Tuning(
            game=args.game,
            options=start.options,
            players=tuple(split_words(args.players)),
            free=tuple(args.free) or DEFAULT_FREE,
            low=args.target[0],
            high=args.target[1],
            precision=wants.precision,
            most=wants.most,
            seed=wants.seed,
            turns=100 if args.take is None else args.take,
        )
        return main(tuning, args.take is not None, args.out, wants)
