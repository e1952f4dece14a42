"""Games of OpenSpiel and their registration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyspiel

from gonfalon import games
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.openspiel import parameters
from gonfalon.bridges.openspiel.observer import Observer
from gonfalon.bridges.openspiel.position import SharedData
from gonfalon.bridges.openspiel.state import SpielState
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game

PREFIX: Final = "gonfalon_"
"""Prefix of registered names."""


def make_game_type(kind: type[Game], seats: int) -> pyspiel.GameType:
    """Return OpenSpiel's description of a game.

    Games for two are zero-sum; with more seats several can share a victory.
    """
    return pyspiel.GameType(
        short_name=PREFIX + kind.name,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if seats == 2 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(kind.seat_counts),
        min_num_players=min(kind.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters.list_parameters(kind),
        provides_factored_observation_string=True,
    )


MAX_CACHED_GAMES: Final = 100
"""Number of games with different parameters whose shared data are cached."""
_SHARED_DATA: Final[dict[tuple[object, ...], SharedData]] = {}
"""Shared data by class and parameters."""


def get_shared_data(kind: type[Game], params: Options) -> SharedData:
    """Return the data shared by all games with the same parameters.

    Raises:
        OptionError: A parameter is unknown or out of range.
    """
    key = (kind, *sorted(params.items()))
    if key not in _SHARED_DATA:
        # Forget the oldest entry.
        if len(_SHARED_DATA) >= MAX_CACHED_GAMES:
            del _SHARED_DATA[next(iter(_SHARED_DATA))]
        game = parameters.make_game(kind, params)
        _SHARED_DATA[key] = SharedData(game, Numbers(game))
    return _SHARED_DATA[key]


class SpielGame(pyspiel.Game):
    """A game of Gonfalon with its options chosen. `register` sets `kind`.

    Raises:
        pyspiel.SpielError: A parameter is unknown or out of range.
    """

    kind: type[Game]

    def __init__(self, params: Options | None = None) -> None:
        try:
            home = get_shared_data(self.kind, params or {})
        except OptionError as error:
            raise pyspiel.SpielError(str(error)) from None
        self.home = home
        game = home.game
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.home.numbers.actions),
            max_chance_outcomes=len(self.home.chances),
            num_players=game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if game.seats == 2 else None,
            max_game_length=game.bound,
        )
        super().__init__(make_game_type(self.kind, game.seats), info, params or {})
        # The string can be written only after the base class is initialized.
        self.home.text = str(self)

    @property
    def game(self) -> Game:
        """The game of Gonfalon."""
        return self.home.game

    def new_initial_state(self, start: str | Mapping[str, object] | None = None) -> SpielState:
        """Return the first position, or a position saved by `SpielState.to_dict` or `to_json`."""
        state = SpielState(self)
        if start is not None:
            state.go_to(start)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """Return the bound of all decisions of a game, which also limits those of chance."""
        return self.home.game.bound

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Options | None = None
    ) -> Observer:
        """Return an observer; see `Observer`."""
        return Observer(self.home, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def register() -> list[str]:
    """Register every installed game with exact chance, and return their names. Registered games are left alone."""
    known = set(pyspiel.registered_names())
    names = []
    for name in games.names():
        kind = games.find_game_class(name)
        if any(option.name == parameters.EXACT_OPTION for option in kind.options_spec):
            names.append(PREFIX + name)
            if PREFIX + name not in known:
                register_game(kind)
    return names


def register_game(kind: type[Game]) -> None:
    """Register one game."""
    # OpenSpiel registers a class for each game.
    made = type(f"Spiel{kind.__name__}", (SpielGame,), {"kind": kind, "__doc__": kind.__doc__})
    pyspiel.register_game(make_game_type(kind, max(kind.seat_counts)), made)


def load(game: Game) -> pyspiel.Game:
    """Return OpenSpiel's form of a game of Gonfalon with its options and exact chance.

    Raises:
        OptionError: The game has no exact chance.
    """
    kind = type(game)
    if not any(option.name == parameters.EXACT_OPTION for option in kind.options_spec):
        raise OptionError(f"{kind.title} cannot deal card by card, which OpenSpiel requires.")
    if PREFIX + kind.name not in pyspiel.registered_names():
        register_game(kind)
    given = parameters.changed_parameters(game)
    text = ",".join(f"{name}={value}" for name, value in sorted(given.items()))
    return pyspiel.load_game(f"{PREFIX}{kind.name}({text})" if text else PREFIX + kind.name)


__all__ = ["SpielGame", "register_game", "make_game_type", "load", "register"]
