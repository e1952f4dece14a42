"""The abilities of cards without a faction and their steps: Bystanders, Action cards, open Bonus Cards."""

from __future__ import annotations

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.state import NO_ACTIONS, NOBODY, Action, Card, Evident, Seat, Step, Together
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.cards import Acting, Kind, Weighing
from gonfalon.games.factionwars.rules.chance import Pick, shuffle_after_loss
from gonfalon.games.factionwars.rules.deck import deplete_deck, is_over_at_once, turn_up_war
from gonfalon.games.factionwars.rules.recruits import SEATS, Bonus
from gonfalon.games.factionwars.rules.scoring.tally import count_faction
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState, name_kinds

CALL_SIZE: Final = 3  # cards of a Call to Arms


class BonusSets(Bonus):
    """Points for each set of one card of every faction (later revision, reconstructed)."""

    ability: ClassVar[str] = "bonus-sets"
    text: ClassVar[str] = "{points} points for each set of one card of every faction."
    rulings: ClassVar[tuple[int, ...]] = ()
    open_text: ClassVar[str] = "Open: {points} points for each set of one card of every faction, for all players."
    sort: ClassVar[str] = "bonus-sets"
    prints_points: ClassVar[bool] = True

    def set_marks(self) -> None:
        self.sets = True

    def describe(self, setup: Setup) -> str:
        return self.text

    def score(self, setup: Setup, owned: list[int]) -> int:
        return min([count_faction(setup, owned, faction) for faction in range(setup.factions)]) * self.points


class WarIsOver(Kind):
    """The card that makes its round the last (later revision). No seat ever collects it."""

    ability: ClassVar[str] = "war"
    text: ClassVar[str] = "The round in which it appears is the last."
    rulings: ClassVar[tuple[int, ...]] = (39, 40, 42)
    icon: ClassVar[str] = "black-flag"
    sort: ClassVar[str] = "war"

    def describe(self, setup: Setup) -> str:
        return "When it appears, the game is over." if setup.at_once else self.text


# ---- Bystanders -------------------------------------------------------------------------------------


class HandOn(Step[FactionState]):
    """The choice of the player who gets a Bystander (rulings 13, 14). It stays on the table until then."""

    prompt: ClassVar[str] = "bystander"

    def options(self, s: FactionState) -> list[Action]:
        # With two players only the other one can get it, so no decision is needed.
        return s.setup.others[self.seat] if s.seats > 2 else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        card = s.table.pop()
        s.pile[action - TO].append(card)
        if s.log is not None:
            s.tell(events.HANDED, self.seat, card, action - TO)

    def auto(self, s: FactionState) -> None:
        self.choose(s, s.setup.others[self.seat][0])


HAND_ON: Final[list[Step[FactionState]]] = [HandOn(seat) for seat in SEATS]


class Bystander(Acting):
    """A card that its collector puts into another player's discard pile. It is no recruit and costs points."""

    ability: ClassVar[str] = "bystander"
    text: ClassVar[str] = "You put it into another player's discard pile. It is not a recruit."
    rulings: ClassVar[tuple[int, ...]] = (13, 14, 15, 34, 38)
    icon: ClassVar[str] = "person"
    sort: ClassVar[str] = "bystander"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (HandOn,)
    rough_worth: ClassVar[float] = 2.0

    def describe(self, setup: Setup) -> str:
        return f"{self.text} In a battle it takes its owner out." if setup.bystander_out else self.text

    def set_marks(self) -> None:
        self.acts = True
        self.bystander = True

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.table.append(card)
        s.stack.append(HAND_ON[seat])
        if s.seats > 2:
            s.turn = seat
            s.actions = s.setup.others[seat]

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        self.on_collect(s, seat, card)

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.bystander_gain(seat)


# ---- Action cards -----------------------------------------------------------------------------------


class Done(Step[FactionState]):
    """The discard of an Action card after its effect; until then it is in no pile (ruling 22)."""

    def auto(self, s: FactionState) -> None:
        card = s.table.pop()
        s.discard.append(card)
        if s.log is not None:
            s.tell(events.ACTION_DONE, NOBODY, card)


DONE: Final[Step[FactionState]] = Done(NOBODY)


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionCard(Acting):
    """A card with an effect that is discarded afterwards (ruling 22)."""

    sort: ClassVar[str] = "action"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Done,)

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.table.append(card)
        if s.log is not None:
            s.tell(events.ACTION, seat, card)
        # On the table the card is in no pile, so its own effect cannot draw it again (ruling 22).
        s.stack.append(DONE)
        self.perform(s, seat)

    def perform(self, s: FactionState, seat: Seat) -> None:
        raise NotImplementedError

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.discard.append(card)


class Call(Step[FactionState]):
    """Call to Arms: draw three cards, collect one, discard the others."""

    __slots__ = ("caller", "drawn")

    def __init__(self, caller: Seat, drawn: int) -> None:
        super().__init__(NOBODY)
        self.caller: Seat = caller
        self.drawn: int = drawn

    def auto(self, s: FactionState) -> None:
        drawn = self.drawn
        while drawn < CALL_SIZE and s.deck:
            below = len(s.stack)
            if not turn_up_war(s, events.CALLED, self.caller):
                card = s.reveal_top()
                s.table.append(card)
                drawn += 1
                if s.log is not None:
                    s.tell(events.CALLED, self.caller, card)
                if not s.deck:
                    deplete_deck(s)
            if is_over_at_once(s):
                return
            if len(s.stack) > below:  # the new recruit deck is shuffled before the next draw
                s.stack.insert(below, Call(self.caller, drawn))
                return
        if drawn:
            s.put(KEEP[self.caller][drawn])
        else:
            s.record_nothing(self.caller, events.CALL, events.NO_DECK)

    def key(self) -> list[int]:
        return [self.caller, self.drawn]


class Keep(Evident[FactionState]):
    """The choice of the card to collect among those drawn by a Call to Arms."""

    __slots__ = ("drawn",)
    prompt: ClassVar[str] = "keep"

    def __init__(self, seat: Seat, drawn: int) -> None:
        super().__init__(seat)
        self.drawn: int = drawn

    def answers(self, s: FactionState) -> list[Action]:
        # Below the drawn cards the table holds the Action card itself.
        return [card - s.setup.full + CARD for card in sorted(set(s.table[len(s.table) - self.drawn :]))]

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

    def key(self) -> list[int]:
        return [self.seat, self.drawn]


CALL: Final[list[Step[FactionState]]] = [Call(seat, 0) for seat in SEATS]
KEEP: Final[list[list[Step[FactionState]]]] = [[Keep(seat, drawn) for drawn in range(CALL_SIZE + 1)] for seat in SEATS]


class CallToArms(ActionCard):
    """Draw three cards of the recruit deck, collect one, discard the others."""

    ability: ClassVar[str] = "call"
    text: ClassVar[str] = "Draw three cards of the recruit deck, collect one of them, discard the others."
    rulings: ClassVar[tuple[int, ...]] = (14, 21, 22, 26)
    icon: ClassVar[str] = "hunting-horn"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Done, Call, Keep)
    rough_worth: ClassVar[float] = 4.5

    def perform(self, s: FactionState, seat: Seat) -> None:
        CALL[seat].auto(s)

    def worth(self, look: Weighing, seat: Seat) -> float:
        return 1.7 * look.draw_gain()


class Exchange(Evident[FactionState]):
    """Prisoner Exchange: choose a recruit of the recruit discard pile to collect."""

    prompt: ClassVar[str] = "exchange"

    def answers(self, s: FactionState) -> list[Action]:
        return name_kinds(s.setup.recruits, s.discard, CARD)

    def choose(self, s: FactionState, action: Action) -> None:
        card = (action - CARD) | s.setup.full
        s.discard.remove(card)
        if s.log is not None:
            s.tell(events.FREED, self.seat, card)
        s.collect(self.seat, card)

    def otherwise(self, s: FactionState) -> None:
        s.record_nothing(self.seat, events.EXCHANGE, events.NO_CARDS)


EXCHANGE: Final[list[Step[FactionState]]] = [Exchange(seat) for seat in SEATS]


class PrisonerExchange(ActionCard):
    """Collect a recruit of your choice from the recruit discard pile."""

    ability: ClassVar[str] = "exchange"
    text: ClassVar[str] = "Collect a recruit of your choice from the recruit discard pile."
    rulings: ClassVar[tuple[int, ...]] = (21, 22)
    icon: ClassVar[str] = "prisoner"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Done, Exchange)
    rough_worth: ClassVar[float] = 4.5

    def perform(self, s: FactionState, seat: Seat) -> None:
        s.put(EXCHANGE[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.exchange_gain(seat)


class Desert(Together[FactionState]):
    """Desertion: each other player removes a recruit of their choice. A player with only one kind is not asked."""

    __slots__ = ("caller",)
    prompt: ClassVar[str] = "desert"

    def __init__(self, caller: Seat, seats: list[Seat]) -> None:
        super().__init__(seats)
        self.caller: Seat = caller

    def options_of(self, s: FactionState, seat: Seat) -> list[Action]:
        return NO_ACTIONS if s.answers[seat] else s.list_recruits(seat)

    def finish(self, s: FactionState) -> None:
        # All have chosen in secret, so the order of play changes no choice.
        for step in range(1, s.seats):
            seat = (self.caller + step) % s.seats
            if seat in self.seats:
                kind = s.answers[seat][0] - CARD
            # A single kind of recruit leaves no choice, so the seat was not asked.
            elif s.has_below(seat, s.setup.recruit_limit):
                kind = s.list_recruits(seat)[0] - CARD
            else:
                continue
            # Which copy leaves matters only where the discard pile is not shuffled too: the open one.
            card = s.lose(seat, kind, True)
            s.discard.append(card)
            if s.log is not None:
                s.tell(events.DESERTED, seat, card, self.caller)
            shuffle_after_loss(s, seat)

    def key(self) -> list[int]:
        return [self.caller, *self.seats]


class Desertion(ActionCard):
    """Each other player removes a recruit of their choice and shuffles."""

    ability: ClassVar[str] = "desertion"
    text: ClassVar[str] = "Each other player removes a recruit of their choice and shuffles."
    rulings: ClassVar[tuple[int, ...]] = (19, 22)
    icon: ClassVar[str] = "run"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Done, Desert)
    rough_worth: ClassVar[float] = 2.0

    def describe(self, setup: Setup) -> str:
        return self.text if setup.shuffle_all else f"{self.text[:-1]} what is left of their battle deck."

    def perform(self, s: FactionState, seat: Seat) -> None:
        others = [other for other in range(s.seats) if other != seat and s.has_choice(other)]
        s.stack.append(Desert(seat, others))

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.desertion_gain(seat)


class Parley(Evident[FactionState]):
    """Parley: choose the partner of the exchange. Both sides need a recruit (ruling 37)."""

    prompt: ClassVar[str] = "parley"

    def answers(self, s: FactionState) -> list[Action]:
        return s.list_victims(self.seat) if s.has_below(self.seat, s.setup.recruit_limit) else NO_ACTIONS

    def choose(self, s: FactionState, action: Action) -> None:
        if s.log is not None:
            s.tell(events.TARGET, self.seat, HIDDEN, action - TO, events.PARLEY)
        s.put(GIFT[self.seat][action - TO])

    def otherwise(self, s: FactionState) -> None:
        why = events.NO_TARGET if s.has_below(self.seat, s.setup.recruit_limit) else events.NOTHING_TO_GIVE
        s.record_nothing(self.seat, events.PARLEY, why)


class Gift(Evident[FactionState]):
    """The recruit given in a Parley. It stays on the table until the partner's card is picked (ruling 35)."""

    __slots__ = ("other",)
    prompt: ClassVar[str] = "gift"

    def __init__(self, seat: Seat, other: Seat) -> None:
        super().__init__(seat)
        self.other: Seat = other

    def answers(self, s: FactionState) -> list[Action]:
        return s.list_recruits(self.seat)

    def choose(self, s: FactionState, action: Action) -> None:
        card = s.lose(self.seat, action - CARD, True)
        s.table.append(card)
        if s.log is not None:
            s.tell(events.GAVE, self.seat, card, self.other)
        s.put(SWAP[self.seat][self.other])

    def key(self) -> list[int]:
        return [self.seat, self.other]


class Swap(Pick):
    """The recruit taken in a Parley: both players shuffle, and the ability of the taken card triggers (ruling 36)."""

    def resolve_pick(self, s: FactionState, kind: int, from_pile: bool) -> None:
        pool = s.count_pool(self.victim) if s.log is not None else 0
        card = s.lose(self.victim, kind, from_pile)
        if s.log is not None:
            s.tell(events.STOLE, self.thief, card, self.victim, pool)
        shuffle_after_loss(s, self.victim)
        shuffle_after_loss(s, self.thief)
        # The gift is received and not collected, so its ability does not trigger (ruling 36). Both shuffles come
        # before it, because exchanged cards go to the discard piles (ruling 35).
        s.gain(self.victim, s.table.pop())
        s.collect(self.thief, card)


PARLEY: Final[list[Step[FactionState]]] = [Parley(seat) for seat in SEATS]
GIFT: Final[list[list[Step[FactionState]]]] = [[Gift(seat, other) for other in SEATS] for seat in SEATS]
SWAP: Final[list[list[Step[FactionState]]]] = [[Swap(seat, other) for other in SEATS] for seat in SEATS]


class ParleyCard(ActionCard):
    """Choose a player: give a recruit of your choice, take a random one of theirs; both shuffle."""

    ability: ClassVar[str] = "parley"
    text: ClassVar[str] = (
        "Choose a player: give a recruit of your choice, take a random one of theirs; its ability triggers. "
        "Both of you shuffle."
    )
    rulings: ClassVar[tuple[int, ...]] = (17, 19, 22, 35, 36, 37)
    icon: ClassVar[str] = "shaking-hands"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Done, Parley, Gift, Swap)
    rough_worth: ClassVar[float] = 1.5

    def describe(self, setup: Setup) -> str:
        text = self.text.replace("one of theirs;", "one of theirs (no Bonus Card);") if setup.safe_bonus else self.text
        return text if setup.shuffle_all else f"{text[:-1]} what is left of your battle decks."

    def perform(self, s: FactionState, seat: Seat) -> None:
        s.put(PARLEY[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.theft_gain(seat) - look.least_loss(seat)


NEUTRALS: Final[dict[str, type[Kind]]] = {
    cls.ability: cls for cls in (BonusSets, Bystander, CallToArms, PrisonerExchange, Desertion, ParleyCard, WarIsOver)
}
"""The abilities that a card file may give to cards without a faction."""
