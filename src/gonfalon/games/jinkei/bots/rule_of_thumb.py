"""A rule-of-thumb player of Jinkei, from one seat's view.

In the battles it deals the cards it cannot see some ways that fit its view, plays each deal out with
all cards open (`duel`), and takes what does best on average. For a formation it lays cards by the
worth of a rank on a space, then lets the likeliest arrangements fight some the other seat might lay.
It keeps nothing between decisions: what the table has forgotten, it has forgotten too.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.jinkei.bots.battle_solver import Duel, Shape, Shapes, answers_to, battle
from gonfalon.games.jinkei.bots.placement import begun, fill, standing, table, unfilled
from gonfalon.games.jinkei.face import thoughts
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import Formation, Setup
from gonfalon.games.jinkei.rules.state import OPPONENT, JinkeiState

# What a rank on a space is worth in a round, in points: fitted to 90,000 random rounds, solved.
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
"""By role of the space: V Vanguard, R Rearguard, B Rearguard behind a Blank Card, each with the number
of cards behind it; E Reinforcement, P one of two cards."""
#                        0           1 to 4 5 to 7 8 and 9 12
BONUS: Final = [[-0.25, -0.13, 0.14, 0.14, -0.01], [-0.33, -0.15, 0.02, 0.03, -0.17], [0.0] * 5]
WILD: Final = [[-0.34, -0.05, 0.26, 0.23, -0.21], [-1.11, -0.87, 0.05, 1.17, 1.43], [0.0] * 5]
"""By row and class of rank: what a rank gains on a space with a bonus of 1, or on a Wild one."""
BOTH_COLOURS: Final = 0.25  # of a Rearguard that can follow both
LEAST: Final = -1.25  # worth of the worst card that one has to lay anyhow
KEPT: Final = 0.85  # how much of a card's worth is left to the next round

WORLDS: Final = [1, 1, 6, 10, 12, 12, 10, 8]  # by battles left
TRAP: Final = 0.05  # of a lead's mean over all answers, to tell leads apart whose best answers are equal
NOISE: Final = 0.6  # between arrangements tried
THEIR_NOISE: Final = 0.5
TRIES: Final = 12  # arrangements, and
FIGHTS: Final = [1, 1, 2]  # against how many more of the other's, each time half of them being dropped
SWAY: Final = 0.3  # so that the choice of a formation is not always foreseen
DUELS: Final = 6  # are kept
TRUST: Final = 0.5  # in the worth by rank and space, against the fights


class RuleOfThumb:
    """`choose(view, rng)` gives an action of the viewer and the reason. With a single try cards are laid by their worth
    alone, and nothing fights."""

    def __init__(self, game: JinkeiWords, tries: int = TRIES) -> None:
        self.game: JinkeiWords = game
        self.tries: int = tries
        self.setup: Setup = game.setup
        self.spots: list[list[int]] = [spots(form) for form in game.setup.formations]
        self.worth: list[list[list[float]]] = [
            [[worth(form, space, rank) for rank in game.setup.rank] for space in range(9)]
            for form in game.setup.formations
        ]
        plain = WORTH["V1"]
        self.kept: list[float] = [KEPT * max(0.0, plain[column(rank)] - LEAST) for rank in game.setup.rank]
        self.shapes: Shapes = Shapes(game.setup)
        self.duels: dict[tuple[int, int], Duel] = {}

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, JinkeiState)
        asked = view.stack[-1].prompt
        if asked == "type":
            legal = view.legal(view.viewer)
            action = legal[int(rng.below(len(legal)))]
            return action, thoughts.any_type(self.game, action)
        if asked == "formation":
            return Decision(self, view, rng).formation()
        if asked in ("front", "back"):
            return Decision(self, view, rng).place()
        if asked == "lead":
            return Decision(self, view, rng).lead()
        if asked == "answer":
            return Decision(self, view, rng).answer()
        return Decision(self, view, rng).advance()

    def duel(self, ours: Shape, theirs: Shape) -> Duel:
        """A duel of two shapes; the last few are kept, for setting one up takes longer than solving it."""
        key = ours.number, theirs.number
        found = self.duels.get(key)
        if found is None or found.a.shape is not ours or found.b.shape is not theirs:
            if len(self.duels) >= DUELS:
                self.duels.clear()
            found = self.duels[key] = Duel(self.setup, ours, theirs)
        return found


class Decision:
    """One decision: the view, and what is made of it."""

    def __init__(self, owner: RuleOfThumb, view: JinkeiState, rng: Rng) -> None:
        self.owner: RuleOfThumb = owner
        self.setup: Setup = owner.setup
        self.view: JinkeiState = view
        self.rng: Rng = rng
        self.me: Seat = view.viewer
        self.foe: Seat = OPPONENT[view.viewer]
        self.legal: list[Action] = view.legal(view.viewer)
        self.last: bool = view.round == self.setup.rounds  # no card is kept for another
        self.worlds: Worlds = worlds(view)

    # ---- battles --------------------------------------------------------------------------------

    def deals(self) -> list[JinkeiState]:
        """Some worlds of the view."""
        left = self.setup.hand - len(self.view.battles)
        hidden = any(card & KIND == HIDDEN for cards in self.view.spaces[self.foe] for card in cards)
        found: list[JinkeiState] = []
        for _ in range(WORLDS[min(left, 7)] if hidden else 1):
            world = self.worlds.sample(self.rng)
            assert isinstance(world, JinkeiState)
            found.append(world)
        return found

    def duel(self, world: JinkeiState) -> tuple[Duel, int, int]:
        """A world's table as a duel, the viewer's side first, and the nodes where both stand in it."""
        ours, theirs = standing(world, self.me), standing(world, self.foe)
        shape, mine = self.owner.shapes.locate(world.formation[self.me], ours)
        other, there = self.owner.shapes.locate(world.formation[self.foe], theirs)
        duel = self.owner.duel(shape, other)
        duel.a.put(shape.kinds(mine, ours))
        duel.b.put(other.kinds(there, theirs))
        duel.fresh()
        return duel, mine, there

    def lead(self) -> tuple[Action, str]:
        values = dict.fromkeys(self.legal, 0.0)
        safe = dict.fromkeys(self.legal, True)
        for world in self.deals():
            duel, mine, there = self.duel(world)
            replies = duel.b.places[there].replies
            for play in duel.a.places[mine].leads:
                for colour in (0, 1):
                    if not play.wild and play.card.colour != colour:
                        continue
                    action = PLAY + 2 * play.space + colour
                    total = 0
                    least = 999
                    answers = answers_to(replies, colour)
                    for reply, named in answers:
                        margin = int(battle(play, reply, named == colour))
                        total += margin
                        least = min(least, margin)
                    values[action] += duel.led(play, colour, mine, there, 0)
                    values[action] += TRAP * total / len(answers)
                    safe[action] = safe[action] and least > 0
        action = best(values)
        return action, thoughts.led(self.owner.game, self.view, action, safe[action])

    def answer(self) -> tuple[Action, str]:
        values = dict.fromkeys(self.legal, 0.0)
        gains = dict.fromkeys(self.legal, 0)
        for world in self.deals():
            duel, mine, there = self.duel(world)
            called = world.called[self.foe]
            for play in duel.b.places[there].leads:
                if play.space == world.origin[self.foe]:
                    for reply, colour in answers_to(duel.a.places[mine].replies, called):
                        action = PLAY + 2 * reply.space + colour
                        values[action] -= duel.answered(play, reply, colour == called, mine, there, 0)
                        gains[action] = -int(battle(play, reply, colour == called))
        action = best(values)
        return action, thoughts.answered(self.owner.game, self.view, action, gains[action], max(gains.values()))

    def advance(self) -> tuple[Action, str]:
        values = dict.fromkeys(self.legal, 0.0)
        if len(self.legal) > 1:
            for world in self.deals():
                for action in self.legal:
                    then = world.clone()
                    then.apply(self.me, action)
                    if then.stack[-1].prompt != "lead":
                        continue
                    duel, mine, there = self.duel(then)
                    values[action] += duel.value(then.turn == self.me, mine, there)
        action = best(values)
        return action, thoughts.advanced(self.owner.game, action)

    # ---- formations -----------------------------------------------------------------------------

    def formation(self) -> tuple[Action, str]:
        """The formation on which this hand looks best."""
        view = self.view
        hand = [card & KIND for card in view.hand[self.me]]
        values = dict.fromkeys(self.legal, 0.0)
        choices = self.setup.choices(view.type[self.me], view.round)
        for action in self.legal:
            formation = choices[action - FORMATION]
            form = self.setup.formations[formation]
            free = [space for space in self.owner.spots[formation] if space != form.reveal]
            laid = self.arrange(formation, {}, free, hand, not self.last, 0.0)
            values[action] = laid[1] + SWAY * self.rng.random()
        action = best(values)
        return action, thoughts.suits(self.owner.game, choices[action - FORMATION])

    def place(self) -> tuple[Action, str]:
        view, me = self.view, self.me
        formation = view.formation[me]
        fixed, hand = begun(view, me)
        free = unfilled(self.owner.spots[formation], fixed)
        found: list[tuple[float, list[int], float]] = []
        seen: set[tuple[int, ...]] = set()
        for i in range(2 * TRIES):
            order, value = self.arrange(formation, fixed, free, hand, not self.last, NOISE if i else 0.0)
            if tuple(order) not in seen and self.action(free, order) in self.legal:
                seen.add(tuple(order))
                found.append((TRUST * value, order, TRUST * value))
            if len(found) == self.owner.tries:
                break
        shape = self.owner.shapes.whole(formation)
        fought = 0
        for more in FIGHTS:
            if len({self.action(free, order) for _, order, _ in found}) == 1:
                break
            for _ in range(more):
                theirs, their_cards = self.other()
                duel = self.owner.duel(shape, theirs)
                duel.b.put(their_cards)
                fought += 1
                for i, (total, order, prior) in enumerate(found):
                    duel.a.put(fill(self.owner.spots[formation], fixed, free, order))
                    duel.fresh()
                    margin = duel.value(view.first == me, shape.root, theirs.root)
                    kept = 0.0 if self.last else self.owner.kept[order[-1]]
                    found[i] = total + margin + kept, order, prior
            found.sort(key=lambda entry: (-entry[0] / fought - entry[2], entry[1]))
            del found[(len(found) + 1) // 2 :]
        action = self.action(free, found[0][1])
        return action, thoughts.laid(self.owner.game, view, action)

    def action(self, free: list[int], order: list[int]) -> Action:
        """The first card to lay of an arrangement."""
        return PUT + free[0] * KINDS + order[0]

    def other(self) -> tuple[Shape, list[int]]:
        """What the other seat might have laid, all of it, in a world of the view: its shape and the kinds."""
        foe = self.foe
        world = self.worlds.sample(self.rng)
        assert isinstance(world, JinkeiState)
        formation = world.formation[foe]
        fixed = table(world.spaces[foe])
        free = unfilled(self.owner.spots[formation], fixed)
        hand = [card & KIND for card in world.hand[foe]]
        order, _ = self.arrange(formation, fixed, free, hand, not self.last, THEIR_NOISE)
        return self.owner.shapes.whole(formation), fill(self.owner.spots[formation], fixed, free, order)

    def arrange(
        self,
        formation: int,
        fixed: dict[int, list[int]],
        free: list[int],
        hand: list[int],
        keep: bool,
        noise: float,
    ) -> tuple[list[int], float]:
        """The hand in the order of the free spaces, the rest at the end, so that it is worth much; and
        that worth. With noise it comes out a little different each time."""
        form = self.setup.formations[formation]
        colour = self.setup.colour
        spare = [self.owner.kept if keep else [0.0] * self.setup.kinds] * (len(hand) - len(free))
        order = sorted(hand)
        if noise:
            self.rng.shuffle(order)
        places = [self.owner.worth[formation][space] for space in free] + spare
        rows = self.rows(order, places, noise)
        for i, space in enumerate(free):
            # The second of two cards on a space is the higher one.
            if form.two[space] and fixed.get(space):
                for kind in order:
                    if kind < fixed[space][0]:
                        rows[kind][i] -= 100.0
        rear = [i for i, space in enumerate(free) if space // 3 == 1 and not form.wild[space]]
        tally = [0, 0]
        for space, kinds in fixed.items():
            if space // 3 == 1 and not form.wild[space]:
                tally[colour[kinds[0]]] += 1
        self.improve(order, rows, len(free), rear, tally)
        for i in range(len(free) - 1):
            if free[i] == free[i + 1] and order[i] > order[i + 1]:
                order[i], order[i + 1] = order[i + 1], order[i]
        return order, sum(places[i][kind] for i, kind in enumerate(order))

    def rows(self, hand: list[int], places: list[list[float]], noise: float) -> list[list[float]]:
        """By kind: what a card of the hand is worth at each place, a little different each time with noise."""
        rng = self.rng
        rows: list[list[float]] = []
        for kind in range(self.setup.kinds):
            row = [place[kind] for place in places] if kind in hand else []
            if noise:
                for i in range(len(row)):
                    row[i] += noise * (rng.random() + rng.random() - 1.0) * 1.7
            rows.append(row)
        return rows

    def improve(
        self, order: list[int], rows: list[list[float]], places: int, rear: list[int], tally: list[int]
    ) -> None:
        """Let two cards change places as long as that is worth more. A Rearguard is worth more with both colours:
        `rear` are its places, `tally` is what lies there of each colour."""
        colour = self.setup.colour
        mixed = len(rear) + sum(tally) > 1
        size = len(order)
        better = True
        while better:
            better = False
            for i in range(min(size - 1, places)):
                for j in range(i + 1, size):
                    a, b = order[i], order[j]
                    gain = rows[a][j] + rows[b][i] - rows[a][i] - rows[b][j]
                    if mixed and colour[a] != colour[b] and (i in rear) != (j in rear):
                        count = tally[:]
                        for k in rear:
                            count[colour[order[k]]] += 1
                        now = min(count) > 0
                        into, out = (b, a) if i in rear else (a, b)
                        count[colour[into]] += 1
                        count[colour[out]] -= 1
                        gain += BOTH_COLOURS * ((min(count) > 0) - now)
                    if gain > 1e-9:
                        order[i], order[j] = b, a
                        better = True


def best(values: dict[Action, float]) -> Action:
    """The action of the highest value, the lowest of equal ones."""
    return max(sorted(values), key=values.__getitem__)


def spots(form: Formation) -> list[int]:
    """The spaces of a formation that hold a card, ascending; one for two cards stands twice."""
    found: list[int] = []
    for space in range(9):
        if not form.blank[space]:
            found += [space] * (2 if form.two[space] else 1)
    return found


def column(rank: int) -> int:
    """The column of WORTH for a rank."""
    return rank if rank <= 9 else 9 if rank < 12 else 10


def worth(form: Formation, space: int, rank: int) -> float:
    """What a rank on a space of a formation is worth."""
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
    level = thoughts.rank_number(rank)
    value = WORTH[role][column(rank)] + form.bonus[space] * BONUS[row][level]
    return value + WILD[row][level] if form.wild[space] else value
