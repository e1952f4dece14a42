"""Whole turns of Generals, played fast: the things that can be done, each carried out to its end, and a
player who does what helps most until nothing does.

A deed is what a seat does between two questions of its Main Phase: a card played or a general's act, with
all that is chosen for it. It is written down as the answers that were given; payments are not, for
what pays follows from the hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Action
from gonfalon.games.generals.bots.appraisal import dead
from gonfalon.games.generals.bots.position_value import SURE, worth
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import CARD, DONE, END, PASS
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.cards import CHARACTER, COUNTER, EQUIPMENT, STRATEGY, TACTICS
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.turn import Main

EFFORT: Final = 0.03
"""What a deed must bring to be done at all, in log-odds."""
HELD: Final = 0.12
"""What a Counter must bring: another act may deserve it better."""
SLACK: Final = 60
"""Small questions on the way through one deed, at most."""
WIDE: Final = 48
"""Ways through one deed that are looked at, at most."""


class Deed:
    """Answers that lead from one question of the Main Phase to the next, where that was, and what it is
    worth there."""

    __slots__ = ("path", "after", "value")

    def __init__(self, path: list[Action], after: GeneralsState, value: float) -> None:
        self.path: list[Action] = path
        self.after: GeneralsState = after
        self.value: float = value


class Turns:
    """Plays turns in worlds. `weights` say what a position is worth; `wary` seats answer with Counters
    that they hold, others let everything pass."""

    def __init__(self, weights: list[float], rng: Rng) -> None:
        self.weights: list[float] = weights
        self.rng: Rng = rng
        self.wary: bool = False
        self.thorough: bool = False  # look at everything anew after each deed
        self.looked: int = 0  # positions that were valued

    # ---- small questions ------------------------------------------------------------------------

    def value(self, s: GeneralsState, seat: int) -> float:
        """What a position is worth to a seat: in a Main Phase, were the turn to end now."""
        self.looked += 1
        return worth(s, seat, asks_main(s), self.weights)

    def carry(self, s: GeneralsState, seat: int) -> bool:
        """Go on until a Main Phase asks, the game is over, or a seat has a small choice of its own; True
        in the last case. Chance falls, payments are made, and the other seat answers for itself."""
        for _ in range(SLACK):
            if not s.stack:
                return False
            turn = s.turn
            if turn == CHANCE:
                s.apply(CHANCE, s.chance(self.rng))
                continue
            step = s.stack[-1]
            if isinstance(step, Main):
                return False
            legal = s.actions
            if len(legal) == 1:
                s.apply(turn, legal[0])
            elif isinstance(step, (Pay, DiscardOwn)):
                s.apply(turn, spare(s, turn, legal))
            elif isinstance(step, Answer):
                s.apply(turn, self.answer(s) if self.wary else PASS)
            elif turn == seat:
                return True
            else:
                s.apply(turn, self.least_evil(s, legal))
        return False

    def answer(self, s: GeneralsState) -> Action:
        """The Counter that helps the seat which is asked, or a pass."""
        seat = s.turn
        wary = self.wary
        self.wary = False
        best = PASS
        value = 0.0
        for action in s.actions:
            twin = s.clone()
            twin.apply(seat, action)
            self.finish(twin, seat)
            found = self.value(twin, seat)
            if action == PASS:
                value = found + HELD
            elif found > value:
                best = action
                value = found
        self.wary = wary
        return best

    def least_evil(self, s: GeneralsState, legal: list[Action]) -> Action:
        """A small choice of the seat that is asked, by where it leads at once."""
        seat = s.turn
        best = legal[0]
        value = -2.0 * SURE
        for action in legal:
            twin = s.clone()
            twin.apply(seat, action)
            found = self.value(twin, seat)
            if found > value:
                best = action
                value = found
        return best

    def finish(self, s: GeneralsState, seat: int) -> None:
        """Through all small questions to the next one of a Main Phase, or to the end."""
        for _ in range(SLACK):
            if not self.carry(s, seat):
                return
            s.apply(seat, self.least_evil(s, s.actions))

    # ---- deeds ----------------------------------------------------------------------------------

    def deeds(self, s: GeneralsState, seat: int) -> list[Deed]:
        """All that a seat can do now: in its Main Phase other than end it, or in the middle of a deed."""
        found: list[Deed] = []
        main = asks_main(s)
        for action in s.actions:
            if main and action == END:
                continue
            twin = s.clone()
            twin.apply(seat, action)
            self.spread(twin, seat, [action], found, len(found) + WIDE)
        return found

    def spread(self, s: GeneralsState, seat: int, path: list[Action], found: list[Deed], most: int) -> None:
        """All ways from a small question on."""
        if not self.carry(s, seat):
            found.append(Deed(path, s, self.value(s, seat)))
            return
        legal = s.actions
        for i in range(len(legal)):
            if len(found) >= most:
                break
            twin = s if i == len(legal) - 1 else s.clone()
            action = legal[i]
            twin.apply(seat, action)
            self.spread(twin, seat, [*path, action], found, most)

    def perform(self, s: GeneralsState, seat: int, path: list[Action]) -> bool:
        """Do a deed, in this world as far as it goes; False when it was not even begun."""
        if path[0] not in s.actions:
            return False
        s.apply(seat, path[0])
        at = 1
        for _ in range(SLACK):
            if not self.carry(s, seat):
                return True
            legal = s.actions
            if at < len(path) and path[at] in legal:
                s.apply(seat, path[at])
                at += 1
            else:
                at = len(path)
                s.apply(seat, self.least_evil(s, legal))
        return True

    # ---- turns ----------------------------------------------------------------------------------

    def end(self, s: GeneralsState) -> None:
        """End the turn, and go on to the other's Main Phase."""
        if asks_main(s):
            seat = s.turn
            s.apply(seat, END)
            self.finish(s, seat)

    def take_turn(self, s: GeneralsState) -> None:
        """The turn of whoever is asked in the Main Phase: the best deeds first, while they help; then its
        end."""
        seat = s.turn
        for _ in range(SLACK):
            if not asks_main(s) or s.turn != seat:
                return
            wary = self.wary
            self.wary = False
            found = self.deeds(s, seat)
            now = self.value(s, seat)
            self.wary = wary
            good = [deed for deed in found if deed.value > now + EFFORT]
            if not good:
                break
            good.sort(key=by_value)
            done = 0
            for deed in good:
                if not asks_main(s) or s.turn != seat:
                    return
                if done:
                    if deed.path[0] not in s.actions:
                        continue
                    if self.thorough:
                        break
                    self.wary = False
                    twin = s.clone()
                    self.perform(twin, seat, deed.path)
                    gained = self.value(twin, seat)
                    before = self.value(s, seat)
                    self.wary = wary
                    if gained <= before + EFFORT:
                        continue
                self.perform(s, seat, deed.path)
                done += 1
            if done < 2 and not self.thorough:
                break
        self.end(s)


def by_value(deed: Deed) -> float:
    """For sorting, best first."""
    return -deed.value


def asks_main(s: GeneralsState) -> bool:
    """Whether a Main Phase asks what to do next."""
    return len(s.stack) > 0 and isinstance(s.stack[-1], Main)


def spare(s: GeneralsState, seat: int, legal: list[Action]) -> Action:
    """Which card goes: the least useful set of what has to go, in ascending order."""
    return least(s, seat, legal, use)


def least(s: GeneralsState, seat: int, legal: list[Action], use: Callable[[GeneralsState, int, int], float]) -> Action:
    """The same by another measure of what is useful. Where one may stop only a dead card goes."""
    if legal[0] == DONE:
        for action in legal:
            if action >= CARD and dead(s, seat, action - CARD):
                return action
        return DONE
    step = s.stack[-1]
    left = 1
    if isinstance(step, (Pay, DiscardOwn)):
        left = step.left
    floor = legal[0] - CARD
    ranked: list[tuple[float, int]] = []
    for card in s.hand[seat]:
        kind = card & KIND
        if kind != HIDDEN and kind >= floor:
            ranked.append((use(s, seat, kind), kind))
    ranked.sort()
    wanted = sorted([kind for _, kind in ranked[:left]])
    for kind in wanted:
        if CARD + kind in legal:
            return CARD + kind
    return legal[0]


def use(s: GeneralsState, seat: int, kind: int) -> float:
    """How useful a card of the hand is, compared with others of it."""
    if dead(s, seat, kind):
        return 0.0
    card = s.setup.kinds[kind]
    copies = 0
    for other in s.hand[seat]:
        if other & KIND == kind:
            copies += 1
    if card.type == CHARACTER:
        # A second copy of a general is no use while the first lives.
        price = stats.cost(s, seat, card)
        good = 3.0 + 0.4 * card.might + 0.2 * card.wits - 0.5 * price
        return good if copies == 1 else good / 2.5
    if card.type == EQUIPMENT:
        return 2.4 - 0.3 * card.cost
    if card.type == COUNTER:
        return 2.2 if copies == 1 else 1.3
    if card.type == STRATEGY and card.subtypes & TACTICS:
        best = 0
        for u in s.army[seat]:
            wits = s.wits(u)
            if wits > best:
                best = wits
        return 2.4 - 0.2 * card.cost if best >= 5 else 1.8 - 0.2 * card.cost
    return 2.2 - 0.2 * card.cost
