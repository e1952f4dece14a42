"""The formation data: every constraint that the rulebook's numbers force, and all faults at once."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.errors import DataError, OptionError
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.data import FILE, read, standard
from tests.rules import rule


def changed(number: int, rows: list[str]) -> dict[str, Any]:
    """The standard data with other rows for one formation, counted from 1."""
    raw = copy.copy(standard())
    raw["formation"] = [dict(entry) for entry in raw["formation"]]
    raw["formation"][number - 1]["rows"] = rows
    return raw


def faults(raw: dict[str, Any]) -> str:
    with pytest.raises(DataError) as error:
        read(raw)
    return str(error.value)


def test_there_are_two_formations_of_each_type_for_each_round() -> None:
    box = read(None)
    assert box.types == ["sword", "shield", "bow"]
    assert Counter((form.type, form.round) for form in box.formations) == {
        (type, round): 2 for type in range(3) for round in (1, 2, 3)
    }


@rule("jinkei", 3, 28)
def test_the_standard_formations_keep_the_numbers_of_the_rulebook() -> None:
    """7 cards in hand, 6 laid, 1 kept; 1 from the deck; 2 Blank Cards, 3 for the Bow with its two cards."""
    box = read(None)
    for form in box.formations:
        bow = box.types[form.type] == "bow"
        assert sum(form.blank) == (3 if bow else 2)
        assert form.two.count(True) == (1 if bow else 0)
        assert not any(form.two[:6]), "two cards lie among the Reinforcements"
        assert form.reveal < 6, "the revealed card lies open, in front of the Reinforcements"
        assert len(form.front) + len(form.back) == 6
        for column in range(3):
            assert not (form.blank[column] and form.blank[3 + column])


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([".+1 . .", ". . .", "# . #"], "exactly one space takes the revealed card"),
        ([".+1 T .", ". T .", "# . #"], "exactly one space takes the revealed card"),
        ([".+1 . .", ". . .", "# T #"], "Reinforcements (ruling 3)"),
        (["2 . #", ". T .", "# . #"], "(ruling 28)"),
        ([".+1 . .", ". T .", "# . ."], "7 cards go down from the hand"),
        ([".+1 . #", ". T .", "# . #"], "3 Blank Cards"),
        (["# . .", "# T .", ". . ."], "column 1"),
        ([".+3 . .", ". T .", "# . #"], "'.+3' is no space"),
        ([".+1 .", ". T .", "# . #"], "three texts of three spaces"),
        (["#+1 . .", ". T .", "# . ."], "'#+1' is no space"),
    ],
)
def test_a_bad_formation_is_refused_with_its_reason(rows: list[str], fault: str) -> None:
    assert fault in faults(changed(1, rows))


@rule("jinkei", 28)
def test_only_a_bow_has_a_space_for_two_cards() -> None:
    assert "bow" in faults(changed(1, [". . #", ". T .", "# 2 #"]))


def test_all_faults_are_named_at_once() -> None:
    raw = changed(1, [".+1 . .", ". . .", "# . #"])
    raw["formation"][4]["type"] = "axe"
    raw["formation"][7]["round"] = 4
    raw["deck"] = {**raw["deck"], "ranks": [3, 2, 1]}
    text = faults(raw)
    for fault in ("formation 1:", "formation 5:", "'axe'", "formation 8:", "ranks must be"):
        assert fault in text


def test_each_fault_has_its_line(tmp_path: Path) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    bad = [i for i, line in enumerate(lines, start=1) if line.startswith("rows")][1]
    lines[bad - 1] = 'rows = [". T . .", "# . .", ". # ."]'
    file = tmp_path / "mine.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match=f"line {bad}: formation 2"):
        read(file)


@pytest.mark.parametrize("text", ["form = ", "form = 2", "[deck]\nform = 1", "\x00", "[[[["])
def test_nonsense_is_refused_in_one_message(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"mine\.toml"):
        read(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read(tmp_path / "none.toml")


def test_an_owners_file_replaces_the_layouts_and_the_hash(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8").replace(
        'rows = [".+1 . .", ". T .", "# . #"]', 'rows = [".+2 . .", ". T .", "# . #"]'
    )
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    game = Jinkei(formations=file)
    assert game.setup.formations[0].bonus[0] == 2
    assert game.data_hash != Jinkei().data_hash
    assert Jinkei(formations=game.options["formations"]).data_hash == game.data_hash


def test_a_text_never_names_a_file() -> None:
    with pytest.raises(OptionError):
        Jinkei(formations=str(FILE))
