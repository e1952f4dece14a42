"""What observation tensors tell of Jinkei beside its cards. Seats are counted from the observer on."""

from __future__ import annotations

from gonfalon.core.game import Part, Zone
from gonfalon.core.state import Seat
from gonfalon.games.jinkei.rules.setup import SPACES, Setup
from gonfalon.games.jinkei.rules.state import TIE, JinkeiState


def zones() -> list[Zone]:
    """The names of `JinkeiState.zones`."""
    decks = [Zone("deck", seat, "cards") for seat in (0, 1)]
    spaces = [Zone(space, seat, "cards") for seat in (0, 1) for space in SPACES]
    duel = [Zone("duel", seat, "cards") for seat in (0, 1)]
    hands = [Zone("hand", seat, "cards") for seat in (0, 1)]
    taken = [Zone("taken", seat, "cards", owner) for seat in (0, 1) for owner in (0, 1)]
    out = [Zone("out", seat, "cards") for seat in (0, 1)]
    return [*decks, *spaces, *duel, *hands, *taken, *out]


def parts(setup: Setup) -> list[Part]:
    """The parts that `measure` fills, in its order."""
    return [
        Part("round", (2,), "the round, and the game of the match"),
        Part("starter", (2,), "who was first player of the game", 0, 1),
        Part("first", (2,), "who leads the round", 0, 1),
        Part("attacker", (2,), "who led the battle on the table, or the last one", 0, 1),
        Part("types", (2, setup.types), "the type of each seat", 0, 1),
        Part("formations", (2, len(setup.formations)), "the formation of each seat", 0, 1),
        Part("scored", (2, setup.rounds), "points of each seat in each finished round"),
        Part("totals", (2,), "points of each seat in finished games"),
        Part("battles", (setup.hand, 3), "who won each battle of the round: a seat, or neither", 0, 1),
        Part("origin", (2, len(SPACES)), "the space from which each seat's card of that battle came", 0, 1),
        Part("called", (2, 2), "the colour that it was called", 0, 1),
    ]


def measure(s: JinkeiState, me: Seat) -> list[int]:
    """The numbers of `parts`."""
    setup = s.setup
    rounds, types, formations, spaces = setup.rounds, setup.types, len(setup.formations), len(SPACES)
    out = [0] * (8 + 2 * (types + formations + rounds + 1 + spaces + 2) + 3 * setup.hand)
    out[0] = s.round
    out[1] = s.game
    out[2 + (s.starter ^ me)] = 1
    out[4 + (s.first ^ me)] = 1
    if s.origin[s.attacker] >= 0:
        out[6 + (s.attacker ^ me)] = 1
    at = 8
    for seat in (me, 1 - me):
        if s.type[seat] >= 0:
            out[at + s.type[seat]] = 1
        at += types
    for seat in (me, 1 - me):
        if s.formation[seat] >= 0:
            out[at + s.formation[seat]] = 1
        at += formations
    for seat in (me, 1 - me):
        scored = s.scored[seat]
        for i in range(len(scored)):
            out[at + i] = scored[i]
        at += rounds
    out[at] = s.totals[me]
    out[at + 1] = s.totals[1 - me]
    at += 2
    for winner in s.battles:
        out[at + (winner if winner == TIE else winner ^ me)] = 1
        at += 3
    at += 3 * (setup.hand - len(s.battles))
    called = at + 2 * spaces
    for seat in (me, 1 - me):
        if s.origin[seat] >= 0:
            out[at + s.origin[seat]] = 1
            out[called + s.called[seat]] = 1
        at += spaces
        called += 2
    return out
