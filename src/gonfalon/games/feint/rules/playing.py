"""Playing a card to a Location, and the abilities that it triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import i64

from gonfalon.core.basics.cards import KIND, SEEN, take
from gonfalon.core.rules.state import NO_ACTIONS, Action, Card, Evident, Seat, Step
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import CARD, OWN, PLACE, SCRAMBLER, SLOTS
from gonfalon.games.feint.rules.state import BOTH, DOWN, DUE, DUES, OPPONENT, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.rules.cards import Kind

NO_KIND: Final = -1  # no ability is pending


def begin_play(s: FeintState, seat: Seat, source: list[Card], action: Action) -> None:
    """Carry out a play: put the card at its Location, or announce it to the opponent, who chooses one (ruling 60)."""
    number: i64 = action - CARD
    kind = s.kinds[number // SLOTS]
    slot = number % SLOTS
    if slot:
        play_card(s, seat, source, kind, slot - 1)
        return
    # The announced card is public, but stays in its zone until the opponent has chosen.
    card = take(source, kind.id) | BOTH
    source.append(card)
    s.tell(events.ANNOUNCED, seat, card)
    s.stack.append(Storm(OPPONENT[seat], kind.id, int(source is s.discard[seat])))


def play_card(s: FeintState, seat: Seat, source: list[Card], kind: Kind, place: int) -> None:
    """Put a card into play, then run its ability and the Scramblers that it triggers."""
    if kind.face_down:
        hide_source(s, source, seat)  # before the card is taken, so that it loses its seen bits too
    card = take(source, kind.id)
    card = card | DOWN if kind.face_down else card | BOTH
    s.put(seat, card, place)
    s.tell(events.PLAYED, seat, card, place)
    # Read before any step is pushed, because the height of the stack identifies the play.
    number = len(s.stack)
    count = mark_scrambles(s, seat, kind, place, number) if s.setup.scramblers else 0
    if count == 0:
        kind.on_play(s, seat, place)
    elif kind.acts:
        s.stack.append(Order(seat, kind.id, place, number, count))
    else:
        push_scrambles(s, seat, place, number, count)


def hide_source(s: FeintState, source: list[Card], seat: Seat) -> None:
    """Clear the opponent's seen bits of the cards in a hand that the card just played face down could be."""
    seen = ~SEEN[OPPONENT[seat]]
    if source is s.hand[seat]:
        for i in range(len(source)):
            if s.kinds[source[i] & KIND].face_down:
                source[i] = source[i] & seen


def mark_scrambles(s: FeintState, seat: Seat, kind: Kind, place: int, number: int) -> int:
    """Mark the cards that Scramblers will move because of a play, and return the number of moves.

    The mark contains the number of the play, so that a move finds neither a card that was marked by another play nor
    one that came later (ruling 78). The number is the height of the stack, because the steps of an outer play are
    below those of an inner one. An inner play at the same place replaces the marks, and moves the Scramblers first.
    """
    foe = OPPONENT[seat]
    mark = due_flags(number)
    cards = s.at(foe, place)
    scramblers = [i for i in range(len(cards)) if s.kinds[cards[i] & KIND].scrambles]
    if not s.setup.moves_played:
        for i in scramblers:
            s.remark(foe, place, i, cards[i] & ~DUES | mark)
        return len(scramblers)
    if not scramblers or kind.protected:
        return 0
    own = s.at(seat, place)
    s.remark(seat, place, len(own) - 1, own[-1] | mark)
    return 1  # moved once, the card is out of the other Scramblers' reach (ruling 79)


def due_flags(number: int) -> int:
    """Return the mark of the cards that Scramblers move because of the play with a number."""
    return DUE | number * (DUE << 1)


def push_scrambles(s: FeintState, seat: Seat, place: int, number: int, count: int) -> None:
    """Push the moves by Scramblers that a card of `seat` has triggered at a Location."""
    for _ in range(count):
        s.stack.append(Scramble(OPPONENT[seat], place, number, NO_KIND))


class Order(Step[FeintState]):
    """The player of a card chooses the order of its ability and the opponent's Scramblers (ruling 38)."""

    __slots__ = ("kind", "place", "number", "count")
    prompt: ClassVar[str] = "order"

    def __init__(self, seat: Seat, kind: int, place: int, number: int, count: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place
        self.number: int = number  # of the play
        self.count: int = count  # of the moves by Scramblers that are still due

    def options(self, s: FeintState) -> list[Action]:
        return [OWN, SCRAMBLER]

    def choose(self, s: FeintState, action: Action) -> None:
        if action == OWN:
            # The moves go below the steps that the ability pushes, so the ability acts first.
            push_scrambles(s, self.seat, self.place, self.number, self.count)
            s.kinds[self.kind].on_play(s, self.seat, self.place)
        elif self.count > 1:
            # The question is pushed below the move, so it is asked again after one Scrambler has moved.
            s.stack.append(Order(self.seat, self.kind, self.place, self.number, self.count - 1))
            push_scrambles(s, self.seat, self.place, self.number, 1)
        else:
            s.stack.append(Scramble(OPPONENT[self.seat], self.place, self.number, self.kind))

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place, self.number, self.count]


class Scramble(Evident[FeintState]):
    """The owner of a Scrambler moves it to another Location (rulings 64-66, 78, 79).

    With the option scrambler=played the card that was played moves instead.
    """

    __slots__ = ("place", "number", "then")
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int, number: int, then: int) -> None:
        super().__init__(seat)
        self.place: int = place
        self.number: int = number  # of the play that triggered it
        self.then: int = then  # the kind that was played, if its own ability follows this move

    def side(self, s: FeintState) -> Seat:
        """Return the seat whose card moves."""
        return OPPONENT[self.seat] if s.setup.moves_played else self.seat

    def index(self, s: FeintState) -> int:
        """Return the index at the Location of the card to move; -1 if it has left."""
        cards = s.at(self.side(s), self.place)
        mark = due_flags(self.number)
        for i in range(len(cards)):
            if cards[i] & DUES == mark:
                return i
        return -1

    def answers(self, s: FeintState) -> list[Action]:
        # An ability that acted earlier can have moved or discarded the card or the Scrambler.
        if self.index(s) < 0 or not s.has_scrambler(self.seat, self.place):
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        to = action - PLACE
        s.move(self.side(s), self.place, self.index(s), to)
        if self.then != NO_KIND:
            # The ability acts where its card is now. With scrambler=played the move has changed that.
            s.kinds[self.then].on_play(s, OPPONENT[self.seat], to if s.setup.moves_played else self.place)

    def otherwise(self, s: FeintState) -> None:
        at = self.index(s)
        if at >= 0:  # with scrambler=played: the card is there, but the Scrambler has left
            side = self.side(s)
            s.remark(side, self.place, at, s.at(side, self.place)[at] & ~DUES)

    def key(self) -> list[int]:
        return [self.seat, self.place, self.number, self.then]


class Storm(Evident[FeintState]):
    """The opponent chooses the Location of an announced card (ruling 60)."""

    __slots__ = ("kind", "from_discard")
    prompt: ClassVar[str] = "storm"

    def __init__(self, seat: Seat, kind: int, from_discard: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.from_discard: int = from_discard

    def answers(self, s: FeintState) -> list[Action]:
        kind = s.kinds[self.kind]
        return [PLACE + place for place in range(s.places) if kind.fits(s, place)]

    def choose(self, s: FeintState, action: Action) -> None:
        player = OPPONENT[self.seat]
        source = s.discard[player] if self.from_discard else s.hand[player]
        play_card(s, player, source, s.kinds[self.kind], action - PLACE)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.from_discard]
