"""A game that an environment plays: chance moves by itself, everybody else is asked by number."""

from __future__ import annotations

import secrets
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gonfalon import games
from gonfalon.bots.players.driver import BOTS
from gonfalon.bridges.numbers import Bytes, Numbers
from gonfalon.core.arrays.loops import run_on
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng, check_seed
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.picture import in_words, of_state
from gonfalon.core.rules.state import OPEN, SPECTATOR, Action, Seat, State

Array = npt.NDArray[np.generic]
Info = dict[str, Any]
"""What an environment tells beside an observation."""

Rendered: TypeAlias = Any
"""Text, pixels or nothing, by the mode."""

MODES: Final = ("human", "ansi", "rgb_array")
VIEWERS: Final = {"spectator": SPECTATOR, "all": OPEN}


def find(game: str | Game, options: Options) -> Game:
    """A game by name with its options, or as it is. Raises OptionError."""
    if isinstance(game, str):
        return games.game(game, **options)
    if options:
        raise OptionError(f"{game.title} has its options already; {', '.join(options)} cannot be given as well.")
    return game


def version(kind: type[Game]) -> int:
    """The version of an environment: that of the game's rules."""
    return int(kind.version) if kind.version.isdigit() else 0


def viewer_of(shown: str | Seat, game: Game) -> int:
    """Whose view is rendered: a seat, "spectator", or "all". Raises OptionError."""
    viewer = VIEWERS.get(shown) if isinstance(shown, str) else shown
    if viewer is None or not (viewer in VIEWERS.values() or 0 <= viewer < game.seats):
        raise OptionError(f"What is rendered is a seat, 'spectator' or 'all', not {shown!r}.")
    return viewer


class Session:
    """One game after the other, from one stream of chance.

    `reset` with a seed begins the stream anew; without one the next game goes on with it, and the first
    takes its seed from the system.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.numbers = Numbers(game)
        self.rng: Rng | None = None
        self.state: State = game.start()
        self.nobody: list[Rng | None] = [None] * game.seats

    def reset(self, seed: int | None) -> None:
        """A new game, up to the first decision of a seat. Raises OptionError."""
        if seed is not None:
            self.rng = Rng(check_seed(seed))
        elif self.rng is None:
            self.rng = Rng(secrets.randbits(64))
        self.state = self.game.start()
        self.settle()

    def settle(self) -> None:
        """Let chance decide until a seat is asked."""
        self.run_on(self.nobody)

    def run_on(self, streams: list[Rng | None]) -> None:
        """Let chance decide, and the seats that have a stream act at random, until another seat is asked."""
        assert self.rng is not None
        run_on(self.state, self.rng, streams)

    def stream(self) -> Rng:
        """A stream of its own for a bot."""
        assert self.rng is not None
        return Rng(self.rng.seed() ^ BOTS)

    def observe(self, seat: Seat) -> Bytes:
        """What a seat may know, as a flat tensor."""
        return self.numbers.of_seat(self.state, seat)

    def refusal(self, seat: Seat, action: Action) -> str | None:
        """Why a seat may not do this now, as far as the seat may know; None when it is legal."""
        return self.state.mask(seat).why_not(seat, action)

    def together(self) -> Bytes:
        """What all seats together know: every seat's tensor, one after the other."""
        return np.concatenate([self.observe(seat) for seat in range(self.game.seats)])

    def text(self, viewer: int) -> str:
        """The table in words, and what is asked."""
        return "\n".join(in_words(self.game, self.state.mask(viewer)))

    def pixels(self, viewer: int) -> npt.NDArray[np.uint8]:
        """The table as a picture."""
        from gonfalon.bridges.raster import pixels

        picture = of_state(self.state.mask(viewer))
        assert picture is not None
        return pixels(picture, 10 + 10 * self.game.seats)

    def render(self, mode: str | None, viewer: int) -> Rendered:
        """What `render` of an environment gives in a mode."""
        if mode == "rgb_array":
            return self.pixels(viewer)
        text = self.text(viewer)
        if mode == "human":
            print(text, flush=True)
            return None
        return text if mode == "ansi" else None
