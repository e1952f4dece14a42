"""What cards do when they are collected, as steps: draws, thefts, Bystanders, Action cards."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.state import NO_ACTIONS, NOBODY, Action, Seat, Step, Together
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.chance import Pick, after_loss, lose_and_shuffle, shuffle_unlike
from gonfalon.games.factionwars.rules.scoring import SCORE
from gonfalon.games.factionwars.rules.state import DECK, FactionState, named

MOST_SEATS: Final = 5
DRAWN: Final = 3  # cards of a Call to Arms


def deplete(s: FactionState) -> None:
    """The last card of the recruit deck has left: count it, and unless that was the last time its
    discard pile is the new deck at once (rulings 23 to 25)."""
    setup = s.setup
    s.depleted += 1
    s.tell(events.DEPLETED, NOBODY, HIDDEN, s.depleted, setup.depletions)
    war = setup.war >= 0 and s.depleted == setup.depletions - 1 and bool(s.aside) and s.last < 0
    if s.depleted >= setup.depletions:
        end(s, events.BY_DECK)
    elif not s.discard and not war:
        end(s, events.BY_NOTHING_LEFT)
    else:
        s.deck[:] = s.discard
        s.discard.clear()
        if war:
            # Later revision, reconstructed: it comes into the deck for the last pass (ruling 39).
            s.deck.append(s.aside.pop())
            s.tell(events.WAR_IN, NOBODY, HIDDEN)
        s.tell(events.RENEWED, NOBODY, HIDDEN, len(s.deck))
        shuffle_unlike(s, 1 << DECK)


def end(s: FactionState, why: int) -> None:
    """This round is the last one; with the stricter reading of ruling 24 the game is over now."""
    if s.last >= 0:
        return
    s.last = why
    if s.setup.at_once:
        s.tell(events.ENDED, NOBODY, HIDDEN, why)
        s.stack[:] = [SCORE]
    else:
        s.tell(events.LAST_ROUND, NOBODY, HIDDEN, why)


def over_at_once(s: FactionState) -> bool:
    """Whether the last card that left ended the game there and then."""
    return s.last >= 0 and s.setup.at_once


def turn_up_war(s: FactionState, code: int, seat: Seat, place: int = 0) -> bool:
    """Lay War is Over aside when it is on top: the round in which it appears is the last (ruling 40). True when it
    was there, so that the next card is to be drawn instead. It is told like any card that is drawn
    (by an event of this code), and then what becomes of it."""
    if s.setup.war < 0 or s.deck[-1] & KIND != s.setup.war:
        return False
    card = s.reveal_top()
    s.tell(code, seat, card, place)
    s.aside.append(card)
    s.tell(events.WAR_OVER, NOBODY, card)
    end(s, events.BY_CARD)
    if not s.deck and not over_at_once(s):
        deplete(s)
    return True


# ---- recruits ---------------------------------------------------------------------------------------


class HandOn(Step[FactionState]):
    """Who collects a Bystander passes it on (rulings 13, 14). It lies on the table meanwhile."""

    prompt: ClassVar[str] = "bystander"

    def options(self, s: FactionState) -> list[Action]:
        return s.setup.others[self.seat] if s.seats > 2 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        card = s.table.pop()
        s.pile[action - TO].append(card)
        if s.log is not None:
            s.tell(events.HANDED, self.seat, card, action - TO)

    def auto(self, s: FactionState) -> None:
        self.choose(s, s.setup.others[self.seat][0])


class Gamble(Step[FactionState]):
    """A Gambler draws the top card of the recruit deck and collects it; after the last depletion there is
    none (ruling 26)."""

    __slots__ = ("gambler",)

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.gambler: Seat = seat

    def auto(self, s: FactionState) -> None:
        if s.deck and turn_up_war(s, events.DREW, self.gambler) and s.setup.at_once:
            return
        if not s.deck:
            s.say_nothing(self.gambler, events.GAMBLER, events.NO_DECK)
            return
        card = s.reveal_top()
        if s.log is not None:
            s.tell(events.DREW, self.gambler, card)
        if s.deck:
            s.collect(self.gambler, card)
            return
        # The new recruit deck is shuffled before the card's ability may draw from it.
        s.table.append(card)
        below = len(s.stack)
        deplete(s)
        if not over_at_once(s):
            s.stack.insert(below, TAKE_UP[self.gambler])

    def key(self) -> list[int]:
        return [self.gambler]


class TakeUp(Step[FactionState]):
    """The card on the table is collected."""

    __slots__ = ("taker",)

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.taker: Seat = seat

    def auto(self, s: FactionState) -> None:
        card = s.table.pop()
        if s.log is not None:
            s.tell(events.TAKEN_UP, self.taker, card)
        s.collect(self.taker, card)

    def key(self) -> list[int]:
        return [self.taker]


class Aim(Step[FactionState]):
    """A Buccaneer or Kunoichi names a player with a recruit; where only one has any that is settled
    (rulings 16, 18)."""

    __slots__ = ("kills",)
    prompt: ClassVar[str] = "victim"

    def __init__(self, seat: Seat, kills: bool) -> None:
        super().__init__(seat)
        self.kills: bool = kills

    def options(self, s: FactionState) -> list[Action]:
        victims = s.victims(self.seat)
        return victims if len(victims) > 1 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        victim = action - TO
        if s.log is not None:
            s.tell(events.TARGET, self.seat, HIDDEN, victim, events.KUNOICHI if self.kills else events.BUCCANEER)
        s.put(KILL[self.seat][victim] if self.kills else STEAL_FROM[self.seat][victim])

    def auto(self, s: FactionState) -> None:
        victims = s.victims(self.seat)
        if victims:
            self.choose(s, victims[0])
        else:
            s.say_nothing(self.seat, events.KUNOICHI if self.kills else events.BUCCANEER, events.NO_TARGET)

    def key(self) -> list[int]:
        return [self.seat, int(self.kills)]


class Steal(Pick):
    """A Buccaneer takes the recruit, whose ability triggers for the thief (ruling 20)."""

    def picked(self, s: FactionState, kind: int, from_pile: bool) -> None:
        if s.log is None:
            s.collect(self.thief, lose_and_shuffle(s, self.victim, kind, from_pile))
            return
        pool = s.pool(self.victim)
        card = s.lose(self.victim, kind, from_pile)
        s.tell(events.STOLE, self.thief, card, self.victim, pool)
        after_loss(s, self.victim)
        s.collect(self.thief, card)


class Kill(Pick):
    """A Kunoichi sends the recruit to the recruit discard pile."""

    def picked(self, s: FactionState, kind: int, from_pile: bool) -> None:
        if s.log is None:
            s.discard.append(lose_and_shuffle(s, self.victim, kind, from_pile))
            return
        pool = s.pool(self.victim)
        card = s.lose(self.victim, kind, from_pile)
        s.discard.append(card)
        s.tell(events.REMOVED, self.victim, card, self.thief, pool)
        after_loss(s, self.victim)


# ---- Action cards -----------------------------------------------------------------------------------


class Done(Step[FactionState]):
    """An Action card that was performed goes to the recruit discard pile; until then it lies in none
    (ruling 22)."""

    def auto(self, s: FactionState) -> None:
        card = s.table.pop()
        s.discard.append(card)
        if s.log is not None:
            s.tell(events.ACTION_DONE, NOBODY, card)


class Call(Step[FactionState]):
    """Call to Arms: draw three cards, collect one, discard the others."""

    __slots__ = ("caller", "drawn")

    def __init__(self, caller: Seat, drawn: int) -> None:
        super().__init__(NOBODY)
        self.caller: Seat = caller
        self.drawn: int = drawn

    def auto(self, s: FactionState) -> None:
        drawn = self.drawn
        while drawn < DRAWN and s.deck:
            below = len(s.stack)
            if not turn_up_war(s, events.CALLED, self.caller):
                card = s.reveal_top()
                s.table.append(card)
                drawn += 1
                if s.log is not None:
                    s.tell(events.CALLED, self.caller, card)
                if not s.deck:
                    deplete(s)
            if over_at_once(s):
                return
            if len(s.stack) > below:  # the new recruit deck is shuffled before the next draw
                s.stack.insert(below, Call(self.caller, drawn))
                return
        if drawn:
            s.put(KEEP[self.caller][drawn])
        else:
            s.say_nothing(self.caller, events.CALL, events.NO_DECK)

    def key(self) -> list[int]:
        return [self.caller, self.drawn]


class Keep(Step[FactionState]):
    """Which of the cards drawn by a Call to Arms is collected."""

    __slots__ = ("drawn",)
    prompt: ClassVar[str] = "keep"

    def __init__(self, seat: Seat, drawn: int) -> None:
        super().__init__(seat)
        self.drawn: int = drawn

    def options(self, s: FactionState) -> list[Action]:
        choices = [card - s.setup.full + CARD for card in sorted(set(s.table[len(s.table) - self.drawn :]))]
        return choices if len(choices) > 1 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        first = len(s.table) - self.drawn
        drawn = s.table[first:]
        del s.table[first:]
        kept = (action - CARD) | s.setup.full
        drawn.remove(kept)
        s.discard += drawn
        if s.log is not None:
            s.tell(events.KEPT, self.seat, kept)
            for card in drawn:
                s.tell(events.DISMISSED, self.seat, card)
        s.collect(self.seat, kept)

    def auto(self, s: FactionState) -> None:
        self.choose(s, CARD + (s.table[-1] & KIND))

    def key(self) -> list[int]:
        return [self.seat, self.drawn]


class Exchange(Step[FactionState]):
    """Prisoner Exchange: collect a recruit of your choice out of the recruit discard pile."""

    prompt: ClassVar[str] = "exchange"

    def choices(self, s: FactionState) -> list[Action]:
        return named(s.setup.recruits, s.discard, CARD)

    def options(self, s: FactionState) -> list[Action]:
        choices = self.choices(s)
        return choices if len(choices) > 1 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        card = (action - CARD) | s.setup.full
        s.discard.remove(card)
        if s.log is not None:
            s.tell(events.FREED, self.seat, card)
        s.collect(self.seat, card)

    def auto(self, s: FactionState) -> None:
        choices = self.choices(s)
        if choices:
            self.choose(s, choices[0])
        else:
            s.say_nothing(self.seat, events.EXCHANGE, events.NO_CARDS)


class Desert(Together[FactionState]):
    """Desertion: every other player removes a recruit of their choice. Who has only one kind has no
    choice."""

    __slots__ = ("caller",)
    prompt: ClassVar[str] = "desert"

    def __init__(self, caller: Seat, seats: list[Seat]) -> None:
        super().__init__(seats)
        self.caller: Seat = caller

    def options_of(self, s: FactionState, seat: Seat) -> list[Action]:
        if s.answers[seat]:
            return NO_ACTIONS
        return s.choices(seat)

    def finish(self, s: FactionState) -> None:
        for step in range(1, s.seats):
            seat = (self.caller + step) % s.seats
            if seat in self.seats:
                kind = s.answers[seat][0] - CARD
            elif s.has_below(seat, s.setup.recruit_limit):
                kind = s.choices(seat)[0] - CARD
            else:
                continue
            # Which copy leaves matters only where the discard pile is not shuffled too: the open one.
            card = s.lose(seat, kind, True)
            s.discard.append(card)
            if s.log is not None:
                s.tell(events.DESERTED, seat, card, self.caller)
            after_loss(s, seat)

    def key(self) -> list[int]:
        return [self.caller, *self.seats]


class Parley(Step[FactionState]):
    """Parley: choose a player; give a recruit of your choice, take one of theirs at random. It needs a
    recruit on either side (ruling 37)."""

    prompt: ClassVar[str] = "parley"

    def choices(self, s: FactionState) -> list[Action]:
        return s.victims(self.seat) if s.has_below(self.seat, s.setup.recruit_limit) else []

    def options(self, s: FactionState) -> list[Action]:
        choices = self.choices(s)
        return choices if len(choices) > 1 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        if s.log is not None:
            s.tell(events.TARGET, self.seat, HIDDEN, action - TO, events.PARLEY)
        s.put(GIFT[self.seat][action - TO])

    def auto(self, s: FactionState) -> None:
        choices = self.choices(s)
        if choices:
            self.choose(s, choices[0])
        else:
            why = events.NO_TARGET if s.has_below(self.seat, s.setup.recruit_limit) else events.NOTHING_TO_GIVE
            s.say_nothing(self.seat, events.PARLEY, why)


class Gift(Step[FactionState]):
    """What is given in a Parley. It lies on the table until the other's card is picked (ruling 35)."""

    __slots__ = ("other",)
    prompt: ClassVar[str] = "gift"

    def __init__(self, seat: Seat, other: Seat) -> None:
        super().__init__(seat)
        self.other: Seat = other

    def options(self, s: FactionState) -> list[Action]:
        choices = s.choices(self.seat)
        return choices if len(choices) > 1 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        card = s.lose(self.seat, action - CARD, True)
        s.table.append(card)
        if s.log is not None:
            s.tell(events.GAVE, self.seat, card, self.other)
        s.put(SWAP[self.seat][self.other])

    def auto(self, s: FactionState) -> None:
        self.choose(s, s.choices(self.seat)[0])

    def key(self) -> list[int]:
        return [self.seat, self.other]


class Swap(Pick):
    """The other half of a Parley: both shuffle, and the ability of the card that was taken triggers (ruling 36)."""

    def picked(self, s: FactionState, kind: int, from_pile: bool) -> None:
        pool = s.pool(self.victim) if s.log is not None else 0
        card = s.lose(self.victim, kind, from_pile)
        if s.log is not None:
            s.tell(events.STOLE, self.thief, card, self.victim, pool)
        after_loss(s, self.victim)
        after_loss(s, self.thief)
        s.gain(self.victim, s.table.pop())
        s.collect(self.thief, card)


SEATS: Final = range(MOST_SEATS)
HAND_ON: Final[list[Step[Any]]] = [HandOn(seat) for seat in SEATS]
GAMBLE: Final[list[Step[Any]]] = [Gamble(seat) for seat in SEATS]
TAKE_UP: Final[list[Step[Any]]] = [TakeUp(seat) for seat in SEATS]
RAID: Final[list[Step[Any]]] = [Aim(seat, False) for seat in SEATS]
AMBUSH: Final[list[Step[Any]]] = [Aim(seat, True) for seat in SEATS]
STEAL_FROM: Final[list[list[Step[Any]]]] = [[Steal(seat, other) for other in SEATS] for seat in SEATS]
KILL: Final[list[list[Step[Any]]]] = [[Kill(seat, other) for other in SEATS] for seat in SEATS]
CALL: Final[list[Step[Any]]] = [Call(seat, 0) for seat in SEATS]
KEEP: Final[list[list[Step[Any]]]] = [[Keep(seat, drawn) for drawn in range(DRAWN + 1)] for seat in SEATS]
EXCHANGE: Final[list[Step[Any]]] = [Exchange(seat) for seat in SEATS]
PARLEY: Final[list[Step[Any]]] = [Parley(seat) for seat in SEATS]
GIFT: Final[list[list[Step[Any]]]] = [[Gift(seat, other) for other in SEATS] for seat in SEATS]
SWAP: Final[list[list[Step[Any]]]] = [[Swap(seat, other) for other in SEATS] for seat in SEATS]
DONE: Final[Step[Any]] = Done(NOBODY)
