"""The opening of a game and the phases of a turn."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.shuffles import push_shuffle
from gonfalon.core.rules.state import NOBODY, Action, Owned, Seat, Step
from gonfalon.games.generals.rules import events, stats
from gonfalon.games.generals.rules.actions import CARD, END, NO, UNIT, YES
from gonfalon.games.generals.rules.acts import acts, legal
from gonfalon.games.generals.rules.acts.questions import Pay, list_hand_kinds
from gonfalon.games.generals.rules.cards import END_PHASE, TURN_START
from gonfalon.games.generals.rules.lasting import ENDS, Entry
from gonfalon.games.generals.rules.state import BOTH, OPPONENT, GeneralsState
from gonfalon.games.generals.rules.triggers import Happening, emit_event, reset_limits


class Open(Step[GeneralsState]):
    """The opening: Commandments are revealed together, factions announced, first hands drawn (rulings 60, 61)."""

    def auto(self, s: GeneralsState) -> None:
        first = s.first
        for seat in (first, OPPONENT[first]):
            s.tell(events.COMMANDMENT, seat, s.command[seat][0] | BOTH)
        for seat in (first, OPPONENT[first]):
            s.tell(events.FACTIONS, seat, HIDDEN, s.setup.factions[seat], s.setup.limits[seat])
        s.stack.append(START_TURN[first])
        if s.setup.mulligan:
            s.stack += [MULLIGAN[OPPONENT[first]], MULLIGAN[first]]
        for seat in (first, OPPONENT[first]):
            first_hand(s, seat)


def first_hand(s: GeneralsState, seat: Seat) -> None:
    """Draw the first hand."""
    s.draw(seat, min(s.setup.opening, len(s.deck[seat])))


class Mulligan(Step[GeneralsState]):
    """The choice, once before the first turn, to shuffle the hand back and draw a new one (the option of ruling 51)."""

    prompt: ClassVar[str] = "mulligan"

    def options(self, s: GeneralsState) -> list[Action]:
        return MAY

    def choose(self, s: GeneralsState, action: Action) -> None:
        seat = self.seat
        s.tell(events.MULLIGAN, seat, HIDDEN, int(action == YES))
        if action == YES:
            # Without seen bits: the order after the shuffle is unknown to both.
            s.deck[seat] += [card & KIND for card in s.hand[seat]]
            s.hand[seat].clear()
            s.stack.append(NEW_HAND[seat])
            push_shuffle(s, 1 << seat, exact=s.setup.exact, quick=False)


class NewHand(Owned[GeneralsState]):
    """The hand after a mulligan."""

    def auto(self, s: GeneralsState) -> None:
        first_hand(s, self.owner)


MAY: Final[list[Action]] = [YES, NO]


class StartTurn(Owned[GeneralsState]):
    """The start of a turn, which pushes its phases. Abilities that trigger at the start come first."""

    def auto(self, s: GeneralsState) -> None:
        seat = self.owner
        s.number += 1
        s.active = seat
        s.sieges = 0
        if s.spent:
            s.spent = []
        if s.lasting:
            reset_limits(s)
        if s.log is not None:
            s.tell(events.TURN, seat, HIDDEN, s.number)
            s.fade()
        s.stack.append(MAIN[seat])
        # The stack runs from its end: abilities of the start, then the draw, then the Main Phase.
        s.stack.append(DRAW_PHASE[seat])
        if s.lasting or s.setup.listened[TURN_START]:
            emit_event(s, Happening(TURN_START, seat, -1))


class DrawPhase(Owned[GeneralsState]):
    """The draw of a card. The first player's first turn has none (rulings 50, 52)."""

    def auto(self, s: GeneralsState) -> None:
        if s.number == 1:
            s.tell(events.SKIPPED_DRAW, self.owner, HIDDEN)
        else:
            s.draw(self.owner, 1)


class Main(Step[GeneralsState]):
    """The Main Phase: the choice of a card of the hand, a general, or the end of the turn."""

    prompt: ClassVar[str] = "main"

    def options(self, s: GeneralsState) -> list[Action]:
        seat = self.seat
        out: list[Action] = [END]
        army = s.army[seat]
        if army:
            out += [UNIT + u for u in sorted(army) if legal.has_act(s, u)]
        kinds = s.setup.kinds
        out += [
            CARD + kind
            for kind in list_hand_kinds(s.hand[seat])
            if legal.find_hindrance(s, seat, kinds[kind]) == legal.FINE
        ]
        return out

    def choose(self, s: GeneralsState, action: Action) -> None:
        seat = self.seat
        if action == END:
            # Pushed in reverse: abilities of the End Phase, Upkeep, hand limit, next turn (rulings 54, 56).
            s.stack.append(NEXT_TURN[seat])
            s.stack.append(HAND_LIMIT[seat])
            s.stack.append(UPKEEP[seat])
            if s.lasting or s.setup.listened[END_PHASE]:
                emit_event(s, Happening(END_PHASE, seat, -1))
            return
        s.stack.append(self)
        if action < CARD:
            s.stack.append(ChooseAct(seat, action - UNIT))
        else:
            acts.play_card(s, seat, s.setup.kinds[action - CARD])


class ChooseAct(Step[GeneralsState]):
    """The choice of a general's act."""

    __slots__ = ("unit",)
    prompt: ClassVar[str] = "act"

    def __init__(self, seat: Seat, unit: int) -> None:
        super().__init__(seat)
        self.unit: int = unit

    def options(self, s: GeneralsState) -> list[Action]:
        return legal.list_acts(s, self.unit)

    def choose(self, s: GeneralsState, action: Action) -> None:
        acts.perform_act(s, self.unit, action)

    def key(self) -> list[int]:
        return [self.seat, self.unit]


class Upkeep(Owned[GeneralsState]):
    """The payment for the army from RESOURCE. A player who cannot pay loses (ruling 54)."""

    def auto(self, s: GeneralsState) -> None:
        seat = self.owner
        due = stats.compute_upkeep_total(s, seat)
        s.tell(events.UPKEEP, seat, HIDDEN, due)
        if due > len(s.deck[seat]):
            s.finish(OPPONENT[seat], events.BY_UPKEEP)
        elif due:
            s.deplete(seat, due)


class HandLimit(Owned[GeneralsState]):
    """The check of the hand limit. Surplus cards go face down to DISCARD (ruling 56)."""

    def auto(self, s: GeneralsState) -> None:
        over = len(s.hand[self.owner]) - s.setup.limits[self.owner]
        if over > 0:
            s.stack.append(Excess(self.owner, over))


class Excess(Pay):
    """The owner's choice of the surplus cards."""

    prompt: ClassVar[str] = "excess"

    def rest(self) -> Step[GeneralsState]:
        return Excess(self.seat, self.left - 1)

    def code(self) -> int:
        return events.FULL


class NextTurn(Owned[GeneralsState]):
    """The end of a turn: its effects end, generals are ready again, and the other seat's turn follows."""

    def auto(self, s: GeneralsState) -> None:
        seat = self.owner
        if s.lasting:
            kept: list[Entry] = [entry for entry in s.lasting if entry[ENDS] > s.number]
            if len(kept) != len(s.lasting):
                s.lasting = kept
                s.tell(events.EXPIRED, seat, HIDDEN)
        # All generals, because RETURNED is a flag of those in hand.
        s.flags = [0] * s.setup.units
        s.stack.append(START_TURN[OPPONENT[seat]])


OPEN: Final = Open(NOBODY)
MULLIGAN: Final = [Mulligan(0), Mulligan(1)]
NEW_HAND: Final = [NewHand(0), NewHand(1)]
START_TURN: Final = [StartTurn(0), StartTurn(1)]
DRAW_PHASE: Final = [DrawPhase(0), DrawPhase(1)]
MAIN: Final = [Main(0), Main(1)]
UPKEEP: Final = [Upkeep(0), Upkeep(1)]
HAND_LIMIT: Final = [HandLimit(0), HandLimit(1)]
NEXT_TURN: Final = [NextTurn(0), NextTurn(1)]
