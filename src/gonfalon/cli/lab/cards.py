"""`gonfalon lab cards`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    points,
)
from gonfalon.cli.lab.shared import balanced_arguments, changed_arguments, several, study_arguments, wanted
from gonfalon.cli.lookups import playable_options


def add_cards(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "cards",
        help="what each card is worth in its deck",
        description="Plain cards stand in for each card of a deck: the share of victories that is lost is what the "
        "card is worth, with its 95 % interval. It stops when every card is known closely enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side", action="append", default=[], metavar="SIDE", help="a faction or deck (default: all); may be repeated"
    )
    sub.add_argument("--players", default="club", metavar="LEVEL,LEVEL", help="who plays, each for itself")
    changed_arguments(sub)
    sub.add_argument(
        "--precision", type=points, default=0.02, metavar="POINTS", help="know a copy to so many points (default: 2)"
    )
    balanced_arguments(sub, 100_000)
    study_arguments(sub, run_cards)


def run_cards(args: argparse.Namespace) -> int:
    """Run `gonfalon lab cards`. Return the exit code."""
    from gonfalon.lab.studies.cards.command import main
    from gonfalon.lab.studies.overrides import make_variant

    changed = make_variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        return main(args.game, changed.options, several(args.players), args.side, wants)
