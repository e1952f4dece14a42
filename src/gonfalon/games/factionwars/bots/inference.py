"""The likelihoods of the others' goals, from the cards they own."""

from __future__ import annotations

from math import exp
from typing import Final

from gonfalon.bots.players.choice import Belief
from gonfalon.core.basics.cards import KIND
from gonfalon.games.factionwars.face.thoughts import name_goal
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.scoring.tally import count_kinds
from gonfalon.games.factionwars.rules.state import FactionState

EVIDENCE_PER_CARD: Final = 0.45
"""The log-odds that each of a goal's cards above an even share adds to the goal; fitted to games."""
MAX_LIKELY_GOALS: Final = 4


class Guess:
    """The likelihood of each goal for each other seat of a view.

    A seat with more of a goal's cards than chance would give it is likelier to have the goal. Armies are public.
    """

    def __init__(self, game: FactionWords, view: FactionState) -> None:
        setup = game.setup
        self.game = game
        self.me = view.viewer
        self.first = setup.first_goal
        self.weights: list[list[float]] = []
        copies = [0] * len(setup.kinds)
        for kind in setup.deck:
            copies[kind] += 1
        whole = max(1, sum(copies[: setup.recruits]))
        for seat in range(view.seats):
            army = view.count_owned(seat)
            recruits = sum(army[: setup.recruits])
            found: list[float] = []
            for goal in setup.goals:
                counted = goal.list_wanted(setup)
                share = count_kinds(copies, counted) / whole
                more = count_kinds(army, counted) - share * recruits if counted else 0.0
                found.append(exp(EVIDENCE_PER_CARD * more))
            self.weights.append(found)

    def weigh_world(self, world: FactionState) -> float:
        """Return the likelihood of the others' armies given the goals of a world."""
        found = 1.0
        for seat in range(world.seats):
            if seat != self.me and world.goal[seat]:
                found *= self.weights[seat][(world.goal[seat][0] & KIND) - self.first]
        return found

    def list_beliefs(self, view: FactionState, most: int | None = MAX_LIKELY_GOALS) -> list[Belief]:
        """Return the likeliest goals of the others, at most `most` for each, or all."""
        if not self.game.setup.goals:
            return []
        mine = view.goal[self.me][0] & KIND
        told: list[Belief] = []
        for seat, name in enumerate(self.game.seat_names()):
            if seat == self.me:
                continue
            left = [(i, w) for i, w in enumerate(self.weights[seat]) if self.first + i != mine]
            total = sum(weight for _, weight in left)
            left.sort(key=lambda entry: (-entry[1], entry[0]))
            likely = [(self.game.kind_name(self.first + i), w / total) for i, w in left[:most]]
            told.append(Belief(name_goal(name), tuple(likely)))
        return told
