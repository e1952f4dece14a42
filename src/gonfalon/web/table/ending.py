"""What the page of a game that is over tells: who has won, what each round brought, and how the game went, as a curve.

All of it follows from the record of the finished game, which is open to everybody then, and from what the bots thought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict

from anyio.to_thread import run_sync

from gonfalon.bots import Choice
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, course
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import Arms
from gonfalon.core.rules.state import OPEN, Seat, State
from gonfalon.core.text.english import of, verdict
from gonfalon.core.text.untrusted import initial
from gonfalon.table import Table
from gonfalon.table.live.views import Over
from gonfalon.web.table.charts import bars, curve

ENOUGH: Final = 3
"""So many told chances make a curve."""


class Chances(NamedTuple):
    """The chances to win that one bot told of its own seat, each with the number of the decision, in percent."""

    seat: Seat
    told: list[tuple[int, int]]


class Told(NamedTuple):
    """What is worked out once of a game that is over, the same for everybody."""

    course: Course
    chances: Chances | None


class Crest(TypedDict):
    """A seat on the page of the end."""

    seat: Seat
    name: str
    arms: Arms
    letter: str
    won: bool


async def worked_out(table: Table) -> Told | None:
    """What is told of a table's game once it is over, away from everything that waits; None while it goes on."""
    if not table.position.over:
        return None
    record, thoughts = await table.moves.record(), await table.bots.thoughts()
    return await run_sync(told_of, record, thoughts)


def told_of(record: Record, thoughts: Mapping[int, Choice]) -> Told:
    """The course of a finished game, and of two seats the chances that the bot told which thought most."""
    found: dict[Seat, list[tuple[int, int]]] = {}
    for number, (seat, _) in enumerate(record.decisions):
        thought = thoughts.get(number)
        if thought is not None and thought.value is not None:
            found.setdefault(seat, []).append((number, round(100 * thought.value.value)))
    best = max(found, key=lambda seat: len(found[seat]), default=-1) if record.game.seats == 2 else -1
    chances = Chances(best, found[best]) if best >= 0 and len(found[best]) >= ENOUGH else None
    return Told(course(record, OPEN), chances)


def end_context(
    game: Game, view: State, names: Sequence[str], plain: Sequence[str], over: Over, told: Told | None
) -> dict[str, Any]:
    """What _end.html is given."""
    me = view.viewer if view.viewer >= 0 else None
    winners = winners_of(over, game.seats)
    crests: list[Crest] = [
        {
            "seat": seat,
            "name": names[seat],
            "arms": game.arms(seat),
            "letter": letter(plain, seat),
            "won": seat in winners,
        }
        for seat in range(game.seats)
    ]
    low = me or 0
    return {
        "title": title(winners, names, me),
        "crests": crests,
        "winners": [crest for crest in crests if crest["won"]],
        "others": [crest for crest in crests if not crest["won"]],
        "rounds": rounds(game, view, low),
        "curve": None if told is None else course_of(game, names, me, told),
    }


def winners_of(over: Over, seats: int) -> list[Seat]:
    """Who has won: by the rules, or because the other of two gave up; nobody in a game that was left."""
    if over["result"] is not None:
        return over["result"]["winners"]
    gone = None if over["ended"] is None else over["ended"].get("seat")
    return [1 - gone] if seats == 2 and gone in (0, 1) else []


def title(winners: Sequence[Seat], names: Sequence[str], me: Seat | None) -> str:
    """The end in a word or two, for the viewer."""
    if not winners:
        return "The end"
    if me is None:
        return verdict(list(winners), list(names))
    return "Defeat" if me not in winners else "Victory" if len(winners) == 1 else "Shared victory"


def letter(plain: Sequence[str], seat: Seat) -> str:
    """What stands on a banner without a picture: the first letter of a name, or the seat's number."""
    first = [initial(name) for name in plain]
    return first[seat] if first.count(first[seat]) == 1 else str(seat + 1)


def rounds(game: Game, view: State, low: Seat) -> dict[str, Any] | None:
    """The rounds as bars, the viewer's below; None where there are none, or more seats than two sides."""
    found = game.rounds(view)
    if not found or game.seats != 2:
        return None
    drawn = bars([(one["name"], one["values"], one["winner"]) for one in found], low)
    return {"rows": found, "what": game.rounds_count, "bars": drawn, "up": 1 - low, "low": low}


def course_of(game: Game, names: Sequence[str], me: Seat | None, told: Told) -> dict[str, Any] | None:
    """The curve: the chance to win, where a bot told it often enough, else how the seats stood."""
    if told.chances is not None:
        return chance_curve(names, me or 0, told.course, told.chances)
    if not game.counts or not any(told.course.scores):
        return None
    order = sorted(range(game.seats), key=lambda seat: seat != me)
    lines = [(seat, [score[seat] for score in told.course.scores]) for seat in order]
    drawn = curve(told.course, [(seat, list(enumerate(values))) for seat, values in lines])
    ends = ", ".join(f"{names[seat]} {values[-1]}" for seat, values in lines)
    return {
        "title": game.counts,
        "note": "",
        "text": f"{game.counts}, step by step. At the end: {ends}.",
        "seats": [seat for seat, _ in lines],
        "drawn": drawn,
        "unit": "",
    }


def chance_curve(names: Sequence[str], low: Seat, course: Course, chances: Chances) -> dict[str, Any]:
    """What a bot thought of somebody's chance to win, before each of its own decisions."""
    teller = names[chances.seat]
    told = [
        (place_of(course, decision), value if chances.seat == low else 100 - value) for decision, value in chances.told
    ]
    values = [value for _, value in told]
    who = of(names[low])
    by = "by its own reckoning" if chances.seat == low else f"as {teller} reckoned"
    return {
        "title": f"{who} chance to win",
        "note": f"What {teller} thought before its own moves, from what it saw then.",
        "text": f"{who} chance to win {by}: from {values[0]} % to {values[-1]} %, "
        f"lowest {min(values)} %, highest {max(values)} %.",
        "seats": [low],
        "drawn": curve(course, [(low, told)], 0, 100),
        "unit": " %",
    }


def place_of(course: Course, decision: int) -> int:
    """The step before a decision of the record."""
    return max((place for place, mark in enumerate(course.marks) if mark <= decision), default=0)
