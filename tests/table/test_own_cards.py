"""Tables with own cards: every process, a restart, a rematch and a replay keep them, whatever the standard cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.files import card_files
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.record import load
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint import box as feint
from gonfalon.table import Open, Person, Robot, Table, Tables
from gonfalon.table.links import derive_invitation
from gonfalon.table.live.archive import open_archive
from tests.table.opening import first, nonce, sit_ready, tables_at, tables_on, until

pytestmark = pytest.mark.anyio
TEXT = 'name = "Keion as printed"\npatriot.strength = 7\n'


def make_game(text: str = TEXT, name: str = "feint", **options: object) -> Game:
    kind = games.find_game_class(name)
    return kind(**options, **read_card_set(kind, text).options)


def list_paths(table: Table) -> list[str]:
    """Return the changes that a spectator is shown, with the name of the set first."""
    cards = table.build_view(SPECTATOR)["cards"]
    assert cards is not None
    return [cards["name"], *(f"{change['path']}={change['after']}" for change in cards["changes"])]


def print_strength(table: Table) -> object:
    card = table.game.card("patriot")
    assert card is not None
    return card["strength"]


OURS = ["Keion as printed", "patriot.strength=7"]


async def test_every_process_and_a_restart_keep_the_cards(database: str) -> None:
    async with tables_on(database) as one, tables_on(database) as other:
        table, tokens = await one.open_table(make_game(), [Person("May"), Open()])
        there = await other.table(table.key)
        assert list_paths(there) == OURS, "before the deal"
        await sit_ready(there, derive_invitation(tokens[0], 1), "bo", "Bo")
        await table.update()
        await until(lambda: table.position.dealt)
        assert list_paths(table) == list_paths(there) == OURS
    async with tables_on(database) as later:
        table = await later.table(table.key)
        assert list_paths(table) == OURS
        await until(lambda: table.position.is_asked(0) or table.position.is_asked(1))
        await first(table, 0 if table.position.is_asked(0) else 1)


async def test_new_standard_cards_change_no_custom_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next version prints another number on the same card, and on another one."""
    async with tables_at(tmp_path) as tables:
        table, _ = await tables.open_table(make_game(), [Person("May"), Robot("random")])
        waiting, _ = await tables.open_table(make_game(), [Person("May"), Open()])
        data = table.game.data_hash
    raw = feint.read_standard_box()
    for faction in raw["faction"]:
        for card in faction["cards"]:
            card["strength"] += card["slug"] in ("patriot", "dragoon")
    monkeypatch.setattr(card_files, "parse_standard", lambda file: ("", json.dumps(raw)))
    async with tables_at(tmp_path) as tables:
        for key in (table.key, waiting.key):
            again = await tables.table(key)
            assert again.game.data_hash == data
            assert print_strength(again) == 7
            assert list_paths(again) == ["Keion as printed", "dragoon.strength=3"], "against the standard cards of now"


async def end(table: Table) -> None:
    """Resign for the first seat."""
    await until(lambda: table.position.is_asked(0) or table.position.over)
    await table.moves.resign(0)


@pytest.mark.parametrize("name", ["feint", "generals"])
async def test_a_finished_game_is_replayed_and_played_again_with_its_cards(tmp_path: Path, name: str) -> None:
    text = {"feint": TEXT, "generals": 'name = "Keion as printed"\ncao-cao.might = 4\n'}[name]
    async with tables_at(tmp_path) as tables:
        table, tokens = await tables.open_table(make_game(text, name), [Person("May"), Robot("random")])
        told = list_paths(table)
        await end(table)
        record = await table.moves.record()
        again = load(record.dumps(), games.game)
        assert again.game.data_hash == table.game.data_hash
        [*_, last] = replay_sights(again, SPECTATOR)
        assert last.state.dump() == table.position.state.dump()
        await until(lambda: tables.store.kept(table.key) is not None)
        kept = tables.store.kept(table.key)
        assert kept is not None
        stored: dict[str, Any] = json.loads(open_archive(kept[1]).head["record"])
        assert stored["options"]["card_set"] == "Keion as printed"
        key, _ = await tables.rematch(table, table.seats.find_holder(tokens[0]), tokens[0], nonce("next"))
        assert list_paths(await tables.table(key)) == told


async def test_an_old_table_keeps_the_name_of_its_cards(tmp_path: Path) -> None:
    """The game is not installed any more when its finished table is read."""

    def gone(name: str, **options: object) -> Game:
        return games.game(f"no-{name}", **options)

    async with tables_at(tmp_path) as tables:
        table, _ = await tables.open_table(make_game(), [Person("May"), Robot("random")])
        await end(table)
        await until(lambda: tables.store.kept(table.key) is not None)
    async with tables_at(tmp_path, find=gone) as tables:
        old = await tables.stored.old_table(table.key)
        assert old.build_view(SPECTATOR)["cards"] == {"name": "Keion as printed", "changes": [], "count": 0}


async def test_the_standard_cards_of_an_earlier_version_are_no_custom_set(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await tables.open_table(games.game("feint"), [Person("May"), Robot("random")])
    raw = feint.read_standard_box()
    raw["faction"][0]["cards"][0]["strength"] += 1
    monkeypatch.setattr(card_files, "parse_standard", lambda file: ("", json.dumps(raw)))
    row = tables.store.table(table.key)
    game = tables.stored.make_game(row)
    assert game.data_hash == row.data
    async with tables_on(str(tables.store.engine.url)) as later:
        assert (await later.table(table.key)).build_view(SPECTATOR)["cards"] is None
