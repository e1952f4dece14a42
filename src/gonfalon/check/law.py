"""Laws and their results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat

if TYPE_CHECKING:
    from gonfalon.check.play import Bench, Case


class LawBrokenError(Exception):
    """A law is broken.

    Args:
        message: The failure in one clause, without a period.
        at: The number of decisions after which it was seen, so that a record cut there shows it.
        further: Decisions made from there that replace those of the case.
    """

    def __init__(self, message: str, at: int | None = None, further: Sequence[tuple[Seat, Action]] = ()) -> None:
        super().__init__(message)
        self.at = at
        self.further = further


class LawUncheckedError(Exception):
    """A law cannot be checked for this game; the message gives the reason."""


@dataclass(frozen=True)
class Law:
    """A promise that every game keeps."""

    name: str
    """The law as a short statement, unique in the kit."""
    unit: str
    """The plural noun of the things that `check` counts, such as "positions"."""
    check: Callable[[Bench, Case], int]
    """Checks one case (a game played at random) and returns the number of things checked.

    It raises LawBrokenError, or LawUncheckedError. Its docstring is the law's entry in the documentation: the meaning,
    `Mistake:` and `Cure:`.
    """
    tiny: bool = False
    """Whether its cases are games of `Game.tiny()`."""
    once: bool = False
    """Whether it sees each configuration only once."""
    base: bool = False
    """Whether all other laws rely on it, so that they are skipped when it is broken."""
    share: float = 1.0
    """The law's weight when the time is divided."""

    @property
    def sections(self) -> list[str]:
        """The meaning of the law, a typical mistake, and the cure."""
        parts = re.split(r"\n\s*(?:Mistake|Cure):\n", self.check.__doc__ or "")
        return [" ".join(part.split()) for part in parts]

    @property
    def anchor(self) -> str:
        """The law's name in addresses and commands."""
        return re.sub(r"[^a-z]+", "-", self.name.lower()).strip("-")

    @property
    def example(self) -> str:
        """A wrong game, in Markdown, from a file beside the laws."""
        return (EXAMPLES / f"{self.anchor}.md").read_text("utf-8").strip()


EXAMPLES: Final = Path(__file__).parent / "examples"
"""Folder with an example for each law. Each changes the game of the tutorial, docs/pages/learn/game.md."""


def build_page(law: Law) -> str:
    """Return the page of a law in Markdown: the meaning, a typical mistake with an example, and the cure."""
    meaning, mistake, cure = law.sections
    title = law.name[0].upper() + law.name[1:]
    return "\n\n".join((f"# {title}", meaning, "## A typical mistake", mistake, law.example, "## The cure", cure))


def explain_failure(law: Law) -> list[str]:
    """Return the lines that explain a failure: the meaning of the law, a typical mistake, the cure and the page."""
    meaning, mistake, cure = law.sections
    lines = [
        f"Law: {meaning}",
        f"Typical mistake: {mistake}",
        f"Cure: {cure}",
        f"Example: gonfalon check --explain {law.anchor} (on a server: /docs/laws/{law.anchor}.html)",
    ]
    return [f"     {line}" for line in lines]


@dataclass
class LawResult:
    """The result of a law. It holds if `failure` is empty."""

    law: str
    unit: str
    checked: int = 0
    """Number of things checked, counted in `unit`."""
    failure: str = ""
    note: str = ""
    """A remark for the report, or the reason why the law was skipped."""
    seed: int | None = None
    """The seed of the case that broke the law."""
    game: Game | None = None
    """The game of the case that broke the law."""
    record: str = ""
    """The text of a record that leads to the failure."""
    skipped: bool = False
    blocked: str = ""
    """The name of the broken law because of which this one was not checked."""
    spent: float = field(default=0.0, repr=False)
    """CPU seconds spent on the law."""

    @property
    def ok(self) -> bool:
        return not self.failure

    def line(self) -> str:
        """Return the line of the report."""
        if self.failure:
            return f"FAIL {self.law}: {self.failure}"
        if self.skipped:
            return f"--   {self.law:<52} {self.note}"
        tail = f" ({self.note})" if self.note else ""
        return f"ok   {self.law:<52} {self.checked:>9,} {self.unit}{tail}"
