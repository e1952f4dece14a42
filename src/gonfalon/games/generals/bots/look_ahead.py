"""A look ahead through a turn: actions are carried out with all their choices, on copies of one world."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Action
from gonfalon.games.generals.bots.position_value import MAX_LOG_ODDS, WEIGHTS, compute_log_odds
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.actions import CARD, DONE, END, PASS
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.cards import CHARACTER, COUNTER, EQUIPMENT, STRATEGY, TACTICS
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.turn import Main

MIN_GAIN: Final = 0.03
"""The gain, in log-odds, below which an action is not worth taking."""
MIN_COUNTER_GAIN: Final = 0.12
"""The gain below which a Counter is kept for another action."""
MAX_QUESTIONS: Final = 60
"""Questions within one line, at most."""
MAX_LINES: Final = 48
"""Lines to the next question of a Main Phase that begin with one action, at most."""
MAX_CONTINUED_LINES: Final = 3
"""The number of lines that are continued through the turn."""


class Line:
    """A line of play: the actions of one seat, the position after them, and the value of that position to the seat.

    Payments are left out of the actions, because the hand decides them.
    """

    __slots__ = ("actions", "end", "value")

    def __init__(self, actions: list[Action], end: GeneralsState, value: float) -> None:
        self.actions: list[Action] = actions
        self.end: GeneralsState = end
        self.value: float = value


class LookAhead:
    """Finds lines of play within a turn, in which the other seat plays no Counters."""

    def __init__(self, rng: Rng) -> None:
        self.rng: Rng = rng

    def best_lines(self, s: GeneralsState, depth: int) -> list[Line]:
        """Return the best line of each of `s.actions`, which are a player's.

        Ending the turn and passing are favored by `EFFORT` and `HELD`.

        Args:
            s: A world.
            depth: With 1 lines end at the next question of a Main Phase. With more, the best of them continue to a
                later question of that Main Phase, if that is better.
        """
        seat = s.turn
        best: list[Line] = []
        for action in s.actions:
            if action == END and asks_main(s):
                # The position stays: its value counts the Upkeep as paid already.
                best.append(Line([END], s, compute_value(s, seat) + MIN_GAIN))
                continue
            top = self.best_line(s, action)
            if action == PASS:
                top.value += MIN_COUNTER_GAIN
            best.append(top)
        if depth > 1:
            self.continue_lines(best, seat, depth)
        return best

    def best_line(self, s: GeneralsState, action: Action) -> Line:
        """Return the best line that begins with an action, to the next question of a Main Phase."""
        twin = s.clone()
        twin.apply(s.turn, action)
        lines: list[Line] = []
        self.extend(twin, s.turn, [action], lines)
        return best_of(lines)

    def continue_lines(self, lines: list[Line], seat: int, depth: int) -> None:
        """Continue the best lines of a seat to better ends."""
        ranked = [(-lines[i].value, i) for i in range(len(lines)) if lines[i].actions[0] != END]
        ranked.sort()
        for _, i in ranked[:MAX_CONTINUED_LINES]:
            line = lines[i]
            if not asks_main(line.end) or line.end.turn != seat:
                continue
            more = best_of(self.best_lines(line.end, depth - 1))
            if more.actions[0] != END and more.value > line.value:
                lines[i] = Line(line.actions + more.actions, more.end, more.value)

    def extend(self, s: GeneralsState, seat: int, actions: list[Action], lines: list[Line]) -> None:
        """Add all lines that begin with these actions, which have led to `s`. The world `s` is used up."""
        if not self.advance(s, seat):
            lines.append(Line(actions, s, compute_value(s, seat)))
            return
        legal = s.actions
        for i in range(len(legal)):
            if len(lines) >= MAX_LINES:
                break
            # The last action may change the world itself, which saves a copy.
            twin = s if i == len(legal) - 1 else s.clone()
            action = legal[i]
            twin.apply(seat, action)
            self.extend(twin, seat, [*actions, action], lines)

    def advance(self, s: GeneralsState, seat: int) -> bool:
        """Play on to the next choice of a seat, payments excepted. Return False if a Main Phase or the end of the game
        comes first."""
        # The bound ends chains of effects that would use up the time of a decision.
        for _ in range(MAX_QUESTIONS):
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
                s.apply(turn, choose_card_to_spend(s, turn, legal))
            elif isinstance(step, Answer):
                s.apply(turn, PASS)
            elif turn == seat:
                return True
            else:
                s.apply(turn, choose_at_once(s, legal))
        return False


def best_of(lines: list[Line]) -> Line:
    """Return the line of the highest value, the first of those that are equal."""
    best = lines[0]
    for line in lines:
        if line.value > best.value:
            best = line
    return best


def compute_value(s: GeneralsState, seat: int) -> float:
    """Return the value of a position to a seat. In a Main Phase it is the value if the turn ended now."""
    return compute_log_odds(s, seat, asks_main(s), WEIGHTS)


def asks_main(s: GeneralsState) -> bool:
    """Return whether the present question is the choice of an act in a Main Phase."""
    return len(s.stack) > 0 and isinstance(s.stack[-1], Main)


def choose_at_once(s: GeneralsState, legal: list[Action]) -> Action:
    """Return the action after which the position is best for its seat."""
    seat = s.turn
    best = legal[0]
    value = -2.0 * MAX_LOG_ODDS
    for action in legal:
        twin = s.clone()
        twin.apply(seat, action)
        found = compute_value(twin, seat)
        if found > value:
            best = action
            value = found
    return best


# ---- payments -----------------------------------------------------------------------------------


def choose_card_to_spend(s: GeneralsState, seat: int, legal: list[Action]) -> Action:
    """Return the next of the least useful cards that have to go, in ascending order.

    A choice that may be ended is ended unless a card is useless.
    """
    if legal[0] == DONE:
        for action in legal:
            if action >= CARD and is_dead(s, seat, action - CARD):
                return action
        return DONE
    step = s.stack[-1]
    left = 1
    if isinstance(step, (Pay, DiscardOwn)):
        left = step.left
    # Cards go in ascending order, so a card below the first legal one can no longer be chosen (ruling 27).
    floor = legal[0] - CARD
    ranked: list[tuple[float, int]] = []
    for card in s.hand[seat]:
        kind = card & KIND
        if kind != HIDDEN and kind >= floor:
            ranked.append((rate_usefulness(s, seat, kind), kind))
    ranked.sort()
    wanted = sorted([kind for _, kind in ranked[:left]])
    for kind in wanted:
        if CARD + kind in legal:
            return CARD + kind
    return legal[0]


def rate_usefulness(s: GeneralsState, seat: int, kind: int) -> float:
    """Return how useful a card of the hand is, compared with the others."""
    if is_dead(s, seat, kind):
        return 0.0
    card = s.setup.kinds[kind]
    copies = 0
    for other in s.hand[seat]:
        if other & KIND == kind:
            copies += 1
    if card.type == CHARACTER:
        # A second copy of a general is useless while the first lives.
        price = stats.compute_cost(s, seat, card)
        good = 3.0 + 0.4 * card.might + 0.2 * card.wits - 0.5 * price
        return good if copies == 1 else good / 2.5
    if card.type == EQUIPMENT:
        return 2.4 - 0.3 * card.cost
    if card.type == COUNTER:
        return 2.2 if copies == 1 else 1.3
    if card.type == STRATEGY and card.subtypes & TACTICS:
        best = 0
        for u in s.army[seat]:
            best = max(best, s.wits(u))
        return 2.4 - 0.2 * card.cost if best >= 5 else 1.8 - 0.2 * card.cost
    return 2.2 - 0.2 * card.cost


def is_dead(s: GeneralsState, seat: int, kind: int) -> bool:
    """Return whether a card of the hand is a general whose name is in play or in CASUALTY."""
    setup = s.setup
    return setup.kinds[kind].type == CHARACTER and s.name_taken(setup.unit_of[seat][kind])
