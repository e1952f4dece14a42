"""Deals that stay alike when a deck changes: the cards that two lists share keep their positions.

A seed shuffles a deck with one card less into a completely different order, and the deck that is shuffled after it too.
So if decks differ, chance deals them card by card instead (the option `exact`), and the position of a card in a shuffle
follows from the deal and the card alone. A copy that replaces another one gets its position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

from gonfalon import games
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.options import Options
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.shuffles import DealCard, ShuffledState
from gonfalon.core.rules.state import CHANCE, Action, State

EXACT_OPTION: Final = "exact"
"""Option that deals cards one by one instead of by a seed."""
Piles: TypeAlias = Mapping[int, Mapping[str, int]]
"""Number of copies of each card in each pile that is shuffled before the game."""
Copy: TypeAlias = tuple[int, str, int]
"""A pile, a card, and the number of its copy."""


class PairedDriver(Driver):
    """Drives a game with exact chance. `came` maps each new copy of a card to the copy that it replaces."""

    def __init__(self, record: Record, bots: Sequence[Bot | None], seed: int, came: Mapping[Copy, Copy]) -> None:
        super().__init__(record, bots, seed, log=True)
        self.came: Mapping[Copy, Copy] = came
        self.deal: int = seed
        self.shuffles: dict[int, int] = {}
        self.orders: dict[int, list[Action]] = {}

    def draw(self) -> Action:
        """Return the choice of chance: the next card in the order of the shuffle."""
        step = self.state.stack[-1]
        if not isinstance(step, DealCard):
            return super().draw()
        # A new shuffle of a pile begins with its first card.
        if step.place == 0:
            self.shuffles[step.zone] = self.shuffles.get(step.zone, 0) + 1
            self.orders[step.zone] = self.order_cards(step)
        return self.orders[step.zone][step.place]

    def order_cards(self, step: DealCard) -> list[Action]:
        """Return the cards of a pile in shuffled order."""
        laid: list[tuple[bytes, Action]] = []
        for word, action, copies in list_cards(self.game, self.state, step):
            for copy in range(copies):
                where = self.came.get((step.zone, word, copy), (step.zone, word, copy))
                name = f"{self.deal} {self.shuffles[step.zone]} {where}"
                # A hash for each copy instead of a generator: a copy's position must not depend on the other cards.
                laid.append((blake2b(name.encode(), digest_size=8).digest(), action))
        # Equal hashes are as good as impossible, and then the action decides, so the order is always the same.
        return [action for _, action in sorted(laid)]


def list_cards(game: Game, state: State, step: DealCard) -> list[tuple[str, Action, int]]:
    """Return the cards that a shuffle still has to deal: notation, action of chance, and number of copies."""
    assert isinstance(state, ShuffledState)
    return [(game.notation(a), a, n) for a, n in zip(step.options(state), step.weights(state), strict=True)]


def list_piles(game: Game) -> Piles:
    """Return the piles that are shuffled before the first decision, in a game with exact chance."""
    state, found = game.start(), dict[int, dict[str, int]]()
    while state.turn == CHANCE:
        step = state.stack[-1]
        if isinstance(step, DealCard) and step.place == 0:
            found[step.zone] = {word: copies for word, _, copies in list_cards(game, state, step)}
        # Any order of cards will do: only the contents of the piles matter.
        state.apply(CHANCE, state.legal(CHANCE)[0])
    return found


def match_copies(before: Piles, after: Piles) -> dict[Copy, Copy]:
    """Return a map from new copies to the copies that they replace, pile by pile."""
    came: dict[Copy, Copy] = {}
    for pile, cards in after.items():
        old = before.get(pile, {})
        new = [(pile, word, copy) for word in cards for copy in range(old.get(word, 0), cards[word])]
        gone = [(pile, word, copy) for word in old for copy in range(cards.get(word, 0), old[word])]
        # Surplus copies on either side replace nothing and get their own positions.
        came |= zip(new, gone, strict=False)
    return came


def pair_setups(
    name: str, before: Sequence[Options], after: Sequence[Options]
) -> tuple[list[Options], list[Options]] | None:
    """Return matchups and their counterparts with exact chance; None if no decks differ."""
    if EXACT_OPTION not in games.game(name, **before[0]).options:
        return None
    both = [[{**setup, EXACT_OPTION: True} for setup in setups] for setups in (before, after)]
    found = [[list_piles(games.game(name, **setup)) for setup in setups] for setups in both]
    return (both[0], both[1]) if found[0] != found[1] else None
