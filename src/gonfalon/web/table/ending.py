"""The end page of a game: the result, the decisions that mattered, the rounds, and the course of the game as a curve.

All of it follows from the record of the finished game, which is public then, and from its review.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypedDict

from anyio.to_thread import run_sync

from gonfalon.bots.outside.faults import describe_faults
from gonfalon.core.files.replay import Course, trace_course
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import Arms
from gonfalon.core.rules.state import OPEN, Seat, State
from gonfalon.core.text.english import of
from gonfalon.core.text.untrusted import initial
from gonfalon.review.files import JudgedDecision
from gonfalon.review.story import MAX_TURNING_POINTS, count_effect, find_decisive
from gonfalon.table import Table
from gonfalon.table.live.views import Over
from gonfalon.table.store.store import Store
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.charts import Axis, Plot, Span, build_axis, plot_lines

ASK, WAIT, LATER, NOTHING = "ask", "wait", "later", ""
"""What our script does about a review: request it, wait for its progress, look for it, or nothing."""
MIN_GAP, MARK_SIZE = 8.0, 24
"""The minimum distance between two marks beside each other, in percent of the curve, and their size in pixels."""
LINES: Final = 5
"""The number of kinds of lines in a chart."""


class ReviewNews(NamedTuple):
    """The review of a finished game as far as it exists."""

    state: str
    """`none`, `working`, `failed` or `done`."""
    decisions: list[JudgedDecision]
    done: int = 0
    total: int = 0
    failed: str = ""
    chosen: Mapping[Seat, Mapping[str, int]] = {}
    """The numbers of moves that were chosen for programs, by their faults. They are secret before the end."""


class Crest(TypedDict):
    """A seat on the end page."""

    seat: Seat
    name: str
    arms: Arms
    letter: str


class Pick(TypedDict):
    """A decision that mattered. `x` and `y` are its place on the curve, in percent; `shift` moves its number away from
    that of another one beside it, in pixels."""

    number: int
    at: int
    points: int
    text: str
    note: str
    x: float
    y: float
    shift: int


class Line(TypedDict):
    """A line of a curve, and its value at the end."""

    seat: Seat
    dash: int
    drawn: Plot
    end: int


class CurveChart(TypedDict):
    """A curve over the decisions of a game. `levels` are the labels from the top to the bottom."""

    title: str
    text: str
    axis: Axis
    lines: list[Line]
    levels: list[str]


class RoundRow(TypedDict):
    """A round: the values of the two sides, the lengths of their bars, and the side that won it."""

    name: str
    values: list[int]
    bars: list[float]
    won: int | None


async def compute_course(table: Table) -> Course | None:
    """Return the course of a table's finished game, computed in a thread; None before the end."""
    return None if not table.position.over else await run_sync(trace_course, await table.moves.record(), OPEN)


def read_news(store: Store, key: str) -> ReviewNews:
    """Return the review of a table's game, or its progress."""
    job = store.review_job(key)  # before the review itself, which takes its place
    text = store.review(key)
    chosen = count_chosen_moves(store, key)
    if text is not None:
        return ReviewNews("done", json.loads(text)["decisions"], chosen=chosen)
    if job is None:
        return ReviewNews("none", [], chosen=chosen)
    return ReviewNews("failed" if job.failed else "working", job.found, job.done, job.count, job.failed, chosen)


def count_chosen_moves(store: Store, key: str) -> dict[Seat, Counter[str]]:
    """Return the numbers of moves that were chosen for the programs at a table, by their faults."""
    faults = {seq: fault for seq, text in store.thoughts(key).items() if (fault := json.loads(text).get("fault"))}
    found: dict[Seat, Counter[str]] = {}
    for seq, entry in enumerate(store.entries(key) if faults else []):
        if seq in faults:
            found.setdefault(entry.seat, Counter())[faults[seq]] += 1
    return found


def end_context(
    game: Game,
    view: State,
    names: Sequence[str],
    plain: Sequence[str],
    over: Over,
    course: Course | None,
    news: ReviewNews | None,
) -> Context:
    """Return the context of _end.html. `news` is None if the review is not known yet, or if the game has none."""
    me = view.viewer if view.viewer >= 0 else None
    winners = find_winners(over, game.seats)
    crests: list[Crest] = [
        {"seat": seat, "name": names[seat], "arms": game.arms(seat), "letter": banner_letter(plain, seat)}
        for seat in range(game.seats)
    ]
    title = result_title(winners, game.seats, me)
    seat = me if me is not None else (winners or [0])[0]
    return {
        "title": title,
        "lost": me is not None and title == messages.DEFEAT,
        "text": over["text"].removeprefix(f"{title}. "),
        "crests": crests,
        "banners": [crest for crest in crests if crest["seat"] in ([me] if me is not None else winners)],
        "rival": names[1 - me] if me is not None and game.seats == 2 else None,
        "last": None if course is None else f"{course.marks[-1]:.10g}",
        "rounds": build_rounds(game, view, seat),
        **decisions_context(game, names, seat, winners, course, news, me is not None),
    }


def decisions_context(
    game: Game,
    names: Sequence[str],
    seat: Seat,
    winners: Sequence[Seat],
    course: Course | None,
    news: ReviewNews | None,
    own: bool,
) -> Context:
    """Return the context of _decisions.html: the decisions of a seat that mattered, and the curve. `own` is whether it
    is the reader's."""
    decided = [] if news is None else [one for one in news.decisions if one["seat"] == seat]
    span = find_span(course)
    picks = [build_pick(number, one, span) for number, one in enumerate(find_decisive(decided, seat), 1)]
    spread_marks(picks)
    return {
        "news": None if news is None else news._asdict() | {"own": len(decided)},
        "look": look_for(news, own and can_review(game)),
        "of": seat,
        "whose": None if own else names[seat],
        "three": len(picks) == MAX_TURNING_POINTS and news is not None and news.state == "done",
        "picks": picks,
        "chosen": [] if news is None else [describe_faults(names[of], found) for of, found in news.chosen.items()],
        "curve": build_chance_curve(names, seat, winners, decided, span)
        or build_score_curve(game, names, seat, course, span),
    }


def can_review(game: Game) -> bool:
    """Return whether a game has reviews, without making what judges them: that of Jinkei takes a while."""
    return type(game).insight is not Game.insight


def look_for(news: ReviewNews | None, asks: bool) -> str:
    """Return what our script does about a review. `asks` is whether it requests one without a click."""
    if news is None:
        return LATER
    if news.state == "working":
        return WAIT
    return ASK if news.state == "none" and asks else NOTHING


def build_pick(number: int, one: JudgedDecision, span: Span) -> Pick:
    """Return a decision that mattered, with the alternative."""
    points, value = count_effect(one), round(100 * (one["value"] or 0.0))
    if one["best"] != one["chosen"]:
        text = messages.BETTER_WAS.format(chosen=one["text"], better=one["better"], why=one["why"]).rstrip()
        note = messages.INSTEAD.format(better=value - points, value=value)
    else:
        text = one["text"]
        note = messages.NEXT_BEST.format(next=one["next"].rstrip("."), value=value, other=value - points)
    chapter = span.chapters[one["at"]] if one["at"] < len(span.chapters) else ""
    return {
        "number": number,
        "at": one["at"],
        "points": points,
        "text": text,
        "note": f"{chapter} · {note}" if chapter else note,
        "x": span.x(one["at"]),
        "y": float(100 - value),
        "shift": 0,
    }


def spread_marks(picks: list[Pick]) -> None:
    """Move the marks of neighboring decisions on the curve apart, so that all can be read."""
    for before, one in pairwise(picks):
        if one["x"] - before["x"] < MIN_GAP:
            one["shift"] = -MARK_SIZE if before["shift"] > 0 else MARK_SIZE


def find_winners(over: Over, seats: int) -> list[Seat]:
    """Return the winners by the rules, or by the resignation of the other of two; none in an abandoned game."""
    if over["result"] is not None:
        return over["result"]["winners"]
    gone = None if over["ended"] is None else over["ended"].get("seat")
    return [1 - gone] if seats == 2 and gone in (0, 1) else []


def result_title(winners: Sequence[Seat], seats: int, me: Seat | None) -> str:
    """Return the result in a word or two for the viewer."""
    if not winners or me is None:
        return messages.NEUTRAL_RESULT
    if len(winners) == seats:
        return messages.DRAW
    if me not in winners:
        return messages.DEFEAT
    return messages.VICTORY if len(winners) == 1 else messages.SHARED_VICTORY


def banner_letter(plain: Sequence[str], seat: Seat) -> str:
    """Return the letter on a banner without a picture: the first of a name, or the seat's number."""
    first = [initial(name) for name in plain]
    return first[seat] if first.count(first[seat]) == 1 else str(seat + 1)


def build_rounds(game: Game, view: State, seat: Seat) -> Context | None:
    """Return the rounds, a seat's side first; None without rounds or with more than two seats."""
    found = game.rounds(view)
    if not found or game.seats != 2:
        return None
    sides = (seat, 1 - seat)
    most = max(1, *(max(one["values"]) for one in found))
    rows: list[RoundRow] = [
        {
            "name": one["name"],
            "values": [one["values"][side] for side in sides],
            "bars": [round(100 * max(0, one["values"][side]) / most, 1) for side in sides],
            "won": None if one["winner"] is None else sides.index(one["winner"]),
        }
        for one in found
    ]
    return {"rows": rows, "what": game.rounds_count, "sides": sides}


def find_span(course: Course | None) -> Span:
    """Return the length of a game in decisions, and its part before each of them."""
    if course is None:
        return Span(0)
    # Marks with a fraction are moments, which reviews do not count.
    chapters = [name for mark, name in zip(course.marks, course.chapters, strict=True) if mark == int(mark)]
    return Span(int(course.marks[-1]), chapters)


def build_chance_curve(
    names: Sequence[str], seat: Seat, winners: Sequence[Seat], decided: Sequence[JudgedDecision], span: Span
) -> CurveChart | None:
    """Return a seat's chance to win before each of its decisions and at the end; None if too few have been judged."""
    points = sorted((one["at"], round(100 * one["value"])) for one in decided if one["value"] is not None)
    if len(points) < 2:
        return None
    if winners:
        points.append((span.last, round(100 / len(winners)) if seat in winners else 0))
    values = [value for _, value in points]
    title = messages.CHANCE_TITLE.format(whose=of(names[seat]))
    return {
        "title": title,
        "text": messages.CHANCE_CURVE.format(
            title=title, first=values[0], last=values[-1], lowest=min(values), highest=max(values)
        ),
        "axis": build_axis(span),
        "lines": [{"seat": seat, "dash": 0, "drawn": plot_lines([points], span), "end": values[-1]}],
        "levels": ["100 %", "50 %", "0 %"],
    }


def build_score_curve(
    game: Game, names: Sequence[str], seat: Seat, course: Course | None, span: Span
) -> CurveChart | None:
    """Return the score of all seats; None in a game without scores, or without a move."""
    if course is None or not game.counts or len(course.marks) < 2 or not any(map(any, course.scores)):
        return None
    bottom = min(0, *(min(score) for score in course.scores))
    top = max(bottom + 1, *(max(score) for score in course.scores))
    order = sorted(range(game.seats), key=lambda other: other != seat)
    lines: list[Line] = []
    for dash, other in enumerate(order):
        values = [score[other] for score in course.scores]
        points = [
            (mark, 100 * (value - bottom) / (top - bottom)) for mark, value in zip(course.marks, values, strict=True)
        ]
        lines.append({"seat": other, "dash": dash % LINES, "drawn": plot_lines([points], span), "end": values[-1]})
    ends = ", ".join(f"{names[line['seat']]} {line['end']}" for line in lines)
    return {
        "title": game.counts,
        "text": messages.SCORE_CURVE.format(title=game.counts, values=ends),
        "axis": build_axis(span),
        "lines": lines,
        "levels": [str(top), f"{(top + bottom) / 2:g}", str(bottom)],
    }
