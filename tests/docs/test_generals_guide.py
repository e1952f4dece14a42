"""The guide of Generals agrees with the code and with the card data."""

from __future__ import annotations

import re

from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards.decks import hand_limit, limit_of
from gonfalon.games.generals.cards.files import RULINGS, load
from gonfalon.web.pages import from_markdown

GUIDE = (Generals.folder / "guide.md").read_text("utf-8")
POOL = load()


def rows(section: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    body = re.split(rf"^#+ {section}$", GUIDE, flags=re.MULTILINE)[1]
    body = re.split(r"^#", body, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_all_68_rulings_stand_in_order_and_say_why() -> None:
    found = re.findall(r"^\*\*(\d+)\.\*\* (.+)$", GUIDE, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 69))
    assert RULINGS == 68
    # Each is a question or the beginning of a case, an answer, and a reason.
    assert [number for number, text in found if not re.fullmatch(r"\*[^*]+[?.]\* .+\. \*Why:\* .+\.", text)] == []


def test_every_option_is_explained() -> None:
    assert [row[0].strip("`") for row in rows("Options")] == [option.name for option in Generals.options_spec]


def test_the_options_name_their_rulings() -> None:
    """The other readings of rulings 4, 41, 50, 51, 57 and 62, in the table and in the lobby alike."""
    expected = {
        "strict_blocking": "(ruling 4)",
        "counter_chain": "(ruling 41)",
        "mulligan": "(ruling 51)",
        "starts": "(ruling 50)",
        "strategy_overdeplete_loses": "(ruling 62)",
        "qun_counts": "(ruling 57)",
    }
    table = {row[0].strip("`"): row[1] for row in rows("Options")}
    for option in Generals.options_spec:
        if option.name in expected:
            assert table[option.name].endswith(expected[option.name])
            assert option.help.endswith(expected[option.name])


def test_headings_differ_so_that_each_has_its_own_anchor() -> None:
    headings = re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE)
    assert len({heading.lower() for heading in headings}) == len(headings)


def test_every_ruling_has_an_address_of_its_own() -> None:
    _, html = from_markdown(GUIDE)
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert {f"ruling-{number}" for number in range(1, 69)} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


def test_the_hand_limits_are_those_of_the_data() -> None:
    assert rows("Your deck")[:3] == [["none or 1", "10"], ["2", "8"], ["3 or more", "6"]]
    assert [limit_of(POOL, factions) for factions in range(5)] == [10, 10, 8, 6, 6]
    alliance = POOL.deck("alliance")
    assert alliance is not None
    assert hand_limit(POOL, alliance) == 8


def test_cards_and_code_cite_rulings_that_stand_here() -> None:
    cited = {number for card in POOL.cards for number in card.rulings}
    for path in [path for ending in ("py", "toml", "md") for path in Generals.folder.rglob(f"*.{ending}")]:
        for numbers in re.findall(r"rulings? ([\d, and-]*\d)", path.read_text("utf-8")):
            cited |= {int(n) for n in re.findall(r"\d+", numbers)}
    assert min(cited) >= 1
    assert max(cited) <= 68
