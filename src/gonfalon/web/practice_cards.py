"""When a mistake comes back as an exercise: after intervals that grow each time it goes well (FSRS, by py-fsrs).

All of it lies in a cookie for the pages of exercises alone: that works without script, the server keeps nothing of
whoever practises, and nobody is misled by a changed one but its own device.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.state import Seat
from gonfalon.web.context import is_secure

COOKIE: Final = "practice"
PATH: Final = "/practice"
DAYS: Final = 400
DAY: Final = 86_400
MOST: Final = 50
"""Exercises of a device: what a cookie holds. Those that come back last make room."""
NUMBER: Final = r"(\d{1,6})"
AMOUNT: Final = r"(\d{1,6}(?:\.\d{1,2})?)"
FORM: Final = re.compile(
    rf"([\w-]{{1,32}}):([\w-]{{1,32}}):(\d):{NUMBER}:{NUMBER}:{NUMBER}:{AMOUNT}:{AMOUNT}", re.ASCII
)


class Card(NamedTuple):
    """A decision to be found again: of which game and table, whose, and before which decision of the record; and what
    the schedule needs: the days since 1970 when it is `due` and was asked last (0: never), and two numbers of
    FSRS."""

    game: str
    table: str
    seat: Seat
    at: int
    due: int
    last: int = 0
    stability: float = 0.0
    difficulty: float = 0.0

    @property
    def url(self) -> str:
        """Its page."""
        return f"{PATH}/{self.game}/{self.table}/{self.seat}/{self.at}/"

    def text(self) -> str:
        """How the cookie has it."""
        return ":".join([*map(str, self[:6]), f"{self.stability:.2f}", f"{self.difficulty:.2f}"])


def available() -> bool:
    """Whether py-fsrs is installed (`pip install gonfalon[practice]`)."""
    return find_spec("fsrs") is not None


def today() -> int:
    """The days since 1970."""
    return int(time.time() // DAY)


def read(request: Request) -> list[Card]:
    """A device's exercises, those that are due first before the others; nonsense in its cookie is nothing."""
    found: list[Card] = []
    for text in request.cookies.get(COOKIE, "").split("~")[:MOST]:
        if match := FORM.fullmatch(text):
            game, table, seat, at, due, last, stability, difficulty = match.groups()
            found.append(
                Card(game, table, int(seat), int(at), int(due), int(last), float(stability), float(difficulty))
            )
    return sorted(found, key=lambda card: card.due)


def keep(request: Request, response: Response, cards: Iterable[Card]) -> None:
    """Let the device keep these."""
    kept = sorted(cards, key=lambda card: card.due)[:MOST]
    response.set_cookie(
        COOKIE,
        "~".join(card.text() for card in kept),
        max_age=DAYS * DAY,
        path=PATH,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def same(one: Card, other: Card) -> bool:
    """Whether both are of the same decision."""
    return one[:4] == other[:4]


def reviewed(card: Card, found: bool, day: int) -> Card:
    """A card after somebody has `found` the better decision on a day, or has not."""
    from fsrs import Card as Scheduled
    from fsrs import Rating, Scheduler, State

    # Whole days: an exercise comes back tomorrow at the earliest.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    known = card.last > 0
    before = Scheduled(
        card_id=0,
        state=State.Review if known else State.Learning,
        stability=max(card.stability, 0.01) if known else None,
        difficulty=min(max(card.difficulty, 1.0), 10.0) if known else None,
        due=at_day(card.due),
        last_review=at_day(card.last) if known else None,
    )
    after, _ = scheduler.review_card(before, Rating.Good if found else Rating.Again, at_day(day))
    due = max(day + 1, int(after.due.timestamp() // DAY))
    return card._replace(due=due, last=day, stability=after.stability or 0.0, difficulty=after.difficulty or 0.0)


def at_day(day: int) -> datetime:
    """The beginning of a day."""
    return datetime.fromtimestamp(day * DAY, UTC)
