"""The page of a finished game. Its contents follow from the finished record, and no part of it exists during
the game."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.bots.players.choice import Choice, Estimate
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, trace_course
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.table import Tables
from gonfalon.table.live.views import Over
from gonfalon.testing import random_record
from gonfalon.web.table.charts import build_curve
from gonfalon.web.table.ending import Told, end_context, find_winners, summarize_game
from gonfalon.web.table.live import TableFrames
from tests.web.person import Person, open_table

FIVE = Course([0, 1, 2, 3, 4], ["", "Round 1", "Round 1", "Round 2", "Round 2"], [])
"""Five steps are 80 apart, from 6 to 326."""


def play_record(name: str, seed: int = 3, **options: Any) -> tuple[Record, State]:
    record = random_record(games.game(name, **options), seed)
    return record, record.replay()


# ---- charts -------------------------------------------------------------------------------------------------------


def test_where_a_single_line_turned_most_is_numbered() -> None:
    """Of changes of 30, 4, 6, 8 and 7 three are numbered in order, and none below 5."""
    points = [(0, 50), (1, 20), (2, 24), (3, 30), (4, 22), (4, 29)]
    drawn = build_curve(FIVE, [(0, points)], 0, 100)
    assert [(turn["number"], turn["mark"], turn["before"], turn["after"]) for turn in drawn["turns"]] == [
        (1, "0", 50, 20),
        (2, "3", 30, 22),
        (3, "4", 22, 29),
    ]
    first = drawn["turns"][0]
    assert (first["x"], first["y"], first["name"]) == (86, 152.4, "Round 1")  # 188 less a fifth of 178
    assert build_curve(FIVE, [(0, points), (1, points)], 0, 100)["turns"] == []
    assert build_curve(FIVE, [(0, [(0, 50), (1, 54)])], 0, 100)["turns"] == []


def test_a_curve_runs_through_its_values() -> None:
    drawn = build_curve(FIVE, [(1, [(0, 0), (1, 10), (2, 5), (4, 10)])])
    [line] = drawn["lines"]
    assert line["path"] == "M6.0 188.0 L86.0 10.0 L166.0 99.0 L326.0 10.0"
    assert (line["seat"], line["end"], line["x"], line["y"]) == (1, 10, 326, 10)
    assert [(tick["x"], tick["middle"], tick["label"]) for tick in drawn["ticks"]] == [(86, 126, "1"), (246, 286, "2")]
    assert drawn["grid"] == [(188, 0), (99, 5), (10, 10)]
    # At the end of round 1, which is step 2, it stood at 5.
    assert [(row["name"], row["mark"], row["values"]) for row in drawn["rows"]] == [
        ("Round 1", "1", [5]),
        ("Round 2", "3", [10]),
    ]


# ---- what is told ---------------------------------------------------------------------------------------------------


def build_ending(winners: list[int] | None, gone: int | None = None) -> Over:
    if winners is None:
        ended: Any = {"seat": gone, "how": "resigned"} if gone is not None else {"how": "abandoned", "days": 9}
        return {"text": "", "result": None, "ended": ended}
    return {"text": "", "result": {"winners": winners, "how": "", "why": ""}, "ended": None}


TITLES = (
    (0, build_ending([0]), "Victory"),
    (0, build_ending([1]), "Defeat"),
    (1, build_ending([0, 1]), "Shared victory"),
    (SPECTATOR, build_ending([1]), "Bo wins"),
    (0, build_ending(None, gone=0), "Defeat"),
    (1, build_ending(None, gone=0), "Victory"),
    (1, build_ending(None), "The end"),
)


def test_the_title_is_the_viewers() -> None:
    game = games.game("feint")
    for viewer, end, title in TITLES:
        view = game.start(log=True).mask(viewer)
        names = ["You" if seat == viewer else name for seat, name in enumerate(["May", "Bo"])]
        told = end_context(game, view, names, ["May", "Bo"], end, None)
        assert (told["title"], told["curve"], told["rounds"]) == (title, None, None)


def thinking(value: float) -> Choice:
    return Choice(0, "", Estimate(value, value, value))


def test_an_enemys_chance_is_the_complement_of_the_readers() -> None:
    record, last = play_record("feint")
    own = [number for number, (seat, _) in enumerate(record.decisions) if seat == 1][:3]
    told = summarize_game(record, dict(zip(own, map(thinking, (0.3, 0.65, 0.8)), strict=True)))
    assert told.chances is not None
    assert told.chances.seat == 1
    for viewer, value in ((0, [70, 35, 20]), (1, [30, 65, 80])):
        names = ["May", "Bo"]
        names[viewer] = "You"
        context = end_context(record.game, last.mask(viewer), names, ["May", "Bo"], build_ending([1]), told)
        assert context["curve"]["title"] == "Your chance to win"
        assert f"from {value[0]} % to {value[2]} %" in context["curve"]["text"]
        assert [line["end"] for line in context["curve"]["drawn"]["lines"]] == [value[2]]
    # Two told chances make no curve: then the game's own measure is shown.
    few = summarize_game(record, dict(zip(own, map(thinking, (0.3, 0.65)), strict=False)))
    assert few.chances is None


def end_of(record: Record, last: State, viewer: int = 0) -> dict[str, Any]:
    names = list(record.names)
    outcome = last.outcome()
    assert outcome is not None
    return end_context(
        record.game,
        last.mask(viewer),
        names,
        names,
        build_ending(outcome.winners),
        Told(trace_course(record, OPEN), None),
    )


def test_the_curve_of_feint_ends_at_the_morale_left_and_its_rounds_are_those_won() -> None:
    record, last = play_record("feint")
    end = end_of(record, last)
    state: Any = last
    assert trace_course(record, OPEN).scores[-1] == state.morale
    assert [one["winner"] for one in end["rounds"]["rows"]] == state.won
    for one in end["rounds"]["rows"]:
        mine, theirs = one["values"][one["winner"]], one["values"][1 - one["winner"]]
        assert mine >= theirs, "who wins a round has no lower Strategy Rating"


def test_the_curve_of_jinkei_ends_at_its_points_and_never_falls() -> None:
    record, last = play_record("jinkei", games=2)
    state: Any = last
    run = trace_course(record, OPEN)
    assert run.scores[-1] == state.totals
    for before, after in pairwise(run.scores):
        assert all(one <= other for one, other in zip(before, after, strict=True)), "what was taken stays taken"
    rows = end_of(record, last)["rounds"]["rows"]
    assert [sum(one["values"][seat] for one in rows) for seat in (0, 1)] == state.totals
    assert len(rows) == 6
    # To a seat's eyes taken cards are gone: only finished rounds count.
    seen = trace_course(record, 0)
    assert len({tuple(score) for score in seen.scores}) <= len(rows) + 1 < len({tuple(score) for score in run.scores})


def test_the_curve_of_generals_is_resource() -> None:
    record, last = play_record("generals")
    state: Any = last
    run = trace_course(record, OPEN)
    assert run.scores[-1] == [len(deck) for deck in state.deck]
    assert run.chapters[-1] == f"Turn {state.number}"


def test_the_curve_of_faction_wars_ends_at_the_totals() -> None:
    seats = 3
    record, last = play_record("factionwars", seats=seats)
    state: Any = last
    assert trace_course(record, OPEN).scores[-1] == state.totals
    curve = end_of(record, last)["curve"]
    assert sorted(curve["seats"]) == list(range(seats))
    assert curve["seats"][0] == 0, "one's own line is the solid one"


# ---- the page -----------------------------------------------------------------------------------------------------


def test_while_the_game_runs_nothing_of_it_exists(client: TestClient, tables: Tables) -> None:
    url = open_table(client, opponent="bot:random")
    assert client.portal is not None
    table = client.portal.call(tables.table, url.split("/")[2])
    app: Any = client.app
    frames: TableFrames = app.state.table_frames
    person = Person(client, url)
    for _ in range(6):
        assert 'id="end"' not in person.look().html
        assert frames.ending(table) is None
        if answers := person.look().answers():
            person.send(answers[0])
    for page in ("replay", "replay?step=0", "replay?at=0&as=all"):
        for headers in ({}, {"X-Live": "1"}):
            answer = client.get(url + page, headers=headers)
            assert answer.status_code == 403
            assert "after the game" in answer.text
    client.post(url + "concede")
    html = person.look().html
    assert 'id="end"' in html
    assert re.search(r'<h2 id="end-h">Defeat</h2><p id="status"[^>]*>You resigned.</p>', html)
    assert 'action="rematch"' in html
    assert 'href="replay"' in html
    assert frames.ending(table) is not None


def test_a_resignation_wins_for_the_only_other_seat() -> None:
    """A table abandoned by its people has no winner."""
    for end, winners in (
        (build_ending(None, gone=0), [1]),
        (build_ending(None, gone=1), [0]),
        (build_ending(None), []),
    ):
        assert find_winners(end, 2) == winners
        assert find_winners(end, 3) == []
