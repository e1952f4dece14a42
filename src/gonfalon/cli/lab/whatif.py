"""`gonfalon lab whatif`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import BOT_NOTATION, Commands
from gonfalon.cli.lab.shared import (
    add_measuring_arguments,
    add_parquet_argument,
    add_precision_argument,
    add_study_arguments,
    open_study,
    split_words,
)
from gonfalon.cli.lookups import check_options


def add_whatif(studies: Commands) -> None:
    """Add the study `whatif`."""
    sub = studies.add_parser(
        "whatif",
        help="measure the effect of a change",
        description="Play the same deals in two variants of a game: the effect of a change on winners, length and "
        "endings, with 95 % intervals. The study stops when the intervals are narrow enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--set",
        action="append",
        default=[],
        dest="sets",
        metavar="CARD.NUMBER=VALUE",
        help="a change, such as patriot.strength=5, box.hand=8, or OPTION=VALUE; may be repeated",
    )
    sub.add_argument("--a", type=Path, metavar="FILE", help="the game before the change (default: the standard game)")
    sub.add_argument(
        "--b",
        type=Path,
        metavar="FILE",
        help="the game after the change: a card file, some cards of one, or a deck list",
    )
    sub.add_argument(
        "--players",
        default="club",
        metavar="BOT,BOT",
        help=f"the players, measured one by one (default: club); each is {BOT_NOTATION}",
    )
    add_precision_argument(sub, 2, "the interval")
    add_measuring_arguments(sub, 20_000)
    add_parquet_argument(sub)
    add_study_arguments(sub, run_whatif)


def run_whatif(args: argparse.Namespace) -> int:
    """Run `gonfalon lab whatif`. Return the exit code."""
    from gonfalon.lab.studies.overrides import make_variant
    from gonfalon.lab.studies.whatif.command import main

    options = check_options(args.game, args.option)
    before = make_variant(args.game, options, file=args.a)
    after = make_variant(args.game, options, args.sets, args.b, before)
    with open_study(args) as wants:
        return main(args.game, before, after, split_words(args.players), wants)
