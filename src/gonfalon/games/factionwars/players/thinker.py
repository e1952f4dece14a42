"""The levels that try rounds out: Strong and Expert."""

from __future__ import annotations

from math import sqrt
from typing import Final

from gonfalon.bots.bot import Bot
from gonfalon.bots.budget import Budget, Clock
from gonfalon.bots.choice import Belief, Choice
from gonfalon.core.cards import KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.games.factionwars.actions import TAKE
from gonfalon.games.factionwars.game import FactionWars
from gonfalon.games.factionwars.heuristic import THOUGHTS, hopes, spread
from gonfalon.games.factionwars.players import telling
from gonfalon.games.factionwars.players.fast_round import Field, Matrix, Trial, first_sight, logit, solve
from gonfalon.games.factionwars.players.fast_value import BERSERKERS, BONUS, STRENGTH, Valuer
from gonfalon.games.factionwars.players.goals import Guess, Pool
from gonfalon.games.factionwars.players.ideas import EXTRA, WEIGHTS, Ideas
from gonfalon.games.factionwars.state import FactionState
from gonfalon.games.factionwars.worth import Appraisal

SOLVED: Final = 400
"""Steps of regret matching: a matrix of three by three is solved to a thousandth."""
SETTLE: Final = 4
"""Sweeps between two changes of what the others are thought to do."""
GAIN: Final = 0.01
"""A better chance that is worth a counterfactual."""


class Question:
    """A decision being thought about."""

    def __init__(self, view: FactionState, trial: Trial, pool: Pool, clock: Clock, rng: Rng) -> None:
        self.view = view
        self.me = view.viewer
        self.cards = [card & KIND for card in view.lineup]
        self.trial = trial
        self.pool = pool
        self.clock = clock
        self.rng = rng


class Thinker(Bot):
    """Tries rounds out in worlds dealt from its view. What it could do it tries in the same worlds against
    the same picks of the others, and asks after each round how likely it wins from there."""

    def __init__(self, name: str, game: FactionWars, ideas: Ideas) -> None:
        super().__init__(name, game)
        self.table = game
        self.ideas = ideas
        self.budget = Budget(iterations=ideas.iterations)
        self.extra: list[float] = [EXTRA.get(entry.get("ability", ""), 0.0) for entry in game.entries]
        weights = WEIGHTS[game.seats][:]
        for promise in (STRENGTH, BERSERKERS, BONUS):
            weights[promise] *= ideas.ahead
        self.valuer = Valuer(game.setup, weights)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        clock = Clock(budget)
        guess = Guess(self.table, view, self.ideas.infers)
        pool = Pool(self.sampler(view).sample, guess, rng, self.ideas.worlds)
        trial = Trial(self.table.setup, self.valuer, self.extra, view)
        asked = Question(view, trial, pool, clock, rng)
        if view.stack[-1].prompt != "select":
            return self.aside(asked, legal)
        if view.seats == 2:
            return self.duel(asked)
        return self.field(asked)

    # ---- picks ----------------------------------------------------------------------------------

    def duel(self, asked: Question) -> Choice:
        """Two seats: the matrix of all pairs of picks, solved, and the own pick mixed accordingly. The other
        is counted on to some part to do what is expected of him."""
        me, rng, places = asked.me, asked.rng, len(asked.cards)
        matrix = Matrix(asked.trial, me, places)
        done = 0
        while not done or not asked.clock.over(done):
            matrix.sweep(asked.pool.world(matrix.count), rng)
            done += places * places
        payoffs = matrix.payoffs()
        expected = self.sight(asked)
        mine, theirs = self.mixed(asked.view, payoffs, expected[me], expected[1 - me])
        kept = [chance if chance >= min(self.ideas.rare, max(mine)) else 0.0 for chance in mine]
        policy = [chance / sum(kept) for chance in kept]
        values = [sum(q * value for q, value in zip(theirs, row, strict=True)) for row in payoffs]
        pick = drawn(policy, rng)
        order = sorted(range(places), key=lambda place: (place != pick, -values[place], place))
        count = matrix.count
        told = []
        for place in order:
            noise = sum(theirs[j] ** 2 * matrix.variance(place, j) for j in range(places))
            told.append(telling.around(values[place], sqrt(noise / count), count))
        policies = [mine, theirs] if me == 0 else [theirs, mine]
        return Choice(
            TAKE + pick,
            telling.reason(self.table, asked.trial, me, asked.cards[pick], [p[pick] for p in policies], policy[pick]),
            told[0],
            tuple((TAKE + place, chance) for place, chance in enumerate(policy)),
            telling.others([TAKE + place for place in order], told, count),
            self.beliefs(asked, policies),
            self.if_sure(asked, payoffs, theirs, pick),
            done,
            len(asked.pool.dealt),
        )

    def mixed(
        self, view: FactionState, payoffs: list[list[float]], mine: list[float], theirs: list[float]
    ) -> tuple[list[float], list[float]]:
        """How to mix one's picks, and what the other is thought to do, from what was tried and from first sights."""
        trust = self.ideas.trust
        leaning: list[list[float]] = []
        for row in payoffs:
            mean = sum(chance * value for chance, value in zip(theirs, row, strict=True))
            leaning.append([trust * mean + (1.0 - trust) * value for value in row])
        mine, best = solve(leaning, SOLVED)
        return mine, [trust * a + (1.0 - trust) * b for a, b in zip(theirs, best, strict=True)]

    def if_sure(self, asked: Question, payoffs: list[list[float]], theirs: list[float], pick: int) -> str:
        """The likeliest pick of the other against which another one of mine would be better."""
        for other in sorted(range(len(theirs)), key=lambda place: (-theirs[place], place)):
            column = [row[other] for row in payoffs]
            best = max(range(len(column)), key=lambda place: (column[place], -place))
            if column[best] > column[pick] + GAIN:
                sure, rather = self.card(asked, other), self.card(asked, best)
                return f"If the other were sure to take {sure}, I would rather take {rather}."
        return ""

    def field(self, asked: Question) -> Choice:
        """Each pick against the same picks of the others: in part those that they would make at first sight,
        else what they come to when everybody learns."""
        rng, places = asked.rng, len(asked.cards)
        ideas = self.ideas
        field = Field(asked.trial, asked.me, self.sight(asked), ideas.trust, ideas.heat)
        done = number = 0
        while not done or not asked.clock.over(done):
            for _ in range(places):
                field.learn(asked.pool.world(field.learnt), rng)
            if number % SETTLE == SETTLE - 1:
                field.settle(max(0.15, 2.0 / (2 + number // SETTLE)))
            # What was learnt later counts for more.
            field.sweep(asked.pool.world(number), rng, 1.0 + number)
            number += 1
            done += 2 * places
        whole = field.weight
        values = [total / whole for total in field.totals]
        order = sorted(range(places), key=lambda place: (-values[place], place))
        pick = order[0]
        told = [telling.estimate(values[place], field.squares[place] / whole, field.count) for place in order]
        there = [policy[pick] if seat != asked.me else 0.0 for seat, policy in enumerate(field.policies)]
        return Choice(
            TAKE + pick,
            telling.reason(self.table, asked.trial, asked.me, asked.cards[pick], there, 1.0),
            told[0],
            ((TAKE + pick, 1.0),),
            telling.others([TAKE + place for place in order], told, field.count),
            self.beliefs(asked, field.policies),
            self.if_fought(asked, field, values, pick),
            done,
            len(asked.pool.dealt),
        )

    def if_fought(self, asked: Question, field: Field, values: list[float], pick: int) -> str:
        """What it would do if it were sure of a fight."""
        if not field.fights[pick]:
            return ""
        value = field.fought[pick] / field.fights[pick]
        rest = [place for place in range(len(values)) if asked.cards[place] != asked.cards[pick]]
        best = max(rest, key=lambda place: (values[place], -place), default=pick)
        if values[best] <= value + GAIN:
            return ""
        mine, rather = self.card(asked, pick), self.card(asked, best)
        return f"If somebody else were sure to come for {mine}, I would rather take {rather}."

    def sight(self, asked: Question) -> list[list[float]]:
        """How likely everybody goes where at first sight, by the rule of thumb if the level knows that."""
        if not self.ideas.sharp:
            return first_sight(asked.trial, asked.cards, self.ideas.heat)
        look = Appraisal(self.table, asked.view)
        seats = range(asked.view.seats)
        worths = [[look.worth(seat, kind) for kind in asked.cards] for seat in seats]
        beats = [[look.beats(seat, other) if seat != other else 0.5 for other in seats] for seat in seats]
        went = [[1.0 / len(asked.cards)] * len(asked.cards) for _ in seats]
        for _ in range(THOUGHTS):
            went = [spread(hopes(seat, worths[seat], went, beats)) for seat in seats]
        return [logit(hopes(seat, worths[seat], went, beats), self.ideas.sharp) for seat in seats]

    def beliefs(self, asked: Question, policies: list[list[float]]) -> tuple[Belief, ...]:
        """Where the others go, and what their goals are."""
        told = telling.picks(self.table, asked.me, asked.cards, policies)
        if self.ideas.infers:
            told += asked.pool.guess.beliefs(asked.view)
        return tuple(told)

    def card(self, asked: Question, place: int) -> str:
        """A card of the line-up, by its name."""
        return f"the {self.table.entries[asked.cards[place]]['name']}"

    # ---- what abilities ask -----------------------------------------------------------------------

    def aside(self, asked: Question, legal: list[Action]) -> Choice:
        """An answer in the middle of a round: each in the same worlds, to the round's end."""
        me, rng, trial = asked.me, asked.rng, asked.trial
        totals = [0.0] * len(legal)
        squares = [0.0] * len(legal)
        done = count = 0
        while not done or not asked.clock.over(done):
            world = asked.pool.world(count)
            for i, action in enumerate(legal):
                value = trial.chosen(world, me, action, rng)[me]
                totals[i] += value
                squares[i] += value * value
            count += 1
            done += len(legal)
        order = sorted(range(len(legal)), key=lambda i: (-totals[i], i))
        told = [telling.estimate(totals[i] / count, squares[i] / count, count) for i in order]
        action = legal[order[0]]
        return Choice(
            action,
            telling.answer(self.table, asked.view.stack[-1].prompt, action),
            told[0],
            ((action, 1.0),),
            telling.others([legal[i] for i in order], told, count),
            tuple(asked.pool.guess.beliefs(asked.view) if self.ideas.infers else ()),
            iterations=done,
            worlds=len(asked.pool.dealt),
        )


def drawn(policy: list[float], rng: Rng) -> int:
    """A place by a policy."""
    mark = rng.random()
    for place, chance in enumerate(policy):
        mark -= chance
        if mark < 0.0:
            return place
    return max(range(len(policy)), key=lambda place: policy[place])
