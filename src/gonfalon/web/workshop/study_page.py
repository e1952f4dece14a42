"""The page of a study: its progress, and its effects as numbers and lines.

All numbers are in units of a viewBox, so that the page needs no styles for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from gonfalon.lab.charts.charts import FILLED_NOTE
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.whatif import report
from gonfalon.lab.studies.whatif.report import (
    describe_end,
    describe_missing,
    describe_savings,
    name_sides,
    reported_half,
)
from gonfalon.lab.studies.whatif.request_process import StudyRequest
from gonfalon.lab.studies.whatif.whatif import LIMIT_REACHED, STOPPED, Answer, Effect
from gonfalon.table.store.jobs.study_rows import StudyRow
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context

WIDE, MIDDLE, REACH = 300, 150, 138
"""The picture of an interval: its width, the position of no difference, and the reach to either side of it."""
ROUND: Final = (0.5, 1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
LEFT, RIGHT, TOP, BOTTOM = 34, 352, 8, 148
"""The box in which the lines of the path are drawn."""
WHOLE: Final = 1.0
"""The largest possible change of a share."""
STEPS: Final = 6
"""The number of rows of the table of the path."""
MINUS: Final = "−"


def study_context(asked: StudyRequest, row: StudyRow, answer: Answer | None) -> Context:
    """Return the context of study.html."""
    state = "failed" if row.failed else "over" if row.over else "works" if row.works else "waits"
    context: Context = {
        "state": state,
        "failed": row.failed,
        "before": row.before,
        "stopping": row.stop and not row.over,
        "points": f"{100 * asked.precision:g}",
        "seconds": f"{asked.seconds:g}",
        "sets": list(asked.sets),
        "players": asked.players,
        "answer": None,
        "said": describe_progress(state, row),
        "files": [],
    }
    if answer is None:
        return context
    names = overrides.map_names(answer.game, {})
    context["answer"] = build_answer(answer, names)
    context["said"] = describe_progress(state, row, context["answer"]["head"])
    context["progress"] = measure_progress(asked, answer)
    context["ended"] = describe_ending(asked, answer) if row.over else ""
    context["files"] = list_files(answer) if state == "over" else []
    return context


def describe_progress(state: str, row: StudyRow, head: str = "") -> str:
    """Return the progress of a study for screen readers."""
    if state == "waits":
        if row.before > 1:
            return messages.STUDIES_BEFORE.format(count=row.before)
        return messages.ONE_STUDY_BEFORE if row.before else messages.STUDY_STARTS
    if state == "works":
        return messages.SO_FAR.format(result=head) if head else messages.GAMES_PLAYED
    return row.failed or messages.STUDY_OVER.format(result=head)


def build_answer(answer: Answer, names: dict[str, str]) -> Context:
    """Return all results so far."""
    sides = [name_sides(effect, names) for effect in answer.sides]
    met = [name_sides(effect, names) for effect in answer.matchups]
    return {
        "head": summarize_answer(answer, sides),
        "games": f"{answer.games:,}",
        "deals": f"{answer.games // 2:,}",
        "saved": describe_savings(answer),
        "tiles": build_tiles(answer, sides),
        "parts": [
            part
            for part in (
                build_part(
                    "Who gains, who loses", "Points of the share of victories over all opponents.", answer, sides, 100
                ),
                build_part(
                    "Against whom",
                    f"Points of the first named, in each matchup. {describe_missing(answer)}",
                    answer,
                    met,
                    100,
                ),
                build_part("How long games are", "A game, on the average.", answer, answer.length, 1),
                build_part("How games end", "Points of the share of all games.", answer, answer.endings, 100),
                build_part("Who begins", "Points of the share of victories.", answer, answer.first, 100),
            )
            if part["rows"]
        ],
        "filled": FILLED_NOTE,
        "path": build_path(answer),
        "digest": answer.digest,
        "version": answer.version,
        "data": (answer.before, answer.after),
    }


def summarize_answer(answer: Answer, sides: Sequence[Effect]) -> str:
    """Return the most important effect in a sentence."""
    if not sides:
        return ""
    first = sides[0]
    moved = f"{format_signed(100 * first.difference)} points, ±{100 * reported_half(answer, first):.1f}"
    sure = "more than chance would do" if report.is_significant(answer, first) else "perhaps nothing"
    return f"{first.what} {moved}: {sure}{' so far' if answer.ended == STOPPED and not answer.digest else ''}."


def format_signed(value: float, places: int = 1) -> str:
    """Return a number such as `+3.1` or `−0.2`."""
    # A true minus sign is as wide as a plus sign.
    return f"{value:+.{places}f}".replace("-", MINUS)


def build_tiles(answer: Answer, sides: Sequence[Effect]) -> list[Context]:
    """Return the tiles at the top of a study's page, with its most important figures."""
    made = [build_tile(answer, effect, 100, f"points for {effect.what}") for effect in sides[:1]]
    made += [build_tile(answer, effect, 1, f"{effect.what} a game") for effect in answer.length[-1:]]
    made.append(
        {
            "figure": f"{100 * (1 - answer.alike):.0f} %",
            "half": "",
            "words": report.describe_flips(answer),
            "sure": False,
        }
    )
    return made


def build_tile(answer: Answer, effect: Effect, scale: float, words: str) -> Context:
    """Return the tile of an effect."""
    places = 1 if scale > 1 else 2
    if effect.before is not None and effect.after is not None:
        words += f": {scale * effect.before:.1f} before, {scale * effect.after:.1f} after"
    return {
        "figure": format_signed(scale * effect.difference, places),
        "half": f"±{scale * reported_half(answer, effect):.{places}f}",
        "words": words,
        "sure": report.is_significant(answer, effect),
    }


# ---- effects as lines -------------------------------------------------------------------------------------------


def build_part(title: str, words: str, answer: Answer, effects: Sequence[Effect], scale: float) -> Context:
    """Return the part of the page about effects of one kind, drawn to one scale."""
    reach = choose_reach([scale * (abs(e.difference) + e.at_any_time) for e in effects if e.at_any_time < inf])
    if scale > 1:
        reach = min(reach, scale * WHOLE)
    return {
        "title": title,
        "id": title.split()[0].lower() + "-" + title.split()[-1].lower(),
        "words": words,
        "unit": "%" if scale > 1 else "",
        "reach": f"{reach:g}",
        "rows": [build_row(answer, effect, scale, reach) for effect in effects],
    }


def choose_reach(widths: Sequence[float]) -> float:
    """Return a round number that no interval exceeds, except perhaps the first ones of a study."""
    widest = max(widths, default=1.0)
    return next((number for number in ROUND if number >= widest), ROUND[-1])


def build_row(answer: Answer, effect: Effect, scale: float, reach: float) -> Context:
    """Return an effect with its figures and their places."""

    def at(value: float) -> float:
        return round(MIDDLE + REACH * max(-1.0, min(1.0, scale * value / reach)), 1)

    def span(half: float) -> Context:
        low, high = at(effect.difference - half), at(effect.difference + half)
        # A very narrow interval would be invisible.
        return {"x": low, "wide": round(max(2.0, high - low), 1)}

    places = 1 if scale > 1 else 2
    return {
        "what": effect.what[:1].upper() + effect.what[1:],
        "before": "" if effect.before is None else f"{scale * effect.before:.1f}",
        "after": "" if effect.after is None else f"{scale * effect.after:.1f}",
        "difference": format_signed(scale * effect.difference, places),
        "half": f"±{scale * reported_half(answer, effect):.{places}f}",
        "sure": report.is_significant(answer, effect),
        "x": at(effect.difference),
        "ends": span(effect.half),
        "any": span(effect.at_any_time),
    }


def build_path(answer: Answer) -> Context | None:
    """Return the path of the difference during the study; None before there are two points."""
    path = answer.path
    if len(path) < 2:
        return None
    seen = [span for _, mean, _, wide in path for span in (mean - wide, mean + wide)]
    low, high = max(-WHOLE, min(0.0, *seen)), min(WHOLE, max(0.0, *seen))
    first, last = path[0][0], path[-1][0]

    def point(games: float, value: float) -> str:
        x = LEFT + (RIGHT - LEFT) * (games - first) / (last - first)
        return f"{x:.1f} {y_of(value):.1f}"

    def y_of(value: float) -> float:
        return TOP + (BOTTOM - TOP) * (high - max(low, min(high, value))) / (high - low)

    def band(halves: list[float]) -> str:
        up = [point(games, mean + half) for (games, mean, _, _), half in zip(path, halves, strict=True)]
        down = [point(games, mean - half) for (games, mean, _, _), half in zip(path, halves, strict=True)]
        return "M" + "L".join([*up, *reversed(down)]) + "Z"

    step = next(number for number in ROUND if (high - low) * 100 / number <= 6 or number == ROUND[-1])
    ticks = [n * step for n in range(int(-(-low * 100 // step)), int(high * 100 // step) + 1)]
    return {
        "line": "M" + "L".join(point(games, mean) for games, mean, _, _ in path),
        "ends": band([half for _, _, half, _ in path]),
        "any": band([wide for _, _, _, wide in path]),
        "zero": round(y_of(0.0), 1),
        "ticks": [{"y": round(y_of(tick / 100), 1), "label": format_signed(tick, 0).lstrip("+")} for tick in ticks],
        "first": f"{first:,}",
        "last": f"{last:,}",
        "rows": build_path_rows(path),
    }


def build_path_rows(path: Sequence[tuple[int, float, float, float]]) -> list[Context]:
    """Return about STEPS points of a path for its table, with the last one."""
    steps = list(path[:: max(1, len(path) // STEPS)])
    # The last point is the result, so it is always shown.
    steps += path[-1:] if steps[-1] != path[-1] else []
    return [
        {
            "games": f"{games:,}",
            "mean": format_signed(100 * mean),
            "half": f"±{100 * half:.1f}",
            "wide": f"±{100 * wide:.1f}",
        }
        for games, mean, half, wide in steps
    ]


# ---- where it stands ----------------------------------------------------------------------------------------------


def measure_progress(asked: StudyRequest, answer: Answer) -> Context:
    """Return the share of its games, or of its time, that a study has had, and the expected total."""
    share = max(answer.games / max(1, answer.needed), min(1.0, answer.spent / asked.seconds))
    left = answer.spent * max(0.0, answer.needed / max(1, answer.games) - 1)
    held = answer.spent + left > asked.seconds
    return {
        "share": round(100 * min(1.0, share)),
        "left": round(max(0.0, asked.seconds - answer.spent) if held else left),
        "held": held,
    }


def describe_ending(asked: StudyRequest, answer: Answer) -> str:
    """Return why a study ended, in a sentence or two."""
    told = describe_end(answer)
    if answer.ended == LIMIT_REACHED:
        told = messages.TIME_LIMIT.format(seconds=f"{asked.seconds:g}", result=told)
    return told


def list_files(answer: Answer) -> list[Context]:
    """Return the charts by their file names."""
    found = [("sides", "Who gains, who loses")]
    found += [("matchups", "Against whom")] if answer.matchups else []
    found += [("lengths", "How long games are")] if answer.rounds_of else []
    return [
        {"name": name, "title": title} for name, title in [*found, ("endings", "How games end"), ("path", "How sure")]
    ]
