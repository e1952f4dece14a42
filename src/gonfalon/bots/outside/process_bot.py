"""A Python program as a bot: it thinks in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from gonfalon.bots.outside import messages
from gonfalon.bots.outside.faults import MAX_DETAIL, FaultError
from gonfalon.bots.outside.process import PROCESSES, HaltedError, Made, Owner, Process
from gonfalon.bots.outside.program import Limits, ProgramBot
from gonfalon.bots.outside.protocol import UNTRAINED, Message, read_choice
from gonfalon.bots.players.bot import UntrainedError
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.bots.search.mixed_bot import Mixture
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.text.untrusted import one_line

LIMITS: Final = Limits()
"""The limits of a Python program."""


class ProcessBot(ProgramBot):
    """A bot of a Python class or function, or a bot of OpenSpiel.

    Its process gets the game without secrets, and the view of one seat. The program keeps running between games.
    """

    limits = LIMITS

    def __init__(self, name: str, game: Game) -> None:
        """Make the bot, which starts its process.

        Raises:
            OptionError: The program cannot be loaded, or makes no bot of this game.
            UntrainedError: The program says that it does not play this configuration of the game.
        """
        super().__init__(name, game)
        self.codec = StateCodec(self.game)
        self.encoding = Lock()
        """Held while the codec writes a view, because seats may think in several threads."""
        self.body = json.dumps(self.game.pinned(), sort_keys=True)
        with self.open(0) as (_, made):
            self.mixed = made.mixed
            """Whether the program states the probability of each action."""
            self.source = made.source
            """The hash of the program's file."""

    @contextmanager
    def open(self, seat: Seat) -> Iterator[tuple[Process, Made]]:
        """Yield the process for a seat, and the bot that it has made.

        Raises:
            OptionError: The program cannot be loaded, or makes no bot of this game.
        """
        with PROCESSES.use(Owner(self.name, self.game.name, seat), self.start) as process:
            if self.body not in process.bots:
                process.bots[self.body] = self.introduce(process)
            yield process, process.bots[self.body]

    def start(self) -> Process:
        """Start a process."""
        try:
            return Process(self.name, self.limits.start_seconds, self.limits.answer_bytes)
        except FaultError as error:
            raise OptionError(messages.NOT_STARTED.format(text=self.name, why=error.detail)) from None

    def introduce(self, process: Process) -> Made:
        """Let a process make the bot of this game."""
        number = len(process.bots)
        message = {"make": number, "game": self.game.name, "options": json.loads(self.body)}
        try:
            made = process.exchange(message, self.limits.start_seconds)
        except FaultError as error:
            raise OptionError(messages.NOT_STARTED.format(text=self.name, why=error.detail)) from None
        if made.get("made") != number:
            kind = UntrainedError if made.get("fault") == UNTRAINED else OptionError
            raise kind(one_line(str(made.get("detail", "")))[:MAX_DETAIL])
        return Made(number, made.get("mixed") is True, str(made.get("source", "")))

    def ask(self, view: State, budget: Budget, seed: int) -> Choice:
        try:
            with self.open(view.viewer) as (process, made):
                message = self.write_question(made.number, view, budget, seed)
                body = process.exchange(message, self.limits.seconds, self.limits.work_seconds, budget.halt)
        except OptionError as error:  # Its code has changed since it was loaded.
            raise FaultError(Fault.CRASHED, str(error), ended=True) from None
        except HaltedError:
            return Choice(view.legal(view.viewer)[0])
        return read_choice(body, view.legal(view.viewer))

    def write_question(self, number: int, view: State, budget: Budget, seed: int) -> Message:
        """Return the message of a decision, which follows from the view, the budget and the seed alone."""
        with self.encoding:
            body = self.codec.encode_view(view)
        return {
            "choose": number,
            "view": body,
            "seed": seed,
            "iterations": budget.iterations,
            "seconds": budget.seconds,
        }

    def mixture(self, view: State) -> Mixture:
        """Return the probabilities that the program states; equal ones if it fails."""
        legal = view.legal(view.viewer)
        try:
            return list(self.ask(view, Budget(), 0).policy)
        except FaultError:
            return [(action, 1 / len(legal)) for action in legal]
