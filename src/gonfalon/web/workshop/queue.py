"""Who has asked for which studies: that nobody has many waiting, and that others come in between.

Only the memory of this process knows who asks. What is stored of a study is the number of its turn.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from gonfalon.web.http.rate_limits import MAX_ACCOUNTS


@dataclass
class Asker:
    """What has been asked for from one address."""

    turn: int = -1
    """The latest one that it had."""
    studies: dict[str, bool] = field(default_factory=dict)
    """Those that may not be over yet, each with whether the address alone tells whose it is: without cookies."""

    def own(self) -> list[str]:
        """The studies of whoever keeps no cookies."""
        return [key for key, bare in self.studies.items() if bare]


class Askers:
    """Everybody who has asked lately, by address."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Asker] = OrderedDict()

    def of(self, client: str) -> Asker:
        """Who asks from an address."""
        asker = self._known.setdefault(client, Asker())
        self._known.move_to_end(client)
        if len(self._known) > MAX_ACCOUNTS:
            self._known.popitem(last=False)
        return asker
