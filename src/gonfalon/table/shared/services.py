"""The services that live tables share: the store, table time, and the background tasks of the server."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import anyio.abc

from gonfalon import bots
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages
from gonfalon.table.errors import Closing
from gonfalon.table.shared.heartbeat import Heartbeat
from gonfalon.table.store.admin_rows import ServerState
from gonfalon.table.store.store import Store

if TYPE_CHECKING:
    from gonfalon.table.shared.current import Current

Find = Callable[..., Game]
"""A function that makes a game from its name and options."""
Task = Callable[[], Coroutine[object, object, None]]
Spawn = Callable[[Task], None]


class SharedGames:
    """Makes games by `find`. Tables of equal games hold the same object, which never changes."""

    def __init__(self, find: Find) -> None:
        self.find: Find = find
        self._games: WeakValueDictionary[bytes, Game] = WeakValueDictionary()

    def __call__(self, name: str, **options: object) -> Game:
        made = self.find(name, **options)
        same = made.name, made.rules_version, made.data_hash, sorted(made.options.items())
        return self._games.setdefault(blake2b(repr(same).encode("utf-8", "replace")).digest(), made)


class Services:
    """The services of a process. Times are in seconds."""

    def __init__(
        self,
        store: Store,
        *,
        pause: tuple[float, float],
        grace: float,
        patience: float,
        find: Find,
        monotonic: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        self.store: Store = store
        self.pause: tuple[float, float] = pause
        self.grace: float = grace
        self.patience: float = patience
        self.find: Find = SharedGames(find)
        self.heartbeat: Heartbeat = Heartbeat(store, monotonic, wall)
        self.now: Callable[[], float] = self.heartbeat.now
        """Returns the table time."""
        self.announce: Callable[[Current, Mapping[Seat, int]], object] = lambda current, turns: None
        """Called when turns begin at a table with days for each move (see `table/live/turns.py`)."""
        self.state: ServerState = ServerState()
        """The settings of the operator, as this process knows them."""
        self.closing: bool = False
        """Whether the server is about to stop."""
        self._tasks: anyio.abc.TaskGroup | None = None

    def spawn(self, task: Task) -> None:
        """Start a task that ends with the server."""
        if self._tasks is not None:
            self._tasks.start_soon(task)

    def check_open(self) -> None:
        """Raise Closing if the server is about to stop."""
        if self.closing:
            raise Closing(messages.STOPPING)


def choose_stand_in(game: Game) -> str:
    """Return the level that plays for an absent player: the strongest of the game."""
    return bots.list_offered_levels(game)[-1]
