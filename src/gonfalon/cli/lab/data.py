"""`gonfalon lab data`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import (
    Commands,
    number,
)
from gonfalon.cli.lab.shared import changed_arguments, several, study_arguments
from gonfalon.cli.lookups import playable_options


def add_data(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "data",
        help="games as tables: a row a game, a row a decision",
        description="Play games and write them as a data set: Parquet files with a row a game and with a row a "
        "decision, and a card that tells what they are. Stopped, it goes on with the same command.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the files go")
    sub.add_argument(
        "--players",
        default="club",
        metavar="LEVELS",
        help="who plays; of several, as club,greedy, each sits in each seat against each (default: club)",
    )
    sub.add_argument("--games", type=number(1, 10_000_000, "the number of games"), default=1000, metavar="N")
    sub.add_argument("--views", action="store_true", help="with what the seat could know at each decision, as numbers")
    sub.add_argument(
        "--part",
        type=number(1, 1_000_000, "the size of a part"),
        default=1000,
        metavar="N",
        help="so many games a file",
    )
    changed_arguments(sub)
    study_arguments(sub, run_data)


def run_data(args: argparse.Namespace) -> int:
    """Run `gonfalon lab data`. Return the exit code."""
    from gonfalon.lab.data.command import main
    from gonfalon.lab.data.datasets import Plan
    from gonfalon.lab.studies.overrides import make_variant

    made = make_variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    plan = Plan.of(args.game, made.options, several(args.players), args.seed, args.views, args.part)
    return main(plan, args.games, args.out, args.workers, args.json)
