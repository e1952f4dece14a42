"""What live tables work with: the store, the times they keep, who thinks for bots, and the tasks of the server."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Coroutine

import anyio
import anyio.abc

from gonfalon import bots
from gonfalon.bots import Bot
from gonfalon.core.rules.game import Game
from gonfalon.table.bots.queue import BotQueue
from gonfalon.table.bots.workers import BotRunner, InThread
from gonfalon.table.errors import STOPPING, Closing
from gonfalon.table.game.position import Position
from gonfalon.table.heartbeat import Heartbeat
from gonfalon.table.seats.seat_choices import Find
from gonfalon.table.store.claims import Claims
from gonfalon.table.store.store import Store, TableRow

Task = Callable[[], Coroutine[object, object, None]]
Spawn = Callable[[Task], None]


class Backend:
    """`make_bot(level, game)` makes a bot, which thinks in this process unless there is a `bot_runner` for it. Times
    are in seconds."""

    def __init__(
        self,
        store: Store,
        *,
        pace: float,
        pause: tuple[float, float],
        grace: float,
        patience: float,
        find: Find,
        make_bot: Callable[[str, Game], Bot],
        bot_runner: BotRunner | None,
        monotonic: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        self.store: Store = store
        self.pace: float = pace
        self.pause: tuple[float, float] = pause
        self.grace: float = grace
        self.patience: float = patience
        self.find: Find = find
        self.make_bot: Callable[[str, Game], Bot] = make_bot
        self.bot_runner: BotRunner = bot_runner or InThread(make_bot)
        self.bot_queue: BotQueue = BotQueue(self.bot_runner.at_once)
        self.thought_limit: anyio.CapacityLimiter = anyio.CapacityLimiter(self.bot_runner.at_once)
        self.archives: anyio.CapacityLimiter = anyio.CapacityLimiter(1)
        """Archives are made one by one."""
        self.heartbeat: Heartbeat = Heartbeat(store, monotonic, wall)
        self.now: Callable[[], float] = self.heartbeat.now
        """Returns the table time."""
        self.claims: Claims = Claims(store, self.now, self.serve_table, self.look_round)
        self.closing: bool = False
        """Whether the server is about to stop."""
        self._tasks: anyio.abc.TaskGroup | None = None

    def spawn(self, task: Task) -> None:
        """Start a task, which ends with the server."""
        if self._tasks is not None:
            self._tasks.start_soon(task)

    @abstractmethod
    def load(self, key: str) -> tuple[TableRow, Game, Position]:
        """A table as it is stored. Raises NoTable, OtherRules, Broken."""

    @abstractmethod
    def forget(self, key: str) -> None:
        """Let go of a table that is, or is about to be, deleted."""

    @abstractmethod
    async def serve_table(self, key: str) -> None:
        """See to a table whose machine this process has claimed. Raises GonfalonError."""

    @abstractmethod
    def look_round(self) -> None:
        """See to the machines of all tables in memory that nobody serves."""

    def seats_changed(self, row: TableRow) -> None:
        """Tell the table of which this one is the rematch."""

    def go_on(self) -> None:
        """Raises Closing when the server is about to stop."""
        if self.closing:
            raise Closing(STOPPING)

    @staticmethod
    def stand_in(game: Game) -> str:
        """The level that plays for somebody who is not there: the strongest of the game."""
        return bots.opponents(game)[-1]
