"""Messages of tables to people, ready for translation: `NAME.format(...)` with the named parameters.

Each is one or two sentences, and none holds a secret of a game.
"""

from __future__ import annotations

from typing import Final

DAMAGED: Final = (
    "The stored data of this table is damaged, so it cannot be opened. The operator of this server may have a backup. "
    "Other tables are not affected."
)
BOTS_BUSY: Final = "The bots of this server are busy. Try again in a moment."
STOPPING: Final = "The server is stopping. Try again in a moment."
