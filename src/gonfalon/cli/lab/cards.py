"""`gonfalon lab cards`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import Commands
from gonfalon.cli.lab.shared import (
    add_change_arguments,
    add_measuring_arguments,
    add_precision_argument,
    add_study_arguments,
    open_study,
    split_words,
)
from gonfalon.cli.lookups import check_options


def add_cards(studies: Commands) -> None:
    """Add the study `cards`."""
    sub = studies.add_parser(
        "cards",
        help="measure the worth of each card in its deck",
        description="Replace each card of a deck by plain cards and measure the loss of win rate with its 95 % "
        "interval. The study stops when every interval is narrow enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side", action="append", default=[], metavar="SIDE", help="a faction or deck (default: all); may be repeated"
    )
    sub.add_argument("--players", default="club", metavar="LEVEL,LEVEL", help="the levels, measured one by one")
    add_change_arguments(sub)
    add_precision_argument(sub, 2, "the interval of a copy")
    add_measuring_arguments(sub, 100_000)
    add_study_arguments(sub, run_cards)


def run_cards(args: argparse.Namespace) -> int:
    """Run `gonfalon lab cards`. Return the exit code."""
    from gonfalon.lab.studies.cards.command import main
    from gonfalon.lab.studies.overrides import make_variant

    changed = make_variant(args.game, check_options(args.game, args.option), args.sets, args.b)
    with open_study(args) as wants:
        return main(args.game, changed.options, split_words(args.players), args.side, wants)
