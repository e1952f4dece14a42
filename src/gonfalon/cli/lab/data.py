"""`gonfalon lab data`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import Commands, make_number_parser
from gonfalon.cli.lab.shared import add_change_arguments, add_study_arguments, split_words
from gonfalon.cli.lookups import check_options


def add_data(studies: Commands) -> None:
    """Add the study `data`."""
    sub = studies.add_parser(
        "data",
        help="write games as a data set",
        description="Play games and write them as a data set: Parquet files with one row for each game and one for "
        "each decision, and a data card. The same command continues an interrupted run.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the folder of the data set")
    sub.add_argument(
        "--players",
        default="club",
        metavar="LEVELS",
        help="the levels, such as club,greedy; all pairings play in all seats (default: club)",
    )
    sub.add_argument(
        "--games", type=make_number_parser(1, 10_000_000, "the number of games"), default=1000, metavar="N"
    )
    sub.add_argument("--views", action="store_true", help="include the observation tensor of each decision")
    sub.add_argument(
        "--part",
        type=make_number_parser(1, 1_000_000, "the size of a part"),
        default=1000,
        metavar="N",
        help="number of games in each file (default: 1000)",
    )
    add_change_arguments(sub)
    add_study_arguments(sub, run_data)


def run_data(args: argparse.Namespace) -> int:
    """Run `gonfalon lab data`. Return the exit code."""
    from gonfalon.lab.data.command import main
    from gonfalon.lab.data.datasets import Plan
    from gonfalon.lab.studies.overrides import make_variant

    made = make_variant(args.game, check_options(args.game, args.option), args.sets, args.b)
    plan = Plan.of(args.game, made.options, split_words(args.players), args.seed, args.views, args.part)
    return main(plan, args.games, args.out, args.workers, args.json)
