"""Arguments that several studies take, and how their findings are printed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gonfalon.cli.arguments import (
    SEED,
    cluster,
    number,
    option_argument,
    workers,
)
from gonfalon.core.text.untrusted import print_json, print_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from gonfalon.lab.studies.request import StudySettings


def changed_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments that change the studied game."""
    sub.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="CARD.NUMBER=VALUE", help="a change, as in whatif"
    )
    sub.add_argument("--b", type=Path, metavar="FILE", help="changes in a file, as in whatif")


def parquet_argument(sub: argparse.ArgumentParser) -> None:
    """A table of the games."""
    sub.add_argument("--parquet", type=Path, metavar="FILE", help="write the games as a table, a row each")


def balanced_arguments(sub: argparse.ArgumentParser, games: int) -> None:
    """Add the arguments of studies of a game's numbers."""
    sub.add_argument(
        "--games",
        type=number(100, 100_000_000, "the number of games"),
        default=games,
        metavar="N",
        help=f"play about so many at most, 100 or more (default: {games})",
    )
    sub.add_argument("--keep", type=Path, metavar="FOLDER", help="keep games there, and go on with those that are")
    sub.add_argument("--html", type=Path, metavar="FILE", help="write a report, one page that needs nothing else")
    sub.add_argument("--pictures", type=Path, metavar="FOLDER", help="write each chart as SVG and PNG")


def mirrored_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option by which both sides play the same deck."""
    sub.add_argument(
        "--mirrored",
        action="store_true",
        help="where people bring decks: each ready-made one in turn, the same for all",
    )


def study_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every study."""
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    who = sub.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    who.add_argument(
        "--ray",
        type=cluster,
        default=argparse.SUPPRESS,
        dest="workers",
        metavar="ADDRESS",
        help="work on the Ray cluster whose head is there, say 127.0.0.1:6379; the result is the same",
    )
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=run)


Study = TypeVar("Study", bound="DataclassInstance")


def report(found: Study, page: Callable[[Study], str], as_json: bool) -> None:
    """Print the results of a study as a page or as JSON."""
    from dataclasses import asdict

    if as_json:
        print_json(asdict(found), indent=1)
    else:
        print_text(page(found).rstrip("\n"))


def several(text: str) -> list[str]:
    """The words of a list."""
    return [word.strip() for word in text.split(",")]


@contextmanager
def wanted(args: argparse.Namespace) -> Iterator[StudySettings]:
    """Return the request of a study's command line. An interrupted study names the files that it has kept."""
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
