"""The duel of duel.py as a Python game of OpenSpiel, written like OpenSpiel's own Python games.

One chance node shuffles both decks (sampled, like Gonfalon's seed), so that the work is the same.
"""

from __future__ import annotations

from random import Random  # noqa: TID251 (as a game of OpenSpiel would)
from typing import Any, Final

import numpy as np
import pyspiel

STRENGTHS: Final = 5
COPIES: Final = 4
HAND: Final = 5
DRAWING_KIND: Final = 1  # the kind, of strength 2, that draws an extra card
DECISIONS: Final = 2 * STRENGTHS * COPIES
DECK: Final = [kind for kind in range(STRENGTHS) for _ in range(COPIES)]

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_gonfalon_duel",
    long_name="Duel",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=STRENGTHS,
    max_chance_outcomes=1,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=DECISIONS,
)


class DuelGame(pyspiel.Game):  # type: ignore[misc]
    """The game, which makes its states."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})
        self.rng = Random(1)

    def new_initial_state(self) -> DuelState:
        return DuelState(self)


class DuelState(pyspiel.State):  # type: ignore[misc]
    """A state of the duel."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.rng = game.rng
        self.decks = [DECK[:], DECK[:]]
        self.hands: list[list[int]] = [[], []]
        self.score = [0, 0]
        self.chosen = -1
        self.dealt = False
        self.over = False

    def current_player(self) -> int:
        if self.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return 0 if self.chosen < 0 else 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(set(self.hands[player]))

    def _apply_action(self, action: int) -> None:
        if not self.dealt:
            for deck in self.decks:
                self.rng.shuffle(deck)
            self.deal()
        elif self.chosen < 0:
            self.chosen = action
        else:
            first, self.chosen = self.chosen, -1
            self.resolve(first, action)

    def deal(self) -> None:
        self.dealt = True
        for player in (0, 1):
            for _ in range(HAND):
                self.draw(player)

    def draw(self, player: int) -> None:
        if self.decks[player]:
            self.hands[player].append(self.decks[player].pop())

    def resolve(self, first: int, second: int) -> None:
        if first != second:
            self.score[0 if first > second else 1] += 1
        for player, kind in ((0, first), (1, second)):
            self.hands[player].remove(kind)
            if kind == DRAWING_KIND:
                self.draw(player)
            self.draw(player)
        self.over = not self.hands[0]

    def _action_to_string(self, player: int, action: int) -> str:
        return "shuffle" if player == pyspiel.PlayerId.CHANCE else f"play {action + 1}"

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> Any:
        a, b = self.score
        if not self.over or a == b:
            return np.array([0.0, 0.0])
        return np.array([1.0, -1.0] if a > b else [-1.0, 1.0])

    def __str__(self) -> str:
        return f"{self.hands} {self.score} {self.chosen}"


pyspiel.register_game(GAME_TYPE, DuelGame)


def replay_duels(games: list[list[Any]]) -> list[list[float]]:
    """Return the results of games of duel.py, each given by its shuffled decks and all decisions in turn."""
    found = []
    for decks, actions in games:
        state = DuelGame().new_initial_state()
        state.decks = [deck[:] for deck in decks]
        state.deal()
        for action in actions:
            if action not in state.legal_actions():
                raise ValueError(f"{action} is not legal here")
            state.apply_action(action)
        if not state.is_terminal():
            raise ValueError("the game is not over here")
        found.append([float(value) for value in state.returns()])
    return found
