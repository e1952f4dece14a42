"""Before the battles: the type, the formation, and the way the cards are laid on it.

Ways to lay a hand come from the worth of each rank on each space; then they fight what the other may lay,
in worlds of the view, and the worse half drops out again and again (successive halving).
"""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.budget import Clock
from gonfalon.bots.players.choice import Basis, Belief, Choice, Reason
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Action
from gonfalon.games.jinkei.bots.battle_solver import Duel
from gonfalon.games.jinkei.bots.opponents import Choosers, Vanguard, ground_of
from gonfalon.games.jinkei.bots.placement import Ground, begun, fill, table, unfilled
from gonfalon.games.jinkei.bots.precomputed import Case, chance
from gonfalon.games.jinkei.bots.settings import Settings
from gonfalon.games.jinkei.bots.trial_counts import Tally, others, weighed
from gonfalon.games.jinkei.face import thoughts
from gonfalon.games.jinkei.rules.actions import FORMATION, KINDS, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD
from gonfalon.games.jinkei.rules.state import JinkeiState

NOISE: Final = 1.0
"""Between ways to lay that are tried, in points of worth."""
THEIR_NOISE: Final = 0.8
TRUST: Final = 0.5
"""In the worth by rank and space: it counts as much as a fight does by this much."""
FIRST: Final = 6
"""How many opponents all ways have to fight."""
LEFT: Final = 4
"""How many ways fight all opponents."""
MIXING: Final = 400
"""Rounds of regret matching for a matrix of formations."""
SURE: Final = 0.97


class Way:
    """A way to lay a hand, and what it has done."""

    __slots__ = ("order", "cards", "worth", "tally", "fought")

    def __init__(self, order: list[int], cards: list[int], worth: float) -> None:
        self.order: list[int] = order
        self.cards: list[int] = cards
        self.worth: float = worth
        self.tally: Tally = Tally()
        self.fought: int = 0


class Laying:
    """One decision before the battles."""

    def __init__(self, case: Case, settings: Settings, clock: Clock) -> None:
        self.case: Case = case
        self.settings: Settings = settings
        self.clock: Clock = clock
        self.view: JinkeiState = case.view
        self.spread: float = case.spread(case.setup.hand)
        self.lead: float = case.standing(case.view) if case.view.round > 0 else 0.0
        self.done: int = 0
        self.duels: dict[tuple[int, int], Duel] = {}

    def over(self) -> bool:
        return self.clock.over(self.done)

    # ---- the type ---------------------------------------------------------------------------------

    def type(self) -> Choice:
        """The type that does best against the best of those that are left to the other."""
        case, rng = self.case, self.case.rng
        if not self.settings.matrix:
            action = case.legal[int(rng.below(len(case.legal)))]
            return Choice(action, reason=Reason(Basis.RULE))
        mine = [action - TYPE for action in case.legal]
        taken = self.view.type[case.foe]
        theirs = [taken] if taken >= 0 else mine
        margins = case.tables.margins
        if not margins:
            tallies = {(a, b): Tally() for a in mine for b in theirs if a != b}
            while not self.over():
                for (a, b), tally in tallies.items():
                    tally.add(*self.trial(a, b))
                    self.done += 1
            margins = {pair: tally.margin for pair, tally in tallies.items()}
        # Each type is worth what is left of it when the other answers it best.
        worst: dict[Action, Tally] = {}
        for a in mine:
            margin = min(margins[a, b] for b in theirs if a != b)
            worst[TYPE + a] = Tally()
            worst[TYPE + a].add(chance(self.lead + margin, self.spread), margin)
        action = max(sorted(worst), key=lambda a: worst[a].margin)
        return Choice(
            action,
            value=worst[action].estimate(),
            policy=((action, 1.0),),
            alternatives=others(worst, action),
            iterations=self.done,
            reason=weighed(worst, action, [], True),
        )

    def trial(self, mine: int, theirs: int) -> tuple[float, float]:
        """A round of random hands between two types: the chance to win and the margin, over a game."""
        setup, rng = self.case.setup, self.case.rng
        round = 1 + int(rng.below(setup.rounds))
        forms = []
        for type in (mine, theirs):
            choices = setup.choices(type, round)
            forms.append(choices[int(rng.below(len(choices)))])
        cards = []
        for form in forms:
            deck = list(range(setup.kinds))
            rng.shuffle(deck)
            cards.append(self.quick(form, deck[: setup.hand], deck[setup.hand], 0.0))
        leads = rng.below(2) == 0
        margin = float(setup.rounds * self.fight(forms, cards, leads))
        return chance(margin, self.spread), margin

    def quick(self, form: int, hand: list[int], top: int, noise: float) -> list[int]:
        """A hand laid by worth on a formation on which the top card of the deck has been turned up."""
        tables = self.case.tables
        spots = tables.spots[form]
        reveal = self.case.setup.formations[form].reveal
        free = spots[:]
        fixed: dict[int, list[int]] = {}
        if reveal >= 0:
            free.remove(reveal)
            fixed[reveal] = [top]
        order = tables.ground(form, free, not self.case.last, -1).arrange(hand, self.case.rng, noise)
        return fill(spots, fixed, free, order)

    def fight(self, forms: list[int], cards: list[list[int]], leads: bool) -> int:
        """The margin of one round between two full formations."""
        a, b = forms
        duel = self.duels.get((a, b))
        if duel is None:
            full = self.case.tables.full
            duel = self.duels[a, b] = Duel(self.case.setup, full[a], full[b])
        duel.a.put(cards[0])
        duel.b.put(cards[1])
        duel.fresh()
        return duel.value(leads, duel.a.shape.root, duel.b.shape.root)

    # ---- the formation ----------------------------------------------------------------------------

    def formation(self) -> Choice:
        """One of the round's formations: by the hand's worth on them, or from a matrix of rounds tried out for each
        pair of formations, both sides' best mixture."""
        case, view = self.case, self.view
        hand = [card & KIND for card in view.hand[case.me]]
        mine = case.setup.choices(view.type[case.me], view.round)
        theirs = case.setup.choices(view.type[case.foe], view.round)
        worths = []
        for form in mine:
            ground = ground_of(case, form, self.settings.rank_only)
            worths.append(ground.value(ground.arrange(hand, case.rng, 0.0)))
        if not self.settings.matrix:
            top = max(range(len(mine)), key=lambda i: worths[i])
            return Choice(FORMATION + top, reason=Reason(Basis.RULE))
        tallies = [[Tally() for _ in theirs] for _ in mine]
        choosers = Choosers(case, theirs)
        for _ in range(self.settings.matrix):
            if self.done and self.over():
                break
            world = case.world()
            foe = [card & KIND for card in world.hand[case.foe]]
            choosers.look(foe)
            for i, a in enumerate(mine):
                ours = self.quick(a, hand, world.deck[case.me][-1] & KIND, NOISE / 2)
                for j, b in enumerate(theirs):
                    yours = self.quick(b, foe, world.deck[case.foe][-1] & KIND, THEIR_NOISE)
                    margin = float(self.fight([a, b], [ours, yours], view.first == case.me))
                    tallies[i][j].add(chance(self.lead + margin, self.spread), margin)
                    self.done += 1
        payoff = [[tallies[i][j].margin + TRUST * worths[i] for j in range(len(theirs))] for i in range(len(mine))]
        mix, own = balance(payoff)
        other = choosers.chances(own)
        picked = drawn(mix, case.rng)
        rows: dict[Action, Tally] = {}
        for i in range(len(mine)):
            row = rows[FORMATION + i] = Tally()
            for j, share in enumerate(other):
                cell = tallies[i][j]
                row.count += cell.count
                if cell.weight > 0.0:
                    row.weight += share
                    row.total += share * cell.mean
                    row.squares += share * cell.squares / cell.weight
                    row.points += share * cell.margin
        action = FORMATION + picked
        reason = weighed(rows, action, [], False)
        if max(mix) < SURE:
            reason = Reason(Basis.MIXED, reason.other, (("share", mix[picked]),))
        elif reason.other is not None:
            merits = [sum(share * cell for share, cell in zip(other, row, strict=True)) for row in payoff]
            leads = (("points", merits[picked]), ("else", merits[reason.other - FORMATION]))
            if reason.basis == Basis.BETTER:
                always = all(payoff[picked][j] >= row[j] for row in payoff for j in range(len(theirs)))
                reason = Reason(Basis.BETTER, reason.other, (("always", float(always)),))
            else:
                reason = Reason(Basis.POINTS if leads[0][1] >= leads[1][1] else Basis.SAFE, reason.other, leads)
        likely = sorted(
            (
                (case.tables.game.formation_name(form), round(share, 4))
                for form, share in zip(theirs, other, strict=True)
            ),
            key=lambda e: (-e[1], e[0]),
        )
        return Choice(
            action,
            value=rows[action].estimate(),
            policy=tuple((FORMATION + i, share) for i, share in enumerate(mix)),
            alternatives=others(rows, action),
            beliefs=(Belief(thoughts.THEIR_FORMATION, tuple(likely)),),
            iterations=self.done,
            worlds=self.done // (len(mine) * len(theirs)),
            reason=reason,
        )

    # ---- the cards --------------------------------------------------------------------------------

    def place(self) -> Choice:
        """The first card of the best way to lay what is left of the hand."""
        case, view, me = self.case, self.view, self.case.me
        tables = case.tables
        form = view.formation[me]
        fixed, hand = begun(view, me)
        free = unfilled(tables.spots[form], fixed)
        least = fixed[free[0]][0] if free[0] in fixed else -1
        ground = tables.ground(form, free, not case.last, least, self.settings.rank_only)
        trial = Ways(self, form, ground, fixed, hand)
        if self.settings.tries <= 1:
            order = ground.arrange(hand, case.rng, 0.0)
            action = PUT + free[0] * KINDS + order[0]
            if action not in case.legal:
                action = case.legal[0]
            return Choice(action, reason=Reason(Basis.RULE))
        ways = trial.search()
        best = ways[0]
        action = PUT + free[0] * KINDS + best.order[0]
        firsts: dict[Action, Tally] = {}
        ways_from: dict[Action, Way] = {}
        for way in ways:
            first = PUT + free[0] * KINDS + way.order[0]
            if first not in firsts:
                firsts[first] = way.tally
                ways_from[first] = way
        reason = weighed(firsts, action, [], False)
        if reason.other is not None:
            reason = trial.reason(best, ways_from[reason.other], reason)
        return Choice(
            action,
            value=best.tally.estimate() if best.fought else None,
            policy=((action, 1.0),),
            alternatives=others(firsts, action),
            beliefs=trial.beliefs(),
            otherwise=trial.otherwise(ways, free[0]),
            iterations=self.done,
            worlds=len(trial.foes),
            reason=reason,
        )


class Ways:
    """Ways to lay the hand, fighting what the other may lay."""

    def __init__(self, laying: Laying, form: int, ground: Ground, fixed: dict[int, list[int]], hand: list[int]) -> None:
        self.laying: Laying = laying
        self.case: Case = laying.case
        self.settings: Settings = laying.settings
        self.ground: Ground = ground
        self.fixed: dict[int, list[int]] = fixed
        self.hand: list[int] = hand
        self.form: int = form
        self.foes: list[list[int]] = []
        self.ways: dict[tuple[int, ...], Way] = {}
        tables = self.case.tables
        view = laying.view
        self.spots: list[int] = tables.spots[form]
        self.their_form: int = view.formation[self.case.foe]
        self.duel: Duel = Duel(self.case.setup, tables.full[form], tables.full[self.their_form])
        self.leads: bool = view.first == self.case.me
        self.for_the_win: bool = self.settings.score and self.case.to_come == 0
        slope = (chance(laying.lead + 1.0, laying.spread) - chance(laying.lead - 1.0, laying.spread)) / 2
        self.slope: float = max(slope, 1e-4)
        """What a point is worth as a chance to win."""

    # ---- who fights -------------------------------------------------------------------------------

    def way(self, order: list[int]) -> Way | None:
        """A way to lay the hand, unless it is known or not legal."""
        key = tuple(order)
        action = PUT + self.ground.spaces[0] * KINDS + order[0]
        if key in self.ways or not self.ground.fits(order) or action not in self.case.legal:
            return None
        way = Way(order, fill(self.spots, self.fixed, self.ground.spaces, order), self.ground.value(order))
        self.ways[key] = way
        return way

    def some(self) -> list[Way]:
        """Ways that look good, all different."""
        found: list[Way] = []
        for i in range(3 * self.settings.tries):
            way = self.way(self.ground.arrange(self.hand, self.case.rng, NOISE if i else 0.0))
            if way is not None:
                found.append(way)
                if len(found) == self.settings.tries:
                    break
        if not found:
            order = self.ground.arrange(self.hand, self.case.rng, 0.0)
            kind = (self.case.legal[0] - PUT) % KINDS
            order.remove(kind)
            way = self.way(self.ground.tidy([kind, *order])) or self.way([kind, *order])
            assert way is not None
            found.append(way)
        return found

    def foe(self, number: int) -> list[int]:
        """The opponent of a number; each way fights the same ones."""
        while number >= len(self.foes):
            self.foes.append(self.new_foe())
        return self.foes[number]

    def new_foe(self) -> list[int]:
        """What the other might lay in a world of the view. A picky one chooses, of several ways, what does best
        against what they might think that the viewer holds."""
        case, seat = self.case, self.case.foe
        tables = case.tables
        world = case.world()
        fixed = table(world.spaces[seat])
        spots = tables.spots[self.their_form]
        free = unfilled(spots, fixed)
        hand = [card & KIND for card in world.hand[seat]]
        if not free:
            return fill(spots, fixed, free, [])
        ground = tables.ground(self.their_form, free, not case.last, -1)
        picky = self.settings.picky
        ways = [fill(spots, fixed, free, ground.arrange(hand, case.rng, THEIR_NOISE)) for _ in range(max(1, picky))]
        if picky <= 1:
            return ways[0]
        rivals = [self.as_they_see_me() for _ in range(2)]
        best = -1e9
        chosen = ways[0]
        duel = self.duel
        for cards in ways:
            duel.b.put(cards)
            total = 0.0
            for rival in rivals:
                duel.a.put(rival)
                duel.fresh()
                total -= duel.value(self.leads, duel.a.shape.root, duel.b.shape.root)
                self.laying.done += 1
            if total > best:
                best = total
                chosen = cards
        return chosen

    def as_they_see_me(self) -> list[int]:
        """The viewer's formation with what the other knows of it, and anything else that may be there."""
        view, case = self.laying.view, self.case
        deck, zones = view.pools()[case.me]
        seen = SEEN[case.foe]
        open_ = {card & KIND for zone in zones for card in zone if card & seen and card & KIND < KINDS}
        pool = [kind for kind in deck if kind not in open_]
        case.rng.shuffle(pool)
        fixed = {
            space: [card & KIND for card in cards]
            for space, cards in enumerate(view.spaces[case.me])
            if cards and all(card & seen for card in cards)
        }
        free = unfilled(self.spots, fixed)
        ground = case.tables.ground(self.form, free, not case.last, -1)
        return fill(self.spots, fixed, free, ground.arrange(pool[: len(free) + 1], case.rng, THEIR_NOISE))

    # ---- fights -----------------------------------------------------------------------------------

    def search(self) -> list[Way]:
        """The ways tried, best first."""
        ways = self.halve(self.some())
        for _ in range(self.settings.climbs):
            if self.laying.over():
                break
            ways = self.halve([*ways[:LEFT], *self.around(ways[0])])
        rest = [way for way in self.ways.values() if way not in ways]
        rest.sort(key=self.merit, reverse=True)
        return ways + [way for way in rest if way.fought]

    def around(self, way: Way) -> list[Way]:
        """What comes of a way when two cards change places."""
        found: list[Way] = []
        places = len(self.ground.spaces)
        for i in range(places):
            for j in range(i + 1, len(way.order)):
                order = way.order[:]
                order[i], order[j] = order[j], order[i]
                new = self.way(self.ground.tidy(order))
                if new is not None:
                    found.append(new)
        return found

    def halve(self, ways: list[Way]) -> list[Way]:
        """Let them fight; the worse half drops out, again and again, and who is left fights more opponents."""
        many = min(FIRST, self.settings.opponents)
        while True:
            for number in range(many):
                foe: list[int] | None = None
                for way in ways:
                    if way.fought <= number:
                        if foe is None:
                            foe = self.foe(number)
                            self.duel.b.put(foe)
                        if way.fought == number:
                            self.fight(way)
                            if self.laying.over():
                                break
                if self.laying.over():
                    break
            ways.sort(key=self.merit, reverse=True)
            if self.laying.over() or (many >= self.settings.opponents and len(ways) <= LEFT):
                return ways
            if len(ways) > LEFT:
                del ways[max(LEFT, (len(ways) + 1) // 2) :]
            many = min(2 * many, self.settings.opponents)

    def fight(self, way: Way) -> None:
        """A way against the opponent whose cards are put."""
        duel = self.duel
        duel.a.put(way.cards)
        duel.fresh()
        margin = float(duel.value(self.leads, duel.a.shape.root, duel.b.shape.root))
        places = len(self.ground.spaces)
        for kind in way.order[places:]:
            margin += self.ground.kept[kind]
        way.tally.add(chance(self.laying.lead + margin, self.laying.spread), margin)
        way.fought += 1
        self.laying.done += 1

    def merit(self, way: Way) -> float:
        """How good a way looks, by its fights and at first sight."""
        if not way.fought:
            return -1e6 + way.worth
        if self.for_the_win:
            return way.tally.mean + self.slope * TRUST * way.worth / way.fought
        return way.tally.margin + TRUST * way.worth / way.fought

    # ---- the account ------------------------------------------------------------------------------

    def reason(self, best: Way, other: Way, found: Reason) -> Reason:
        """Why a way that was chosen for its merit, against the one with the highest chance: by points, as far as it is
        not the win alone that counts."""
        merits = (("points", self.merit(best)), ("else", self.merit(other)))
        if self.merit(best) < self.merit(other):  # it had dropped out before it came to that
            tries = (("tries", float(best.fought)), ("else", float(other.fought)))
            return found if found.basis == Basis.BETTER else Reason(Basis.TRIED, found.other, tries)
        if self.for_the_win:
            return found
        return Reason(found.basis if found.basis == Basis.BETTER else Basis.POINTS, found.other, merits)

    def beliefs(self) -> tuple[Belief, ...]:
        """How strong the other's attack may be."""
        front = [slot for slot, space in enumerate(self.case.tables.spots[self.their_form]) if space < REARGUARD]
        vanguard = Vanguard(self.case, len(front))
        if not self.foes or not vanguard.free:
            return ()
        for foe in self.foes:
            vanguard.look([foe[slot] for slot in front])
        likely = sorted(((name, round(share, 4)) for name, share in vanguard.likely()), key=lambda e: (-e[1], e[0]))
        return (Belief(thoughts.THEIR_VANGUARD, tuple(likely)),)

    def otherwise(self, ways: list[Way], space: int) -> str:
        """The next best way that begins otherwise, and how far it is behind."""
        best = ways[0]
        for way in ways[1:]:
            if way.order[0] != best.order[0] and way.fought:
                behind = self.merit(best) - self.merit(way)
                if self.for_the_win:
                    behind /= self.slope
                return thoughts.if_laid(self.case.tables.game, way.order[0], space, behind)
        return ""


def balance(payoff: list[list[float]]) -> tuple[list[float], list[float]]:
    """Both sides' mixtures of a matrix game, by regret matching."""
    rows, columns = len(payoff), len(payoff[0])
    regret = [[0.0] * rows, [0.0] * columns]
    total = [[0.0] * rows, [0.0] * columns]
    for round in range(1, MIXING + 1):
        mixes = [matched(part) for part in regret]
        gains = [
            [sum(payoff[i][j] * mixes[1][j] for j in range(columns)) for i in range(rows)],
            [-sum(payoff[i][j] * mixes[0][i] for i in range(rows)) for j in range(columns)],
        ]
        for side in (0, 1):
            mean = sum(x * y for x, y in zip(mixes[side], gains[side], strict=True))
            for i, gain in enumerate(gains[side]):
                regret[side][i] = max(0.0, regret[side][i] + gain - mean)
                total[side][i] += round * mixes[side][i]
    return tuple([value / sum(part) for value in part] for part in total)  # type: ignore[return-value]


def matched(regret: list[float]) -> list[float]:
    """Shares in proportion to regrets."""
    total = sum(regret)
    return [value / total for value in regret] if total > 0.0 else [1.0 / len(regret)] * len(regret)
