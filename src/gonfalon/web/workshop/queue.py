"""The queue of studies, in which visitors take turns and none has many waiting.

Only the memory of this process knows the askers. The store holds the number of a study's turn.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from gonfalon.web.http.rate_limits import MAX_ACCOUNTS


@dataclass
class Asker:
    """The requests from one address."""

    turn: int = -1
    """The latest turn."""
    studies: dict[str, bool] = field(default_factory=dict)
    """The studies that may be unfinished, each with whether the asker has no cookies and is known by the
    address alone."""

    def own(self) -> list[str]:
        """Return the studies of visitors without cookies."""
        return [key for key, bare in self.studies.items() if bare]


class Askers:
    """The recent askers by address."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Asker] = OrderedDict()

    def of(self, client: str) -> Asker:
        """Return the asker at an address."""
        asker = self._known.setdefault(client, Asker())
        self._known.move_to_end(client)
        # A forgotten asker only loses their place in the order of turns.
        if len(self._known) > MAX_ACCOUNTS:
            self._known.popitem(last=False)
        return asker
