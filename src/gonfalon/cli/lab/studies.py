"""`gonfalon lab`: the studies with bots."""

from __future__ import annotations

from gonfalon.cli.arguments import Commands, Parser, make_help_command
from gonfalon.cli.lab import balance, calibration, cards, data, ladder, match, random_play, tune, whatif


def add_lab(subparsers: Commands) -> None:
    """Add `lab` with its studies to the commands."""
    lab = subparsers.add_parser(
        "lab",
        help="study games and bots: matches, changes, cards, balance",
        description="Studies for designers of games and bots.",
    )
    lab.set_defaults(run=make_help_command(lab))
    studies = lab.add_subparsers(title="studies", metavar="STUDY", parser_class=Parser)
    for add in (
        match.add_match,
        ladder.add_ladder,
        calibration.add_calibration,
        whatif.add_whatif,
        balance.add_balance,
        cards.add_cards,
        tune.add_tune,
        data.add_data,
        random_play.add_play,
    ):
        add(studies)
