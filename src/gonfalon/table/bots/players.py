"""The bots of a live table, which move when it is their turn."""

from __future__ import annotations

import functools
import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, nullcontext, suppress
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.bots import Choice
from gonfalon.bots.players.thoughts import noted, thought
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, State
from gonfalon.table import chance, messages
from gonfalon.table.bots.queue import NOBODY, PEOPLE
from gonfalon.table.bots.services import BotServices
from gonfalon.table.errors import Finished, Secret, Stale, locate_error
from gonfalon.table.game import standing_answers
from gonfalon.table.game.entries import Entry
from gonfalon.table.game.position import Position, position_after
from gonfalon.table.seats.presence import Presence
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.moves import Moves
from gonfalon.table.shared.services import Spawn, choose_stand_in
from gonfalon.table.shared.timers import NOW
from gonfalon.table.store.store import SeatRow

logger: Final = logging.getLogger("gonfalon.table")
LATE_SECONDS: Final = 3.0
"""Seconds that a bot waits for a worker before the table says that it is late."""
UNDO_ANSWER_S: Final = 60.0
"""Seconds that people have to answer an undo request, in which no bot moves."""


class BotPlayers:
    """Moves for the seats that answer without their player."""

    def __init__(self, current: Current, moves: Moves, presence: Presence, spawn: Spawn, services: BotServices) -> None:
        self.current: Current = current
        self.moves: Moves = moves
        self.presence: Presence = presence
        self.services: BotServices = services
        self._spawn: Spawn = spawn
        self.client: str = ""
        """The client on whose behalf bots think: that of the latest player at the table."""
        self.late: bool = False
        """Whether the table shows that a bot waits for a worker."""
        self._codec: StateCodec | None = None
        self._salt: bytes = hmac.digest(current.store.secret.encode(), f"bots {current.key}".encode(), "sha256")
        """Makes the chance of these bots different from that of other tables and equal in every process. It cannot be
        inferred from their play."""

    # ---- moves ------------------------------------------------------------------------------------

    def due(self, position: Position) -> float | None:
        """Return when a bot or a standing answer moves.

        That is at once if it is asked and a player is present, or after people have had time to answer an undo request.
        Bots that have taken over all seats wait for a player to return.
        """
        rows = self.current.row.seats
        deserted = any(row.token for row in rows) and all(row.bot for row in rows)
        if deserted or self._next_seat(position) is None or not self.presence.has_people(rows):
            return None
        return NOW if position.asking.open is None else position.asking.asked_at + UNDO_ANSWER_S

    async def serve(self) -> None:
        """Let the next bot or standing answer move."""
        row = self._next_seat(self.current.position)
        if row is not None:
            await self._move(row)

    def _next_seat(self, position: Position) -> SeatRow | None:
        """Return a seat that is asked and answers without its player."""
        for row in self.current.row.seats:
            if position.is_asked(row.seat) and self._answers_itself(row, position):
                return row
        return None

    def _answers_itself(self, row: SeatRow, position: Position) -> bool:
        if row.bot is not None or self._timed_out(row, position):
            return True
        return standing_answers.passes_by_itself(row.standing, position, row.seat)

    @staticmethod
    def _timed_out(row: SeatRow, position: Position) -> bool:
        """Return whether a bot answers this question in secret for a player whose time is up."""
        return position.clock is not None and row.seat in position.clock.secret

    def _asked(self) -> bool:
        """Return whether people still have time to answer an undo request."""
        asking = self.current.position.asking
        return asking.open is not None and self.current.time.now() < asking.asked_at + UNDO_ANSWER_S

    async def _move(self, row: SeatRow) -> None:
        """Let a bot or a standing answer move at a seat that is asked."""
        begun, current = time.monotonic(), self.current
        # The version is read with the view: `act_at` refuses the choice if the seat has seen something new meanwhile.
        view, version = current.position.view_to_keep(row.seat), current.position.version(row.seat)
        stands = row.bot is None and not self._timed_out(row, current.position)
        passes = Choice(current.game.parse(standing_answers.PASS)) if stands else None
        choice = passes or await self._think(row, view)
        if choice is None:
            return
        # No player sees a simultaneous answer, so none needs time to see it.
        pace = 0.0 if view.stack[-1].seat == TOGETHER else self.services.pace
        if self.moves.windows.due() and not (stands and self.moves.windows.answers_at_once(by_hand=False)):
            await anyio.sleep(self.moves.windows.left())
        else:
            await anyio.sleep(max(0.0, begun + pace - time.monotonic()))
        async with current.lock:
            # Meanwhile the seat's player may have returned, or have changed the standing answer.
            if not self._answers_itself(current.row.seats[row.seat], current.position) or self._asked():
                return
            thought = noted(choice) if choice.why and not stands else ""
            with suppress(Stale, Finished):
                await self.moves.act_at(row.seat, version, [choice.action], thought)

    async def _think(self, row: SeatRow, view: State) -> Choice | None:
        """Return a bot's choice from its view, or any legal action if the bot fails; None if it must be asked again."""
        level = row.bot or choose_stand_in(self.current.game)
        current, begun = self.current, self.current.position.version(row.seat)

        def gone() -> bool:
            """Return whether the question is void: a player resigned, or took the seat back."""
            now = current.position
            answers = self._answers_itself(current.row.seats[row.seat], now)
            return now.over or now.version(row.seat) != begun or not answers

        legal = view.legal(row.seat)
        try:
            # At a simultaneous decision a notice would reveal that the bot has not answered yet.
            waits = self._waits if view.stack[-1].seat != TOGETHER else nullcontext
            choice = await self.ask_level(level, view, gone, waits)
            if choice is not None and choice.fault is not None:
                # Its own words may quote a hidden card.
                logger.warning("table %s: a move was chosen for the bot %s: %s", current.key[:4], level, choice.fault)
            if choice is None or choice.action in legal:
                return choice
            # The action is not logged, because it could name a hidden card.
            logger.error("table %s: the bot %s chose what is not legal", current.key[:4], level)
        except Exception as error:
            logger.error("table %s: the bot %s failed, %s", current.key[:4], level, locate_error(error))
        # A failing bot must not stop the game for the people at the table.
        return Choice(chance.SYSTEM.choice(legal))

    @contextmanager
    def _waits(self) -> Iterator[None]:
        """Show that a bot is late while it waits for a worker."""
        if self.services.queue.free:
            yield
            return
        # A spawned task cannot be canceled from here, so a flag stops its notice.
        waiting = True

        async def tell() -> None:
            await anyio.sleep(LATE_SECONDS)
            if waiting:
                self._be_late(True)

        self._spawn(tell)
        try:
            yield
        finally:
            waiting = False
            self._be_late(False)

    def _be_late(self, late: bool) -> None:
        if late != self.late:
            self.late = late
            self.current.wake_followers()

    async def ask_level(
        self,
        level: str,
        view: State,
        gone: Callable[[], bool],
        waits: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> Choice | None:
        """Return the choice of a level, computed by a worker.

        It is None if the question became void or made way for people. `waits` is in force until a worker is free.
        """
        if self._codec is None:
            self._codec = StateCodec(self.current.game)
        asked, queue = time.monotonic(), self.services.queue
        people = self.presence.has_players(self.current.row.seats)

        # Bots at tables without players make way as soon as a table with a player waits.
        def off() -> bool:
            return gone() or (queue.pressed and not people)

        async with AsyncExitStack() as turn:
            with waits():
                rank = PEOPLE if people else NOBODY
                await turn.enter_async_context(queue.turn(rank, self.client or self.current.key))
            # The question may have become void while it waited in the queue.
            if off():
                return None
            seed = self._stream(view)
            think = functools.partial(self.services.runner.think, self._codec, level, view, seed, off, asked)
            return await run_sync(think, abandon_on_cancel=True, limiter=self.services.limit)

    def _stream(self, view: State) -> int:
        """Return the seed of a bot's chance, which follows from its view. After an undo and the same decision a player
        gets the same answer, so they cannot retry for a better one."""
        seen = repr((view.viewer, view.dump(), len(view.log or ()))).encode()
        # Without the secret key, every reader of the view could compute the bot's chance.
        digest = hashlib.blake2b(seen, digest_size=8, key=self._salt).digest()
        return int.from_bytes(digest, "big") >> (64 - chance.SEED_BITS)

    # ---- thoughts -------------------------------------------------------------------------------------

    async def thoughts(self) -> dict[int, Choice]:
        """Return the bots' thoughts by the number of the decision in the record. Raises Secret before the end of the
        game."""
        current = self.current
        if not current.position.over:
            raise Secret(messages.THOUGHTS_SECRET)
        texts = await run_sync(current.store.thoughts, current.key)
        if not texts:
            return {}
        entries = await run_sync(current.store.entries, current.key)
        return await run_sync(read_thoughts, current.game, entries, texts)


def read_thoughts(game: Game, entries: list[Entry], texts: dict[int, str]) -> dict[int, Choice]:
    """Return the bots' thoughts by the number of the decision in the record, without those that cannot be read."""
    found = {}
    for number, (seq, _, _) in enumerate(position_after(game, entries).course):
        if seq in texts:
            try:
                found[number] = thought(texts[seq])
            except (ValueError, LookupError, TypeError) as error:
                logger.error("what a bot thought cannot be read, %s", locate_error(error))
    return found
