"""The numbers of observation tensors of Jinkei that are not cards. Seat 0 is the observer."""

from __future__ import annotations

from gonfalon.core.rules.game import Part, Zone
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.jinkei.rules.setup import SPACES, Setup
from gonfalon.games.jinkei.rules.state import TIE, JinkeiState


def list_zones() -> list[Zone]:
    """Return the names of `JinkeiState.zones`."""
    decks = [Zone("deck", seat, "cards") for seat in (0, 1)]
    spaces = [Zone(space, seat, "cards") for seat in (0, 1) for space in SPACES]
    duel = [Zone("duel", seat, "cards") for seat in (0, 1)]
    hands = [Zone("hand", seat, "cards") for seat in (0, 1)]
    taken = [Zone("taken", seat, "cards", owner) for seat in (0, 1) for owner in (0, 1)]
    out = [Zone("out", seat, "cards") for seat in (0, 1)]
    return [*decks, *spaces, *duel, *hands, *taken, *out]


def list_parts(setup: Setup) -> list[Part]:
    """Return the parts that `write_numbers` fills, in its order."""
    return [
        Part("round", (2,), "the round, and the game of the match"),
        Part("starter", (2,), "the first player of the game", 0, 1),
        Part("first", (2,), "the seat that leads the round", 0, 1),
        Part("attacker", (2,), "the seat that led the current or last battle", 0, 1),
        Part("types", (2, setup.types), "the type of each seat", 0, 1),
        Part("formations", (2, len(setup.formations)), "the formation of each seat", 0, 1),
        Part("scored", (2, setup.rounds), "points of each seat in each finished round"),
        Part("totals", (2,), "points of each seat in finished games"),
        Part("battles", (setup.hand, 3), "the winner of each battle of the round: a seat, or neither", 0, 1),
        Part("origin", (2, len(SPACES)), "the space from which each seat's card of that battle came", 0, 1),
        Part("called", (2, 2), "the color that it was called", 0, 1),
    ]


def write_numbers(s: State, me: Seat, row: Writer) -> None:
    """Write the numbers of `list_parts` into a row."""
    assert isinstance(s, JinkeiState)
    setup = s.setup
    rounds, types, formations, spaces = setup.rounds, setup.types, len(setup.formations), len(SPACES)
    row.put(0, s.round)
    row.put(1, s.game)
    row.one(2 + (s.starter ^ me))
    row.one(4 + (s.first ^ me))
    if s.origin[s.attacker] >= 0:
        row.one(6 + (s.attacker ^ me))
    formed_at = 8 + 2 * types
    scored_at = formed_at + 2 * formations
    totals_at = scored_at + 2 * rounds
    origin_at = totals_at + 2 + 3 * setup.hand
    called_at = origin_at + 2 * spaces
    seat = me
    for near in range(2):
        if s.type[seat] >= 0:
            row.one(8 + near * types + s.type[seat])
        if s.formation[seat] >= 0:
            row.one(formed_at + near * formations + s.formation[seat])
        at = scored_at + near * rounds
        for score in s.scored[seat]:
            row.put(at, score)
            at += 1
        row.put(totals_at + near, s.totals[seat])
        if s.origin[seat] >= 0:
            row.one(origin_at + near * spaces + s.origin[seat])
            row.one(called_at + near * 2 + s.called[seat])
        seat = 1 - seat
    at = totals_at + 2
    for winner in s.battles:
        row.one(at + (winner if winner == TIE else winner ^ me))
        at += 3
