"""A web server in this process, over a database of its own; bots do not dawdle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.table import Store, Tables
from gonfalon.web import create_app
from gonfalon.web.limits import Limits
from tests.table.duel import Duel
from tests.table.moot import Moot
from tests.web.served import Served, serving

OWN: dict[str, type[Game]] = {"duel": Duel, "moot": Moot}


def find(name: str, **options: Any) -> Game:
    if name in OWN:
        return OWN[name](**options)
    if name == "feint":
        return games.game(name, **options)
    raise OptionError(f"There is no game {name!r}.")


def kinds() -> dict[str, type[Game]]:
    return {**OWN, "feint": games.kind("feint")}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, pause=(0, 0), find=find)
    store.close()


@pytest.fixture
def client(tables: Tables) -> Iterator[TestClient]:
    with TestClient(create_app(tables, kinds(), Limits(0)), follow_redirects=False) as client:
        yield client


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    """A server in a process of its own."""
    with serving(tmp_path, free_port()) as served:
        yield served
