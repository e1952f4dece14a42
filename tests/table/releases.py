"""Databases of releases, for the test that a newer version of Gonfalon opens them.

Each release from 1.0 on leaves a small one in `releases/`, written by `python -m tests.table.releases`. It holds for
each of the four games a waiting table, a running one, a finished one, and one left just before the server was killed.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, TypedDict

import anyio
import sqlalchemy as sa

from gonfalon import __version__, games
from gonfalon.core.basics.rng import Rng
from gonfalon.table import LinkHolder, Open, Person, Store, Table, Tables
from tests.table.opening import until

FOLDER: Final = Path(__file__).parent / "releases"
NAMES: Final = ("feint", "jinkei", "generals", "factionwars")
DECISIONS: Final = 12
"""The number of decisions at a running table. More would enlarge the file without improving the test."""
PEOPLE: Final = ("May", "Bo", "Cy", "Di", "Ed")


class Case(TypedDict):
    """A table of a release: its key, the token of its first seat, and its type."""

    game: str
    state: Literal["waiting", "running", "finished", "unarchived"]
    key: str
    token: str


class Release(TypedDict):
    """A database as SQL, and a list of its tables."""

    version: str
    cases: list[Case]
    sql: str


async def write_tables(url: str) -> list[Case]:
    """Fill an empty database."""
    cases: list[Case] = []
    store = Store(url)
    try:
        async with Tables(store, pace=0, pause=(0, 0)).open() as tables:
            rng = Rng(1)
            for name in NAMES:
                game = games.game(name)
                people = [Person(person) for person in PEOPLE[: game.seats]]
                waiting, tokens = await tables.open_table(game, [people[0], *[Open()] * (game.seats - 1)])
                cases.append({"game": name, "state": "waiting", "key": waiting.key, "token": tokens[0]})
                for state in ("running", "finished", "unarchived"):
                    table, tokens = await tables.open_table(game, people)
                    await play(table, rng, None if state == "finished" else DECISIONS)
                    if state == "unarchived":
                        await end_early(table)
                    if state != "running":
                        await until(lambda key=table.key: store.kept(key) is not None, 60)
                    cases.append({"game": name, "state": state, "key": table.key, "token": tokens[0]})
        with store.engine.begin() as connection:  # as when the server was killed before the archive was made
            for case in cases:
                if case["state"] == "unarchived":
                    connection.execute(sa.text('DELETE FROM kept WHERE "table" = :key'), {"key": case["key"]})
    finally:
        store.close()
    return cases


async def end_early(table: Table) -> None:
    """End the game by letting all seats but the first give up."""
    for seat in range(1, table.game.seats):
        await table.seats.resign(LinkHolder(seat))
    if not table.position.over:
        await table.seats.resign(LinkHolder(0))


async def play(table: Table, rng: Rng, decisions: int | None) -> None:
    """Make random decisions for all people, to the end or up to a number of decisions."""
    position = table.position
    while not position.over and (decisions is None or position.decisions < decisions):
        seat = next(seat for seat in range(table.game.seats) if position.is_asked(seat))
        legal = table.view(seat).legal(seat)
        await table.moves.act(LinkHolder(seat), position.version(seat), [legal[rng.below(len(legal))]])
        position = table.position


def write(url: str) -> list[Case]:
    """Fill an empty database from synchronous code."""
    return anyio.run(write_tables, url)


def dump(file: Path) -> Release:
    """Dump a new database of this version."""
    cases = write(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        return {"version": __version__, "cases": cases, "sql": "\n".join(connection.iterdump())}


def restore(release: Release, file: Path) -> None:
    """Recreate the database of a release."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(release["sql"])


def read(file: Path) -> Release:
    """Read a stored release."""
    found: Release = json.loads(lzma.decompress(file.read_bytes()))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = dump(Path(folder) / "tables.db")
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / f"{made['version']}.json.xz"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(lzma.compress(json.dumps(made).encode()))
    print(f"{target}: {target.stat().st_size // 1024} kB")
