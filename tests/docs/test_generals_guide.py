"""The guide of Generals agrees with the code and with the card data."""

from __future__ import annotations

from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards.decks import find_hand_limit, limit_for
from gonfalon.games.generals.cards.files import load
from tests.docs.examples import table_rows

GUIDE = (Generals.folder / "guide.md").read_text("utf-8")
POOL = load()


def test_the_hand_limits_are_those_of_the_data() -> None:
    assert table_rows(GUIDE, "Your deck")[:3] == [["none or 1", "10"], ["2", "8"], ["3 or more", "6"]]
    assert [limit_for(POOL, factions) for factions in range(5)] == [10, 10, 8, 6, 6]
    alliance = POOL.deck("alliance")
    assert alliance is not None
    assert find_hand_limit(POOL, alliance) == 8
