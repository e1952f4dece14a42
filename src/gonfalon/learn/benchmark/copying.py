"""How an exploiter begins where no network has learnt the game: as a copy of the player, from games that it watches."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from gonfalon.bots import Bot
from gonfalon.bots.batch import Batch
from gonfalon.bots.network import Array
from gonfalon.bots.network_input import NetworkInput
from gonfalon.core.game import Game
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.learn.ppo import Training

PASSES: Final = 12
PART: Final = 256
RATE: Final = 1e-3
CURIOUS: Final = 0.2
"""So much of the likelihood is shared out among all actions: who is sure of everything tries nothing else."""


class Watched(NamedTuple):
    """Decisions of a player: the positions, which action it took in each, and what its seat got in the end."""

    batch: Batch
    picks: Array
    results: Array


def watch(sense: NetworkInput, setups: list[Game], players: list[Bot], decisions: int, seed: int) -> Watched:
    """So many decisions at least, from whole games of a player against itself."""
    rng = Rng(seed)
    parts: list[Batch] = []
    picks: list[int] = []
    results: list[float] = []
    while len(picks) < decisions:
        number = len(parts) % len(setups)
        game, player = setups[number], players[number]
        state = game.start(log=True)
        positions = []
        while not state.over:
            seat = state.turn
            if seat == CHANCE:
                state.apply(seat, state.chance(rng))
                continue
            actions = state.actions
            chosen = actions[0] if len(actions) == 1 else player.choose(state.mask(seat), None, rng).action
            if len(actions) > 1:
                positions.append(state.clone())
                picks.append(actions.index(chosen))
            state.apply(seat, chosen)
        returns = state.returns()
        results += [returns[position.turn] for position in positions]
        parts.append(Batch.of(sense, positions))
    return Watched(Batch.joined(parts), np.array(picks), np.array(results, dtype=np.float32))


def imitate(training: Training, watched: Watched) -> None:
    """Teach a network to do what was watched, and to expect what came of it."""
    count = len(watched.picks)
    with training.reading(watched.batch) as (narrow, scales):
        for _ in range(PASSES):
            mixed = training.dice.permutation(count)
            for first in range(0, count, PART):
                some = mixed[first : first + PART]
                batch = narrow.some(some)
                full = batch.rows * scales
                training.learn_value(full, watched.results[some], RATE)
                owner = batch.owner()
                said = training.policy.forward(np.ascontiguousarray(full[:, : len(training.known)]))
                by_odds = np.exp(batch.logp(said, owner))
                by_odds -= (CURIOUS / np.diff(batch.starts))[owner]
                by_odds[batch.starts[:-1] + watched.picks[some]] -= 1.0 - CURIOUS
                slope = np.zeros_like(said)
                np.add.at(slope, (owner, batch.answers), by_odds / len(some))
                training.policy.backward(slope, RATE)
    training.decisions += count
