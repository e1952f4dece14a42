"""Triggered abilities: which abilities an event triggers, and in which order they act (ruling 48)."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.rules.state import NO_ACTIONS, NOBODY, Action, Seat, Step
from gonfalon.games.generals.effects.filters import all_hold
from gonfalon.games.generals.effects.frame import PARTS, Frame
from gonfalon.games.generals.effects.run import push_script
from gonfalon.games.generals.rules.actions import ORDER, ORDERS
from gonfalon.games.generals.rules.cards import BY_A_MELEE, BY_THE_ENEMY, THEIRS, TO_CASUALTY, YOURS, Kind, Trigger
from gonfalon.games.generals.rules.lasting import LAST_TRIGGER, Entry
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.stats import list_equipment
from gonfalon.games.generals.rules.zones import ZONE_OF


class Happening:
    """An event that triggers listen to.

    `subject` did it or suffered it, `other` is the opposing general, `amount` its quantity, `cause` a bitmask of causes
    of a fall.
    """

    __slots__ = ("event", "seat", "subject", "other", "role", "amount", "zone", "cause")

    def __init__(
        self,
        event: int,
        seat: Seat,
        subject: int,
        other: int = -1,
        role: int = 0,
        amount: int = 0,
        zone: int = -1,
        cause: int = 0,
    ) -> None:
        self.event: int = event
        self.seat: Seat = seat  # the owner of the general, or the player of the turn
        self.subject: int = subject
        self.other: int = other
        self.role: int = role
        self.amount: int = amount
        self.zone: int = zone
        self.cause: int = cause


class Waiting:
    """A trigger that an event has set off, with its frame."""

    __slots__ = ("trigger", "frame")

    def __init__(self, trigger: Trigger, frame: Frame) -> None:
        self.trigger: Trigger = trigger
        self.frame: Frame = frame


def is_set_off(s: GeneralsState, trigger: Trigger, f: Frame, h: Happening) -> bool:
    """Return whether an event sets off a trigger, conditions included."""
    if trigger.own:
        if h.subject != f.me or f.me < 0:
            return False
    elif trigger.subject is not None and (h.subject < 0 or not trigger.subject.admits(s, f, h.subject)):
        return False
    if trigger.role and trigger.role != h.role:
        return False
    if trigger.place >= 0 and (h.zone < 0 or ZONE_OF[s.setup.owner[h.subject]][h.zone] != trigger.place):
        return False
    if trigger.cause and not h.cause >> trigger.cause & 1:
        return False
    if h.amount < trigger.least:
        return False
    if trigger.whose == YOURS and h.seat != f.seat:
        return False
    if trigger.whose == THEIRS and h.seat == f.seat:
        return False
    return not trigger.conds or all_hold(trigger.conds, s, f)


def collect_from_card(s: GeneralsState, kind: Kind, source: int, h: Happening, out: list[Waiting]) -> None:
    """Append the triggers of one card in play that an event sets off, and count the uses of those with a limit."""
    base = s.setup.frames[source]
    for trigger in kind.triggers[h.event]:
        if trigger.limit and s.spent.count(base.source * 16 + trigger.number) >= trigger.limit:
            continue
        if is_set_off(s, trigger, base, h):
            if trigger.limit:
                # Counted when it is set off, not when it acts: two events at once must not use it twice.
                s.spent.append(base.source * 16 + trigger.number)
            out.append(Waiting(trigger, _make_frame(base.seat, base.source, kind.id, base.me, h)))


def _make_frame(seat: Seat, source: int, kind: int, me: int, h: Happening) -> Frame:
    return Frame(seat, source, kind, me, h.subject, h.other, h.amount)


def collect_triggers(s: GeneralsState, h: Happening, out: list[Waiting]) -> None:
    """Append all triggers that an event sets off now."""
    setup = s.setup
    kinds = setup.kinds
    event = h.event
    for u in setup.trigger_units[event]:
        if s.zone[u] >= 0:
            collect_from_card(s, kinds[setup.kind[u]], u * PARTS, h, out)
    if setup.trigger_gear[event]:
        for source, gear in list_equipment(s):
            if gear.triggers[event]:
                collect_from_card(s, gear, source, h, out)
    for seat in (0, 1):
        kind = kinds[setup.commands[seat]]
        if kind.triggers[event]:
            collect_from_card(s, kind, (setup.units + seat) * PARTS, h, out)
    if s.lasting:
        collect_temporary(s, h, out)


def collect_temporary(s: GeneralsState, h: Happening, out: list[Waiting]) -> None:
    """Append the temporary triggers that an event sets off. The `amount` of their entry counts their uses this turn."""
    changed: list[Entry] = []
    for entry in s.lasting:
        what, index, seat, u, used, expires, source, kind = entry
        if what == LAST_TRIGGER:
            trigger = s.setup.delayed[index]
            f = Frame(seat, source, kind, u)
            if (
                trigger.event == h.event
                and (not trigger.limit or used < trigger.limit)
                and is_set_off(s, trigger, f, h)
            ):
                out.append(Waiting(trigger, _make_frame(seat, source, kind, u, h)))
                entry = (what, index, seat, u, used + 1, expires, source, kind)
        changed.append(entry)
    s.lasting = changed


def reset_limits(s: GeneralsState) -> None:
    """Reset the uses per turn of temporary abilities at the start of a turn."""
    kept: list[Entry] = []
    for entry in s.lasting:
        what, index, seat, u, used, expires, source, kind = entry
        kept.append((what, index, seat, u, 0, expires, source, kind) if what == LAST_TRIGGER and used else entry)
    s.lasting = kept


def emit_event(s: GeneralsState, h: Happening) -> None:
    """Push the abilities that an event sets off."""
    out: list[Waiting] = []
    collect_triggers(s, h, out)
    push_waiting(s, out)


def push_waiting(s: GeneralsState, waiting: list[Waiting]) -> None:
    """Push triggers, the active player's first."""
    if len(waiting) == 1:
        push_script(s, waiting[0].trigger.script, waiting[0].frame)
    elif waiting:
        s.stack.append(Triggers(waiting))


class Triggers(Step[GeneralsState]):
    """Several triggers of one event: the active player's come first, then the other player's."""

    __slots__ = ("waiting",)

    def __init__(self, waiting: list[Waiting]) -> None:
        super().__init__(NOBODY)
        self.waiting: list[Waiting] = waiting

    def auto(self, s: GeneralsState) -> None:
        first = [one for one in self.waiting if one.frame.seat == s.active]
        second = [one for one in self.waiting if one.frame.seat != s.active]
        if second:
            # Pushed first, so that it resolves after the active player's triggers (ruling 48).
            s.stack.append(InOrder(OPPONENT[s.active], second))
        if first:
            s.stack.append(InOrder(s.active, first))

    def key(self) -> list[int]:
        return list_keys(self.waiting)


class InOrder(Step[GeneralsState]):
    """The choice of the next one of a player's waiting triggers. Each is done before the next begins."""

    __slots__ = ("waiting",)
    prompt: ClassVar[str] = "order"

    def __init__(self, seat: Seat, waiting: list[Waiting]) -> None:
        super().__init__(seat)
        self.waiting: list[Waiting] = waiting

    def options(self, s: GeneralsState) -> list[Action]:
        if len(self.waiting) < 2:
            return NO_ACTIONS
        # Triggers of the same ability and source are interchangeable and offered once.
        out: list[Action] = []
        for i in range(min(len(self.waiting), ORDERS)):
            one = self.waiting[i]
            if all(
                other.trigger is not one.trigger or other.frame.source != one.frame.source for other in self.waiting[:i]
            ):
                out.append(ORDER + i)
        return out if len(out) > 1 else NO_ACTIONS

    def choose(self, s: GeneralsState, action: Action) -> None:
        at = action - ORDER
        one = self.waiting[at]
        rest = [self.waiting[i] for i in range(len(self.waiting)) if i != at]
        if rest:
            s.stack.append(InOrder(self.seat, rest))
        push_script(s, one.trigger.script, one.frame)

    def auto(self, s: GeneralsState) -> None:
        self.choose(s, ORDER)

    def key(self) -> list[int]:
        return [self.seat, *list_keys(self.waiting)]


def list_keys(waiting: list[Waiting]) -> list[int]:
    """Return the numbers of waiting triggers, for comparisons and dumps."""
    out: list[int] = []
    for one in waiting:
        out += [one.trigger.event, one.trigger.number, *one.frame.key()]
    return out


def find_causes(s: GeneralsState, u: int, by: Seat, melee: bool) -> int:
    """Return the causes of a fall as a bitmask."""
    cause = 0
    if by >= 0 and by != s.setup.owner[u]:
        cause |= 1 << BY_THE_ENEMY
    if melee:
        cause |= 1 << BY_A_MELEE
    return cause


def collect_casualty_triggers(s: GeneralsState, u: int, by: Seat, melee: bool, out: list[Waiting]) -> None:
    """Append the triggers of a general's fall. They are collected while it is still in play."""
    h = Happening(TO_CASUALTY, s.setup.owner[u], u, cause=find_causes(s, u, by, melee), zone=s.zone[u])
    collect_triggers(s, h, out)
