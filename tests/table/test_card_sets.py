"""Sets of own cards that a server keeps: found by id, limited for each device, and forgotten when unused."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.files.card_sets import CardSet, read_card_set
from gonfalon.table import Store
from gonfalon.table.errors import NoRoom
from gonfalon.table.live.retention import DAY, DEVICE_DAYS
from gonfalon.table.store import card_set_rows
from gonfalon.table.store.backup import backup, restore
from gonfalon.table.store.card_set_rows import StoredCardSet
from tests.table.opening import tables_at

TEXT = "patriot.strength = 7"


def make_set(name: str = "Ours", text: str = TEXT) -> CardSet:
    return read_card_set(games.find_game_class("feint"), text, name)


def test_a_set_is_found_by_its_id_alone(store: Store) -> None:
    id = store.keep_card_set(make_set(), TEXT, "ann", 1.0)
    assert len(id) >= 20
    options = {"cards": {"text": TEXT, "name": "Ours"}}
    assert store.card_set(id) == StoredCardSet(
        id, "feint", "Ours", TEXT, make_set().data, options, house=False, created=1.0
    )
    for wrong in ("nothing", "", "\0", "x" * 99, "\ud800", "'; --"):
        assert store.card_set(wrong) is None
    assert store.house_card_sets() == []


def test_an_equal_set_of_a_device_is_one(store: Store) -> None:
    id = store.keep_card_set(make_set(), TEXT, "ann", 1.0)
    assert store.keep_card_set(make_set(), TEXT, "ann", 2.0) == id
    assert store.keep_card_set(make_set(text=TEXT + " # mine"), TEXT + " # mine", "ann", 2.5) == id
    assert store.keep_card_set(make_set("Others"), TEXT, "ann", 3.0) != id
    assert store.keep_card_set(make_set(), TEXT, "bo", 4.0) != id, "a link of one device is not another's"


def test_a_device_keeps_its_latest_sets(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_set_rows, "MAX_SETS_OF_DEVICE", 2)
    other = store.keep_card_set(make_set(), TEXT, "bo", 0.0)
    first, second = (store.keep_card_set(make_set(name), TEXT, "ann", at) for name, at in (("1", 1.0), ("2", 2.0)))
    store.card_set(first, 100_000.0)
    third = store.keep_card_set(make_set("3"), TEXT, "ann", 100_001.0)
    assert [store.card_set(id) is None for id in (first, second, third, other)] == [False, True, False, False]


def test_a_server_keeps_a_limited_number_of_sets(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_set_rows, "MAX_SETS", 1)
    store.set_house_sets({"a": (make_set("House"), TEXT)}, 1.0)
    store.keep_card_set(make_set(), TEXT, "ann", 1.0)
    with pytest.raises(NoRoom, match="keeps no more sets of cards"):
        store.keep_card_set(make_set(), TEXT, "bo", 2.0)


def test_house_sets_have_the_same_ids_in_all_processes(store: Store, database: str) -> None:
    sets = {"b.txt": (make_set("B"), TEXT), "a.txt": (make_set("A"), TEXT)}
    ids = store.set_house_sets(sets, 1.0)
    again = Store(database)
    assert again.set_house_sets(sets, 2.0) == ids
    again.close()
    assert [(one.id, one.name, one.house) for one in store.house_card_sets("feint")] == [
        (ids["a.txt"], "A", True),
        (ids["b.txt"], "B", True),
    ]
    assert store.house_card_sets("jinkei") == []
    changed = "patriot.strength = 5"
    assert store.set_house_sets({"a.txt": (make_set("A", changed), changed)}, 3.0) == {"a.txt": ids["a.txt"]}
    assert [(one.name, one.text) for one in store.house_card_sets()] == [("A", changed)]
    removed = store.card_set(ids["b.txt"])
    assert removed is not None, "a link leads on"
    assert not removed.house


def test_unused_sets_are_forgotten(store: Store) -> None:
    old, used = (store.keep_card_set(make_set(name), TEXT, "ann", 1.0) for name in ("old", "used"))
    house = store.set_house_sets({"a": (make_set("House"), TEXT)}, 1.0)["a"]
    store.card_set(used, 1_000_000.0)
    store.forget_card_sets(500_000.0)
    assert [store.card_set(id) is None for id in (old, used, house)] == [True, False, False]


@pytest.mark.anyio
async def test_the_clean_up_forgets_unused_sets(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        now = time.time()
        old, used = (
            tables.store.keep_card_set(make_set(name), TEXT, "ann", now - days * DAY)
            for name, days in (("old", DEVICE_DAYS + 1), ("used", DEVICE_DAYS - 1))
        )
        await tables.housekeeper.clean_up()
        assert [tables.store.card_set(id) is None for id in (old, used)] == [True, False]


def test_a_backup_takes_sets_along(store: Store, database: str, tmp_path: Path) -> None:
    id = store.keep_card_set(make_set(), TEXT, "ann", 1.0)
    backup(database, tmp_path / "backup.db")
    url = f"sqlite:///{tmp_path / 'restored.db'}"
    restore(url, tmp_path / "backup.db")
    restored = Store(url)
    assert restored.card_set(id) == store.card_set(id)
    restored.close()
