"""One round tried out: everybody's picks carried out in a world, small decisions by rules of thumb, and
what the position is worth when the next round begins."""

from __future__ import annotations

from math import exp
from typing import Final

from gonfalon.bots.search.trials import Tally
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Action, Seat
from gonfalon.games.factionwars.bots.inference import Pool
from gonfalon.games.factionwars.bots.position_value import Valuer
from gonfalon.games.factionwars.bots.rule_of_thumb import hopes
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

UNKNOWN: Final = -1e9
SETTLE: Final = 4
"""Sweeps between two changes of what the others are thought to do."""


class Trial:
    """Tries out rounds from one view. Decisions on the way are made by what abilities are worth roughly."""

    def __init__(self, setup: Setup, valuer: Valuer, view: FactionState) -> None:
        self.setup: Setup = setup
        self.seats: int = setup.seats
        self.valuer: Valuer = valuer
        self.extra: list[float] = [kind.rough_worth for kind in setup.kinds]
        self.rounds: float = valuer.rounds(view)
        self.goals: list[int] = valuer.goals_of(view)
        self.draws: list[float] = valuer.draw_values(view)
        self.shown: list[int] = [card & KIND for card in view.bonus]
        self.owned: list[int] = view.owned_by_all()
        self.piles: list[list[int]] = [cards[:] for cards in view.pile]
        self.before: list[float] = self.sums(self.owned)
        self.spread: float = valuer.spread(view)
        self.worths: list[float] = [UNKNOWN] * (setup.seats * setup.owned)
        self.targets: list[list[Action]] = []
        for seat in range(self.seats):
            order = [other for other in range(self.seats) if other != seat]
            ranked: list[Action] = []
            while order:
                best = order[0]
                for other in order:
                    if self.before[other] > self.before[best]:
                        best = other
                order.remove(best)
                ranked.append(TO + best)
            self.targets.append(ranked)

    def sums(self, owned: list[int]) -> list[float]:
        """Everybody's prospects with these armies, all else as in the view."""
        valuer = self.valuer
        return valuer.sums(valuer.features(owned, self.rounds, self.draws, self.goals, self.shown))

    def worth(self, seat: Seat, kind: int) -> float:
        """What it is worth to a seat to collect a card, in points of prospects."""
        at = seat * self.setup.owned + kind
        found = self.worths[at]
        if found == UNKNOWN:
            if self.setup.faction_of[kind] >= 0:
                self.owned[at] += 1
                found = self.sums(self.owned)[seat] - self.before[seat] + self.extra[kind]
                self.owned[at] -= 1
            else:
                found = self.extra[kind]
            self.worths[at] = found
        return found

    def slope(self, seat: Seat) -> float:
        """What a point is worth to a seat, as a chance to win."""
        best = max(self.before)
        shares = [exp((value - best) / self.spread) for value in self.before]
        chance = min(0.98, max(0.02, shares[seat] / sum(shares)))
        return chance * (1.0 - chance) / self.spread

    def odds(self) -> list[float]:
        """The chance of each seat to win a battle against each other one, a tie counted by half; by
        `seat * seats + other`."""
        setup = self.setup
        width = setup.owned
        values = setup.values
        counts: list[list[int]] = []
        for seat in range(self.seats):
            found = [0] * (max(values) + 1)
            for kind in setup.conscripts:
                found[values[kind]] += 1
            for kind in range(width):
                count = self.owned[seat * width + kind]
                if count:
                    found[values[kind]] += count
            if len(self.piles[seat]) < sum(found):  # else the whole deck is shuffled first
                for card in self.piles[seat]:
                    found[values[card & KIND]] -= 1
            counts.append(found)
        chances: list[float] = []
        for seat in range(self.seats):
            for other in range(self.seats):
                won = 0
                below = 0
                for value in range(len(counts[seat])):
                    won += counts[seat][value] * (2 * below + counts[other][value])
                    below += counts[other][value]
                total = 2 * sum(counts[seat]) * below
                chances.append(won / total if total else 0.5)
        return chances

    # ---- playing on -----------------------------------------------------------------------------

    def act(self, s: FactionState) -> Action:
        """What `s.turn`, a player, does on the way."""
        seat = s.turn
        actions = s.actions
        if actions[0] < CARD:
            for action in self.targets[seat]:
                if action in actions:
                    return action
            return actions[0]
        prompt = s.stack[-1].prompt
        sign = -1.0 if prompt == "gift" or prompt == "desert" else 1.0
        best = actions[0]
        most = UNKNOWN
        for action in actions:
            value = sign * self.worth(seat, action - CARD)
            if value > most:
                most = value
                best = action
        return best

    def finish(self, s: FactionState, rng: Rng) -> None:
        """Play a round to its end."""
        select = self.setup.select
        while s.stack and s.stack[-1] is not select:
            seat = s.turn
            if seat == CHANCE:
                s.apply(seat, s.chance(rng))
            elif len(s.actions) == 1:
                s.apply(seat, s.actions[0])
            else:
                s.apply(seat, self.act(s))

    def picked(self, world: FactionState, picks: list[int], rng: Rng) -> list[float]:
        """The chances to win after a round with these picks, by seat."""
        s = world.clone()
        for seat in range(self.seats):
            s.apply(seat, picks[seat])
        self.finish(s, rng)
        return self.valuer.chances(s)

    def chosen(self, world: FactionState, seat: Seat, action: Action, rng: Rng) -> list[float]:
        """The chances to win after a decision in the middle of a round."""
        s = world.clone()
        s.apply(seat, action)
        self.finish(s, rng)
        return self.valuer.chances(s)


def logit(values: list[float], heat: float) -> list[float]:
    """How likely a player takes each: the better the likelier."""
    top = max(values)
    shares = [exp(max(-40.0, (value - top) / heat)) for value in values]
    total = sum(shares)
    return [share / total for share in shares]


class Matrix:
    """The payoffs of a round of two, as far as they have been tried: the first's chance to win, by both
    picks."""

    def __init__(self, trial: Trial, me: Seat, places: int) -> None:
        self.trial: Trial = trial
        self.me: Seat = me
        self.places: int = places
        self.cells: list[list[Tally]] = [[Tally() for _ in range(places)] for _ in range(places)]  # mine, then theirs
        self.count: int = 0

    def sweep(self, pool: Pool, rng: Rng) -> int:
        """Try every pair of picks in a world once; how many rounds that were."""
        world = pool.world(self.count)
        places = self.places
        me = self.me
        picks = [0, 0]
        for mine in range(places):
            for theirs in range(places):
                picks[me] = mine
                picks[1 - me] = theirs
                self.cells[mine][theirs].add(self.trial.picked(world, picks, rng)[me])
        self.count += 1
        return places * places

    def payoffs(self) -> list[list[float]]:
        """The mean payoffs so far: by my pick, then by theirs."""
        return [[cell.mean() for cell in row] for row in self.cells]


def solve(payoffs: list[list[float]], rounds: int) -> tuple[list[float], list[float]]:
    """A matrix game, which the first wants to be high and the second low: how likely each of them does
    what, by regret matching plus with linear averages."""
    rows = len(payoffs)
    columns = len(payoffs[0])
    regret_a = [0.0] * rows
    regret_b = [0.0] * columns
    sum_a = [0.0] * rows
    sum_b = [0.0] * columns
    a = [1.0 / rows] * rows
    b = [1.0 / columns] * columns
    for number in range(1, rounds + 1):
        values = [0.0] * rows
        value = 0.0
        for i in range(rows):
            row = payoffs[i]
            total = 0.0
            for j in range(columns):
                total += row[j] * b[j]
            values[i] = total
            value += a[i] * total
        total = 0.0
        for i in range(rows):
            regret_a[i] = max(0.0, regret_a[i] + values[i] - value)
            total += regret_a[i]
        for i in range(rows):
            a[i] = regret_a[i] / total if total > 0.0 else 1.0 / rows
        losses = [0.0] * columns
        value = 0.0
        for j in range(columns):
            total = 0.0
            for i in range(rows):
                total += payoffs[i][j] * a[i]
            losses[j] = total
            value += b[j] * total
        total = 0.0
        for j in range(columns):
            regret_b[j] = max(0.0, regret_b[j] + value - losses[j])
            total += regret_b[j]
        for j in range(columns):
            b[j] = regret_b[j] / total if total > 0.0 else 1.0 / columns
        for i in range(rows):
            sum_a[i] += number * a[i]
        for j in range(columns):
            sum_b[j] += number * b[j]
    whole = rounds * (rounds + 1) / 2.0
    return [x / whole for x in sum_a], [x / whole for x in sum_b]


class Field:
    """A round in which all picks of one seat are tried against the same picks of the others (flat Monte
    Carlo). These go where they go at first sight; as far as they are not trusted to, they go where they
    learn to go, everybody from everybody and each by itself (decoupled)."""

    def __init__(self, trial: Trial, me: Seat, first: list[list[float]], trust: float, heat: float) -> None:
        self.trial: Trial = trial
        self.me: Seat = me
        self.seats: int = trial.seats
        self.places: int = len(first[0])
        self.trust: float = trust  # how far they are counted on to keep to their first sight
        self.heat: float = heat
        self.first: list[list[float]] = first
        self.learned: list[list[float]] = [policy[:] for policy in first]
        self.policies: list[list[float]] = [policy[:] for policy in first]
        self.visits: list[list[float]] = [[0.0] * self.places for _ in range(self.seats)]
        self.values: list[list[float]] = [[0.0] * self.places for _ in range(self.seats)]
        self.slopes: list[float] = [trial.slope(seat) for seat in range(self.seats)]
        self.totals: list[float] = [0.0] * self.places
        self.squares: list[float] = [0.0] * self.places
        self.weight: float = 0.0
        self.fought: list[float] = [0.0] * self.places  # the same where somebody else came
        self.fights: list[float] = [0.0] * self.places
        self.won: list[float] = [0.0] * self.places
        self.count: int = 0
        self.learnt: int = 0

    def go_on(self, pool: Pool, rng: Rng) -> int:
        """Learn from some rounds, then try every pick once; how many rounds that were."""
        number = self.count
        for _ in range(self.places):
            self.learn(pool.world(self.learnt), rng)
        if number % SETTLE == SETTLE - 1:
            self.settle(max(0.15, 2.0 / (2 + number // SETTLE)))
        # What was learnt later counts for more.
        self.sweep(pool.world(number), rng, 1.0 + number)
        return 2 * self.places

    def learn(self, world: FactionState, rng: Rng) -> None:
        """One round in which all pick by what they have learnt, but for one who tries anything; all learn
        from it."""
        picks = [drawn(policy, rng) for policy in self.policies]
        picks[self.learnt % self.seats] = int(rng.below(self.places))
        values = self.trial.picked(world, picks, rng)
        for seat in range(self.seats):
            place = picks[seat]
            visits = self.visits[seat]
            visits[place] += 1.0
            known = self.values[seat]
            known[place] += (values[seat] - known[place]) / visits[place]
        self.learnt += 1

    def settle(self, share: float) -> None:
        """Let everybody follow what was learnt by a share; the older it is the less it counts."""
        for seat in range(self.seats):
            visits = self.visits[seat]
            if min(visits) < 2.0:
                continue
            wanted = logit(self.values[seat], self.heat * self.slopes[seat])
            policy = self.policies[seat]
            learned = self.learned[seat]
            first = self.first[seat]
            for place in range(self.places):
                learned[place] += share * (wanted[place] - learned[place])
                policy[place] = self.trust * first[place] + (1.0 - self.trust) * learned[place]
                if visits[place] > 12.0:
                    visits[place] *= 0.7

    def sweep(self, world: FactionState, rng: Rng, weight: float) -> None:
        """Try every pick against the same picks of the others; it counts by a weight."""
        picks = [drawn(policy, rng) for policy in self.policies]
        me = self.me
        for place in range(self.places):
            picks[me] = place
            value = self.trial.picked(world, picks, rng)[me]
            self.totals[place] += weight * value
            self.squares[place] += weight * value * value
            for seat in range(self.seats):
                if seat != me and picks[seat] == place:
                    self.fights[place] += weight
                    self.fought[place] += weight * value
                    break
        self.weight += weight
        self.count += 1


def first_sight(trial: Trial, cards: list[int], heat: float) -> list[list[float]]:
    """How likely everybody goes where, by what cards are worth and who would win a battle: what they do
    who think that the others think likewise, one step less."""
    seats = trial.seats
    places = len(cards)
    worths: list[list[float]] = [[trial.worth(seat, kind) for kind in cards] for seat in range(seats)]
    odds = trial.odds()
    beats = [odds[seat * seats : (seat + 1) * seats] for seat in range(seats)]
    went: list[list[float]] = [[1.0 / places] * places for _ in range(seats)]
    for _ in range(2):
        went = [logit(hopes(seat, worths[seat], went, beats), heat) for seat in range(seats)]
    return went
