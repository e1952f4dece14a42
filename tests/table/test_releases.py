"""An upgrade: the tables of an older version of Gonfalon under a newer one with other rules or cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random  # noqa: TID251 (it stands for the system's)
from typing import Any, Final

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.files.record import load
from gonfalon.core.rules.game import Game
from gonfalon.table import Store, Tables, chance
from gonfalon.table.live.retention import Stock
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.server import server
from tests.table import releases
from tests.table.releases import Case, Release

pytestmark = pytest.mark.anyio
KEPT: Final = sorted(releases.FOLDER.glob("*.json.xz"))
"""The databases of earlier releases, from 1.0 on."""


@pytest.fixture(scope="module", params=["now", *(file.name for file in KEPT)])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The database of each release, and one just written by this version."""
    if request.param != "now":
        return releases.read(releases.FOLDER / request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance, "SYSTEM", Random("a release"))
        return releases.dump(tmp_path_factory.mktemp("release") / "tables.db")


@pytest.fixture
def store(release: Release, tmp_path: Path) -> Iterator[Store]:
    releases.restore(release, tmp_path / "tables.db")
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield store
    store.close()


def cases(release: Release, *states: str) -> list[Case]:
    return [case for case in release["cases"] if case["state"] in states]


def newer(name: str, **options: Any) -> Game:
    """Return the games with a later version of their rules that plays none of the earlier ones."""
    return later(name, {})(**options)


def others(name: str, **options: Any) -> Game:
    """Return the games with later rules that do not know the old actions."""
    return later(name, {"parse": unknown})(**options)


def later(name: str, parts: dict[str, Any]) -> type[Game]:
    kind = games.find_game_class(name)
    found: type[Game] = type(kind.__name__, (kind,), {"version": "later", "earlier": {}, **parts})
    return found


def unknown(self: Game, text: str) -> int:
    raise NotationError("There is no such action.")


def gone(name: str, **options: Any) -> Game:
    raise OptionError(f"There is no game {name!r}.")


@pytest.fixture
def pages(store: Store) -> Iterator[Any]:
    """Return a function that opens the server with some rules and returns its pages."""
    opened: list[TestClient] = []

    def serve(find: Any) -> TestClient:
        tables = Tables(store, pace=0, pause=(0, 0), find=find)
        client = TestClient(create_app(tables, limits=Limits(0)), follow_redirects=False)
        opened.append(client.__enter__())
        return opened[-1]

    yield serve
    for client in opened:
        client.__exit__(None, None, None)


def record_of(client: TestClient, case: Case) -> dict[str, Any]:
    answer = client.get(f"/t/{case['key']}/{case['token']}/record.json")
    assert answer.status_code == 200, answer.text
    assert client.get(f"/t/{case['key']}/guess/record.json").status_code == 404
    found: dict[str, Any] = answer.json()
    return found


def without_sentence(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without the sentence of its result. What a release wrote stays, and today's rules say it anew."""
    return record | {"result": record["result"] and {**record["result"], "why": ""}}


async def test_the_same_rules_and_cards_open_everything(release: Release, store: Store) -> None:
    tables = Tables(store)
    stock = await tables.housekeeper.count_tables()
    assert stock == Stock(waiting=4, going=4, readable=8, records=0, needs={})
    assert str(stock) == "16 tables: 4 waiting for players, 4 running, 8 finished."
    for case in release["cases"]:
        table = await tables.table(case["key"])
        assert table.position.over == (case["state"] in ("finished", "unarchived"))
    assert len(store.unkept()) == 4, "the start need not wait for them"
    await tables.housekeeper.clean_up()
    assert store.unkept() == []


async def test_other_rules_keep_archives_and_records(release: Release, store: Store, pages: Any) -> None:
    """Running games wait for their original version and are named. A finished game is shown as before. Without an
    archive that the current rules can read, at least its record is served."""
    told = {case["key"]: await record_text(Tables(store), case) for case in cases(release, "finished", "unarchived")}
    stock = await Tables(store, find=others).housekeeper.count_tables()
    assert (stock.waiting, stock.going, stock.readable, stock.records) == (4, 0, 4, 4)
    assert sum(stock.needs.values()) == 4
    assert str(stock) == (
        "16 tables: 4 waiting for players, 4 finished, 4 finished, of which only the record is left, "
        "4 for an older version of Gonfalon."
    )
    client = pages(others)
    for case in release["cases"]:
        page = client.get(f"/t/{case['key']}/{case['token']}/replay")
        if case["state"] in ("finished", "unarchived"):
            assert without_sentence(record_of(client, case)) == without_sentence(json.loads(told[case["key"]]))
            api = client.get(f"/api/tables/{case['key']}/record", headers={"Authorization": f"Bearer {case['token']}"})
            assert without_sentence(api.json()) == without_sentence(json.loads(told[case["key"]]))
        if case["state"] == "finished":
            assert page.status_code == 200
        elif case["state"] == "unarchived":
            assert page.status_code == 409
            assert "Its record can be saved." in page.text
            assert 'href="record.json"' in page.text
        elif case["state"] == "running":
            assert page.status_code == 409
            assert "Only an older version of Gonfalon can open it" in page.text
            assert client.get(f"/t/{case['key']}/{case['token']}/record.json").status_code == 409
        else:
            assert client.get(f"/t/{case['key']}/{case['token']}/").status_code == 200


async def record_text(tables: Tables, case: Case) -> str:
    """Return the record as written by a server that knows the rules."""
    table = await tables.table(case["key"])
    text = (await table.moves.record()).dumps()
    assert load(text, games.game).replay() is not None
    return text


async def test_rules_that_read_the_same_game_archive_it_first(release: Release, store: Store, pages: Any) -> None:
    """Readable games without an archive are archived before any request."""
    stock = await Tables(store, find=newer).housekeeper.count_tables()
    assert (stock.waiting, stock.readable, stock.records, sum(stock.needs.values())) == (4, 8, 0, 4)
    client = pages(gone)
    for case in cases(release, "unarchived"):
        page = client.get(f"/t/{case['key']}/{case['token']}/replay")
        assert page.status_code == 200
        assert "Its decisions were replayed under version later." in page.text


def test_the_start_reports_the_state_of_the_tables(
    store: Store, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "Tables", lambda store: Tables(store, find=newer))
    server.print_address("http://127.0.0.1:8000/", False, server.take_stock(store))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "16 tables: 4 waiting for players, 8 finished, 4 for an older version of Gonfalon."
    ]
    told = sorted(record.getMessage() for record in caplog.records if record.name == "gonfalon.web")
    assert len(told) == 4
    assert told[0].startswith("1 table: This game was started under version ")


async def test_a_damaged_row_stops_no_start(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tables SET options = 'nothing'")
    stock = await Tables(store).housekeeper.count_tables()
    assert sum(stock.needs.values()) == 8
