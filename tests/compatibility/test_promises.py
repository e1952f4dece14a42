"""Later versions keep the promises of 1.0 (docs/pages/reference/compatibility.md).

The files in `1.0/` were written by that version and never change. The database has its own (tests/table/releases).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from gonfalon import games
from gonfalon.core.basics.decks import Decks
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.record import load
from gonfalon.testing import random_record
from tests.compatibility.surfaces import describe_commands, describe_http_api, describe_python_api

FILES: Final = Path(__file__).parent / "1.0"
CARD_OPTIONS: Final = {"feint": "cards", "jinkei": "formations", "generals": "cards", "factionwars": "cards"}


def read_json(name: str) -> Any:
    return json.loads((FILES / name).read_text("utf-8"))


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.names())
def test_records_replay_or_are_refused_with_the_reason(name: str) -> None:
    """A record replays to the same end with the rules and card data of its time."""
    text = (FILES / f"{name}.record.json").read_text("utf-8")
    raw = json.loads(text)
    game = games.game(name)
    same = (game.rules_version, game.data_hash) == (raw["rules"], raw["data"])
    if not same:
        with pytest.raises(RecordError, match=r"rules|card"):
            load(text, games.game)
        return
    record = load(text, games.game)
    state = record.replay()  # raises if the end is another
    assert state.over
    assert json.loads(json.dumps(record.to_json())) == raw


def test_records_have_all_entries_that_they_had() -> None:
    """Entries may be added; none is removed or renamed."""
    for name in games.names():
        raw = read_json(f"{name}.record.json")
        made = random_record(games.game(name), 1).to_json()
        assert made["format_version"] == raw["format_version"]
        assert set(raw) <= set(made)


# ---- card files and decks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.names())
def test_card_files_are_read(name: str) -> None:
    raw = tomllib.loads((FILES / f"{name}.cards.toml").read_text("utf-8"))
    option = CARD_OPTIONS[name]
    kind = games.find_game_class(name)
    game = kind(**kind.read_options({option: raw}))
    record = random_record(game, 1)
    assert record.result is not None
    assert load(json.dumps(record.to_json()), games.game).replay().over


def test_decks_and_share_codes_are_read() -> None:
    """A deck file and a share code of 1.0 name the same cards."""
    decks = games.game("generals").decks()
    assert isinstance(decks, Decks)
    deck, faults = decks.parse((FILES / "deck.txt").read_text("utf-8"))
    assert faults == []
    assert deck.name == "The Long Road"
    kept = read_json("deck.json")
    assert deck.counts == kept["counts"]
    assert decks.decode(kept["code"]).counts == kept["counts"]


# ---- the HTTP API ----------------------------------------------------------------------------------------------------


def find_losses(old: Any, new: Any, place: str) -> Iterator[str]:
    """Yield the parts of a description that a later one lacks. Lists are compared as sets."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, part in old.items():
            if key == "required" and isinstance(part, list):
                continue  # whether a field may become required depends on who sends it
            if key in new:
                yield from find_losses(part, new[key], f"{place}.{key}")
            else:
                yield f"{place}.{key} is gone"
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{place}: {part} is gone" for part in old if part not in new)
    elif old != new:
        yield f"{place}: {old!r} became {new!r}"


def find_references(value: Any) -> Iterator[str]:
    """Yield the names of the schemas to which a part of the document refers."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == "$ref":
                yield part.rpartition("/")[2]
            else:
                yield from find_references(part)
    elif isinstance(value, list):
        for part in value:
            yield from find_references(part)


def find_sent_schemas(api: Mapping[str, Any]) -> set[str]:
    """Return the names of all schemas that a client sends."""
    bodies = [
        operation["requestBody"]
        for path in api["paths"].values()
        for operation in path.values()
        if isinstance(operation, Mapping) and "requestBody" in operation
    ]
    found: set[str] = set()
    waiting = list(find_references(bodies))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += find_references(api["schemas"][name])
    return found


def find_api_breaks(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return all changes of the HTTP API that break a client of the old one."""
    found = list(find_losses(old, new, ""))
    sent = find_sent_schemas(new)
    for name, schema in old["schemas"].items():
        before, after = set(schema.get("required", ())), set(new["schemas"].get(name, {}).get("required", ()))
        if name in sent:
            found += [f"{name}.{field} became required" for field in sorted(after - before)]
        else:
            found += [f"{name}.{field} became optional" for field in sorted(before - after)]
    return found


def test_the_http_api_loses_nothing() -> None:
    assert find_api_breaks(read_json("http_api.json"), describe_http_api()) == []


def test_a_break_of_the_http_api_is_found() -> None:
    old = read_json("http_api.json")

    def change(place: str) -> dict[str, Any]:
        new: dict[str, Any] = json.loads(json.dumps(old))
        if place == "path":
            del new["paths"]["/api/tables/{key}/hint"]
        elif place == "field":
            del new["schemas"]["View"]["properties"]["prompt"]
        elif place == "type":
            new["schemas"]["View"]["properties"]["prompt"] = {"type": "integer"}
        elif place == "required":
            new["schemas"]["Opening"]["required"].append("name")
        elif place == "optional":
            new["schemas"]["View"]["required"].remove("prompt")
        return new

    assert find_api_breaks(old, change("")) == []
    for place in ("path", "field", "type", "required", "optional"):
        assert len(find_api_breaks(old, change(place))) == 1, place


# ---- the Python API --------------------------------------------------------------------------------------------------


def find_python_breaks(old: Mapping[str, list[list[str]]], new: Mapping[str, list[list[str]]]) -> list[str]:
    """Return all changes of the Python API that break a caller of the old one."""
    found = []
    for path, parameters in old.items():
        if path not in new:
            found.append(f"{path} is gone")
            continue
        after = new[path]
        names = {name: (kind, need) for name, kind, need in after}
        for place, (name, kind, need) in enumerate(parameters):
            if name not in names or names[name][0] != kind:
                found.append(f"{path}: the parameter {name} is gone")
            elif need == "optional" and names[name][1] == "required":
                found.append(f"{path}: the parameter {name} became required")
            elif kind.startswith("POSITIONAL") and after[place][0] != name:
                found.append(f"{path}: the parameter {name} has another place")
        before = {name for name, _, _ in parameters}
        found += [
            f"{path}: the new parameter {name} is required"
            for name, kind, need in after
            if parameters and name not in before and need == "required" and not kind.startswith("VAR")
        ]
    return found


def test_the_python_api_loses_nothing() -> None:
    assert find_python_breaks(read_json("python_api.json"), describe_python_api()) == []


def test_a_break_of_the_python_api_is_found() -> None:
    one, two = ["state", "POSITIONAL_OR_KEYWORD", "required"], ["seat", "POSITIONAL_OR_KEYWORD", "optional"]
    old = {"a.f": [one, two]}
    assert find_python_breaks(old, {"a.f": [one, two, ["log", "KEYWORD_ONLY", "optional"]], "a.g": []}) == []
    for new in (
        {},
        {"a.f": [one]},
        {"a.f": [two, one]},
        {"a.f": [one, [*two[:2], "required"]]},
        {"a.f": [one, two, ["log", "KEYWORD_ONLY", "required"]]},
    ):
        assert find_python_breaks(old, new), new


# ---- the command line ------------------------------------------------------------------------------------------------


def test_the_command_line_loses_nothing() -> None:
    assert list(find_losses(read_json("commands.json"), describe_commands(), "")) == []
