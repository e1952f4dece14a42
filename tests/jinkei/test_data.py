"""The formation file: the built-in formations, the ones an owner can write, and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.games.jinkei import Jinkei, box
from gonfalon.testing import rule

STANDARD = box.FILE.read_text("utf-8")


def find_refusal(raw: dict[str, Any]) -> str:
    """Return the reason a plain form is rejected."""
    with pytest.raises(DataError) as caught:
        box.read_box(raw)
    return str(caught.value)


def with_rows(*rows: str, type: str = "sword") -> str:
    """Return the reason a first formation of these rows is rejected."""
    raw = box.read_standard_box()
    at = next(i for i, entry in enumerate(raw["formation"]) if entry["type"] == type)
    raw["formation"][at]["rows"] = list(rows)
    return find_refusal(raw)


# ---- what comes with the program ---------------------------------------------------------------------


def test_the_eighteen_formations_meet_every_constraint() -> None:
    """Counted from the text: 2 blanks (Bow 3), one revealed card in front, one space for two cards only on a Bow's
    Reinforcement, 6 cards from the hand, no blank in front of a Reinforcement."""
    entries = box.read_standard_box()["formation"]
    assert len(entries) == 18
    for entry in entries:
        spaces = " ".join(entry["rows"]).split()
        assert len(spaces) == 9
        signs = [space[0] for space in spaces]
        bow = entry["type"] == "bow"
        assert signs.count("#") == (3 if bow else 2)
        assert signs[:6].count("T") == signs.count("T") == 1
        assert signs[6:].count("2") == signs.count("2") == int(bow)
        assert 9 - signs.count("#") + signs.count("2") == 7
        for column in range(3):
            assert not signs[column] == signs[column + 3] == "#"
    for type in ("sword", "shield", "bow"):
        assert [entry["round"] for entry in entries if entry["type"] == type] == [1, 1, 2, 2, 3, 3]


# ---- an owner's file -----------------------------------------------------------------------------------


def test_an_owners_file_replaces_the_formations(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(STANDARD.replace('rows = [".+1 . .", ". T .", "# . #"]', 'rows = [".+2 . .", ". T .", "# # ."]'))
    game = Jinkei(formations=file)
    assert game.setup.formations[0].bonus[0] == 2
    assert game.data_hash != Jinkei().data_hash
    record = Record(game)
    state = game.start(log=True)
    rng = Rng(3)
    while not state.over:
        record.add(state.turn, state.sample(rng))
        state.apply(*record.decisions[-1])
    again = load(record.dumps(), lambda name, **options: Jinkei(**options))
    assert again.game.data_hash == game.data_hash, "a record carries the file"
    assert again.replay().dump() == state.dump()


def test_a_text_does_not_name_a_file() -> None:
    with pytest.raises(OptionError):
        Jinkei(formations="mine.toml")


def test_a_game_of_other_numbers() -> None:
    """Two rounds of three battles with one type less."""
    raw = {
        "form": 1,
        "deck": {"colours": ["green", "gold"], "ranks": [1, 2, 3, 4], "achievements": [1, 1, 2, 2]},
        "game": {"rounds": 2, "hand": 3, "blanks": {"sword": 6, "shield": 6}},
        "formation": [
            {"type": type, "round": round, "rows": [". # #", "T # #", ". # #"]}
            for type in ("sword", "shield")
            for round in (1, 2)
        ],
    }
    game = Jinkei(formations=raw)
    assert game.names[:5] == ["green1", "green2", "green3", "green4", "gold1"]
    state = game.start()
    rng = Rng(1)
    while not state.over:
        state.apply(state.turn, state.sample(rng))
    assert [len(scored) for scored in state.scored] == [2, 2]


def test_a_game_of_the_largest_hand() -> None:
    """One round of nine battles: eight cards of the hand and the revealed one leave no Blank Card."""
    raw = {
        "form": 1,
        "deck": {"colours": ["green", "gold"], "ranks": [1, 2, 3, 4, 5], "achievements": [1, 1, 2, 2, 2]},
        "game": {"rounds": 1, "hand": 9, "blanks": {"sword": 0, "shield": 0}},
        "formation": [{"type": type, "round": 1, "rows": [". . .", "T . .", ". . ."]} for type in ("sword", "shield")],
    }
    state, rng = Jinkei(formations=raw).start(), Rng(1)
    battles = 0
    while not state.over:
        battles += state.stack[-1].prompt == "lead"
        state.apply(state.turn, state.sample(rng))
    assert battles == 9


# ---- layouts that the numbers forbid ---------------------------------------------------------------------


@rule("jinkei", 3)
def test_a_revealed_card_among_the_reinforcements_is_refused() -> None:
    assert "cannot be in the Reinforcements" in with_rows(". . .", "# . .", "# T .")


@rule("jinkei", 28)
@pytest.mark.parametrize("rows", [("2 . .", "# T .", "# # ."), (". . .", "# T 2", "# # .")])
def test_two_cards_in_front_are_refused(rows: tuple[str, ...]) -> None:
    assert "only a space of the Reinforcements can take two cards" in with_rows(*rows, type="bow")


@pytest.mark.parametrize("type", ["sword", "shield"])
def test_two_cards_are_for_a_bow(type: str) -> None:
    assert "only the type bow can have a space for two cards" in with_rows(". . .", "# T .", "# # 2", type=type)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((". . .", "# . .", "# . ."), "exactly one space must take the revealed card (T), not 0"),
        (("T . .", "# T .", "# . ."), "exactly one space must take the revealed card (T), not 2"),
        ((". . .", "# T .", "# # ."), "3 Blank Cards, but a sword player has 2"),
        ((". . .", "# T .", ". . ."), "it takes 7 cards from the hand, but must take 6"),
        (("# . .", "# T .", ". . ."), "column 1 has Blank Cards in Vanguard and Rearguard"),
        ((". . #", ". T #", ". . ."), "column 3 has Blank Cards in Vanguard and Rearguard"),
    ],
)
def test_invalid_layouts(rows: tuple[str, ...], why: str) -> None:
    assert why in with_rows(*rows)


def test_a_completely_blank_column_blocks_nothing() -> None:
    raw = box.read_standard_box()
    raw["formation"][-1]["rows"] = ["# . .", "# T .", "# . 2"]
    assert box.read_box(raw).formations[-1].blank[6]


@pytest.mark.parametrize("word", ["x", ".+3", "#W", "2+", "T1", "."])
def test_a_sign_that_is_none(word: str) -> None:
    if word == ".":
        assert "three texts of three spaces" in with_rows(". .", "# T .", "# . .")
    else:
        assert f"{word!r} is not a space" in with_rows(f". . {word}", "# T .", "# . .")


# ---- the form ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("form",), 2, "this one has form = 2"),
        (("extra",), 1, "entry 'extra' is unknown"),
        (("deck",), 5, "[deck]: the table is missing"),
        (("deck", "colours"), ["red", "Light Blue"], "two different words"),
        (("deck", "ranks"), [0, 2, 1], "ascending"),
        (("deck", "achievements"), [1, 2], "a number from 0 to 30 for each rank"),
        (("deck", "ranks"), [1, 2, 3], "6 cards, but 3 rounds of 7 battles need 22"),
        (("game",), {"rounds": 6}, "rounds must be from 1 to 5, not 6"),
        (("game",), {"hand": "7"}, "hand must be from 2 to 9, not '7'"),
        (("game",), {"blanks": {"spear": 2}}, "blanks must give types a number of Blank Cards"),
        (("formation",), [], "At least two types need formations"),
        (("formation", 0, "type"), "spear", "type must be one of sword, shield, bow, not 'spear'"),
        (("formation", 0, "round"), 4, "round must be from 1 to 3, not 4"),
        (("formation", 0, "round"), 2, "Sword has 3 formations for round 2"),
        (("formation", 0, "name"), "x", "Formation 1: the entry 'name' is unknown"),
    ],
)
def test_a_bad_entry_is_named(path: tuple[Any, ...], value: Any, why: str) -> None:
    raw: Any = copy_of_standard()
    at = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert why in find_refusal(raw)


def copy_of_standard() -> dict[str, Any]:
    return json.loads(json.dumps(box.read_standard_box()))  # type: ignore[no-any-return]


def test_all_faults_are_named_at_once_each_with_its_line(tmp_path: Path) -> None:
    lines = STANDARD.splitlines()

    def line(text: str) -> int:
        return next(i for i, row in enumerate(lines) if row.startswith(text))

    form, ranks, first = line("form ="), line("ranks"), line("[[formation]]")
    lines[form] = "form = 7"
    lines[ranks] = "ranks = [3, 2]"
    lines[first + 1] = 'type = "spear"'
    lines[first + 3] = 'rows = [". . T", "# . .", "# x T"]'
    lines.append("colour = 5")
    file = tmp_path / "bad.toml"
    file.write_text("\n".join(lines))
    with pytest.raises(DataError) as caught:
        Jinkei(formations=file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    for at, why in (
        (form, "A card file begins with form = 1; this one has form = 7"),
        (ranks, "[deck]: ranks must be"),
        (first + 1, "Formation 1: type must be one of"),
        (first + 3, "Formation 1: 'x' is not a space"),
        (len(lines) - 1, "Formation 18: the entry 'colour' is unknown"),
    ):
        assert f"Line {at + 1}: {why}" in said
    assert "\n" not in said
