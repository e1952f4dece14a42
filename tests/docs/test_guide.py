"""The guide of Feint agrees with the card data and with the code."""

from __future__ import annotations

import re
from typing import cast

import pytest

from gonfalon import games
from gonfalon.core.arrays.guide_text import PLACE, guide_text, made_tables
from gonfalon.games.feint import box
from gonfalon.games.feint.face.cards import ICONS
from gonfalon.web.lobby.guide_page import render_markdown
from tests.docs.examples import table_rows

GUIDES = {name: guide_text(games.find_game_class(name)) for name in games.names()}
GUIDE = GUIDES["feint"]
FACTIONS = [faction["name"] for faction in box.read_box(None).factions]


@pytest.mark.parametrize("name", GUIDES)
def test_no_table_is_left_out(name: str) -> None:
    """Of each place a table is made, and of each table there is a place."""
    kind = games.find_game_class(name)
    places = PLACE.findall((kind.folder / "guide.md").read_text("utf-8"))
    assert sorted(places) == sorted(made_tables(kind))
    assert "| all parts |" in GUIDES[name].partition("## For programs")[2].partition("\n## ")[0]


def test_a_table_shows_printed_values_and_their_sources() -> None:
    rows = {row[0]: row[1:] for name in FACTIONS for row in table_rows(GUIDE, name)}
    assert rows["Patriot"] == [
        "4",
        "6 i",
        "3",
        "play",
        "You turn up your Location Card for the rest of the round.",
        "55",
    ]
    assert rows["Engineer Unit 1"][4].startswith("Engineer. ")
    assert rows["*Wu Elder*"] == ["5", "5", "3", "", "", ""]
    assert rows["Medic"][4].endswith(" Protected.")


def test_every_icon_is_explained() -> None:
    assert {row[0] for row in table_rows(GUIDE, "Icons")} == set(ICONS)


@pytest.mark.parametrize("name", GUIDES)
def test_rulings_stand_in_order_each_with_a_reason_and_an_address(name: str) -> None:
    found = re.findall(r"^\*\*(\d+)\.(?:\\\*)?\*\* (.+)$", GUIDES[name], re.MULTILINE)
    numbers = [int(number) for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert len(found) > 20
    if name in ("feint", "generals"):  # the others give reasons where the rulebook does not
        assert [number for number, text in found if " *Why:* " not in text] == []
    _, html = render_markdown(GUIDES[name])
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert {f"ruling-{number}" for number, _ in found} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


@pytest.mark.parametrize("name", ["feint", "generals"])
def test_every_option_is_explained(name: str) -> None:
    explained = {row[0].strip("`") for row in table_rows(GUIDES[name], "Options")}
    assert explained == {option.name for option in games.find_game_class(name).options_spec}


@pytest.mark.parametrize("name", GUIDES)
def test_cards_and_code_cite_rulings_that_stand_here(name: str) -> None:
    kind = games.find_game_class(name)
    cards = [card for game in kind.samples() for card in game.catalogue()]
    cited = {number for card in cards for number in cast("list[int]", card.get("rulings", []))}
    for path in [path for ending in ("py", "toml", "md") for path in kind.folder.rglob(f"*.{ending}")]:
        for numbers in re.findall(r"rulings? (\d+(?:(?:, | and | to |-)\d+)*)", path.read_text("utf-8")):
            cited |= {int(n) for n in re.findall(r"\d+", numbers)}
    assert len(cited) > 10
    assert cited <= {int(number) for number in re.findall(r"^\*\*(\d+)\.(?:\\\*)?\*\* ", GUIDES[name], re.MULTILINE)}
