"""The page of a finished game. Its contents follow from the finished record, and no part of it exists during
the game."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, trace_course
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.review.files import JudgedDecision
from gonfalon.review.story import count_effect, find_decisive
from gonfalon.table import Tables
from gonfalon.table.live.views import Over
from gonfalon.testing import random_record
from gonfalon.web.table.charts import Span
from gonfalon.web.table.ending import ReviewNews, build_score_curve, end_context, find_winners, result_title
from gonfalon.web.table.live import TableFrames
from tests.web.person import Person, open_table


def play_record(name: str, seed: int = 3, **options: Any) -> tuple[Record, State]:
    record = random_record(games.game(name, **options), seed)
    return record, record.replay()


# ---- what is told ---------------------------------------------------------------------------------------------------


def build_ending(winners: list[int] | None, gone: int | None = None) -> Over:
    if winners is None:
        ended: Any = {"seat": gone, "how": "resigned"} if gone is not None else {"how": "abandoned", "days": 9}
        return {"text": "", "result": None, "ended": ended}
    return {"text": "", "result": {"winners": winners, "how": "", "why": ""}, "ended": None}


TITLES = (
    (0, build_ending([0]), "Victory"),
    (0, build_ending([1]), "Defeat"),
    (1, build_ending([0, 1]), "Draw"),
    (SPECTATOR, build_ending([1]), "Game over"),
    (0, build_ending(None, gone=0), "Defeat"),
    (1, build_ending(None, gone=0), "Victory"),
    (1, build_ending(None), "Game over"),
)


def test_the_title_is_the_viewers() -> None:
    game = games.game("feint")
    for viewer, end, title in TITLES:
        view = game.start(log=True).mask(viewer)
        names = ["You" if seat == viewer else name for seat, name in enumerate(["May", "Bo"])]
        told = end_context(game, view, names, ["May", "Bo"], end, None, None)
        assert (told["title"], told["curve"], told["rounds"], told["last"]) == (title, None, None, None)
        assert [crest["seat"] for crest in told["banners"]] == ([viewer] if viewer >= 0 else [1])
        assert told["rival"] == (None if viewer < 0 else ["May", "Bo"][1 - viewer])


def test_the_sentence_does_not_repeat_the_result() -> None:
    game = games.game("feint")
    end = build_ending([0]) | {"text": "Victory. You win 4 rounds to Bo's 2."}
    told = end_context(game, game.start(log=True).mask(0), ["You", "Bo"], ["May", "Bo"], end, None, None)
    assert (told["title"], told["text"]) == ("Victory", "You win 4 rounds to Bo's 2.")


def test_some_of_several_winners_share_the_victory() -> None:
    assert result_title([0, 2], 3, 2) == "Shared victory"
    assert result_title([0, 2], 3, 1) == "Defeat"
    assert result_title([0, 1, 2], 3, 1) == "Draw"


# ---- the decisions that mattered ------------------------------------------------------------------------------------


def judge(at: int, loss: float = 0.0, lead: float | None = None, mark: str = "", seat: int = 0) -> JudgedDecision:
    """Return a decision with a chance to win of 40 %: with a loss, or the best one with a lead."""
    one: Any = {
        "at": at, "seat": seat, "asked": "", "chosen": "a", "text": f"Play a{at}.", "best": "b" if loss else "a",
        "better": f"Play b{at}.", "second": "c", "next": f"Play c{at}.", "value": 0.4, "best_value": 0.4 + loss,
        "loss": loss, "low": loss - 0.01, "high": loss + 0.01, "lead": lead,
        "lead_low": None if lead is None else lead - 0.01,
        "worlds": 32, "referee": None, "mark": mark, "why": "",
    }  # fmt: skip
    found: JudgedDecision = one
    return found


def test_three_decisions_are_the_largest_losses_and_the_best_gain_in_order() -> None:
    decided = [
        judge(2, lead=0.08),
        judge(4, loss=0.14, mark="mistake"),
        judge(6, loss=0.06, mark="inaccuracy"),
        judge(8, loss=0.2, mark="blunder"),
        judge(10, lead=0.11),
        judge(12, loss=0.01),
        judge(14, loss=0.9, mark="blunder", seat=1),
    ]
    assert [(one["at"], count_effect(one)) for one in find_decisive(decided, 0)] == [(4, -14), (8, -20), (10, 11)]
    assert [one["at"] for one in find_decisive(decided[:3], 0)] == [2, 4, 6]
    assert [one["at"] for one in find_decisive([decided[0], decided[4], judge(1, lead=0.014)], 0)] == [2, 10]
    assert find_decisive([judge(3, loss=0.01), judge(5, lead=None)], 0) == []


def test_losses_that_the_referee_did_not_confirm_do_not_matter() -> None:
    refused = judge(4, loss=0.14) | {"referee": {"loss": 0.0, "low": -0.1, "high": 0.1}}
    assert find_decisive([refused], 0) == []


def test_another_action_than_the_best_is_no_gain() -> None:
    """The second referee may judge the chosen action 2 points better than the one that the first preferred."""
    better = judge(4, loss=-0.02, lead=0.05)
    assert count_effect(better) == 0
    assert find_decisive([better], 0) == []


def shown(news: ReviewNews | None, viewer: int = 0) -> dict[str, Any]:
    """Return the context of the end of a game of Feint that seat 1 won."""
    record, last = play_record("feint")
    names = ["You" if seat == viewer else name for seat, name in enumerate(["May", "Bo"])]
    course = trace_course(record, OPEN)
    return end_context(record.game, last.mask(viewer), names, ["May", "Bo"], build_ending([1]), course, news)


def test_a_decision_that_mattered_has_its_points_its_part_and_the_alternative() -> None:
    done = ReviewNews(
        "done", [judge(1, loss=0.14, mark="mistake"), judge(3, loss=0.07, mark="mistake"), judge(5, lead=0.11)]
    )
    told = shown(done)
    assert (told["three"], told["look"], told["whose"]) == (True, "", None)
    assert [(pick["number"], pick["points"], pick["text"], pick["note"]) for pick in told["picks"]] == [
        (1, -14, "Play a1. Better: Play b1.", "Round 1 · 54 % instead of 40 %"),
        (2, -7, "Play a3. Better: Play b3.", "Round 1 · 47 % instead of 40 %"),
        (3, 11, "Play a5.", "Round 1 · 40 %, next best 29 %: Play c5"),
    ]
    curve = told["curve"]
    assert (curve["title"], curve["lines"][0]["end"]) == ("Your chance to win", 0), "it ends with the defeat"
    assert {pick["y"] for pick in told["picks"]} == {60.0}
    assert told["picks"][0]["x"] == round(100 / int(told["last"]), 2)
    assert [pick["shift"] for pick in told["picks"]] == [0, 24, -24], "marks beside each other are moved apart"


def test_a_review_that_1_0_0_stored_is_shown() -> None:
    """It has no action in words for the second best, and no lead of a best action that was chosen."""
    stored = [judge(1, loss=0.14, mark="mistake"), judge(3), judge(5, loss=0.004, mark="inaccuracy")]
    for one in stored:
        del one["next"]  # type: ignore[misc]
    told = shown(ReviewNews("done", stored))
    assert [(pick["points"], pick["text"]) for pick in told["picks"]] == [
        (-14, "Play a1. Better: Play b1."),
        (0, "Play a5. Better: Play b5."),
    ]


def test_a_review_in_progress_shows_what_it_has_found() -> None:
    working = ReviewNews("working", [judge(1, loss=0.14, mark="mistake")], 1, 60)
    told = shown(working)
    assert (told["look"], told["three"], len(told["picks"])) == ("wait", False, 1)
    assert (told["news"]["done"], told["news"]["total"]) == (1, 60)
    assert told["curve"]["title"] == "Morale", "one judged decision makes no curve"


def test_the_moves_chosen_for_a_program_are_counted_after_the_end() -> None:
    told = shown(ReviewNews("none", [], chosen={1: {"slow": 1, "crashed": 2}}))
    assert told["chosen"] == ["3 moves chosen for Bo: 2 crashed, 1 slow."]
    assert shown(ReviewNews("none", []))["chosen"] == []


def test_only_players_ask_for_a_review_without_a_click() -> None:
    none = ReviewNews("none", [])
    assert (shown(none)["look"], shown(none, SPECTATOR)["look"], shown(None)["look"]) == ("ask", "", "later")
    assert shown(ReviewNews("failed", [], failed="Why"))["look"] == ""


def test_spectators_see_the_decisions_of_the_winner() -> None:
    done = ReviewNews(
        "done", [judge(1, loss=0.14, mark="mistake"), judge(2, loss=0.07, mark="mistake", seat=1), judge(4, seat=1)]
    )
    told = shown(done, SPECTATOR)
    assert (told["of"], told["whose"], [pick["at"] for pick in told["picks"]]) == (1, "Bo", [2])
    assert (told["curve"]["title"], told["curve"]["lines"][0]["end"]) == ("Bo's chance to win", 100)


def end_of(record: Record, last: State, viewer: int = 0) -> dict[str, Any]:
    names = list(record.names)
    outcome = last.outcome()
    assert outcome is not None
    return end_context(
        record.game, last.mask(viewer), names, names, build_ending(outcome.winners), trace_course(record, OPEN), None
    )


def test_the_curve_of_feint_ends_at_the_morale_left_and_its_rounds_are_those_won() -> None:
    record, last = play_record("feint")
    end = end_of(record, last)
    state: Any = last
    assert trace_course(record, OPEN).scores[-1] == state.morale
    assert [one["won"] for one in end["rounds"]["rows"]] == state.won
    for one in end["rounds"]["rows"]:
        mine, theirs = one["values"][one["won"]], one["values"][1 - one["won"]]
        assert mine >= theirs, "who wins a round has no lower Strategy Rating"


def test_a_curve_has_two_points_and_shows_equal_lines_beside_each_other() -> None:
    game = games.game("feint")
    course = Course([0.0], [""], [[23, 23]])
    assert build_score_curve(game, ["You", "Bo"], 0, course, Span(0)) is None
    curve = build_score_curve(game, ["You", "Bo"], 0, Course([0.0, 5.0], ["", ""], [[23, 23]] * 2), Span(5))
    assert curve is not None
    assert [line["seat"] for line in curve["lines"]] == [0, 1], "the dashed line is drawn over the other"
    assert [line["dash"] for line in curve["lines"]] == [0, 1]


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
    assert [line["seat"] for line in curve["lines"]] == list(range(seats)), "one's own line is the solid one"


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


def test_the_page_of_a_game_without_reviews_keeps_the_chosen_moves(client: TestClient, tables: Tables) -> None:
    """A pushed part does not know them, so it must leave those of the page and let the page fetch them."""
    url = open_table(client, game="duel", opponent="bot:random")
    client.post(url + "concede")
    assert client.portal is not None
    table = client.portal.call(tables.table, url.split("/")[2])
    app: Any = client.app
    frames: TableFrames = app.state.table_frames
    pushed = frames.board(table, url.split("/")[3]).html
    assert 'class="end-decisions" data-look="later"' in pushed
    for page in ("", "decisions"):
        assert "data-look" not in client.get(url + page).text, "nothing is fetched again"


def test_a_resignation_wins_for_the_only_other_seat() -> None:
    """A table abandoned by its people has no winner."""
    for end, winners in (
        (build_ending(None, gone=0), [1]),
        (build_ending(None, gone=1), [0]),
        (build_ending(None), []),
    ):
        assert find_winners(end, 2) == winners
        assert find_winners(end, 3) == []
