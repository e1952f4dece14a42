"""A player that has learnt: Expert's rounds, with a network for first sights and for what they have come to."""

from __future__ import annotations

from math import exp, log
from typing import Final

from gonfalon.bots.networks.network import Net, RowValue
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.bots.network_input import FactionNetworkInput, NetValuer
from gonfalon.games.factionwars.bots.search_levels import Question, TrialBot
from gonfalon.games.factionwars.bots.settings import EXPERT
from gonfalon.games.factionwars.rules.state import FactionState

TRUST: Final = 0.03
"""How much more chance to win outweighs a policy e times as sure."""
WORLDS: Final = 16
"""In how many worlds the other's policy is asked: it knows its goal there."""


class Learner(TrialBot):
    """For two seats. One's own first sight is the network's policy, which is moved to what has proved
    better when it was tried out. In the last round the rules say what a pick comes to, and that is enough."""

    learns = True

    def __init__(self, name: str, game: Game, net: Net, encoder: FactionNetworkInput) -> None:
        super().__init__(name, game, EXPERT)
        self.net = net
        self.encoder = encoder
        self.judge = RowValue(net, encoder)
        self.valuer = NetValuer(self.table.setup, self.valuer.weights, encoder, self.judge)

    def mixed(
        self, view: FactionState, payoffs: list[list[float]], mine: list[float], theirs: list[float]
    ) -> list[float]:
        if view.last >= 0:
            return super().mixed(view, payoffs, mine, theirs)
        values = [sum(chance * value for chance, value in zip(theirs, row, strict=True)) for row in payoffs]
        best = max(values)
        moved = [chance * exp((value - best) / TRUST) for chance, value in zip(mine, values, strict=True)]
        return [chance / sum(moved) for chance in moved]

    def sight(self, asked: Question) -> list[list[float]]:
        """How likely both go where, by the policy."""
        if asked.view.last >= 0:
            return super().sight(asked)
        worlds = [asked.pool.world(number) for number in range(WORLDS)]
        return [self.policy([asked.view] if seat == asked.me else worlds, seat) for seat in range(2)]

    def policy(self, states: list[FactionState], seat: Seat) -> list[float]:
        """The mean policy of a seat at its pick in some worlds."""
        np = self.judge.np
        encoder = self.encoder
        rows = []
        priors = []
        for s in states:
            room = bytearray(encoder.size)
            encoder.write_row(s, seat, room, 0)
            rows.append(np.frombuffer(room, dtype=np.uint8)[: encoder.known])
            priors.append([log(max(0.0001, chance)) for chance in encoder.pick_chances[seat]])
        answers = [card & KIND for card in states[0].lineup]
        odds = self.net.policy(np.array(rows) * self.judge.scales[: encoder.known])[:, answers] + np.array(priors)
        likely = np.exp(odds - odds.max(axis=1, keepdims=True))
        found: list[float] = (likely / likely.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
        return found
