"""OpenSpiel as an oracle for the last battles: the same game, driven by the rules, given to its best response.

Skipped where OpenSpiel is not installed; it is no dependency of ours (`pip install open-spiel`).
"""

from __future__ import annotations

from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import exploitability  # noqa: E402

from gonfalon.core.rules.state import State  # noqa: E402
from gonfalon.games.jinkei import Jinkei  # noqa: E402
from gonfalon.games.jinkei.bots.endgame import AVERAGE, Endgame, Knot  # noqa: E402
from gonfalon.games.jinkei.bots.precomputed import Tables  # noqa: E402
from gonfalon.games.jinkei.rules.actions import PLAY  # noqa: E402
from gonfalon.games.jinkei.rules.state import JinkeiState  # noqa: E402
from tests.jinkei import endgames  # noqa: E402
from tests.jinkei.endgames import endgame, positions, with_cards  # noqa: E402

pytestmark = pytest.mark.extended

TYPE = pyspiel.GameType(
    short_name="python_jinkei_endgame",
    long_name="The last battles of Jinkei",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
)


class Endings(pyspiel.Game):  # type: ignore[misc]
    """One position with all that may lie face down. A path is the two cases, then the plays."""

    def __init__(self, start: JinkeiState, solved: Endgame) -> None:
        cases = max(len(cards) for cards in solved.cards)
        info = pyspiel.GameInfo(
            num_distinct_actions=18,
            max_chance_outcomes=cases,
            num_players=2,
            min_utility=-40.0,
            max_utility=40.0,
            utility_sum=0.0,
            max_game_length=16,
        )
        super().__init__(TYPE, info, {})
        self.start = start
        self.solved = solved
        self.leader = start.turn
        self.known: dict[tuple[int, ...], tuple[State, Knot, tuple[str, str]]] = {}

    def at(self, path: tuple[int, ...]) -> tuple[State, Knot, tuple[str, str]]:
        """The position by the rules, the place in the tree, and what either side has seen so far."""
        if path not in self.known:
            if len(path) == 2:
                state: State = with_cards(self.start, self.solved, self.leader, (path[0], path[1]))
                knot, seen = self.solved.root, ("", "")
            else:
                before, above, seen = self.at(path[:-1])
                state = before.clone()
                option = above.options.index(path[-1])
                state.apply(state.turn, PLAY + path[-1])
                knot = next(kid for kid in above.kids[option] if path[0] in kid.cases[0] and path[1] in kid.cases[1])
            views = [str(state.mask(self.leader if side == 0 else 1 - self.leader).dump()[0]) for side in (0, 1)]
            self.known[path] = state, knot, (seen[0] + views[0], seen[1] + views[1])
        return self.known[path]

    def new_initial_state(self) -> Ending:
        return Ending(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer()


class Observer:
    """What a player has seen, as text only."""

    tensor: Any = None

    def set_from(self, state: Ending, player: int) -> None:
        pass

    def string_from(self, state: Ending, player: int) -> str:
        return state.seen(player)


class Ending(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: Endings) -> None:
        super().__init__(game)
        self.path: list[int] = []

    def place(self) -> tuple[State, Knot, tuple[str, str]]:
        return GAME[0].at(tuple(self.path))

    def seen(self, player: int) -> str:
        return f"{player}: {self.place()[2][player]}" if len(self.path) > 1 else f"{player}"

    def current_player(self) -> int:
        if len(self.path) < 2:
            return int(pyspiel.PlayerId.CHANCE)
        state, knot, _ = self.place()
        if not knot.options:
            return int(pyspiel.PlayerId.TERMINAL)
        side = 0 if state.turn == GAME[0].leader else 1
        assert side == knot.actor
        return side

    def _legal_actions(self, player: int) -> list[int]:
        state, knot, _ = self.place()
        legal = [action - PLAY for action in state.actions]
        # A Wild answer in another colour than the one led is never better, and is left out of the tree.
        assert set(knot.options) <= set(legal)
        return sorted(knot.options)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(GAME[0].solved.chances[len(self.path)]))

    def _apply_action(self, action: int) -> None:
        self.path.append(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return len(self.path) > 1 and not self.place()[1].options

    def returns(self) -> list[float]:
        value = self.place()[1].value if self.is_terminal() else 0.0
        return [value, -value]

    def __str__(self) -> str:
        return str(self.path)


GAME: list[Endings] = []
"""The one game that is looked at: OpenSpiel copies states deeply, so they must not hold it."""


class Average(policies.Policy):  # type: ignore[misc]
    """The average strategies of the tree."""

    def __init__(self, game: Endings) -> None:
        super().__init__(game, [0, 1])
        self.solved = game.solved

    def action_probabilities(self, state: Ending, player_id: int | None = None) -> dict[int, float]:
        knot = state.place()[1]
        shares = self.solved.strategy(knot, AVERAGE)
        case = knot.cases[knot.actor].index(state.path[knot.actor])
        return {option: share[case] for option, share in zip(knot.options, shares, strict=True)}


@pytest.mark.parametrize(("seed", "passes"), [(5, 1), (6, 5), (7, 40)])
def test_openspiel_finds_the_same_exploitability(seed: int, passes: int) -> None:
    game = Jinkei(memory="open")
    start = next(positions(game, 4, seed))
    solved = endgame(Tables(game), start)
    for _ in range(passes):
        solved.learn()
    endings = Endings(start, solved)
    GAME[:] = [endings]
    found = exploitability.nash_conv(endings, Average(endings), use_cpp_br=False) / 2
    assert found == pytest.approx(endgames.exploitability(solved), abs=1e-6)
    if passes == 40:
        assert found < 0.05
