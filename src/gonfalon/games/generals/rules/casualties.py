"""Generals that would go to CASUALTY: the abilities that act instead, and the abilities that follow."""

from __future__ import annotations

from typing import ClassVar

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.state import NO_ACTIONS, Action, Seat, Step
from gonfalon.games.generals.effects.filters import all_hold
from gonfalon.games.generals.effects.frame import ARMAMENT, PARTS, TROOP, Frame
from gonfalon.games.generals.effects.run import push_script
from gonfalon.games.generals.rules import events
from gonfalon.games.generals.rules.actions import PASS, UNIT
from gonfalon.games.generals.rules.acts.questions import Pay, PayResource
from gonfalon.games.generals.rules.cards import ATTACKER, DEFEATS, DEFENDER, WINS_MELEE, Kind, Replace
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.triggers import (
    Happening,
    Waiting,
    collect_casualty_triggers,
    collect_triggers,
    find_causes,
    push_waiting,
)
from gonfalon.games.generals.rules.zones import DEAD


class Blow:
    """The reason why generals fall: the seat that sends them, whether it is a melee, and the general credited for it
    (ruling 15).

    `winner` beat `loser` in a melee, with the role of attacker or defender, or with role 0 in a duel set up by a card.
    `plotter` executed the Tactics.
    """

    __slots__ = ("by", "melee", "winner", "loser", "role", "plotter")

    def __init__(
        self, by: Seat, melee: bool = False, winner: int = -1, loser: int = -1, role: int = 0, plotter: int = -1
    ) -> None:
        self.by: Seat = by  # -1 in a tie, where each side sends the other's general
        self.melee: bool = melee
        self.winner: int = winner
        self.loser: int = loser
        self.role: int = role
        self.plotter: int = plotter

    def key(self) -> list[int]:
        return [self.by, int(self.melee), self.winner, self.loser, self.role, self.plotter]


def find_sender(s: GeneralsState, u: int, blow: Blow) -> Seat:
    """Return the seat that sends a general down. In a tie each side sends the other's."""
    return blow.by if blow.by >= 0 else 1 - s.setup.owner[u]


class Fall(Step[GeneralsState]):
    """The fall of generals. For each in turn its owner may use the abilities that act instead; then all that fall do so
    together (ruling 20)."""

    __slots__ = ("victims", "at", "declined", "dead", "blow")
    prompt: ClassVar[str] = "replace"

    def __init__(self, seat: Seat, victims: list[int], at: int, declined: bool, dead: list[int], blow: Blow) -> None:
        super().__init__(seat)
        self.victims: list[int] = victims
        self.at: int = at
        self.declined: bool = declined
        self.dead: list[int] = dead
        self.blow: Blow = blow

    def list_offers(self, s: GeneralsState) -> list[tuple[int, Replace]]:
        """Return the abilities that could act for the current general, with their sources."""
        if self.at >= len(self.victims) or self.declined:
            return []
        setup = s.setup
        kinds = setup.kinds
        u = self.victims[self.at]
        found: list[tuple[int, Replace]] = []
        if s.zone[u] < 0 or not (setup.replace_units or setup.replace_gear):
            return found
        for v in setup.replace_units:
            if s.zone[v] >= 0:
                self._offers_of(s, kinds[setup.kind[v]], v * PARTS, u, found)
        if setup.replace_gear:
            for v in s.army[setup.owner[u]]:
                if s.armament[v] >= 0:
                    self._offers_of(s, kinds[s.armament[v]], v * PARTS + ARMAMENT, u, found)
                if s.troop[v] >= 0:
                    self._offers_of(s, kinds[s.troop[v]], v * PARTS + TROOP, u, found)
        return found

    def _offers_of(self, s: GeneralsState, kind: Kind, source: int, u: int, found: list[tuple[int, Replace]]) -> None:
        f = s.setup.frames[source]
        if f.seat != s.setup.owner[u]:
            return
        cause = find_causes(s, u, find_sender(s, u, self.blow), self.blow.melee)
        for one in kind.replaces:
            if one.own:
                if f.me != u:
                    continue
            elif one.subject is not None and not one.subject.admits(s, f, u):
                continue
            if one.cause and not cause >> one.cause & 1:
                continue
            # A substitute must itself stay in play.
            if one.dies and (f.me == u or f.me in self.victims or f.me in self.dead):
                continue
            if one.limit and s.spent.count(source * 16 + one.number) >= one.limit:
                continue
            if len(s.hand[f.seat]) < one.hand or len(s.deck[f.seat]) < one.resource:
                continue
            if one.conds and not all_hold(one.conds, s, f):
                continue
            found.append((source, one))

    def options(self, s: GeneralsState) -> list[Action]:
        offers = self.list_offers(s)
        # A mandatory replacement acts by itself, in `auto`.
        if not offers or any(not one.optional for _, one in offers):
            return NO_ACTIONS
        return [PASS, *sorted({UNIT + source // PARTS for source, _ in offers})]

    def choose(self, s: GeneralsState, action: Action) -> None:
        if action == PASS:
            s.tell(events.DECLINED, self.seat, HIDDEN)
            s.stack.append(Fall(self.seat, self.victims, self.at, True, self.dead, self.blow))
            return
        for source, one in self.list_offers(s):
            if UNIT + source // PARTS == action:
                self.replace(s, source, one)
                return

    def replace(self, s: GeneralsState, source: int, one: Replace) -> None:
        """Carry out an ability in place of the current general's fall."""
        u = self.victims[self.at]
        base = s.setup.frames[source]
        if one.limit:
            s.spent.append(source * 16 + one.number)
        dead = [*self.dead, base.me] if one.dies else self.dead
        # Pushed first, so the other victims follow after the replacement.
        s.stack.append(make_next_fall(s, self.victims, self.at + 1, dead, self.blow))
        s.tell(events.SPARED, base.seat, s.card_of(u), base.me)
        f = Frame(base.seat, source, base.kind, base.me, u, -1)
        push_script(s, one.script, f)
        if one.resource:
            s.stack.append(PayResource(base.seat, one.resource))
        if one.hand:
            s.stack.append(Pay(base.seat, one.hand))

    def auto(self, s: GeneralsState) -> None:
        for source, one in self.list_offers(s):
            if not one.optional:
                self.replace(s, source, one)
                return
        if self.at < len(self.victims):
            u = self.victims[self.at]
            dead = [*self.dead, u] if s.zone[u] >= 0 and u not in self.dead else self.dead
            s.stack.append(make_next_fall(s, self.victims, self.at + 1, dead, self.blow))
            return
        self.bury(s)

    def bury(self, s: GeneralsState) -> None:
        """Move all falling generals to CASUALTY and push the abilities that this triggers."""
        blow = self.blow
        waiting: list[Waiting] = []
        dead = [u for u in self.dead if s.zone[u] >= 0]
        for u in dead:
            # Triggers are collected before any general leaves: those that fall together see each other (ruling 20).
            collect_casualty_triggers(s, u, find_sender(s, u, blow), blow.melee, waiting)
        for u in dead:
            card = s.leave(u, DEAD)
            s.tell(events.FELL, s.setup.owner[u], card)
        owner = s.setup.owner
        if blow.plotter >= 0:
            s.felled += len(dead)
            for u in dead:
                # Only enemies count as defeated (ruling 15).
                if owner[u] != owner[blow.plotter]:
                    collect_triggers(s, Happening(DEFEATS, owner[blow.plotter], blow.plotter, u), waiting)
        if blow.winner >= 0:
            seat = owner[blow.winner]
            collect_triggers(s, Happening(WINS_MELEE, seat, blow.winner, blow.loser, blow.role), waiting)
            if seat != owner[blow.loser]:
                collect_triggers(s, Happening(DEFEATS, seat, blow.winner, blow.loser, blow.role), waiting)
        push_waiting(s, waiting)

    def key(self) -> list[int]:
        return [self.seat, self.at, int(self.declined), *self.victims, -8, *self.dead, -8, *self.blow.key()]


def make_next_fall(s: GeneralsState, victims: list[int], at: int, dead: list[int], blow: Blow) -> Fall:
    """Return the step for the next of the victims, which asks its owner."""
    seat = s.setup.owner[victims[at]] if at < len(victims) else s.active
    return Fall(seat, victims, at, False, dead, blow)


def strike_down(s: GeneralsState, victims: list[int], blow: Blow) -> None:
    """Send generals to CASUALTY, unless abilities act instead."""
    s.stack.append(make_next_fall(s, victims, 0, [], blow))


def fight_melee(s: GeneralsState, a: int, b: int, duel: bool, by: Seat) -> None:
    """Resolve a melee between two generals (rulings 14 to 16).

    Args:
        s: The state to change.
        a: The attacker, or one general of a duel.
        b: The defender, or the other general of a duel.
        duel: Whether a card set the generals against each other.
        by: The seat that set up the duel.
    """
    role_a, role_b = (0, 0) if duel else (ATTACKER, DEFENDER)
    x = s.might_in(a, role_a, b)
    y = s.might_in(b, role_b, a)
    # Equal Might: both fall, and neither wins the melee.
    if x == y:
        s.tell(events.FOUGHT, s.setup.owner[a], HIDDEN, x, y)
        strike_down(s, [a, b], Blow(by if duel else -1, True))
        return
    winner, loser, role = (a, b, role_a) if x > y else (b, a, role_b)
    owner = s.setup.owner[winner]
    s.tell(events.FOUGHT, owner, s.card_of(winner), x, y)
    strike_down(s, [loser], Blow(by if duel else owner, True, winner, loser, role))
