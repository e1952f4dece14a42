"""Decks that exercise the cards of a card file, for the conformance kit."""

from __future__ import annotations

from collections import Counter
from typing import Final

from gonfalon.core.basics.decks import Deck
from gonfalon.core.basics.rng import Rng
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.games.generals.cards.pool import Card, Pool, Table

RANDOM_DECKS: Final = 6


def make_trial_pairs(pool: Pool, standard: Pool) -> list[tuple[str, str]]:
    """Return pairs of decks as the option `decks` takes them.

    They are the file's own preset decks and small random decks with as many copies of the file's cards as are legal.
    """
    known: Table = {raw["id"]: raw for raw in standard.raw["card"]}
    own = [card for card, raw in zip(pool.cards, pool.raw["card"], strict=True) if known.get(card.id) != raw]
    ready = [deck.slug for deck in pool.decks if deck not in standard.decks]
    tools = GeneralsDecks(pool)
    lots = [tools.code(draw_trial_deck(pool, own, Rng(seed))) for seed in range(1, RANDOM_DECKS + 1)]
    return [(one, one) for one in [*ready, *lots]]


def draw_trial_deck(pool: Pool, own: list[Card], rng: Rng) -> Deck:
    """Return a deck of the smallest legal size: the file's own cards first, in random order, then any others."""
    # The file's own cards come first: a deck of the smallest size has few places.
    mine = [card.kind for card in own]
    rest = [card.kind for card in pool.cards if card.kind not in mine]
    rng.shuffle(mine)
    rng.shuffle(rest)
    order = [pool.cards[kind] for kind in [*mine, *rest]]
    commandment = next(card.id for card in order if card.type == "commandment")
    cards = [card.id for card in order if card.type != "commandment" for _ in range(pool.copies)]
    return Deck("Random deck", {**Counter(cards[: pool.deck_least]), commandment: 1})
