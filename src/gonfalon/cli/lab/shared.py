"""Arguments of several studies, and the output of their results."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gonfalon.cli.arguments import (
    SEED,
    add_option_argument,
    make_number_parser,
    parse_cluster,
    parse_points,
    parse_workers,
)
from gonfalon.core.text.untrusted import print_json, print_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from gonfalon.lab.studies.request import StudySettings


def add_change_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments that change the studied game."""
    sub.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="CARD.NUMBER=VALUE", help="a change, as in `whatif`"
    )
    sub.add_argument("--b", type=Path, metavar="FILE", help="a file of changes, as in `whatif`")


def add_parquet_argument(sub: argparse.ArgumentParser) -> None:
    """Add the argument for a table of the games."""
    sub.add_argument("--parquet", type=Path, metavar="FILE", help="write the games as a table, one row for each")


def add_precision_argument(sub: argparse.ArgumentParser, points: int, interval: str) -> None:
    """Add the argument for the width of the intervals at which a study stops."""
    sub.add_argument(
        "--precision",
        type=parse_points,
        default=points / 100,
        metavar="POINTS",
        help=f"half width of {interval}, in percentage points (default: {points})",
    )


def add_measuring_arguments(sub: argparse.ArgumentParser, games: int) -> None:
    """Add the arguments of studies that measure the numbers of a game."""
    sub.add_argument(
        "--games",
        type=make_number_parser(100, 100_000_000, "the number of games"),
        default=games,
        metavar="N",
        help=f"approximate maximum number of games, at least 100 (default: {games})",
    )
    sub.add_argument("--keep", type=Path, metavar="FOLDER", help="save games in this folder, and reuse those in it")
    sub.add_argument("--html", type=Path, metavar="FILE", help="write a report as a single HTML page")
    sub.add_argument("--pictures", type=Path, metavar="FOLDER", help="write each chart as SVG and PNG")


def add_mirrored_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option by which both sides play the same deck."""
    sub.add_argument(
        "--mirrored",
        action="store_true",
        help="in games with decks: all players have the same preset deck, each deck in turn",
    )


def add_study_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every study."""
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    who = sub.add_mutually_exclusive_group()
    who.add_argument(
        "--workers",
        type=parse_workers,
        default=1,
        metavar="N",
        help="number of processes, or `all`; the result does not depend on it",
    )
    who.add_argument(
        "--ray",
        type=parse_cluster,
        # A default here would overwrite that of --workers, which has the same destination.
        default=argparse.SUPPRESS,
        dest="workers",
        metavar="ADDRESS",
        help="run on the Ray cluster with this head, such as 127.0.0.1:6379; the result does not depend on it",
    )
    sub.add_argument("--json", action="store_true")
    add_option_argument(sub)
    sub.set_defaults(run=run)


Study = TypeVar("Study", bound="DataclassInstance")


def print_result(found: Study, page: Callable[[Study], str], as_json: bool) -> None:
    """Print the results of a study as a page or as JSON."""
    from dataclasses import asdict

    if as_json:
        print_json(asdict(found), indent=1)
    else:
        print_text(page(found).rstrip("\n"))


def split_words(text: str) -> list[str]:
    """Return the words of a comma-separated list."""
    return [word.strip() for word in text.split(",")]


@contextmanager
def open_study(args: argparse.Namespace) -> Iterator[StudySettings]:
    """Yield the settings of a study from its command line. An interrupted study prints where its files are."""
    from gonfalon.lab.run.progress import ProgressReporter
    from gonfalon.lab.studies.request import StudySettings

    with ProgressReporter(args.keep, "--keep FOLDER") as watcher:
        yield StudySettings(
            precision=args.precision,
            most=args.games,
            seed=args.seed,
            workers=args.workers,
            folder=args.keep,
            as_json=args.json,
            page=args.html,
            pictures=args.pictures,
            watcher=watcher,
            parquet=getattr(args, "parquet", None),
        )
