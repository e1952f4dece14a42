"""`gonfalon replay`, `record`, `review` and `verify`: finished games."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from gonfalon.cli import messages
from gonfalon.cli.arguments import SEAT, SEED, Commands, UsageError, parse_workers
from gonfalon.cli.lookups import load_record
from gonfalon.core.text.untrusted import escape_json, print_text


def add_records(subparsers: Commands) -> None:
    """Add `replay`, `record`, `review` and `verify` to the commands."""
    sub = subparsers.add_parser(
        "replay",
        help="step through a record",
        description="Step through a record. By default all cards are open if the game is over; otherwise you see it "
        "as a spectator.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    viewer = sub.add_mutually_exclusive_group()
    viewer.add_argument("--seat", type=SEAT, metavar="N", help="show the view of this seat")
    viewer.add_argument("--spectator", action="store_true", help="show public information only")
    viewer.add_argument("--all", action="store_true", help="show all cards")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object for each step")
    form.add_argument("--plain", action="store_true", help="print line by line, without a screen")
    sub.set_defaults(run=run_replay)
    add_record(subparsers)
    add_review(subparsers)
    add_verify(subparsers)


def add_record(subparsers: Commands) -> None:
    """Add `record` to the commands."""
    sub = subparsers.add_parser(
        "record",
        help="print a record as JSON or as text",
        description="Check a record and print it as JSON, or as text with one decision on each line, for people and "
        "mails. All commands read both forms. `gonfalon record schema` prints the JSON schema of records.",
    )
    sub.add_argument("file", type=Path, metavar="FILE", help="a record in either form, or `schema`")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON (default)")
    form.add_argument("--text", action="store_true", help="print one decision on each line")
    sub.add_argument("--remarks", action="store_true", help="with --text: add the log of the game to each decision")
    sub.set_defaults(run=run_record)


def add_review(subparsers: Commands) -> None:
    """Add `review` to the commands."""
    sub = subparsers.add_parser(
        "review",
        help="review a finished game",
        description="Review a finished game: judge each decision by what its player knew, measure the luck of the "
        "cards, and describe the decisions that mattered. The review is saved beside the record as NAME.review.json.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("--seat", type=SEAT, metavar="N", help="show the decisions of this seat (default: all)")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the review as JSON")
    form.add_argument("--html", action="store_true", help="print the review as a single HTML page")
    sub.add_argument(
        "--seed", type=SEED, default=0, metavar="N", help="the seed of the analysis; the same seed repeats a review"
    )
    sub.add_argument(
        "--workers",
        type=parse_workers,
        default="all",
        metavar="N",
        help="number of processes, or `all` (default); the result does not depend on it",
    )
    sub.set_defaults(run=run_review)


def add_verify(subparsers: Commands) -> None:
    """Add `verify` to the commands."""
    sub = subparsers.add_parser(
        "verify",
        help="check the shuffles of a finished game",
        description="Check the shuffles of a finished game with a proved deal, one line for each check. The exit code "
        "is 1 if a check fails.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument(
        "--mine", type=Path, metavar="FILE", help="the data of your own device, saved on the page of the table"
    )
    sub.set_defaults(run=run_verify)


def run_replay(args: argparse.Namespace) -> int:
    """Run `gonfalon replay`. Return the exit code."""
    from gonfalon.core.rules.state import OPEN, SPECTATOR
    from gonfalon.terminal.play import format_no_seat
    from gonfalon.terminal.replay import show_replay as step_through

    record = load_record(args.file)
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


def run_record(args: argparse.Namespace) -> int:
    """Run `gonfalon record`. Return the exit code."""
    from gonfalon.core.files.record_text import SCHEMA

    if str(args.file) == "schema":
        print_text(SCHEMA.read_text("utf-8").rstrip())
        return 0
    if args.remarks and not args.text:
        raise UsageError(messages.REMARKS_NEED_TEXT)
    record = load_record(args.file)
    print_text(record.dumps_text(args.remarks).rstrip() if args.text else escape_json(record.dumps()).rstrip())
    return 0


def run_review(args: argparse.Namespace) -> int:
    """Run `gonfalon review`. Return the exit code."""
    from gonfalon.review.command import main as review_main
    from gonfalon.review.errors import ReviewError
    from gonfalon.review.work import compute_result
    from gonfalon.terminal.play import format_no_seat

    record = load_record(args.file)
    # A review shows every card, so a game that may continue is refused before any work.
    try:
        compute_result(record)
    except ReviewError as error:
        raise ReviewError(messages.IN_FILE.format(file=args.file, message=error)) from None
    seats = list(range(record.game.seats))
    if args.seat is not None:
        if args.seat not in seats:
            raise UsageError(format_no_seat(record.game, args.seat))
        seats = [args.seat]
    draw = None
    # Only the HTML page needs the web package.
    if args.html:
        from gonfalon.web.history.review_charts import chapters_of
        from gonfalon.web.history.review_page import render_review

        draw = partial(render_review, chapters=chapters_of(record))
    return review_main(record, args.file, seats, args.seed, args.workers, args.json, draw)


def run_verify(args: argparse.Namespace) -> int:
    """Run `gonfalon verify`. Return the exit code."""
    from gonfalon.core.files import verify as checks
    from gonfalon.core.files.reading import read_text

    # An illegal decision is a finding of the check, so it must not prevent the check.
    record = load_record(args.file, legal=False)
    mine = None if args.mine is None else checks.read_device_data(read_text(args.mine))
    findings = checks.verify_record(record, mine)
    for finding in findings:
        if finding.holds is None:
            print_text(messages.NOTE.format(finding=finding.text))
        elif finding.holds:
            print_text(messages.HOLDS.format(finding=finding.text))
        else:
            print_text(messages.FAILS.format(finding=finding.text))
    print_text(messages.SIGNS_OF_DEAL.format(signs=checks.deal_signs(checks.find_proof(record))))
    print_text(messages.SIGNS_OF_GAME.format(signs=checks.game_signs(record)))
    proved = checks.is_proved(findings)
    print_text(messages.PROVED if proved else messages.NOT_PROVED)
    return 0 if proved else 1
