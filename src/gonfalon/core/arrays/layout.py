"""What a viewer knows, as numbers: the observation tensors that the bridges hand to learners.

A tensor is a row of named parts, `Layout.parts`, filled from a masked state alone into a bytearray of
signed bytes, so that numpy and its like stay outside the core. Seats are counted from the observer on:
0 is their own, 1 the seat after it. Every game has these parts, worked out from what the core knows of
any state; what the core cannot know (scores, rounds) a game adds by `Game.parts` and `Game.measure`:

    steps          what is still to be done: how many steps of each class belong to each seat
    asks           the class of the step that is due
    asked          the seats that are asked
    stack          the numbers of the newest steps, where that is due first (seats as they are, from 0)
    DECK.shown     for each deck, zone and kind: cards that all seats have seen; last, all the others
    DECK.flags     for each deck, zone and flag of the game: cards that bear it
    DECK.known     cards that the observer has seen and not everybody
    DECK.order     for each zone in which order means something, from its end on: what is known of a card,
                   how far down it lies, who has seen it and its flags
    answers        the observer's unfinished answer: 1 at its first action, 2 at its second
    seat           which seat the observer is

The public ones, up to the game's own, come first: they are the same in the spectator's view. All together
tell two views of one viewer apart, as far as `Zone.order`, `Game.step_numbers` and the game's own go.
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

    The public parts come first; `public` is their number of entries. `actions` are the numbers that `answers` counts,
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
        writer.direct = game.is_direct and not plain
        own = {part.name: self._add(part) for part in measured if part.public}
        self.public = self.size
        for deck in places.decks:
            self._add_private(places, deck)
        own |= {part.name: self._add(part) for part in measured if not part.public}
        meaning = "the observer's unfinished answer: 1 at its first action, 2 at its second"
        writer.answers_at = self._add(Part("answers", (len(self.actions),), meaning, public=False))
        writer.seat_at = self._add(Part("seat", (seats,), "which seat the observer is", 0, 1, public=False))
        own_at = [at for part in measured for at in range(own[part.name], own[part.name] + part.size)]
        writer.make_room(places.columns, own_at, self.size)

    def _add_steps(self, game: Game) -> None:
        """Write the pending steps, and which seats are asked."""
        writer, steps, seats = self.writer, game.steps, game.seats
        names = ", ".join(step.__name__ for step in steps)
        meaning = f"steps still to be done, by class and by seat, last nobody's, chance's or several seats': {names}"
        writer.steps_at = self._add(Part("steps", (len(steps), seats + 1), meaning))
        writer.asks_at = self._add(Part("asks", (len(steps),), "the class of the step that is due", 0, 1))
        writer.asked_at = self._add(Part("asked", (seats + 1,), "who is asked: the seats, last chance", 0, 1))
        meaning = "the numbers of the newest steps, first of the one that is due; seats in them are counted from 0"
        writer.deep, writer.wide = game.step_numbers
        writer.stack_at = self._add(Part("stack", game.step_numbers, meaning, LOW))

    def _add_public(self, places: Places, deck: Deck) -> None:
        """Write the public part of a deck."""
        writer, game = self.writer, self.game
        width = len(deck.kinds) + 1
        meaning = f"{deck.about()}: seen by all seats; last, how many are not"
        start = self._add(Part(f"{deck.name}.shown", (len(deck.owners), deck.rows, width), meaning))
        places.put(writer.shown, deck, deck.zones, start, width)
        if game.flags:
            width = len(game.flags)
            meaning = f"cards in the same zones that are {', '.join(game.flags)}"
            start = self._add(Part(f"{deck.name}.flags", (len(deck.owners), deck.rows, width), meaning))
            places.put(writer.flags, deck, deck.zones, start, width)

    def _add_private(self, places: Places, deck: Deck) -> None:
        """Write the part of a deck that only the observer has seen."""
        writer = self.writer
        width = len(deck.kinds)
        meaning = f"like {deck.name}.shown, for cards that the observer has seen and not everybody"
        part = Part(f"{deck.name}.known", (len(deck.owners), deck.rows, width), meaning, public=False)
        places.put(writer.known, deck, deck.zones, self._add(part), width)
        if deck.long:
            names = ", ".join(places.labels(deck.ordered[0], deck.owners[0]))
            about = f"the cards of {names} one by one, from the end on: 1 + kind (the last: not known), "
            meaning = f"{about}how far down it lies, who has seen it and its flags; left out is what nobody has seen"
            shape = (len(deck.owners), max(map(len, deck.ordered)), deck.long, ENTRY)
            part = Part(f"{deck.name}.order", shape, meaning, LOW, HIGH, public=False)
            places.put(writer.order, deck, deck.ordered, self._add(part), deck.long * ENTRY)
            writer.ordered += [(number, deck.long) for zones in deck.ordered for number in zones]

    def __reduce__(self) -> tuple[object, ...]:
        return Layout, (self.game,)

    def __deepcopy__(self, memo: dict[int, object]) -> Layout:
        return self

    def _add(self, part: Part) -> int:
        start = self.size
        self.parts.append(part)
        self.at.append(start)
        self.size += part.size
        return start

    def new(self) -> bytearray:
        """Room for one tensor, all zeros."""
        return bytearray(self.size)

    def write(self, view: State, out: bytearray) -> None:
        """Fill `out` from a view. A view that is no seat's (a spectator's, an open one) is written from seat 0's side,
        without answers and without a seat."""
        self.writer.write(view, view.viewer, out)

    def fill(self, state: State, seat: Seat, out: bytearray) -> None:
        """Fill `out` with a seat's knowledge of a full state, where the game allows it without making a view."""
        self.writer.write(state, seat, out)

    def table(self) -> list[tuple[str, str, str]]:
        """Name, shape and meaning of each part, as a guide shows them."""
        return [(part.name, " x ".join(map(str, part.shape)), part.meaning) for part in self.parts]


class Deck:
    """Decks of one name (each seat's own cards, say): their zones and kinds."""

    __slots__ = ("name", "kinds", "owners", "zones", "labels", "ordered", "long")

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.kinds: list[int] = []
        self.owners: list[int] = []  # the seats whose decks these are; last -1 for nobody's
        self.zones: list[list[int]] = []  # of each deck the numbers of its zones
        self.labels: list[str] = []
        self.ordered: list[list[int]] = []  # those of them in which order means something
        self.long: int = 0  # of how many of their cards it is told

    @property
    def rows(self) -> int:
        return max(map(len, self.zones))

    def about(self) -> str:
        return f"cards by {'deck, ' if len(self.owners) > 1 else ''}zone ({', '.join(self.labels)}) and kind"


class Places:
    """Which zone belongs to which deck, and in which order an observer counts them."""

    def __init__(self, game: Game, state: State) -> None:
        self.seats = game.seats
        listed = state.zones()
        self.zones: list[Zone] = game.zones() or unnamed(state)
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

        # Of a deck that this configuration does not use nothing is told.
        self.decks: list[Deck] = [deck for deck in found.values() if deck.kinds]

    def labels(self, zones: list[int], owner: Seat) -> list[str]:
        """Return the names of a deck's zones in their order."""
        return [self.label(number, owner) for number in self.order(zones, owner)]

    def label(self, number: int, owner: Seat) -> str:
        zone = self.zones[number]
        near = (zone.seat - max(owner, 0)) % self.seats if zone.seat >= 0 else 0
        return f"{zone.name} of seat +{near}" if near else zone.name

    def order(self, zones: list[int], first: Seat) -> list[int]:
        """The zones of a deck as they are counted: those at the place of seat `first` first."""
        near = [(self.zones[z].seat - max(first, 0)) % self.seats if self.zones[z].seat >= 0 else -1 for z in zones]
        return [zone for _, _, zone in sorted((near[i], i, zone) for i, zone in enumerate(zones))]

    def put(self, bases: list[list[int]], deck: Deck, zones: list[list[int]], start: int, width: int) -> None:
        """Note for each observer where the numbers of each of these zones of a deck begin."""
        rows = max(map(len, zones))
        for me in range(self.seats):
            if not bases[me]:
                bases[me] = [0] * len(self.zones)
            blocks = sorted(range(len(deck.owners)), key=lambda i: self.near(deck.owners[i], me))
            for block, i in enumerate(blocks):
                # What is nobody's is told from the observer's side, a seat's deck from that seat's.
                first = deck.owners[i] if deck.owners[i] >= 0 else me
                for row, zone in enumerate(self.order(zones[i], first)):
                    bases[me][zone] = start + (block * rows + row) * width

    def near(self, owner: Seat, me: Seat) -> int:
        """Return the distance of a deck's owner from the observer; a shared deck is farthest."""
        return (owner - me) % self.seats if owner >= 0 else self.seats


class PlainNumbers:
    """The numbers of a game that names none: all that `State.data` holds beside the zones, list by list.
    Lists that change their length are taken in as far as `WIDTH`."""

    def __init__(self, state: State) -> None:
        marked = state.clone()
        zones = marked.zones()
        for number, zone in enumerate(zones):
            zone[:] = [-1 - number]
        self.paths: list[tuple[int, ...]] = []
        self.widths: list[int] = []
        for path, numbers in lists(marked.data()):
            if not (len(numbers) == 1 and -len(zones) <= numbers[0] < 0):
                self.paths.append(path)
                self.widths.append(max(WIDTH, len(numbers)))
        self.part = Part("numbers", (sum(self.widths),), "what else the state holds, list by list", LOW, HIGH)

    def measure(self, view: State, me: Seat, row: Writer) -> None:
        """Put all numbers, list by list."""
        start = 0
        for path, width in zip(self.paths, self.widths, strict=True):
            here: object = view.data()
            for i in path:
                here = here[i] if isinstance(here, list) and i < len(here) else []
            for at, number in enumerate(flat(here)[:width], start):
                row.put(at, max(LOW, min(number, HIGH)))
            start += width


def lists(data: object, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], list[int]]]:
    """The lists of ints in nested lists, each with the way to it. Ints beside lists count as lists."""
    items = data if isinstance(data, list) else [data]
    numbers = [item for item in items if isinstance(item, int)]
    if len(numbers) == len(items):
        return [(path, numbers)]
    return [found for i, item in enumerate(items) for found in lists(item, (*path, i))]


def flat(data: object) -> list[int]:
    """All numbers in nested lists."""
    if isinstance(data, list):
        return [number for item in data for number in flat(item)]
    assert isinstance(data, int)
    return [data]


def unnamed(state: State) -> list[Zone]:
    """Names for the zones of a game that names none: any card may lie anywhere, and all of them in one zone.

    With three or more seats hands are listed card by card too: only the list says which other seat has seen a card.
    """
    ordered = state.ordered_zones()
    most = sum(map(len, state.zones()))
    found = []
    for number, zone in enumerate(state.zones(), start=1):
        length = most if state.seats > 2 or any(zone is other for other in ordered) else 0
        found.append(Zone(f"zone {number}", -1, "cards", order=length))
    return found
