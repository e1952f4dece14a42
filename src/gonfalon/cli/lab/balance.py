"""`gonfalon lab balance`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import BOT_NOTATION, Commands
from gonfalon.cli.lab.shared import (
    add_change_arguments,
    add_measuring_arguments,
    add_parquet_argument,
    add_precision_argument,
    add_study_arguments,
    open_study,
)
from gonfalon.cli.lookups import check_options


def add_balance(studies: Commands) -> None:
    """Add the study `balance`."""
    sub = studies.add_parser(
        "balance",
        help="measure the balance of all factions or decks",
        description="Play every faction or deck against every other: win rates with 95 % intervals, the advantage of "
        "the first player, and the course of games. Uncertain matchups get more games.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side",
        action="append",
        default=[],
        metavar="SIDE",
        help="a faction, a deck or a deck file; repeat it to compare several (default: all)",
    )
    sub.add_argument(
        "--players", default="club", metavar="BOT", help=f"the bot at all seats (default: club): {BOT_NOTATION}"
    )
    add_change_arguments(sub)
    add_precision_argument(sub, 5, "the interval of each matchup")
    add_measuring_arguments(sub, 100_000)
    add_parquet_argument(sub)
    add_study_arguments(sub, run_balance)


def run_balance(args: argparse.Namespace) -> int:
    """Run `gonfalon lab balance`. Return the exit code."""
    from gonfalon.lab.studies.balance.command import main
    from gonfalon.lab.studies.overrides import make_variant

    changed = make_variant(args.game, check_options(args.game, args.option), args.sets, args.b)
    with open_study(args) as wants:
        return main(args.game, changed.options, args.players, args.side, wants)
