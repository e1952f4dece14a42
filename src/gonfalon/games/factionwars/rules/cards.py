"""What the cards do when they are collected. A kind's docstring says what is printed."""

from __future__ import annotations

from typing import Final

from gonfalon.core.cards import KIND
from gonfalon.core.state import Card, Seat
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.abilities import (
    AMBUSH,
    CALL,
    DONE,
    EXCHANGE,
    GAMBLE,
    HAND_ON,
    PARLEY,
    RAID,
    Desert,
)
from gonfalon.games.factionwars.rules.state import FactionState


class Kind:
    """A printed card. An ability is a subclass that overrides what it changes."""

    __slots__ = ("id", "slug", "faction", "battle", "points", "symbol", "acts", "bystander", "berserker", "sets")

    def __init__(self, id: int, slug: str, faction: int, battle: int, points: int, symbol: int) -> None:
        self.id: int = id
        self.slug: str = slug
        self.faction: int = faction  # -1 for none
        self.battle: int = battle
        self.points: int = points
        self.symbol: int = symbol  # of a conscript: 0 rock, 1 paper, 2 scissors; else -1
        self.acts: bool = False  # something happens when it is collected
        self.bystander: bool = False
        self.berserker: bool = False
        self.sets: bool = False  # a Bonus Card that counts sets of all factions
        self.prepare()

    def prepare(self) -> None:
        """Set the marks of this kind."""

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        """The card is collected by a seat."""
        s.gain(seat, card)

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        """The same when the chain has become too long for any ability (ruling 21)."""
        s.gain(seat, card)


class Berserker(Kind):
    """Scores as many points as you have Berserkers, each of them."""

    def prepare(self) -> None:
        self.berserker = True


class Bonus(Kind):
    """A point for each of your cards of this faction, itself included."""


class BonusSets(Bonus):
    """Points for each set of one card of every faction (later revision, reconstructed)."""

    def prepare(self) -> None:
        self.sets = True


class Acting(Kind):
    """A recruit whose ability triggers when it is collected."""

    def prepare(self) -> None:
        self.acts = True


class Gambler(Acting):
    """You draw the top card of the recruit deck, and its ability triggers."""

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        deck = s.deck
        if len(deck) > 1 and s.log is None and s.setup.war < 0 and not s.kinds[deck[-1] & KIND].acts:
            s.pile[seat].append(s.reveal_top())  # nothing else happens: no step is needed
        else:
            s.stack.append(GAMBLE[seat])


class Buccaneer(Acting):
    """You take a random recruit of another player, and its ability triggers."""

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        s.put(RAID[seat])


class Kunoichi(Acting):
    """A random recruit of another player goes to the recruit discard pile."""

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.pile[seat].append(card)
        s.put(AMBUSH[seat])


class Bystander(Acting):
    """You put it into another player's discard pile. It is no recruit and costs points."""

    def prepare(self) -> None:
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


class ActionCard(Acting):
    """Something to do; then the card is discarded (ruling 22)."""

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.table.append(card)
        if s.log is not None:
            s.tell(events.ACTION, seat, card)
        s.stack.append(DONE)
        self.perform(s, seat)

    def perform(self, s: FactionState, seat: Seat) -> None:
        raise NotImplementedError

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        s.discard.append(card)


class CallToArms(ActionCard):
    """Draw three cards of the recruit deck, collect one, discard the others."""

    def perform(self, s: FactionState, seat: Seat) -> None:
        CALL[seat].auto(s)


class PrisonerExchange(ActionCard):
    """Collect a recruit of your choice out of the recruit discard pile."""

    def perform(self, s: FactionState, seat: Seat) -> None:
        s.put(EXCHANGE[seat])


class Desertion(ActionCard):
    """Every other player removes a recruit of their choice and shuffles."""

    def perform(self, s: FactionState, seat: Seat) -> None:
        others = [other for other in range(s.seats) if other != seat and s.has_choice(other)]
        s.stack.append(Desert(seat, others))


class Parley(ActionCard):
    """Choose a player: give a recruit of your choice, take a random one of theirs; both shuffle."""

    def perform(self, s: FactionState, seat: Seat) -> None:
        s.put(PARLEY[seat])


class WarIsOver(Kind):
    """The round in which it appears is the last (later revision). Nobody ever collects it."""


ABILITIES: Final[dict[str, type[Kind]]] = {
    "": Kind,
    "berserker": Berserker,
    "bonus": Bonus,
    "bonus-sets": BonusSets,
    "gambler": Gambler,
    "buccaneer": Buccaneer,
    "kunoichi": Kunoichi,
    "bystander": Bystander,
    "call": CallToArms,
    "exchange": PrisonerExchange,
    "desertion": Desertion,
    "parley": Parley,
    "war": WarIsOver,
}
"""The abilities a card file may name."""
RECRUITS: Final = ("", "berserker", "bonus", "gambler", "buccaneer", "kunoichi")
"""Those of faction cards; the others belong to cards of no faction."""
