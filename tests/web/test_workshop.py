"""The Workshop: its bench, its studies, its permissions, and its data after a restart."""

from __future__ import annotations

import html
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.lab.charts import charts
from gonfalon.lab.studies.whatif import whatif
from gonfalon.lab.studies.whatif.request_process import StudyRequest
from gonfalon.table import Store, Tables
from gonfalon.table.links import hash_token
from gonfalon.table.store.jobs.study_rows import StudyRow
from gonfalon.web import create_app, messages
from gonfalon.web.http import logs
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.shared import devices
from gonfalon.web.workshop import pages as workshop
from gonfalon.web.workshop import study_jobs
from gonfalon.web.workshop.study_jobs import Job

PATRIOT = {"set": "patriot.strength=5", "players": "random", "points": "5"}
EXPLORER = {"set": "explorer.strength=3", "players": "random", "points": "5"}


def answer_to(question: str, ended: str = whatif.PRECISE) -> str:
    """Return a study's answer: Patriot at 5 costs the Guards 14.7 points, from 59.5 to 44.8."""
    asked = StudyRequest.loads(question)
    effect = {"games": 800, "at_any_time": 0.09, "saved": 1.5}
    keion = effect | {"what": "keion", "before": 0.595, "after": 0.448, "difference": -0.147, "half": 0.054}
    wu = effect | {"what": "wu", "before": None, "after": None, "difference": 0.02, "half": 0.05}
    met = effect | {"what": "keion against wu", "before": 0.6, "after": 0.5, "difference": -0.1, "half": 0.2}
    length = effect | {"what": "decisions", "before": 75.0, "after": 75.5, "difference": 0.5, "half": 1.0}
    return json.dumps(
        {
            "game": asked.game, "title": "Feint", "version": "1", "players": asked.players, "believe": "…", "seed": 0,
            "before": "b", "after": "a", "changes": [], "precision": asked.precision, "ended": ended, "rounds": 100,
            "games": 800, "spent": 3.0, "sides": [keion, wu, wu | {"what": "agents"}], "matchups": [met],
            "length": [length], "endings": [], "first": [], "alike": 0.67, "lost": 0.23, "won": 0.1, "needed": 800,
            "digest": "d", "rounds_of": {}, "path": [[160, -0.2, 0.1, 0.2], [800, -0.147, 0.054, 0.09]],
        }
    )  # fmt: skip


class Makers:
    """A stand-in for the study processes. Each reports a result, then waits until the test ends it."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.may_end: bool = False

    async def __call__(self, row: StudyRow, job: Job) -> str:
        self.made.append(row.key)
        job.answer = answer_to(row.question, whatif.STOPPED).replace('"digest": "d"', '"digest": ""')
        while not (self.may_end or job.stop.is_set()):
            await anyio.sleep(0.01)
        return answer_to(row.question, whatif.STOPPED if job.stop.is_set() else whatif.PRECISE)


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch) -> Makers:
    found = Makers()
    monkeypatch.setattr(study_jobs, "make_answer", found)
    monkeypatch.setattr("gonfalon.web.http.background_jobs.TELL", 0.02)
    monkeypatch.setattr("gonfalon.web.http.background_jobs.LOOK", 0.02)
    monkeypatch.setattr("gonfalon.web.http.background_jobs.LEASE", 1000.0)  # nothing is taken over for having waited
    return found


House = Callable[..., TestClient]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Return a function that starts a server of Feint on one database. A second call restarts it."""
    closing: list[Callable[[], None]] = []

    def open_house(seconds: float = 60.0, room: float = 0, name: str = "tables") -> TestClient:
        close()
        store = Store(f"sqlite:///{tmp_path / name}.db")
        app = create_app(
            Tables(store, pace=0), {"feint": games.find_game_class("feint")}, Limits(room), study_seconds=seconds
        )
        client = TestClient(app, follow_redirects=False)
        client.__enter__()
        client.get("/workshop/feint/")  # gives the browser its key
        closing.extend([store.close, lambda: client.__exit__(None, None, None)])
        return client

    def close() -> None:
        while closing:
            closing.pop()()

    yield open_house
    close()


def wait_for_page(client: TestClient, url: str, sign: str) -> str:
    """Return the page of a study once it contains a text."""
    deadline = time.monotonic() + 200
    while sign not in (page := html.unescape(client.get(url).text)):
        assert time.monotonic() < deadline, page
        time.sleep(0.02)
    return page


def begin_study(client: TestClient, form: dict[str, str]) -> str:
    """Start a study and return its address."""
    answer = client.post("/workshop/feint/", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def switch_device(client: TestClient) -> None:
    """Switch to another device."""
    client.cookies.clear()
    client.get("/workshop/feint/")


# ---- the bench --------------------------------------------------------------------------------------------------


def test_a_card_is_found_and_its_numbers_are_fields_within_the_rules(client: TestClient) -> None:
    assert 'href="/workshop/"' in client.get("/").text
    assert 'href="feint/"' in client.get("/workshop/").text
    page = client.get("/workshop/feint/?find=Patriot").text
    field = re.search(r'<input class="value"[^>]*name="n.patriot.strength"[^>]*>', page)
    assert field is not None
    assert 'min="0" max="20" value="6"' in field[0]
    assert "comes as <b>6</b>, inferred" in page
    assert "0 to 4 (with 5, faction 'keion' has 41 cards; a deck has 1 to 40)</p>" in html.unescape(page)
    many = client.get("/workshop/feint/?find=bit").text
    assert 'name="to" value="trojan-bit"' in many
    assert '<h2 id="turn-h">Trojan Bit' in client.get("/workshop/feint/?find=bit&on=patriot&to=trojan-bit").text


def test_changes_are_kept_and_can_be_reverted(client: TestClient) -> None:
    page = client.get("/workshop/feint/?on=explorer&n.explorer.strength=3&set=patriot.strength=5").text
    assert "Patriot: strength <small>inferred</small></th><td>6</td><td><b>5</b>" in page
    assert '<input type="hidden" name="set" value="patriot.strength=5">' in page
    assert 'name="set" value="explorer' not in page, "that one lies on the bench"
    back = client.get("/workshop/feint/?on=explorer&set=patriot.strength=5&drop=patriot.strength").text
    assert "Patriot: strength" not in back
    assert "Nothing yet" in client.get("/workshop/feint/?on=patriot&n.patriot.strength=6").text


NONSENSE = {
    "find=nobody": "Nothing in Warriors of Jogu: Feint is called 'nobody'.",
    "find=patriott": "is called 'patriott'. Did you mean Patriot?",
    "on=nobody": "has no card or table 'nobody'",
    "n.patriot.strength=many": "patriot.strength must be a whole number, not 'many'.",
    "set=cards=/etc/passwd": "has no value 'cards'",
    "set=a.b=1": "has no changeable value 'a.b'",
    "set=patriot.strength": "Write a change as card.number=value",
    "players=expert": "The levels that may play are club, greedy, strong, random",
    "points=3": "points, not '3'",
    "points=2.5": "The precision of a study is 1, 2, 5 points, not '2.5'.",
    "points=100": "points, not '100'",
    "set=patriot.strength=999": "strength must be from 0 to 20, not 999.",
    "set=capacity=100": "Option capacity must be a number from 0 to 99, not 100.",
    "set=end_round=1": "end_round must be one of 0, 2, 3,",
}
UNANSWERED = {
    "": "Nothing has been changed yet",
    "set=patriot.strength=6": "Nothing has been changed yet",
    "set=patriot.strength=99": "strength",
    "set=patriot.copies=5": "40",
    "n.patriot.strength=": "must be a whole number, not ''",
    "set=box.locations=" + 100 * "%5B": "locations",
    "&".join(f"set=patriot.strength={n}%0A%00" for n in range(5)): "must be a whole number",
}


def refusal(page: str) -> str:
    """Return the error text of a bench page."""
    found = re.search(r'role="alert">(.*?)</p>', page)
    assert found is not None
    return html.unescape(found[1])


def test_invalid_requests_give_one_sentence(client: TestClient) -> None:
    for query, says in NONSENSE.items():
        answer = client.get(f"/workshop/feint/?{query}")
        assert (answer.status_code, says in refusal(answer.text)) == (400, True), query
    form = {"content-type": "application/x-www-form-urlencoded"}
    for query, says in UNANSWERED.items():
        answer = client.post("/workshop/feint/", content=query, headers=form)
        assert (answer.status_code, says in refusal(answer.text)) == (400, True), query


def test_no_table_and_no_stranger_is_reached_from_here(client: TestClient) -> None:
    for address in (
        "/workshop/nothing/",
        "/workshop/duel/",
        "/workshop/feint/unknown/",
        "/workshop/feint/unknown/report.html",
    ):
        assert client.get(address).status_code == 404
    assert client.post("/workshop/feint/unknown/stop").status_code == 404


# ---- a study ----------------------------------------------------------------------------------------------------


@pytest.mark.extended
def test_a_study_is_played_by_a_process_of_its_own(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With half a second of CPU time it ends at one of its first checks and reports the time required. On a busy
    machine its low priority would delay it forever."""
    monkeypatch.setattr(study_jobs, "COMMAND", f"import os; os.nice = int; {study_jobs.COMMAND}")
    monkeypatch.setattr(study_jobs, "gettempdir", lambda: str(tmp_path))
    client = house(0.5)
    url = begin_study(client, PATRIOT | {"points": "1"})
    page = wait_for_page(client, url, "deals, each played both ways.")
    assert "The study used its 0.5 s of CPU time, the limit on this server." in page
    assert "The precision of ±1 points was not reached" in page
    assert "Patriot: strength 6 → 5" in re.sub(r"<[^>]*>", "", page)
    assert re.search("(40|80|120) deals", page), "blocks of five rounds: the Guards meet four others from both seats"
    assert not list(tmp_path.glob("gonfalon-study-*")), "its games are not needed any more"
    assert "Guards of Keion" in page


def test_the_effect_is_shown_while_it_runs_and_at_the_end(house: House, makers: Makers) -> None:
    """The running interval is valid at every look: 9 points, and 5.4 at the end."""
    client = house()
    url = begin_study(client, PATRIOT)
    page = wait_for_page(client, url, "800 games played")
    assert "<b>−14.7</b> ±9.0" in page
    assert page.count("thick: the interval for the end of the study; thin: the one that holds whenever one looks") == 1
    assert "Guards of Keion −14.7 points, ±9.0: more than chance would do so far." in page
    part = client.get(url, headers={"x-live": "1"}).text
    assert part.startswith("<header")
    assert 'data-live="yes"' in part
    makers.may_end = True
    page = wait_for_page(client, url, "400 deals, each played both ways.")
    assert "<b>−14.7</b> ±5.4" in page
    assert "59.5" in page
    assert 'data-live=""' in page
    assert "inferred" in page


def test_an_equal_question_is_found_again_by_anybody(house: House, makers: Makers) -> None:
    client = house()
    url = begin_study(client, PATRIOT)
    assert begin_study(client, PATRIOT) == url
    switch_device(client)
    again = {"n.patriot.strength": " 5 ", "on": "patriot", "players": "random", "points": "5"}
    assert begin_study(client, again) == url
    makers.may_end = True
    wait_for_page(client, url, "each played both ways")
    assert begin_study(client, PATRIOT) == url
    assert begin_study(client, PATRIOT | {"points": "2"}) != url
    assert len(makers.made) <= 2


def test_a_visitor_has_one_study_at_a_time_and_others_wait_behind_it(house: House, makers: Makers) -> None:
    client = house()
    mine = begin_study(client, PATRIOT)
    refused = client.post("/workshop/feint/", data=EXPLORER)
    assert refused.status_code == 409
    assert messages.ONE_STUDY in refused.text
    assert f'href="{mine}"' in refused.text
    switch_device(client)
    theirs = begin_study(client, EXPLORER)
    wait_for_page(client, mine, "800 games played")
    assert "One study runs before yours." in client.get(theirs).text
    assert client.post(mine + "stop").status_code == 403
    assert "Stop here" not in client.get(mine).text
    makers.may_end = True
    wait_for_page(client, theirs, "each played both ways")


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sends the next requests from an address."""

    def come_from(host: str) -> None:
        monkeypatch.setattr(workshop, "client_of", lambda request: host)

    return come_from


def change(number: int) -> dict[str, str]:
    """Return one of several questions."""
    return PATRIOT | {"set": f"patriot.strength={number}"}


def test_one_address_leaves_room_for_others(
    house: House, makers: Makers, address: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One address can have only a few waiting studies, even with new cookies. A study from another address waits for
    one of them, not for all."""
    monkeypatch.setattr(study_jobs, "EACH", 4)
    client = house(room=1)
    address("192.0.2.1")
    greedy = []
    for number in range(4):
        greedy.append(begin_study(client, change(number)))
        switch_device(client)
    refused = client.post("/workshop/feint/", data=change(5))
    assert refused.status_code == 429
    assert refusal(refused.text) == (
        "4 studies from your address are waiting or running. Wait for one to end, or stop one."
    )
    assert begin_study(client, change(2)) == greedy[2], "a study that is there may be looked at"
    wait_for_page(client, greedy[0], "800 games played")
    address("198.51.100.9")
    switch_device(client)
    theirs = begin_study(client, EXPLORER)
    assert "One study runs before yours." in client.get(theirs).text
    assert "2 studies run before yours." in client.get(greedy[1]).text
    makers.may_end = True
    wait_for_page(client, greedy[3], "each played both ways")
    key = [url.split("/")[-2] for url in (greedy[0], theirs, *greedy[1:])]
    assert makers.made == key
    address("192.0.2.1")
    switch_device(client)
    begin_study(client, change(5))


DEVICES = ("A" * 46, "B" * 46)


def test_a_study_does_not_reveal_its_owner(
    house: House,
    makers: Makers,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    address: Callable[[str], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Stored and shown data of a study are equal for another device and another address, with the same random numbers.
    The records of devices do not mention it."""
    caplog.set_level("DEBUG")
    monkeypatch.setattr(devices, "sign_key", lambda request, key: key + 22 * key[0])
    stored, pages = [], []
    visits = ((DEVICES[0], "192.0.2.1"), (DEVICES[0], "192.0.2.1"), (DEVICES[1], "192.0.2.1"), (DEVICES[0], "9.9.9.9"))
    for number, (device, host) in enumerate(visits):
        client = house(name=str(number))
        drawn = iter(f"{n:032}" for n in range(100))
        monkeypatch.setattr(study_jobs, "new_token", lambda drawn=drawn: next(drawn))
        monkeypatch.setattr(client.app.state.services.tables, "now", lambda: 1000.0)  # type: ignore[attr-defined]
        address(host)
        client.cookies.clear()
        client.cookies.set("device", device)
        url = begin_study(client, PATRIOT)
        pages.append(wait_for_page(client, url, "800 games played"))
        with sqlite3.connect(tmp_path / f"{number}.db") as database:
            database.execute("INSERT INTO links VALUES (?, 'l', 't', 'feint', 's', 1.0)", (hash_token(device),))
            names = [column[1] for column in database.execute("PRAGMA table_info(studies)") if column[1] != "process"]
            rows = database.execute(f"SELECT {', '.join(names)} FROM studies").fetchall()
            known = {value for row in database.execute("SELECT * FROM links") for value in row if value != "feint"}
        database.close()
        stored.append(rows)
        assert not known & {value for row in rows for value in row if isinstance(value, str)}
    assert stored[0] == stored[1] == stored[2] == stored[3]
    assert pages[0] == pages[1] == pages[2] == pages[3]
    assert not any(device in caplog.text or hash_token(device) in caplog.text for device in DEVICES)


def test_each_study_has_a_token_of_its_own(house: House, makers: Makers) -> None:
    """Stored data of two studies by one visitor cannot be linked."""
    client = house()
    makers.may_end = True
    kept = []
    for form in (PATRIOT, EXPLORER):
        wait_for_page(client, begin_study(client, form), "each played both ways")
        kept.append(client.cookies["study"].partition("."))
    assert len({token for _, _, token in kept}) == 2
    assert all(len(token) >= 24 for _, _, token in kept)


def test_a_visitor_without_cookies_also_has_one_study_at_a_time(house: House, makers: Makers) -> None:
    client = house()
    client.cookies.clear()
    mine = begin_study(client, PATRIOT)
    client.cookies.clear()
    assert client.post("/workshop/feint/", data=EXPLORER).status_code == 409
    client.get("/workshop/feint/")
    assert client.post(mine + "stop").status_code == 403, "a browser that keeps cookies began nothing"
    client.cookies.clear()
    assert client.post(mine + "stop").status_code == 303


def test_the_owner_may_stop_a_study_and_keeps_its_results(house: House, makers: Makers) -> None:
    client = house()
    url = begin_study(client, PATRIOT)
    wait_for_page(client, url, "800 games played")
    assert client.post(url + "stop").status_code == 303
    page = wait_for_page(client, url, "Interrupted")
    assert "±9.0" in page
    assert begin_study(client, PATRIOT) != url, "the question is open still"
    assert client.get(url).status_code == 200


def test_the_queue_has_an_end(house: House, makers: Makers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_jobs, "MOST", 1)
    client = house()
    begin_study(client, PATRIOT)
    switch_device(client)
    answer = client.post("/workshop/feint/", data=EXPLORER)
    assert (answer.status_code, messages.MANY_STUDIES in answer.text) == (503, True)


def test_a_restart_keeps_results_and_continues(house: House, makers: Makers) -> None:
    client = house()
    makers.may_end = True
    done = begin_study(client, PATRIOT)
    kept = wait_for_page(client, done, "each played both ways")
    makers.may_end = False
    half = begin_study(client, EXPLORER)
    wait_for_page(client, half, "800 games played")
    client = house()
    assert "each played both ways" in client.get(done).text
    assert re.sub(r"(?s).*<ul class=\"tiles\">", "", kept)[:500] in html.unescape(client.get(done).text)
    makers.may_end = True
    wait_for_page(client, half, "each played both ways")
    assert len(makers.made) == 3


def test_the_shown_number_of_games_never_decreases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server stopped after showing 800 games. The next process reports 160 and then 960. A finished study is always
    accepted."""
    question = StudyRequest("feint", ("patriot.strength=5",), "random", 0.05, 60.0).dumps()
    so_far = answer_to(question, whatif.STOPPED).replace('"digest": "d"', '"digest": ""')
    few, many = (so_far.replace('"games": 800, "spent"', f'"games": {n}, "spent"') for n in (160, 960))
    assert study_jobs.choose_further("", few) == few
    assert study_jobs.choose_further(so_far, few) == so_far
    assert study_jobs.choose_further(so_far, many) == many
    assert study_jobs.choose_further(many, answer_to(question)) == answer_to(question)
    told: list[str] = []

    async def hear(_: object, job: Job) -> None:
        told.append(job.answer)

    monkeypatch.setattr(study_jobs, "read_messages", hear)
    monkeypatch.setattr(study_jobs, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(study_jobs, "COMMAND", "")
    row = StudyRow("k", "t", question, so_far)
    anyio.run(study_jobs.make_answer, row, Job())
    assert told == [so_far], "where the other house was"


def test_a_slow_judge_is_refused_before_the_study(house: House, makers: Makers) -> None:
    """Patriot is in one of five factions, so 8 matchups and 16 games. The limit is 60 s, and the estimate must exceed
    twice that."""
    client = house()
    app = client.app
    paces = app.state.study_jobs.paces  # type: ignore[attr-defined]
    paces["feint", "random"] = 7.4
    begin_study(client, PATRIOT)
    switch_device(client)
    paces["feint", "random"] = 7.6
    answer = client.post("/workshop/feint/", data=EXPLORER)
    assert answer.status_code == 400
    assert refusal(answer.text).startswith("Random is too slow for this change: a first result needs 16 games")
    assert begin_study(client, EXPLORER | {"players": "club"})


def test_outcomes_of_studies_are_counted_and_logged(
    house: House, makers: Makers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counters cover asked, rejected, started, finished, stopped, failed and aborted studies, without the visitor
    or the change."""
    caplog.set_level("INFO", "gonfalon.studies")
    client = house()
    url = begin_study(client, PATRIOT)
    key, cookie = url.split("/")[-2], client.cookies["study"]
    wait_for_page(client, url, "800 games played")
    client.post("/workshop/feint/", data=EXPLORER)
    client.post(url + "stop")
    wait_for_page(client, url, "Interrupted")
    makers.may_end = True
    wait_for_page(client, begin_study(client, EXPLORER), "each played both ways")
    makers.may_end = False
    wait_for_page(client, begin_study(client, change(3)), "800 games played")
    metrics = client.app.state.services.metrics  # type: ignore[attr-defined]
    house()
    lines = [record for record in caplog.records if record.name == "gonfalon.studies"]
    told = [vars(line)["how"] for line in lines]
    assert told[:8] == ["asked", "begun", "refused", "stopped", "asked", "begun", "ended", "asked"]
    assert told[8:10] == ["begun", "broken off"]
    assert told[10:] in ([], ["begun"]), "the next house goes on with it"
    counts = {how: metrics.registry.get_sample_value("gonfalon_studies_total", {"how": how}) for how in {*told}}
    assert counts == {"asked": 3, "begun": 3, "refused": 1, "stopped": 1, "ended": 1, "broken off": 1}
    written = [json.loads(logs.Json().format(line)) for line in lines]
    assert written[0]["study"] == key[:4]
    assert (written[0]["game"], written[0]["players"]) == ("feint", "random")
    for secret in (client.cookies["device"], cookie.partition(".")[2], key, "patriot", "strength", "testclient"):
        assert secret not in json.dumps(written)


def test_games_of_a_killed_server_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept until the study is over or a day has passed."""
    monkeypatch.setattr(study_jobs, "gettempdir", lambda: str(tmp_path))
    folder = study_jobs.folder_of("k")
    (folder / "block").write_text("kept", "utf-8")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (study_jobs.folder_of("k") / "block").exists()
    os.utime(folder, (1.0, 1.0))
    study_jobs.folder_of("l")
    assert [path.name for path in tmp_path.iterdir()] == ["gonfalon-study-l"]
    study_jobs.forget_games("l")
    assert not list(tmp_path.iterdir())


@pytest.mark.extended
def test_an_impossible_study_gives_a_reason(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = house()
    monkeypatch.setattr(study_jobs, "COMMAND", "import sys; sys.exit('gonfalon: The cards are damaged.')")
    url = begin_study(client, PATRIOT)
    assert "The cards are damaged." in wait_for_page(client, url, "The cards are damaged.")
    monkeypatch.setattr(study_jobs, "COMMAND", "import os; os.kill(os.getpid(), 9)")
    other = begin_study(client, PATRIOT)
    assert other != url, "it can be asked again"
    wait_for_page(client, other, messages.STUDY_FAILED)
    assert "its process ended with -9" in caplog.text, "the log says where"


def test_a_house_may_have_none(house: House) -> None:
    client = house(0)
    assert "/workshop/" not in client.get("/").text
    for answer in (
        client.get("/workshop/"),
        client.get("/workshop/feint/"),
        client.post("/workshop/feint/", data=PATRIOT),
    ):
        assert (answer.status_code, messages.WORKSHOP_DISABLED in html.unescape(answer.text)) == (404, True)


# ---- charts -------------------------------------------------------------------------------------------------------


def test_charts_are_drawn_once_and_only_when_it_is_over(
    house: House, makers: Makers, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    async def draw(answer: str) -> dict[str, bytes]:
        drawn.append(answer)
        return {"random-sides.svg": b"<svg/>", "random-sides.png": b"PNG", "report.html": b"<p>"}

    monkeypatch.setattr(study_jobs, "draw_charts", draw)
    monkeypatch.setattr(charts, "are_charts_available", lambda: True)
    monkeypatch.setattr(charts, "import_libraries", lambda: None)
    client = house()
    url = begin_study(client, PATRIOT)
    wait_for_page(client, url, "800 games played")
    assert client.get(url + "sides.svg").status_code == 404
    makers.may_end = True
    assert 'href="sides.svg"' in wait_for_page(client, url, "each played both ways")
    for file, kind, body in (("sides.svg", "image/svg+xml", b"<svg/>"), ("sides.png", "image/png", b"PNG")):
        answer = client.get(url + file)
        assert (answer.headers["content-type"], answer.content) == (kind, body)
        assert answer.headers["content-disposition"].startswith("attachment")
    assert client.get(url + "report.html").content == b"<p>"
    assert client.get(url + "nothing.svg").status_code == client.get(url + "passwd").status_code == 404
    assert len(drawn) == 1
