"""The levels that try rounds out: Strong and Expert."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.bots.players.bot import ThinkingBot
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.bots.players.choice import Alternative, Basis, Belief, Choice, Estimate, Reason
from gonfalon.bots.search.trials import Tally
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.games.factionwars.bots import estimates
from gonfalon.games.factionwars.bots.inference import Guess, Pool
from gonfalon.games.factionwars.bots.opponents import People
from gonfalon.games.factionwars.bots.position_value import BERSERKERS, BONUS, STRENGTH, Valuer
from gonfalon.games.factionwars.bots.settings import WEIGHTS, Settings
from gonfalon.games.factionwars.bots.trial_round import Field, Matrix, Trial, first_sight, logit, solve
from gonfalon.games.factionwars.face import thoughts
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import TAKE
from gonfalon.games.factionwars.rules.state import FactionState

SOLVED: Final = 400
"""Steps of regret matching: a matrix of three by three is solved to a thousandth."""
SURE: Final = 0.9
"""What is picked so often is not picked by lot."""
GAIN: Final = 0.01
"""A better chance that is worth a counterfactual."""


class Question:
    """A decision being thought about."""

    def __init__(
        self, game: FactionWords, view: FactionState, trial: Trial, pool: Pool, clock: Clock, rng: Rng
    ) -> None:
        self.game = game
        self.view = view
        self.me = view.viewer
        self.cards = [card & KIND for card in view.lineup]
        self.trial = trial
        self.pool = pool
        self.clock = clock
        self.rng = rng
        self.expected: People | None = None

    def people(self) -> People:
        """What is to be expected of the others, when all are to pick; worked out once."""
        if self.expected is None:
            self.expected = People(self.game, self.view, self.cards)
        return self.expected


class TrialBot(ThinkingBot):
    """Tries rounds out in worlds dealt from its view. What it could do it tries in the same worlds against
    the same picks of the others, and asks after each round how likely it wins from there."""

    learns: ClassVar[bool] = False
    """Whether its first sights were learnt."""

    def __init__(self, name: str, game: Game, settings: Settings) -> None:
        super().__init__(name, game)
        assert isinstance(game, FactionWords)
        self.table: FactionWords = game
        self.settings = settings
        self.budget = Budget(iterations=settings.iterations)
        weights = WEIGHTS[game.seats][:]
        for promise in (STRENGTH, BERSERKERS, BONUS):
            weights[promise] *= settings.ahead
        self.valuer = Valuer(game.setup, weights)

    def consider(self, view: State, legal: list[Action], clock: Clock, rng: Rng) -> Choice:
        assert isinstance(view, FactionState)
        guess = Guess(self.table, view, self.settings.infers)
        pool = Pool(self.sampler(view).sample, guess, rng, self.settings.worlds)
        trial = Trial(self.table.setup, self.valuer, view)
        asked = Question(self.table, view, trial, pool, clock, rng)
        if view.stack[-1].prompt != "select":
            return self.aside(asked, legal)
        if view.seats == 2:
            return self.duel(asked)
        return self.field(asked)

    # ---- picks ----------------------------------------------------------------------------------

    def duel(self, asked: Question) -> Choice:
        """Two seats: the matrix of all pairs of picks, and the own pick mixed."""
        me, places = asked.me, len(asked.cards)
        matrix = Matrix(asked.trial, me, places)
        done = asked.clock.run(lambda: matrix.sweep(asked.pool, asked.rng))
        payoffs = matrix.payoffs()
        first = self.sight(asked)
        own = first[1 - me] if self.settings.trust else solve(payoffs, SOLVED)[1]
        theirs = asked.people().picks(1 - me, own)
        mine = self.mixed(asked.view, payoffs, first[me], theirs)
        kept = [chance if chance >= min(self.settings.rare, max(mine)) else 0.0 for chance in mine]
        policy = [chance / sum(kept) for chance in kept]
        values = [sum(q * value for q, value in zip(theirs, row, strict=True)) for row in payoffs]
        pick = drawn(policy, asked.rng)
        told: list[Estimate] = []
        for place in range(places):
            noise = sum(theirs[j] ** 2 * matrix.cells[place][j].variance() for j in range(places))
            told.append(estimates.around(values[place], noise, matrix.count))
        actions = [TAKE + place for place in range(places)]
        others = estimates.others(actions, told, matrix.count, TAKE + pick)
        forecast = [theirs if seat != me else policy for seat in range(2)]
        return Choice(
            TAKE + pick,
            value=told[pick],
            policy=tuple(zip(actions, policy, strict=True)),
            alternatives=others,
            beliefs=self.beliefs(asked, forecast),
            otherwise=self.if_sure(asked, payoffs, theirs, pick),
            iterations=done,
            worlds=len(asked.pool.worlds),
            reason=self.reason(asked, forecast, pick, told[pick], others, first[me], [min(row) for row in payoffs]),
        )

    def reason(
        self,
        asked: Question,
        forecast: list[list[float]],
        pick: int,
        value: Estimate,
        others: tuple[Alternative, ...],
        first: list[float] | None = None,
        foreseen: list[float] | None = None,
    ) -> Reason:
        """Why a pick. `forecast` says how likely everybody goes where, oneself included. Between two there are own
        first sights, and what each pick is worth when it is foreseen."""
        facts = estimates.worth(asked.trial, asked.me, asked.cards[pick], [policy[pick] for policy in forecast])
        other = others[0] if others and others[0].value is not None else None
        action = other.action if other is not None else None
        share = forecast[asked.me][pick]
        lot = Reason(Basis.MIXED, action, (*facts, ("share", share)))
        if share < SURE:
            return lot
        if other is None or other.value is None or other.value.value <= value.value:
            return Reason(Basis.BETTER, action, facts)
        assert first is not None
        assert foreseen is not None
        rather = other.action - TAKE
        if self.learns and asked.view.last < 0:
            return Reason(Basis.LEARNT, action, (*facts, ("share", first[pick]), ("else", first[rather])))
        safe = (("foreseen", foreseen[pick]), ("else", foreseen[rather]))
        return Reason(Basis.SAFE, action, (*facts, *safe)) if foreseen[rather] < foreseen[pick] else lot

    def mixed(
        self, view: FactionState, payoffs: list[list[float]], mine: list[float], theirs: list[float]
    ) -> list[float]:
        """How to mix one's picks: so that nothing is lost where the other foresees them, and to some part for what
        the other is expected to do. `mine` are first sights."""
        trust = self.settings.trust
        leaning: list[list[float]] = []
        for row in payoffs:
            mean = sum(chance * value for chance, value in zip(theirs, row, strict=True))
            leaning.append([trust * mean + (1.0 - trust) * value for value in row])
        return solve(leaning, SOLVED)[0]

    def if_sure(self, asked: Question, payoffs: list[list[float]], theirs: list[float], pick: int) -> str:
        """The likeliest pick of the other against which another one of mine would be better."""
        for other in sorted(range(len(theirs)), key=lambda place: (-theirs[place], place)):
            column = [row[other] for row in payoffs]
            best = max(range(len(column)), key=lambda place: (column[place], -place))
            if column[best] > column[pick] + GAIN:
                return thoughts.if_sure(self.table, asked.view, TAKE + other, TAKE + best)
        return ""

    def field(self, asked: Question) -> Choice:
        """Each pick against the same picks of the others: in part those that they would make at first sight,
        else what they come to when everybody learns."""
        places = len(asked.cards)
        settings = self.settings
        field = Field(asked.trial, asked.me, self.sight(asked), settings.trust, settings.heat)
        done = asked.clock.run(lambda: field.go_on(asked.pool, asked.rng))
        whole = field.weight
        values = [total / whole for total in field.totals]
        told = [
            estimates.around(value, square / whole - value * value, field.count)
            for value, square in zip(values, field.squares, strict=True)
        ]
        pick = min(range(places), key=lambda place: (-values[place], place))
        others = estimates.others([TAKE + place for place in range(places)], told, field.count, TAKE + pick)
        forecast = [
            asked.people().picks(seat, policy)
            if seat != asked.me
            else [float(place == pick) for place in range(places)]
            for seat, policy in enumerate(field.policies)
        ]
        return Choice(
            TAKE + pick,
            value=told[pick],
            policy=((TAKE + pick, 1.0),),
            alternatives=others,
            beliefs=self.beliefs(asked, forecast),
            otherwise=self.if_fought(asked, field, values, pick),
            iterations=done,
            worlds=len(asked.pool.worlds),
            reason=self.reason(asked, forecast, pick, told[pick], others),
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
        return thoughts.if_fought(self.table, asked.view, TAKE + pick, TAKE + best)

    def sight(self, asked: Question) -> list[list[float]]:
        """How likely everybody goes where at first sight, by the rule of thumb if the level knows that."""
        if not self.settings.sharp:
            return first_sight(asked.trial, asked.cards, self.settings.heat)
        race = asked.people().race
        went = race.went()
        return [logit(race.hopes(seat, went), self.settings.sharp) for seat in range(asked.view.seats)]

    def beliefs(self, asked: Question, policies: list[list[float]]) -> tuple[Belief, ...]:
        """Where the others go, and what their goals are."""
        told = thoughts.picks(self.table, asked.me, asked.cards, policies)
        if self.settings.infers:
            told += asked.pool.guess.beliefs(asked.view)
        return tuple(told)

    # ---- what abilities ask -----------------------------------------------------------------------

    def aside(self, asked: Question, legal: list[Action]) -> Choice:
        """An answer in the middle of a round: each in the same worlds, to the round's end."""
        tallies = [Tally() for _ in legal]

        def attempt() -> int:
            world = asked.pool.world(tallies[0].count)
            for action, tally in zip(legal, tallies, strict=True):
                tally.add(asked.trial.chosen(world, asked.me, action, asked.rng)[asked.me])
            return len(legal)

        done = asked.clock.run(attempt)
        told = [estimates.around(tally.mean(), tally.variance(), tally.count) for tally in tallies]
        best = min(range(len(legal)), key=lambda i: (-tallies[i].total, i))
        others = estimates.others(legal, told, tallies[0].count, legal[best])
        return Choice(
            legal[best],
            value=told[best],
            policy=((legal[best], 1.0),),
            alternatives=others,
            beliefs=tuple(asked.pool.guess.beliefs(asked.view) if self.settings.infers else ()),
            iterations=done,
            worlds=len(asked.pool.worlds),
            reason=Reason(Basis.BETTER, others[0].action if others[0].value is not None else None),
        )

    def words(self, view: State, choice: Choice) -> str:
        assert isinstance(view, FactionState)
        return thoughts.because(self.table, view, choice)
