"""A game: rules with their options chosen, and everything that people, pages, learners and tests need.

Each reader has a class of its own with the members that it uses and their defaults: `Rules`, `Words`, `Page`,
`Learning`, `Players`, `Samples`. Each game's folder provides one subclass of all of them.
"""

from __future__ import annotations

from gonfalon.core.basics.options import Option
from gonfalon.core.rules.learning import Learning, Part, Zone
from gonfalon.core.rules.page import Page
from gonfalon.core.rules.players import Players
from gonfalon.core.rules.samples import Samples
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.rules.words import names_for


class Game(Page, Learning, Players, Samples):
    """Rules and options together, with words, pages, players and numbers. It never changes, so it is its own copy."""

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        return self


__all__ = ["SPECTATOR", "Game", "Option", "Part", "Zone", "names_for"]
