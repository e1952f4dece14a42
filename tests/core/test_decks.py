"""Decks of a game that states only its cards, its preset decks and its bounds: the rest has defaults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.core.basics.decks import Deck, DeckCard, DeckError, Decks
from gonfalon.core.basics.rng import Rng

CARDS = [
    DeckCard("spy", "spy", "The Spy", "Agents", most=2),
    DeckCard("thief", "thief", "Thief’s Friend", "Agents", cost=1, most=3),
    DeckCard("keep", "keep", "Keep #1", "Cities", cost=3, most=2),
    DeckCard("lord", "lord", "Lord", "Lords", most=1),
]


class SmallDecks(Decks):
    opening = 2
    least, most = 4, 6

    def cards(self) -> list[DeckCard]:
        return CARDS

    def ready(self) -> list[Deck]:
        return [Deck("Thieves", {"thief": 3, "lord": 1}, "thieves"), Deck("Keeps", {"keep": 2, "spy": 2}, "keeps")]


DECKS = SmallDecks()
drafts = st.dictionaries(st.sampled_from(["spy", "thief", "keep", "lord"]), st.integers(1, 99))


@given(drafts, st.sampled_from(["", "A // B", "My deck", "#1", '"', "1 Lord"]))
def test_every_form_reads_back(counts: dict[str, int], name: str) -> None:
    deck = Deck(name, counts)
    assert DECKS.parse(DECKS.text(deck)) == (deck, [])
    assert DECKS.decode(DECKS.code(deck)).counts == counts
    if counts:
        assert DECKS.read("https://example.org/decks" + DECKS.link(deck)) == deck


def test_the_text_has_a_heading_for_each_group() -> None:
    text = DECKS.text(Deck("Mine", {"spy": 2, "keep": 1, "lord": 1}))
    assert text == "# cards 4\nName: Mine\nLord: Lord\n\n# Agents: 2\n2 The Spy\n\n# Cities: 1\n1 Keep #1\n"


def test_faults_say_the_remedy() -> None:
    assert DECKS.check(DECKS.ready()[0]) == DECKS.check(DECKS.ready()[1]) == []
    assert DECKS.check(Deck("", {"spy": 3})) == [
        "Add at least 1 card: a deck has at least 4.",
        "Remove 1 of the 3 copies of The Spy: at most 2 are allowed.",
    ]
    assert DECKS.check(Deck("", {"thief": 7, "x": 1})) == [
        "There is no card x.",
        "Remove at least 1 card: a deck has at most 6.",
        "Remove 4 of the 7 copies of Thief’s Friend: at most 3 are allowed.",
    ]


def test_figures_and_chances() -> None:
    """Three of four cards are drawn by turn 1: the single Lord is among them with 3/4."""
    deck = DECKS.ready()[0]
    found = DECKS.figures(deck)
    assert (found.size, found.groups, found.curve) == (4, [("Agents", 3), ("Lords", 1)], [("0", 1), ("1", 3)])
    assert DECKS.chance(deck, "lord", 1, True) == pytest.approx(3 / 4)
    assert DECKS.chance(deck, "keep", 1, True) == 0.0


def test_a_draft_is_filled_up_from_the_nearest_preset_deck() -> None:
    assert DECKS.check(DECKS.fill(Deck("", {"keep": 1}))) == []
    assert DECKS.lot(Rng(1)) in DECKS.ready()


@pytest.mark.parametrize("text", ["thiefs-friend", "THIEF'S FRIEND x1", "1 thief", "Agents:\nthief"])
def test_names_slugs_and_ids_are_found(text: str) -> None:
    assert DECKS.read(text + "\n").counts == {"thief": 1}


def test_the_cost_is_shown_as_its_number() -> None:
    assert [card.cost_text for card in CARDS] == ["", "1", "3", ""]


def test_a_code_with_other_cards_is_refused() -> None:
    class Larger(SmallDecks):
        def cards(self) -> list[DeckCard]:
            return [*CARDS, DeckCard("new", "new", "New")]

    with pytest.raises(DeckError, match="cards that this game does not have: 4"):
        DECKS.decode(Larger().code(Deck("", {"new": 1})))
