"""A server in this process with all built-in games and a third-party game, and moves at its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.table import LinkHolder, Person, Store, Table, Tables
from gonfalon.web import create_app

HOUSE = ("factionwars", "feint", "generals", "jinkei")


class Everything:
    """The server, and direct actions on it without pages."""

    def __init__(self, client: TestClient, tables: Tables) -> None:
        self.client = client
        self.tables = tables

    def call(self, work: Callable[..., Any], *args: Any) -> Any:
        assert self.client.portal is not None
        return self.client.portal.call(work, *args)

    def sit(self, game: str, **options: Any) -> tuple[Table, str]:
        """Open a table of people. Return the seat address of the first one, May."""
        made = self.tables.find(game, **options)
        names = ("May", "Bo", "Cy", "Di", "Ed")[: made.seats]
        table, tokens = self.call(self.tables.open_table, made, [Person(name) for name in names])
        return table, f"/t/{table.key}/{tokens[0]}/"

    def play(self, table: Table, until: Callable[[State], bool], seed: int = 1) -> None:
        """Play random actions for all seats until the position matches."""
        rng = Rng(seed)
        for _ in range(2000):
            state = table.position.state
            if state.over or until(state):
                return
            seat = state.turn
            actions = state.legal(seat)
            action = actions[int(rng.below(len(actions)))]
            self.call(table.moves.act, LinkHolder(seat), table.position.version(seat), [action])
        raise AssertionError("it does not come to that")

    def page(self, address: str) -> str:
        """Return the page at an address."""
        answer = self.client.get(address)
        assert answer.status_code == 200, answer.text
        return answer.text


@contextmanager
def everything(folder: Path) -> Iterator[Everything]:
    """The server, shared by the tests of a module."""
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    tables = Tables(store, pace=0, pause=(0, 0), find=games.game)
    kinds: dict[str, type[Game]] = {name: games.find_game_class(name) for name in HOUSE}
    with TestClient(create_app(tables, kinds), follow_redirects=False) as client:
        yield Everything(client, tables)
    store.close()
