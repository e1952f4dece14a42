"""What can go wrong at a table. Each message is one sentence for a person and holds no secret."""

from __future__ import annotations

import traceback
from typing import Final

from gonfalon.core.basics.errors import GonfalonError

DAMAGED: Final = (
    "What the server has stored of this table is damaged, so it cannot be opened; whoever runs the server may have a "
    "backup. Other tables are not affected."
)
BUSY: Final = "The bots of this server have much to think about just now; ask again in a moment."
STOPPING: Final = "The server is about to stop; try again in a moment."


class TableError(GonfalonError):
    """The root of the table's refusals; `GonfalonError`s of the core come through as they are."""


class NoTable(TableError):
    """No table has this key."""

    def __init__(self) -> None:
        super().__init__(
            "No table is at this address: it may be incomplete, or nobody had played there for long, so the table has "
            "been cleared away."
        )


class NoWay(TableError):
    """The table exists, the link to it does not."""


class Taken(TableError):
    """The seat of an invitation has been taken by somebody else."""


class Seated(Taken):
    """Somebody asks again for the seat that they took themselves, but long ago."""


class BadNonce(TableError):
    """Somebody sits down without a nonce that is long enough to be secret."""


class NotHost(TableError):
    """A seat is given away by somebody who has not offered it."""


class NotSeated(TableError):
    """A spectator, or somebody who has not sat down yet, tries to act."""


class Stale(TableError):
    """The viewer's table has changed since the page that was answered."""


class Hasty(TableError):
    """Somebody greets again too soon."""


class Conflict(TableError):
    """The store's record has grown otherwise than this process believed."""


class GoneBy(TableError):
    """A moment of the game that nobody keeps any more, or that has not come."""


class NoChoice(TableError):
    """A setting that does not exist."""


class Present(TableError):
    """Somebody who is here, or whom nobody waits for, needs no bot in their place."""


class Finished(TableError):
    """The game is over."""


class Secret(TableError):
    """What was asked for stays secret until the end."""


class OtherRules(TableError):
    """The table was played with other rules or card data than this program has; its `record` may be there."""

    def __init__(self, text: str, record: bool = False) -> None:
        super().__init__(text)
        self.record: bool = record


class Broken(TableError):
    """What is stored of the table cannot be read, or does not fit together."""


class Withdrawn(TableError):
    """Whoever offered a game is gone, or plays elsewhere."""


class Late(TableError):
    """Bots have more to think about than they can just now."""


class Closing(TableError):
    """The server is about to stop."""


class StoreError(TableError):
    """The store cannot be opened, read or written."""


def place(error: BaseException) -> str:
    """Where an unexpected error came from, for the server's log: its kind and the lines, but not its
    text, which could quote a hidden card."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = " < ".join(f"{frame.filename.rpartition('gonfalon')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {lines}"
