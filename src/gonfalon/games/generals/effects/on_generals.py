"""The operations of the effect language: each says what it does in one sentence, and does it. Those on hands, RESOURCE
and DISCARD are in draws.py."""

from __future__ import annotations

from typing import Final

from gonfalon.core.cards import HIDDEN
from gonfalon.core.state import Seat
from gonfalon.games.generals.effects.filters import Cond, Ref, all_hold
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, OTHER, PARTS, TACTIC, TROOP, Frame
from gonfalon.games.generals.effects.on_cards import player
from gonfalon.games.generals.effects.run import Op, Run
from gonfalon.games.generals.effects.targets import Target
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.cards import FOR_ENEMY_TURN, FOR_TURN, ON_ENEMY, Mod, Rule, Trigger
from gonfalon.games.generals.rules.casualties import Blow, melee, strike_down
from gonfalon.games.generals.rules.counters import negate
from gonfalon.games.generals.rules.questions import Host
from gonfalon.games.generals.rules.state import AGAIN, ATTACK_USED, BOTH, MOVE_USED, OPPONENT, RETURNED, GeneralsState
from gonfalon.games.generals.rules.stats import LAST_MOD, LAST_RULE, LAST_TRIGGER
from gonfalon.games.generals.rules.zones import AWAY, FAR, ZONE_OF

FOREVER: Final = 1 << 30


def expires(s: GeneralsState, f: Frame, until: int) -> int:
    """The number of the turn after which a temporary effect ends (ruling 45)."""
    if until == FOR_TURN:
        return s.number
    if until == FOR_ENEMY_TURN:
        return s.number + (1 if s.active == f.seat else 2)
    return FOREVER


def nobody(target: Target | None, s: GeneralsState, f: Frame) -> bool:
    """Whether an operation is about generals of whom there is none; those that are chosen are there."""
    return target is not None and target.variable < 0 and not target.units(s, f)


class Modify(Op):
    """A number changes for a time: of generals, of the next card, or of a player's whole Upkeep."""

    __slots__ = ("mod", "target")

    def __init__(self, mod: Mod, target: Target | None) -> None:
        super().__init__()
        self.mod: Mod = mod
        self.target: Target | None = target

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return nobody(self.target, s, f)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        mod = self.mod
        amount = mod.amount(s, f)
        last = expires(s, f, mod.until)
        if self.target is None:
            seat = OPPONENT[f.seat] if mod.on == ON_ENEMY else f.seat
            s.lasting = [*s.lasting, (LAST_MOD, mod.index, seat, -1, amount, last, f.source, f.kind)]
            s.tell(events.CHANGED, seat, HIDDEN, mod.stat, amount)
            return
        for u in self.target.units(s, f):
            s.lasting = [*s.lasting, (LAST_MOD, mod.index, f.seat, u, amount, last, f.source, f.kind)]
            s.tell(events.CHANGED, s.setup.owner[u], s.card_of(u), mod.stat, amount)


class Forbid(Op):
    """Something is forbidden or allowed for a time."""

    __slots__ = ("rule", "target")

    def __init__(self, rule: Rule, target: Target | None) -> None:
        super().__init__()
        self.rule: Rule = rule
        self.target: Target | None = target

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return nobody(self.target, s, f)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        rule = self.rule
        last = expires(s, f, rule.until)
        if self.target is None:
            seat = OPPONENT[f.seat] if rule.on == ON_ENEMY else f.seat
            s.lasting = [*s.lasting, (LAST_RULE, rule.index, seat, -1, 0, last, f.source, f.kind)]
            s.tell(events.BARRED, seat, HIDDEN, rule.bit)
            return
        for u in self.target.units(s, f):
            s.lasting = [*s.lasting, (LAST_RULE, rule.index, f.seat, u, 0, last, f.source, f.kind)]
            s.tell(events.BARRED, s.setup.owner[u], s.card_of(u), rule.bit)


class Move(Op):
    """Generals are put in a zone. It is not their move; blocking holds unless it says so (ruling 11)."""

    __slots__ = ("target", "place", "ignore_block")

    def __init__(self, target: Target, place: int, ignore_block: bool) -> None:
        super().__init__()
        self.target: Target = target
        self.place: int = place
        self.ignore_block: bool = ignore_block

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        if self.target.variable >= 0:
            return False
        zone = ZONE_OF[f.seat][self.place]
        return all(s.zone[u] == zone or self.blocked(s, u, zone) for u in self.target.units(s, f))

    def blocked(self, s: GeneralsState, u: int, zone: int) -> bool:
        return zone == FAR[s.setup.owner[u]] and not self.ignore_block and s.missing_blockers(u) > 0

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            self.shift(s, u, ZONE_OF[f.seat][self.place])

    def shift(self, s: GeneralsState, u: int, zone: int) -> None:
        """One of them, unless it is there already or the way is blocked."""
        seat = s.setup.owner[u]
        here = s.zone[u]
        if here == zone:
            return
        if self.blocked(s, u, zone):
            s.tell(events.FIZZLED, seat, s.card_of(u))
            return
        s.zone[u] = zone
        s.tell(events.SHIFTED, seat, s.card_of(u), here, zone)


SUCCESS_CASUALTY: Final = 0
SUCCESS_DUEL: Final = 1
SUCCESS_SCRIPT: Final = 2


class Plot(Op):
    """Wits against Wits: whoever has less than the plotter suffers the success (rulings 20, 21)."""

    __slots__ = ("by", "target", "bonus", "success", "inner", "hit", "lowest")

    def __init__(
        self, by: Ref, target: Target, bonus: int, success: int, inner: list[Op], hit: int, lowest: bool
    ) -> None:
        super().__init__()
        self.by: Ref = by
        self.target: Target = target
        self.bonus: int = bonus
        self.success: int = success
        self.inner: list[Op] = inner
        self.hit: int = hit
        self.lowest: bool = lowest

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        u = self.by.unit(f)
        targets = self.target.units(s, f)
        if not s.in_play(u) or not targets:
            s.tell(events.FIZZLED, f.seat, HIDDEN)
            return
        mine = s.wits(u) + self.bonus + f.bonus
        aimed = targets
        if self.lowest:
            least = min([s.wits(v) for v in targets])
            aimed = [v for v in targets if s.wits(v) == least][:1]
        hits: list[int] = []
        for v in aimed:
            theirs = s.wits(v)
            s.tell(events.PLOTTED, s.setup.owner[v], s.card_of(v), mine, theirs)
            if theirs < mine:
                hits.append(v)
        if not hits:
            return
        if self.success == SUCCESS_CASUALTY:
            strike_down(s, hits, Blow(f.seat, plotter=u if f.mode == TACTIC else -1))
        elif self.success == SUCCESS_DUEL:
            if len(targets) > 1:
                melee(s, targets[0], targets[1], True, f.seat)
        else:
            s.stack.append(Run(self.inner, 0, f.put(self.hit, hits)))


class Kill(Op):
    """Generals are sent to CASUALTY without a comparison; nobody defeats them."""

    __slots__ = ("target",)

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target: Target = target

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return nobody(self.target, s, f)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        victims = self.target.units(s, f)
        if victims:
            strike_down(s, victims, Blow(f.seat))
        else:
            s.tell(events.FIZZLED, f.seat, HIDDEN)


class Duel(Op):
    """Two generals fight a melee against each other at once."""

    __slots__ = ("a", "b")

    def __init__(self, a: Target, b: Target) -> None:
        super().__init__()
        self.a: Target = a
        self.b: Target = b

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        first = self.a.units(s, f)
        second = self.b.units(s, f)
        if first and second and first[0] != second[0]:
            melee(s, first[0], second[0], True, f.seat)
        else:
            s.tell(events.FIZZLED, f.seat, HIDDEN)


class Negate(Op):
    """The answered act does nothing; what was paid for it is lost (ruling 42)."""

    __slots__ = ()

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        act = negate(s)
        if act is not None:
            s.tell(events.NEGATED, act.doer, HIDDEN, act.code)


class Bounce(Op):
    """Generals return to their owner's hand, their Equipment goes to DISCARD. All have seen them."""

    __slots__ = ("target",)

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target: Target = target

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return nobody(self.target, s, f)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            seat = s.setup.owner[u]
            card = s.leave(u, AWAY) | BOTH
            s.hand[seat].append(card)
            s.flags[u] = RETURNED
            s.tell(events.RETURNED, seat, card)


class Exile(Op):
    """Generals, or (without a target) the card itself, go Out of game."""

    __slots__ = ("target",)

    def __init__(self, target: Target | None) -> None:
        super().__init__()
        self.target: Target | None = target

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        if self.target is not None:
            for u in self.target.units(s, f):
                self.out(s, u)
        elif f.source < 0:
            card = s.land(f.seat, f.kind)
            if card >= 0:
                self.lay(s, f.seat, card)
        elif f.source % PARTS == GENERAL:
            if s.in_play(f.source // PARTS):
                self.out(s, f.source // PARTS)
        elif f.source % PARTS != OTHER:
            u = f.source // PARTS
            armament = f.source % PARTS == ARMAMENT
            if (s.armament[u] if armament else s.troop[u]) == f.kind:
                self.lay(s, f.seat, s.strip(u, armament))

    def out(self, s: GeneralsState, u: int) -> None:
        """A general in play."""
        self.lay(s, s.setup.owner[u], s.leave(u, AWAY))

    def lay(self, s: GeneralsState, seat: Seat, card: int) -> None:
        s.out[seat].append(card | BOTH)
        s.tell(events.EXILED, seat, card | BOTH)


class Ready(Op):
    """Generals may act again, or attack again."""

    __slots__ = ("target", "attack")

    def __init__(self, target: Target, attack: bool) -> None:
        super().__init__()
        self.target: Target = target
        self.attack: bool = attack

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return nobody(self.target, s, f)

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            if self.attack:
                s.flags[u] |= AGAIN
            else:
                s.flags[u] &= ~(MOVE_USED | ATTACK_USED)
            s.tell(events.READIED, s.setup.owner[u], s.card_of(u), int(self.attack))


class Substitute(Op):
    """Another general falls instead; `Fall` sees to it."""

    __slots__ = ()

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        pass


class Mark(Op):
    """Marks are put on the card, or (`general`) on its general."""

    __slots__ = ("count", "general")

    def __init__(self, count: int, general: bool) -> None:
        super().__init__()
        self.count: int = count
        self.general: bool = general

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        source = f.me * PARTS + GENERAL if self.general else f.source
        if source < 0:
            return
        u = source // PARTS
        part = source % PARTS
        here = part == OTHER or (part == GENERAL and s.in_play(u))
        if part in (ARMAMENT, TROOP):
            here = (s.armament[u] if part == ARMAMENT else s.troop[u]) == f.kind
        if here:
            s.marks[source] += self.count
            kind = s.setup.kind[u] if part == GENERAL else f.kind
            s.tell(events.MARKED, f.seat, kind | BOTH, s.marks[source])


class Choose(Op):
    """Generals are chosen for what follows; the choice is all there is to it."""

    __slots__ = ()

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return True  # what is chosen for says what it would do

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        pass


class If(Op):
    """One list of operations or another."""

    __slots__ = ("conds", "then", "other")

    def __init__(self, conds: list[Cond], then: list[Op], other: list[Op]) -> None:
        super().__init__()
        self.conds: list[Cond] = conds
        self.then: list[Op] = then
        self.other: list[Op] = other

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return all(op.idle(s, f) for op in (self.then if all_hold(self.conds, s, f) else self.other))

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        ops = self.then if all_hold(self.conds, s, f) else self.other
        if ops:
            s.stack.append(Run(ops, 0, f))


class Delayed(Op):
    """A trigger for a time."""

    __slots__ = ("trigger", "until")

    def __init__(self, trigger: Trigger, until: int) -> None:
        super().__init__()
        self.trigger: Trigger = trigger
        self.until: int = until

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        last = expires(s, f, self.until)
        s.lasting = [*s.lasting, (LAST_TRIGGER, self.trigger.index, f.seat, f.me, 0, last, f.source, f.kind)]
        s.tell(events.LASTING, f.seat, HIDDEN, f.kind)


class Win(Op):
    """A special victory (ruling 64)."""

    __slots__ = ("mine",)

    def __init__(self, mine: bool) -> None:
        super().__init__()
        self.mine: bool = mine

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        s.finish(player(f, self.mine), events.BY_CARD, f.kind)
