"""Playing a card: where it goes, and what that sets off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from mypy_extensions import i64

from gonfalon.core.cards import HIDDEN, KIND, SEEN, take
from gonfalon.core.state import NO_ACTIONS, NOBODY, Action, Card, Seat, Step
from gonfalon.games.feint import events
from gonfalon.games.feint.actions import CARD, OWN, PLACE, SCRAMBLER, SLOTS
from gonfalon.games.feint.state import BOTH, DOWN, FRESH, OPPONENT, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.kinds import Kind


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
    foe = OPPONENT[seat]
    if kind.face_down:
        forget(s, source, seat)
    card = take(source, kind.id)
    card = card | DOWN if kind.face_down else card | BOTH
    scramblers = 0
    if s.setup.scramblers and not (s.setup.moves_played and kind.protected):
        for enemy in s.at(foe, place):
            if not enemy & DOWN and s.kinds[enemy & KIND].scrambles:
                scramblers += 1
    if scramblers and s.setup.moves_played:
        card |= FRESH
    s.put(seat, card, place)
    s.tell(events.PLAYED, seat, card & ~FRESH, place)
    if scramblers == 0:
        kind.on_play(s, seat, place)
    elif kind.acts:
        s.stack.append(Order(seat, kind.id, place, scramblers))
    else:
        push_scrambles(s, seat, place, scramblers)


def forget(s: FeintState, source: list[Card], seat: Seat) -> None:
    """A card leaves unseen: which of those that could be it, the opponent can no longer say."""
    seen = ~SEEN[OPPONENT[seat]]
    if source is s.hand[seat]:
        for i in range(len(source)):
            if s.kinds[source[i] & KIND].face_down:
                source[i] = source[i] & seen


def push_scrambles(s: FeintState, seat: Seat, place: int, count: int) -> None:
    """Have each Scrambler at a Location answer the card that `seat` played there."""
    for _ in range(count):
        if s.setup.moves_played:
            s.stack.append(MovePlayed(OPPONENT[seat], place))
        else:
            s.stack.append(SCRAMBLE[OPPONENT[seat]][place])


class Order(Step[FeintState]):
    """The player of a card orders its own ability and the opponent's Scramblers (ruling 38)."""

    __slots__ = ("kind", "place", "scramblers")
    prompt: ClassVar[str] = "order"

    def __init__(self, seat: Seat, kind: int, place: int, scramblers: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.place: int = place
        self.scramblers: int = scramblers

    def options(self, s: FeintState) -> list[Action]:
        return [OWN, SCRAMBLER]

    def choose(self, s: FeintState, action: Action) -> None:
        if action == OWN:
            push_scrambles(s, self.seat, self.place, self.scramblers)
            s.kinds[self.kind].on_play(s, self.seat, self.place)
        elif self.scramblers > 1 and not s.setup.moves_played:
            s.stack.append(Order(self.seat, self.kind, self.place, self.scramblers - 1))
            push_scrambles(s, self.seat, self.place, 1)
        else:
            s.stack.append(OwnAbility(self.seat, self.kind, self.place))
            push_scrambles(s, self.seat, self.place, self.scramblers)

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.place, self.scramblers]


class OwnAbility(Step[FeintState]):
    """A played card's own ability, put off until the Scramblers have acted."""

    __slots__ = ("player", "kind", "place")

    def __init__(self, player: Seat, kind: int, place: int) -> None:
        super().__init__(NOBODY)
        self.player: Seat = player
        self.kind: int = kind
        self.place: int = place

    def auto(self, s: FeintState) -> None:
        s.kinds[self.kind].on_play(s, self.player, self.place)

    def key(self) -> list[int]:
        return [self.player, self.kind, self.place]


class Scramble(Step[FeintState]):
    """A Scrambler moves to another Location of its owner's choice (rulings 64-66)."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int) -> None:
        super().__init__(seat)
        self.place: int = place

    def here(self, s: FeintState) -> int:
        cards = s.at(self.seat, self.place)
        for i in range(len(cards)):
            card = cards[i]
            if not card & DOWN and card & KIND != HIDDEN and s.kinds[card & KIND].scrambles:
                return i
        return -1

    def options(self, s: FeintState) -> list[Action]:
        if self.here(s) < 0:
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        s.move(self.seat, self.place, self.here(s), action - PLACE)

    def key(self) -> list[int]:
        return [self.seat, self.place]


class MovePlayed(Step[FeintState]):
    """The other reading: the card just played is what the Scrambler's owner moves (ruling 64)."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "scramble"

    def __init__(self, seat: Seat, place: int) -> None:
        super().__init__(seat)
        self.place: int = place

    def index(self, s: FeintState) -> int:
        cards = s.at(OPPONENT[self.seat], self.place)
        for i in range(len(cards) - 1, -1, -1):
            if cards[i] & FRESH:
                return i
        return -1

    def options(self, s: FeintState) -> list[Action]:
        if self.index(s) < 0:
            return NO_ACTIONS
        return [PLACE + place for place in range(s.places) if place != self.place]

    def choose(self, s: FeintState, action: Action) -> None:
        foe = OPPONENT[self.seat]
        s.move(foe, self.place, self.index(s), action - PLACE)
        for i in range(len(s.stack) - 1, -1, -1):
            waiting = s.stack[i]
            if isinstance(waiting, OwnAbility):
                s.stack[i] = OwnAbility(waiting.player, waiting.kind, action - PLACE)
            elif isinstance(waiting, MovePlayed):
                continue
            return

    def key(self) -> list[int]:
        return [self.seat, self.place]


class Storm(Step[FeintState]):
    """The opponent chooses where the announced card goes (ruling 60)."""

    __slots__ = ("kind", "from_discard")
    prompt: ClassVar[str] = "storm"

    def __init__(self, seat: Seat, kind: int, from_discard: int) -> None:
        super().__init__(seat)
        self.kind: int = kind
        self.from_discard: int = from_discard

    def fitting(self, s: FeintState) -> list[Action]:
        kind = s.kinds[self.kind]
        return [PLACE + place for place in range(s.places) if kind.fits(s, place)]

    def options(self, s: FeintState) -> list[Action]:
        fitting = self.fitting(s)
        return fitting if len(fitting) > 1 else NO_ACTIONS

    def choose(self, s: FeintState, action: Action) -> None:
        player = OPPONENT[self.seat]
        source = s.discard[player] if self.from_discard else s.hand[player]
        play_card(s, player, source, s.kinds[self.kind], action - PLACE)

    def auto(self, s: FeintState) -> None:
        self.choose(s, self.fitting(s)[0])

    def key(self) -> list[int]:
        return [self.seat, self.kind, self.from_discard]


SCRAMBLE: Final[list[list[Step[Any]]]] = [[Scramble(seat, p) for p in range(5)] for seat in (0, 1)]
