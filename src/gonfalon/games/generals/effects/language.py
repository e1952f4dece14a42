"""The register of the effect language. Each operation, condition and event puts itself down here, where it is written:
what it may say, what is made of it, and its row of effects.md."""

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
    """A word that an ability may `do`. The class that it is read into explains it in effects.md.

    `fields` says what its entries may hold, `?` marks those that may be left out, and `check` what each entry alone
    does not show; it is handed the entry `op`. `made` is a class of effect with an `__init__` of its own that takes the
    `Read` of an entry, or a function that does. `lay` puts it on a card where it is always so. In abilities of the
    kinds `repeats` it needs a limit: by it generals act once more, or fall, with nothing gone for it (ruling 68).
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
    """A word that an ability may ask `if`, such as `example`. Its class says when it holds, in effects.md too."""

    def __init__(self, name: str, made: Callable[[Read], Cond], example: str, fields: dict[str, Check]) -> None:
        self.made = made
        self.example = example
        self.fields = fields
        CONDITIONS[name] = self


class Occasion:
    """An event that an ability may wait for, `when`. `entries` says what effects.md has to tell of each beyond its
    name; only the first is needed."""

    def __init__(self, name: str, page: str, entries: Mapping[str, str]) -> None:
        self.page = page
        self.entries = entries
        EVENTS[name] = self


OPERATIONS: Final[dict[str, Operation]] = {}
CONDITIONS: Final[dict[str, Condition]] = {}
EVENTS: Final[dict[str, Occasion]] = {}


def require_kinds(says: str, *kinds: str) -> Check:
    """A check that an operation is in an ability of these kinds."""

    def check(e: Entry) -> None:
        if e.scope.kind and e.scope.kind not in kinds:
            e.fault(says, e.value)

    return check
