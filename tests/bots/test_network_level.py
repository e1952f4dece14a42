"""A level that asks a network says where that has not learnt the cards."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import check_output
from typing import Any

import pytest

from gonfalon.bots.levels import levels_for, note_on
from gonfalon.bots.networks.network import load, load_description
from gonfalon.games import game
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots.levels import TRAINED
from tests.generals.test_data import with_card
from tests.measured import measured

NOTE = "Expert has not learnt these cards, so it plays by search alone."


@pytest.mark.parametrize(
    ("name", "options"),
    [("feint", {}), ("generals", {}), ("factionwars", {"seats": 2}), ("factionwars", {"seats": 3}), ("jinkei", {})],
)
def test_nothing_is_said_of_the_cards_that_come_with_a_game(name: str, options: dict[str, Any]) -> None:
    known = measured(name, **options)
    assert [level for level in levels_for(known) if note_on(level, known)] == []


def test_a_changed_number_is_said(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("form = 1\n[box]\nmorale = 30\n", encoding="utf-8")
    own = Feint(cards=path)
    assert {level: note_on(level, own) for level in ("strong", "expert", None)} == {
        "strong": "",
        "expert": NOTE,
        None: "",
    }


def test_an_added_card_and_another_revision_are_said() -> None:
    assert note_on("expert", game("generals", cards=with_card())) == NOTE
    assert note_on("expert", game("factionwars", seats=2, revision="later")) == NOTE


def test_an_outline_is_that_of_the_network() -> None:
    net, outline = load(TRAINED), load_description(TRAINED)
    assert (outline.widths, outline.about) == (net.widths, net.about)


def test_it_is_said_without_loading_a_network() -> None:
    script = (
        "import sys; from gonfalon.bots.levels import note_on; from gonfalon.games.feint import Feint; "
        "note_on('expert', Feint()); print('numpy' in sys.modules)"
    )
    assert check_output([sys.executable, "-c", script], text=True) == "False\n"
