"""One game in play on this machine: chance and bots move by themselves until a person is asked."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.choice import Choice
from gonfalon.core.basics.rng import Rng, check_seed
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State

WORDS = 0xFFFFFFFFFFFFFFFF
BOTS = 0x5851F42D4C957F2D
"""Keeps the bots' streams apart from the stream of chance, so that no bot can foresee a draw."""


class Driver:
    """Plays a game: `bots` holds a bot for each seat, or None where a person sits.

    The seed gives the stream of chance and one stream a bot; the same seed and bots give the same
    game. A record that has begun is gone on with. Raises OptionError for a seed that is none.
    """

    def __init__(self, record: Record, bots: Sequence[Bot | None], seed: int, log: bool = False) -> None:
        self.record: Record = record
        self.game: Game = record.game
        self.bots: list[Bot | None] = [None if bot is None else bot.begin_game() for bot in bots]
        begun = len(record.decisions)
        seed = check_seed(seed)
        # A continued game gets other streams, so that it does not repeat the draws of its beginning.
        self.chance: Rng = Rng((seed + begun) & WORDS)
        streams = Rng(((seed + begun) & WORDS) ^ BOTS)
        self.streams: list[Rng] = [Rng(streams.seed()) for _ in self.bots]
        self.thoughts: dict[int, Choice] = {}
        """The bots' thoughts by the number of the decision."""
        self.state: State = record.replay() if begun else record.game.start(log)

    def advance(self) -> Seat | None:
        """Let chance and the bots act until a person is asked, and return that seat; None at the end."""
        state = self.state
        bots = self.bots
        while not state.over:
            seat = state.turn
            if seat == CHANCE:
                self.act(seat, self.draw())
                continue
            bot = bots[seat]
            if bot is None:
                return seat
            choice = bot.choose(state.mask(seat), None, self.streams[seat])
            self.thoughts[len(self.record.decisions)] = choice
            self.act(seat, choice.action)
        if self.record.result is None:
            self.record.close(state)
        return None

    def draw(self) -> Action:
        """Return the decision of chance."""
        return self.state.chance(self.chance)

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out a legal decision and write it down."""
        self.record.add(seat, action)
        self.state.apply(seat, action)
