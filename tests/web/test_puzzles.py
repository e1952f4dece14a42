"""Pages of puzzles, by forms and links alone, without hidden cards before the answer."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ASKED, QUESTIONS, PuzzleCourse, format_answer
from gonfalon.puzzles.files import Position
from gonfalon.puzzles.playouts import YOURS
from gonfalon.web.learning.puzzles import COOKIE, puzzle_context
from tests.puzzles.test_data import GAMES


def today(name: str) -> int:
    return shelf.choose_daily_puzzle(games.find_game_class(name), datetime.now(UTC).date())


def test_todays_puzzles_lead_to_all_games(client: TestClient) -> None:
    html = client.get("/puzzles/").text
    for name in GAMES:
        assert f'href="{name}/{today(name)}/"' in html
        assert f'href="/puzzles/{name}/"' in client.get(f"/learn/{name}/").text
    assert 'href="/puzzles/"' in client.get("/").text


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_is_solved_by_its_form_and_marked(client: TestClient, name: str) -> None:
    number = len(shelf.list_puzzles(games.find_game_class(name)))
    puzzle = shelf.list_puzzles(games.find_game_class(name))[number - 1]
    url = f"/puzzles/{name}/{number}/"
    page = client.get(url)
    assert page.status_code == 200
    assert QUESTIONS[puzzle.kind] in page.text
    assert format_answer(puzzle) not in page.text
    wrong = client.post(url, data={"act": puzzle.second})
    assert wrong.status_code == 409
    assert f" wins {100 * puzzle.losses[puzzle.second]:.0f} games fewer in 100." in wrong.text
    assert client.post(url, data={"act": "hop"}).status_code == 400
    assert 'class="solved"' not in client.get(f"/puzzles/{name}/").text
    right = client.post(url, data={"act": puzzle.best})
    assert (right.status_code, right.headers["location"]) == (303, f"{url}?answer=right")
    shown = client.get(right.headers["location"]).text
    assert "Right." in shown
    assert format_answer(puzzle) in shown
    assert "when bots play to the end" in shown
    listed = client.get(f"/puzzles/{name}/").text
    assert listed.count('class="solved"') == 1
    assert "1 of " in listed


ONLY = re.compile(r'<li id="log-[^>]*>(?:<svg.*?</svg>)?([^<]*) <small class="only">')


@pytest.mark.parametrize("name", GAMES)
def test_with_all_cards_open_the_table_lies_as_before(client: TestClient, name: str) -> None:
    """The player's own side stays last, and the log marks none of the other seats' lines as private."""
    kind = games.find_game_class(name)
    number = next(
        n for n in range(1, len(shelf.list_puzzles(kind)) + 1) if shelf.load_course(kind, n).position.seat == 1
    )
    url = f"/puzzles/{name}/{number}/"
    seen, shown = (client.get(f"{url}?answer={word}").text for word in ("shown", "open"))
    assert [re.findall(r'id="seat-([0-9])"', page)[-1] for page in (seen, shown)] == ["1", "1"]
    only = ONLY.findall(shown)
    assert len(only) >= len(ONLY.findall(seen)) > 0
    assert all(line.startswith("You") for line in only)
    assert not re.search("[Yy]ou[’']s", shown)
    assert "open.css" in shown


@pytest.mark.parametrize("name", GAMES)
def test_the_answer_is_marked_on_the_board_and_the_question_is_not(client: TestClient, name: str) -> None:
    asked, told = (client.get(f"/puzzles/{name}/1/{query}").text for query in ("", "?answer=shown"))
    assert "hintmark" not in asked
    assert "hintmark" in told or "ghost2" in told
    assert 'class="prompt mine sealed"' in told
    assert not {"play-hint", "hint-box"}.intersection(re.findall(r'id="([^"]*)"', told))


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_is_played_out_by_links(client: TestClient, name: str) -> None:
    """Without script, from the answer to the last step, and from there to the next puzzle."""
    url = f"/puzzles/{name}/1/"
    page = client.get(f"{url}?answer=shown").text
    words = []
    while found := re.search(r'id="lesson-next" rel="next" href="([^"]*)"', page):
        page = client.get(url + unescape(found[1])).text
        words += [unescape(text) for text in re.findall(r'id="status"[^>]*>([^<]*)<', page)]
    frames = shelf.load_course(games.find_game_class(name), 1).playouts.list_frames()
    assert words == [frame.text for frame in frames]
    assert 'href="../2/"' in page
    assert client.get(f"{url}?answer=played&step={len(frames)}").status_code == 404


@pytest.mark.parametrize("name", GAMES)
def test_the_next_puzzle_follows_and_after_the_last_the_first(client: TestClient, name: str) -> None:
    count = len(shelf.list_puzzles(games.find_game_class(name)))
    for number, following in ((1, 2), (count, 1)):
        asked, shown = (client.get(f"/puzzles/{name}/{number}/{query}").text for query in ("", "?answer=shown"))
        assert f'href="../{following}/"' in shown
        assert "lesson-following" not in asked


def test_the_readers_own_wrong_answer_is_kept_in_the_links(client: TestClient) -> None:
    puzzle = shelf.list_puzzles(games.find_game_class("feint"))[7]
    own = next(answer for answer in puzzle.losses if answer != puzzle.second)
    wrong = client.post("/puzzles/feint/8/", data={"act": own})
    assert wrong.status_code == 409
    kept = urlencode({"yours": own})
    assert f'action="?{kept}"' in wrong.text
    right = client.post(f"/puzzles/feint/8/?{kept}", data={"act": puzzle.best})
    assert right.headers["location"] == f"/puzzles/feint/8/?answer=right&{kept}"
    assert YOURS not in client.get("/puzzles/feint/8/?answer=played").text
    course = shelf.load_course(games.find_game_class("feint"), 8)
    frames = course.playouts.list_frames(course.noted.game.parse(own))
    step = next(n for n, frame in enumerate(frames) if frame.text.startswith(YOURS))
    assert YOURS in client.get(f"/puzzles/feint/8/?answer=played&{kept}&step={step}").text
    for other in ("hop", puzzle.best):
        assert client.get(f"/puzzles/feint/8/?answer=shown&yours={other}").status_code == 200


def test_invalid_cookies_and_addresses_are_harmless(client: TestClient) -> None:
    for word in ("feint=zz", "feint=" + "f" * 3000, "x", "chess=1", "feint=ffffffffffffffffffff"):
        assert client.get("/puzzles/feint/", headers={"cookie": f"{COOKIE}={word}"}).status_code == 200
    for address in ("chess/", "feint/1/?answer=foo", "feint/0/", "feint/99999/", "feint/x/"):
        assert client.get(f"/puzzles/{address}").status_code == 404


def redeal_puzzle(course: PuzzleCourse, seed: int) -> PuzzleCourse:
    """Return the puzzle in another world of its view."""
    position = Position.__new__(Position)
    old = course.position
    position.puzzle, position.record, position.game = old.puzzle, Record(old.game), old.game
    position.seat, position.best, position.others = old.seat, old.best, old.others
    position.record.decisions, position.record.names = old.record.decisions, old.record.names
    world = worlds(old.view).sample(Rng(seed))
    position.state = world
    return PuzzleCourse(course.number, position)


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_is_the_same_for_all_hidden_cards(client: TestClient, name: str) -> None:
    """The question's page is equal in twin positions. A leaked hidden card would make them differ."""
    render = client.app.state.services.render  # type: ignore[attr-defined]
    kind = games.find_game_class(name)
    dealt = [n for n, one in enumerate(shelf.list_puzzles(kind), 1) if one.dealt is not None]
    for number in [1, len(shelf.list_puzzles(kind)) // 2, *dealt[:2]]:
        course = shelf.load_course(kind, number)
        pages = {
            render.templates.draw("lesson.html", puzzle_context(render, one, ASKED))
            for one in (course, redeal_puzzle(course, 1), redeal_puzzle(course, 2))
        }
        assert len(pages) == 1, number
