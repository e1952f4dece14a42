"""`gonfalon lab whatif`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import (
    Commands,
    points,
)
from gonfalon.cli.lab.shared import balanced_arguments, parquet_argument, several, study_arguments, wanted
from gonfalon.cli.lookups import playable_options


def add_whatif(studies: Commands) -> None:
    """Add the study."""
    sub = studies.add_parser(
        "whatif",
        help="what a change of a card, a deck or an option does",
        description="Two variants of a game play the same deals: what a change does to who wins, how long games are "
        "and how they end, each with its 95 % interval. It stops when the effect is known closely enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--set",
        action="append",
        default=[],
        dest="sets",
        metavar="CARD.NUMBER=VALUE",
        help="a change, say patriot.strength=5, box.hand=8, or OPTION=VALUE; may be repeated",
    )
    sub.add_argument("--a", type=Path, metavar="FILE", help="what holds before (default: the game as it is)")
    sub.add_argument(
        "--b", type=Path, metavar="FILE", help="what holds after: a card file, single cards of one, or a deck list"
    )
    sub.add_argument(
        "--players", default="club", metavar="LEVEL,LEVEL", help="who plays, each for itself (default: club)"
    )
    sub.add_argument(
        "--precision", type=points, default=0.02, metavar="POINTS", help="stop at so many points (default: 2)"
    )
    balanced_arguments(sub, 20_000)
    parquet_argument(sub)
    study_arguments(sub, run_whatif)


def run_whatif(args: argparse.Namespace) -> int:
    """Run `gonfalon lab whatif`. Return the exit code."""
    from gonfalon.lab.studies.overrides import make_variant
    from gonfalon.lab.studies.whatif.command import main

    options = playable_options(args.game, args.option)
    before = make_variant(args.game, options, file=args.a)
    after = make_variant(args.game, options, args.sets, args.b, before)
    with wanted(args) as wants:
        return main(args.game, before, after, several(args.players), wants)
