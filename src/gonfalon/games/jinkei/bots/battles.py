"""The battles: worlds of the view, each played to the end with open cards; the last ones solved with hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.bots.players.budget import Clock
from gonfalon.bots.players.choice import Basis, Belief, Choice, Reason
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Card, Seat
from gonfalon.games.jinkei.bots.battle_solver import NONE, Duel, Play, allowed, battle
from gonfalon.games.jinkei.bots.endgame import MIDDLE, Endgame, straight
from gonfalon.games.jinkei.bots.inference import weigh, weigh_kinds
from gonfalon.games.jinkei.bots.placement import standing
from gonfalon.games.jinkei.bots.precomputed import Case, chance
from gonfalon.games.jinkei.bots.settings import Settings
from gonfalon.games.jinkei.bots.trial_counts import Tally, others, weighed
from gonfalon.games.jinkei.face import thoughts
from gonfalon.games.jinkei.rules.actions import PLAY
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

TRAP: Final = 0.05
"""Of a lead's mean over all answers: it tells leads apart whose best answers are equal."""
DEAR: Final = 0.02
"""What a rank is worth to who looks a few battles ahead only."""
CASES: Final = 24
"""How many arrangements of face-down cards a side may have in a game that is solved."""
DEALS: Final = 60
KNOTS: Final = 6_000
PASSES: Final = 60
ENOUGH: Final = 6
"""Passes below which sampled worlds are the better guide."""
RARE: Final = 0.03
"""What is mixed in less often than that is left out."""
SURE: Final = 0.97
LIKELY: Final = 0.04
BETTER: Final = 0.4  # points


class Battle:
    """One decision of the battles."""

    def __init__(self, case: Case, settings: Settings, clock: Clock) -> None:
        self.case: Case = case
        self.settings: Settings = settings
        self.clock: Clock = clock
        view = case.view
        self.view: JinkeiState = view
        self.me: Seat = case.me
        self.foe: Seat = case.foe
        self.asked: str = view.stack[-1].prompt
        self.spread: float = case.spread(case.left)
        self.for_the_win: bool = settings.score and case.to_come == 0
        self.tallies: dict[Action, Tally] = {action: Tally() for action in case.legal}
        self.safe: dict[Action, bool] = dict.fromkeys(case.legal, True)
        self.gains: dict[Action, int] = dict.fromkeys(case.legal, 0)
        self.groups: dict[int, dict[Action, Tally]] = {}
        """By the kind of the other's first face-down card."""
        self.done: int = 0
        self.duel: Duel | None = None  # the last one that a world asked for

    def choose(self) -> Choice:
        if self.asked == "advance":
            self.look_at_worlds(self.advanced)
            return self.told([])
        if self.settings.endgame and self.case.left <= self.settings.endgame and self.case.hidden():
            solved = self.solved()
            if solved is not None:
                return solved
        self.look_around()
        action = self.best()
        if self.asked == "lead":
            return self.told([("safe", float(self.safe[action]))])
        return self.told([("gain", float(self.gains[action])), ("most", float(max(self.gains.values())))])

    # ---- the table --------------------------------------------------------------------------------

    def look_at_worlds(self, margins: Callable[[JinkeiState], dict[Action, float]]) -> None:
        """Note what each action comes to in worlds of the view, by the margin of points that it has there."""

        def look() -> int:
            world = self.case.world()
            self.note(world, margins(world))
            return 1

        self.done = self.clock.run(look, self.settings.worlds if self.case.hidden() else 1, self.done)

    def note(self, world: JinkeiState, margins: dict[Action, float]) -> None:
        """Note the chance to win with each action in a world, which counts by what lies face down there."""
        lead = self.case.standing(world)
        weight = self.weight(world)
        key = first_hidden(self.view.spaces[self.foe], world.spaces[self.foe])
        group = self.groups.setdefault(key, {action: Tally() for action in margins})
        for action, margin in margins.items():
            won = chance(lead + margin, self.spread)
            points = 40.0 * won if self.for_the_win and self.asked != "advance" else margin
            self.tallies[action].add(won, points, weight)
            group[action].add(won, points, weight)

    def weight(self, world: JinkeiState) -> float:
        """How likely the other would have laid their cards as they lie in a world, for a level that reads them."""
        return weigh(self.case.setup, self.view, world, self.foe) if self.settings.beliefs else 1.0

    def look_around(self) -> None:
        """Worlds of the view, each played to the end."""
        view, case = self.view, self.case
        tables = case.tables
        ours, theirs = standing(view, self.me), standing(view, self.foe)
        shape, node = tables.shapes.locate(view.formation[self.me], ours)
        other, there = tables.shapes.locate(view.formation[self.foe], theirs)
        duel = Duel(case.setup, shape, other)
        duel.a.put(shape.kinds(node, ours))
        floor = self.floor(shape.left[node])

        def margins(world: JinkeiState) -> dict[Action, float]:
            duel.b.put(other.kinds(there, standing(world, self.foe)))
            duel.fresh()
            if self.asked == "lead":
                return self.leads(duel, node, there, floor)
            return self.answers(duel, node, there, floor, world)

        self.look_at_worlds(margins)

    def floor(self, left: int) -> int:
        """How many of the battles that are left are not looked at."""
        return max(0, left - self.settings.horizon) if self.settings.horizon else 0

    def leads(self, duel: Duel, node: int, there: int, floor: int) -> dict[Action, float]:
        margins: dict[Action, float] = {}
        for play in duel.a.places[node].leads:
            for colour in (0, 1):
                action = PLAY + 2 * play.space + colour
                if action not in self.tallies:
                    continue
                answers = gains(play, colour, duel.b.places[there].replies)
                margin = duel.led(play, colour, node, there, floor) + TRAP * sum(answers) / len(answers)
                if floor:
                    margin -= DEAR * int(play.card.rank)
                margins[action] = margin
                self.safe[action] = self.safe[action] and min(answers) > 0
        return margins

    def answers(self, duel: Duel, node: int, there: int, floor: int, world: JinkeiState) -> dict[Action, float]:
        origin, called = world.origin[self.foe], world.called[self.foe]
        play = next(play for play in duel.b.places[there].leads if play.space == origin)
        margins: dict[Action, float] = {}
        for reply in duel.a.places[node].replies:
            for colour in (0, 1):
                action = PLAY + 2 * reply.space + colour
                if action in self.tallies:
                    self.gains[action] = -int(battle(play, reply, colour == called))
                    margins[action] = float(-duel.answered(play, reply, colour == called, node, there, floor))
                    if floor:
                        margins[action] -= DEAR * int(reply.card.rank)
        return margins

    def advanced(self, world: JinkeiState) -> dict[Action, float]:
        """The margins of letting one or the other card come forward in a world."""
        margins: dict[Action, float] = {}
        for action in self.case.legal:
            then = world.clone()
            then.apply(self.me, action)
            margins[action] = self.rest_of(then)
        return margins

    def rest_of(self, world: JinkeiState) -> float:
        """The viewer's margin of the battles that are left in a world."""
        if not world.stack or world.stack[-1].prompt != "lead":
            return 0.0
        tables = self.case.tables
        ours, theirs = world.spaces[self.me], world.spaces[self.foe]
        shape, node = tables.shapes.locate(world.formation[self.me], ours)
        other, there = tables.shapes.locate(world.formation[self.foe], theirs)
        duel = self.duel
        if duel is None or duel.a.shape is not shape or duel.b.shape is not other:
            duel = self.duel = Duel(self.case.setup, shape, other)
        duel.a.put(shape.kinds(node, ours))
        duel.b.put(other.kinds(there, theirs))
        duel.fresh()
        return float(duel.value(world.turn == self.me, node, there, self.floor(shape.left[node])))

    # ---- the last battles -------------------------------------------------------------------------

    def solved(self) -> Choice | None:
        """The game that is left, with what either side does not know, brought to balance; None where that is too
        much, or where two cards lie on one space."""
        endgame = self.endgame(points=False)
        if endgame is None:
            return None
        self.learn(endgame)
        if endgame.passes < ENOUGH:
            return None
        led = self.led(endgame)
        if led >= 0 and endgame.led_to(led) < RARE:
            # Who follows this reckoning would hardly have led so: it says nothing of their cards.
            endgame.begin_reply(led)
            self.learn(endgame)
            led = -1
        knot = endgame.root if led < 0 else endgame.root.kids[led][0]
        actions = [PLAY + option for option in knot.options]
        values = endgame.option_values(led, 0)
        mix = endgame.policy(knot, 0)
        mix = [share if share >= RARE else 0.0 for share in mix]
        total = sum(mix)
        mix = [share / total for share in mix]
        picked = actions[drawn(mix, self.case.rng)]
        for i in range(len(actions)):
            if actions[i] in self.tallies:
                self.tallies[actions[i]].add(values[i], values[i], float(endgame.passes))
                self.tallies[actions[i]].count = endgame.passes
        shares = sorted(zip(actions, mix, strict=True))
        beside = others(self.tallies, picked)
        value = self.tallies[picked].estimate()
        other = beside[0] if beside and beside[0].value is not None else None
        if max(mix) < SURE:
            basis, facts = Basis.MIXED, (("share", dict(shares)[picked]),)
        else:
            better = other is not None and other.value is not None and other.value.value > value.value
            basis, facts = Basis.SAFE if better else Basis.BETTER, (("solved", 1.0),)
        return Choice(
            picked,
            value=value,
            policy=tuple(shares),
            alternatives=beside,
            beliefs=self.beliefs(),
            otherwise=self.otherwise(picked),
            iterations=endgame.passes,
            worlds=self.done,
            reason=Reason(basis, other.action if other is not None else None, facts),
        )

    def learn(self, game: Endgame) -> None:
        """As many passes as there is time for, one at least."""

        def learn() -> int:
            game.learn()
            return 1

        self.clock.run(learn, PASSES, game.passes)

    def endgame(self, points: bool) -> Endgame | None:
        """The game that is left, not yet learned: the viewer is side 0, and what is true of their cards is case 0.
        With `points` it is worth its margin, else the chance to win."""
        view, case, rng = self.view, self.case, self.case.rng
        tables = case.tables
        ours, theirs = standing(view, self.me), standing(view, self.foe)
        if any(len(cards) > 1 for cards in (*ours, *theirs)):
            return None
        shape, node = tables.shapes.locate(view.formation[self.me], ours)
        other, there = tables.shapes.locate(view.formation[self.foe], theirs)
        duel = Duel(case.setup, shape, other)
        mine = [shape.kinds(node, ours)]
        back = [slots[0] for slots in shape.layouts[node][REINFORCEMENTS:] if slots]
        if back:
            pool = self.unseen_of_mine()
            known = {tuple(mine[0])}
            for _ in range(DEALS):
                rng.shuffle(pool)
                cards = mine[0][:]
                for i, slot in enumerate(back):
                    cards[slot] = pool[i]
                if tuple(cards) not in known and len(mine) < CASES:
                    known.add(tuple(cards))
                    mine.append(cards)
        weights = [1.0] * len(mine)
        if self.settings.beliefs:
            weights = [weigh_kinds(case.setup, [cards[slot] for slot in back]) for cards in mine]
        yours: list[list[int]] = []
        their_weights: list[float] = []
        told: set[tuple[int, ...]] = set()
        lead = 0.0
        for _ in range(DEALS):
            world = case.world()
            self.done += 1
            lead += case.standing(world)
            cards = other.kinds(there, standing(world, self.foe))
            if tuple(cards) not in told and len(yours) < CASES:
                told.add(tuple(cards))
                yours.append(cards)
                their_weights.append(self.weight(world))
        lead /= self.done
        if points:
            worth = straight()
        else:
            worth = [chance(lead + margin - MIDDLE, self.spread) for margin in range(2 * MIDDLE + 1)]
        game = Endgame(duel, [mine, yours], [shares(weights), shares(their_weights)], worth, KNOTS)
        # To answer is to go by what a card says of who has led it: so the game begins with the lead.
        game.begin_lead(0 if self.asked == "lead" else 1, [node, there])
        return None if game.too_big or not game.root.options else game

    def led(self, game: Endgame) -> int:
        """The option of the root that has been led; -1 when the viewer leads."""
        if self.asked == "lead":
            return -1
        return game.root.options.index(2 * self.view.origin[self.foe] + self.view.called[self.foe])

    def unseen_of_mine(self) -> list[int]:
        """The kinds of the viewer's deck that the other has never seen, or may not remember."""
        deck, zones = self.view.pools()[self.me]
        seen = SEEN[self.foe]
        open_ = {card & KIND for zone in zones for card in zone if card & seen and card & KIND != HIDDEN}
        return [kind for kind in deck if kind not in open_]

    # ---- the account ------------------------------------------------------------------------------

    def told(self, facts: list[tuple[str, float]]) -> Choice:
        action = self.best()
        return Choice(
            action,
            value=self.tallies[action].estimate(),
            policy=((action, 1.0),),
            alternatives=others(self.tallies, action),
            beliefs=self.beliefs(),
            otherwise=self.otherwise(action),
            iterations=self.done,
            worlds=self.done,
            reason=weighed(self.tallies, action, facts, not self.for_the_win),
        )

    def best(self) -> Action:
        return max(sorted(self.tallies), key=lambda action: self.tallies[action].margin)

    def beliefs(self) -> tuple[Belief, ...]:
        """What the first face-down card may be."""
        chances = self.chances()
        if not chances:
            return ()
        sums: dict[str, float] = {}
        for kind, share in chances.items():
            name = thoughts.RANKS[thoughts.rank_number(self.case.setup.rank[kind])]
            sums[name] = sums.get(name, 0.0) + share
        likely = sorted(((name, round(share, 4)) for name, share in sums.items()), key=lambda e: (-e[1], e[0]))
        return (Belief(thoughts.first_face_down(self.view), tuple(likely)),)

    def chances(self) -> dict[int, float]:
        """How likely the first face-down card is of each kind that may be there; none where none lies face down. Every
        level tells it by what people lay, however it plays: the worlds that it looks at are few, and it would be sure
        of what they happen not to show."""
        if self.asked == "advance" or first_hidden(self.view.spaces[self.foe], self.view.spaces[self.foe]) == NONE:
            return {}
        deck, zones = self.view.pools()[self.foe]
        known = {card & KIND for zone in zones for card in zone if card & SEEN[self.me]}
        kinds = [kind for kind in deck if kind not in known]
        return dict(zip(kinds, shares([weigh_kinds(self.case.setup, [kind]) for kind in kinds]), strict=True))

    def otherwise(self, action: Action) -> str:
        """The likeliest card for which another action would have been better."""
        chances = self.chances()
        for kind in sorted(chances, key=lambda kind: (-chances[kind], kind)):
            if kind not in self.groups or chances[kind] < LIKELY:
                continue
            group = self.groups[kind]
            rival = max(sorted(group), key=lambda other: group[other].margin)
            if rival != action and group[rival].margin > group[action].margin + BETTER:
                return thoughts.if_it_were(self.case.tables.game, self.view, kind, rival)
        return ""


def first_hidden(view: list[list[Card]], world: list[list[Card]]) -> int:
    """The kind in a world of the first card that lies face down in the view; NONE where none does."""
    for space in range(REINFORCEMENTS, 9):
        if view[space] and view[space][0] & KIND == HIDDEN:
            return world[space][0] & KIND
    return NONE


def gains(play: Play, colour: int, replies: list[Play]) -> list[int]:
    """The margins of leading with a play called a colour, for every answer of the other side."""
    return [int(battle(play, reply, same)) for reply, same in allowed(replies, colour)]


def shares(weights: list[float]) -> list[float]:
    """Chances in proportion to weights."""
    total = sum(weights)
    return [weight / total for weight in weights]
