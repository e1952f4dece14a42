"""Puzzles found in finished games, dealt anew, proved anew and checked.

python -m tools.puzzles find feint --games 100 --seed 2 --write found.jsonl
python -m tools.puzzles check feint --sample 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonfalon import games
from gonfalon.cli.arguments import SEED, Commands, Parser, number, option_argument, workers
from gonfalon.cli.lookups import playable_options, record_of
from gonfalon.core.basics.options import Options
from gonfalon.core.files.record import Record
from gonfalon.puzzles.course import format_points
from gonfalon.puzzles.files import Puzzle, PuzzleError, read_puzzles
from tools.command import run
from tools.puzzles.mining import deal_anew, mine, of_record
from tools.puzzles.proofs import line_of, write
from tools.puzzles.proving import check
from tools.puzzles.renewing import renew


def find_in(records: list[Record], seed: int, path: Path | None, jewels: bool) -> int:
    """Look through finished games. Raises PuzzleError for one that is not over."""
    for record in records:
        if record.result is None:
            raise PuzzleError("This game is not over: puzzles are cut from finished ones.")
    for record in records:
        told(of_record(record, seed, jewels), path, True)
    return 0


def find_for(name: str, options: Options, count: int, seed: int, workers: int, path: Path | None, jewels: bool) -> int:
    """Let levels play so many games, and look through them. Raises OptionError, PuzzleError."""
    found, spent = 0, 0.0
    for mined in mine(name, options, count, seed, workers, path, jewels):
        told(mined.puzzles, path, False)
        found, spent = found + len(mined.puzzles), spent + mined.spent
        print(f"game {mined.number + 1} of {count}: {found} puzzles, {spent:.0f} s of CPU time", file=sys.stderr)
    return 0


def told(puzzles: list[Puzzle], path: Path | None, keep: bool) -> None:
    """Print puzzles, or a line on each where they go into a file."""
    for puzzle in puzzles:
        if path is None:
            print(line_of(puzzle))
        else:
            jewel = ", a jewel" if puzzle.jewel else ""
            print(f"{puzzle.kind}{jewel}: {puzzle.best}, ahead by {format_points(puzzle.lead, puzzle.error)}")
    if path is not None and keep:
        write(path, puzzles)


def deal_in(path: Path, wanted: int) -> int:
    """Deal puzzles of a file anew until it has so many jewels; 1 where it cannot. Raises PuzzleError, RecordError."""
    for jewel in deal_anew(path, wanted):
        told([jewel], path, False)
    count = sum(puzzle.jewel for puzzle in read_puzzles(path))
    print(f"{count} jewels are in {path.name}.")
    return 0 if count >= wanted else 1


def renew_in(path: Path, numbers: list[int], times: int, seed: int, workers: int) -> int:
    """Prove puzzles of a file anew, and strike those that fall. Raises PuzzleError, RecordError."""
    struck = 0
    for at, found in renew(path, numbers, times, seed, workers):
        struck += found is None
        words = "FALLS" if found is None else f"stands; ahead by {format_points(found.lead, found.error)}"
        print(f"puzzle {at}: {words}", flush=True)
    print(f"{struck} struck, {len(read_puzzles(path))} are in {path.name}")
    return 0


def check_again(name: str, count: int, seed: int, workers: int, jewels: bool) -> int:
    """Try some puzzles again; 1 when more than one in twenty does not stand. Raises Unknown."""
    every = stands = 0
    spent = 0.0
    for one in check(name, count, seed, workers, jewels):
        every, stands, spent = every + 1, stands + one.stands, spent + one.spent
        told_ = "stands" if one.stands else "FALLS"
        lead, end = format_points(one.lead, one.error), format_points(one.end_lead, one.end_error)
        open_leads = ", to the end by ".join(f"{100 * each:.0f}" for each in one.opened or ())
        opened = f"; open by {open_leads}" if open_leads else ""
        print(f"puzzle {one.number}: {told_}; ahead by {lead}, to the end by {end}{opened}", flush=True)
    print(f"{stands} of {every} stand; seed {seed}, {spent:.0f} s of CPU time")
    return 0 if 20 * stands >= 19 * every else 1


# ---- the command --------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = Parser(prog="python -m tools.puzzles", description="Find puzzles in finished games, and prove them.")
    tasks = parser.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser, required=True)
    for add in (add_find, add_deal, add_prove, add_check):
        add(tasks)
    return run(parser, arguments)


def add_find(tasks: Commands) -> None:
    """Find new ones."""
    sub = tasks.add_parser(
        "find",
        help="cut puzzles from finished games",
        description="Cut puzzles from records of finished games, or of a GAME that levels play for it. An answer is "
        "kept that is far ahead in fresh worlds of its view and also when it is played to the end.",
    )
    sub.add_argument("what", nargs="+", metavar="GAME|FILE")
    sub.add_argument("--games", type=number(1, 10_000_000, "the number of games"), default=20, metavar="N")
    sub.add_argument(
        "--write", type=Path, metavar="FILE", help="add them to this file; what it has of the same seed is gone on with"
    )
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="the same seed finds the same puzzles")
    sub.add_argument("--workers", type=workers, default=1, metavar="N", help="processes, or `all`")
    sub.add_argument(
        "--jewels",
        action="store_true",
        help="only those whose answer with open cards is another; cards may be dealt anew",
    )
    option_argument(sub)
    sub.set_defaults(run=run_find)


def add_deal(tasks: Commands) -> None:
    """Lay them out with other cards."""
    sub = tasks.add_parser(
        "deal",
        help="make jewels of puzzles by other cards",
        description="Lay puzzles of a file out with other cards, as likely as any that their seat has to reckon with, "
        "with which the open answer is another one. Each takes its place in the file at once. The exit code is 1 when "
        "not enough of them can be had.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument(
        "--jewels", type=number(1, 100_000, "the number of jewels"), default=10, metavar="N", help="as many in all (10)"
    )
    sub.set_defaults(run=run_deal)


def add_prove(tasks: Commands) -> None:
    """Prove them anew."""
    sub = tasks.add_parser(
        "prove",
        help="prove puzzles of a file anew",
        description="Prove puzzles of a file anew against every other answer, and strike those that do not stand; the "
        "last ones of the file take their numbers.",
    )
    one = number(1, 100_000, "a puzzle's number")
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("numbers", nargs="*", type=one, metavar="N", help="default: all of them")
    sub.add_argument(
        "--times",
        type=number(1, 100, "how often the worlds are taken"),
        default=2,
        metavar="N",
        help="in so many times the worlds that a new puzzle is proved in (2)",
    )
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="in which worlds")
    sub.add_argument("--workers", type=workers, default=1, metavar="N", help="processes, or `all`")
    sub.set_defaults(run=run_prove)


def add_check(tasks: Commands) -> None:
    """Try them again."""
    sub = tasks.add_parser(
        "check",
        help="try puzzles again, ten times as hard",
        description="Try puzzles of a game again, in ten times as many worlds and by the second referee. The exit code "
        "is 1 when more than one in twenty does not stand.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--sample", type=number(1, 100_000, "the number of puzzles"), default=20, metavar="N")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="which ones, and in which worlds")
    sub.add_argument("--workers", type=workers, default=1, metavar="N", help="processes, or `all`")
    sub.add_argument("--jewels", action="store_true", help="only jewels, and with all cards open as well")
    sub.set_defaults(run=run_check)


def run_find(args: argparse.Namespace) -> int:
    """Find puzzles in records, or in games that levels play."""
    if len(args.what) == 1 and args.what[0] in games.names():
        options = playable_options(args.what[0], args.option)
        return find_for(args.what[0], options, args.games, args.seed, args.workers, args.write, args.jewels)
    return find_in([record_of(Path(file)) for file in args.what], args.seed, args.write, args.jewels)


def run_deal(args: argparse.Namespace) -> int:
    """Deal puzzles anew until there are enough jewels."""
    return deal_in(args.file, args.jewels)


def run_prove(args: argparse.Namespace) -> int:
    """Prove puzzles anew."""
    return renew_in(args.file, args.numbers, args.times, args.seed, args.workers)


def run_check(args: argparse.Namespace) -> int:
    """Try puzzles of a game again."""
    games.kind(args.game)
    return check_again(args.game, args.sample, args.seed, args.workers, args.jewels)


if __name__ == "__main__":
    sys.exit(main())
