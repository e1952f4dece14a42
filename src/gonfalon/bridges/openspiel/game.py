"""Games: how they are registered, and what OpenSpiel wants to know of them beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyspiel

from gonfalon import games
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.openspiel import parameters
from gonfalon.bridges.openspiel.observer import Observer
from gonfalon.bridges.openspiel.position import Home
from gonfalon.bridges.openspiel.state import SpielState
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game

PREFIX: Final = "gonfalon_"


def game_type(kind: type[Game], seats: int) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game beforehand. For two it is zero-sum; a victory may be shared
    by several of more."""
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
        parameter_specification=parameters.specification(kind),
        provides_factored_observation_string=True,
    )


KEPT: Final = 100
"""So many games with different parameters share what they have in common."""
_HOMES: Final[dict[tuple[object, ...], Home]] = {}


def home_of(kind: type[Game], params: Options) -> Home:
    """What all games with the same parameters share. Raises OptionError."""
    key = (kind, *sorted(params.items()))
    if key not in _HOMES:
        if len(_HOMES) >= KEPT:
            del _HOMES[next(iter(_HOMES))]
        game = parameters.game_of(kind, params)
        _HOMES[key] = Home(game, Numbers(game))
    return _HOMES[key]


class SpielGame(pyspiel.Game):
    """A game of Gonfalon with its options chosen. `kind` is set by `register`.

    Raises pyspiel.SpielError for bad parameters.
    """

    kind: type[Game]

    def __init__(self, params: Options | None = None) -> None:
        try:
            home = home_of(self.kind, params or {})
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
        super().__init__(game_type(self.kind, game.seats), info, params or {})
        self.home.text = str(self)

    @property
    def game(self) -> Game:
        """The game of Gonfalon behind it."""
        return self.home.game

    def new_initial_state(self, start: str | Mapping[str, object] | None = None) -> SpielState:
        """The first position, or the one that `SpielState.to_dict` or `to_json` wrote down."""
        state = SpielState(self)
        if start is not None:
            state.go_to(start)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """No game exceeds its bound, whoever decides."""
        return self.home.game.bound

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Options | None = None
    ) -> Observer:
        """An observer; see `Observer`."""
        return Observer(self.home, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def register() -> list[str]:
    """Register every installed game that can decide chance card by card; their names. Games that are
    registered already are left alone."""
    known = set(pyspiel.registered_names())
    names = []
    for name in games.names():
        kind = games.kind(name)
        if any(option.name == parameters.EXACT for option in kind.options_spec):
            names.append(PREFIX + name)
            if PREFIX + name not in known:
                add(kind)
    return names


def add(kind: type[Game]) -> None:
    """Register one game."""
    made = type(f"Spiel{kind.__name__}", (SpielGame,), {"kind": kind, "__doc__": kind.__doc__})
    pyspiel.register_game(game_type(kind, max(kind.seat_counts)), made)


def load(game: Game) -> pyspiel.Game:
    """OpenSpiel's form of a game of Gonfalon, with its options; its chance is made exact. Raises
    OptionError for a game that has no exact chance."""
    kind = type(game)
    if not any(option.name == parameters.EXACT for option in kind.options_spec):
        raise OptionError(f"{kind.title} cannot decide chance card by card, and OpenSpiel needs that.")
    if PREFIX + kind.name not in pyspiel.registered_names():
        add(kind)
    given = parameters.parameters(game)
    text = ",".join(f"{name}={value}" for name, value in sorted(given.items()))
    return pyspiel.load_game(f"{PREFIX}{kind.name}({text})" if text else PREFIX + kind.name)


__all__ = ["SpielGame", "add", "game_type", "load", "register"]
