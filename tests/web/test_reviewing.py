"""The review pages of a finished game."""

from __future__ import annotations

import html
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from threading import get_ident
from typing import cast

import anyio
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from gonfalon.core.files.record import Record
from gonfalon.review.files import JudgedDecision
from gonfalon.table import LinkHolder, Person, Tables
from gonfalon.table.store.jobs.review_rows import Job
from gonfalon.web import messages
from gonfalon.web.history import review_jobs
from gonfalon.web.history.review_jobs import MOST, ReviewJobs, read_line
from gonfalon.web.http import background_jobs
from tests.table.duel import Duel
from tests.table.opening import let_pass, until
from tests.table.test_processes import process, two
from tests.web.person import Person as Player
from tests.web.person import open_table

FOUND = cast("list[JudgedDecision]", [{"at": 6}])
WATCHES = '<meta http-equiv="refresh" content="2">'


@pytest.fixture
def running(client: TestClient) -> str:
    """Return the address of May's seat in a game of Feint after her first decision."""
    url = open_table(client, game="feint", opponent="bot:random", name="May")
    person, deadline = Player(client, url), time.monotonic() + 20
    while not (answers := person.look().answers()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    person.send(answers[0])
    return url


def wait_for_page(client: TestClient, url: str, seconds: float = 200) -> str:
    """Return the page once no computation is running."""
    deadline = time.monotonic() + seconds
    while WATCHES in (page := client.get(url + "review").text):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return html.unescape(page)


@pytest.mark.extended
def test_a_finished_game_is_reviewed_and_kept(client: TestClient, tables: Tables, running: str) -> None:
    client.post(running + "concede")
    ended = client.get(running).text
    assert 'id="decisions" class="end-decisions" data-look="ask"' in ended
    assert '<form method="post" action="review" class="unscripted"><button>Find them</button></form>' in ended
    assert ended.count("pick-blank") == 3, "the room of three decisions is kept from the start"
    assert "Review this game" in client.get(running + "review").text
    answer = client.post(running + "review")
    assert (answer.status_code, answer.headers["location"]) == (303, "review")
    asked = client.get(running + "review").text
    assert WATCHES in asked
    assert "Each decision is judged from the view of its player" in asked
    page = wait_for_page(client, running)
    assert "May resigned." in page
    kept = tables.store.review(running.split("/")[2])
    assert kept is not None
    review, decisions = json.loads(kept), [one for one in json.loads(kept)["decisions"] if one["seat"] == 0]
    assert review["names"][0] == "May"
    assert len(decisions) == 1
    assert decisions[0]["text"] in page
    assert client.post(running + "review").status_code == 303
    assert wait_for_page(client, running) == page, "it is not made again"
    for part in (client.get(running).text, client.get(running + "decisions").text):
        assert "Looking at your game" not in part
        assert "data-look" not in part
    watch = running.rsplit("/", 2)[0] + "/watch/"
    assert "May resigned." in client.get(watch + "review").text


def test_a_running_game_is_not_reviewed(client: TestClient, tables: Tables, running: str) -> None:
    assert '="review"' not in client.get(running).text
    for answer in (client.get(running + "review"), client.post(running + "review"), client.get(running + "decisions")):
        assert answer.status_code == 403
        assert "It is available after the game" in answer.text
    assert tables.store.review(running.split("/")[2]) is None


def test_nothing_of_a_review_is_made_on_the_event_loop(
    client: TestClient, tables: Tables, running: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(record: Record) -> str:
        threads.add(get_ident())
        return dumps(record)

    threads, dumps = set[int](), Record.dumps
    monkeypatch.setattr(Record, "dumps", note)
    command = """import os, sys; sys.stdin.read(); print('{"review": {"process": %d}}' % os.getpid())"""
    monkeypatch.setattr(review_jobs, "COMMAND", command)
    client.post(running + "concede")
    client.post(running + "review")
    deadline = time.monotonic() + 60
    while (kept := tables.store.review(running.split("/")[2])) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert json.loads(kept)["process"] != os.getpid()
    assert client.portal is not None
    assert threads
    assert client.portal.call(get_ident) not in threads


@pytest.mark.extended
def test_refusals_of_the_command_are_shown(client: TestClient, running: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = """print('{"failed": "This record is damaged."}')"""
    monkeypatch.setattr(review_jobs, "COMMAND", refusal)
    client.post(running + "concede")
    client.post(running + "review")
    page = wait_for_page(client, running)
    assert "This record is damaged." in page
    assert "Review this game" in page, "it can be asked for again"
    monkeypatch.setattr(review_jobs, "COMMAND", "import os; os.kill(os.getpid(), 9)")
    client.post(running + "review")
    assert messages.REVIEW_FAILED in wait_for_page(client, running)


def test_the_end_page_follows_a_review_in_progress(
    client: TestClient, tables: Tables, running: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(running + "concede")
    monkeypatch.setattr(tables.store, "ask_review", lambda key, now, most: True)
    assert client.post(running + "review", headers={"X-Live": "1"}).status_code == 204
    monkeypatch.setattr(tables.store, "review_job", lambda key: Job(3, 38))
    part = client.get(running + "decisions").text
    assert part.startswith('<div id="decisions" class="end-decisions" data-look="wait">')
    assert "Looking at your game: 3 of 38 decisions" in part
    assert part.count("pick-blank") == 3
    monkeypatch.setattr(tables.store, "review_job", lambda key: Job(38, 38))
    part = client.get(running + "decisions").text
    assert 'data-look="wait"' in part, "the rest of the review is still made"
    assert "There was nothing to judge in this game." in part
    for gone in ("Looking at", "progress", "pick-blank"):
        assert gone not in part
    monkeypatch.setattr(tables.store, "review_job", lambda key: Job(failed="It broke."))
    assert "It broke." in client.get(running + "decisions").text


def test_when_too_many_games_wait_that_is_said(
    client: TestClient, tables: Tables, running: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(running + "concede")
    asked: list[int] = []
    monkeypatch.setattr(tables.store, "ask_review", lambda key, now, most: asked.append(most))
    answer = client.post(running + "review")
    assert (answer.status_code, messages.MANY_REVIEWS in answer.text) == (503, True)
    assert asked == [MOST]


def judged(done: int) -> str:
    """Return a line about the judgement of decision 6."""
    return json.dumps({"decision": {"at": 6}, "done": done, "count": 38})


def test_output_of_the_command_is_read() -> None:
    job = Job()
    assert read_line(job, judged(3)) == ""
    assert vars(job) == {"done": 3, "count": 38, "found": [{"at": 6}], "failed": ""}
    assert read_line(job, '{"review": {"sums": []}}') == '{"sums": []}'
    assert read_line(job, '{"failed": "This record is damaged."}') == ""
    assert job.failed == "This record is damaged."


# ---- several processes at one database ---------------------------------------------------------------


class Command:
    """A stand-in for the command. It reports one decision and then continues or ends as the test requires."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end: anyio.Event = anyio.Event()

    async def __call__(self, record: str, people: Sequence[int], job: Job) -> str:
        assert people == [0, 1]
        self.begun += 1
        read_line(job, judged(self.begun))
        await self.may_end.wait()
        return "{}"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    made = Command()
    monkeypatch.setattr(review_jobs, "make_review", made)
    for name, seconds in (("LEASE", 1000.0), ("LOOK", 0.05), ("TELL", 0.05)):
        monkeypatch.setattr(background_jobs, name, seconds)
    return made


async def finish_game(tables: Tables) -> str:
    """Return the key of a table with a finished game."""
    table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
    await table.seats.resign(LinkHolder(0))
    return table.key


def claimed_until(tables: Tables, key: str) -> float:
    """Return the table time at which the claim to make a review ends."""
    with tables.store.engine.connect() as connection:
        asked = sa.text('SELECT due FROM reviewing WHERE "table" = :key')
        found: float = connection.execute(asked, {"key": key}).scalar_one()
    return found


@pytest.mark.anyio
async def test_every_process_shows_how_far_one_of_them_is(database: str, command: Command) -> None:
    async with two(database) as (one, other), anyio.create_task_group() as tasks:
        key = await finish_game(one)
        here, there = ReviewJobs(one), ReviewJobs(other)
        tasks.start_soon(here.run)
        tasks.start_soon(there.run)
        await here.ask(key)
        await there.ask(key)
        await until(lambda: other.store.review_job(key) == Job(1, 38, FOUND))
        for _ in range(2):  # together longer than a claim lasts that is not renewed
            let_pass(one, 0.6 * background_jobs.LEASE)
            other.heartbeat.beat()
            await until(lambda: claimed_until(one, key) > one.now() + 0.9 * background_jobs.LEASE)
        assert not await there.make_one()
        assert one.store.review_job(key) == Job(1, 38, FOUND)
        assert command.begun == 1
        command.may_end.set()
        await until(lambda: other.store.review(key) == "{}")
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_another_process_takes_over_the_review_of_a_dead_one(database: str, command: Command) -> None:
    async with two(database) as (one, other):
        key, here, there = await finish_game(one), ReviewJobs(one), ReviewJobs(other)
        async with anyio.create_task_group() as dying:
            dying.start_soon(here.run)
            await here.ask(key)
            await until(lambda: command.begun == 1)
            dying.cancel_scope.cancel()  # it says nothing more, as whoever has died
        let_pass(other, background_jobs.LEASE)
        async with anyio.create_task_group() as living:
            living.start_soon(there.run)
            command.may_end.set()
            await until(lambda: other.store.review(key) == "{}")
            living.cancel_scope.cancel()
    assert command.begun == 2


@pytest.mark.anyio
async def test_a_review_that_ends_process_after_process_is_given_up(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(f"sqlite:///{tmp_path / 'tables.db'}") as tables:
        key, reviews = await finish_game(tables), ReviewJobs(tables)
        monkeypatch.setattr(background_jobs, "LEASE", 0.0)
        await reviews.ask(key)
        for _ in range(background_jobs.BEGUN):
            assert tables.store.claim_review("dies", tables.now(), tables.now())
        assert await reviews.make_one()
        assert (tables.store.review_job(key), command.begun) == (Job(failed=messages.REVIEW_FAILED), 0)
