"""The command `gonfalon review`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.untrusted import escape_json, print_text, printable
from gonfalon.review.files import (
    JudgedDecision,
    Review,
    build_review_path,
    check_writable,
    dump_review,
    load_review,
    save_review,
)
from gonfalon.review.report import format_review
from gonfalon.review.work import compute_result, describe_reviewer, hash_record, review

Draw = Callable[[Review], str]
"""Returns the review as a page or another text."""


def main(
    record: Record, path: Path, seats: list[Seat], seed: int, workers: int, as_json: bool, draw: Draw | None
) -> int:
    """Review a record and print the result. A review that was saved before is used again.

    Args:
        record: The record.
        path: Its file. The review is saved next to it.
        seats: The seats whose decisions are judged.
        seed: The seed of all worlds.
        workers: Number of processes.
        as_json: Print the review as JSON.
        draw: Makes the output in another form.

    Returns:
        The exit code.

    Raises:
        ReviewError: The game is not over, or the review cannot be saved.
    """
    compute_result(record)
    place = build_review_path(path)
    reviewer = describe_reviewer(record, seed)
    found = load_review(place, hash_record(record), reviewer, seats)
    if found is None:
        # Checked first, because a review takes long and would be lost.
        check_writable(place)
        spent: list[float] = []
        found = review(record, seats, seed, workers, print_progress, spent=spent)
        save_review(place, found)
        print_text(f"{sum(spent):.1f} s of CPU time; saved as {place}", file=sys.stderr)
    if draw is not None:
        print(printable(draw(found)), end="")
    elif as_json:
        print(escape_json(dump_review(found)), end="")
    else:
        print_text("\n".join(format_review(found)))
    return 0


def stream_review(workers: int, *first: Seat) -> None:
    """Review the record of stdin, and print each decision as soon as it is judged, then the review, as lines of JSON.

    The lines are `{"decision", "done", "count"}`, and at the end `{"review"}`, or `{"failed"}` with the reason.

    Args:
        workers: Number of processes.
        first: The seats whose decisions are judged first.
    """

    def tell(**line: object) -> None:
        print(escape_json(json.dumps(line)), flush=True)

    try:
        record = load(sys.stdin.read(), games.game)
        tell(
            review=review(
                record,
                workers=workers,
                report=lambda done, count, decided: tell(decision=decided, done=done, count=count),
                first=first,
            )
        )
    except GonfalonError as error:
        tell(failed=str(error))


def print_progress(number: int, count: int, _decided: JudgedDecision) -> None:
    """Print the number of judged decisions; in a terminal the next line replaces it."""
    end = "\r" if sys.stderr.isatty() and number < count else "\n"
    print(printable(f"judged {number} of {count}"), file=sys.stderr, end=end, flush=True)
