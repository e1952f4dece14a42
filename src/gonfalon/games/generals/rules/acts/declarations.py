"""The declaration of an act: choices are made, costs are paid, then it may be answered."""

from __future__ import annotations

from gonfalon.core.rules.state import NOBODY, Seat, Step
from gonfalon.games.generals.effects.frame import UNSET, Frame
from gonfalon.games.generals.effects.targets import Choice
from gonfalon.games.generals.rules.acts.questions import Host, Pay, PayResource, Pick, Sacrifice
from gonfalon.games.generals.rules.state import GeneralsState


class Act(Host):
    """An act of a seat that may be answered.

    After its declaration it waits on the stack below the question to the other seat. It is carried out when it is
    popped; a negated act is removed from the stack instead (ruling 42).
    """

    __slots__ = ("doer", "code", "kind", "unit", "other")

    def __init__(self, doer: Seat, code: int, kind: int, unit: int, other: int, frame: Frame) -> None:
        super().__init__(NOBODY, frame)
        self.doer: Seat = doer
        self.code: int = code  # one of ACTS; -1 for an act that cannot be answered
        self.kind: int = kind  # the played card; -1 for none
        self.unit: int = unit  # the acting general: attacker, executor, bearer; -1 for none
        self.other: int = other  # the attacked general, or the number of the active effect

    def with_frame(self, frame: Frame) -> Act:
        return type(self)(self.doer, self.code, self.kind, self.unit, self.other, frame)

    def launch(self, s: GeneralsState) -> None:
        """Push the act and the question to the other seat, after all choices and payments."""
        raise NotImplementedError

    def discard_played(self, s: GeneralsState) -> None:
        """Discard the played card of a negated act."""
        if self.kind >= 0:
            s.use_up(self.doer, self.kind)

    def list_aims(self) -> list[int]:
        """Return the generals at which the act is aimed."""
        return [u for value in self.frame.vars for u in value if u >= 0]

    def key(self) -> list[int]:
        return [self.doer, self.code, self.kind, self.unit, self.other, *self.frame.key()]


class Launch(Step[GeneralsState]):
    """The end of a declaration (ruling 40)."""

    __slots__ = ("act",)

    def __init__(self, act: Act) -> None:
        super().__init__(NOBODY)
        self.act: Act = act

    def auto(self, s: GeneralsState) -> None:
        self.act.launch(s)

    def key(self) -> list[int]:
        return self.act.key()


class Declare(Host):
    """The choices of an act, then its costs."""

    __slots__ = ("act", "choices", "hand", "resource", "sacrifice")

    def __init__(self, act: Act, choices: list[Choice], hand: int, resource: int, sacrifice: int) -> None:
        super().__init__(NOBODY, act.frame)
        self.act: Act = act
        self.choices: list[Choice] = choices
        self.hand: int = hand
        self.resource: int = resource
        self.sacrifice: int = sacrifice

    def with_frame(self, frame: Frame) -> Host:
        return Declare(self.act.with_frame(frame), self.choices, self.hand, self.resource, self.sacrifice)

    def auto(self, s: GeneralsState) -> None:
        f = self.frame
        for choice in self.choices:
            if f.vars[choice.variable] == UNSET:
                s.stack.append(Pick(choice, f, [], self))
                return
        act = self.act
        # Pushed in reverse: cards from hand are paid first, then RESOURCE, then generals.
        s.stack.append(Launch(act))
        if self.sacrifice:
            s.stack.append(Sacrifice(act.doer, self.sacrifice, act.unit))
        if self.resource:
            s.stack.append(PayResource(act.doer, self.resource))
        if self.hand:
            s.stack.append(Pay(act.doer, self.hand))

    def key(self) -> list[int]:
        return [self.hand, self.resource, self.sacrifice, *self.act.key()]
