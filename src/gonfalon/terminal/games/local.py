"""A game on this machine: people at this terminal, and bots."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gonfalon.bots import make, opponents
from gonfalon.bots.levels import note_on
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.thoughts import lines, told
from gonfalon.core.basics.errors import GonfalonError, NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import CHANCE, SPECTATOR, Seat, State
from gonfalon.terminal.drawing.viewport import Answer, Sight, Stage, Telling, sight_of
from gonfalon.terminal.games.store import write_record
from gonfalon.terminal.games.undo import Back


def note_of(driver: Driver) -> str:
    """Return a sentence on how a bot of a game differs from usual, if one does."""
    return next(filter(None, (note_on(bot.name, driver.game) for bot in driver.bots if bot is not None)), "")


class LocalDesk:
    """Deals with the answers of the people at this terminal. `pace`: how long each move of a bot is looked at; `tips`:
    advice for newcomers, by the question, each given until that was answered once."""

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
        self.note = note_of(driver)
        self.people = [seat for seat, bot in enumerate(driver.bots) if bot is None]
        self.at: Seat | None = self.people[0] if len(self.people) == 1 else None
        """Who sits before the screen."""
        self.told: dict[int, Telling] = {}
        self.back = Back(driver, self.people)
        self.answered = asyncio.Event()
        self.version = 0

    # ---- the game goes on ------------------------------------------------------------------------

    async def run(self, stage: Stage) -> None:
        """Play until the end: chance and bots by themselves, people when they have answered."""
        state = self.driver.state
        while not (state := self.driver.state).over:
            seat = state.turn
            if seat == CHANCE:
                await self.carry_out(stage, seat, state.chance(self.driver.chance))
            elif (bot := self.driver.bots[seat]) is not None:
                stage.show(self.sight())
                view, stream = state.mask(seat), self.driver.streams[seat]
                choice = await asyncio.to_thread(bot.choose, view, None, stream)
                self.driver.thoughts[len(self.driver.record.decisions)] = choice
                await self.carry_out(stage, seat, choice.action)
            else:
                await self.ask(stage, seat)
        if self.driver.record.result is None:
            self.driver.record.close(state)
        self.write()
        stage.show(self.sight())

    async def ask(self, stage: Stage, seat: Seat) -> None:
        """Wait for a person's answer; where several are at the device, after it was passed to them."""
        self.write()
        if self.at != seat:
            self.at = None
            name = self.names[seat]
            await stage.hold(Sight("", SPECTATOR, (), {}, "", hands_over=name), None)
            self.at = seat
        self.answered.clear()
        stage.show(self.sight())
        await self.answered.wait()
        if not await self.stage_moments(stage):
            await stage.lead_to(self.sight())

    async def carry_out(self, stage: Stage, seat: Seat, action: int) -> None:
        """A decision of chance or of a bot."""
        self.apply(seat, action)
        shown = await self.stage_moments(stage)
        if seat != CHANCE and not shown and self.at is not None:
            await stage.lead_to(self.sight(), self.pace)

    def apply(self, seat: Seat, action: int) -> None:
        """Do it, and keep the moments that it leads through."""
        self.version += 1
        self.driver.state.moments = []
        self.driver.act(seat, action)

    async def stage_moments(self, stage: Stage) -> bool:
        """Show what passed before anybody is asked again; whether there was anything."""
        moments, self.driver.state.moments = self.driver.state.moments, None
        if not moments or self.at is None:
            return False
        for moment in moments:
            seconds = self.game.moment_seconds.get(moment.moment)
            await stage.hold(self.sight_from(moment.mask(self.at)), seconds)
        return True

    # ---- what is seen ----------------------------------------------------------------------------

    def viewer(self) -> int:
        """Whose eyes look at the screen: with nobody before it, everybody's."""
        return SPECTATOR if self.at is None else self.at

    def sight(self) -> Sight:
        """The table as whoever sits here may know it."""
        found = self.sight_from(self.driver.state.mask(self.viewer()))
        if not found.answers or self.at is None:
            return replace(found, can_take_back=not self.back.why_not(self.at))
        notations = map(self.game.notation, self.back.changes(self.at))
        changed = ((notation, self.game.touches(notation)) for notation in notations)
        # A mark lies on its card; what was laid on a place has no card in the hand any more, and is taken back.
        more = [Answer(notation, notation, parts) for notation, parts in changed if len(parts) == 1]
        tip = self.note or self.tips.get(self.asked(), "")
        return replace(found, answers=[*found.answers, *more], tip=tip, can_take_back=not self.back.why_not(self.at))

    def asked(self) -> str:
        """The name of what whoever sits here is asked."""
        state = self.driver.state
        return next((decision.prompt for decision in state.decisions() if decision.seat == self.at), "")

    def sight_from(self, view: State) -> Sight:
        """What a view shows; a moment's log ends where it was."""
        telling = Telling() if view.moment else self.told.setdefault(view.viewer, Telling())
        log = telling.of(self.game, view, names_for(self.game, view.viewer, self.names))
        return sight_of(self.game, view, self.names, log, self.version)

    # ---- what the person does --------------------------------------------------------------------

    async def act(self, answer: str) -> str:
        """Carry out an answer of whoever is asked; why it is refused, or nothing."""
        state = self.driver.state
        seat = self.at
        if seat is None or state.turn != seat or self.answered.is_set():
            return "It is not your turn."
        try:
            action = self.game.parse(answer)
        except NotationError as error:
            return str(error)
        instead = [action]
        if reason := state.mask(seat).why_not(seat, action):
            again = self.back.changes(seat)
            if action not in again:
                return reason
            for _ in range(len(state.answers[seat])):
                self.go_back()
            instead = again[action]
        if not self.note:
            self.tips.pop(self.asked(), None)
        self.note = ""
        for one in instead:
            self.back.note()
            self.apply(seat, one)
        self.answered.set()
        return ""

    async def why_not(self, notation: str) -> str:
        """Why an action is not legal now, from the person's own view."""
        try:
            action = self.game.parse(notation)
        except NotationError:
            return ""
        viewer = self.viewer()
        return "" if viewer < 0 else self.driver.state.mask(viewer).why_not(viewer, action) or ""

    async def hint(self) -> Sequence[str]:
        """What the game's strongest level would do, from the person's own view."""
        if self.at is None or self.driver.state.turn != self.at:
            raise GonfalonError("Ask for a hint when it is your turn.")
        view = self.driver.state.mask(self.at)
        bot = make(opponents(self.game)[-1], self.game)
        choice = await asyncio.to_thread(bot.choose, view, bot.patience, Rng(secrets.randbits(62)))
        return lines(told(self.game, view, choice, self.names))

    async def take_back(self) -> str:
        """Go back to before the person's last decision; why that cannot be, or nothing."""
        if self.driver.state.turn != self.at:
            return "Wait until it is your turn."
        if why := self.back.why_not(self.at):
            return why
        self.go_back()
        self.answered.set()
        return ""

    def go_back(self) -> None:
        """To before the person's last decision."""
        self.back.go()
        self.version += 1
        self.told = {}

    def write(self) -> None:
        """Keep the record, where it is kept."""
        if self.path is not None:
            write_record(self.driver.record, self.path)
