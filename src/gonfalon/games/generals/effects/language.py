"""The register of the effect language. Each operation, condition and event registers itself where it is declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gonfalon.games.generals.cards.checks import Check, Entry
from gonfalon.games.generals.effects.filters import Cond
from gonfalon.games.generals.effects.reading import Read
from gonfalon.games.generals.effects.run import Op
from gonfalon.games.generals.rules.cards import Kind

Lay = Callable[[Read, Kind, list[Cond]], None]


class Operation:
    """A word that an ability may use in `do`.

    Attributes:
        made: A function from the `Read` of an entry to the effect, usually a class with an `__init__` of its own. The
            docstring of that class explains the operation in effects.md.
        fields: The check of each entry. In the argument, `?` marks optional entries.
        needed: The required entries.
        check: A check of the entries together. It receives the entry `op`.
        lay: A function that adds the operation to a card as part of a static ability; None if it cannot be static.
        repeats: The kinds of abilities in which the operation needs a limit, because it lets generals act again or fall
            at no cost (ruling 68).
    """

    def __init__(
        self,
        name: str,
        made: Callable[[Read], Op],
        fields: dict[str, Check],
        *,
        check: Check | None = None,
        lay: Lay | None = None,
        repeats: tuple[str, ...] = (),
    ) -> None:
        self.made = made
        self.fields: dict[str, Check] = {key.rstrip("?"): form for key, form in fields.items()}
        self.needed: list[str] = [key for key in fields if not key.endswith("?")]
        self.check = check
        self.lay = lay
        self.repeats = repeats
        OPERATIONS[name] = self


class Condition:
    """A word that an ability may use in `if`, such as `example`. The docstring of `made` explains it in effects.md."""

    def __init__(self, name: str, made: Callable[[Read], Cond], example: str, fields: dict[str, Check]) -> None:
        self.made = made
        self.example = example
        self.fields = fields
        CONDITIONS[name] = self


class Occasion:
    """An event that an ability may wait for in `when`. `entries` has the notes of effects.md for each entry; only the
    first entry is required."""

    def __init__(self, name: str, page: str, entries: Mapping[str, str]) -> None:
        self.page = page
        self.entries = entries
        EVENTS[name] = self


OPERATIONS: Final[dict[str, Operation]] = {}
CONDITIONS: Final[dict[str, Condition]] = {}
EVENTS: Final[dict[str, Occasion]] = {}


def require_kinds(says: str, *kinds: str) -> Check:
    """Return a check that an operation is in an ability of these kinds.

    Args:
        says: The message of the fault.
        kinds: The kinds of abilities.
    """

    def check(e: Entry) -> None:
        if e.scope.kind and e.scope.kind not in kinds:
            e.fault(says, e.value)

    return check
