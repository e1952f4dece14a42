"""`gonfalon admin`: an operator manages tables beside the server, and sees no hidden card."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.table import LinkHolder, Person, Robot, Store, Tables, administration
from gonfalon.table.errors import StoreError
from gonfalon.table.links import hash_token
from gonfalon.table.store.admin_rows import Report
from gonfalon.table.store.store import Link
from tests.cli.conftest import Run

DEVICE = "ab" * 32


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    store = Store(database)
    yield store
    store.close()


def open_table(store: Store, game: str = "feint", resigns: bool = False, **options: object) -> tuple[str, str]:
    """Open a table of May against a bot, and return its key and May's token."""
    given: Options = dict(options)

    async def run() -> tuple[str, str]:
        tables = Tables(store, pace=0, pause=(0, 0))
        await tables.beat()
        made = games.game(game, **given)
        bots = [Robot("random")] * (made.seats - 1)
        table, tokens = await tables.open_table(made, [Person("May"), *bots])
        if resigns:
            await table.seats.resign(LinkHolder(0))
        return table.key, tokens[0]

    return anyio.run(run)


def test_tables_are_listed_and_filtered(run: Run, database: str, store: Store) -> None:
    first, _ = open_table(store)
    second, _ = open_table(store, "jinkei", resigns=True)
    code, out, err = run("admin", "tables", "--database", database)
    assert (code, err) == (0, "")
    assert sorted(out.splitlines()) == sorted(
        [
            f"{first[:6]}  feint  running  May, Random  active within the last hour",
            f"{second[:6]}  jinkei  over  May, Random  active within the last hour",
        ]
    )
    assert run("admin", "tables", "--game", "feint", "--database", database)[1].startswith(first[:6])
    assert len(run("admin", "tables", "--name", "mAy", "--days", "1", "--database", database)[1].splitlines()) == 2
    states = [run("admin", "tables", "--state", one, "--database", database)[1] for one in ("running", "over")]
    assert [text[:6] for text in states] == [first[:6], second[:6]]
    none = "There are no such tables.\n"
    assert run("admin", "tables", "--state", "waiting", "--database", database)[1] == none
    assert run("admin", "tables", "--name", "%", "--database", database)[1] == none
    assert run("admin", "tables", "--name", "_", "--database", database)[1] == none


def test_a_table_shows_its_seats_and_devices(run: Run, database: str, store: Store) -> None:
    key, token = open_table(store)
    store.remember(DEVICE, Link(key, "feint", hash_token(token), "x" * 24, 1.0))
    code, out, _ = run("admin", "show", key[:4], "--database", database)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith(f"Table {key[:6]}: Warriors of Jogu: Feint, running, opened ")
    assert lines[1:] == ["  seat 0: May (person), devices: abababababab", "  seat 1: Random (bot)"]


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_nothing_hidden_of_a_running_game_is_shown(run: Run, database: str, store: Store, name: str) -> None:
    """The whole output is derived from public facts: it is the same whatever was dealt and answered."""
    key, _ = open_table(store, name)
    seen = [run("admin", *task, "--database", database)[1] for task in (("tables",), ("show", key))]
    other, _ = open_table(store, name)
    store.clear(key)
    again = [run("admin", *task, "--database", database)[1] for task in (("tables",), ("show", other))]
    assert [text.replace(other[:6], "KEY") for text in again] == [text.replace(key[:6], "KEY") for text in seen]
    code, out, err = run("admin", "export", other, "record.json", "--database", database)
    assert (code, out) == (2, "")
    assert "available after the game" in err
    assert not Path("record.json").exists()


def test_the_record_of_a_finished_game_is_exported(run: Run, database: str, store: Store, tmp_path: Path) -> None:
    key, _ = open_table(store, resigns=True)
    file = tmp_path / "record.json"
    code, out, _ = run("admin", "export", key, file, "--database", database)
    assert (code, out) == (0, f"{file} contains the record.\n")
    assert json.loads(file.read_text())["ended"] == {"seat": 0, "how": "resigned"}
    code, _, err = run("admin", "export", key, file, "--database", database)
    assert code == 2
    assert "already exists" in err


def test_a_closed_game_ends_without_a_result(run: Run, database: str, store: Store) -> None:
    key, _ = open_table(store)
    assert run("admin", "close", key[:6], "--database", database)[0] == 0
    row = store.table(key)
    assert json.loads(row.ending)["ended"] == {"seat": -1, "how": "abandoned", "days": 0}
    shown = run("admin", "show", key, "--database", database)[1].splitlines()
    assert shown[1] == "The operator of the server ended the game without a result."
    code, _, err = run("admin", "close", key, "--database", database)
    assert code == 2
    assert "over already" in err


def test_a_seat_is_renamed_to_a_clean_and_different_name(run: Run, database: str, store: Store) -> None:
    key, _ = open_table(store)
    assert run("admin", "rename", key, "0", "Random\u202e", "--database", database)[1] == "Seat 0 is called Random 2.\n"
    assert store.table(key).seats[0].name == "Random 2"
    wrong = (("0", "\u200b", "another name"), ("0", "You", "another name"), ("0", "Rook (program)", "another name"))
    for seat, name, sentence in (("7", "Bo", "0 to 1"), ("1", "Bo", "no player"), *wrong):
        code, _, err = run("admin", "rename", key, seat, name, "--database", database)
        assert code == 2
        assert sentence in err


@pytest.mark.parametrize("key", ["abc", "'; --", "a/../b", "%%%%%", "x" * 200])
def test_a_wrong_key_is_refused_in_a_sentence(run: Run, database: str, store: Store, key: str) -> None:
    open_table(store)
    for task in ("show", "close"):
        code, out, err = run("admin", task, key, "--database", database)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_no_command_changes_an_older_schema(run: Run, database: str, store: Store) -> None:
    """An older server may be using the database."""
    assert run("database", "downgrade", "1", "--yes", "--database", database)[0] == 0
    for words in (("admin", "tables"), ("bot", "list")):
        code, out, err = run(*words, "--database", database)
        assert (code, out) == (2, "")
        assert "schema version 1, and this command needs version 2." in err
    assert "Schema version 1" in run("database", "current", "--database", database)[1]


def test_maintenance_is_set_and_printed(run: Run, database: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GONFALON_DATABASE", database)
    said = [run("admin", "maintenance", *state)[1] for state in ((), ("on",), (), ("off",))]
    assert [text.partition(":")[0] for text in said] == [f"Maintenance is {one}" for one in ("off", "on", "on", "off")]


def test_a_failing_database_is_told_once(
    run: Run, database: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Store, *_: object) -> None:
        self.outage.fail(StoreError("The disk is full."))
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "set_operation", fail)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # those of pytest, which a command does not have
    code, out, err = run("admin", "notice", "Tea at 4", "--database", database)
    assert (code, out, err) == (2, "", "gonfalon: The disk is full.\n")


def test_bans_are_listed_and_removed(run: Run, database: str, store: Store) -> None:
    key, token = open_table(store)
    store.remember(DEVICE, Link(key, "feint", hash_token(token), "x" * 24, 1.0))
    assert run("admin", "ban", "abababab", "--note", "Rude", "--database", database)[1] == "abababababab is banned.\n"
    assert run("admin", "ban", "192.0.2.7", "--database", database)[0] == 0
    assert store.server_state().links == {hash_token(token)}
    out = run("admin", "bans", "--database", database)[1]
    assert sorted(line.split("  ")[0] for line in out.splitlines()) == ["192.0.2.7/32", "abababababab"]
    assert "Rude" in out
    assert run("admin", "unban", "192.0.2.7", "--database", database)[0] == 0
    assert run("admin", "unban", "abababab", "--database", database)[0] == 0
    assert run("admin", "bans", "--database", database)[1] == "There are no bans.\n"
    assert run("admin", "unban", "abababab", "--database", database)[0] == 2


def test_notice_maintenance_and_link(run: Run, database: str, store: Store) -> None:
    assert run("admin", "notice", "Pause\nat 8", "--database", database)[1] == "All pages show: Pause at 8\n"
    assert run("admin", "notice", "--database", database)[1] == "Pause at 8\n"
    assert run("admin", "notice", "x" * 301, "--database", database)[0] == 2
    assert run("admin", "notice", "--clear", "--database", database)[1] == "The notice is removed.\n"
    assert run("admin", "maintenance", "on", "--database", database)[0] == 0
    assert store.server_state().maintenance
    assert run("admin", "maintenance", "off", "--database", database)[0] == 0
    assert not store.server_state().maintenance
    first = run("admin", "link", "--database", database)[1].split("/")[-2]
    assert administration.is_operator(store, first)
    assert first not in store.operator_link()
    assert run("admin", "link", "--database", database)[0] == 2
    second = run("admin", "link", "--new", "--database", database)[1].split("/")[-2]
    assert administration.is_operator(store, second)
    assert not administration.is_operator(store, first)


def test_reports_are_sealed_until_the_game_is_over(run: Run, database: str, store: Store) -> None:
    key, _ = open_table(store)
    store.add_report(Report("report-one", key, 0, 1, "Bo", DEVICE, "Insults", 7, 1.0))
    line = f"report  1970-01-01 00:00  table {key[:6]}: May reports Bo (seat 1): Insults\n"
    assert run("admin", "reports", "--database", database)[1] == line
    sealed = run("admin", "reports", "report", "--database", database)[1]
    assert sealed == f"{line}The record is sealed until the game is over.\n"
    run("admin", "close", key, "--database", database)
    assert "after decision 7" in run("admin", "reports", "report", "--database", database)[1]
    assert run("admin", "reports", "report", "--settle", "--database", database)[0] == 0
    assert run("admin", "reports", "--database", database)[1] == "There are no reports.\n"
    assert run("admin", "reports", "--all", "--database", database)[1] == line.replace("\n", " (settled)\n")
    assert run("admin", "reports", "nothing", "--database", database)[0] == 2
