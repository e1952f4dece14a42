"""The guide of Feint agrees with the card data and with the code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gonfalon.games.feint import Feint, box
from gonfalon.games.feint.face.view import ICONS, PROTECTED_RULINGS
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.web.pages import from_markdown

GUIDE = (Feint.folder / "guide.md").read_text("utf-8")
BOX = box.read(None)
CARDS = {card["name"]: card for faction in BOX.factions for card in faction["cards"]}


def rows(section: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    body = re.split(rf"^#+ {section}$", GUIDE, flags=re.MULTILINE)[1]
    body = re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_all_83_rulings_stand_in_order_and_say_why() -> None:
    found = re.findall(r"^\*\*(\d+)\.\*\* (.+)$", GUIDE, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 84))
    assert [number for number, text in found if not ("?" in text and " *Why:* " in text)] == []


def test_headings_differ_so_that_each_has_its_own_anchor() -> None:
    headings = re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE)
    assert len({heading.lower() for heading in headings}) == len(headings)


def test_every_ruling_has_an_address_of_its_own() -> None:
    _, html = from_markdown(GUIDE)
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert {f"ruling-{number}" for number in range(1, 84)} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


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
    assert [row[:4] for row in rows(faction["name"])] == expected


def test_a_protected_card_is_called_so() -> None:
    for faction in BOX.factions:
        for name, *_, text in rows(faction["name"]):
            card = CARDS[name.strip("*")]
            assert text.endswith(". Protected.") == bool(card.get("protected")), name
            assert bool(text) == bool(card.get("ability")), name


def test_every_option_is_explained() -> None:
    assert {row[0].strip("`") for row in rows("Options")} == {option.name for option in Feint.options_spec}


def test_every_icon_is_explained() -> None:
    assert {row[0] for row in rows("Icons")} == set(ICONS)


def cited_by_abilities() -> set[int]:
    return {number for ability in ABILITIES.values() for number in ability.rulings}


def test_the_code_cites_rulings_that_stand_here() -> None:
    cited = cited_by_abilities() | set(PROTECTED_RULINGS)
    for path in Feint.folder.rglob("*.py"):
        for numbers in re.findall(r"rulings? ([\d, and-]*\d)", path.read_text("utf-8")):
            cited |= {int(n) for n in re.findall(r"\d+", numbers)}
    assert min(cited) >= 1
    assert max(cited) <= 83
