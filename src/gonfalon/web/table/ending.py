"""The end page of a game: winners, the rounds, and the course of the game as a curve.

All of it follows from the record of the finished game, which is public then, and from the thoughts of bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from anyio.to_thread import run_sync

from gonfalon.bots import Choice
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, trace_course
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import Arms
from gonfalon.core.rules.state import OPEN, Seat, State
from gonfalon.core.text.english import of, verdict
from gonfalon.core.text.untrusted import initial
from gonfalon.table import Table
from gonfalon.table.live.views import Over
from gonfalon.web import messages
from gonfalon.web.table.charts import build_bars, build_curve

ENOUGH: Final = 3
"""The number of estimates that make a curve."""


class Chances(NamedTuple):
    """The win chances that a bot estimated for its own seat, in percent, each with the number of the decision."""

    seat: Seat
    estimates: list[tuple[int, int]]


class Told(NamedTuple):
    """The facts of a finished game, computed once for all viewers."""

    course: Course
    chances: Chances | None


class Crest(TypedDict):
    """A seat on the end page."""

    seat: Seat
    name: str
    arms: Arms
    letter: str
    won: bool


async def compute_ending(table: Table) -> Told | None:
    """Return the facts of a table's finished game, computed in a thread; None before the end."""
    if not table.position.over:
        return None
    record, thoughts = await table.moves.record(), await table.bots.thoughts()
    return await run_sync(summarize_game, record, thoughts)


def summarize_game(record: Record, thoughts: Mapping[int, Choice]) -> Told:
    """Return the course of a finished game, and for two seats the estimates of the bot that made the most."""
    found: dict[Seat, list[tuple[int, int]]] = {}
    for number, (seat, _) in enumerate(record.decisions):
        thought = thoughts.get(number)
        if thought is not None and thought.value is not None:
            found.setdefault(seat, []).append((number, round(100 * thought.value.value)))
    # Only with two seats does the chance of one determine that of the other.
    best = max(found, key=lambda seat: len(found[seat]), default=-1) if record.game.seats == 2 else -1
    chances = Chances(best, found[best]) if best >= 0 and len(found[best]) >= ENOUGH else None
    return Told(trace_course(record, OPEN), chances)


def end_context(
    game: Game, view: State, names: Sequence[str], plain: Sequence[str], over: Over, told: Told | None
) -> dict[str, Any]:
    """Return the context of _end.html."""
    me = view.viewer if view.viewer >= 0 else None
    winners = find_winners(over, game.seats)
    crests: list[Crest] = [
        {
            "seat": seat,
            "name": names[seat],
            "arms": game.arms(seat),
            "letter": banner_letter(plain, seat),
            "won": seat in winners,
        }
        for seat in range(game.seats)
    ]
    low = me or 0
    return {
        "title": result_title(winners, names, me),
        "crests": crests,
        "winners": [crest for crest in crests if crest["won"]],
        "others": [crest for crest in crests if not crest["won"]],
        "rounds": build_rounds(game, view, low),
        "curve": None if told is None else build_game_curve(game, names, me, told),
    }


def find_winners(over: Over, seats: int) -> list[Seat]:
    """Return the winners by the rules, or by the resignation of the other of two; none in an abandoned game."""
    if over["result"] is not None:
        return over["result"]["winners"]
    gone = None if over["ended"] is None else over["ended"].get("seat")
    return [1 - gone] if seats == 2 and gone in (0, 1) else []


def result_title(winners: Sequence[Seat], names: Sequence[str], me: Seat | None) -> str:
    """Return the result in a word or two for the viewer."""
    if not winners:
        return messages.THE_END
    if me is None:
        return verdict(list(winners), list(names))
    if me not in winners:
        return messages.DEFEAT
    return messages.VICTORY if len(winners) == 1 else messages.SHARED_VICTORY


def banner_letter(plain: Sequence[str], seat: Seat) -> str:
    """Return the letter on a banner without a picture: the first of a name, or the seat's number."""
    first = [initial(name) for name in plain]
    return first[seat] if first.count(first[seat]) == 1 else str(seat + 1)


def build_rounds(game: Game, view: State, low: Seat) -> dict[str, Any] | None:
    """Return the rounds as bars, the viewer's below; None without rounds or with more than two seats."""
    found = game.rounds(view)
    if not found or game.seats != 2:
        return None
    drawn = build_bars([(one["name"], one["values"], one["winner"]) for one in found], low)
    return {"rows": found, "what": game.rounds_count, "bars": drawn, "up": 1 - low, "low": low}


def build_game_curve(game: Game, names: Sequence[str], me: Seat | None, told: Told) -> dict[str, Any] | None:
    """Return the curve: the win chance if a bot estimated it often enough, else the score."""
    if told.chances is not None:
        return chance_curve(names, me or 0, told.course, told.chances)
    if not game.counts or not any(told.course.scores):
        return None
    order = sorted(range(game.seats), key=lambda seat: seat != me)
    lines = [(seat, [score[seat] for score in told.course.scores]) for seat in order]
    drawn = build_curve(told.course, [(seat, list(enumerate(values))) for seat, values in lines])
    ends = ", ".join(f"{names[seat]} {values[-1]}" for seat, values in lines)
    return {
        "title": game.counts,
        "note": "",
        "text": messages.SCORE_CURVE.format(title=game.counts, values=ends),
        "seats": [seat for seat, _ in lines],
        "drawn": drawn,
        "unit": "",
    }


def chance_curve(names: Sequence[str], low: Seat, course: Course, chances: Chances) -> dict[str, Any]:
    """Return a bot's estimates of a seat's win chance before each of its decisions."""
    teller = names[chances.seat]
    told = [
        (find_place(course, decision), value if chances.seat == low else 100 - value)
        for decision, value in chances.estimates
    ]
    values = [value for _, value in told]
    whose = of(names[low])
    return {
        "title": messages.CHANCE_TITLE.format(whose=whose),
        "note": messages.CHANCE_NOTE.format(bot=teller),
        "text": messages.CHANCE_CURVE.format(
            whose=whose, bot=teller, first=values[0], last=values[-1], lowest=min(values), highest=max(values)
        ),
        "seats": [low],
        "drawn": build_curve(course, [(low, told)], 0, 100),
        "unit": " %",
    }


def find_place(course: Course, decision: int) -> int:
    """Return the step before a decision of the record."""
    return max((place for place, mark in enumerate(course.marks) if mark <= decision), default=0)
