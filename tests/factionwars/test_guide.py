"""The guide agrees with the options, the card data and the code."""

from __future__ import annotations

import re

from gonfalon.core.arrays.guide_text import guide_text
from gonfalon.games.factionwars import FactionWars

GUIDE = guide_text(FactionWars)
RULING = re.compile(r"^\*\*(\d+)\.(\\\*)?\*\* (.+)$", re.MULTILINE)
STARRED = {
    4: "exhausted",
    12: "symbols",
    15: "bystander",
    17: "bonus",
    19: "shuffle",
    24: "end",
    28: "bonus",
    30: "tie",
    42: "end",
}
"""The rulings whose other reading is an option, with the option."""


def rows(section: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    body = re.split(rf"^#+ {section}$", GUIDE, flags=re.MULTILINE)[1]
    body = re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_a_star_marks_the_rulings_with_an_option() -> None:
    assert {int(number) for number, star, _ in RULING.findall(GUIDE) if star} == set(STARRED)
    cited = {
        int(number): name.strip("`")
        for name, text in rows("Options")
        for numbers in re.findall(r"\(rulings? ([\d, ]+)\)", text)
        for number in re.findall(r"\d+", numbers)
    }
    assert cited == STARRED


def test_every_option_is_explained_with_all_its_choices() -> None:
    explained = {row[0].strip("`"): row[1] for row in rows("Options")}
    assert set(explained) == {option.name for option in FactionWars.options_spec}
    for option in FactionWars.options_spec:
        if option.choices and option.name != "seats":
            for value, _ in option.choices:
                assert f"`{value}`" in explained[option.name], (option.name, value)


def test_the_table_of_abilities_lists_each_once() -> None:
    told = dict(rows("The cards"))
    assert told["Berserker"] == "Each of your Berserkers scores as many points as you have Berserkers."
    assert told["Bonus Card"] == "1 point for each of your cards of its faction, this card included."
    assert "Marshal" not in told


def test_every_card_is_listed_with_its_numbers() -> None:
    listed = {row[0]: row[1:] for row in rows("Every card")}
    assert listed["Deputy"] == ["Cowboys", "3", "3", "2, later 3"]
    assert listed["Berserker"] == ["Vikings", "2", "★", "4"]
    assert listed["Innocent Bystander"] == ["–", "0", "−2", "6"]
    assert listed["War is Over"] == ["–", "–", "–", "0, later 1"]


def test_every_goal_is_listed_with_its_points_for_each_number_of_players() -> None:
    listed = {row[0]: row[1:] for row in rows("Every goal")}
    tables = [
        [card for card in FactionWars(seats=seats).catalogue() if card["kind"] == "goal"] for seats in (2, 3, 4, 5)
    ]
    assert list(listed) == [card["name"] for card in tables[0]]
    for column, goals in enumerate(tables, start=1):
        for goal in goals:
            text = goal["text"].removeprefix("Goal: ").rstrip(".")
            asks = listed[goal["name"]][0]
            assert listed[goal["name"]][column] == str(goal["points"])
            if text != asks:  # it differs with the number of players: each number is told
                assert re.findall(r"at least (\d+) (.+)", text)[0][1] in asks
                assert re.findall(r"at least (\d+)", text)[0] in re.findall(r"\d+", asks)
