"""The tables of effects.md are written from the effect language itself. Only the plain build keeps the sentences."""

from __future__ import annotations

from gonfalon.games.generals.cards import language_page


def test_the_page_of_the_effect_language_is_as_the_program_writes_it() -> None:
    """`python -m gonfalon.games.generals.cards.language_page` writes it anew."""
    page = language_page.PAGE.read_text("utf-8")
    assert language_page.written(page) == page
