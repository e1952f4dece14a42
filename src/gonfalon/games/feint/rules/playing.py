"""Playing a card: where it goes, and what that sets off."""

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

NOTHING: Final = -1  # no ability is waiting


def begin_play(s: FeintState, seat: Seat, source: list[Card], action: Action) -> None:
    """Carry out a play: to its Location, or by announcing it to the opponent (ruling 60)."""
    number: i64 = action - CARD
    kind = s.kinds[number // SLOTS]
    slot = number % SLOTS
    if slot:
        play_card(s, seat, source, kind, slot - 1)
        return
    card = take(source, kind.id) | BOTH
    source.append(card)
    s.tell(events.ANNOUNCED, seat, card)
    s.stack.append(Storm(OPPONENT[seat], kind.id, int(source is s.discard[seat])))


def play_card(s: FeintState, seat: Seat, source: list[Card], kind: Kind, place: int) -> None:
    """Put a card into play and set off what this triggers."""
    if kind.face_down:
        forget(s, source, seat)
    card = take(source, kind.id)
    card = card | DOWN if kind.face_down else card | BOTH
    s.put(seat, card, place)
    s.tell(events.PLAYED, seat, card, place)
    number = len(s.stack)
    count = set_off(s, seat, kind, place, number) if s.setup.scramblers else 0
    if count == 0:
        kind.on_play(s, seat, place)
    elif kind.acts:
        s.stack.append(Order(seat, kind.id, place, number, count))
    else:
        push_scrambles(s, seat, place, number, count)


def forget(s: FeintState, source: list[Card], seat: Seat) -> None:
    """A card leaves unseen: which of those that could be it, the opponent can no longer say."""
    seen = ~SEEN[OPPONENT[seat]]
    if source is s.hand[seat]:
        for i in range(len(source)):
            if s.kinds[source[i] & KIND].face_down:
                source[i] = source[i] & seen


def set_off(s: FeintState, seat: Seat, kind: Kind, place: int, number: int) -> int:
    """Mark the cards that Scramblers will move for the card just played; how many moves that makes.

    The mark bears a number of the play, so that no move takes a card that was due for another play's, or one that
    came later (ruling 78). The height of the stack numbers the plays: whatever an outer play is waiting for lies
    below. An inner play at the same place marks the Scramblers anew, and moves them before the outer one could.
    """
    foe = OPPONENT[seat]
    mark = marked(number)
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


def marked(number: int) -> int:
    """The flags of a card that is due for the play of this number."""
    return DUE | number * (DUE << 1)


def push_scrambles(s: FeintState, seat: Seat, place: int, number: int, count: int) -> None:
    """Have the Scramblers that a card of `seat` has set off at a Location act."""
    for _ in range(count):
        s.stack.append(Scramble(OPPONENT[seat], place, number, NOTHING))


class Order(Step[FeintState]):
    """The player of a card orders its own ability and the opponent's Scramblers (ruling 38)."""

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
            push_scrambles(s, self.seat, self.place, self.number, self.count)
            s.kinds[self.kind].on_play(s, self.seat, self.place)
        elif self.count > 1:
            s.stack.append(Order(self.seat, self.kind, self.place, self.number, self.count - 1))
            push_scrambles(s, self.seat, self.place, self.number, 1)
        else:
            s.stack.append(Scramble(OPPONENT[self.seat], self.place, self.number, self.kind))

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place, self.number, self.count]


class Scramble(Evident[FeintState]):
    """A Scrambler moves to another Location, or by the other reading the card that was played to its own
    (rulings 64-66, 78, 79): the owner of the Scrambler chooses where to."""

    __slots__ = ("place", "number", "then")
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int, number: int, then: int) -> None:
        super().__init__(seat)
        self.place: int = place
        self.number: int = number  # of the play that has set it off
        self.then: int = then  # the kind that was played, if its own ability has waited for this

    def side(self, s: FeintState) -> Seat:
        """Whose card moves."""
        return OPPONENT[self.seat] if s.setup.moves_played else self.seat

    def index(self, s: FeintState) -> int:
        """Where at the Location the card to be moved lies; -1 when it has gone."""
        cards = s.at(self.side(s), self.place)
        mark = marked(self.number)
        for i in range(len(cards)):
            if cards[i] & DUES == mark:
                return i
        return -1

    def answers(self, s: FeintState) -> list[Action]:
        if self.index(s) < 0 or not s.has_scrambler(self.seat, self.place):
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        to = action - PLACE
        s.move(self.side(s), self.place, self.index(s), to)
        if self.then != NOTHING:
            s.kinds[self.then].on_play(s, OPPONENT[self.seat], to if s.setup.moves_played else self.place)

    def otherwise(self, s: FeintState) -> None:
        at = self.index(s)
        if at >= 0:  # by the other reading: the card is there, and no Scrambler is any more
            side = self.side(s)
            s.remark(side, self.place, at, s.at(side, self.place)[at] & ~DUES)

    def key(self) -> list[int]:
        return [self.seat, self.place, self.number, self.then]


class Storm(Evident[FeintState]):
    """The opponent chooses where the announced card goes (ruling 60)."""

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
