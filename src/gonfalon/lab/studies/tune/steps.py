"""Single steps of the numbers that a designer frees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_changes import ORIGINS, Change, copy_data, find_origin, iter_entries
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import find_sides_of_change

FIXED_KEYS: Final = ("copies", "later", "location")
"""Numbers that place a card in a deck or pile. They are not properties of the card."""
DEFAULT_FREE: Final = ("reconstructed", "ours")
"""Origins that are free by default: numbers that no rulebook states or implies."""


@dataclass(frozen=True)
class Step:
    """A change of a number by one."""

    path: str
    """Path as `--set` reads it: heavy-tower.strength."""
    name: str
    """Name of the card."""
    before: int
    after: int
    origin: str

    @property
    def text(self) -> str:
        """Change as `--set` reads it."""
        return f"{self.path}={self.after}"

    def reverse(self) -> Step:
        """Return the step in the other direction."""
        return replace(self, after=2 * self.before - self.after)

    def __str__(self) -> str:
        return f"{self.name}: {self.path.partition('.')[2]} {self.before} ({self.origin}) -> {self.after}"


def list_steps(game: Game, free: Sequence[str], sides: Collection[str]) -> list[Step]:
    """Return one upward step for each free number of the cards of these sides.

    Args:
        game: The game.
        free: Words that free an origin (`reconstructed`), a side, a card, or one of its numbers.
        sides: The sides.

    Raises:
        OptionError: A word names nothing.
    """
    raw = copy_data(game)
    found = list(iter_entries(raw))
    steps, hit = list[Step](), set[str]()
    for entry in found:
        if not entry.owner and "id" not in entry.table:
            continue
        word = next((word for word in entry.words if not word[1:].isdigit()), entry.words[0])
        own = find_sides_of_change(found, Change(entry.words[0], None, None, ""))
        for key, number in entry.table.items():
            # The type is compared, because a boolean of a card is an int as well.
            if type(number) is not int or key in FIXED_KEYS:
                continue
            source = find_origin(game, entry, key)
            names = {source, *own, *entry.words, f"{word}.{key}"}
            hit |= names
            if names & set(free) and set(own) & set(sides):
                name = str(entry.table.get("name", word))
                steps.append(Step(f"{word}.{key}", name, number, number + 1, source))
    for word in free:
        # An origin is valid even if no number of this game has it.
        if word not in hit and word not in ORIGINS:
            raise OptionError(f"{game.title} has no number {word[:60]!r} to free.")
    return steps
