"""Reviews of complete games: reproducible, by any number of processes, and stored beside the record."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from io import StringIO
from pathlib import Path
from typing import cast

import pytest

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.review import Review, ReviewError, review
from gonfalon.review.command import stream_review
from gonfalon.review.files import BeliefCase, JudgedBelief, JudgedDecision, SeatTotals, dump_review, load_review
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.report import format_review, summarize_seat
from gonfalon.review.story import find_turning_points, list_likeliest, sum_decisions
from gonfalon.review.work import Workplace, choose_budgets, compute_result, describe_ending
from gonfalon.testing import random_record
from gonfalon.web.history.review_page import SeatPart, build_context, render_review
from tests.measured import measured
from tests.review.guess import DAVID, LOW_HALF, Guess

FEW = Budgets(proposals=2, first=8, again=8, most=8, referee=8, deals=2)


def guessed(action: int) -> Record:
    record = Record(Guess(), ["May", "David"], [(-1, -6), (DAVID, action)])
    record.close(record.replay())
    return record


@cache
def feint() -> Record:
    return random_record(games.game("feint"), 1)


@cache
def short() -> Record:
    """Return the game, resigned early."""
    record = random_record(games.game("feint"), 1, 24)
    record.ended = {"seat": 1, "how": "resigned"}
    return record


@cache
def reviewed() -> Review:
    return review(short(), [0], budgets=FEW)


@pytest.mark.extended
def test_twice_the_same_by_any_number_of_processes() -> None:
    assert dump_review(review(short(), [0], budgets=FEW)) == dump_review(reviewed())
    assert dump_review(review(short(), [0], workers=2, budgets=FEW)) == dump_review(reviewed())


def test_decisions_of_some_seats_come_first_without_another_result() -> None:
    told: list[JudgedDecision] = []
    found = review(short(), budgets=FEW, report=lambda done, count, one: told.append(one), first=[1])
    assert [one["seat"] for one in told] == sorted((one["seat"] for one in told), reverse=True)
    assert sorted(one["at"] for one in told) == [one["at"] for one in found["decisions"]]
    assert [one["at"] for one in told] != [one["at"] for one in reversed(found["decisions"])]
    assert dump_review(found) == dump_review(review(short(), budgets=FEW))


def test_a_review_is_told_line_by_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("gonfalon.review.work.choose_budgets", lambda record: FEW)
    monkeypatch.setattr("sys.stdin", StringIO(short().dumps()))
    stream_review(1, 0)
    *lines, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(line["done"], line["count"]) for line in lines] == [(n, len(lines)) for n in range(1, len(lines) + 1)]
    assert sorted(line["decision"]["at"] for line in lines) == [one["at"] for one in last["review"]["decisions"]]
    running = random_record(games.game("feint"), 1, 24)
    monkeypatch.setattr("sys.stdin", StringIO(running.dumps()))
    stream_review(1, 0)
    assert json.loads(capsys.readouterr().out)["failed"].startswith("This game is not over.")


def test_the_review_of_a_guess() -> None:
    found = review(guessed(3), seed=4)
    [one] = found["decisions"]
    assert (one["at"], one["seat"], one["chosen"], one["best"]) == (1, DAVID, "card-3", "low")
    assert found["story"][0]["text"].startswith("Choose card-3. The chance to win fell by ")
    assert "Better: Choose low." in found["story"][0]["text"]
    assert found["sums"][1]["judged"] == 1
    assert found["sums"][0]["decisions"] == 0
    assert review(guessed(LOW_HALF), seed=4)["story"] == []


def chances_in(text: str) -> list[int]:
    """Return the loss that a sentence states, and the chances to win it states."""
    lost = re.findall(r"chance to win fell by (\d+)\s%", text)
    with_it = re.findall(r"(\d+)\s% instead of (\d+)\s%", text)
    return [int(one) for one in [*lost, *(one for pair in with_it for one in pair)]]


def test_reported_numbers_add_up() -> None:
    """Chances before and after differ by the stated loss on the page, in the terminal and in the file, although that is
    less than the judge found."""
    found = review(guessed(3), seed=4)
    [one] = found["decisions"]
    assert (one["best_value"] or 0.0) - (one["value"] or 0.0) == pytest.approx(one["loss"], abs=2e-4)
    for text in (found["story"][0]["text"], "\n".join(format_review(found)), html.unescape(render_review(found))):
        lost, with_it, without, *_ = chances_in(text)
        assert lost == with_it - without > 10


def story_of(found: Review, marks: int) -> Review:
    """Return the review with a number of marked decisions of the first seat, each with a loss of at least 10 points."""
    one = found["decisions"][0]
    some = [cast("JudgedDecision", {**one, "at": n, "mark": "mistake", "loss": 0.1 + n / 100}) for n in range(marks)]
    seat = one["seat"]
    return {**found, "decisions": some, "story": find_turning_points(some, seat), "sums": [sum_decisions(some, seat)]}


def test_the_number_of_judged_decisions_is_reported() -> None:
    found: Review = {**reviewed(), "names": ["A", "B"]}
    many: SeatTotals = {"seat": 0, "decisions": 49, "judged": 49, "marks": {}}
    assert summarize_seat(found, many) == "A made 49 decisions, all judged; no mistakes."
    one: SeatTotals = {"seat": 0, "decisions": 1, "judged": 1, "marks": {"mistake": 1}}
    assert summarize_seat(found, one) == "A made 1 decision, all judged: 1 mistake."


def test_decisions_of_more_than_three_seats_get_fewer_worlds() -> None:
    """Four seats have 9 sixteenths of 32 worlds and five seats 9 of 25, in lots of 8."""
    for seats, first in ((2, 32), (3, 32), (4, 16), (5, 8)):
        assert choose_budgets(Record(games.game("factionwars", seats=seats))).first == first


def test_seats_have_the_names_of_the_record() -> None:
    """Faction Wars uses seat numbers only for unnamed players."""
    record = random_record(games.game("factionwars"), 1, 12)
    record.names, record.ended = ["Ada", "Bo", "Cy"], {"seat": -1, "how": "abandoned"}
    found = review(record, [1], budgets=FEW)
    assert {one["about"] for one in found["beliefs"]} == {"Ada's goal", "Cy's goal"}
    assert "Player " not in dump_review(found)


def test_earlier_judgments_do_not_influence_later_ones() -> None:
    """With several workers earlier decisions were judged in other processes. A stored memory of nonsense would change
    the games."""
    record = random_record(measured("feint"), 1)
    alone, after = Workplace(record, 3, FEW), Workplace(record, 3, FEW)
    at = next(at for at, (seat, _) in enumerate(record.decisions) if seat >= 0)
    view = after.positions[at].mask(record.decisions[at][0])
    learnt = after.table.learnt
    assert learnt is not None
    learnt.policies([after.positions[at]])
    learnt.evaluator.cached_policies[:] = [[0.0] * (len(view.actions) - 1) + [1.0]]
    learnt.evaluator.cached_policies[:] = [[0.0] * len(one) for one in learnt.evaluator.cached_policies]
    assert dumps_of(after, at) == dumps_of(alone, at)


def dumps_of(desk: Workplace, at: int) -> str:
    """Return a decision as judged at a desk."""
    return repr(desk.judge_decision(at)._replace(spent=0.0))


def test_the_reader_comes_first_and_is_you() -> None:
    found = review(guessed(3), seed=4)
    told = build_context(found, DAVID)
    assert [part["name"] for part in cast("list[SeatPart]", told["seats"])] == ["You", "May"]
    assert cast("list[SeatPart]", told["seats"])[0]["in_all"].startswith("You made 1 decision, all judged")
    assert [part["name"] for part in cast("list[SeatPart]", build_context(found)["seats"])] == ["May", "David"]


def test_progress_is_reported() -> None:
    heard: list[tuple[int, int]] = []
    review(guessed(1), budgets=FEW, report=lambda number, count, _: heard.append((number, count)))
    assert heard == [(1, 1)]


def test_a_game_that_goes_on_is_refused() -> None:
    with pytest.raises(ReviewError, match="not over"):
        review(random_record(Guess(), 1, 1))


@pytest.mark.parametrize(("how", "said"), [("resigned", "May resigned."), ("time", "May ran out of time.")])
def test_a_player_that_resigns_has_lost(how: str, said: str) -> None:
    record = Record(Guess(), ["May", "David"], ended={"seat": 0, "how": how})
    assert compute_result(record) == [0.0, 1.0]
    assert describe_ending(record, record.names) == said


def test_a_closed_table_has_no_winner() -> None:
    assert compute_result(Record(Guess(), ended={"seat": -1, "how": "abandoned"})) is None


def test_a_changed_record_is_reviewed_again(tmp_path: Path) -> None:
    found = review(guessed(1), budgets=FEW)
    path = tmp_path / "a.review.json"
    path.write_text(dump_review(found), "utf-8")
    assert load_review(path, found["record"], found["reviewer"], [0, 1]) == found
    assert load_review(path, found["record"], found["reviewer"], [0]) is None
    assert load_review(path, "", found["reviewer"], [0, 1]) is None
    for text in ("{", "{}", "[]"):
        path.write_text(text, "utf-8")
        assert load_review(path, found["record"], found["reviewer"], [0, 1]) is None


def believed(truth: str, *chances: float) -> JudgedBelief:
    """Return beliefs about a card with these probabilities."""
    cases: list[BeliefCase] = [{"text": f"card {n}", "chance": chance} for n, chance in enumerate(chances, 1)]
    return {"at": 0, "seat": 0, "about": "their card", "likely": cases, "truth": truth}


@pytest.mark.parametrize(
    ("one", "named"),
    [
        (believed("card 6", 0.4, 0.3, 0.15, 0.08, 0.04, 0.03), [1, 2, 3, 6]),
        (believed("card 9", 0.6, 0.399, 0.001), [1, 2, 3, 9]),
    ],
)
def test_beliefs_name_the_truth(one: JudgedBelief, named: list[int]) -> None:
    assert [case["text"] for case in list_likeliest(one)] == [f"card {n}" for n in named]
    drawn = html.unescape(render_review({**reviewed(), "beliefs": [one]}))
    assert f'<span class="true">{one["truth"]}</span>: ' in drawn


# ---- the page -----------------------------------------------------------------------------------


def test_the_page_needs_nothing_else() -> None:
    text = render_review(reviewed())
    assert "<script" not in text
    assert "http" not in text
    assert "src=" not in text
    assert text.count('<div class="chart') == text.count('role="img" aria-label="')


def test_names_are_text() -> None:
    record = guessed(1)
    record.names = ["<b>May", "David"]
    assert "<b>May" not in render_review(review(record, budgets=FEW))
