"""The guide of Feint agrees with the card data and with the code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gonfalon import games
from gonfalon.games.feint import Feint, box
from gonfalon.games.feint.face.view import ICONS, PROTECTED_RULINGS
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.web.lobby.guide_page import from_markdown
from tests.docs.examples import table_rows

GUIDES = {name: (games.kind(name).folder / "guide.md").read_text("utf-8") for name in games.names()}
GUIDE = (Feint.folder / "guide.md").read_text("utf-8")
BOX = box.read(None)
CARDS = {card["name"]: card for faction in BOX.factions for card in faction["cards"]}


@pytest.mark.parametrize("faction", BOX.factions, ids=lambda faction: str(faction["slug"]))
def test_the_tables_show_the_card_data(faction: dict[str, Any]) -> None:
    expected = [
        [
            f"*{card['name']}*" if card.get("ours") else card["name"],
            str(card["copies"]),
            f"{card['strength']} i" if "strength" in card.get("inferred", []) else str(card["strength"]),
            str(card["morale"]),
        ]
        for card in faction["cards"]
    ]
    assert [row[:4] for row in table_rows(GUIDE, faction["name"])] == expected


def test_a_protected_card_is_called_so() -> None:
    for faction in BOX.factions:
        for name, *_, text in table_rows(GUIDE, faction["name"]):
            card = CARDS[name.strip("*")]
            assert text.endswith(". Protected.") == bool(card.get("protected")), name
            assert bool(text) == bool(card.get("ability")), name


def test_every_icon_is_explained() -> None:
    assert {row[0] for row in table_rows(GUIDE, "Icons")} == set(ICONS)


@pytest.mark.parametrize("name", GUIDES)
def test_rulings_stand_in_order_each_with_a_reason_and_an_address(name: str) -> None:
    found = re.findall(r"^\*\*(\d+)\.\*\* (.+)$", GUIDES[name], re.MULTILINE)
    numbers = [int(number) for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert len(found) > 20
    if name in ("feint", "generals"):  # the others give reasons where the rulebook does not
        assert [number for number, text in found if " *Why:* " not in text] == []
    _, html = from_markdown(GUIDES[name])
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert {f"ruling-{number}" for number, _ in found} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


@pytest.mark.parametrize("name", ["feint", "generals"])
def test_every_option_is_explained(name: str) -> None:
    explained = {row[0].strip("`") for row in table_rows(GUIDES[name], "Options")}
    assert explained == {option.name for option in games.kind(name).options_spec}


def cited_by_abilities() -> set[int]:
    return {number for ability in ABILITIES.values() for number in ability.rulings}


def test_the_code_cites_rulings_that_stand_here() -> None:
    cited = cited_by_abilities() | set(PROTECTED_RULINGS)
    for path in Feint.folder.rglob("*.py"):
        for numbers in re.findall(r"rulings? ([\d, and-]*\d)", path.read_text("utf-8")):
            cited |= {int(n) for n in re.findall(r"\d+", numbers)}
    assert min(cited) >= 1
    assert max(cited) <= 83
