"""Pages of first games and exercises, by forms and links alone, from only the view of the player's seat."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.lessons import shelf
from tests.lessons.test_lessons import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_goes_by_links_and_forms(client: TestClient, game: str) -> None:
    name = "first"
    course = shelf.load_course(games.find_game_class(game), name)
    url = f"/learn/{game}/{name}/"
    for place, step in enumerate(course.steps):
        answer = client.get(url, params={"step": place})
        assert answer.status_code == 200
        for pointed in step.note.point if step.note else ():
            seal, _, found = pointed.rpartition(":")
            assert f'id="{found}" data-pointed' + (f' data-seal="{seal}"' if seal else "") in answer.text, place
        if step.asks is None:
            assert (f'href="?step={place + 1}"' in answer.text) == (place < len(course.steps) - 1)
            continue
        assert f'href="?step={place + 1}"' not in answer.text
        right = client.post(f"{url}?step={place}", data={"act": course.noted.game.notation(step.asks)})
        assert (right.status_code, right.headers["location"]) == (303, f"{url}?step={place + 1}")
    assert 'href="?step=end"' in client.get(url, params={"step": len(course.steps) - 1}).text
    assert "You know how to play" in client.get(url, params={"step": "end"}).text


def test_a_wrong_move_is_answered_and_the_step_stays(client: TestClient) -> None:
    course = shelf.load_course(games.find_game_class("feint"), "first")
    place = next(n for n, step in enumerate(course.steps) if step.asks is not None)
    url = f"/learn/feint/first/?step={place}"
    wrong = client.post(url, data={"act": "pass"})
    assert wrong.status_code == 409
    assert "After a pass you play no more cards this round." in wrong.text
    assert f'data-place="{place}"' in wrong.text
    assert client.post(url, data={"act": "hop"}).status_code == 400
    assert client.post(url, data={}).status_code == 409


def test_a_card_that_is_only_lifted_changes_no_other_answer(client: TestClient) -> None:
    name, lifted = "first", "knight-of-4"
    course = shelf.load_course(games.find_game_class("feint"), name)
    asks = [step.asks for step in course.steps]
    place = asks.index(course.noted.game.parse("pass"))
    url = f"/learn/feint/{name}/?step={place}"
    assert f'name="part1" value="{lifted}"' in client.get(url).text
    right = client.post(url, data={"act": "pass", "part1": lifted})
    assert (right.status_code, right.headers["location"]) == (303, url.replace(f"={place}", f"={place + 1}"))


def test_an_address_without_its_slash_leads_on(client: TestClient) -> None:
    learned = ("/learn", "/learn/feint", "/learn/feint/first", "/library", "/library/feint", "/puzzles/feint/9")
    for address in (*learned, "/workshop", "/workshop/feint"):
        answer = client.get(f"{address}?step=1")
        assert (answer.status_code, answer.headers["location"]) == (308, f"{address}/?step=1")


def test_there_is_nothing_at_other_addresses(client: TestClient) -> None:
    for address in ("chess/", "feint/none/", "feint/first/?step=999", "feint/first/?step=x"):
        assert client.get(f"/learn/{address}").status_code == 404


@pytest.mark.parametrize(
    ("game", "secrets", "until"),
    [
        # What May has played face down, until both have passed and it is turned up; and what she never shows.
        ("feint", ("Covert", "Smoke"), "patriot@2"),
        ("generals", ("Guan Yu", "Liu Bei", "Forced March"), None),
    ],
)
def test_a_lesson_shows_nothing_that_its_seat_may_not_know(
    client: TestClient, game: str, secrets: tuple[str, ...], until: str | None
) -> None:
    course = shelf.load_course(games.find_game_class(game), "first")
    last = len(course.steps) - 1
    if until is not None:
        last = next(n for n, s in enumerate(course.steps) if s.asks == course.noted.game.parse(until))
    for place in range(last + 1):
        html = client.get(f"/learn/{game}/first/?step={place}", headers={"x-live": "1"}).text
        assert 'id="table"' in html
        assert not [word for word in secrets if word in html], place


@pytest.mark.parametrize(
    ("game", "side"), [("feint", "Guards of Keion"), ("generals", "Vanguard of Wei"), ("jinkei", "")]
)
def test_a_lesson_ends_with_a_real_game_with_the_same_side(client: TestClient, game: str, side: str) -> None:
    page = client.get(f"/learn/{game}/first/?step=end").text
    assert (f"You play {side} again." in page) == bool(side)
    noted = shelf.find_lesson(games.find_game_class(game), "first")
    assert all(one in page for one in noted.learned)
    form = page[page.index('action="/tables"') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[: form.index("</form>")]))
    assert (fields["game"], fields["opponent"]) == (game, "bot:gentle")
    opened = client.post("/tables", data=fields)
    assert opened.status_code == 303
    assert side in client.get(opened.headers["location"]).text


def test_the_reason_for_a_move_is_told_on_request(client: TestClient) -> None:
    url = "/learn/feint/first/?step=4"
    reason = "Your battle is at 6, and Strength counts times the Location’s number."
    page = client.get(url).text
    assert reason not in page
    assert 'href="?step=4&amp;why=1"' in page
    told = client.get(f"{url}&why=1").text
    assert reason in told
    assert 'id="lesson-why"' in told  # the buttons beside it keep their places
    # An exercise gives a hint instead, and no step of another kind has any.
    assert "Hint</a>" in client.get("/learn/feint/room/").text
    assert "lesson-why" not in client.get("/learn/feint/first/").text


def test_an_exercise_leads_to_the_next_one_and_the_last_to_a_real_game(client: TestClient) -> None:
    rows = [one for one in shelf.list_lessons(games.find_game_class("feint")) if one.kind == "exercise"]
    for one, following in zip(rows, [*rows[1:], None], strict=True):
        last = len(shelf.load_course(games.find_game_class("feint"), one.name).steps) - 1
        page = client.get(f"/learn/feint/{one.name}/?step={last}").text
        assert ("Play Gentle" in page) == (following is None)
        if following is not None:
            assert f'href="../{following.name}/"' in page
        assert client.get(f"/learn/feint/{one.name}/?step=end").status_code == 404
