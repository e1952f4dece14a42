"""`gonfalon lab balance`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    points,
)
from gonfalon.cli.lab.shared import balanced_arguments, changed_arguments, parquet_argument, study_arguments, wanted
from gonfalon.cli.lookups import playable_options


def add_balance(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "balance",
        help="whether a game is fair: every side against every other",
        description="Every faction or deck against every other, with 95 % intervals; who begins; how games go. "
        "Games are spent on the matchups that are least known.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side",
        action="append",
        default=[],
        metavar="SIDE",
        help="a faction, a deck, the file of a deck; may be repeated, and these alone meet (default: all)",
    )
    sub.add_argument("--players", default="club", metavar="LEVEL", help="who plays (default: club)")
    changed_arguments(sub)
    sub.add_argument(
        "--precision",
        type=points,
        default=0.05,
        metavar="POINTS",
        help="know each matchup to so many points (default: 5)",
    )
    balanced_arguments(sub, 100_000)
    parquet_argument(sub)
    study_arguments(sub, run_balance)


def run_balance(args: argparse.Namespace) -> int:
    """Run `gonfalon lab balance`. Return the exit code."""
    from gonfalon.lab.studies.balance.command import main
    from gonfalon.lab.studies.overrides import make_variant

    changed = make_variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        return main(args.game, changed.options, args.players, args.side, wants)
