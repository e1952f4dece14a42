"""Errors of tables. Each message is one sentence for a person and holds no secret."""

from __future__ import annotations

import traceback

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.table import messages


class TableError(GonfalonError):
    """The base class of errors of tables. A `GonfalonError` of the core passes through unchanged."""


class NoTable(TableError):
    """No table has this key."""

    def __init__(self) -> None:
        super().__init__(messages.NO_TABLE)


class NoWay(TableError):
    """The table exists, but the link does not."""


class NoAccount(TableError):
    """A token is not that of a bot account."""

    def __init__(self) -> None:
        super().__init__(messages.NO_ACCOUNT)


class Taken(TableError):
    """Another player has taken the seat of an invitation."""


class Seated(Taken):
    """A player asks again for a seat that they took long ago."""


class BadNonce(TableError):
    """A nonce is too short to be secret."""


class NotHost(TableError):
    """A player gives away a seat that they did not offer."""


class NotSeated(TableError):
    """A spectator, or a visitor without a seat, tries to act."""


class Stale(TableError):
    """The table has changed since the page that the player answered."""


class Hasty(TableError):
    """A player sends another greeting too soon."""


class Conflict(TableError):
    """Another process has added to the record."""


class GoneBy(TableError):
    """A moment of the game is no longer kept, or has not happened yet."""


class NoChoice(TableError):
    """A setting does not exist."""


class Present(TableError):
    """The player of a seat is present or not awaited, so no bot may replace them."""


class Finished(TableError):
    """The game is over."""


class Secret(TableError):
    """The requested information is secret until the end."""


class OtherRules(TableError):
    """The table was played with other rules or card data than this program has. Its `record` may exist."""

    def __init__(self, text: str, record: bool = False) -> None:
        super().__init__(text)
        self.record: bool = record


class Broken(TableError):
    """The stored table cannot be read or is inconsistent."""


class Withdrawn(TableError):
    """A game was offered by a player that has left or plays elsewhere."""


class NoRoom(TableError):
    """The server stores no more of a kind of things."""


class Maintenance(TableError):
    """The operator lets no new tables be opened."""


class Banned(TableError):
    """The operator has excluded a client."""


class Late(TableError):
    """The queue of bots is full."""


class Closing(TableError):
    """The server is about to stop."""


class StoreError(TableError):
    """The store cannot be opened, read or written."""


def locate_error(error: BaseException) -> str:
    """Return the place of an unexpected error for the server's log: its class and lines, without its text, which could
    quote a hidden card."""
    frames = traceback.extract_tb(error.__traceback__)
    # Paths are cut at the package, because the folder of the installation explains nothing.
    lines = " < ".join(f"{frame.filename.rpartition('gonfalon')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {lines}"
