"""Deals that stay alike when a deck changes: what one list has and another lacks leaves all other cards where they lie.

A seed shuffles a deck that is a card shorter into quite another order, and the deck that is shuffled after it as well.
So where decks differ, chance deals them card by card instead (the option `exact`), and a card's place in a shuffle
follows from the deal and from the card alone. A copy that came for another lies where that one would have lain.
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

EXACT: Final = "exact"
Piles: TypeAlias = Mapping[int, Mapping[str, int]]
"""For each pile that is shuffled before the game, how many copies of which cards it holds."""
Copy: TypeAlias = tuple[int, str, int]
"""A pile, a card, and which of its copies."""


class Dealer(Driver):
    """Plays a game whose chance is exact: `came` says in whose place a copy lies that came for another."""

    def __init__(self, record: Record, bots: Sequence[Bot | None], seed: int, came: Mapping[Copy, Copy]) -> None:
        super().__init__(record, bots, seed, log=True)
        self.came: Mapping[Copy, Copy] = came
        self.deal: int = seed
        self.shuffles: dict[int, int] = {}
        self.orders: dict[int, list[Action]] = {}

    def draw(self) -> Action:
        """What chance decides: the next card of the order in which a shuffle lays a pile."""
        step = self.state.stack[-1]
        if not isinstance(step, DealCard):
            return super().draw()
        if step.place == 0:
            self.shuffles[step.zone] = self.shuffles.get(step.zone, 0) + 1
            self.orders[step.zone] = self.order(step)
        return self.orders[step.zone][step.place]

    def order(self, step: DealCard) -> list[Action]:
        """A pile, shuffled."""
        laid: list[tuple[bytes, Action]] = []
        for word, action, copies in cards_of(self.game, self.state, step):
            for copy in range(copies):
                where = self.came.get((step.zone, word, copy), (step.zone, word, copy))
                name = f"{self.deal} {self.shuffles[step.zone]} {where}"
                laid.append((blake2b(name.encode(), digest_size=8).digest(), action))
        return [action for _, action in sorted(laid)]


def cards_of(game: Game, state: State, step: DealCard) -> list[tuple[str, Action, int]]:
    """The cards that a shuffle has still to lay: what each goes by, how chance names it, its copies."""
    assert isinstance(state, ShuffledState)
    return [(game.notation(a), a, n) for a, n in zip(step.options(state), step.weights(state), strict=True)]


def piles_of(game: Game) -> Piles:
    """What is shuffled before anybody decides, where chance is exact."""
    state, found = game.start(), dict[int, dict[str, int]]()
    while state.turn == CHANCE:
        step = state.stack[-1]
        if isinstance(step, DealCard) and step.place == 0:
            found[step.zone] = {word: copies for word, _, copies in cards_of(game, state, step)}
        state.apply(CHANCE, state.legal(CHANCE)[0])
    return found


def came_of(before: Piles, after: Piles) -> dict[Copy, Copy]:
    """Which copies came for which, pile by pile."""
    came: dict[Copy, Copy] = {}
    for pile, cards in after.items():
        old = before.get(pile, {})
        new = [(pile, word, copy) for word in cards for copy in range(old.get(word, 0), cards[word])]
        gone = [(pile, word, copy) for word in old for copy in range(cards.get(word, 0), old[word])]
        came |= zip(new, gone, strict=False)
    return came


def exact(name: str, before: Sequence[Options], after: Sequence[Options]) -> tuple[list[Options], list[Options]] | None:
    """Matchups and their counterparts with exact chance, where some of them have other decks; else None."""
    if EXACT not in games.game(name, **before[0]).options:
        return None
    both = [[{**setup, EXACT: True} for setup in setups] for setups in (before, after)]
    found = [[piles_of(games.game(name, **setup)) for setup in setups] for setups in both]
    return (both[0], both[1]) if found[0] != found[1] else None
