"""What a law is, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat

if TYPE_CHECKING:
    from gonfalon.check.play import Bench, Case


class Broken(Exception):
    """A law is broken. The message says in one sentence what was seen; `at` is the number of
    decisions after which it was seen, so that a record cut there shows it; `further` are decisions that
    were made from there, in place of the case's own."""

    def __init__(self, message: str, at: int | None = None, further: Sequence[tuple[Seat, Action]] = ()) -> None:
        super().__init__(message)
        self.at = at
        self.further = further


class Unchecked(Exception):
    """A law cannot be checked for this game, for the reason that the message gives."""


@dataclass(frozen=True)
class Law:
    """One promise that every game keeps.

    `check` looks at one case (a game played at random) and returns how much it checked, counted in
    `unit`; it raises Broken. A law of `tiny` games is given cases of `Game.tiny()`. A law that is
    `once` looks at each configuration a single time. When a `base` law breaks nothing else can be
    trusted, and the rest is left unchecked. `share` weighs the time a law gets.
    """

    name: str
    unit: str
    check: Callable[[Bench, Case], int]
    """Its docstring is the law's page: what it means, then `Mistake:` and `Cure:`."""
    tiny: bool = False
    once: bool = False
    base: bool = False
    share: float = 1.0

    @property
    def sections(self) -> list[str]:
        """Return what the law means, a typical mistake, and the cure."""
        parts = re.split(r"\n\s*(?:Mistake|Cure):\n", self.check.__doc__ or "")
        return [" ".join(part.split()) for part in parts]

    @property
    def anchor(self) -> str:
        """Return the law's anchor on the page of laws."""
        return re.sub(r"[^a-z]+", "-", self.name.lower()).strip("-")


PAGE: Final = "reference/laws.html"
"""The page of laws in the documentation, which is made from their docstrings."""


def explain(law: Law) -> list[str]:
    """Return the lines that follow a failure: what the law means, what to look for, and where to read on."""
    meaning, mistake, cure = law.sections
    lines = [
        f"Law: {meaning}",
        f"Often: {mistake}",
        f"Cure: {cure}",
        f"More: {PAGE}#{law.anchor} in the documentation.",
    ]
    return [f"     {line}" for line in lines]


@dataclass
class LawResult:
    """What became of a law: `failure` is empty when it held."""

    law: str
    unit: str
    checked: int = 0
    failure: str = ""
    note: str = ""
    seed: int | None = None
    game: Game | None = None
    record: str = ""
    """The text of a record that leads to the failure."""
    skipped: bool = False
    blocked: str = ""
    """The name of the broken law because of which this one was not checked."""
    spent: float = field(default=0.0, repr=False)

    @property
    def ok(self) -> bool:
        return not self.failure

    def line(self) -> str:
        """Return the line that the command prints."""
        if self.failure:
            return f"FAIL {self.law}: {self.failure}"
        if self.skipped:
            return f"--   {self.law:<52} {self.note}"
        tail = f" ({self.note})" if self.note else ""
        return f"ok   {self.law:<52} {self.checked:>9,} {self.unit}{tail}"
