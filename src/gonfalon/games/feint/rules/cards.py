"""The abilities of the cards, one class each.

The docstring of a class quotes the printed text and its methods carry it out. The class variables are for pages (text,
icons, rulings) and bots (worth). A new ability is a class in this module that is listed in `ABILITIES`, or a class of
another package that is passed to `add_ability`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.basics.errors import DataError
from gonfalon.core.rules.state import Action, Card, Seat
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.questions import (
    ASSASSINATE,
    CONJURE,
    HEAL,
    MAX_HEALED,
    PEEK,
    PLAY_ONE,
    Bomb,
    Inspect,
    Swap,
)
from gonfalon.games.feint.rules.state import BOTH, FACE_DOWN, LAST_SPACE, MORE_STAY, OPPONENT, STAY, FeintState, Setup

ENGINEER_LIMIT: Final = 4  # ruling 72
# A large number instead of None spares `fits` a branch.
NO_LIMIT: Final = 1000


@dataclass(frozen=True)
class Printed:
    """The printed part of a card, from the card data."""

    slug: str
    name: str
    faction: int
    strength: int
    morale: int
    tags: list[str]
    protected: bool
    location: int
    """The number of a Knight's Location; 0 for others."""
    place: int
    """The index of a Knight's Location in the box; -1 if the box lacks it, and for others."""
    by: int
    """The change of the Capacity or of the number of rounds by its ability; 0 for others."""
    tokens: int = 1
    """The number of Stay tokens that a Guardian Angel gets."""


@cache
def list_plays_by_places(base: Action) -> list[list[Action]]:
    """Return the plays of a card by the bitmask of the places where it fits.

    Args:
        base: The action that plays the card to the first place.

    Returns:
        Lists that all games share and must not change. Appending a ready list is faster than building one.
    """
    return [[base + place for place in range(SLOTS - 1) if places >> place & 1] for places in range(1 << SLOTS - 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Kind:
    """A printed card. An ability is a subclass that overrides some of these methods."""

    ability: ClassVar[str] = ""
    """The word for the ability in the card data."""
    text: ClassVar[str] = ""
    """The text of the ability, in our own words."""
    icons: ClassVar[tuple[str, ...]] = ()
    """The times at which the ability acts: restrict, play, trigger, resolve."""
    rulings: ClassVar[tuple[int, ...]] = ()
    worth: ClassVar[float] = 0.0
    """The Strength that the ability adds to the worth of a card in hand, for bots."""
    most: ClassVar[int] = 0
    """The largest absolute value of the number `by` of such a card; 0 if the ability has no such number."""
    acts: ClassVar[bool] = False
    """Whether the ability acts when the card is played."""

    def __init__(self, id: int, printed: Printed) -> None:
        self.id: int = id
        self.base: Action = CARD + id * SLOTS + 1  # playing it to the first Location
        self.played: list[list[Action]] = list_plays_by_places(self.base)
        self.slug: str = printed.slug
        self.name: str = printed.name
        self.faction: int = printed.faction
        self.strength: int = printed.strength
        self.morale: int = printed.morale
        self.engineer: bool = "engineer" in printed.tags
        self.tower: bool = "tower" in printed.tags
        self.gang: bool = "gang" in printed.tags
        self.protected: bool = printed.protected
        self.place: int = printed.place
        self.weight: int = printed.strength  # Capacity that it uses when played
        self.limit: int = NO_LIMIT  # most Capacity used after it, where its text sets a limit
        self.room: int = 0  # most Capacity used before it; set by Setup, which knows the Capacity
        self.face_down: bool = False
        self.scrambles: bool = False
        self.resolves: bool = False  # its ability acts in the Resolution phase
        self.tokens: int = 0  # Stay tokens that it gets
        self.shift: int = 0  # Capacity that it adds to its Location
        self.rounds: int = 0  # rounds that it adds to the game

    def says(self, setup: Setup) -> str:
        """Return the text of the card in a game with these options."""
        return self.text

    # ---- where it may be played -----------------------------------------------------------------

    def fits(self, s: FeintState, place: int) -> bool:
        """Return whether the rules let the card be played to a Location (rulings 18-20)."""
        # `room` is computed for the printed Capacity. Only a card that shifts the Capacity makes the sum necessary.
        if s.setup.shifts:
            return s.load[place] + self.weight <= min(self.limit, s.capacity(place))
        return s.load[place] <= self.room

    def plays(self, s: FeintState, out: list[Action]) -> None:
        """Append the legal plays of the card to `out`, ascending: one for each place that it `fits`."""
        if s.setup.shifts:
            out += [self.base + place for place in range(s.places) if self.fits(s, place)]
        else:
            out += self.played[s.find_open_places(self.room)]

    # ---- its ability ----------------------------------------------------------------------------

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        """Carry out the ability when the card is played."""

    def adds(self, s: FeintState) -> int:
        """Return the places that become Battle Locations, as a bitmask."""
        return 0

    def bars(self, place: int) -> int:
        """Return the places that cannot be Battle Locations, as a bitmask."""
        return 0

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        """Carry out the ability in the Resolution phase."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Acting(Kind):
    """A kind with an ability that acts when the card is played."""

    icons: ClassVar[tuple[str, ...]] = ("play",)
    acts: ClassVar[bool] = True


@mypyc_attr(allow_interpreted_subclasses=True)
class Resolving(Kind):
    """A kind with an ability that acts in the Resolution phase."""

    icons: ClassVar[tuple[str, ...]] = ("resolve",)

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.resolves = True


@mypyc_attr(allow_interpreted_subclasses=True)
class Choosy(Kind):
    """A kind with its own rule for the Locations where it may be played."""

    icons: ClassVar[tuple[str, ...]] = ("restrict",)

    def plays(self, s: FeintState, out: list[Action]) -> None:
        out += [self.base + place for place in range(s.places) if self.fits(s, place)]


# ---- Guards of Keion --------------------------------------------------------------------------------


class GuardianAngel(Acting):
    """Place a Stay token on this card: it stays for the next round."""

    ability: ClassVar[str] = "guardian-angel"
    text: ClassVar[str] = "Gets a Stay token: it remains on the board for the next round."
    rulings: ClassVar[tuple[int, ...]] = (48, 52, 83)
    worth: ClassVar[float] = 0.8

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.tokens = printed.tokens

    def says(self, setup: Setup) -> str:
        if self.tokens == 1:
            return self.text
        return f"Gets {self.tokens} Stay tokens: it remains on the board for the next {self.tokens} rounds."

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        # The newest copy is the one just played. An older copy at the same Location must not get the token.
        index = s.find(seat, place, self.id)
        further = self.tokens - 1
        s.remark(seat, place, index, s.at(seat, place)[index] | STAY | further * MORE_STAY)
        s.tell(events.STAY, seat, self.id | BOTH, place, further)


class Explorer(Acting):
    """Look at the top card of your Location Draw Pile."""

    ability: ClassVar[str] = "explorer"
    text: ClassVar[str] = "You look at your next Location Card."
    rulings: ClassVar[tuple[int, ...]] = (7, 53)
    worth: ClassVar[float] = 0.3

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(PEEK[seat])


class Dragoon(Resolving):
    """Location 2 is a Battle Location."""

    ability: ClassVar[str] = "dragoon"
    text: ClassVar[str] = "Location 2 becomes a Battle Location."
    rulings: ClassVar[tuple[int, ...]] = (43, 44, 45)
    worth: ClassVar[float] = 0.3

    def adds(self, s: FeintState) -> int:
        # The box of an owner's card file may lack Location 2.
        return 1 << s.setup.numbers.index(2) if 2 in s.setup.numbers else 0

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        if 2 in s.setup.numbers:
            s.tell(events.ADDED, seat, card, s.setup.numbers.index(2))


class Knight(Choosy):
    """Playable only to Location X. Protected."""

    ability: ClassVar[str] = "knight"
    rulings: ClassVar[tuple[int, ...]] = (54,)
    worth: ClassVar[float] = -0.7

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.location: int = printed.location

    def says(self, setup: Setup) -> str:
        return f"Goes to Location {self.location} only."

    def fits(self, s: FeintState, place: int) -> bool:
        return place == self.place and super().fits(s, place)

    def plays(self, s: FeintState, out: list[Action]) -> None:
        if self.place >= 0 and super().fits(s, self.place):
            out.append(self.base + self.place)


class Punisher(Resolving):
    """This Location is no Battle Location."""

    ability: ClassVar[str] = "punisher"
    text: ClassVar[str] = "Its Location is never a Battle Location."
    rulings: ClassVar[tuple[int, ...]] = (34, 42, 43, 45)
    worth: ClassVar[float] = 1.2

    def bars(self, place: int) -> int:
        return 1 << place

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        s.tell(events.BARRED, seat, card, place)


class Patriot(Acting):
    """Reveal your current Location Card."""

    ability: ClassVar[str] = "patriot"
    text: ClassVar[str] = "You turn up your Location Card for the rest of the round."
    rulings: ClassVar[tuple[int, ...]] = (55,)
    worth: ClassVar[float] = -0.8

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        # A new list, because clones share the lists of `scout`.
        card = s.scout[seat][0] | BOTH
        s.scout[seat] = [card]
        s.tell(events.BARED, seat, card)


# ---- Tribe Wu ---------------------------------------------------------------------------------------


class MasterOfFire(Acting):
    """Lose 2 Morale."""

    ability: ClassVar[str] = "master-of-fire"
    text: ClassVar[str] = "You lose 2 Morale."
    rulings: ClassVar[tuple[int, ...]] = (49, 56)
    worth: ClassVar[float] = -1.0

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.change_morale(seat, -2)


class MasterOfWind(Choosy):
    """Playable only to empty Locations."""

    ability: ClassVar[str] = "master-of-wind"
    text: ClassVar[str] = "Goes only to a Location without any card."
    rulings: ClassVar[tuple[int, ...]] = (57,)
    worth: ClassVar[float] = -0.5

    def fits(self, s: FeintState, place: int) -> bool:
        return not (s.at(0, place) or s.at(1, place)) and super().fits(s, place)


class MasterOfEarth(Resolving):
    """Gain 1 Morale per spare Capacity at this Location."""

    ability: ClassVar[str] = "master-of-earth"
    text: ClassVar[str] = "You gain 1 Morale for each point of Capacity still free here."
    rulings: ClassVar[tuple[int, ...]] = (40, 58)
    worth: ClassVar[float] = 2.0

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        spare = s.capacity(place) - s.load[place]
        # The load can exceed the Capacity, because Towers and moved cards ignore it.
        if spare > 0:
            s.tell(events.EARTH, seat, card, place, spare)
            s.change_morale(seat, spare)


class Conjurer(Acting):
    """Choose a card of your discard pile and play it."""

    ability: ClassVar[str] = "conjurer"
    text: ClassVar[str] = "You play a card out of your discard pile."
    rulings: ClassVar[tuple[int, ...]] = (12, 39, 59)
    worth: ClassVar[float] = 2.0

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(CONJURE[seat])


class StormProdigy(Kind):
    """Your opponent chooses the Location. Protected."""

    ability: ClassVar[str] = "storm-prodigy"
    text: ClassVar[str] = "Your opponent picks the Location it goes to."
    icons: ClassVar[tuple[str, ...]] = ("restrict",)
    rulings: ClassVar[tuple[int, ...]] = (11, 31, 60)
    worth: ClassVar[float] = -2.5

    def plays(self, s: FeintState, out: list[Action]) -> None:
        for place in range(s.places):
            if self.fits(s, place):
                out.append(self.base - 1)  # announced without a Location: one action, if it fits anywhere (ruling 60)
                return


# ---- Gang of Mibits ---------------------------------------------------------------------------------


class GoodForSomething(Acting):
    """Draw a card, then play a card."""

    ability: ClassVar[str] = "good-for-something"
    text: ClassVar[str] = "You draw a card and then play one."
    rulings: ClassVar[tuple[int, ...]] = (12, 39, 61)
    worth: ClassVar[float] = 2.0

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.draw(seat, 1)
        s.stack.append(PLAY_ONE[seat])


class GanganBit(Acting):
    """Move all your Gang cards at other Locations to this Location."""

    ability: ClassVar[str] = "gangan"
    rulings: ClassVar[tuple[int, ...]] = (22, 23, 62)
    worth: ClassVar[float] = 1.0

    def says(self, setup: Setup) -> str:
        cards = "All your cards of this faction" if setup.whole_gang else "Your Gang cards"
        return f"{cards} at other Locations come here."

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        found = False
        for other in range(s.places):
            if other != place:
                cards = s.at(seat, other)
                for i in range(len(cards) - 1, -1, -1):  # backwards, as each move shortens the list
                    if self.gathers(s, cards[i]):
                        s.move(seat, other, i, place)
                        found = True
        if not found:
            s.tell_idle(seat)

    def gathers(self, s: FeintState, card: Card) -> bool:
        kind = s.kinds[card & KIND]
        if kind.protected:
            return False
        return kind.faction == self.faction if s.setup.whole_gang else kind.gang


class Medic(Acting):
    """Place up to 3 cards of your discard pile at the bottom of your draw pile. Protected."""

    ability: ClassVar[str] = "medic"
    text: ClassVar[str] = "Up to 3 cards of your discard pile go under your draw pile."
    rulings: ClassVar[tuple[int, ...]] = (63,)
    worth: ClassVar[float] = 0.5

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(HEAL[seat][MAX_HEALED])


class Scrambler(Kind):
    """If your opponent plays a card to this Location, this card moves to another Location."""

    ability: ClassVar[str] = "scrambler"
    icons: ClassVar[tuple[str, ...]] = ("trigger",)
    rulings: ClassVar[tuple[int, ...]] = (38, 64, 65, 66, 78, 79)
    worth: ClassVar[float] = 0.3

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.scrambles = True

    def says(self, setup: Setup) -> str:
        when = "When your opponent plays a card here,"
        if not setup.moves_played:
            return f"{when} this card moves to another Location, which you choose."
        return f"{when} that card moves to another Location, which you choose, unless it is Protected. This card stays."


class TrojanBit(Acting):
    """Move one of your cards in play to the bottom of your draw pile: draw a card. Protected."""

    ability: ClassVar[str] = "trojan"
    text: ClassVar[str] = "One of your other cards in play goes under your draw pile: you draw a card."
    rulings: ClassVar[tuple[int, ...]] = (67, 68)
    worth: ClassVar[float] = 1.0

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(Swap(seat, self.id, place))


# ---- League of Agents -------------------------------------------------------------------------------


class Covert(Kind):
    """Play this card face down: 3 for Capacity."""

    ability: ClassVar[str] = "covert"
    text: ClassVar[str] = "Lies face down until the Resolution and counts 3 for Capacity."
    icons: ClassVar[tuple[str, ...]] = ("restrict",)
    rulings: ClassVar[tuple[int, ...]] = (19, 24, 26, 29, 69)
    worth: ClassVar[float] = 0.6

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.face_down = True
        self.weight = FACE_DOWN


class Saboteur(Acting):
    """Discard the top 2 cards of your opponent's draw pile."""

    ability: ClassVar[str] = "saboteur"
    text: ClassVar[str] = "The top 2 cards of your opponent's draw pile are discarded."
    rulings: ClassVar[tuple[int, ...]] = (30, 70)
    worth: ClassVar[float] = 0.5

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        foe = OPPONENT[seat]
        deck = s.deck[foe]
        top = deck[-2:]
        del deck[-2:]
        if not top:
            s.tell_idle(seat)
        # First the discards from the top down, then the Protected cards return in their order (ruling 70).
        for card in reversed(top):
            if not s.kinds[card & KIND].protected:
                s.tell(events.MILLED, foe, s.bury(foe, card))
        for card in top:
            if s.kinds[card & KIND].protected:
                deck.append(card | BOTH)
                s.tell(events.SPARED, foe, card | BOTH)


class Assassin(Acting):
    """Discard a random card of your opponent's hand."""

    ability: ClassVar[str] = "assassin"
    text: ClassVar[str] = "A random card of your opponent's hand is discarded."
    rulings: ClassVar[tuple[int, ...]] = (35, 71)
    worth: ClassVar[float] = 1.2

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(ASSASSINATE[OPPONENT[seat]])


# ---- Society of Engineers ---------------------------------------------------------------------------


class Engineer(Kind):
    """Cannot be played if it would exceed a Capacity of 4."""

    ability: ClassVar[str] = "engineer"
    text: ClassVar[str] = "Goes only where all Strength then comes to 4 or less."
    icons: ClassVar[tuple[str, ...]] = ("restrict",)
    rulings: ClassVar[tuple[int, ...]] = (19, 72)
    worth: ClassVar[float] = 0.8

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.limit = ENGINEER_LIMIT


class Tower(Choosy):
    """Playable only to Locations with more Engineers than Towers. May exceed Capacity."""

    ability: ClassVar[str] = "tower"
    text: ClassVar[str] = "Needs more Engineers than Towers at its Location and may exceed its Capacity."
    rulings: ClassVar[tuple[int, ...]] = (21, 73)
    worth: ClassVar[float] = 0.5

    def fits(self, s: FeintState, place: int) -> bool:
        engineers, towers = s.works(place)
        return engineers > towers

    def plays(self, s: FeintState, out: list[Action]) -> None:
        board, n = s.board, s.places
        # An empty Location has no Engineers, so it need not be counted.
        out += [self.base + p for p in range(n) if (board[p] or board[n + p]) and self.fits(s, p)]


class SupportTower(Tower):
    """Look at the top 3 cards of your draw pile; you may place one of them at its bottom."""

    ability: ClassVar[str] = "support-tower"
    text: ClassVar[str] = (
        "Needs more Engineers than Towers here, may exceed Capacity. You look at your top 3 cards and may "
        "put one of them under your draw pile."
    )
    icons: ClassVar[tuple[str, ...]] = ("restrict", "play")
    rulings: ClassVar[tuple[int, ...]] = (21, 36, 73, 74)
    worth: ClassVar[float] = 0.8
    acts: ClassVar[bool] = True

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        deck = s.deck[seat]
        count = min(3, len(deck))
        if count == 0:
            s.tell_idle(seat)
            return
        # The opponent learns only the number of cards. Each card is logged for the seat alone.
        s.tell(events.LOOKED, seat, HIDDEN, count)
        for i in range(len(deck) - 1, len(deck) - 1 - count, -1):
            deck[i] |= SEEN[seat]
            s.tell_only(1 << seat, events.LOOKED_CARD, seat, deck[i])
        s.stack.append(Inspect(seat, count))


class BombTower(Tower):
    """Discard an enemy card at this Location, then discard this card."""

    ability: ClassVar[str] = "bomb-tower"
    text: ClassVar[str] = (
        "Needs more Engineers than Towers here, may exceed Capacity. An enemy card here is discarded, then this card."
    )
    icons: ClassVar[tuple[str, ...]] = ("restrict", "play")
    rulings: ClassVar[tuple[int, ...]] = (21, 27, 73, 75, 76)
    worth: ClassVar[float] = 1.5
    acts: ClassVar[bool] = True

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(Bomb(seat, self.id, place))


# ---- for cards of an owner's file -------------------------------------------------------------------


class Shifting(Kind):
    """The Capacity of this Location is that much higher, or lower (ruling 81)."""

    ability: ClassVar[str] = "capacity"
    icons: ClassVar[tuple[str, ...]] = ("trigger",)
    rulings: ClassVar[tuple[int, ...]] = (81,)
    most: ClassVar[int] = 20

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.shift = printed.by

    def says(self, setup: Setup) -> str:
        more = "higher" if self.shift > 0 else "lower"
        return f"The Capacity of its Location is {abs(self.shift)} {more}."


class Lasting(Acting):
    """The game lasts that many rounds more, or fewer (ruling 82)."""

    ability: ClassVar[str] = "rounds"
    rulings: ClassVar[tuple[int, ...]] = (82,)
    # The marker starts on space 2 or later, so no longer move is possible.
    most: ClassVar[int] = LAST_SPACE - 2

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.rounds = printed.by

    def says(self, setup: Setup) -> str:
        rounds = "1 round" if abs(self.rounds) == 1 else f"{abs(self.rounds)} rounds"
        return f"The game lasts {rounds} {'longer' if self.rounds > 0 else 'shorter'}."

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        if s.move_end(self.rounds):
            s.tell(events.END, seat, self.id | BOTH, s.end - 1)
        else:
            s.tell_idle(seat)


ABILITIES: Final[dict[str, type[Kind]]] = {
    kind.ability: kind
    for kind in (
        Kind,
        GuardianAngel,
        Explorer,
        Dragoon,
        Knight,
        Punisher,
        Patriot,
        MasterOfFire,
        MasterOfWind,
        MasterOfEarth,
        Conjurer,
        StormProdigy,
        GoodForSomething,
        GanganBit,
        Medic,
        Scrambler,
        TrojanBit,
        Covert,
        Saboteur,
        Assassin,
        Engineer,
        Tower,
        SupportTower,
        BombTower,
        Shifting,
        Lasting,
    )
}
"""The abilities by their words in the card data."""


def add_ability(ability: type[Kind]) -> None:
    """Register an ability for card data.

    Raises:
        DataError: Another ability has the same word.
    """
    if ability.ability in ABILITIES:
        raise DataError(f"The ability {ability.ability!r} already exists.")
    ABILITIES[ability.ability] = ability
