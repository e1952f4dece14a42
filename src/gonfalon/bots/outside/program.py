"""The bot of a program: it asks the program, and draws the move if the program does not choose a legal one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from gonfalon.bots.outside.faults import MAX_DETAIL, FaultError
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.bots.players.messages import ONLY_ACTION
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.core.text.untrusted import one_line

HASH_PREFIX: Final = b"gonfalon benchmark, chance of a player: "
"""Prefix that separates these hashes from others."""


@dataclass(frozen=True)
class Limits:
    """The limits of a program."""

    seconds: float = 60.0
    """Time for a move."""
    work_seconds: float = 10.0
    """Time after which a move is late if the program's process has worked for as long."""
    start_seconds: float = 60.0
    """Time to start its process and to make its bot for a game."""
    answer_bytes: int = 1 << 16
    """Size of an answer."""
    stops: int = 5
    """Number of times in a game that its process may end or be stopped. All later moves are drawn."""


def derive_stream(rng: Rng) -> Rng:
    """Return a stream that follows from another one without revealing it.

    The numbers of the core's generator would reveal its state, and with it all numbers before and after.
    """
    return Rng(int.from_bytes(hashlib.sha256(HASH_PREFIX + str(rng.seed()).encode()).digest()[:8], "big"))


class ProgramBot(Bot):
    """A bot whose code is not part of Gonfalon.

    The program receives the view of its seat and a seed of its own. If it crashes, is slow, or answers with anything
    but a legal action, the move is drawn from the legal actions by the bot's own stream, and the choice says why
    (`Choice.fault`).
    """

    limits: Limits

    def __init__(self, name: str, game: Game) -> None:
        super().__init__(name, game.without_secrets())
        self.stops = 0
        """Number of times in this game that the program's process ended or was stopped."""

    def begin_game(self) -> Bot:
        # A copy by `copy` would be made anew, without the budget.
        fresh = object.__new__(type(self))
        vars(fresh).update(vars(self), stops=0)
        return fresh

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        stream = derive_stream(rng)
        seed = stream.seed()
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], ONLY_ACTION)
        try:
            if self.stops >= self.limits.stops:
                raise FaultError(Fault.STOPPED)
            return self.ask(view, budget, seed)
        except FaultError as error:
            self.stops += error.ended
            return Choice(
                legal[stream.below(len(legal))],
                str(error),
                fault=error.fault,
                detail=one_line(error.detail)[:MAX_DETAIL],
            )

    def ask(self, view: State, budget: Budget, seed: int) -> Choice:
        """Return the program's choice.

        Args:
            view: The view of its seat, which has several legal actions.
            budget: The budget of the move.
            seed: The seed of the program's chance.

        Raises:
            FaultError: The program does not choose a legal action.
        """
        raise NotImplementedError
