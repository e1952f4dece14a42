"""What a seat does in its Main Phase: recruit, move, attack, equip, play Strategies, use active effects.

`hindrance` and `acts_of` say what is possible; the acts themselves are steps that wait for an answer.
"""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.cards import HIDDEN
from gonfalon.core.state import NOBODY, Action, Seat, Step
from gonfalon.games.generals import events, stats
from gonfalon.games.generals.actions import ACTIVE, SIEGE, UNIT, ZONE
from gonfalon.games.generals.choosing import Host
from gonfalon.games.generals.declare import Act, Declare
from gonfalon.games.generals.fall import melee
from gonfalon.games.generals.filters import all_hold
from gonfalon.games.generals.frame import ACTIVE as ACTIVE_MODE
from gonfalon.games.generals.frame import NO_SOURCE, PARTS, PLAIN, TACTIC, Frame
from gonfalon.games.generals.kinds import (
    ARMAMENT_CARD,
    BY_ACTIVE,
    BY_EQUIP,
    BY_MELEE,
    BY_SIEGE,
    BY_STRATEGY,
    BY_STRIKE,
    CHARACTER,
    EQUIPMENT,
    IGNORE_BLOCK,
    MELEE_AFTER_MOVE,
    MOVES,
    NO_ACT,
    NO_CONTEXT,
    NO_COUNTER,
    NO_STRIKE,
    PLOT,
    RECRUIT_TO_BORDER,
    RECRUITED,
    SIEGE_DONE,
    STRATEGY,
    TACTIC_DONE,
    TACTICS,
    Active,
    Kind,
)
from gonfalon.games.generals.kinds import SIEGE as SIEGE_STAT
from gonfalon.games.generals.run import filled, push_script
from gonfalon.games.generals.state import (
    ACTIVE_USED,
    AGAIN,
    ATTACK_USED,
    HAS_MOVED,
    MOVE_USED,
    NEW,
    OPPONENT,
    TO_BORDER,
    GeneralsState,
)
from gonfalon.games.generals.triggers import Happening, happen
from gonfalon.games.generals.windows import UseUp, open_window
from gonfalon.games.generals.zones import BORDER, ENEMY_BORDER, FAR, FORTRESS, NEAR, ZONE_OF

# ---- what is possible -------------------------------------------------------------------------------


def held(s: GeneralsState, u: int) -> bool:
    """Whether an effect keeps a general from moving and attacking."""
    if s.lasting or s.setup.static_bits & NO_ACT:
        return bool(stats.bits(s, u) & NO_ACT)
    return False


def can_move(s: GeneralsState, u: int) -> bool:
    """Whether a general has its move of the turn (rulings 9, 10)."""
    return not s.flags[u] & (NEW | MOVE_USED | ATTACK_USED) and not held(s, u)


def can_attack(s: GeneralsState, u: int, in_melee: bool) -> bool:
    """Whether a general has its attack of the turn."""
    flags = s.flags[u]
    if flags & NEW:
        return False
    if not flags & AGAIN:
        if flags & ATTACK_USED:
            return False
        if flags & MOVE_USED and not (in_melee and stats.bits(s, u) & MELEE_AFTER_MOVE):
            return False
    return not held(s, u)


def can_enter(s: GeneralsState, u: int) -> bool:
    """Whether the blocking rule lets a general move to ENEMY'S BORDER (rulings 4 to 6)."""
    return s.missing_blockers(u) == 0 or bool(stats.bits(s, u) & IGNORE_BLOCK)


def siege_amount(s: GeneralsState, u: int) -> int:
    """What a Siege by a general depletes: Might and what adds to it (ruling 23)."""
    amount = s.might(u) + stats.value(s, SIEGE_STAT, u, NO_CONTEXT, -1)
    return amount if amount > 0 else 0


def can_siege(s: GeneralsState, u: int) -> bool:
    """Whether a general stands where nobody stops its Siege (rulings 22, 23)."""
    seat = s.setup.owner[u]
    far = FAR[seat]
    return s.zone[u] == far and s.standing(OPPONENT[seat], far) == 0 and s.might(u) > 0


def foes_at(s: GeneralsState, u: int) -> list[int]:
    """Whom a general can attack in melee: the enemies in its zone (rulings 12, 13), ascending."""
    zone = s.zone[u]
    if zone != NEAR[0] and zone != NEAR[1]:
        return []
    at = s.zone
    found = [v for v in s.army[OPPONENT[s.setup.owner[u]]] if at[v] == zone]
    found.sort()
    return found


def active_frame(s: GeneralsState, u: int) -> Frame:
    """The frame of a general's active effect."""
    return Frame(s.setup.owner[u], u * PARTS, s.setup.kind[u], u, u, -1, 0, ACTIVE_MODE)


# Why something is not possible; the sentences are in reasons.py.
FINE: Final = 0
NOT_PLAYED: Final = 1  # a Counter, on one's own turn
NAME_TAKEN: Final = 2
COST: Final = 3
RESOURCE_COST: Final = 4
SACRIFICE_COST: Final = 5
REQUIRES: Final = 6
NO_TARGET: Final = 7
NO_EXECUTOR: Final = 8
NO_BEARER: Final = 9
USED_ALREADY: Final = 10
NO_ATTACK: Final = 11
NOT_UNIQUE: Final = 12


def active_hindrance(s: GeneralsState, u: int, active: Active) -> int:
    """Why a general cannot use an active effect; FINE when it can."""
    seat = s.setup.owner[u]
    if s.flags[u] & ACTIVE_USED:
        return USED_ALREADY
    if active.hand > len(s.hand[seat]):
        return COST
    if active.resource > len(s.deck[seat]):
        return RESOURCE_COST
    if active.sacrifice > len(s.army[seat]) - 1:
        return SACRIFICE_COST
    if active.attack and not can_attack(s, u, False):
        return NO_ATTACK
    if active.conds or active.script.choices:
        f = filled(active.script, active_frame(s, u))
        if active.conds and not all_hold(active.conds, s, f):
            return REQUIRES
        if not active.script.possible(s, f):
            return NO_TARGET
    return FINE


def has_act(s: GeneralsState, u: int) -> bool:
    """Whether a general can do anything now."""
    flags = s.flags[u]
    if not flags & NEW and (not flags & (MOVE_USED | ATTACK_USED) or flags & (AGAIN | MOVE_USED)):
        if can_move(s, u):
            return True
        if can_attack(s, u, True) and foes_at(s, u):
            return True
        if can_siege(s, u) and can_attack(s, u, False):
            return True
    if not flags & ACTIVE_USED:
        for active in s.setup.kinds[s.setup.kind[u]].actives:
            if active_hindrance(s, u, active) == FINE:
                return True
    return False


def acts_of(s: GeneralsState, u: int) -> list[Action]:
    """What a general can do now: a Siege, a zone to move to, an active effect, an enemy to attack."""
    out: list[Action] = []
    seat = s.setup.owner[u]
    if can_siege(s, u) and can_attack(s, u, False):
        out.append(SIEGE)
    if can_move(s, u):
        here = ZONE_OF[seat][s.zone[u]]
        if here != FORTRESS:
            out.append(ZONE + FORTRESS)
        if here != BORDER:
            out.append(ZONE + BORDER)
        if here != ENEMY_BORDER and can_enter(s, u):
            out.append(ZONE + ENEMY_BORDER)
    if not s.flags[u] & ACTIVE_USED:
        actives = s.setup.kinds[s.setup.kind[u]].actives
        out += [ACTIVE + i for i in range(len(actives)) if active_hindrance(s, u, actives[i]) == FINE]
    if can_attack(s, u, True):
        out += [UNIT + v for v in foes_at(s, u)]
    return out


def bearers(s: GeneralsState, seat: Seat, kind: Kind) -> list[int]:
    """Who can be equipped with a card (rulings 37, 38), ascending."""
    setup = s.setup
    armament = kind.armament
    if armament:
        for u in s.army[seat]:
            worn = s.armament[u]
            if worn >= 0 and setup.kinds[worn].name_number == kind.name_number:
                return []
    found: list[int] = []
    for u in s.army[seat]:
        if (s.armament[u] if armament else s.troop[u]) < 0:
            if kind.host_factions and not kind.host_factions >> setup.faction[u] & 1:
                continue
            if kind.host_names and setup.name[u] not in kind.host_names:
                continue
            found.append(u)
    found.sort()
    return found


def strike_frame(s: GeneralsState, seat: Seat, kind: Kind, u: int) -> Frame:
    """The frame of Tactics with an executor."""
    f = Frame(seat, NO_SOURCE, kind.id, u, u, -1, 0, TACTIC)
    assert kind.script is not None
    return filled(kind.script, f)


def can_execute(s: GeneralsState, seat: Seat, kind: Kind, u: int) -> bool:
    """Whether a general can execute Tactics (rulings 17 to 19)."""
    if s.flags[u] & (NEW | ATTACK_USED | MOVE_USED) and not can_attack(s, u, False):
        return False
    if stats.bits(s, u) & (NO_STRIKE | NO_ACT):
        return False
    f = strike_frame(s, seat, kind, u)
    assert kind.script is not None
    return (not kind.requires or all_hold(kind.requires, s, f)) and kind.script.possible(s, f)


def executors(s: GeneralsState, seat: Seat, kind: Kind) -> list[int]:
    """Who can execute Tactics, ascending."""
    if not s.army[OPPONENT[seat]]:
        return []
    found = [u for u in s.army[seat] if can_execute(s, seat, kind, u)]
    found.sort()
    return found


def strategy_frame(seat: Seat, kind: Kind) -> Frame:
    """The frame of a Strategy."""
    assert kind.script is not None
    return filled(kind.script, Frame(seat, NO_SOURCE, kind.id, -1, -1, -1, 0, PLAIN))


def hindrance(s: GeneralsState, seat: Seat, kind: Kind) -> int:
    """Why a card of the hand cannot be played in the Main Phase; FINE when it can."""
    left = len(s.hand[seat]) - 1
    type = kind.type
    if type == CHARACTER:
        u = s.setup.unit_of[seat][kind.id]
        if s.name_taken(u):
            return NAME_TAKEN
        return FINE if stats.cost(s, seat, kind) <= left else COST
    if type in (STRATEGY, EQUIPMENT):
        if stats.cost(s, seat, kind) > left:
            return COST
        if kind.resource > len(s.deck[seat]):
            return RESOURCE_COST
        # Whoever bears or executes it cannot be its price.
        kept = 1 if type == EQUIPMENT or kind.subtypes & TACTICS else 0
        if kind.sacrifice and kind.sacrifice > len(s.army[seat]) - kept:
            return SACRIFICE_COST
        if type == EQUIPMENT:
            return FINE if bearers(s, seat, kind) else NO_BEARER
        if kind.subtypes & TACTICS:
            return FINE if executors(s, seat, kind) else NO_EXECUTOR
        assert kind.script is not None
        if kind.requires or kind.script.choices:
            f = strategy_frame(seat, kind)
            if kind.requires and not all_hold(kind.requires, s, f):
                return REQUIRES
            if not kind.script.possible(s, f):
                return NO_TARGET
        return FINE
    return NOT_PLAYED


# ---- playing a card ---------------------------------------------------------------------------------


def play_card(s: GeneralsState, seat: Seat, kind: Kind) -> None:
    """Declare a card of the hand: it is shown, and the next questions are asked."""
    s.lift(seat, kind.id)
    if kind.type == CHARACTER:
        u = s.setup.unit_of[seat][kind.id]
        may_choose = s.setup.static_bits & RECRUIT_TO_BORDER or s.lasting
        if may_choose and stats.seat_bits(s, seat) & RECRUIT_TO_BORDER:
            s.stack.append(Placement(seat, kind.id, u))
        else:
            recruit(s, seat, kind, u, FORTRESS)
    elif kind.type == EQUIPMENT:
        s.stack.append(Bearer(seat, kind.id))
    elif kind.subtypes & TACTICS:
        s.stack.append(Executor(seat, kind.id))
    else:
        assert kind.script is not None
        act = Strategy(seat, BY_STRATEGY, kind.id, -1, -1, strategy_frame(seat, kind))
        declare(s, act, kind)


def declare(s: GeneralsState, act: Act, kind: Kind) -> None:
    """Have the choices made and the costs paid of a card that is in the air."""
    choices = kind.script.choices if kind.script is not None else []
    s.stack.append(Declare(act, choices, stats.cost(s, act.doer, kind), kind.resource, kind.sacrifice))


def recruit(s: GeneralsState, seat: Seat, kind: Kind, u: int, place: int) -> None:
    """Pay for a general that will come into play at a place."""
    frame = Frame(seat, NO_SOURCE, kind.id, u)
    declare(s, Recruit(seat, -1, kind.id, u, ZONE_OF[seat][place], frame), kind)


class Placement(Step[GeneralsState]):
    """A general may come into play at the BORDER instead of the FORTRESS."""

    __slots__ = ("kind", "unit")
    prompt: ClassVar[str] = "place"

    def __init__(self, seat: Seat, kind: int, unit: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.unit: int = unit

    def options(self, s: GeneralsState) -> list[Action]:
        return PLACES

    def choose(self, s: GeneralsState, action: Action) -> None:
        recruit(s, self.seat, s.setup.kinds[self.kind], self.unit, action - ZONE)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.unit]


PLACES: Final[list[Action]] = [ZONE + FORTRESS, ZONE + BORDER]


class Bearer(Step[GeneralsState]):
    """Choose who is equipped."""

    __slots__ = ("kind",)
    prompt: ClassVar[str] = "bearer"

    def __init__(self, seat: Seat, kind: int) -> None:
        super().__init__(seat)
        self.kind: int = kind

    def options(self, s: GeneralsState) -> list[Action]:
        return [UNIT + u for u in bearers(s, self.seat, s.setup.kinds[self.kind])]

    def choose(self, s: GeneralsState, action: Action) -> None:
        kind = s.setup.kinds[self.kind]
        u = action - UNIT
        frame = Frame(self.seat, NO_SOURCE, self.kind, u, u)
        declare(s, Equip(self.seat, BY_EQUIP, self.kind, u, -1, frame), kind)

    def key(self) -> list[int]:
        return [self.seat, self.kind]


class Executor(Step[GeneralsState]):
    """Choose who executes Tactics (ruling 18)."""

    __slots__ = ("kind",)
    prompt: ClassVar[str] = "executor"

    def __init__(self, seat: Seat, kind: int) -> None:
        super().__init__(seat)
        self.kind: int = kind

    def options(self, s: GeneralsState) -> list[Action]:
        return [UNIT + u for u in executors(s, self.seat, s.setup.kinds[self.kind])]

    def choose(self, s: GeneralsState, action: Action) -> None:
        kind = s.setup.kinds[self.kind]
        u = action - UNIT
        act = Strike(self.seat, BY_STRIKE, self.kind, u, -1, strike_frame(s, self.seat, kind, u))
        declare(s, act, kind)

    def key(self) -> list[int]:
        return [self.seat, self.kind]


# ---- acting with a general --------------------------------------------------------------------------


def act(s: GeneralsState, u: int, action: Action) -> None:
    """What was chosen for a general, of `acts_of`."""
    seat = s.setup.owner[u]
    if action == SIEGE:
        attacks(s, u)
        s.sieges += 1
        s.tell(events.BESIEGED, seat, s.card_of(u))
        Siege(seat, BY_SIEGE, -1, u, -1, Frame(seat, u * PARTS, -1, u, u)).launch(s)
    elif action >= UNIT:
        attacks(s, u)
        s.tell(events.ATTACKED, seat, s.card_of(u), action - UNIT)
        Melee(seat, BY_MELEE, -1, u, action - UNIT, Frame(seat, u * PARTS, -1, u, u, action - UNIT)).launch(s)
    elif action >= ACTIVE:
        active = s.setup.kinds[s.setup.kind[u]].actives[action - ACTIVE]
        frame = filled(active.script, active_frame(s, u))
        s.tell(events.ACTIVATED, seat, s.card_of(u), action - ACTIVE)
        used = Activate(seat, BY_ACTIVE, -1, u, action - ACTIVE, frame)
        s.stack.append(Declare(used, active.script.choices, active.hand, active.resource, active.sacrifice))
    else:
        move(s, u, ZONE_OF[seat][action - ZONE])


def move(s: GeneralsState, u: int, zone: int) -> None:
    """A general's move of the turn."""
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
    if s.lasting or s.setup.listened[MOVES]:
        happen(s, Happening(MOVES, seat, u, zone=zone))


def attacks(s: GeneralsState, u: int) -> None:
    """A general spends its attack; the declaration is enough (ruling 42)."""
    if s.flags[u] & AGAIN:
        s.flags[u] &= ~AGAIN
    s.flags[u] |= ATTACK_USED


class Recruit(Act):
    """A general that is paid for comes into play; `other` is the zone. Nothing answers that."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return Recruit(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def launch(self, s: GeneralsState) -> None:
        stats.spend_next(s, self.doer, s.setup.kinds[self.kind])
        card = s.land(self.doer, self.kind)
        s.enter(self.unit, card, self.other, True)
        if s.lasting or s.setup.listened[RECRUITED]:
            happen(s, Happening(RECRUITED, self.doer, self.unit, zone=self.other))


class Equip(Act):
    """Equipment on its way to its bearer."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return Equip(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def launch(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        barred = stats.next_card_bits(s, self.doer, kind) & NO_COUNTER
        stats.spend_next(s, self.doer, kind)
        s.stack.append(self)
        if not barred:
            open_window(s, self)

    def auto(self, s: GeneralsState) -> None:
        u = self.unit
        armament = bool(s.setup.kinds[self.kind].subtypes & ARMAMENT_CARD)
        if s.in_play(u) and (s.armament[u] if armament else s.troop[u]) < 0:
            s.equip(u, s.land(self.doer, self.kind))
        else:
            s.use_up(self.doer, self.kind)


class Strategy(Act):
    """A Strategy that is not Tactics."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return Strategy(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def launch(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        barred = stats.next_card_bits(s, self.doer, kind) & NO_COUNTER
        stats.spend_next(s, self.doer, kind)
        s.stack.append(self)
        if not barred:
            open_window(s, self)

    def auto(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        s.stack.append(UseUp(self.doer, self.kind))
        assert kind.script is not None
        push_script(s, kind.script, self.frame)


class Strike(Act):
    """A Tactical Strike. Its cost, and what the plot gains from cards, are those of its declaration."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return Strike(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def launch(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        attacks(s, self.unit)
        frame = self.frame.twin()
        frame.bonus = stats.on_card(s, PLOT, self.doer, kind)
        barred = stats.next_card_bits(s, self.doer, kind) & NO_COUNTER
        stats.spend_next(s, self.doer, kind)
        s.tell(events.STRUCK, self.doer, HIDDEN, self.kind, self.unit)
        strike = Strike(self.doer, self.code, self.kind, self.unit, self.other, frame)
        s.stack.append(strike)
        if not barred:
            open_window(s, strike)

    def auto(self, s: GeneralsState) -> None:
        kind = s.setup.kinds[self.kind]
        s.felled = 0
        s.stack.append(StrikeDone(self.unit))
        s.stack.append(UseUp(self.doer, self.kind))
        assert kind.script is not None
        push_script(s, kind.script, self.frame)


class StrikeDone(Step[GeneralsState]):
    """After a Tactical Strike."""

    __slots__ = ("unit",)

    def __init__(self, unit: int) -> None:
        super().__init__(NOBODY)
        self.unit: int = unit

    def auto(self, s: GeneralsState) -> None:
        if s.lasting or s.setup.listened[TACTIC_DONE]:
            happen(s, Happening(TACTIC_DONE, s.setup.owner[self.unit], self.unit, amount=s.felled))
        s.felled = 0

    def key(self) -> list[int]:
        return [self.unit]


class Activate(Act):
    """An active effect of a general; `other` is its number."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return Activate(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def active(self, s: GeneralsState) -> Active:
        return s.setup.kinds[s.setup.kind[self.unit]].actives[self.other]

    def launch(self, s: GeneralsState) -> None:
        s.flags[self.unit] |= ACTIVE_USED
        if self.active(s).attack:
            attacks(s, self.unit)
        s.stack.append(self)
        open_window(s, self)

    def auto(self, s: GeneralsState) -> None:
        push_script(s, self.active(s).script, self.frame)


class Melee(Act):
    """A melee attack; `other` is the defender."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return self

    def launch(self, s: GeneralsState) -> None:
        s.stack.append(self)
        open_window(s, self)

    def aims(self) -> list[int]:
        return [self.other]

    def auto(self, s: GeneralsState) -> None:
        if s.in_play(self.unit) and s.in_play(self.other) and s.zone[self.unit] == s.zone[self.other]:
            melee(s, self.unit, self.other, False, self.doer)
        else:
            s.tell(events.FIZZLED, self.doer, HIDDEN)


class Siege(Act):
    """A Siege by one general (rulings 22 to 25)."""

    __slots__ = ()

    def having(self, frame: Frame) -> Host:
        return self

    def launch(self, s: GeneralsState) -> None:
        s.stack.append(self)
        open_window(s, self)

    def auto(self, s: GeneralsState) -> None:
        u = self.unit
        enemy = OPPONENT[self.doer]
        far = FAR[self.doer]
        if not s.in_play(u) or s.zone[u] != far or s.standing(enemy, far):
            s.tell(events.FIZZLED, self.doer, HIDDEN)
            return
        done = s.damage(enemy, siege_amount(s, u), True)
        if s.winner < 0 and (s.lasting or s.setup.listened[SIEGE_DONE]):
            happen(s, Happening(SIEGE_DONE, self.doer, u, amount=done))
