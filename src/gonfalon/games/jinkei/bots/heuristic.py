"""The heuristic of Jinkei: the worth of cards by space, and battles solved with open cards."""

from __future__ import annotations

from math import erf, sqrt
from typing import Final

from gonfalon.bots.players.choice import Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import Reason
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.jinkei.bots.duel import Duel
from gonfalon.games.jinkei.bots.reasons import Reasons, list_unseen
from gonfalon.games.jinkei.face import thoughts
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, Formation, Setup
from gonfalon.games.jinkei.rules.state import OPPONENT, TIE, JinkeiState

BATTLES: Final = ("lead", "answer", "advance")

# The worth of a rank on a space in a round, in points, fitted to 90,000 random rounds that were solved.
WORTH: Final[dict[str, list[float]]] = {
    #         0      1      2      3      4      5      6     7     8     9     12
    "V0": [-0.79, -1.86, -1.70, -1.39, -1.21, -0.72, -0.28, 0.29, 1.57, 2.42, 3.12],
    "V1": [-0.86, -1.76, -1.59, -1.33, -1.11, -0.68, -0.19, 0.35, 1.69, 2.39, 3.04],
    "V2": [-0.98, -1.79, -1.48, -1.34, -1.03, -0.66, -0.20, 0.41, 1.64, 2.40, 2.85],
    "R0": [-0.11, -1.54, -1.36, -1.14, -0.94, -0.84, -0.38, 0.26, 1.40, 2.19, 2.94],
    "R1": [-0.31, -1.34, -1.18, -1.03, -0.77, -0.74, -0.25, 0.17, 1.10, 1.82, 2.38],
    "B0": [+0.58, -1.16, -1.05, -0.92, -0.69, -0.86, -0.45, 0.15, 0.71, 1.56, 2.51],
    "B1": [+0.13, -1.39, -1.13, -0.71, -0.58, -0.95, -0.24, 0.33, 0.70, 1.73, 2.53],
    "E": [-0.17, -1.39, -1.21, -1.03, -0.83, -0.90, -0.36, 0.17, 1.09, 1.91, 2.44],
    "P": [-0.38, -1.52, -1.37, -1.27, -1.04, -0.78, -0.31, 0.19, 1.32, 2.27, 2.86],
}
"""The worth by role of the space and rank.

The roles are V Vanguard, R Rearguard, B Rearguard behind a Blank Card, each with the number of cards behind it;
E Reinforcement; P one of two cards.
"""
#                        0           1 to 4 5 to 7 8 and 9 12
BONUS: Final = [[-0.25, -0.13, 0.14, 0.14, -0.01], [-0.33, -0.15, 0.02, 0.03, -0.17], [0.0] * 5]
WILD: Final = [[-0.34, -0.05, 0.26, 0.23, -0.21], [-1.11, -0.87, 0.05, 1.17, 1.43], [0.0] * 5]
"""By row and class of rank: the worth added by a bonus of 1, or by a Wild space."""
LEAST_WORTH: Final = -1.25
"""The worth of the worst card that must be laid."""
KEPT: Final = 0.85
"""The part of a card's worth that is left for the next round."""
NEVER: Final = -100.0
LAID: Final = [1.7, 1.3, 0.72, 0.55, 0.53]
"""By class of rank: the likelihood ratio of a face-down card to another unseen card, from 1,600 cards of 60 games."""

POINT: Final = 0.5
"""The weight of a point between actions, in log-odds."""
LAYING_NOISE: Final = 0.8
"""The noise in the worth of a card on a space in playouts, in points."""
ROUND_SPREAD: Final = 9.5
"""The standard deviation of the margin of a round to come, in points."""
BATTLE_SPREAD: Final = 0.55
"""The standard deviation of a battle's margin that solving with open cards does not predict, in points."""
SHARP: Final = 0.35
"""The least standard deviation, so that a lead of half a point is never quite a win."""
MAX_DUELS: Final = 16
"""The size of the cache of duels. Setting one up takes longer than solving it."""


class JinkeiHeuristic(Heuristic):
    """The heuristic of Jinkei. Its facet is the class of rank of the other seat's first face-down card."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert isinstance(game, JinkeiWords)
        self.words: JinkeiWords = game
        self.setup: Setup = game.setup
        ranks = game.setup.rank
        self.rank_class: list[int] = [thoughts.classify_rank(rank) for rank in ranks]
        self.worth: list[list[list[float]]] = [
            [[find_worth(form, space, rank) for rank in ranks] for space in range(9)] for form in game.setup.formations
        ]
        plain = WORTH["V1"]
        self.kept: list[float] = [KEPT * max(0.0, plain[find_column(rank)] - LEAST_WORTH) for rank in ranks]
        self.nothing: list[float] = [0.0] * len(ranks)
        self.type_worth: list[float] = [0.0] * game.setup.types
        for number, form in enumerate(game.setup.formations):
            self.type_worth[form.type] += self.mean_worth(number)
        self.duels: dict[int, Duel] = {}
        self.me: Seat = 0
        self.foe: Seat = 1
        self.until: int = 0
        """The number of battles after which the rest of the round is solved with open cards."""
        self.fighting: bool = False
        self.plans: list[list[int]] = [[], []]
        """By seat: the kinds to lay in a playout, in order, then those to keep."""
        self.down: list[int] = []
        """The spaces of the other seat's face-down cards, one entry for each card."""

    def is_minor(self, view: State) -> bool:
        return view.stack[-1].prompt == "type"

    def is_simultaneous(self, view: State) -> bool:
        return view.stack[-1].prompt == "formation"

    def prepare(self, view: State) -> None:
        assert isinstance(view, JinkeiState)
        self.me, self.foe = view.viewer, OPPONENT[view.viewer]
        self.fighting = view.stack[-1].prompt in BATTLES
        self.until = len(view.battles) + (view.stack[-1].prompt != "advance") if self.fighting else 0
        self.plans = [[], []]
        self.down = []
        if self.fighting:
            for space in range(REINFORCEMENTS, 9):
                self.down += [space for card in view.spaces[self.foe][space] if card & KIND == HIDDEN]

    # ---- worlds ---------------------------------------------------------------------------------

    def likelihood(self, world: State) -> float:
        assert isinstance(world, JinkeiState)
        weight = 1.0
        for space in set(self.down):
            for card in world.spaces[self.foe][space]:
                weight *= LAID[self.rank_class[card & KIND]]
        return weight

    def facets(self) -> int:
        return len(thoughts.RANKS) if self.down else 1

    def facet(self, world: State) -> int:
        assert isinstance(world, JinkeiState)
        return self.rank_class[world.spaces[self.foe][self.down[0]][0] & KIND] if self.down else 0

    def about(self) -> str:
        return thoughts.name_their_card(self.down[0])

    def case(self, facet: int) -> str:
        return thoughts.RANKS[facet]

    def chances(self, view: State) -> list[float]:
        assert isinstance(view, JinkeiState)
        found = [0.0] * len(thoughts.RANKS)
        for kind in list_unseen(view, self.foe, self.me):
            found[self.rank_class[kind]] += LAID[self.rank_class[kind]]
        return found

    # ---- the horizon ----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        assert isinstance(s, JinkeiState)
        if not s.stack:
            return True
        prompt = s.stack[-1].prompt
        return len(s.battles) >= self.until if prompt == "lead" else self.fighting and prompt not in BATTLES

    def win_chances(self, s: State) -> list[float]:
        assert isinstance(s, JinkeiState)
        if not s.stack:
            return super().win_chances(s)
        lead = count_lead(s)
        if s.stack[-1].prompt == "lead":
            margin = self.duel(s, -1).value(s.turn)
            lead += margin if s.turn == 0 else -margin
            if s.round < self.setup.rounds:
                lead += sum([self.kept[card & KIND] for card in s.hand[0]])
                lead -= sum([self.kept[card & KIND] for card in s.hand[1]])
        chance = estimate_chance(lead, estimate_spread(s))
        return [chance, 1.0 - chance]

    def duel(self, s: JinkeiState, seat: Seat) -> Duel:
        """Return the remaining battles.

        Args:
            s: The state.
            seat: The seat whose unseen cards are guessed; -1 for the true cards.
        """
        spaces = [[[card & KIND for card in cards] for cards in list_fighters(s, owner)] for owner in (0, 1)]
        if seat >= 0:
            self.guess(s, seat, spaces[1 - seat])
        key = s.formation[0] * KINDS + s.formation[1]
        duel = self.duels.get(key)
        if duel is None:
            if len(self.duels) >= MAX_DUELS:
                self.duels.clear()
            duel = self.duels[key] = Duel(self.setup, s.forms, [count_full(form) for form in s.forms])
        # The cached duel begins with full formations. It lacks layouts that cannot follow from them, as in samples.
        if not duel.put(spaces):
            duel = Duel(self.setup, s.forms, [tuple([len(kinds) for kinds in side]) for side in spaces])
            duel.put(spaces)
        return duel

    def guess(self, s: JinkeiState, seat: Seat, spaces: list[list[int]]) -> None:
        """Replace the cards that a seat has not seen by evenly spaced ranks of the unseen cards."""
        foe = OPPONENT[seat]
        hidden: list[int] = []
        for space in range(REINFORCEMENTS, 9):
            hidden += [space for card in s.spaces[foe][space] if not card & SEEN[seat]]
        if not hidden:
            return
        left = list_unseen(s, foe, seat)
        left.sort(key=self.setup.rank.__getitem__)
        for space in set(hidden):
            spaces[space] = []
        for i, space in enumerate(hidden):
            spaces[space].append(left[(2 * i + 1) * len(left) // (2 * len(hidden))])

    def margins(self, s: JinkeiState, duel: Duel) -> dict[Action, float]:
        """Return the margin of `s.turn` for each lead or answer."""
        seat, foe = s.turn, OPPONENT[s.turn]
        return duel.leads(seat) if s.stack[-1].prompt == "lead" else duel.answers(seat, s.origin[foe], s.called[foe])

    def solve(self, world: JinkeiState) -> dict[Action, float]:
        """Return the margin in points of each action of `world.turn` in a world with open cards."""
        seat = world.turn
        if world.stack[-1].prompt != "advance":
            return self.margins(world, self.duel(world, -1))
        found: dict[Action, float] = {}
        for action in world.actions:
            then = world.clone()
            then.apply(seat, action)
            found[action] = 0.0
            if then.stack and then.stack[-1].prompt == "lead":
                value = self.duel(then, -1).value(then.turn)
                found[action] = float(value if then.turn == seat else -value)
        return found

    # ---- actions --------------------------------------------------------------------------------

    def scores(self, s: State) -> list[float]:
        assert isinstance(s, JinkeiState)
        seat, actions, prompt = s.turn, s.actions, s.stack[-1].prompt
        if prompt in ("lead", "answer"):
            margins = self.margins(s, self.duel(s, seat))
            return [POINT * margins[action] for action in actions]
        if prompt == "advance":
            front, pair = self.worth[s.formation[seat]][s.origin[seat]], self.worth[s.formation[seat]][s.pair(seat)]
            return [POINT * (front[action - ADVANCE] - pair[action - ADVANCE]) for action in actions]
        if prompt == "type":
            return [POINT * self.type_worth[action - TYPE] for action in actions]
        hand = [card & KIND for card in s.hand[seat]]
        if prompt == "formation":
            choices = self.setup.choices(s.type[seat], s.round)
            return [POINT * self.best_worth(s, choices[action - FORMATION], hand) for action in actions]
        spaces, order = self.to_lay(s)
        rows = self.rows(s, s.formation[seat], spaces, len(order))
        found: list[float] = []
        for action in actions:
            kind = (action - PUT) % KINDS
            order.remove(kind)
            order.insert(0, kind)
            if len(spaces) > 1 and spaces[0] == spaces[1]:  # the other card must be higher
                worths = self.worth[s.formation[seat]][spaces[1]]
                rows[1] = [value if other > kind else NEVER for other, value in enumerate(worths)]
            improve_order(order, rows, 1)
            found.append(POINT * sum_worth(order, rows))
        return found

    def playout_action(self, s: State, rng: Rng) -> Action:
        assert isinstance(s, JinkeiState)
        prompt = s.stack[-1].prompt
        if prompt not in ("front", "back"):
            scores = self.scores(s)
            return s.actions[scores.index(max(scores))]
        return s.actions[0] - (s.actions[0] - PUT) % KINDS + self.planned(s, rng)

    def planned(self, s: JinkeiState, rng: Rng) -> int:
        """Return the next kind that `s.turn` lays in a playout. The first call plans all of them."""
        seat = s.turn
        spaces, hand = self.to_lay(s)
        plan = self.plans[seat]
        if sorted(plan) != hand:
            plan = self.plans[seat] = hand[:]
            rng.shuffle(plan)
            legal = [(action - PUT) % KINDS for action in s.actions]
            rows = [row[:] for row in self.rows(s, s.formation[seat], spaces, len(hand))]
            for kind in hand:
                if kind not in legal:
                    rows[0][kind] = NEVER
                for row in rows:
                    row[kind] += LAYING_NOISE * (rng.random() + rng.random() - 1.0)
            improve_order(plan, rows, 0)
            for i in range(len(spaces) - 1):
                if spaces[i] == spaces[i + 1] and plan[i] > plan[i + 1]:
                    plan[i], plan[i + 1] = plan[i + 1], plan[i]
        return plan.pop(0)

    def mean_worth(self, formation: int) -> float:
        """Return an estimate of a formation's worth, with a hand of evenly spaced ranks."""
        form = self.setup.formations[formation]
        spaces = form.front + form.back
        hand = [i * (self.setup.kinds // 2 - 1) // len(spaces) for i in range(len(spaces) + 1)]
        rows = [self.worth[formation][space] for space in spaces] + [self.kept]
        improve_order(hand, rows, 0)
        revealed = sum(self.worth[formation][form.reveal]) / self.setup.kinds if form.reveal >= 0 else 0.0
        return sum_worth(hand, rows) + revealed

    def best_worth(self, s: JinkeiState, formation: int, hand: list[int]) -> float:
        """Return the worth of a hand on an empty formation."""
        form = self.setup.formations[formation]
        rows = self.rows(s, formation, form.front + form.back, len(hand))
        order = hand[:]
        improve_order(order, rows, 0)
        return sum_worth(order, rows)

    def to_lay(self, s: JinkeiState) -> tuple[list[int], list[int]]:
        """Return the spaces that `s.turn` must still fill, and the kinds in its hand."""
        form, answers = s.forms[s.turn], s.answers[s.turn]
        laid = [(action - PUT) % KINDS for action in answers]
        hand = sorted([card & KIND for card in s.hand[s.turn] if card & KIND not in laid])
        if s.stack[-1].prompt == "back":
            return form.back[len(laid) :], hand
        return form.front[len(laid) :] + form.back, hand

    def rows(self, s: JinkeiState, formation: int, spaces: list[int], size: int) -> list[list[float]]:
        """Return the worth of each kind on each space, then rows of the worth of kept cards, up to `size` rows."""
        kept = self.kept if s.round < self.setup.rounds else self.nothing
        worths = self.worth[formation]
        return [worths[space] for space in spaces] + [kept] * (size - len(spaces))

    # ---- words ----------------------------------------------------------------------------------

    def reasons(self, view: State, choice: Choice) -> list[Reason]:
        assert isinstance(view, JinkeiState)
        scores = dict(zip(view.actions, self.scores(view), strict=True))
        prompt = view.stack[-1].prompt
        margins = self.list_margins(view) if prompt in BATTLES else []
        duel = self.duel(view, view.viewer) if prompt in ("lead", "answer") else None
        return Reasons(self.words, view, choice, scores, duel, margins).list_all()

    def list_margins(self, s: JinkeiState) -> list[dict[Action, float]]:
        """Return the margins of the actions for each card that may be face down, if at most one of the others is."""
        seat, foe = s.turn, OPPONENT[s.turn]
        hidden = [space for space in range(REINFORCEMENTS, 9) for card in s.spaces[foe][space] if card & KIND == HIDDEN]
        if not hidden:
            return [self.solve(s)]
        found, world = [], s.clone()
        for kind in list_unseen(s, foe, seat) if len(hidden) == 1 else []:
            world.spaces[foe][hidden[0]] = [kind | SEEN[seat]]
            found.append(self.solve(world))
        return found


def improve_order(order: list[int], rows: list[list[float]], first: int) -> None:
    """Swap kinds of an order from index `first` on, until no swap increases the total worth."""
    size = len(order)
    better = True
    while better:
        better = False
        for i in range(first, size - 1):
            row = rows[i]
            for j in range(i + 1, size):
                a, b = order[i], order[j]
                other = rows[j]
                if row[b] + other[a] > row[a] + other[b] + 1e-9:
                    order[i], order[j] = b, a
                    better = True


def sum_worth(order: list[int], rows: list[list[float]]) -> float:
    """Return the worth of kinds in an order."""
    total = 0.0
    for i in range(len(order)):
        total += rows[i][order[i]]
    return total


def list_fighters(s: JinkeiState, seat: Seat) -> list[list[int]]:
    """Return the cards on a seat's spaces, with a led card that awaits its answer back on its space."""
    spaces = s.spaces[seat]
    if s.duel[seat] and not s.duel[OPPONENT[seat]]:
        spaces = spaces[:]
        spaces[s.origin[seat]] = s.duel[seat]
    return spaces


def count_full(form: Formation) -> tuple[int, ...]:
    """Return the number of cards on each space of a full formation."""
    return tuple([2 if form.two[space] else int(not form.blank[space]) for space in range(9)])


def count_lead(s: JinkeiState) -> float:
    """Return the lead of the first seat in points, plus half a point for the seat that wins a tie."""
    tie = 0.0 if s.setup.games > 1 else 0.5 if s.starter == 1 else -0.5
    return count_points_ahead(s) + tie


def count_points_ahead(s: JinkeiState) -> float:
    """Return the lead of the first seat in points, with the cards taken this round."""
    points = s.setup.points
    lead = float(s.totals[0] - s.totals[1] + sum(s.scored[0]) - sum(s.scored[1]))
    if not s.stack or s.stack[-1].prompt not in BATTLES:
        return lead  # the cards on the table are already scored
    for seat, sign in ((0, 1), (1, -1)):
        for owner in (0, 1):
            for card in s.taken[2 * seat + owner]:
                lead += sign * points[card & KIND]
    if s.duel[0] and s.duel[1]:
        winner = s.battles[-1]
        for owner in (0, 1):
            taker = owner if winner == TIE else winner
            lead += points[s.duel[owner][0] & KIND] * (1 if taker == 0 else -1)
    return lead


def estimate_spread(s: JinkeiState) -> float:
    """Return the standard deviation of the points still to be won."""
    rounds = s.setup.rounds
    to_come = rounds - s.round + (s.setup.games - s.game) * rounds
    left = s.setup.hand - len(s.battles) if s.stack[-1].prompt in BATTLES else s.setup.hand
    here = SHARP + BATTLE_SPREAD * left
    return sqrt(to_come * ROUND_SPREAD * ROUND_SPREAD + here * here)


def estimate_chance(lead: float, spread: float) -> float:
    """Return the chance to finish ahead with a lead and a standard deviation of the rest."""
    return 0.5 + 0.5 * erf(lead / (spread * 1.4142135623730951))


def find_column(rank: int) -> int:
    """Return the column of WORTH for a rank."""
    return rank if rank <= 9 else 9 if rank < 12 else 10


def find_worth(form: Formation, space: int, rank: int) -> float:
    """Return the worth of a rank on a space of a formation."""
    if form.blank[space]:
        return 0.0
    row, line = divmod(space, 3)
    behind = 0
    for other in range(space + 3, 9, 3):
        behind += 0 if form.blank[other] else 2 if form.two[other] else 1
    if row == 0:
        role = f"V{min(behind, 2)}"
    elif row == 1:
        role = f"{'B' if form.blank[line] else 'R'}{min(behind, 1)}"
    else:
        role = "P" if form.two[space] else "E"
    level = thoughts.classify_rank(rank)
    value = WORTH[role][find_column(rank)] + form.bonus[space] * BONUS[row][level]
    return value + WILD[row][level] if form.wild[space] else value
