"""A review as one page without a server, script or other file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypedDict

from gonfalon.bots.players.reasons import percent
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import YOU, inside, unbroken
from gonfalon.core.text.untrusted import isolate
from gonfalon.review.files import JudgedBelief, JudgedDecision, Review
from gonfalon.review.report import HOW_JUDGED, describe_cards, explain_judging, format_heading, summarize_seat
from gonfalon.review.story import MARK_POINTS, describe_better, find_chance, format_loss, list_likeliest
from gonfalon.web import messages
from gonfalon.web.history.review_charts import Dot, place_dots, split_lines
from gonfalon.web.http.templates import Templates
from gonfalon.web.table.charts import Plot, Span, build_axis, plot_lines

FOLDER: Final = Path(__file__).parents[1] / "templates"
STYLE: Final = Path(__file__).parents[1] / "static" / "review.css"


class Row(TypedDict):
    """A decision in the table."""

    n: int
    text: str
    value: str
    mark: str
    lost: str
    better: str


class Guess(TypedDict):
    """The beliefs about a hidden fact before one decision."""

    n: int
    cases: list[tuple[str, str, bool]]
    truth: str
    true: str


class Hidden(TypedDict):
    """A hidden fact over the game, with the probability of the truth."""

    about: str
    drawn: Plot | None
    rows: list[Guess]


class SeatPart(TypedDict):
    """The part of the page about one seat."""

    seat: int
    name: str
    in_all: str
    mattered: str
    story: list[tuple[int, str]]
    drawn: Plot | None
    dots: list[Dot]
    costly: list[Row]
    rows: list[Row]
    hidden: list[Hidden]


@cache
def load_templates() -> Templates:
    """Return the templates of this page."""
    return Templates(FOLDER, {})


def render_review(found: Review, chapters: Sequence[str] = ()) -> str:
    """Return the whole page."""
    return load_templates().draw(
        "review.html", build_context(found, None, chapters) | {"style": STYLE.read_text("utf-8")}
    )


def build_context(found: Review, me: Seat | None = None, chapters: Sequence[str] = ()) -> dict[str, object]:
    """Return the context of the page. The reader's seat comes first, as "You". `chapters` are the parts of the game
    before each decision and at its end."""
    found = {**found, "names": [isolate(name) for name in found["names"]]}
    if me is not None:
        found = {**found, "names": [YOU if seat == me else name for seat, name in enumerate(found["names"])]}
    span = Span(max((one["at"] + 1 for one in found["decisions"]), default=0), chapters)
    every = sorted(found["sums"], key=lambda sums: sums["seat"] != me)
    told: dict[str, object] = {
        "title": found["title"],
        "names": found["names"],
        "sides": sorted(found["names"], key=lambda name: me is not None and name != YOU),
        "ending": found["ending"],
        "how_judged": HOW_JUDGED,
        "judged_by": explain_judging(found),
        "cards": describe_cards(found),
        "axis": build_axis(span),
        "seats": [build_seat(found, sums["seat"], summarize_seat(found, sums), span) for sums in every],
        "costly": messages.COSTLY_DECISIONS,
        "marks": MARK_POINTS,
        "seed": found["reviewer"]["seed"],
        "record": found["record"],
        "inside": [inside(name) for name in found["names"]],
        "play_on": None,
        "replay": None,
    }
    return {name: join_percent_signs(value) for name, value in told.items()}


def join_percent_signs(value: object) -> object:
    """Return the context with every percent sign kept beside its number."""
    if isinstance(value, str):
        return unbroken(value)
    if isinstance(value, dict):
        return {name: join_percent_signs(part) for name, part in value.items()}
    return type(value)(join_percent_signs(part) for part in value) if isinstance(value, list | tuple) else value


def build_seat(found: Review, seat: int, told: str, span: Span) -> SeatPart:
    """Return the part about a seat."""
    own = [one for one in found["decisions"] if one["seat"] == seat]
    judged = [one for one in own if one["value"] is not None]
    points = [(one["at"], round(100 * (one["value"] or 0.0))) for one in judged]
    if found["result"] is not None and points:
        points.append((span.last, round(100 * found["result"][seat])))
    drawn = plot_lines([points], span) if len(points) > 1 else None
    rows = [build_row(one) for one in own]
    marked = [(one["at"], one["value"] or 0.0, one["mark"]) for one in judged if one["mark"]]
    return {
        "seat": seat,
        "name": found["names"][seat],
        "in_all": told,
        "mattered": format_heading(found, seat),
        "story": [(point["at"] + 1, point["text"]) for point in found["story"] if point["seat"] == seat],
        "drawn": drawn,
        "dots": place_dots(marked, span) if drawn is not None else [],
        "costly": [one for one in rows if one["lost"]],
        "rows": rows,
        "hidden": build_hidden([one for one in found["beliefs"] if one["seat"] == seat], span),
    }


def build_row(one: JudgedDecision) -> Row:
    """Return a decision in the table, with its loss if it is marked."""
    return {
        "n": one["at"] + 1,
        "text": one["text"],
        "value": "" if one["value"] is None else percent(one["value"]),
        "mark": one["mark"],
        "lost": format_loss(one) if one["mark"] else "",
        "better": describe_better(one) if one["mark"] else "",
    }


def build_hidden(beliefs: Sequence[JudgedBelief], span: Span) -> list[Hidden]:
    """Return the beliefs by subject, with the probability of the truth."""
    by_name: dict[str, list[JudgedBelief]] = {}
    for one in beliefs:
        by_name.setdefault(one["about"], []).append(one)
    found: list[Hidden] = []
    for about, some in by_name.items():
        chances = [(one["at"], round(100 * find_chance(one, one["truth"])), one["truth"]) for one in some]
        found.append(
            {
                "about": about[:1].upper() + about[1:],
                "drawn": plot_lines(split_lines(chances), span) if len(chances) > 1 else None,
                "rows": [build_guess(one) for one in some],
            }
        )
    return found


def build_guess(one: JudgedBelief) -> Guess:
    """Return the beliefs before a decision."""
    return {
        "n": one["at"] + 1,
        "cases": [
            (case["text"], percent(case["chance"]), case["text"] == one["truth"]) for case in list_likeliest(one)
        ],
        "truth": one["truth"],
        "true": percent(find_chance(one, one["truth"])),
    }
