"""The guide agrees with the data and with the code."""

from __future__ import annotations

import re

from gonfalon.games.jinkei import Jinkei

GUIDE = (Jinkei.folder / "guide.md").read_text("utf-8")


def section(heading: str) -> str:
    """Return the text below a heading, up to the next one."""
    body = re.split(rf"^#+ {heading}$", GUIDE, flags=re.MULTILINE)[1]
    return re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]


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
