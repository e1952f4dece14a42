"""The abilities that cards of a faction may have, each with its steps."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Card, Evident, Owned, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import MAX_SEATS, TO
from gonfalon.games.factionwars.rules.cards import Acting, Kind, Weighing
from gonfalon.games.factionwars.rules.chance import Pick, lose_and_shuffle, shuffle_after_loss
from gonfalon.games.factionwars.rules.deck import deplete_deck, is_over_at_once, turn_up_war
from gonfalon.games.factionwars.rules.scoring.tally import count_faction, count_kinds
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

SEATS: Final = range(MAX_SEATS)

SAFE: Final = "of theirs (no Bonus Card)"
"""The recruits that chance picks from where Bonus Cards are safe (ruling 17)."""

# ---- what scores by other cards ---------------------------------------------------------------------


class Berserker(Kind):
    """A card that scores the number of its owner's Berserkers."""

    ability: ClassVar[str] = "berserker"
    text: ClassVar[str] = "Each of your Berserkers scores as many points as you have Berserkers."
    rulings: ClassVar[tuple[int, ...]] = (29,)
    icon: ClassVar[str] = "battle-axe"
    prints_points: ClassVar[bool] = False

    def set_marks(self) -> None:
        self.berserker = True

    def score(self, setup: Setup, owned: list[int]) -> int:
        return count_kinds(owned, setup.berserkers)


class Bonus(Kind):
    """A card that scores a point for each of its owner's cards of its faction, itself included."""

    ability: ClassVar[str] = "bonus"
    text: ClassVar[str] = "1 point for each of your {faction}, this card included."
    rulings: ClassVar[tuple[int, ...]] = (17, 28)
    open_text: ClassVar[str] = "Open: 1 point for each of your {faction}, for all players."
    open_rulings: ClassVar[tuple[int, ...]] = (41,)
    icon: ClassVar[str] = "crown"
    is_bonus: ClassVar[bool] = True
    prints_points: ClassVar[bool] = False

    def describe(self, setup: Setup) -> str:
        if setup.safe_bonus:
            return f"{self.text} It is never picked at random."
        return self.text if setup.bonus_counts else f"{self.text} It is no recruit."

    def score(self, setup: Setup, owned: list[int]) -> int:
        return count_faction(setup, owned, self.faction)


# ---- the Gambler ------------------------------------------------------------------------------------


class Gamble(Owned[FactionState]):
    """A Gambler's draw: collect the top card of the recruit deck. After the last depletion there is none (ruling
    26)."""

    def auto(self, s: FactionState) -> None:
        # War is Over announces the end and is not collected, so the Gambler draws the next card (ruling 40).
        if s.deck and turn_up_war(s, events.DREW, self.owner) and s.setup.at_once:
            return
        if not s.deck:
            s.record_nothing(self.owner, events.GAMBLER, events.NO_DECK)
            return
        card = s.reveal_top()
        if s.log is not None:
            s.tell(events.DREW, self.owner, card)
        if s.deck:
            s.collect(self.owner, card)
            return
        # The new recruit deck is shuffled before the card's ability may draw from it.
        s.table.append(card)
        below = len(s.stack)
        deplete_deck(s)
        if not is_over_at_once(s):
            s.stack.insert(below, TAKE_UP[self.owner])


class TakeUp(Owned[FactionState]):
    """The delayed collection of a drawn card, after the recruit deck was reshuffled."""

    def auto(self, s: FactionState) -> None:
        card = s.table.pop()
        if s.log is not None:
            s.tell(events.TAKEN_UP, self.owner, card)
        s.collect(self.owner, card)


GAMBLE: Final[list[Step[FactionState]]] = [Gamble(seat) for seat in SEATS]
TAKE_UP: Final[list[Step[FactionState]]] = [TakeUp(seat) for seat in SEATS]


class Gambler(Acting):
    """A card whose collector draws the top card of the recruit deck, and its ability triggers."""

    ability: ClassVar[str] = "gambler"
    text: ClassVar[str] = "You draw the top card of the recruit deck; its ability triggers."
    rulings: ClassVar[tuple[int, ...]] = (14, 22, 23, 26)
    icon: ClassVar[str] = "poker-hand"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Gamble, TakeUp)
    rough_worth: ClassVar[float] = 3.0

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        deck = s.deck
        if len(deck) > 1 and s.log is None and s.setup.war < 0 and not s.kinds[deck[-1] & KIND].acts:
            s.pile[seat].append(s.reveal_top())  # nothing else happens: no step is needed
        else:
            s.stack.append(GAMBLE[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.draw_gain()


# ---- the Buccaneer and the Kunoichi -----------------------------------------------------------------


class Aim(Evident[FactionState]):
    """The choice of a victim for a Buccaneer or Kunoichi. A single possible victim is chosen automatically (rulings 16,
    18)."""

    __slots__ = ("kills",)
    prompt: ClassVar[str] = "victim"

    def __init__(self, seat: Seat, kills: bool) -> None:
        super().__init__(seat)
        self.kills: bool = kills

    def answers(self, s: FactionState) -> list[Action]:
        return s.list_victims(self.seat)

    def choose(self, s: FactionState, action: Action) -> None:
        victim = action - TO
        if s.log is not None:
            s.tell(events.TARGET, self.seat, HIDDEN, victim, events.KUNOICHI if self.kills else events.BUCCANEER)
        s.put(KILL[self.seat][victim] if self.kills else STEAL_FROM[self.seat][victim])

    def otherwise(self, s: FactionState) -> None:
        s.record_nothing(self.seat, events.KUNOICHI if self.kills else events.BUCCANEER, events.NO_TARGET)

    def key(self) -> list[int]:
        return [self.seat, int(self.kills)]


class Steal(Pick):
    """A Buccaneer's pick: the thief takes the recruit, and its ability triggers for the thief (ruling 20)."""

    def resolve_pick(self, s: FactionState, kind: int, from_pile: bool) -> None:
        if s.log is None:
            s.collect(self.thief, lose_and_shuffle(s, self.victim, kind, from_pile))
            return
        pool = s.count_pool(self.victim)
        card = s.lose(self.victim, kind, from_pile)
        s.tell(events.STOLE, self.thief, card, self.victim, pool)
        shuffle_after_loss(s, self.victim)
        s.collect(self.thief, card)


class Kill(Pick):
    """A Kunoichi's pick: the recruit goes to the recruit discard pile."""

    def resolve_pick(self, s: FactionState, kind: int, from_pile: bool) -> None:
        if s.log is None:
            s.discard.append(lose_and_shuffle(s, self.victim, kind, from_pile))
            return
        pool = s.count_pool(self.victim)
        card = s.lose(self.victim, kind, from_pile)
        s.discard.append(card)
        s.tell(events.REMOVED, self.victim, card, self.thief, pool)
        shuffle_after_loss(s, self.victim)


RAID: Final[list[Step[FactionState]]] = [Aim(seat, False) for seat in SEATS]
AMBUSH: Final[list[Step[FactionState]]] = [Aim(seat, True) for seat in SEATS]
STEAL_FROM: Final[list[list[Step[FactionState]]]] = [[Steal(seat, other) for other in SEATS] for seat in SEATS]
KILL: Final[list[list[Step[FactionState]]]] = [[Kill(seat, other) for other in SEATS] for seat in SEATS]


class Buccaneer(Acting):
    """A card whose collector takes a random recruit of another player, and its ability triggers."""

    ability: ClassVar[str] = "buccaneer"
    text: ClassVar[str] = "You choose a player and take a random recruit of theirs; its ability triggers for you."
    rulings: ClassVar[tuple[int, ...]] = (16, 17, 18, 19, 20, 21)
    icon: ClassVar[str] = "pirate-hook"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Aim, Steal)
    rough_worth: ClassVar[float] = 4.0

    def describe(self, setup: Setup) -> str:
        return self.text.replace("of theirs", SAFE) if setup.safe_bonus else self.text

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        s.put(RAID[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.theft_gain(seat)


class Kunoichi(Acting):
    """A card that sends a random recruit of another player to the recruit discard pile."""

    ability: ClassVar[str] = "kunoichi"
    text: ClassVar[str] = "You choose a player; a random recruit of theirs goes to the recruit discard pile."
    rulings: ClassVar[tuple[int, ...]] = (16, 17, 18, 19)
    icon: ClassVar[str] = "cloak-dagger"
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = (Aim, Kill)
    rough_worth: ClassVar[float] = 2.0

    def describe(self, setup: Setup) -> str:
        return self.text.replace("of theirs", SAFE) if setup.safe_bonus else self.text

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        s.put(AMBUSH[seat])

    def worth(self, look: Weighing, seat: Seat) -> float:
        return look.removal_gain(seat)


RECRUITS: Final[dict[str, type[Kind]]] = {
    cls.ability: cls for cls in (Kind, Berserker, Bonus, Gambler, Buccaneer, Kunoichi)
}
"""The abilities that a card file may give to cards of a faction."""
