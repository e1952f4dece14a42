"""Single steps of the numbers that a designer sets free."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.lab.studies.overrides import ORIGINS, Change, entries, origin, plain, sides_of_change

FIXED: Final = ("copies", "later", "location")
"""Numbers that say where a card belongs and how often it is there, not what it is."""
USUAL: Final = ("reconstructed", "ours")
"""What is free where nothing is said: whatever neither a rulebook states nor follows from one."""


@dataclass(frozen=True)
class Step:
    """A number that changes by one."""

    path: str
    """As `--set` takes it: heavy-tower.strength."""
    name: str
    """What the card is called."""
    before: int
    after: int
    origin: str

    @property
    def text(self) -> str:
        """The change as `--set` takes it."""
        return f"{self.path}={self.after}"

    def turned(self) -> Step:
        """The step the other way."""
        return replace(self, after=2 * self.before - self.after)

    def __str__(self) -> str:
        return f"{self.name}: {self.path.partition('.')[2]} {self.before} -> {self.after} ({self.origin})"


def steps_of(game: Game, free: Sequence[str], sides: Collection[str]) -> list[Step]:
    """One step up of each free number of the cards of these sides. A word sets free whatever comes from there
    (`reconstructed`), a side, a card or one of its numbers. Raises OptionError for a word that names nothing."""
    raw = plain(game)
    found = list(entries(raw))
    steps, hit = list[Step](), set[str]()
    for entry in found:
        if not entry.owner and "id" not in entry.table:
            continue
        word = next((word for word in entry.words if not word[1:].isdigit()), entry.words[0])
        own = sides_of_change(found, Change(entry.words[0], None, None, ""))
        for key, number in entry.table.items():
            if type(number) is not int or key in FIXED:
                continue
            source = origin(game, entry, key)
            names = {source, *own, *entry.words, f"{word}.{key}"}
            hit |= names
            if names & set(free) and set(own) & set(sides):
                name = str(entry.table.get("name", word))
                steps.append(Step(f"{word}.{key}", name, number, number + 1, source))
    for word in free:
        if word not in hit and word not in ORIGINS:
            raise OptionError(f"There is no number {word[:60]!r} in {game.title} that could be set free.")
    return steps
