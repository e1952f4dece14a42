"""The layout of observation tensors: the knowledge of a viewer as numbers, for the bridges to learners.

A tensor is a row of named parts, `Layout.parts`, filled from a masked state alone into a bytearray of signed bytes, so
that the core needs no numpy. Seats are counted from the observer: 0 is the observer's own, 1 the seat after it. Every
game has these parts, which follow from the core's knowledge of states; a game adds numbers that the core cannot know
(scores, rounds) by `Game.parts` and `Game.measure`:

    steps          the pending steps: how many of each class belong to each seat
    asks           the class of the step that is due
    asked          the seats that are asked
    stack          the numbers of the newest steps, the due one first (seats as they are, from 0)
    DECK.shown     for each deck, zone and kind: cards that all seats have seen; last, all others
    DECK.flags     for each deck, zone and flag of the game: cards that have it
    DECK.known     cards that the observer has seen and another seat has not
    DECK.order     for each zone in which order matters, from its end: the kind of a card if known, its depth, the
                   seats that have seen it, and its flags
    answers        the observer's unfinished answer: 1 at its first action, 2 at its second
    seat           the observer's seat

The public parts come first: they are equal in the spectator's view. Together the parts distinguish any two views of one
viewer, within the limits of `Zone.order`, `Game.step_numbers` and the game's own numbers.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.game import Game, Part, Zone
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.rules.tensor import ENTRY, HIGH, LOW, Writer

WIDTH: Final = 8
"""The number of entries of a variable-length list that the default numbers of a game include."""


class Layout:
    """The parts of a game's tensor, each starting at its place in `at`.

    The public parts come first; `public` is their number of entries. `actions` are the actions that `answers` counts,
    and `decks` give the kinds of the columns of cards.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parts: list[Part] = []
        self.at: list[int] = []
        self.size = 0
        self.actions: list[Action] = game.all_actions()
        seats = game.seats
        state = game.start()
        places = Places(game, state)
        steps = game.steps
        ids = {action: i for i, action in enumerate(self.actions)}
        writer = Writer(seats, {step: i for i, step in enumerate(steps)}, ids, len(game.flags))
        self.writer = writer
        self.decks = places.decks
        self._add_steps(game)
        for deck in places.decks:
            self._add_public(places, deck)
        plain = PlainNumbers(state) if type(game).parts is Game.parts else None
        measured = [plain.part] if plain else game.parts()
        writer.measure = plain.measure if plain else game.measure
        # Plain numbers copy `State.data`, so a full state would leak its secrets through them.
        writer.direct = game.is_direct and not plain
        own = {part.name: self._add(part) for part in measured if part.public}
        self.public = self.size
        for deck in places.decks:
            self._add_private(places, deck)
        own |= {part.name: self._add(part) for part in measured if not part.public}
        meaning = "the observer's unfinished answer: 1 at its first action, 2 at its second"
        writer.answers_at = self._add(Part("answers", (len(self.actions),), meaning, public=False))
        writer.seat_at = self._add(Part("seat", (seats,), "the observer's seat", 0, 1, public=False))
        own_at = [at for part in measured for at in range(own[part.name], own[part.name] + part.size)]
        writer.make_room(places.columns, own_at, self.size)

    def _add_steps(self, game: Game) -> None:
        """Add the parts about pending steps and the seats that are asked."""
        writer, steps, seats = self.writer, game.steps, game.seats
        names = ", ".join(step.__name__ for step in steps)
        meaning = f"pending steps by class and seat; the last seat is no seat, chance or several seats: {names}"
        writer.steps_at = self._add(Part("steps", (len(steps), seats + 1), meaning))
        writer.asks_at = self._add(Part("asks", (len(steps),), "the class of the step that is due", 0, 1))
        writer.asked_at = self._add(Part("asked", (seats + 1,), "the seats that are asked; the last is chance", 0, 1))
        meaning = "the numbers of the newest steps, the due one first; seats in them are counted from 0"
        writer.deep, writer.wide = game.step_numbers
        writer.stack_at = self._add(Part("stack", game.step_numbers, meaning, LOW))

    def _add_public(self, places: Places, deck: Deck) -> None:
        """Add the public parts of a deck."""
        writer, game = self.writer, self.game
        width = len(deck.kinds) + 1
        meaning = f"{deck.about()}: seen by all seats; last, the number of the others"
        start = self._add(Part(f"{deck.name}.shown", (len(deck.owners), deck.rows, width), meaning))
        places.put(writer.shown, deck, deck.zones, start, width)
        if game.flags:
            width = len(game.flags)
            meaning = f"cards in these zones that are {', '.join(game.flags)}"
            start = self._add(Part(f"{deck.name}.flags", (len(deck.owners), deck.rows, width), meaning))
            places.put(writer.flags, deck, deck.zones, start, width)

    def _add_private(self, places: Places, deck: Deck) -> None:
        """Add the parts of a deck about cards that only the observer has seen."""
        writer = self.writer
        width = len(deck.kinds)
        meaning = f"like {deck.name}.shown, for cards that the observer has seen and another seat has not"
        part = Part(f"{deck.name}.known", (len(deck.owners), deck.rows, width), meaning, public=False)
        places.put(writer.known, deck, deck.zones, self._add(part), width)
        if deck.long:
            names = ", ".join(places.labels(deck.ordered[0], deck.owners[0]))
            about = f"the cards of {names} one by one, from the end: 1 + kind (the last: not known), "
            meaning = (
                f"{about}its depth, the seats that have seen it, its flags; cards that no seat has seen are left out"
            )
            shape = (len(deck.owners), max(map(len, deck.ordered)), deck.long, ENTRY)
            part = Part(f"{deck.name}.order", shape, meaning, LOW, HIGH, public=False)
            places.put(writer.order, deck, deck.ordered, self._add(part), deck.long * ENTRY)
            writer.ordered += [(number, deck.long) for zones in deck.ordered for number in zones]

    def __reduce__(self) -> tuple[object, ...]:
        return Layout, (self.game,)

    def __deepcopy__(self, memo: dict[int, object]) -> Layout:
        return self

    def _add(self, part: Part) -> int:
        """Append a part, and return its first entry."""
        start = self.size
        self.parts.append(part)
        self.at.append(start)
        self.size += part.size
        return start

    def new(self) -> bytearray:
        """Return a buffer for one tensor, filled with zeros."""
        return bytearray(self.size)

    def write(self, view: State, out: bytearray) -> None:
        """Fill a buffer from a view. The view of a spectator or an open one is written from the side of seat 0, without
        answers and without a seat."""
        self.writer.write(view, view.viewer, out)

    def fill(self, state: State, seat: Seat, out: bytearray) -> None:
        """Fill a buffer with a seat's knowledge of a full state, without making a view if the game allows it."""
        self.writer.write(state, seat, out)

    def table(self) -> list[tuple[str, str, str]]:
        """Return name, shape and meaning of each part, for guides."""
        return [(part.name, " x ".join(map(str, part.shape)), part.meaning) for part in self.parts]


class Deck:
    """The decks of one name, such as each seat's own cards, with their zones and kinds."""

    __slots__ = ("name", "kinds", "owners", "zones", "labels", "ordered", "long")

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.kinds: list[int] = []
        self.owners: list[int] = []  # the seats whose decks these are; a shared deck (-1) is last
        self.zones: list[list[int]] = []  # for each owner the numbers of its zones
        self.labels: list[str] = []
        self.ordered: list[list[int]] = []  # those of them in which order matters
        self.long: int = 0  # the number of cards that are listed of each

    @property
    def rows(self) -> int:
        """The largest number of zones of a deck."""
        return max(map(len, self.zones))

    def about(self) -> str:
        """Return a phrase about the cards for the guide."""
        return f"cards by {'deck, ' if len(self.owners) > 1 else ''}zone ({', '.join(self.labels)}) and kind"


class Places:
    """The decks of all zones, and the order in which an observer counts them."""

    def __init__(self, game: Game, state: State) -> None:
        self.seats = game.seats
        listed = state.zones()
        self.zones: list[Zone] = game.zones() or name_zones(state)
        if len(self.zones) != len(listed):
            raise ValueError(f"{game.title} names {len(self.zones)} zones and has {len(listed)}")
        found: dict[str, Deck] = {}
        for number, zone in enumerate(self.zones):
            deck = found.setdefault(zone.deck, Deck(zone.deck))
            deck.kinds = sorted({*deck.kinds, *(card & KIND for card in listed[number])} - {HIDDEN})
            if zone.whose not in deck.owners:
                deck.owners.append(zone.whose)
        self.columns: list[list[int]] = [[] for _ in listed]
        for deck in found.values():
            deck.kinds = sorted({*deck.kinds, *game.joining(deck.name)})
            # -1 becomes the largest remainder, so a shared deck comes last.
            deck.owners.sort(key=lambda owner: owner % (self.seats + 1))
            deck.zones = [
                [i for i, zone in enumerate(self.zones) if (zone.deck, zone.whose) == (deck.name, owner)]
                for owner in deck.owners
            ]
            column = [0] * (KIND + 1)
            for i, kind in enumerate(deck.kinds):
                column[kind] = i
            column[HIDDEN] = len(deck.kinds)
            for zones in deck.zones:
                for number in zones:
                    self.columns[number] = column
            deck.ordered = [[number for number in zones if self.zones[number].order] for zones in deck.zones]
            deck.long = max(self.zones[number].order for zones in deck.zones for number in zones)
            deck.labels = self.labels(deck.zones[0], deck.owners[0])

        # A deck that this configuration does not use has no parts.
        self.decks: list[Deck] = [deck for deck in found.values() if deck.kinds]

    def labels(self, zones: list[int], owner: Seat) -> list[str]:
        """Return the names of a deck's zones in their order."""
        return [self.label(number, owner) for number in self.order(zones, owner)]

    def label(self, number: int, owner: Seat) -> str:
        """Return the name of a zone, with its distance from the owner of the deck."""
        zone = self.zones[number]
        near = (zone.seat - max(owner, 0)) % self.seats if zone.seat >= 0 else 0
        return f"{zone.name} of seat +{near}" if near else zone.name

    def order(self, zones: list[int], first: Seat) -> list[int]:
        """Return the zones of a deck in the order of counting: those beside the seat `first` come first."""
        near = [(self.zones[z].seat - max(first, 0)) % self.seats if self.zones[z].seat >= 0 else -1 for z in zones]
        return [zone for _, _, zone in sorted((near[i], i, zone) for i, zone in enumerate(zones))]

    def put(self, bases: list[list[int]], deck: Deck, zones: list[list[int]], start: int, width: int) -> None:
        """Set for each observer where the numbers of a deck's zones begin.

        Args:
            bases: For each observer the places of all zones, which this changes.
            deck: The deck.
            zones: The zones of each owner.
            start: The first entry of the part.
            width: The number of entries of a zone.
        """
        rows = max(map(len, zones))
        for me in range(self.seats):
            if not bases[me]:
                bases[me] = [0] * len(self.zones)
            blocks = sorted(range(len(deck.owners)), key=lambda i: self.near(deck.owners[i], me))
            for block, i in enumerate(blocks):
                # Shared decks are counted from the observer's side, a seat's deck from that seat's.
                first = deck.owners[i] if deck.owners[i] >= 0 else me
                for row, zone in enumerate(self.order(zones[i], first)):
                    bases[me][zone] = start + (block * rows + row) * width

    def near(self, owner: Seat, me: Seat) -> int:
        """Return the distance of a deck's owner from the observer; a shared deck is farthest."""
        return (owner - me) % self.seats if owner >= 0 else self.seats


class PlainNumbers:
    """The numbers of a game that defines none: everything in `State.data` except the zones, list by list. Lists of
    variable length are cut after `WIDTH` entries."""

    def __init__(self, state: State) -> None:
        marked = state.clone()
        zones = marked.zones()
        for number, zone in enumerate(zones):
            # A single impossible card marks each zone, so that zones can be told from other lists in `data`.
            zone[:] = [-1 - number]
        self.paths: list[tuple[int, ...]] = []
        self.widths: list[int] = []
        for path, numbers in find_number_lists(marked.data()):
            if not (len(numbers) == 1 and -len(zones) <= numbers[0] < 0):
                self.paths.append(path)
                self.widths.append(max(WIDTH, len(numbers)))
        self.part = Part("numbers", (sum(self.widths),), "all other numbers of the state, list by list", LOW, HIGH)

    def measure(self, view: State, me: Seat, row: Writer) -> None:
        """Write all numbers, list by list."""
        start = 0
        for path, width in zip(self.paths, self.widths, strict=True):
            here: object = view.data()
            for i in path:
                here = here[i] if isinstance(here, list) and i < len(here) else []
            for at, number in enumerate(flatten(here)[:width], start):
                row.put(at, max(LOW, min(number, HIGH)))
            start += width


def find_number_lists(data: object, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return the lists of ints in nested lists, each with its path. Ints beside lists count as lists."""
    items = data if isinstance(data, list) else [data]
    numbers = [item for item in items if isinstance(item, int)]
    if len(numbers) == len(items):
        return [(path, numbers)]
    return [found for i, item in enumerate(items) for found in find_number_lists(item, (*path, i))]


def flatten(data: object) -> list[int]:
    """Return all numbers in nested lists."""
    if isinstance(data, list):
        return [number for item in data for number in flatten(item)]
    assert isinstance(data, int)
    return [data]


def name_zones(state: State) -> list[Zone]:
    """Return names for the zones of a game that names none: any card may enter any zone, and all cards may be in one.

    With three or more seats hands are listed card by card too, because only the list shows which other seat has seen a
    card.
    """
    ordered = state.ordered_zones()
    most = sum(map(len, state.zones()))
    found = []
    for number, zone in enumerate(state.zones(), start=1):
        # Zones are compared by identity, because two empty zones are equal.
        length = most if state.seats > 2 or any(zone is other for other in ordered) else 0
        found.append(Zone(f"zone {number}", -1, "cards", order=length))
    return found
