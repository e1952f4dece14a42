"""Web servers in this process whose bots do not pause.

Most tests share one server with all games. Each test has its own cookies and is a separate visitor. A test that
needs its own database, or changes the server, uses `own_client` and `own_tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.table import Store, Tables
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from tests.table.duel import Duel
from tests.table.moot import Moot
from tests.web.every import HOUSE, Everything
from tests.web.served import Served, serving

OWN: dict[str, type[Game]] = {"duel": Duel, "moot": Moot}


def find(name: str, **options: Any) -> Game:
    """Find a game of the tests or an installed game."""
    if name in OWN:
        return OWN[name](**options)
    if name in HOUSE:
        return games.game(name, **options)
    raise OptionError(f"There is no game {name!r}.")


def kinds() -> dict[str, type[Game]]:
    return {**OWN, "feint": games.find_game_class("feint")}


@contextmanager
def serve_tables(folder: Path, kinds: dict[str, type[Game]], find: Callable[..., Game] = find) -> Iterator[Everything]:
    """Run a server of these games, without rate limits, over a new database."""
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    tables = Tables(store, pace=0, pause=(0, 0), find=find)
    with TestClient(create_app(tables, kinds, Limits(0), bot_accounts=True), follow_redirects=False) as client:
        yield Everything(client, tables)
    store.close()


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    """The server that tests share."""
    every = {**OWN, **{name: games.find_game_class(name) for name in HOUSE}}
    with serve_tables(tmp_path_factory.mktemp("shared"), every) as server:
        yield server


@pytest.fixture
def server(shared: Everything) -> Everything:
    """The shared server, for a visitor without cookies."""
    shared.client.cookies.clear()
    return shared


@pytest.fixture
def client(shared: Everything) -> TestClient:
    shared.client.cookies.clear()
    return shared.client


@pytest.fixture
def tables(shared: Everything) -> Tables:
    return shared.tables


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Everything]:
    """A server for this test alone."""
    with serve_tables(tmp_path, kinds()) as server:
        yield server


@pytest.fixture
def own_client(own_server: Everything) -> TestClient:
    return own_server.client


@pytest.fixture
def own_tables(tmp_path: Path) -> Iterator[Tables]:
    """Tables for this test alone, without a server."""
    store = Store(f"sqlite:///{tmp_path / 'own.db'}")
    yield Tables(store, pace=0, pause=(0, 0), find=find)
    store.close()


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    """A server in its own process."""
    with serving(tmp_path, free_port()) as served:
        yield served
