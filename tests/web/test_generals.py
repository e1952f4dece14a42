"""The page of Generals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import BOTH
from gonfalon.table import Person, Store, Tables
from gonfalon.web import create_app
from tests.generals.scenario import Table


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, pause=(0, 0))
    store.close()


@pytest.fixture
def client(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, {"generals": Generals}), follow_redirects=False) as client:
        yield client


def test_what_would_do_nothing_says_so_before_it_is_paid(client: TestClient, tables: Tables) -> None:
    """Zhang Fei with nobody to hear him, and a reward for an army that is not there; then with both."""
    assert client.portal is not None
    for heard in (False, True):
        position = Table()
        position.may.holds("Reward the Army", "Militia", "Archers")
        if heard:
            position.may.has("Zhang Fei", at="BORDER")
            position.david.has("Lu Su", at="ENEMY_BORDER")
        table, tokens = client.portal.call(tables.open_table, position.game, [Person("May"), Person("Bo")])
        for out in position.state.out:  # where what a table is laid without lies, unseen
            out[:] = [card | BOTH for card in out]
        table.position.state = position.state
        table.position.look()
        render = client.app.state.services.render  # type: ignore[attr-defined]
        page = render.board(table, tokens[0])
        assert ("Would do nothing now" in page) is not heard
        if heard:
            continue
        position.may.has("Zhang Fei", at="BORDER")
        table.position.look()
        page = render.board(table, tokens[0])
        assert "<small>Cost 1; would do nothing now</small>" in page
        assert "Would do nothing now" not in page
