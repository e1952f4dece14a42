"""What every printed card is: a recruit without an ability, unless a subclass says more.

An ability is one class, here or in `recruits` and `neutrals`: what it does, what is told of it, what bots take it for.
"""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import mypyc_attr

from gonfalon.core.rules.state import Card, Seat, Step
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState


class Weighing:
    """The worth of what abilities do in a position, in points, as bots judge it."""

    def draw(self) -> float:
        """The worth of the next card of the recruit deck, which may be used up."""
        raise NotImplementedError

    def theft(self, seat: Seat) -> float:
        """The gain of a seat that takes a random recruit of another."""
        raise NotImplementedError

    def removal(self, seat: Seat) -> float:
        """The gain of a seat that has a random recruit of another discarded."""
        raise NotImplementedError

    def burden(self, seat: Seat) -> float:
        """The gain of a seat that hands a Bystander to another."""
        raise NotImplementedError

    def discarded(self, seat: Seat) -> float:
        """The worth to a seat of the best recruit of the recruit discard pile."""
        raise NotImplementedError

    def desertions(self, seat: Seat) -> float:
        """The gain of a seat when every other one loses the recruit that it can spare best."""
        raise NotImplementedError

    def least(self, seat: Seat) -> float:
        """The worth to a seat of the recruit that it can spare best."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Kind:
    """A printed card. An ability is a subclass that overrides what it changes."""

    ability: ClassVar[str] = ""
    """Its name in card files."""
    text: ClassVar[str] = ""
    """What it does, in our own words; `{faction}` and `{points}` stand for the card's."""
    rulings: ClassVar[tuple[int, ...]] = ()
    open_text: ClassVar[str] = ""
    """The same for a card that lies open from the start and that nobody can own (later revision)."""
    open_rulings: ClassVar[tuple[int, ...]] = ()
    icon: ClassVar[str] = ""
    """An icon of the set in `web/static`; empty for the faction's own."""
    sort: ClassVar[str] = "recruit"
    """What it is when it belongs to no faction."""
    is_bonus: ClassVar[bool] = False
    """It scores by other cards, and may lie open (later revision)."""
    prints_points: ClassVar[bool] = True
    """Points are printed on it; else they come from its ability alone."""
    steps: ClassVar[tuple[type[Step[FactionState]], ...]] = ()
    """The steps that it pushes."""
    rough_worth: ClassVar[float] = 0.0
    """What it is worth in points beside what the card scores, roughly: for bots that try rounds out, on the way."""

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

    def says(self, setup: Setup) -> str:
        """Its text in a game with these options."""
        return self.text

    def on_collect(self, s: FactionState, seat: Seat, card: Card) -> None:
        """The card is collected by a seat."""
        s.gain(seat, card)

    def on_collect_in_vain(self, s: FactionState, seat: Seat, card: Card) -> None:
        """The same when the chain has become too long for any ability (ruling 21)."""
        s.gain(seat, card)

    def score(self, setup: Setup, owned: list[int]) -> int:
        """What each such card scores in an army."""
        return self.points

    def worth(self, look: Weighing, seat: Seat) -> float:
        """What it is worth to a seat, in points, that this card's ability triggers: for bots."""
        return 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Acting(Kind):
    """A card whose ability triggers when it is collected."""

    def prepare(self) -> None:
        self.acts = True


class Conscript(Kind):
    """A card with which everybody begins."""

    text: ClassVar[str] = "Never a recruit, no points. Level conscripts play rock, paper, scissors."
    rulings: ClassVar[tuple[int, ...]] = (8, 9, 10, 11, 12)
    sort: ClassVar[str] = "conscript"

    def says(self, setup: Setup) -> str:
        return f"{self.text[:-1]}, beside a level recruit too." if setup.always_symbols else self.text


class LaterConscript(Conscript):
    """The same in the later revision, which knows no symbols."""

    text: ClassVar[str] = "Never a recruit, no points. Level conscripts go on like any other cards."
    rulings: ClassVar[tuple[int, ...]] = (3,)
