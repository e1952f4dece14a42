"""The observation of Faction Wars beside its cards, as numbers. Seats are counted from the observer on."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Part, Zone
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.factionwars.rules.neutrals import Gift
from gonfalon.games.factionwars.rules.recruits import Aim
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

UNOWNED: Final = -1
ORDERED_CARDS: Final = {"deck": 6, "table": 6}
"""The number of cards whose order is observed, by zone. The line-up has a part of its own, by place."""


def list_zones(seats: int) -> list[Zone]:
    """Return the zones in the order of `FactionState.zones`."""
    names = ("deck", "discard", "line-up", "table", "aside")
    middle = [Zone(name, UNOWNED, "recruits", order=ORDERED_CARDS.get(name, 0)) for name in names]
    armies = [Zone(name, seat, "army") for name in ("battle deck", "pile") for seat in range(seats)]
    goals = [Zone("goal", seat, "goals", UNOWNED) for seat in range(seats)]
    rest = [Zone("open", UNOWNED, "bonus"), Zone("rest", UNOWNED, "goals"), Zone("rest", UNOWNED, "bonus")]
    return [*middle, *armies, *goals, *rest]


def list_parts(setup: Setup) -> list[Part]:
    """Return the parts that `write_numbers` fills, in its order."""
    return [
        Part("round", (2,), "the round, and how often the recruit deck has run out"),
        Part(
            "last", (1,), "why the round is the last: the recruit deck has run out, or a card says so; 0 if it is not"
        ),
        Part("chain", (1,), "abilities since the place that is being resolved was claimed"),
        Part("lineup", (setup.size, setup.owned), "the card at each place of the line-up, by kind", 0, 1),
        Part("resolving", (setup.size,), "the place that is being resolved", 0, 1),
        Part("picks", (setup.seats, setup.size), "the place that each seat selected, once revealed", 0, 1),
        Part("owned", (setup.seats, setup.owned), "the cards of each army, wherever they lie, by kind"),
        Part("kunoichi", (1,), "whether it is a Kunoichi, and no Buccaneer, that asks for a player", 0, 1),
        Part("partner", (setup.seats,), "the other player of a Parley", 0, 1),
    ]


def write_numbers(s: State, me: Seat, row: Writer) -> None:
    """Write the numbers of `list_parts` into a row, with seats counted from the observer."""
    assert isinstance(s, FactionState)
    setup = s.setup
    seats, size, width = setup.seats, setup.size, setup.owned
    row.put(0, s.round)
    row.put(1, s.depleted)
    # 0 stands for a round that is not known to be the last.
    row.put(2, s.last + 1)
    row.put(3, s.chain)
    at = 4
    if s.lineup:
        gone = 0
        for place in s.list_gone_places():
            gone |= 1 << place
        place = 0
        for card in s.lineup:
            # Cards keep their place when others have left the line-up.
            while gone >> place & 1:
                place += 1
            row.one(at + place * width + (card & KIND))
            place += 1
    at += size * width
    if s.place >= 0:
        row.one(at + s.place)
    at += size
    owned_at = at + seats * size
    for near in range(seats):
        seat = (me + near) % seats
        if s.picks[seat] >= 0:
            row.one(at + near * size + s.picks[seat])
        count_kinds(s.army[seat], width, owned_at, row)
        count_kinds(s.pile[seat], width, owned_at, row)
        owned_at += width
    if s.stack:
        step = s.stack[-1]
        if isinstance(step, Aim):
            row.put(owned_at, int(step.kills))
        elif isinstance(step, Gift):
            row.one(owned_at + 1 + (step.other - me) % seats)


def count_kinds(zone: list[int], width: i64, at: i64, row: Writer) -> None:
    """Count the known cards of a zone by kind."""
    for number in zone:
        kind: i64 = number
        kind &= KIND
        if kind < width:
            row.more(at + kind)
