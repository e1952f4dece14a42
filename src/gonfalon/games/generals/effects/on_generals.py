"""The operations of the effect language on generals and on the course of the game.

The docstring of each class is its explanation in effects.md. Its `__init__` reads the operation from a table, and `run`
carries it out.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.state import Seat
from gonfalon.games.generals.cards.checks import Entry
from gonfalon.games.generals.effects import forms
from gonfalon.games.generals.effects.filters import VARIABLE, Cond, Ref, all_hold
from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, OTHER, PARTS, TACTIC, TROOP, Frame
from gonfalon.games.generals.effects.language import Operation, require_kinds
from gonfalon.games.generals.effects.on_cards import ForPlayer
from gonfalon.games.generals.effects.reading import PLACES, Read
from gonfalon.games.generals.effects.run import DecisionBounds, Op, Run
from gonfalon.games.generals.effects.targets import Target
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.acts.counters import negate_act
from gonfalon.games.generals.rules.acts.questions import Host
from gonfalon.games.generals.rules.cards import Script
from gonfalon.games.generals.rules.casualties import Blow, fight_melee, strike_down
from gonfalon.games.generals.rules.state import AGAIN, ATTACK_USED, BOTH, MOVE_USED, RETURNED, GeneralsState
from gonfalon.games.generals.rules.zones import AWAY, FAR, ZONE_OF

THIS: Final = {"ref": "this"}


class Aimed(Op):
    """An operation on generals. It does nothing if there are none."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.target: Target = r.target("target")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return self.target.is_empty(s, f)


class Move(Aimed):
    """Puts generals in a zone, `to`. It is not their move of the turn. The blocking rule holds unless `ignore_block =
    true`. Only the enemy's generals can be sent to `ENEMY_FORTRESS`."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.place: int = PLACES[r.table["to"]]
        self.ignore_block: bool = r.flag("ignore_block")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        if self.target.variable >= 0:
            return False
        zone = ZONE_OF[f.seat][self.place]
        return all(s.zone[u] == zone or self.blocked(s, u, zone) for u in self.target.units(s, f))

    def blocked(self, s: GeneralsState, u: int, zone: int) -> bool:
        """Return whether the blocking rule keeps a general out of a zone (ruling 11)."""
        return zone == FAR[s.setup.owner[u]] and not self.ignore_block and s.missing_blockers(u) > 0

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            self.shift(s, u, ZONE_OF[f.seat][self.place])

    def shift(self, s: GeneralsState, u: int, zone: int) -> None:
        """Move one general, unless it is there already or the zone is blocked."""
        seat = s.setup.owner[u]
        here = s.zone[u]
        if here == zone:
            return
        if self.blocked(s, u, zone):
            s.tell(events.FIZZLED, seat, s.card_of(u))
            return
        s.zone[u] = zone
        s.tell(events.SHIFTED, seat, s.card_of(u), here, zone)


def _check_destination(e: Entry) -> None:
    """Check that a player's own generals never enter the enemy's FORTRESS (ruling 3)."""
    target = e.table.get("target")
    if e.table.get("to") == "ENEMY_FORTRESS":
        ref = str(target.get("ref")) if isinstance(target, dict) else ""
        theirs = isinstance(target, dict) and target.get("side") == "enemy"
        if not theirs and ref != "hit" and e.scope.stored.get(ref) != "enemy":
            e.fault("your generals never enter the ENEMY_FORTRESS (ruling 3)", "ENEMY_FORTRESS")


Operation(
    "move", Move, {"target": forms.generals, "to": forms.place, "ignore_block?": forms.flag}, check=_check_destination
)

SUCCESS_CASUALTY: Final = 0
SUCCESS_DUEL: Final = 1
SUCCESS_SCRIPT: Final = 2
SUCCESSES: Final = ["casualty", "duel_targets"]


class Plot(Op):
    """Compares the Wits of the general `by`, plus `bonus`, with the Wits of each target. Where they are higher the
    `success` happens: `casualty`, `duel_targets` (two targets fight a melee against each other), or a list of
    operations on the targets that were `hit`."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        success = r.table["success"]
        by = r.target("by")
        self.by: Ref = by.ref if by.ref is not None else Ref(VARIABLE, by.variable)
        self.target: Target = r.target("target", more=r.variables.tactic and success != "duel_targets")
        self.bonus: int = r.number("bonus")
        self.success: int = SUCCESSES.index(success) if isinstance(success, str) else SUCCESS_SCRIPT
        self.inner: list[Op] = []
        self.hit: int = -1
        self.lowest: bool = r.table["target"].get("plot_only") == "lowest_wits"
        if self.success == SUCCESS_SCRIPT:
            names = r.variables.names
            # A plot within a plot has its own `hit`; the outer one is visible again after it.
            outer = names.get("hit")
            self.hit = r.variables.add("hit")
            self.inner = r.ops("success")
            if outer is None:
                del names["hit"]
            else:
                names["hit"] = outer

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return bounds.bound_targets(self.target, script) * bounds.spared

    def list_inner(self, delayed: bool) -> list[Op]:
        return self.inner

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        u = self.by.unit(f)
        targets = self.target.units(s, f)
        if not s.in_play(u) or not targets:
            s.tell(events.FIZZLED, f.seat, HIDDEN)
            return
        # `f.bonus` was fixed when the Tactics were declared; Wits count as they are now.
        wits = s.wits(u) + self.bonus + f.bonus
        aimed = targets
        if self.lowest:
            least = min([s.wits(v) for v in targets])
            # Of several with the lowest Wits the first in the card list is plotted against.
            aimed = [v for v in targets if s.wits(v) == least][:1]
        hits: list[int] = []
        for v in aimed:
            against = s.wits(v)
            s.tell(events.PLOTTED, s.setup.owner[v], s.card_of(v), wits, against)
            if against < wits:
                hits.append(v)
        if not hits:
            return
        if self.success == SUCCESS_CASUALTY:
            strike_down(s, hits, Blow(f.seat, plotter=u if f.mode == TACTIC else -1))
        elif self.success == SUCCESS_DUEL:
            if len(targets) > 1:
                fight_melee(s, targets[0], targets[1], True, f.seat)
        else:
            s.stack.append(Run(self.inner, 0, f.with_variable(self.hit, hits)))


def _check_plotter(e: Entry) -> None:
    if not (e.value == {"ref": "choose:targeted"} and e.scope.targeted):
        e.checks.reference(e.value, e.inside, e.scope, e.scope.generals & {"executor", "self"})


def _check_success(e: Entry) -> None:
    if isinstance(e.value, list):
        inner = e.scope.inner("hit")
        inner.targeted = False
        e.checks.operations(e.value, e.inside, inner)
    else:
        e.checks.word(e.value, SUCCESSES, e.place, "success, unless a list of operations,")


Operation(
    "plot",
    Plot,
    {"by": _check_plotter, "target": forms.generals, "bonus": forms.whole(-20, 20), "success": _check_success},
    check=require_kinds("only Tactics and responses to them can plot (ruling 18)", "tactic", "response"),
)


class Kill(Aimed):
    """Sends generals to CASUALTY without a comparison. This is not an event `defeats` of any general."""

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return bounds.bound_targets(self.target, script) * bounds.spared

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        victims = self.target.units(s, f)
        if victims:
            strike_down(s, victims, Blow(f.seat))
        else:
            s.tell(events.FIZZLED, f.seat, HIDDEN)


Operation("kill", Kill, {"target": forms.generals}, repeats=("replace",))


class Duel(Op):
    """Two generals, `a` and `b`, fight a melee at once. The winner has won a melee, but neither attacks or defends in
    it."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.a: Target = r.target("a")
        self.b: Target = r.target("b")

    def count_decisions(self, bounds: DecisionBounds, script: Script) -> int:
        return 2 * bounds.spared

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        first = self.a.units(s, f)
        second = self.b.units(s, f)
        # A general may have left play since it was chosen (ruling 47).
        if first and second and first[0] != second[0]:
            fight_melee(s, first[0], second[0], True, f.seat)
        else:
            s.tell(events.FIZZLED, f.seat, HIDDEN)


Operation("duel", Duel, {"a": forms.generals, "b": forms.generals}, repeats=("trigger", "replace"))


class Negate(Op):
    """The answered act has no effect. Its costs remain paid."""

    def __init__(self, r: Read) -> None:
        super().__init__()

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        act = negate_act(s)
        if act is not None:
            s.tell(events.NEGATED, act.doer, HIDDEN, act.code)


Operation("negate", Negate, {}, check=require_kinds("only a response can negate", "response"))


class Bounce(Aimed):
    """Generals return to their owner's hand; their Equipment goes to DISCARD."""

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            seat = s.setup.owner[u]
            card = s.leave(u, AWAY) | BOTH  # it was open on the battlefield
            s.hand[seat].append(card)
            # A returned general costs at least one card to recruit in the same turn (ruling 68).
            s.flags[u] = RETURNED
            s.tell(events.RETURNED, seat, card)


Operation("bounce", Bounce, {"target": forms.generals})


class Exile(Op):
    """Generals, or the card itself (`{ ref = "this" }`), go Out of game."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.target: Target | None = None if r.table["target"] == THIS else r.target("target")

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        if self.target is not None:
            for u in self.target.units(s, f):
                self.exile_general(s, u)
        elif f.source < 0:
            card = s.land(f.seat, f.kind)
            if card >= 0:
                self.exile_card(s, f.seat, card)
        elif f.source % PARTS == GENERAL:
            if s.in_play(f.source // PARTS):
                self.exile_general(s, f.source // PARTS)
        elif f.source % PARTS != OTHER:
            u = f.source // PARTS
            armament = f.source % PARTS == ARMAMENT
            if (s.armament[u] if armament else s.troop[u]) == f.kind:
                self.exile_card(s, f.seat, s.strip(u, armament))

    def exile_general(self, s: GeneralsState, u: int) -> None:
        """Put a general in play Out of game."""
        self.exile_card(s, s.setup.owner[u], s.leave(u, AWAY))

    def exile_card(self, s: GeneralsState, seat: Seat, card: int) -> None:
        """Put a card that has left its zone Out of game."""
        s.out[seat].append(card | BOTH)
        s.tell(events.EXILED, seat, card | BOTH)


def _check_exiled(e: Entry) -> None:
    if e.value != THIS:
        e.checks.generals(e.value, e.inside, e.scope, True)


Operation("exile", Exile, {"target": _check_exiled})


class Ready(Aimed):
    """A general may act again: `for = "any"` move or attack, `for = "attack"` attack only."""

    def __init__(self, r: Read) -> None:
        super().__init__(r)
        self.attack: bool = r.table["for"] == "attack"

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        for u in self.target.units(s, f):
            if self.attack:
                s.flags[u] |= AGAIN
            else:
                s.flags[u] &= ~(MOVE_USED | ATTACK_USED)
            s.tell(events.READIED, s.setup.owner[u], s.card_of(u), int(self.attack))


Operation(
    "ready", Ready, {"target": forms.generals, "for": forms.one_of("any", "attack")}, repeats=("trigger", "replace")
)


class Substitute(Op):
    """In a `replace` ability: this general goes to CASUALTY instead of the other."""

    def __init__(self, r: Read) -> None:
        super().__init__()

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        pass  # `Fall.replace` carries it out


Operation(
    "substitute",
    Substitute,
    {"target": forms.generals},
    check=require_kinds("only a replace ability can substitute a general", "replace"),
)


class Mark(Op):
    """Puts `n` marks `on` a card: `this`, `self` or `host`. Both players see them, and the condition `marks` counts
    them."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.count: int = r.number("n")
        self.general: bool = r.table["on"].get("ref") == "host"  # on the general who bears the card

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


Operation("mark", Mark, {"on": forms.own_card, "n": forms.count})


class Choose(Op):
    """Chooses generals for several later operations, which refer to them by the name in `store`."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        r.reader.target({**r.table["target"], "store": r.table["store"]}, r.variables, r.chosen)

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return True  # the operations that use the choice decide

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        pass  # the choice is made before the operation runs


def _check_stored(e: Entry) -> None:
    target = e.table.get("target")
    e.checks.store(e.value, e.place, e.scope, str(target.get("side")) if isinstance(target, dict) else "")


Operation("choose", Choose, {"target": forms.generals, "store": _check_stored})


class If(Op):
    """When all conditions of `cond` hold, `then` happens, otherwise `else`, which may be left out."""

    def __init__(self, r: Read) -> None:
        super().__init__()
        self.conds: list[Cond] = r.conds("cond")
        self.then: list[Op] = r.ops("then")
        self.other: list[Op] = r.ops("else")

    def idle(self, s: GeneralsState, f: Frame) -> bool:
        return all(op.idle(s, f) for op in (self.then if all_hold(self.conds, s, f) else self.other))

    def list_inner(self, delayed: bool) -> list[Op]:
        return [*self.then, *self.other]

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        ops = self.then if all_hold(self.conds, s, f) else self.other
        if ops:
            s.stack.append(Run(ops, 0, f))


def _check_branch(e: Entry) -> None:
    if e.key != "else" or e.value != []:
        e.checks.operations(e.value, e.inside, e.scope.inner())


Operation("if", If, {"cond": forms.conditions, "then": _check_branch, "else?": _check_branch})


class Win(ForPlayer):
    """`who` wins the game at once. Both players see the `reason`."""

    def run(self, s: GeneralsState, f: Frame, host: Host) -> None:
        s.finish(self.seat(f), events.BY_CARD, f.kind)  # a special victory (ruling 64)


Operation("win", Win, {"who": forms.player, "reason": forms.text})
