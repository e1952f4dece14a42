"""The pages of docs/strength: levels against each other, and the calibration of their win chances.

python -m tools.strength ladder feint --pairs 100 --near --workers all --write docs/strength
python -m tools.strength calibration feint --workers all --write docs/strength
python -m tools.strength.tables feint --write docs/strength
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonfalon.cli.arguments import Parser
from gonfalon.cli.lab.calibration import add_calibration
from gonfalon.cli.lab.ladder import add_ladder
from gonfalon.cli.lookups import check_options
from gonfalon.lab.run.progress import ProgressReporter
from gonfalon.lab.studies import calibration, ladder
from tools.command import run_command
from tools.strength import pages, plots


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = Parser(prog="python -m tools.strength", description="Measure how strong the levels of a game are.")
    studies = parser.add_subparsers(title="studies", metavar="STUDY", parser_class=Parser, required=True)
    add_ladder(studies)
    add_calibration(studies)
    for name, work in (("ladder", write_ladder), ("calibration", write_calibration)):
        study = studies.choices[name]
        study.add_argument("--write", type=Path, required=True, metavar="FOLDER", help="folder of the page")
        study.set_defaults(run=work)
    return run_command(parser, arguments)


def write_ladder(args: argparse.Namespace) -> int:
    """Play levels against each other, and write the page."""
    with ProgressReporter():
        found = ladder.play_ladder(
            args.game,
            check_options(args.game, args.option),
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            exploits=args.exploit,
            mirrored=args.mirrored,
            near=args.near,
        )
    name = pages.file_stem(found.game, found.seats)
    pages.write_page(args.write, name, ladder.format_page(found, f"{name}.svg"), plots.plot_ladder(found))
    return 0


def write_calibration(args: argparse.Namespace) -> int:
    """Measure the calibration of levels, and write the page."""
    options = check_options(args.game, args.option)
    with ProgressReporter():
        found = calibration.measure_levels(
            args.game, args.levels or None, options, args.games, args.seed, args.workers, args.against
        )
    name = f"{pages.file_stem(found.game, found.seats)}-calibration"
    pages.write_page(args.write, name, calibration.format_page(found, f"{name}.svg"), plots.plot_calibration(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
