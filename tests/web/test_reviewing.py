"""The pages on which a finished game is reviewed."""

from __future__ import annotations

import html
import json
import time

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Tables
from gonfalon.web import reviewing
from gonfalon.web.reviewing import MOST, Job
from tests.web.person import Person, open_table

WATCHES = '<meta http-equiv="refresh" content="2">'


@pytest.fixture
def running(client: TestClient) -> str:
    """The address of May's seat at a game of Feint in which she has decided once."""
    url = open_table(client, game="feint", opponent="bot:random", name="May")
    person, deadline = Person(client, url), time.monotonic() + 20
    while not (answers := person.look().answers()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    person.send(answers[0])
    return url


def waited(client: TestClient, url: str, seconds: float = 200) -> str:
    """The page once nothing is being worked out any more."""
    deadline = time.monotonic() + seconds
    while WATCHES in (page := client.get(url + "review").text):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return html.unescape(page)


def test_a_finished_game_is_reviewed_and_kept(client: TestClient, tables: Tables, running: str) -> None:
    client.post(running + "concede")
    assert '<a class="button" href="review">' in client.get(running).text
    assert "Review this game" in client.get(running + "review").text
    answer = client.post(running + "review")
    assert (answer.status_code, answer.headers["location"]) == (303, "review")
    assert WATCHES in client.get(running + "review").text
    page = waited(client, running)
    assert "May resigned." in page
    kept = tables.store.review(running.split("/")[2])
    assert kept is not None
    review, decisions = json.loads(kept), [one for one in json.loads(kept)["decisions"] if one["seat"] == 0]
    assert review["names"][0] == "May"
    assert len(decisions) == 1
    assert decisions[0]["text"] in page
    assert client.post(running + "review").status_code == 303
    assert waited(client, running) == page, "it is not made again"
    watch = running.rsplit("/", 2)[0] + "/watch/"
    assert "May resigned." in client.get(watch + "review").text


def test_a_running_game_is_not_reviewed(client: TestClient, tables: Tables, running: str) -> None:
    assert 'href="review"' not in client.get(running).text
    for answer in (client.get(running + "review"), client.post(running + "review")):
        assert answer.status_code == 403
        assert "it can be had when the game is over" in answer.text
    assert tables.store.review(running.split("/")[2]) is None


def test_what_the_command_refuses_is_told(client: TestClient, running: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = "import sys; print('gonfalon: This record is damaged.', file=sys.stderr); sys.exit(2)"
    monkeypatch.setattr(reviewing, "COMMAND", refusal)
    client.post(running + "concede")
    client.post(running + "review")
    page = waited(client, running)
    assert "This record is damaged." in page
    assert "Review this game" in page, "it can be asked for again"
    monkeypatch.setattr(reviewing, "COMMAND", "import os; os.kill(os.getpid(), 9)")
    client.post(running + "review")
    assert reviewing.FAILED in waited(client, running)


def test_so_many_games_wait_at_most(client: TestClient, running: str) -> None:
    client.post(running + "concede")
    jobs = client.app.state.services.reviewing.jobs  # type: ignore[attr-defined]
    jobs.update({str(n): Job() for n in range(MOST)})
    answer = client.post(running + "review")
    assert (answer.status_code, reviewing.BUSY in answer.text) == (503, True)
    jobs["0"].failed = "No."
    assert client.post(running + "review").status_code == 303


def test_what_the_command_says_is_heard() -> None:
    job = Job()
    job.hear("decision 3 of 38".ljust(60) + "\r")
    assert (job.done, job.count, job.found) == (3, 38, [])
    job.hear("decision 4 of 38: mistake, 6 points")
    assert (job.done, job.found) == (4, [(4, "mistake, 6 points")])
    job.hear("12.0 s of CPU time; kept as game.review.json")
    assert not job.failed
