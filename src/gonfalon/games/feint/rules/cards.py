"""What the cards do. A kind's docstring says what is printed; its methods say the same."""

from __future__ import annotations

from typing import Final

from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.state import Action, Card, Seat
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.questions import (
    ASSASSINATE,
    CONJURE,
    HEAL,
    MOST_HEALED,
    PEEK,
    PLAY_ONE,
    Bomb,
    Inspect,
    Swap,
)
from gonfalon.games.feint.rules.state import BOTH, FACE_DOWN, OPPONENT, STAY, FeintState

ENGINEER_LIMIT: Final = 4  # ruling 72
NO_LIMIT: Final = 1000


class Printed:
    """The printed part of a card, as the data file gives it."""

    __slots__ = (
        "slug",
        "name",
        "faction",
        "strength",
        "morale",
        "engineer",
        "tower",
        "gang",
        "protected",
        "place",
        "by",
    )

    def __init__(
        self,
        slug: str,
        name: str,
        faction: int,
        strength: int,
        morale: int,
        tags: list[str],
        protected: bool,
        place: int,
        by: int,
    ) -> None:
        self.slug: str = slug
        self.name: str = name
        self.faction: int = faction
        self.strength: int = strength
        self.morale: int = morale
        self.engineer: bool = "engineer" in tags
        self.tower: bool = "tower" in tags
        self.gang: bool = "gang" in tags
        self.protected: bool = protected
        self.place: int = place  # a Knight's Location; -1 for others
        self.by: int = by  # how much its ability changes the Capacity or the number of rounds; 0 for others


class Kind:
    """A printed card. An ability is a subclass that overrides what it changes."""

    __slots__ = (
        "id",
        "base",
        "played",
        "slug",
        "name",
        "faction",
        "strength",
        "morale",
        "engineer",
        "tower",
        "gang",
        "protected",
        "place",
        "weight",
        "limit",
        "room",
        "face_down",
        "scrambles",
        "acts",
        "resolves",
        "shift",
        "rounds",
    )

    def __init__(self, id: int, printed: Printed) -> None:
        self.id: int = id
        self.base: Action = CARD + id * SLOTS + 1  # playing it to the first Location
        # For each bitmask of places, playing it there: whole lists are joined faster than made.
        self.played: list[list[Action]] = [
            [self.base + place for place in range(SLOTS - 1) if places >> place & 1] for places in range(1 << SLOTS - 1)
        ]
        self.slug: str = printed.slug
        self.name: str = printed.name
        self.faction: int = printed.faction
        self.strength: int = printed.strength
        self.morale: int = printed.morale
        self.engineer: bool = printed.engineer
        self.tower: bool = printed.tower
        self.gang: bool = printed.gang
        self.protected: bool = printed.protected
        self.place: int = printed.place
        self.weight: int = printed.strength  # what it takes of a Location's Capacity when played
        self.limit: int = NO_LIMIT  # what a Location may hold after it, besides its Capacity
        self.room: int = 0  # what a Location may hold before it, by both; the Setup knows the Capacity
        self.face_down: bool = False
        self.scrambles: bool = False
        self.acts: bool = False  # has an ability of the moment it is played
        self.resolves: bool = False  # has an ability of the Resolution phase
        self.shift: int = 0  # what it adds to the Capacity of its Location
        self.rounds: int = 0  # the rounds that it makes the game longer

    # ---- where it may be played -----------------------------------------------------------------

    def fits(self, s: FeintState, place: int) -> bool:
        """Whether the rules let it be played to a Location (rulings 18-20)."""
        if s.setup.shifts:
            return s.load[place] + self.weight <= min(self.limit, s.capacity(place))
        return s.load[place] <= self.room

    def plays(self, s: FeintState, out: list[Action]) -> None:
        """Append the legal plays, ascending: the places that `fits` names."""
        if s.setup.shifts:
            out += [self.base + place for place in range(s.places) if self.fits(s, place)]
        else:
            out += self.played[s.open(self.room)]

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        """The rule that keeps it from a Location; None when it fits."""
        if self.fits(s, place):
            return None
        return self.crowded(s, place)

    def crowded(self, s: FeintState, place: int) -> str:
        load, capacity = s.load[place], s.capacity(place)
        number = s.setup.numbers[place]
        if load > capacity:
            return (
                f"Location {number} holds {load} of {capacity} already: nothing more may be played there (ruling 20)."
            )
        weight = f"{self.weight}, face down," if self.face_down else f"{self.weight}"
        return (
            f"{self.name} ({weight}) would bring Location {number} to {load + self.weight} of {capacity} (ruling 18)."
        )

    def why_no_announcement(self, s: FeintState) -> str:
        return f"You choose the Location of {self.name} yourself (Deployment phase)."

    # ---- what it does ---------------------------------------------------------------------------

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        """The moment it is played."""

    def adds(self, s: FeintState) -> int:
        """Places that become Battle Locations, a bitmask."""
        return 0

    def bars(self, place: int) -> int:
        """Places that are no Battle Location, a bitmask."""
        return 0

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        """In the Resolution phase."""


class Acting(Kind):
    """A kind with an ability of the moment it is played."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.acts = True


class Resolving(Kind):
    """A kind with an ability of the Resolution phase."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.resolves = True


class Choosy(Kind):
    """A kind with a rule of its own on where it may be played."""

    def plays(self, s: FeintState, out: list[Action]) -> None:
        out += [self.base + place for place in range(s.places) if self.fits(s, place)]


# ---- Guards of Keion --------------------------------------------------------------------------------


class GuardianAngel(Acting):
    """Place a Stay token on this card: it stays for the next round."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        index = s.find(seat, place, self.id)
        s.remark(seat, place, index, s.at(seat, place)[index] | STAY)
        s.tell(events.STAY, seat, self.id | BOTH, place)


class Explorer(Acting):
    """Look at the top card of your Location Draw Pile."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(PEEK[seat])


class Dragoon(Resolving):
    """Location 2 is a Battle Location."""

    def adds(self, s: FeintState) -> int:
        return 1 << s.setup.numbers.index(2) if 2 in s.setup.numbers else 0

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        if 2 in s.setup.numbers:
            s.tell(events.ADDED, seat, card, s.setup.numbers.index(2))


class Knight(Choosy):
    """Playable only to Location X. Protected."""

    def fits(self, s: FeintState, place: int) -> bool:
        return place == self.place and super().fits(s, place)

    def plays(self, s: FeintState, out: list[Action]) -> None:
        if self.place >= 0 and super().fits(s, self.place):
            out.append(self.base + self.place)

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        if place != self.place:
            number = "another box's Location" if self.place < 0 else f"Location {s.setup.numbers[self.place]}"
            return f"{self.name} may be played only to {number} (ruling 54)."
        return super().why_not_at(s, place)


class Punisher(Resolving):
    """This Location is no Battle Location."""

    def bars(self, place: int) -> int:
        return 1 << place

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        s.tell(events.BARRED, seat, card, place)


class Patriot(Acting):
    """Reveal your current Location Card."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        card = s.scout[seat][0] | BOTH
        s.scout[seat] = [card]
        s.tell(events.BARED, seat, card)


# ---- Tribe Wu ---------------------------------------------------------------------------------------


class MasterOfFire(Acting):
    """Lose 2 Morale."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.change_morale(seat, -2)


class MasterOfWind(Choosy):
    """Playable only to empty Locations."""

    def fits(self, s: FeintState, place: int) -> bool:
        if s.at(0, place) or s.at(1, place):
            return False
        return super().fits(s, place)

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        if s.at(0, place) or s.at(1, place):
            number = s.setup.numbers[place]
            return f"{self.name} needs an empty Location, and Location {number} is not (ruling 57)."
        return super().why_not_at(s, place)


class MasterOfEarth(Resolving):
    """Gain 1 Morale per spare Capacity at this Location."""

    def on_resolve(self, s: FeintState, seat: Seat, card: Card, place: int) -> None:
        spare = s.capacity(place) - s.load[place]
        if spare > 0:
            s.tell(events.EARTH, seat, card, place, spare)
            s.change_morale(seat, spare)


class Conjurer(Acting):
    """Choose a card of your discard pile and play it."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(CONJURE[seat])


class StormProdigy(Kind):
    """Your opponent chooses the Location. Protected."""

    def plays(self, s: FeintState, out: list[Action]) -> None:
        for place in range(s.places):
            if self.fits(s, place):
                out.append(self.base - 1)
                return

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        return f"Your opponent chooses the Location of {self.name}: announce it without one (ruling 60)."

    def why_no_announcement(self, s: FeintState) -> str:
        return f"No Location has room for {self.name} ({self.weight}), so it cannot be played (ruling 60)."


# ---- Gang of Mibits ---------------------------------------------------------------------------------


class GoodForSomething(Acting):
    """Draw a card, then play a card."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.draw(seat, 1)
        s.stack.append(PLAY_ONE[seat])


class GanganBit(Acting):
    """Move all your Gang cards at other Locations to this Location."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        found = False
        for other in range(s.places):
            if other != place:
                cards = s.at(seat, other)
                for i in range(len(cards) - 1, -1, -1):
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

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(HEAL[seat][MOST_HEALED])


class Scrambler(Kind):
    """If your opponent plays a card to this Location, this card moves to another Location."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.scrambles = True


class TrojanBit(Acting):
    """Move one of your cards in play to the bottom of your draw pile: draw a card. Protected."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(Swap(seat, self.id, place))


# ---- League of Agents -------------------------------------------------------------------------------


class Covert(Kind):
    """Play this card face down: 3 for Capacity."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.face_down = True
        self.weight = FACE_DOWN


class Saboteur(Acting):
    """Discard the top 2 cards of your opponent's draw pile."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        foe = OPPONENT[seat]
        deck = s.deck[foe]
        top = deck[-2:]
        del deck[-2:]
        if not top:
            s.tell_idle(seat)
        for card in reversed(top):
            if not s.kinds[card & KIND].protected:
                s.tell(events.MILLED, foe, s.bury(foe, card))
        for card in top:
            if s.kinds[card & KIND].protected:
                deck.append(card | BOTH)
                s.tell(events.SPARED, foe, card | BOTH)


class Assassin(Acting):
    """Discard a random card of your opponent's hand."""

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(ASSASSINATE[OPPONENT[seat]])


# ---- Society of Engineers ---------------------------------------------------------------------------


class Engineer(Kind):
    """Cannot be played if it would exceed a Capacity of 4."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.limit = ENGINEER_LIMIT

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        after = s.load[place] + self.weight
        if s.capacity(place) >= after > ENGINEER_LIMIT:
            number = s.setup.numbers[place]
            return f"{self.name} would bring Location {number} to {after}, above an Engineer's limit of 4 (ruling 72)."
        return super().why_not_at(s, place)


class Tower(Choosy):
    """Playable only to Locations with more Engineers than Towers. May exceed Capacity."""

    def fits(self, s: FeintState, place: int) -> bool:
        engineers, towers = s.works(place)
        return engineers > towers

    def plays(self, s: FeintState, out: list[Action]) -> None:
        board, n = s.board, s.places
        out += [self.base + p for p in range(n) if (board[p] or board[n + p]) and self.fits(s, p)]

    def why_not_at(self, s: FeintState, place: int) -> str | None:
        engineers, towers = s.works(place)
        if engineers > towers:
            return None
        number = s.setup.numbers[place]
        return (
            f"{self.name} needs more Engineers than Towers at Location {number}; "
            f"there are {engineers} and {towers} (ruling 73)."
        )


class SupportTower(Tower):
    """Look at the top 3 cards of your draw pile; you may place one of them at its bottom."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.acts = True

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        deck = s.deck[seat]
        count = min(3, len(deck))
        if count == 0:
            s.tell_idle(seat)
            return
        s.tell(events.LOOKED, seat, HIDDEN, count)
        for i in range(len(deck) - 1, len(deck) - 1 - count, -1):
            deck[i] |= SEEN[seat]
            s.tell_only(1 << seat, events.LOOKED_CARD, seat, deck[i])
        s.stack.append(Inspect(seat, count))


class BombTower(Tower):
    """Discard an enemy card at this Location, then discard this card."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.acts = True

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        s.stack.append(Bomb(seat, self.id, place))


# ---- for cards of an owner's file -----------------------------------------------------------------------


class Shifting(Kind):
    """The Capacity of this Location is that much higher, or lower (ruling 81)."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.shift = printed.by


class Lasting(Acting):
    """The game lasts that many rounds more, or fewer (ruling 82)."""

    def __init__(self, id: int, printed: Printed) -> None:
        super().__init__(id, printed)
        self.rounds = printed.by

    def on_play(self, s: FeintState, seat: Seat, place: int) -> None:
        if s.move_end(self.rounds):
            s.tell(events.END, seat, self.id | BOTH, s.end - 1)
        else:
            s.tell_idle(seat)


ABILITIES: Final[dict[str, type[Kind]]] = {
    "": Kind,
    "guardian-angel": GuardianAngel,
    "explorer": Explorer,
    "dragoon": Dragoon,
    "knight": Knight,
    "punisher": Punisher,
    "patriot": Patriot,
    "master-of-fire": MasterOfFire,
    "master-of-wind": MasterOfWind,
    "master-of-earth": MasterOfEarth,
    "conjurer": Conjurer,
    "storm-prodigy": StormProdigy,
    "good-for-something": GoodForSomething,
    "gangan": GanganBit,
    "medic": Medic,
    "scrambler": Scrambler,
    "trojan": TrojanBit,
    "covert": Covert,
    "saboteur": Saboteur,
    "assassin": Assassin,
    "engineer": Engineer,
    "tower": Tower,
    "support-tower": SupportTower,
    "bomb-tower": BombTower,
    "capacity": Shifting,
    "rounds": Lasting,
}
"""The words that a card's `ability` may be in the card data."""
