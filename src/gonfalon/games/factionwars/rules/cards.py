"""Printed cards: a recruit without an ability, unless a subclass has one.

An ability is one class, here or in `recruits` and `neutrals`: its effect, its text, and its worth to bots.
"""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import mypyc_attr

from gonfalon.core.rules.state import Card, Seat, Step
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState


class Weighing:
    """The gains of abilities in a position, in points, as bots estimate them."""

    def draw_gain(self) -> float:
        """Return the worth of the next card of the recruit deck, or 0 if no deck is left."""
        raise NotImplementedError

    def theft_gain(self, seat: Seat) -> float:
        """Return the gain of a seat that takes a random recruit of another."""
        raise NotImplementedError

    def removal_gain(self, seat: Seat) -> float:
        """Return the gain of a seat that has a random recruit of another discarded."""
        raise NotImplementedError

    def bystander_gain(self, seat: Seat) -> float:
        """Return the gain of a seat that hands a Bystander to another."""
        raise NotImplementedError

    def exchange_gain(self, seat: Seat) -> float:
        """Return the worth to a seat of the best recruit in the recruit discard pile."""
        raise NotImplementedError

    def desertion_gain(self, seat: Seat) -> float:
        """Return the gain of a seat when each other seat loses its least useful recruit."""
        raise NotImplementedError

    def least_loss(self, seat: Seat) -> float:
        """Return the worth to a seat of its least useful recruit."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Kind:
    """A printed card. An ability is a subclass that overrides the members it changes."""

    ability: ClassVar[str] = ""
    """The name of the ability in card files."""
    text: ClassVar[str] = ""
    """The effect in our own words; `{faction}` and `{points}` are replaced by the card's."""
    rulings: ClassVar[tuple[int, ...]] = ()
    open_text: ClassVar[str] = ""
    """The effect of a card that is open from the start and belongs to no army (later revision)."""
    open_rulings: ClassVar[tuple[int, ...]] = ()
    icon: ClassVar[str] = ""
    """An icon of the set in `web/static`; empty for the faction's own."""
    sort: ClassVar[str] = "recruit"
    """The sort of a card without a faction."""
    is_bonus: ClassVar[bool] = False
    """Whether it scores by other cards, and can be open in the later revision."""
    prints_points: ClassVar[bool] = True
    """Whether points are printed on it; otherwise its points come from its ability alone."""
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = ()
    """The steps that it pushes."""
    rough_worth: ClassVar[float] = 0.0
    """A rough worth of the ability in points, without the card's own score, for searches that play rounds out."""

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
        self.set_marks()

    def set_marks(self) -> None:
        """Set the marks of this kind."""

    def describe(self, setup: Setup) -> str:
        """Return the text of the card in a game with these options."""
        return self.text

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        """Put a collected card into the army of a seat, and trigger its ability."""
        s.gain(seat, card)

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        """Put a collected card into the army of a seat without its ability: the chain is too long (ruling 21)."""
        s.gain(seat, card)

    def score(self, setup: Setup, owned: list[int]) -> int:
        """Return the points of each such card in an army, given the number of cards of each kind."""
        return self.points

    def worth(self, look: Weighing, seat: Seat) -> float:
        """Return the worth in points of triggering this card's ability, for bots."""
        return 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Acting(Kind):
    """A card whose ability triggers when it is collected."""

    def set_marks(self) -> None:
        self.acts = True


class Conscript(Kind):
    """A card of the battle deck that every player begins with."""

    text: ClassVar[str] = "Never a recruit, no points. Tied Conscripts play rock, paper, scissors."
    rulings: ClassVar[tuple[int, ...]] = (8, 9, 10, 11, 12)
    sort: ClassVar[str] = "conscript"

    def describe(self, setup: Setup) -> str:
        return f"{self.text[:-1]}, beside a level recruit too." if setup.always_symbols else self.text


class LaterConscript(Conscript):
    """A conscript of the later revision, which has no symbols."""

    text: ClassVar[str] = "Never a recruit, no points. Tied Conscripts continue like other cards."
    rulings: ClassVar[tuple[int, ...]] = (3,)
