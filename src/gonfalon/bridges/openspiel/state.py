"""States: a thin OpenSpiel wrapper around a state of the core."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import pyspiel

from gonfalon.bridges.openspiel.observer import get_observer
from gonfalon.bridges.openspiel.position import Position
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.picture import write_table
from gonfalon.core.rules.state import CHANCE, OPEN, TOGETHER

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.game import SpielGame

TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class SpielState(pyspiel.State):
    """A state of OpenSpiel. Its only data is `position`; `position.state` is the state of the core.

    Frequent queries (the current player, the legal actions) are answered in Python, without a detour through C++.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.home.first

    # ---- the interface of every game of OpenSpiel ---------------------------------------------------

    def current_player(self) -> int:
        state = self.position.state
        return state.turn if state.stack else TERMINAL

    def is_terminal(self) -> bool:
        return not self.position.state.stack

    def is_chance_node(self) -> bool:
        return self.position.state.turn == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of the current player, or the outcomes of chance; none for other players."""
        position = self.position
        turn = position.state.turn
        if turn >= 0:
            return list(map(position.home.id_of, position.state.actions)) if player is None or player == turn else []
        if turn == CHANCE and (player is None or player == CHANCE):
            return list(map(position.home.chance_id_of, position.state.actions))
        return []

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every outcome with its probability."""
        state = self.position.state
        actions = state.actions
        home = self.position.home
        weights = state.stack[-1].weights(state)
        if not weights:
            return list(map(home.even(len(actions)), actions))
        total = sum(weights)
        return [(home.chance_ids[a], weight / total) for a, weight in zip(actions, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.shared:
            self.position = position = position.own()
        state = position.state
        turn = state.turn
        action = position.actions[action] if turn >= 0 else position.chances[action]
        position.line.append(action)
        state.apply(turn, action)

    def _action_to_string(self, player: int, action: int) -> str:
        home = self.position.home
        return home.game.notation(home.actions[action] if player >= 0 else home.chances[action])

    def returns(self) -> list[float]:
        return self.position.state.returns()

    def __str__(self) -> str:
        """Return the open table with a hash that is equal for equal positions.

        It shows all cards; `observation_string` is the view of a seat.
        """
        view = self.position.state.mask(OPEN)
        words = "\n".join(write_table(self.position.home.game, view))
        return f"{words}\n[{self.position.home.prints.of(view).hex()}]"

    # ---- tensors in Python: through C++ each number would become an object twice -------------------------

    def observation_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, False)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, True)

    def _tensor(self, player: int | None, recalls: bool) -> list[float]:
        home = self.position.home
        if player is None:
            player = self.current_player()
        if 0 <= player < home.game.seats:
            return get_observer(home, recalls).to_list(self, player)
        ask = super().information_state_tensor if recalls else super().observation_tensor
        return list(ask(player))  # OpenSpiel raises its own error.

    # ---- worlds ---------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that the player cannot distinguish from this one, dealt from its view alone.

        It has no history. Players with an earlier answer in the same simultaneous decision have answered at random.
        Memories of
        other players hold only what they see at this moment.
        """
        position = self.position
        # Two calls, because a float does not hold 64 random bits.
        rng = Rng(int(sampler() * 2**32) << 32 | int(sampler() * 2**32))
        world = worlds(position.state.mask(player)).sample(rng)
        if world.stack and world.stack[-1].seat == TOGETHER:
            # Seats that answered earlier in the same decision get a random answer, which stays hidden.
            while world.turn != player and position.state.turn == player:
                world.apply(world.turn, world.sample(rng))
        state = SpielState(self.get_game())
        twin = Position(position.home, world)
        memory = position.recall(player).copy()
        # Pending answers belong to the real position. The dealt world has answers of its own.
        memory.waiting = []
        twin.memories = twin.from_base()
        twin.memories.memories.append(memory)
        state.position = twin
        return state

    # ---- JSON -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, object]:
        """Return the position as JSON values: the record that leads to it, and the open table.

        It holds every secret.
        """
        position = self.position
        game = position.home.game
        record = Record(game)
        if position.base is position.home.first.base:
            state = game.start()
            for action in position.line:
                record.add(state.turn, action)
                state.apply(state.turn, action)
        return {"record": record.to_json(), "table": game.board(position.state.mask(OPEN))}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def go_to(self, start: str | Mapping[str, object]) -> None:
        """Play to a position saved by `to_dict`.

        Raises:
            RecordError: The record is damaged.
        """
        from gonfalon.core.files import record

        body = json.loads(start) if isinstance(start, str) else start
        home = self.position.home
        game = home.game
        for seat, action in record.load(json.dumps(body["record"]), lambda *_, **__: game).decisions:
            ids = home.chance_ids if seat == CHANCE else home.numbers.ids
            self.apply_action(ids[action])
