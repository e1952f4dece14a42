"""The charts of a review: positions of numbers, breaks of lines, and labels along the axis."""

from __future__ import annotations

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.testing import random_record
from gonfalon.web.history.review_charts import ABOVE, BELOW, chapters_of, place_dots, split_lines
from gonfalon.web.table.charts import Span, plot_lines


def test_a_line_breaks_off_where_something_else_becomes_true() -> None:
    """Three rounds hold two beliefs about a 4, one about a 6, and two about a 4 again."""
    points = [(0, 10, "4"), (1, 20, "4"), (4, 70, "6"), (8, 30, "4"), (10, 60, "4")]
    lines = split_lines(points)
    assert lines == [[(0, 10), (1, 20)], [(4, 70)], [(8, 30), (10, 60)]]
    drawn = plot_lines(lines, Span(10))
    assert drawn["paths"] == ["M0 90L100 80", "M800 70L1000 40"]
    assert drawn["areas"][0] == "M0 90L100 80L100 100L0 100Z"
    assert drawn["alone"] == [{"x": 40.0, "y": 30.0}]
    assert split_lines([]) == []


def test_the_parts_of_a_record_are_those_before_each_decision() -> None:
    record = random_record(games.game("feint"), 1)
    found = chapters_of(record)
    assert len(found) == len(record.decisions) + 1
    assert found[:-1] == [record.game.chapter(state) for state, _, _ in record.steps()]
    damaged = Record(record.game, record.names, [*record.decisions[:3], (0, 4000)])
    assert chapters_of(damaged) == []


def test_no_number_lies_on_a_sign_or_on_another_number() -> None:
    """On a phone two of a hundred decisions are three units apart. A sign is twelve wide, a digit seven."""
    alone = place_dots([(50, 0.5, "blunder")], Span(100))
    assert [(dot["x"], dot["y"], dot["label"]) for dot in alone] == [(50.0, 50.0, ABOVE)]
    below = place_dots([(50, 0.5, "blunder"), (51, 0.6, "mistake")], Span(100))
    assert [dot["label"] for dot in below] == [BELOW, ABOVE]
    crowded = place_dots([(48, 0.5, "blunder"), (50, 0.5, "blunder"), (52, 0.5, "mistake")], Span(100))
    assert [dot["label"] for dot in crowded] == [ABOVE, BELOW, None]
    at_the_foot = place_dots([(50, 0.01, "blunder"), (51, 0.15, "mistake")], Span(100))
    assert at_the_foot[0]["label"] is None
