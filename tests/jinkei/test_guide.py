"""The guide agrees with the data and with the code."""

from __future__ import annotations

import re

from gonfalon.games.jinkei import Jinkei

GUIDE = (Jinkei.folder / "guide.md").read_text("utf-8")


def section(heading: str) -> str:
    """Return the text below a heading, up to the next one."""
    body = re.split(rf"^#+ {heading}$", GUIDE, flags=re.MULTILINE)[1]
    return re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]


def test_all_35_rulings_are_in_order_and_answer_their_questions() -> None:
    found = re.findall(r"^\*\*(\d+)\.\*\* \*(.+?)\* (.+)$", GUIDE, re.MULTILINE)
    assert [int(number) for number, _, _ in found] == list(range(1, 36))
    assert [number for number, case, answer in found if case[-1] not in "?." or answer[-1] != "."] == []


def test_the_achievements_are_those_of_the_data() -> None:
    lines = [line.strip("|").split("|") for line in section("The cards").splitlines() if line.startswith("|")]
    told = {int(rank): int(points) for ranks, points in lines[2:] for rank in ranks.split(",")}
    box = Jinkei().box
    assert told == dict(zip(box.ranks, box.achievements, strict=True))


def test_every_option_for_players_is_explained_with_its_other_value() -> None:
    told = section("Options")
    for option in Jinkei.options_spec:
        others = [value for value, _ in option.choices if value != option.default]
        assert [value for value in others if f"`{option.name}={value}`" not in told] == []
    assert "`formations=FILE`" in told


def test_the_code_cites_rulings_that_stand_here() -> None:
    cited: set[int] = set()
    for path in Jinkei.folder.rglob("*.py"):
        for numbers in re.findall(r"rulings? (\d+(?:(?:, | and | to )\d+)*)", path.read_text("utf-8")):
            cited |= {int(n) for n in re.findall(r"\d+", numbers)}
    assert len(cited) > 10
    assert min(cited) >= 1
    assert max(cited) <= 35
