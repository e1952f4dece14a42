"""A review as a file, which lies beside its record.

    {"format": "gonfalon-review", "format_version": 2, "record": "<hash>", "game": "feint", "rules": "3", "data": "...",
     "names": [...], "seats": [0, 1], "result": [1.0, 0.0] or null,
     "reviewer": {"judge": "the play of the network", "player": "the network", "referee": "...", "network": "<hash>",
                  "baseline": "<hash>", "seed": 0, "untold": [], "discount": 0.84, "doubt": 0.3, "floor": 0.035,
                  "budgets": {...}},
     "par": 0.5, "cards": {...}, "luck": [...], "decisions": [...], "hindsight": [...], "beliefs": [...],
     "story": [...], "sums": [...]}

docs/pages/reference/files.md says what each of them holds. Actions stand in notation, chances are seat 0's but where a
seat is named. It holds what nobody may know before the end, so there is none of a game that is not over.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict, cast

from gonfalon.core.files.reading import read_text
from gonfalon.review.errors import ReviewError

FORMAT: Final = "gonfalon-review"
FORMAT_VERSION: Final = 2


class Reviewer(TypedDict):
    """By whose play it is judged, and with what."""

    judge: str
    player: str
    referee: str
    network: str
    baseline: str
    seed: int
    untold: NotRequired[list[str]]
    discount: float
    doubt: NotRequired[float]
    floor: NotRequired[float]
    budgets: dict[str, float]


def untold(reviewer: Reviewer) -> list[str]:
    """The parts of a review that are not told; none in those of earlier versions."""
    return reviewer.get("untold", [])


class Cards(TypedDict):
    """What the cards brought seat 0 on the whole, and how much cards explain in such games."""

    seat0: float
    low: float
    high: float
    explains: float
    shown: bool


class LuckLine(TypedDict):
    """A step at which cards made a difference."""

    at: int
    seat0: float
    error: float


class Second(TypedDict):
    """The loss as the second referee has it."""

    loss: float
    low: float
    high: float


class Decided(TypedDict):
    """A decision. Where it was not judged all from `best` on is null, and `mark` and `why` are empty. `lead`, how far
    the best one is ahead of the second, is null where the best one was chosen too."""

    at: int
    seat: int
    asked: str
    chosen: str
    text: str
    best: str | None
    better: str
    second: str | None
    value: float | None
    best_value: float | None
    loss: float | None
    low: float | None
    high: float | None
    lead: float | None
    lead_low: float | None
    worlds: int
    referee: Second | None
    mark: str
    why: str


class Opened(TypedDict):
    """What would have been best with all hands open."""

    at: int
    open_best: str
    text: str
    change: float


class Case(TypedDict):
    """What may have been so, and how likely."""

    text: str
    chance: float


class Believed(TypedDict):
    """What could be thought of something hidden before a decision, and what was true."""

    at: int
    seat: int
    about: str
    likely: list[Case]
    truth: str


class Turning(TypedDict):
    """A decision that mattered, in words."""

    at: int
    seat: int
    text: str


class Sums(TypedDict):
    """What is counted for a seat."""

    seat: int
    decisions: int
    judged: int
    loss: float
    low: float
    high: float
    marks: dict[str, int]


class Review(TypedDict):
    """All of it."""

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
    par: float | None
    cards: Cards | None
    luck: list[LuckLine]
    decisions: list[Decided]
    hindsight: list[Opened]
    beliefs: list[Believed]
    story: list[Turning]
    sums: list[Sums]


def beside(record: Path) -> Path:
    """Where the review of a record lies."""
    return record.with_name(f"{record.stem}.review.json")


def dumps(review: Review) -> str:
    """A review as text."""
    return json.dumps(review, indent=1, ensure_ascii=False) + "\n"


def kept(path: Path, record: str, reviewer: Reviewer, seats: list[int]) -> Review | None:
    """Return the review in a file if it is of this format, this record, this reviewer and these seats, else None."""
    try:
        found: Any = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return None
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


def writable(path: Path) -> None:
    """Make sure that a review can be kept there, before any work is done. Raises ReviewError."""
    was = path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
        if not was:
            path.unlink()
    except OSError as error:
        raise ReviewError(f"The review cannot be kept as {path}: {error.strerror}.") from None


def keep(path: Path, review: Review) -> None:
    """Write a review. Raises ReviewError."""
    try:
        path.write_text(dumps(review), "utf-8")
    except OSError as error:
        raise ReviewError(f"The review cannot be kept as {path}: {error.strerror}.") from None
