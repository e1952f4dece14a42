"""Find puzzles in finished games, redeal, prove and check them.

python -m tools.puzzles find feint --games 100 --seed 2 --write found.jsonl
python -m tools.puzzles check feint --sample 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gonfalon import games
from gonfalon.bots.players.choice import Z
from gonfalon.cli.arguments import SEED, Commands, Parser, add_option_argument, make_number_parser, parse_workers
from gonfalon.cli.lookups import check_options, load_record
from gonfalon.core.basics.options import Options
from gonfalon.core.files.record import Record
from gonfalon.puzzles.files import Puzzle, PuzzleError, read_puzzles
from tools.command import run_command
from tools.puzzles.mining import find_in_record, mine_games, redeal_puzzles
from tools.puzzles.proofs import append_puzzles, format_line
from tools.puzzles.proving import check_puzzles
from tools.puzzles.renewing import explain_file, renew_file


def format_points(value: float, error: float) -> str:
    """Return a difference of two chances in percentage points, with its 95 % interval."""
    return f"{100 * value:.0f} percentage points (± {max(1, round(100 * Z * error))})"


def find_in(records: list[Record], seed: int, path: Path | None, jewels: bool) -> int:
    """Search finished games.

    Raises:
        PuzzleError: A game is not over.
    """
    for record in records:
        if record.result is None:
            raise PuzzleError("This game is not over. Puzzles come from finished games.")
    for record in records:
        print_puzzles(find_in_record(record, seed, jewels), path, True)
    return 0


def find_for(name: str, options: Options, count: int, seed: int, workers: int, path: Path | None, jewels: bool) -> int:
    """Search games that levels play for this purpose.

    Raises:
        OptionError: An option is unknown.
        PuzzleError: The file is damaged.
    """
    found, spent = 0, 0.0
    for mined in mine_games(name, options, count, seed, workers, path, jewels):
        print_puzzles(mined.puzzles, path, False)
        found, spent = found + len(mined.puzzles), spent + mined.spent
        print(f"game {mined.number + 1} of {count}: {found} puzzles, {spent:.0f} s of CPU time", file=sys.stderr)
    return 0


def print_puzzles(puzzles: list[Puzzle], path: Path | None, keep: bool) -> None:
    """Print puzzles, or a line for each if they are written into a file."""
    for puzzle in puzzles:
        if path is None:
            print(format_line(puzzle))
        else:
            jewel = ", a jewel" if puzzle.jewel else ""
            print(f"{puzzle.kind}{jewel}: {puzzle.best}, ahead by {format_points(puzzle.lead, puzzle.error)}")
    if path is not None and keep:
        append_puzzles(path, puzzles)


def deal_in(path: Path, wanted: int) -> int:
    """Redeal puzzles of a file until it has enough jewels, and return 1 if that is not possible.

    Raises:
        PuzzleError: The file is damaged or missing.
        RecordError: A position cannot be restored.
    """
    for jewel in redeal_puzzles(path, wanted):
        print_puzzles([jewel], path, False)
    count = sum(puzzle.jewel for puzzle in read_puzzles(path))
    print(f"{path.name} has {count} jewels.")
    return 0 if count >= wanted else 1


def renew_in(path: Path, numbers: list[int], times: int, seed: int, workers: int, ends: bool) -> int:
    """Prove puzzles of a file again, and remove those that fail.

    Raises:
        PuzzleError: The file is damaged, or a number is unknown.
        RecordError: A position cannot be restored.
    """
    struck = 0
    for at, found in renew_file(path, numbers, times, seed, workers, ends):
        struck += found is None
        words = "FALLS" if found is None else f"stands; ahead by {format_points(found.lead, found.error)}"
        print(f"puzzle {at}: {words}", flush=True)
    print(f"{struck} struck, {len(read_puzzles(path))} are in {path.name}")
    return 0


def check_again(name: str, count: int, seed: int, workers: int, jewels: bool) -> int:
    """Check some puzzles again, and return 1 if more than one in twenty fails.

    Raises:
        Unknown: There are no puzzles.
    """
    every = stands = 0
    spent = 0.0
    for one in check_puzzles(name, count, seed, workers, jewels):
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
    """Run the command, and return its exit code."""
    parser = Parser(prog="python -m tools.puzzles", description="Find puzzles in finished games, and prove them.")
    tasks = parser.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser, required=True)
    for add in (add_find, add_deal, add_prove, add_explain, add_check):
        add(tasks)
    return run_command(parser, arguments)


def add_find(tasks: Commands) -> None:
    """Add the task `find`."""
    sub = tasks.add_parser(
        "find",
        help="find puzzles in finished games",
        description="Find puzzles in records of finished games, or in games of GAME between levels. An answer is "
        "accepted if it is far ahead in fresh worlds of its view and also in complete playouts.",
    )
    sub.add_argument("what", nargs="+", metavar="GAME|FILE")
    sub.add_argument("--games", type=make_number_parser(1, 10_000_000, "the number of games"), default=20, metavar="N")
    sub.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="add them to this file; an existing file of the same seed is continued",
    )
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="the same seed finds the same puzzles")
    sub.add_argument("--workers", type=parse_workers, default=1, metavar="N", help="processes, or `all`")
    sub.add_argument(
        "--jewels",
        action="store_true",
        help="only puzzles with another answer for open cards; cards may be redealt",
    )
    add_option_argument(sub)
    sub.set_defaults(run=run_find)


def add_deal(tasks: Commands) -> None:
    """Add the task `deal`."""
    sub = tasks.add_parser(
        "deal",
        help="turn puzzles into jewels by redealing",
        description="Redeal hidden cards of a file's puzzles, as likely as other deals for their seat, "
        "so that the open answer differs. Each is written to the file at once. The exit code is 1 if "
        "there are not enough of them.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument(
        "--jewels",
        type=make_number_parser(1, 100_000, "the number of jewels"),
        default=10,
        metavar="N",
        help="total number (default: 10)",
    )
    sub.set_defaults(run=run_deal)


def add_prove(tasks: Commands) -> None:
    """Add the task `prove`."""
    sub = tasks.add_parser(
        "prove",
        help="prove puzzles of a file again",
        description="Prove puzzles of a file again against every other answer, and remove those that fail; the "
        "last ones of the file take their numbers.",
    )
    one = make_number_parser(1, 100_000, "a puzzle's number")
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("numbers", nargs="*", type=one, metavar="N", help="default: all of them")
    sub.add_argument(
        "--times",
        type=make_number_parser(1, 100, "how often the worlds are taken"),
        default=2,
        metavar="N",
        help="number of worlds, as a multiple of those for a new puzzle (default: 2)",
    )
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="seed of the worlds")
    sub.add_argument("--workers", type=parse_workers, default=1, metavar="N", help="processes, or `all`")
    sub.add_argument(
        "--ends", action="store_true", help="only play to the end again, after a change of the second judge"
    )
    sub.set_defaults(run=run_prove)


def add_explain(tasks: Commands) -> None:
    """Add the task `explain`."""
    sub = tasks.add_parser(
        "explain",
        help="explain the answers of a file again",
        description="Write the reasons for the answers of a file again, after a change of the bots' reasons.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.set_defaults(run=run_explain)


def add_check(tasks: Commands) -> None:
    """Add the task `check`."""
    sub = tasks.add_parser(
        "check",
        help="check puzzles again, with ten times as many worlds",
        description="Check puzzles of a game again, in ten times as many worlds and by the second judge. The exit "
        "code is 1 if more than one in twenty fails.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--sample", type=make_number_parser(1, 100_000, "the number of puzzles"), default=20, metavar="N")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="seed of the sample and of the worlds")
    sub.add_argument("--workers", type=parse_workers, default=1, metavar="N", help="processes, or `all`")
    sub.add_argument("--jewels", action="store_true", help="only jewels, and with all cards open as well")
    sub.set_defaults(run=run_check)


def run_find(args: argparse.Namespace) -> int:
    """Find puzzles in records, or in games that levels play."""
    if len(args.what) == 1 and args.what[0] in games.names():
        options = check_options(args.what[0], args.option)
        return find_for(args.what[0], options, args.games, args.seed, args.workers, args.write, args.jewels)
    return find_in([load_record(Path(file)) for file in args.what], args.seed, args.write, args.jewels)


def run_deal(args: argparse.Namespace) -> int:
    """Redeal puzzles until there are enough jewels."""
    return deal_in(args.file, args.jewels)


def run_prove(args: argparse.Namespace) -> int:
    """Prove puzzles again."""
    return renew_in(args.file, args.numbers, args.times, args.seed, args.workers, args.ends)


def run_explain(args: argparse.Namespace) -> int:
    """Explain the answers of a file again."""
    for number, puzzle in explain_file(args.file):
        print(f"puzzle {number}: {puzzle.best}. {puzzle.why}", flush=True)
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Check puzzles of a game again."""
    games.find_game_class(args.game)
    return check_again(args.game, args.sample, args.seed, args.workers, args.jewels)


if __name__ == "__main__":
    sys.exit(main())
