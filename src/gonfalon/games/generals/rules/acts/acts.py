"""The acts of a seat in its Main Phase: recruit, move, attack, equip, play Strategies, use active effects. legal.py
lists the legal ones."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.state import NOBODY, Action, Seat, Step
from gonfalon.games.generals.effects.frame import NO_SOURCE, PARTS, Frame
from gonfalon.games.generals.effects.run import add_variables, push_script
from gonfalon.games.generals.rules import events, stats
from gonfalon.games.generals.rules.actions import ACTIVE, SIEGE, UNIT, ZONE
from gonfalon.games.generals.rules.acts.counters import Answerable, Played, await_answer
from gonfalon.games.generals.rules.acts.declarations import Act, Declare
from gonfalon.games.generals.rules.acts.legal import (
    active_frame,
    list_bearers,
    list_executors,
    siege_amount,
    strategy_frame,
    strike_frame,
)
from gonfalon.games.generals.rules.cards import (
    ARMAMENT_CARD,
    BY_ACTIVE,
    BY_EQUIP,
    BY_MELEE,
    BY_SIEGE,
    BY_STRATEGY,
    BY_STRIKE,
    CHARACTER,
    EQUIPMENT,
    MOVES,
    PLOT,
    RECRUIT_TO_BORDER,
    RECRUITED,
    SIEGE_DONE,
    TACTIC_DONE,
    TACTICS,
    Active,
    Kind,
)
from gonfalon.games.generals.rules.casualties import fight_melee
from gonfalon.games.generals.rules.state import (
    ACTIVE_USED,
    AGAIN,
    ATTACK_USED,
    HAS_MOVED,
    MOVE_USED,
    OPPONENT,
    TO_BORDER,
    GeneralsState,
)
from gonfalon.games.generals.rules.triggers import Happening, emit_event
from gonfalon.games.generals.rules.zones import BORDER, FAR, FORTRESS, NEAR, ZONE_OF

# ---- playing a card ---------------------------------------------------------------------------------


def play_card(s: GeneralsState, seat: Seat, kind: Kind) -> None:
    """Declare a card of the hand: show it and push its questions."""
    s.lift(seat, kind.id)
    if kind.type == CHARACTER:
        u = s.setup.unit_of[seat][kind.id]
        # A quick test first: `find_seat_bits` looks at all cards in play.
        may_choose = s.setup.static_bits & RECRUIT_TO_BORDER or s.lasting
        if may_choose and stats.find_seat_bits(s, seat) & RECRUIT_TO_BORDER:
            s.stack.append(Placement(seat, kind.id, u))
        else:
            declare_recruit(s, seat, kind, u, FORTRESS)
    elif kind.type == EQUIPMENT:
        s.stack.append(Bearer(seat, kind.id))
    elif kind.subtypes & TACTICS:
        s.stack.append(Executor(seat, kind.id))
    else:
        assert kind.script is not None
        act = Strategy(seat, BY_STRATEGY, kind.id, -1, -1, strategy_frame(seat, kind))
        declare_card(s, act, kind)


def declare_card(s: GeneralsState, act: Act, kind: Kind) -> None:
    """Push the choices and the costs of a declared card."""
    choices = kind.script.choices if kind.script is not None else []
    s.stack.append(Declare(act, choices, stats.compute_cost(s, act.doer, kind), kind.resource, kind.sacrifice))


def declare_recruit(s: GeneralsState, seat: Seat, kind: Kind, u: int, place: int) -> None:
    """Push the costs of a general that will come into play at a place."""
    frame = Frame(seat, NO_SOURCE, kind.id, u)
    declare_card(s, Recruit(seat, -1, kind.id, u, ZONE_OF[seat][place], frame), kind)


class Placement(Step[GeneralsState]):
    """The choice whether a general comes into play at the BORDER or the FORTRESS."""

    __slots__ = ("kind", "unit")
    prompt: ClassVar[str] = "place"

    def __init__(self, seat: Seat, kind: int, unit: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.unit: int = unit

    def options(self, s: GeneralsState) -> list[Action]:
        return PLACES

    def choose(self, s: GeneralsState, action: Action) -> None:
        declare_recruit(s, self.seat, s.setup.kinds[self.kind], self.unit, action - ZONE)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.unit]


PLACES: Final[list[Action]] = [ZONE + FORTRESS, ZONE + BORDER]


class ForCard(Step[GeneralsState]):
    """The choice of a general for a declared card."""

    __slots__ = ("kind",)

    def __init__(self, seat: Seat, kind: int) -> None:
        super().__init__(seat)
        self.kind: int = kind

    def key(self) -> list[int]:
        return [self.seat, self.kind]


class Bearer(ForCard):
    """The choice of the general that bears Equipment."""

    prompt: ClassVar[str] = "bearer"

    def options(self, s: GeneralsState) -> list[Action]:
        return [UNIT + u for u in list_bearers(s, self.seat, s.setup.kinds[self.kind])]

    def choose(self, s: GeneralsState, action: Action) -> None:
        kind = s.setup.kinds[self.kind]
        u = action - UNIT
        frame = Frame(self.seat, NO_SOURCE, self.kind, u, u)
        declare_card(s, Equip(self.seat, BY_EQUIP, self.kind, u, -1, frame), kind)


class Executor(ForCard):
    """The choice of the general that executes Tactics (ruling 18)."""

    prompt: ClassVar[str] = "executor"

    def options(self, s: GeneralsState) -> list[Action]:
        return [UNIT + u for u in list_executors(s, self.seat, s.setup.kinds[self.kind])]

    def choose(self, s: GeneralsState, action: Action) -> None:
        kind = s.setup.kinds[self.kind]
        u = action - UNIT
        act = Strike(self.seat, BY_STRIKE, self.kind, u, -1, strike_frame(s, self.seat, kind, u))
        declare_card(s, act, kind)


# ---- acting with a general --------------------------------------------------------------------------


def perform_act(s: GeneralsState, u: int, action: Action) -> None:
    """Carry out a general's act, one of `legal.list_acts`."""
    seat = s.setup.owner[u]
    if action == SIEGE:
        spend_attack(s, u)
        # Counted at the declaration, for effects on the first Siege of a turn.
        s.sieges += 1
        s.tell(events.BESIEGED, seat, s.card_of(u))
        Siege(seat, BY_SIEGE, -1, u, -1, Frame(seat, u * PARTS, -1, u, u)).launch(s)
    elif action >= UNIT:
        spend_attack(s, u)
        s.tell(events.ATTACKED, seat, s.card_of(u), action - UNIT)
        Melee(seat, BY_MELEE, -1, u, action - UNIT, Frame(seat, u * PARTS, -1, u, u, action - UNIT)).launch(s)
    elif action >= ACTIVE:
        active = s.setup.kinds[s.setup.kind[u]].actives[action - ACTIVE]
        frame = add_variables(active.script, active_frame(s, u))
        s.tell(events.ACTIVATED, seat, s.card_of(u), action - ACTIVE)
        used = Activate(seat, BY_ACTIVE, -1, u, action - ACTIVE, frame)
        s.stack.append(Declare(used, active.script.choices, active.hand, active.resource, active.sacrifice))
    else:
        move_general(s, u, ZONE_OF[seat][action - ZONE])


def move_general(s: GeneralsState, u: int, zone: int) -> None:
    """Make a general's move of the turn."""
    seat = s.setup.owner[u]
    here = s.zone[u]
    s.zone[u] = zone
    s.flags[u] |= MOVE_USED | HAS_MOVED
    if zone == NEAR[seat]:
        s.flags[u] |= TO_BORDER
    else:
        s.flags[u] &= ~TO_BORDER
    if s.log is not None:
        s.tell(events.MOVED, seat, s.card_of(u), here, zone)
    # Events without listeners are skipped: moves are the most frequent act.
    if s.lasting or s.setup.listened[MOVES]:
        emit_event(s, Happening(MOVES, seat, u, zone=zone))


def spend_attack(s: GeneralsState, u: int) -> None:
    """Use up a general's attack. The declaration is enough (ruling 42)."""
    if s.flags[u] & AGAIN:
        s.flags[u] &= ~AGAIN
    s.flags[u] |= ATTACK_USED


class Recruit(Act):
    """A paid general that comes into play; `other` is the zone. It cannot be answered."""

    def launch(self, s: GeneralsState) -> None:
        stats.end_next_card_effects(s, self.doer, s.setup.kinds[self.kind])
        card = s.land(self.doer, self.kind)
        s.enter(self.unit, card, self.other, True)
        if s.lasting or s.setup.listened[RECRUITED]:
            emit_event(s, Happening(RECRUITED, self.doer, self.unit, zone=self.other))


class Equip(Played):
    """Equipment declared for its bearer."""

    def auto(self, s: GeneralsState) -> None:
        u = self.unit
        armament = bool(s.setup.kinds[self.kind].subtypes & ARMAMENT_CARD)
        if s.in_play(u) and (s.armament[u] if armament else s.troop[u]) < 0:
            s.equip(u, s.land(self.doer, self.kind))
        else:
            s.use_up(self.doer, self.kind)


class Strategy(Played):
    """A Strategy that is not Tactics."""


class Strike(Played):
    """A Tactical Strike. Its cost and its bonus to the plot are fixed by its declaration."""

    def launch(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        spend_attack(s, self.unit)
        frame = self.frame.twin()
        # Fixed now, because effects on the next card end with the declaration.
        frame.bonus = stats.sum_card_changes(s, PLOT, self.doer, kind)
        s.tell(events.STRUCK, self.doer, HIDDEN, self.kind, self.unit)
        await_answer(s, self.with_frame(frame))

    def auto(self, s: GeneralsState) -> None:
        s.felled = 0
        s.stack.append(StrikeDone(self.unit))
        super().auto(s)


class StrikeDone(Step[GeneralsState]):
    """The end of a Tactical Strike."""

    __slots__ = ("unit",)

    def __init__(self, unit: int) -> None:
        super().__init__(NOBODY)
        self.unit: int = unit

    def auto(self, s: GeneralsState) -> None:
        if s.lasting or s.setup.listened[TACTIC_DONE]:
            emit_event(s, Happening(TACTIC_DONE, s.setup.owner[self.unit], self.unit, amount=s.felled))
        s.felled = 0

    def key(self) -> list[int]:
        return [self.unit]


class Activate(Answerable):
    """An active effect of a general; `other` is its number."""

    def active(self, s: GeneralsState) -> Active:
        return s.setup.kinds[s.setup.kind[self.unit]].actives[self.other]

    def launch(self, s: GeneralsState) -> None:
        s.flags[self.unit] |= ACTIVE_USED
        if self.active(s).attack:
            spend_attack(s, self.unit)
        super().launch(s)

    def auto(self, s: GeneralsState) -> None:
        push_script(s, self.active(s).script, self.frame)


class Melee(Answerable):
    """A melee attack; `other` is the defender."""

    def list_aims(self) -> list[int]:
        return [self.other]

    def auto(self, s: GeneralsState) -> None:
        # An answer may have moved or removed one of the two (ruling 47).
        if s.in_play(self.unit) and s.in_play(self.other) and s.zone[self.unit] == s.zone[self.other]:
            fight_melee(s, self.unit, self.other, False, self.doer)
        else:
            s.tell(events.FIZZLED, self.doer, HIDDEN)


class Siege(Answerable):
    """A Siege by one general (rulings 22 to 25)."""

    def auto(self, s: GeneralsState) -> None:
        u = self.unit
        enemy = OPPONENT[self.doer]
        far = FAR[self.doer]
        if not s.in_play(u) or s.zone[u] != far or s.count_standing(enemy, far):
            s.tell(events.FIZZLED, self.doer, HIDDEN)
            return
        done = s.damage(enemy, siege_amount(s, u), True)
        # A lethal Siege has ended the game.
        if s.winner < 0 and (s.lasting or s.setup.listened[SIEGE_DONE]):
            emit_event(s, Happening(SIEGE_DONE, self.doer, u, amount=done))
