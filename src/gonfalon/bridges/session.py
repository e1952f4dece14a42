"""A game in an environment: chance acts automatically, and seats act by number."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gonfalon import games
from gonfalon.bots import Bot, make
from gonfalon.bots.players.driver import BOTS
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.tasks import TASKS, make_task
from gonfalon.core.arrays.loops import run_on
from gonfalon.core.basics.errors import OptionError, Refusal
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng, check_seed
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.picture import draw_state, write_state
from gonfalon.core.rules.state import OPEN, SPECTATOR, Action, Seat, State

Array = npt.NDArray[np.generic]
Info = dict[str, Any]
"""Additional information that comes with an observation."""

Row: TypeAlias = npt.NDArray[Any]
"""The numbers of an observation, int8 or float32, all of them from -128 to 127."""
RowType: TypeAlias = np.dtype[np.int8 | np.float32]
"""The number type of a row."""
ROW_TYPES: Final[tuple[RowType, ...]] = (np.dtype(np.int8), np.dtype(np.float32))
"""Number types of rows."""

Rendered: TypeAlias = Any
"""Text, pixels or nothing, depending on the mode."""

T = TypeVar("T")

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
"""Render modes."""
VIEWERS: Final = {"spectator": SPECTATOR, "all": OPEN}
"""Viewers other than seats, by name."""


def find_game(game: str | Game, options: Options) -> Game:
    """Return a game by its name or the id of an environment with its options, the game of a task, or the game itself.

    Raises:
        OptionError: There is no such game or option, or options are given with a game or a task, which have their own.
    """
    if isinstance(game, str) and game not in TASKS and "/" in game:
        if game not in (known := list_environments()):
            near = [*difflib.get_close_matches(game, known, 1), "gonfalon/jinkei-small-v1"]
            raise OptionError(f"There is no environment {game!r:.60}. Did you mean {near[0]}?")
        game = known[game]
    if game in TASKS:
        game = make_task(str(game))
    if isinstance(game, str):
        found = games.game(game, **options)
        drawn = [name for name in options if len({repr(one.options[name]) for one in found.pairings()}) > 1]
        if drawn:
            raise OptionError(f"`pairings` draws the {drawn[0]} of each game. Leave out one of the two.")
        return found
    for name in options:
        why = "already has its options" if name in game.options else "has no such option, nor this environment"
        raise OptionError(f"{game.title} {why}. Leave out {name}.")
    return game


def environment_version(kind: type[Game]) -> int:
    """Return the version of an environment, which is that of the game's rules."""
    return int(kind.version) if kind.version.isdigit() else 0


def find_row_type(dtype: npt.DTypeLike) -> RowType:
    """Return the number type of observations.

    Raises:
        OptionError: It is not int8 or float32.
    """
    found = [kind for kind in ROW_TYPES if kind == dtype]
    if not found:
        raise OptionError(f"The dtype of observations must be int8 or float32, not {dtype!r:.40}.")
    return found[0]


def list_environments() -> dict[str, str]:
    """Return the ids of all environments, each with the name of its game, or of its task."""
    versions = {name: environment_version(games.find_game_class(name)) for name in games.names()}
    return {f"gonfalon/{name}-v{version}": name for name, version in versions.items()} | {task: task for task in TASKS}


def find_viewer(shown: str | Seat, game: Game) -> int:
    """Return the viewer of a rendering: a seat, "spectator", or "all".

    Raises:
        OptionError: There is no such viewer.
    """
    viewer = VIEWERS.get(shown) if isinstance(shown, str) else shown
    if viewer is None or viewer not in (*VIEWERS.values(), *range(game.seats)):
        raise OptionError(f"The viewer must be a seat, 'spectator' or 'all', not {shown!r}.")
    return viewer


class Opponents(Generic[T]):
    """Opponents by their notations, made once for each game that they play, or as they are."""

    def __init__(self, given: Sequence[str | T]) -> None:
        self.given = given
        self.made: dict[Game, list[Bot | T]] = {}

    def play(self, game: Game) -> list[Bot | T]:
        """Return the opponents for a game."""
        if game not in self.made:
            self.made[game] = [make(one, game) if isinstance(one, str) else one for one in self.given]
        return self.made[game]


class Session:
    """A series of games with one stream of chance.

    `reset` with a seed restarts the stream; without one the next game continues it. The first stream without a seed is
    seeded by the system.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise OptionError(f"The render mode must be {', '.join(RENDER_MODES)} or None, not {render_mode!r:.40}.")
        self.game = game
        self.pairings = game.pairings()
        self.numbers = Numbers(game)
        self.rng: Rng | None = None
        self.stopped = False
        """Whether an illegal action or `close` ended the game. It does not continue."""
        self.full_state: State = game.start()
        """The position with all cards, which no player may see."""
        self.nobody: list[Rng | None] = [None] * game.seats

    def reset(self, seed: int | None) -> None:
        """Start a new game and advance it to the first decision of a seat.

        Raises:
            OptionError: The seed is not a valid seed.
        """
        if seed is not None:
            self.rng = Rng(check_seed(seed))
        elif self.rng is None:
            # The system seeds the stream: a fixed default would deal the same games in every run.
            self.rng = Rng(secrets.randbits(64))
        self.stopped = False
        if self.pairings:
            self.game = self.pairings[self.rng.below(len(self.pairings))]
        self.full_state = self.game.start()
        self.settle()

    def check_running(self) -> None:
        """Check that a game has begun and is not over.

        Raises:
            Refusal: It is not.
        """
        if self.rng is None or self.stopped or not self.full_state.stack:
            raise Refusal("No game is running. Reset the environment before its next step.")

    def settle(self) -> None:
        """Let chance act until a seat decides."""
        self.run_on(self.nobody)

    def run_on(self, streams: list[Rng | None]) -> None:
        """Let chance act, and seats with a stream act at random, until another seat decides."""
        assert self.rng is not None
        run_on(self.full_state, self.rng, streams)

    def stream(self) -> Rng:
        """Return a separate stream for a bot."""
        assert self.rng is not None
        # Bots must not see the stream of chance.
        return Rng(self.rng.seed() ^ BOTS)

    def refusal(self, seat: Seat, action: Action) -> str | None:
        """Return why an action is illegal, from the seat's own view; None if it is legal."""
        return self.full_state.mask(seat).why_not(seat, action)

    def render(self, mode: str | None, viewer: int) -> Rendered:
        """Return the rendering of an environment in a mode: the table as a picture, or with the prompt in words."""
        view = self.full_state.mask(viewer)
        if mode == "rgb_array":
            from gonfalon.bridges.raster import draw_pixels

            picture = draw_state(view)
            assert picture is not None
            return draw_pixels(picture, 10 + 10 * self.game.seats)
        text = "\n".join(write_state(self.game, view))
        if mode == "human":
            print(text, flush=True)
            return None
        return text if mode == "ansi" else None
