"""The levels that try rounds out: Club, Strong and Expert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget, Clock
from gonfalon.bots.choice import Alternative, Choice, Estimate
from gonfalon.core.rng import Rng
from gonfalon.core.cards import KIND
from gonfalon.core.state import Action, State
from gonfalon.games.factionwars.game import FactionWars
from gonfalon.games.factionwars.heuristic import THOUGHTS, hopes, spread
from gonfalon.games.factionwars.players.fast_round import Field, Matrix, Trial, logit, solve
from gonfalon.games.factionwars.players.fast_value import Valuer
from gonfalon.games.factionwars.players.ideas import EXTRA, WEIGHTS, Ideas
from gonfalon.games.factionwars.state import FactionState
from gonfalon.games.factionwars.worth import Appraisal

Z: Final = 1.959964  # of a 95 % interval
SOLVED: Final = 400
"""Steps of regret matching: a matrix of three by three is solved to a thousandth."""


class Pool:
    """The worlds of a decision, dealt as they are asked for."""

    def __init__(self, sample: Callable[[Rng], State], rng: Rng, most: int) -> None:
        self.sample = sample
        self.rng = rng
        self.most = most
        self.dealt: list[FactionState] = []

    def world(self, number: int) -> FactionState:
        """The world for a trial."""
        if number >= len(self.dealt) and len(self.dealt) < self.most:
            found = self.sample(self.rng)
            assert isinstance(found, FactionState)
            found.log = None
            self.dealt.append(found)
        return self.dealt[number % len(self.dealt)]


class Thinker(Bot):
    """Tries rounds out in worlds dealt from its view."""

    def __init__(self, name: str, game: FactionWars, ideas: Ideas) -> None:
        super().__init__(name, game)
        self.ideas = ideas
        self.budget = Budget(iterations=ideas.iterations)
        self.setup = game.setup
        self.extra: list[float] = [EXTRA.get(entry.get("ability", ""), 0.0) for entry in game.entries]
        self.valuer = Valuer(game.setup, WEIGHTS.get(game.seats, WEIGHTS[2]))

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        clock = Clock(budget)
        trial = Trial(self.setup, self.valuer, self.extra, view)
        pool = Pool(self.sampler(view).sample, rng, self.ideas.worlds)
        if view.stack[-1].prompt != "select":
            return self.aside(view, legal, trial, clock, pool, rng)
        if view.seats == 2 and self.ideas.learns and self.ideas.duels:
            return self.duel(view, trial, clock, pool, rng)
        return self.field(view, trial, clock, pool, rng)

    # ---- picks ----------------------------------------------------------------------------------

    def duel(self, view: FactionState, trial: Trial, clock: Clock, pool: Pool, rng: Rng) -> Choice:
        """Two seats: the matrix of all pairs of picks, solved; so its own pick is mixed."""
        me = view.viewer
        places = len(view.lineup)
        matrix = Matrix(trial, me, places)
        done = 0
        while not done or not clock.over(done):
            matrix.sweep(pool.world(matrix.count), rng)
            done += places * places
        payoffs = matrix.payoffs()
        expected = self.guess(view)[1 - me] if self.ideas.knows else self.expected(trial, view, payoffs)
        trust = self.ideas.trust
        leaning = []
        for row in payoffs:
            mean = sum(chance * value for chance, value in zip(expected, row, strict=True))
            leaning.append([trust * mean + (1.0 - trust) * value for value in row])
        mine, theirs = solve(leaning, SOLVED)
        theirs = [trust * a + (1.0 - trust) * b for a, b in zip(expected, theirs, strict=True)]
        kept = [chance if chance >= self.ideas.rare else 0.0 for chance in mine]
        total = sum(kept)
        policy = [chance / total for chance in kept]
        mark = rng.random()
        pick = max(range(places), key=lambda place: policy[place])
        for place in range(places):
            mark -= policy[place]
            if mark < 0.0:
                pick = place
                break
        values = [sum(q * v for q, v in zip(theirs, row, strict=True)) for row in payoffs]
        order = sorted(range(places), key=lambda place: (place != pick, -values[place]))
        return Choice(
            pick,
            f"It did best in {done} rounds that I tried out.",
            estimate(values[pick], 0.0, matrix.count),
            tuple(enumerate(policy)),
            tuple(Alternative(place, estimate(values[place], 0.0, matrix.count), 1 / places) for place in order[1:]),
            iterations=done,
            worlds=min(matrix.count, self.ideas.worlds),
        )

    def guess(self, view: FactionState) -> list[list[float]]:
        """What everybody does by the rule of thumb."""
        look = Appraisal(self.game, view)
        seats = range(view.seats)
        cards = [card & KIND for card in view.lineup]
        worths = [[look.worth(seat, kind) for kind in cards] for seat in seats]
        beats = [[look.beats(seat, other) if seat != other else 0.5 for other in seats] for seat in seats]
        went = [[1.0 / len(cards)] * len(cards) for _ in seats]
        for _ in range(THOUGHTS):
            went = [spread(hopes(seat, worths[seat], went, beats)) for seat in seats]
        return [logit(hopes(seat, worths[seat], went, beats), self.ideas.sharp) for seat in seats]

    def expected(self, trial: Trial, view: FactionState, payoffs: list[list[float]]) -> list[float]:
        """What the other may do who thinks that I think one step less."""
        places = len(payoffs)
        me = view.viewer
        heat = self.ideas.heat * trial.slope(me)
        mine = [1.0 / places] * places
        theirs = mine
        for _ in range(3):
            theirs = logit([-sum(mine[i] * payoffs[i][j] for i in range(places)) for j in range(places)], heat)
            mine = logit([sum(theirs[j] * payoffs[i][j] for j in range(places)) for i in range(places)], heat)
        return theirs

    def field(self, view: FactionState, trial: Trial, clock: Clock, pool: Pool, rng: Rng) -> Choice:
        """More seats: each pick against what the others are thought to do."""
        cards = [card & KIND for card in view.lineup]
        places = len(cards)
        field = Field(trial, view.viewer, cards, self.ideas.heat)
        if self.ideas.knows:
            field.first = self.guess(view)
            field.policies = [policy[:] for policy in field.first]
        done = 0
        number = 0
        while not done or not clock.over(done):
            if self.ideas.learns:
                for _ in range(places):
                    field.learn(pool.world(number + field.learnt), rng)
                done += places
                if number % 4 == 3:
                    field.settle(max(0.15, 2.0 / (2 + number // 4)))
            field.sweep(pool.world(number), rng, 1.0 + number)
            number += 1
            done += places
        values = [total / field.weight for total in field.totals]
        order = sorted(range(places), key=lambda place: -values[place])
        pick = order[0]
        return Choice(
            pick,
            f"It did best in {done} rounds that I tried out.",
            estimate(values[pick], 0.0, field.count),
            ((pick, 1.0),),
            tuple(Alternative(place, estimate(values[place], 0.0, field.count), 1 / places) for place in order[1:]),
            iterations=done,
            worlds=min(number, self.ideas.worlds),
        )

    # ---- small decisions ------------------------------------------------------------------------

    def aside(
        self, view: FactionState, legal: list[Action], trial: Trial, clock: Clock, pool: Pool, rng: Rng
    ) -> Choice:
        """What an ability asks in the middle of a round: every answer in the same worlds, to the round's
        end."""
        me = view.viewer
        totals = [0.0] * len(legal)
        done = count = 0
        while not done or not clock.over(done):
            world = pool.world(count)
            for i, action in enumerate(legal):
                totals[i] += trial.chosen(world, me, action, rng)[me]
            count += 1
            done += len(legal)
        values = [total / count for total in totals]
        order = sorted(range(len(legal)), key=lambda i: -values[i])
        best = order[0]
        return Choice(
            legal[best],
            f"It did best in {done} ways that the round could go on.",
            estimate(values[best], 0.0, count),
            iterations=done,
        )


def estimate(mean: float, error: float, visits: int) -> Estimate:
    """A mean of so many chances to win with its interval, which few visits leave wide."""
    half = Z * max(error, 0.5 / (visits + 1))
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))
