"""One's own mistakes, again: what a review puts on the list, what is asked, said and kept on the device."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon.core.english import unbroken
from gonfalon.core.record import load
from gonfalon.table import Tables
from gonfalon.web import practice_cards
from gonfalon.web.practice_cards import COOKIE, Card, reviewed
from tests.web.conftest import find
from tests.web.person import Person, open_table
from tests.web.test_curtain import CANARY

DAY_ONE = 20_000


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Today, which a test may change."""
    today = [DAY_ONE]
    monkeypatch.setattr(practice_cards, "today", lambda: today[0])
    return today


@pytest.fixture
def mistake(client: TestClient, tables: Tables) -> tuple[str, str, str, str]:
    """May's seat at a Duel whose review marks her first play; the exercise, what she chose, and what was better."""
    url = open_table(client, game="duel", opponent="bot:random", name="May", seat="0")
    Person(client, url).play_on()
    record = load(client.get(url + "record.json").text, find)
    at, chosen, best = next(
        (at, record.game.notation(action), record.game.notation(next(one for one in state.actions if one != action)))
        for at, (state, seat, action) in enumerate(record.steps())
        if seat == 0 and state.stack[-1].prompt == "play"
    )
    decided = dict.fromkeys(("asked", "text", "better", "second", "why", "lead_low"), "") | {
        "at": at, "seat": 0, "chosen": chosen, "best": best, "text": "You chose it.",
        "better": "Choose the better one.",
        "second": None, "value": 0.5, "best_value": 0.57, "loss": 0.07, "low": 0.04, "high": 0.1, "lead": 0.07,
        "lead_low": 0.04, "worlds": 64, "referee": None, "mark": "mistake", "why": "It wins.",
    }  # fmt: skip
    key = url.split("/")[2]
    tables.store.keep_review(key, json.dumps(review_of(decided)))
    return url, f"/practice/duel/{key}/0/{at}/", chosen, best


def review_of(decided: dict[str, Any]) -> dict[str, Any]:
    """A review as far as its pages read it."""
    return {
        "format": "gonfalon-review", "format_version": 1, "record": "0", "game": "duel", "title": "Duel", "rules": "1",
        "data": "none", "names": ["May", "Random"], "seats": [0], "result": [0.0, 1.0], "ending": "Random wins.",
        "reviewer": {
            "judge": "the play of the network", "player": "", "referee": "", "network": "", "baseline": "", "seed": 0,
            "discount": 0.75, "budgets": {},
        },
        "par": None, "cards": None, "luck": [], "decisions": [decided], "hindsight": [], "beliefs": [],
        "story": [{"at": decided["at"], "seat": 0, "text": "This mattered."}],
        "sums": [
            {"seat": 0, "decisions": 1, "judged": 1, "loss": 0.07, "low": 0.04, "high": 0.1, "marks": {"mistake": 1}}
        ],
    }  # fmt: skip


def added(client: TestClient, exercise: str) -> None:
    _, _, game, table, seat, at, _ = exercise.split("/")
    answer = client.post(f"/practice/{game}/", data={"table": table, "seat": seat, "at": at})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/practice/{game}/")


def test_a_marked_decision_becomes_an_exercise(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    url, exercise, _, _ = mistake
    page = client.get(url + "review").text
    assert 'action="/practice/duel/"' in page
    assert "Practise this" in page
    assert "No decision of yours" in client.get("/practice/duel/").text
    for _ in range(2):
        added(client, exercise)
    page = client.get("/practice/duel/").text
    assert "One exercise is due today." in page
    assert f'href="{exercise}"' in page


def test_the_position_is_shown_as_the_seat_saw_it(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    url, exercise, _, best = mistake
    page = client.get(exercise).text
    assert "what is best here?" in page
    assert "Choose the better one." not in page
    at = exercise.split("/")[-2]
    mine = set(CANARY.findall(client.get(url + f"replay?at={at}&as=0").text))
    assert set(CANARY.findall(page)) <= mine
    assert f'value="{best}"' in page


def test_what_is_found_comes_back_later_and_later(
    client: TestClient, mistake: tuple[str, str, str, str], day: list[int]
) -> None:
    _, exercise, _, best = mistake
    added(client, exercise)
    waits = []
    for _ in range(4):
        answer = client.post(exercise, data={"act": best})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{exercise}?answer={best}")
        said = unescape(client.get(answer.headers["location"]).text)
        assert "Right: “" in said
        assert "In the game you chose “You chose it”, which gave away 7 points (4 to 10) of the chance to win" in said
        kept = client.cookies.get(COOKIE, path="/practice") or ""
        due = int(kept.strip('"').split(":")[4])
        waits.append(due - day[0])
        assert "Nothing is due today." in client.get("/practice/duel/").text
        day[0] = due
    assert waits == sorted(set(waits)), "each time after longer"


def test_what_is_missed_comes_back_tomorrow(
    client: TestClient, mistake: tuple[str, str, str, str], day: list[int]
) -> None:
    _, exercise, chosen, _ = mistake
    added(client, exercise)
    answer = client.post(exercise, data={"act": chosen}, headers={"x-live": "1"})
    assert (answer.status_code, answer.headers["location"]) == (204, f"?tried={chosen}")
    again = f"{exercise}?tried={chosen}"
    asked = unescape(client.get(again).text)
    assert "is what you chose in the game, and the review found something better. Try once more." in asked
    assert "Choose the better one" not in asked
    answer = client.post(again, data={"act": chosen})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{exercise}?answer={chosen}")
    said = unescape(client.get(answer.headers["location"]).text)
    assert "is what you chose in the game. It gave away 7 points (4 to 10)" in said
    chances = unbroken("The chance to win was 57 % with it, and 50 % with what was chosen.")
    assert f"The review found better: “Choose the better one”. {chances} It wins." in said
    assert "The next exercise comes tomorrow." in client.get("/practice/duel/").text
    day[0] += 1
    assert "One exercise is due today." in client.get("/practice/duel/").text


def test_what_is_found_at_the_second_try_was_missed(
    client: TestClient, mistake: tuple[str, str, str, str], day: list[int]
) -> None:
    _, exercise, chosen, best = mistake
    added(client, exercise)
    first = client.post(exercise, data={"act": chosen})
    second = client.post(first.headers["location"], data={"act": best})
    assert second.headers["location"] == f"{exercise}?answer={best}"
    assert "Right: “" in client.get(second.headers["location"]).text
    assert "The next exercise comes tomorrow." in client.get("/practice/duel/").text
    day[0] += 1
    # Whoever goes back to the page of the second try on another day has not found it at the first one.
    client.post(first.headers["location"], data={"act": best})
    assert "The next exercise comes tomorrow." in client.get("/practice/duel/").text


def test_what_neither_was_chosen_nor_is_best_is_told_from_both(
    client: TestClient, mistake: tuple[str, str, str, str], tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, exercise, other, _ = mistake
    review = json.loads(tables.store.review(exercise.split("/")[3]) or "")
    review["decisions"][0]["chosen"] = "something else"
    monkeypatch.setattr(type(tables.store), "review", lambda store, key: json.dumps(review))
    asked = unescape(client.get(f"{exercise}?tried={other}").text)
    assert "” is not what the review found best. Try once more." in asked
    said = unescape(client.get(f"{exercise}?answer={other}").text)
    assert "” is not what the review found best. In the game you chose “You chose it”, which gave away 7 points" in said
    assert "The review found better: “Choose the better one”." in said


def test_after_a_wrong_try_one_may_see_the_answer(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    _, exercise, chosen, _ = mistake
    asked = client.get(client.post(exercise, data={"act": chosen}).headers["location"]).text
    assert f'id="lesson-answer" href="?answer={chosen}"' in asked
    assert 'id="lesson-answer"' not in client.get(exercise).text


def test_they_can_be_forgotten(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    added(client, mistake[1])
    client.post("/practice/duel/", data={"forget": "1"})
    assert "No decision of yours" in client.get("/practice/duel/").text


def test_bad_input_is_one_sentence(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    exercise = mistake[1]
    for fields in ({}, {"table": "../x", "seat": "0", "at": "1"}, {"table": "x", "seat": "0", "at": "a"}):
        assert client.post("/practice/duel/", data=fields).status_code == 400
    assert client.post(exercise, data={"act": "k99"}).status_code == 409
    assert client.get(exercise + "?answer=k99").status_code == 409
    assert client.get(exercise + "?tried=k99").status_code == 409
    assert client.post(exercise + "?tried=k99", data={"act": mistake[2]}).status_code == 409
    assert client.get(exercise.replace("/0/", "/1/")).status_code == 404
    assert client.get("/practice/duel/x/0/1/").status_code == 404
    running = open_table(client, game="duel", opponent="friend", name="May")
    hidden = client.get(f"/practice/duel/{running.split('/')[2]}/0/2/")
    assert hidden.status_code == 403
    assert not CANARY.search(hidden.text)
    client.cookies.set(COOKIE, "duel:x~~:::", path="/practice")
    assert "No decision of yours" in client.get("/practice/duel/").text


def test_the_schedule_is_that_of_fsrs() -> None:
    # By the formulas of FSRS-6 with its usual parameters: first stability 2.3065 (good), 0.212 (again).
    card = Card("duel", "x", 0, 5, DAY_ONE)
    good, again = reviewed(card, True, DAY_ONE), reviewed(card, False, DAY_ONE)
    assert (good.due - DAY_ONE, round(good.stability, 3)) == (2, 2.307)
    assert (again.due - DAY_ONE, round(again.stability, 3)) == (1, 0.212)
    assert practice_cards.FORM.fullmatch(good.text())


def test_nothing_chosen_is_said(client: TestClient, mistake: tuple[str, str, str, str]) -> None:
    _, exercise, _, _ = mistake
    answer = client.post(exercise, data={})
    assert answer.status_code == 409
    assert "Choose something first." in answer.text


def test_an_answer_whose_notation_has_signs_of_addresses_comes_whole(
    client: TestClient, mistake: tuple[str, str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Generals' `cao-cao#1` and Feint's `#2.1` have."""
    _, exercise, chosen, _ = mistake
    duel = type(find("duel"))
    notation, parse = duel.notation, duel.parse
    monkeypatch.setattr(duel, "notation", lambda game, action: notation(game, action) + "#&")
    monkeypatch.setattr(duel, "parse", lambda game, text: parse(game, text.removesuffix("#&")))
    answer = client.post(exercise, data={"act": chosen})
    assert answer.headers["location"] == f"{exercise}?tried={chosen}%23%26"
    asked = client.get(answer.headers["location"])
    assert asked.status_code == 200
    assert f'action="{exercise}?tried={chosen}%23%26"' in asked.text
