"""The interface of a process's tables for live tables and the clean-up."""

from __future__ import annotations

from abc import abstractmethod

from gonfalon.table.bots.services import BotServices
from gonfalon.table.live.archiving import Archives
from gonfalon.table.live.stored import StoredTables
from gonfalon.table.shared.claims import Claims
from gonfalon.table.shared.services import Services
from gonfalon.table.store.store import TableRow


class Backend(Services):
    """The services of a process, and operations on tables named by their key."""

    bots: BotServices
    stored: StoredTables
    archives: Archives
    claims: Claims

    @abstractmethod
    def check_accepting(self) -> None:
        """Raise Maintenance while the operator lets no new tables be opened."""

    @abstractmethod
    def forget(self, key: str) -> None:
        """Drop a table that is, or is about to be, deleted."""

    @abstractmethod
    def seats_changed(self, row: TableRow) -> None:
        """Pass a change of seats on to the table of which this one is the rematch."""

    @abstractmethod
    async def attended(self, key: str) -> bool:
        """Return whether a person is at a table now."""

    @abstractmethod
    async def abandon(self, key: str, days: int) -> None:
        """End a game without a result after this many days without a move."""
