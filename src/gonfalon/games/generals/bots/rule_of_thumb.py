"""A rule-of-thumb player of Generals, from one seat's view.

It deals what it cannot see once, tries each thing it could do now to its end there (small choices by the
best of what follows, payments by the cards it can spare, the other seat lets it pass), and does what
makes the position best by `appraisal`; when nothing makes it better, its turn ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE, Action, Seat, State
from gonfalon.games.generals.bots.appraisal import WON, appraise, dead
from gonfalon.games.generals.bots.turns import least
from gonfalon.games.generals.rules.actions import CARD, END, PASS
from gonfalon.games.generals.rules.cards import CHARACTER, COUNTER, EQUIPMENT, STRATEGY, TACTICS
from gonfalon.games.generals.rules.state import GeneralsState

if TYPE_CHECKING:
    from gonfalon.core.rules.words import Words

PATIENCE: Final = 240  # positions looked at for one decision
EFFORT: Final = 0.15  # what something must bring to be done at all
HELD: Final = 0.5  # more than that for a Counter: another act may deserve it better
SLACK: Final = 40  # small decisions until an act is through, at most


class RuleOfThumb:
    """`choose(view, rng)` gives an action of the viewer and the reason."""

    def __init__(self, game: Words) -> None:
        self.game = game

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, GeneralsState)
        me = view.viewer
        legal = view.legal(me)
        prompt = view.stack[-1].prompt
        if prompt in SPENDING:
            return spared(view, spare(view, me, legal))
        world = worlds(view.mask(me)).sample(rng)
        assert isinstance(world, GeneralsState)
        world.log = None
        look = Look(me, rng)
        if prompt == "main":
            now = appraise(world, me)
            if len(legal) == 1:
                return END, "Nothing else is possible."
            action, best = look.best(world, legal[1:], 1)
            if best > now + EFFORT:
                return (
                    action,
                    f"{self.quoted(view, action)} makes my position better by {best - now:.1f}, the most of all.",
                )
            return END, "Nothing I could do makes my position better."
        action, best = look.best(world, legal, 1)
        if prompt == "answer" and action != PASS:
            passed = look.after(world, PASS, 1)
            if best < passed + HELD and best < WON:
                return PASS, "It is not worth a Counter."
            return action, f"{self.quoted(view, action)} saves me {best - passed:.1f}."
        return action, f"{self.quoted(view, action)} leads to the best position."

    def quoted(self, view: GeneralsState, action: Action) -> str:
        """An action at the beginning of a sentence."""
        return f"“{self.game.describe(view, action).rstrip('.')}”"


def spared(view: GeneralsState, action: Action) -> tuple[Action, str]:
    """What goes, and why."""
    if action < CARD:
        return action, "No card of my hand is useless to me."
    return action, f"{view.setup.kinds[action - CARD].name} is what I can spare best."


SPENDING: Final = ("pay", "discard", "excess")


class Look:
    """One decision's look ahead, with a bound on the positions it visits."""

    def __init__(self, me: Seat, rng: Rng) -> None:
        self.me = me
        self.rng = rng
        self.left = PATIENCE

    def best(self, world: GeneralsState, actions: list[Action], more: int) -> tuple[Action, float]:
        """The action after which the position is worth most, and how much."""
        found, value = -1, -2 * WON
        for action in actions:
            worth = self.after(world, action, more)
            if worth > value:
                found, value = action, worth
        return found, value

    def after(self, world: GeneralsState, action: Action, more: int) -> float:
        """What a position is worth when an action has been carried out to its end."""
        self.left -= 1
        twin = world.clone()
        if world.stack[-1].prompt == "main" and not prepares(world, action):
            more = 0
        twin.apply(twin.turn, action)
        return self.settled(twin, more)

    def settled(self, world: GeneralsState, more: int) -> float:
        """Go on until a Main Phase asks again: own choices by what is best, the rest without thought.
        With `more` the best that could follow counts, as for a card that only prepares something."""
        for _ in range(SLACK):
            if world.over:
                break
            seat = world.turn
            if seat == CHANCE:
                world.apply(CHANCE, world.chance(self.rng))
                continue
            prompt = world.stack[-1].prompt
            legal = world.actions
            if prompt == "main":
                if more and seat == self.me and self.left > 0:
                    now = appraise(world, self.me)
                    return max(now, self.best(world, legal[1:], more - 1)[1]) if len(legal) > 1 else now
                break
            if prompt in SPENDING:
                action = spare(world, seat, legal)
            elif prompt == "answer":
                action = PASS
            elif len(legal) == 1:
                action = legal[0]
            elif seat == self.me and self.left > 0:
                return self.best(world, legal, more)[1]
            else:
                action = legal[int(self.rng.below(len(legal)))]
            world.apply(seat, action)
        return appraise(world, self.me)


def prepares(world: GeneralsState, action: Action) -> bool:
    """Whether an action is a Strategy that only helps what comes after it, and is looked at with that."""
    if action < CARD:
        return False
    kind = world.setup.kinds[action - CARD]
    return kind.type == STRATEGY and not kind.subtypes & TACTICS


def spare(s: GeneralsState, seat: Seat, legal: list[Action]) -> Action:
    """Which card goes: the cheapest set of what has to go, in ascending order."""
    return least(s, seat, legal, use)


def use(s: GeneralsState, seat: Seat, kind: int) -> float:
    """How useful a card of the hand is, compared with others of it."""
    setup = s.setup
    card = setup.kinds[kind]
    if dead(s, seat, kind):
        return 0.0
    copies = sum([1 for other in s.hand[seat] if other & KIND == kind])
    if card.type == CHARACTER:
        # A second copy of a general is no use while the first lives.
        return (3.0 + 0.4 * card.might + 0.2 * card.wits - 0.6 * card.cost) / (1.0 if copies == 1 else 2.5)
    if card.type == EQUIPMENT:
        return 2.4 - 0.3 * card.cost
    if card.type == COUNTER:
        return 2.0 if copies == 1 else 1.2
    return 2.2 - 0.2 * card.cost
