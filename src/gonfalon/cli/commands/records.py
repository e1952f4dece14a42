"""`gonfalon replay`, `review` and `verify`: finished games."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from gonfalon.cli.arguments import (
    SEAT,
    SEED,
    Commands,
    UsageError,
    workers,
)
from gonfalon.cli.lookups import (
    record_of,
)
from gonfalon.core.text.untrusted import print_text


def add_records(subparsers: Commands) -> None:
    """Add `replay`, `review` and `verify` to the commands."""
    sub = subparsers.add_parser(
        "replay",
        help="step through a record",
        description="Step through a record. Without a viewer: all open when the game is over, else as a spectator.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    viewer = sub.add_mutually_exclusive_group()
    viewer.add_argument("--seat", type=SEAT, metavar="N", help="what this seat knew")
    viewer.add_argument("--spectator", action="store_true", help="what everybody knew")
    viewer.add_argument("--all", action="store_true", help="with all cards open")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a step")
    form.add_argument("--plain", action="store_true", help="line by line, without a screen")
    sub.set_defaults(run=run_replay)

    sub = subparsers.add_parser(
        "review",
        help="where a finished game turned",
        description="Review a finished game: each decision by what its seat could know, what the cards brought, and "
        "the decisions that mattered, in words. The review is kept beside the record, as NAME.review.json.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("--seat", type=SEAT, metavar="N", help="the decisions of this seat (default: of all)")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the review as it is kept")
    form.add_argument("--html", action="store_true", help="one page that needs nothing else")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N", help="the same record and seed give the same review")
    sub.add_argument(
        "--workers",
        type=workers,
        default="all",
        metavar="N",
        help="processes, or `all` (default); the result is the same",
    )
    sub.set_defaults(run=run_review)

    sub = subparsers.add_parser(
        "verify",
        help="check the shuffles of a finished game",
        description="Check the shuffles of a finished game whose deal was proved: a line for each thing that was "
        "looked at. The exit code is 1 when one of them does not hold.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument(
        "--mine", type=Path, metavar="FILE", help="what your own device has kept, saved from the table's page"
    )
    sub.set_defaults(run=run_verify)


def run_replay(args: argparse.Namespace) -> int:
    """Run `gonfalon replay`. Return the exit code."""
    from gonfalon.core.rules.state import OPEN, SPECTATOR
    from gonfalon.terminal.play import format_no_seat
    from gonfalon.terminal.replay import show_replay as step_through

    record = record_of(args.file)
    viewer: int | None = None
    if args.seat is not None:
        if args.seat >= record.game.seats:
            raise UsageError(format_no_seat(record.game, args.seat))
        viewer = args.seat
    elif args.spectator:
        viewer = SPECTATOR
    elif args.all:
        viewer = OPEN
    return step_through(record, viewer, args.json, args.plain)


def run_review(args: argparse.Namespace) -> int:
    """Run `gonfalon review`. Return the exit code."""
    from gonfalon.review.command import main as review_main
    from gonfalon.review.errors import ReviewError
    from gonfalon.review.work import compute_result
    from gonfalon.terminal.play import format_no_seat

    record = record_of(args.file)
    try:
        compute_result(record)
    except ReviewError as error:
        raise ReviewError(f"{args.file}: {error}") from None
    seats = list(range(record.game.seats))
    if args.seat is not None:
        if args.seat not in seats:
            raise UsageError(format_no_seat(record.game, args.seat))
        seats = [args.seat]
    draw = None
    if args.html:
        from gonfalon.web.history.review_charts import chapters_of
        from gonfalon.web.history.review_page import render_review

        draw = partial(render_review, chapters=chapters_of(record))
    return review_main(record, args.file, seats, args.seed, args.workers, args.json, draw)


def run_verify(args: argparse.Namespace) -> int:
    """Run `gonfalon verify`. Return the exit code."""
    from gonfalon.core.files import verify as checks
    from gonfalon.core.files.reading import read_text

    record = record_of(args.file, legal=False)
    mine = None if args.mine is None else checks.read_mine(read_text(args.mine))
    findings = checks.examine(record, mine)
    for finding in findings:
        print_text(f"{({True: 'holds', False: 'FAILS', None: 'note '})[finding.holds]} {finding.text}")
    print_text(f"Signs of the deal: {checks.deal_signs(checks.proof_of(record))}")
    print_text(f"Signs of the game: {checks.game_signs(record)}")
    proved = checks.proved(findings)
    print_text("The shuffles are proved." if proved else "The shuffles are not proved.")
    return 0 if proved else 1
