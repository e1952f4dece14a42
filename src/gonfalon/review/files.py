"""The file of a review, next to its record.

    {"format": "gonfalon-review", "format_version": 4, "record": "<hash>", "game": "feint", "rules": "3", "data": "...",
     "names": [...], "seats": [0, 1], "result": [1.0, 0.0] or null,
     "reviewer": {"judge": "the play of the network", "referee": "...", "network": "<hash>",
                  "baseline": "<hash>", "seed": 0, "budgets": {...}},
     "cards": {...}, "decisions": [...], "beliefs": [...],
     "story": [...], "sums": [...]}

docs/pages/reference/files.md describes each field. Actions are in notation. Chances are those of seat 0, unless a seat
is named. A review contains secrets, so none is made of a game that is not over.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypedDict, cast

from gonfalon.core.files.reading import read_text
from gonfalon.review.errors import ReviewError

FORMAT: Final = "gonfalon-review"
FORMAT_VERSION: Final = 4


class Reviewer(TypedDict):
    """The judges, their files and their budgets."""

    judge: str
    referee: str
    network: str
    baseline: str
    seed: int
    budgets: dict[str, float]


class CardLuck(TypedDict):
    """The luck of the cards for seat 0 in the whole game, and the share of results that cards explain in such games."""

    seat0: float
    low: float
    high: float
    explains: float
    shown: bool


class RefereeLoss(TypedDict):
    """The loss by the second judge."""

    loss: float
    low: float
    high: float


class JudgedDecision(TypedDict):
    """A decision and its judgement.

    Without a judgement all fields from `best` on are null, and all texts are empty. `next` is the second best action
    in words, and `lead` the lead of the best one over it.
    """

    at: int
    seat: int
    asked: str
    chosen: str
    text: str
    best: str | None
    better: str
    second: str | None
    next: str
    value: float | None
    best_value: float | None
    loss: float | None
    low: float | None
    high: float | None
    lead: float | None
    lead_low: float | None
    worlds: int
    referee: RefereeLoss | None
    mark: str
    why: str


class BeliefCase(TypedDict):
    """A possible case of something hidden, with its probability."""

    text: str
    chance: float


class JudgedBelief(TypedDict):
    """The possible cases of something hidden before a decision, and the true one."""

    at: int
    seat: int
    about: str
    likely: list[BeliefCase]
    truth: str


class TurningPoint(TypedDict):
    """A turning point, in words."""

    at: int
    seat: int
    text: str


class SeatTotals(TypedDict):
    """The totals of a seat."""

    seat: int
    decisions: int
    judged: int
    marks: dict[str, int]


class Review(TypedDict):
    """A whole review."""

    format: str
    format_version: int
    record: str
    game: str
    title: str
    rules: str
    data: str
    names: list[str]
    seats: list[int]
    result: list[float] | None
    ending: str
    reviewer: Reviewer
    cards: CardLuck | None
    decisions: list[JudgedDecision]
    beliefs: list[JudgedBelief]
    story: list[TurningPoint]
    sums: list[SeatTotals]


def build_review_path(record: Path) -> Path:
    """Return the path of the review of a record."""
    return record.with_name(f"{record.stem}.review.json")


def dump_review(review: Review) -> str:
    """Return a review as JSON text."""
    return json.dumps(review, indent=1, ensure_ascii=False) + "\n"


def load_review(path: Path, record: str, reviewer: Reviewer, seats: list[int]) -> Review | None:
    """Return the saved review if its format, record, reviewer and seats are these, else None."""
    try:
        found: object = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        # A damaged review is made again, like a missing one.
        return None
    # A review of another version has other fields; it is made again instead of being converted.
    if not isinstance(found, dict) or found.keys() != Review.__annotations__.keys():
        return None
    wanted = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "record": record,
        "reviewer": reviewer,
        "seats": seats,
    }
    return cast("Review", found) if all(found[key] == value for key, value in wanted.items()) else None


def check_writable(path: Path) -> None:
    """Check before any work that a review can be saved.

    Raises:
        ReviewError: The file cannot be written.
    """
    # Opening is the only reliable test for permissions; the mode "a" keeps an existing file.
    was = path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
        # An empty file would look like a damaged review.
        if not was:
            path.unlink()
    except OSError as error:
        raise ReviewError(f"The review cannot be saved as {path}: {error.strerror}.") from None


def save_review(path: Path, review: Review) -> None:
    """Save a review.

    Raises:
        ReviewError: The file cannot be written.
    """
    try:
        path.write_text(dump_review(review), "utf-8")
    except OSError as error:
        raise ReviewError(f"The review cannot be saved as {path}: {error.strerror}.") from None
