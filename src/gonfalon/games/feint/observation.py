"""The numbers of observation tensors of Feint that are not cards. Seat 0 is the observer."""

from __future__ import annotations

from gonfalon.core.rules.game import Part, Zone
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.feint.rules.state import MORE_STAY, FeintState, Setup


def list_zones(setup: Setup) -> list[Zone]:
    """Return the names of `FeintState.zones`.

    Draw piles and Locations are encoded in their order and at full size, because all cards of a deck can be there and
    known.
    """
    most, places = max(map(len, setup.decks)), len(setup.location_deck)
    piles = [
        Zone(name, seat, deck, order=order)
        for name, deck, order in (
            *(("deck", "cards", most), ("discard", "cards", 0)),
            *(("pile", "locations", places), ("used", "locations", 0), ("scout", "locations", 0)),
        )
        for seat in (0, 1)
    ]
    board = [Zone(f"@{number}", seat, "cards", order=most) for seat in (0, 1) for number in setup.numbers]
    return [*piles, *board, *[Zone("hand", seat, "cards") for seat in (0, 1)]]


def list_parts(setup: Setup) -> list[Part]:
    """Return the parts that `write_numbers` fills, in its order."""
    found = [
        Part("round", (1,), "the round"),
        Part("first", (2,), "the start player of the round", 0, 1),
        Part("passed", (2,), "the seats that have passed", 0, 1),
        Part("morale", (2,), "the Morale of each seat", -128),
        Part("won", (2,), "the rounds that each seat has won"),
        Part("load", (len(setup.numbers),), "the Strength at each Location, as Capacity counts it"),
    ]
    if setup.lasting:
        found.append(Part("rounds", (1,), "the rounds that the game has"))
    if setup.tokens > 1:
        shape = (2, len(setup.numbers), setup.tokens - 1)
        found.append(Part("tokens", shape, "cards at each Location with two, three, ... Stay tokens"))
    return found


def write_numbers(s: State, me: Seat, row: Writer) -> None:
    """Write the numbers of `list_parts` into a row."""
    assert isinstance(s, FeintState)
    other = 1 - me
    row.put(0, s.round)
    row.one(1 + (s.first ^ me))
    row.put(3, s.passed >> me & 1)
    row.put(4, s.passed >> other & 1)
    row.put(5, s.morale[me])
    row.put(6, s.morale[other])
    for winner in s.won:
        if winner >= 0:
            row.more(7 + (winner ^ me))
    at = 9
    for load in s.load:
        if load:
            row.put(at, load)
        at += 1
    if s.setup.lasting:
        row.put(at, s.end - 1)
        at += 1
    if s.setup.tokens > 1:
        width = s.setup.tokens - 1
        for seat in (me, other):
            for place in range(s.places):
                for card in s.at(seat, place):
                    if card >= MORE_STAY:
                        row.more(at + card // MORE_STAY - 1)
                at += width
