"""A game of people and bots on this machine."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gonfalon.bots import list_offered_levels, make_level
from gonfalon.bots.levels import write_level_note
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.thoughts import lines, told
from gonfalon.core.basics.errors import GonfalonError, NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import LogReader
from gonfalon.core.rules.state import CHANCE, SPECTATOR, Seat, State
from gonfalon.core.text.citations import cite_rule
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.viewport import Answer, Sight, Stage, build_sight
from gonfalon.terminal.games.own_cards import describe_own_cards
from gonfalon.terminal.games.store import write_record
from gonfalon.terminal.games.undo import UndoStack


def find_bot_note(driver: Driver) -> str:
    """Return a sentence about a bot of the game that plays differently than usual; empty if there is none."""
    return next(filter(None, (write_level_note(bot.name, driver.game) for bot in driver.bots if bot is not None)), "")


class LocalDesk:
    """The desk of a game on this machine.

    Args:
        driver: The game and its bots.
        names: Names of the seats.
        path: File of the record, if it is written.
        pace: Seconds for which a bot's move is shown.
        tips: Tips by prompt, each shown until its question was answered once.
    """

    def __init__(
        self,
        driver: Driver,
        names: Sequence[str],
        path: Path | None = None,
        pace: float = 0.0,
        tips: Mapping[str, str] | None = None,
    ) -> None:
        self.driver = driver
        self.game: Game = driver.game
        self.names = list(names)
        self.path = path
        self.pace = pace
        self.tips = dict(tips or {})
        self.note = " ".join(filter(None, (describe_own_cards(driver.game), find_bot_note(driver))))
        self.people = [seat for seat, bot in enumerate(driver.bots) if bot is None]
        self.at: Seat | None = self.people[0] if len(self.people) == 1 else None
        """The seat at the screen."""
        self.log_readers: dict[int, LogReader] = {}
        """The sentences of the log, by viewer."""
        self.undo_stack = UndoStack(driver, self.people)
        self.answered = asyncio.Event()
        self.version = 0
        self.plays_again = False
        """Whether the player wants another game of the same players."""

    # ---- the course of the game ------------------------------------------------------------------

    async def run(self, stage: Stage) -> None:
        """Play until the end: chance and bots decide by themselves, people when they answer."""
        state = self.driver.state
        while not (state := self.driver.state).over:
            seat = state.turn
            if seat == CHANCE:
                await self.apply_and_show(stage, seat, state.chance(self.driver.chance))
            elif (bot := self.driver.bots[seat]) is not None:
                stage.show(self.sight())
                view, stream = state.mask(seat), self.driver.streams[seat]
                # In a thread, so that the screen stays responsive while the bot thinks.
                choice = await asyncio.to_thread(bot.choose, view, None, stream)
                self.driver.thoughts[len(self.driver.record.decisions)] = choice
                await self.apply_and_show(stage, seat, choice.action)
            else:
                await self.ask(stage, seat)
        if self.driver.record.result is None:
            self.driver.record.close(state)
        self.write()
        stage.show(self.sight())

    async def ask(self, stage: Stage, seat: Seat) -> None:
        """Wait for a person's answer, after the device was passed to that person."""
        self.write()
        if self.at != seat:
            # Until the player confirms, no seat is at the screen, so it shows no cards.
            self.at = None
            name = self.names[seat]
            await stage.hold(Sight("", SPECTATOR, (), {}, "", next_player=name), None)
            self.at = seat
        # Cleared before the question is shown, so that a quick answer is not lost.
        self.answered.clear()
        stage.show(self.sight())
        await self.answered.wait()
        if not await self.stage_moments(stage):
            await stage.show_change(self.sight())

    async def apply_and_show(self, stage: Stage, seat: Seat, action: int) -> None:
        """Carry out and show a decision of chance or of a bot."""
        self.apply(seat, action)
        shown = await self.stage_moments(stage)
        if seat != CHANCE and not shown and self.at is not None:
            await stage.show_change(self.sight(), self.pace)

    def apply(self, seat: Seat, action: int) -> None:
        """Apply a decision, and collect the moments on its way."""
        self.version += 1
        # The rules collect moments only while this list exists.
        self.driver.state.moments = []
        self.driver.act(seat, action)

    async def stage_moments(self, stage: Stage) -> bool:
        """Show the moments since the last decision. Return whether there were any."""
        moments, self.driver.state.moments = self.driver.state.moments, None
        if not moments or self.at is None:
            return False
        for moment in moments:
            seconds = self.game.moment_seconds.get(moment.moment)
            await stage.hold(self.sight_from(moment.mask(self.at)), seconds)
        return True

    # ---- the table -------------------------------------------------------------------------------

    def viewer(self) -> int:
        """Return the viewer of the screen: a spectator while no seat is at it."""
        return SPECTATOR if self.at is None else self.at

    def sight(self) -> Sight:
        """Return the table for the seat at the screen."""
        found = self.sight_from(self.driver.state.mask(self.viewer()))
        if not found.answers or self.at is None:
            return replace(found, can_undo=not self.undo_stack.why_not(self.at))
        notations = map(self.game.notation, self.undo_stack.list_changes(self.at))
        changed = ((notation, self.game.touches(notation)) for notation in notations)
        # A marked card is touched again. A card that was laid on a place has left the hand, so it needs undo.
        more = [Answer(notation, notation, parts) for notation, parts in changed if len(parts) == 1]
        tip = self.note or self.tips.get(self.find_prompt(), "")
        return replace(found, answers=[*found.answers, *more], tip=tip, can_undo=not self.undo_stack.why_not(self.at))

    def find_prompt(self) -> str:
        """Return the name of the decision of the seat at the screen."""
        state = self.driver.state
        return next((decision.prompt for decision in state.decisions() if decision.seat == self.at), "")

    def sight_from(self, view: State) -> Sight:
        """Return the table of a view. The log of a moment ends there."""
        # The log of a moment is shorter, which would reset the viewer's own reader.
        telling = LogReader() if view.moment else self.log_readers.setdefault(view.viewer, LogReader())
        log = telling.read(self.game, view, names_for(self.game, view.viewer, self.names))
        return build_sight(self.game, view, self.names, log, self.version)

    # ---- actions of the player -------------------------------------------------------------------

    async def act(self, answer: str) -> str:
        """Carry out an answer of the seat at the screen. Return the reason for a refusal, or an empty text."""
        state = self.driver.state
        seat = self.at
        # A second answer before the next question is ignored.
        if seat is None or state.turn != seat or self.answered.is_set():
            return messages.NOT_YOUR_TURN
        try:
            action = self.game.parse(answer)
        except NotationError as error:
            return str(error)
        instead = [action]
        if reason := state.mask(seat).why_not(seat, action):
            again = self.undo_stack.list_changes(seat)
            if action not in again:
                return cite_rule(reason)
            # The whole answer is given again, in an order that the rules accept.
            for _ in range(len(state.answers[seat])):
                self.return_to_last()
            instead = again[action]
        if not self.note:
            self.tips.pop(self.find_prompt(), None)
        self.note = ""
        for one in instead:
            self.undo_stack.save_position()
            self.apply(seat, one)
        self.answered.set()
        return ""

    async def why_not(self, notation: str) -> str:
        """Return the reason why an action is illegal, by the player's own view; empty if it is legal."""
        try:
            action = self.game.parse(notation)
        except NotationError:
            return ""
        viewer = self.viewer()
        return "" if viewer < 0 else cite_rule(self.driver.state.mask(viewer).why_not(viewer, action) or "")

    async def hint(self) -> Sequence[str]:
        """Return the choice of the game's strongest level, by the player's own view."""
        if self.at is None or self.driver.state.turn != self.at:
            raise GonfalonError(messages.HINT_ON_TURN)
        view = self.driver.state.mask(self.at)
        bot = make_level(list_offered_levels(self.game)[-1], self.game)
        choice = await asyncio.to_thread(bot.choose, view, bot.patience, Rng(secrets.randbits(62)))
        return lines(told(self.game, view, choice, self.names))

    async def undo(self) -> str:
        """Undo the player's last decision. Return the reason for a refusal, or an empty text."""
        if self.driver.state.turn != self.at:
            return messages.UNDO_WAIT
        if why := self.undo_stack.why_not(self.at):
            return why
        self.return_to_last()
        self.answered.set()
        return ""

    async def rematch(self) -> str:
        """Note that the player wants another game. No reason refuses it."""
        self.plays_again = True
        return ""

    def return_to_last(self) -> None:
        """Return to the position before the player's last decision."""
        self.undo_stack.undo()
        self.version += 1
        # Other events may follow now, but the readers would keep the old sentences.
        self.log_readers = {}

    def write(self) -> None:
        """Write the record, if it has a file."""
        if self.path is not None:
            write_record(self.driver.record, self.path)
