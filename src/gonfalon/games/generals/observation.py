"""The named parts of an observation of Generals, besides its cards.

Seats are counted from the observer. The generals of a seat are in the order of the card list.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from gonfalon.core.basics.cards import Unread
from gonfalon.core.rules.game import Part, Zone
from gonfalon.core.rules.state import AnyStep, Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.generals.effects.frame import PARTS
from gonfalon.games.generals.effects.on_cards import DiscardSeen, RecruitPick, SearchPick
from gonfalon.games.generals.rules.acts.acts import Bearer, Executor, Placement
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act, Declare, Launch
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay, Pick, Sacrifice
from gonfalon.games.generals.rules.cards import ACTS, BY_MELEE, EQUIPMENT, MIGHT, NO_CONTEXT, WITS
from gonfalon.games.generals.rules.casualties import Fall
from gonfalon.games.generals.rules.setup import Setup
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.rules.stats import compute_stat
from gonfalon.games.generals.rules.triggers import InOrder
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import ZONE_OF

FLAGS: Final = 8
"""The number of bits in `GeneralsState.flags`."""
LASTING: Final = 8
"""The number of temporary effects in a row, the newest ones."""
WIDTH: Final = 7
"""The number of values for each temporary effect."""
WAITING: Final = 8
"""The number of waiting triggers in a row."""
SOURCES: Final = 16
"""The factor of the source in the keys of `GeneralsState.spent`: source * SOURCES + ability."""


def list_zones(setup: Setup) -> list[Zone]:
    """Return the names of `GeneralsState.zones`.

    Order matters on the field, where generals are in the order of arrival. In RESOURCE no order is known: cards are
    known only during a search, as a set.
    """
    most = max([1, len(setup.army_of[0]), len(setup.army_of[1])])
    order = {"RESOURCE": most, "field": most}
    names = ("RESOURCE", "CASUALTY", "field", "Equipment", "declared", "out", "Commandment", "hand", "DISCARD")
    return [Zone(name, seat, "cards", order=order.get(name, 0)) for name in names for seat in (0, 1)]


def list_kinds(setup: Setup) -> list[int]:
    """Return the kinds that may appear in the game, ascending."""
    return sorted({*setup.may[0], *setup.may[1], *setup.commands})


class Measure:
    """The parts of one game and the code that fills them. The row of each general follows from the cards that its deck
    list may hold."""

    def __init__(self, setup: Setup) -> None:
        self.units: int = setup.units
        self.most: int = max([1, len(setup.army_of[0]), len(setup.army_of[1])])
        self.row: vec[i32] = vec[i32]([0] * setup.units)
        for army in setup.army_of:
            for row, u in enumerate(army):
                self.row[u] = i32(row)
        used = list_kinds(setup)
        self.column: vec[i32] = vec[i32]([0] * len(setup.kinds))
        self.gear: vec[i32] = vec[i32]([0] * len(setup.kinds))
        self.gears: int = 0
        self.cards: int = len(used)
        for column, kind in enumerate(used):
            self.column[kind] = i32(column)
            if setup.kinds[kind].type == EQUIPMENT:
                self.gear[kind] = i32(self.gears)
                self.gears += 1
        self.parts: list[Part] = self._list_parts()
        self.size: int = sum([part.size for part in self.parts])

    def _list_parts(self) -> list[Part]:
        """Return the names, shapes and meanings of the parts in the order of `put`."""
        by = f"by seat and general ({self.most} of the side that may have more)"
        act = "the act being declared, answered or carried out"
        acts = ", ".join(ACTS).replace("_", " ")
        return [
            Part("turn", (3,), "the turn; Sieges declared in it; generals felled by the Tactics being executed"),
            Part("active", (2,), "the active player", 0, 1),
            Part("first", (2,), "the first player", 0, 1),
            Part("zone", (2, self.most, 4), f"the zone of each general, from the observer's FORTRESS on, {by}", 0, 1),
            Part(
                "done",
                (2, self.most, FLAGS),
                "the flags of each general this turn: new, move used, attack used, has moved, active effect used, "
                "may attack again, moved to BORDER, returned to the hand",
                0,
                1,
            ),
            Part("now", (2, self.most, 2), "Might and Wits in force of the generals in play", -128),
            Part("gear", (2, self.most, self.gears), "the Equipment of each general, by kind", 0, 1),
            Part("marks", (2, self.most + 1, PARTS), "marks on general, Armament and Troop; last the Commandment"),
            Part("spent", (2, self.most + 1, PARTS), "abilities with a limit used this turn, by the same sources"),
            Part(
                "lasting",
                (LASTING, WIDTH),
                "the newest temporary effects: sort (1 number, 2 rule, 3 trigger), its index, 1 + seat, 1 + general "
                "(the other seat's after the observer's), amount, turns left, 1 + kind",
                -128,
            ),
            Part("act", (2, len(ACTS) + 1), f"{act}, by seat: {acts}, another", 0, 1),
            Part("card", (self.cards,), f"the card of {act}, by kind", 0, 1),
            Part("doer", (2, self.most), f"the general of {act}", 0, 1),
            Part("aims", (2, self.most), f"the generals already chosen, or at which {act} is aimed", 0, 1),
            Part("left", (1,), "the number of cards or generals left to pay, discard or choose"),
            Part("waiting", (WAITING,), "1 + kind of the card of each trigger waiting for its place in the order"),
            Part("seen", (2, self.cards), "copies that the other seat knows to be in each deck list, by kind"),
            Part("list", (self.cards,), "the observer's own deck list, by kind", public=False),
        ]

    def put(self, s: State, me: Seat, row: Writer) -> None:
        """Write the values of all parts for the observer `me` into a row."""
        assert isinstance(s, GeneralsState)
        setup = s.setup
        most = self.most
        # The values of a row are signed bytes.
        row.put(0, s.number if s.number < 127 else 127)
        row.put(1, s.sieges)
        row.put(2, s.felled)
        row.one(3 + (s.active ^ me))
        row.one(5 + (s.first ^ me))
        zone_at = 7
        done_at = zone_at + 2 * most * 4
        now_at = done_at + 2 * most * FLAGS
        gear_at = now_at + 2 * most * 2
        marks_at = gear_at + 2 * most * self.gears
        spent_at = marks_at + 2 * (most + 1) * PARTS
        lasting_at = spent_at + 2 * (most + 1) * PARTS
        self.put_generals(s, me, zone_at, now_at, gear_at, row)
        u = -1
        done: Unread = s.flags
        for item in done:
            u += 1
            flags: i64 = item
            if flags:
                general = self.find_general(setup, u, me)
                for bit in range(FLAGS):
                    if flags >> bit & 1:
                        row.one(done_at + general * FLAGS + bit)
        source = -1
        marks: Unread = s.marks
        for item in marks:
            source += 1
            count: i64 = item
            if count:
                row.put(marks_at + self.find_source(setup, source, me), count)
        for key in s.spent:
            row.more(spent_at + self.find_source(setup, key // SOURCES, me))
        self.put_lasting(s, me, lasting_at, row)
        self.put_current_act(s, me, lasting_at + LASTING * WIDTH, row)
        self.put_lists(s, me, self.size - 3 * self.cards, row)

    def put_generals(self, s: GeneralsState, me: Seat, zone_at: int, now_at: int, gear_at: int, row: Writer) -> None:
        """Write the zones, numbers and Equipment of the generals in play, from the given indexes of the row on."""
        zone_of = ZONE_OF[me]
        for seat in range(2):
            side = seat ^ me
            for u in s.army[seat]:
                general = i64(side * self.most) + i64(self.row[u])
                row.one(zone_at + general * 4 + zone_of[s.zone[u]])
                might, wits = compute_stat(s, MIGHT, u, NO_CONTEXT, -1), compute_stat(s, WITS, u, NO_CONTEXT, -1)
                row.put(now_at + general * 2, might if might > 0 else 0)
                row.put(now_at + general * 2 + 1, wits if wits > 0 else 0)
                worn_at = gear_at + general * self.gears
                if s.armament[u] >= 0:
                    row.one(worn_at + i64(self.gear[s.armament[u]]))
                if s.troop[u] >= 0:
                    row.one(worn_at + i64(self.gear[s.troop[u]]))

    def put_lasting(self, s: GeneralsState, me: Seat, at: int, row: Writer) -> None:
        """Write the newest temporary effects."""
        # The part has a fixed size. Of more effects it holds the newest ones.
        for what, index, seat, u, amount, expires, _, kind in s.lasting[-LASTING:]:
            row.put(at, what + 1)
            row.put(at + 1, min(index, 127))
            row.put(at + 2, 1 + (seat ^ me))
            if u >= 0:
                row.put(at + 3, 1 + self.find_general(s.setup, u, me))
            row.put(at + 4, amount)
            row.put(at + 5, min(expires - s.number, 127))
            if kind >= 0:
                row.put(at + 6, 1 + i64(self.column[kind]))
            at += WIDTH

    def put_lists(self, s: GeneralsState, me: Seat, at: int, row: Writer) -> None:
        """Write the known cards of the deck lists."""
        for seat in range(2):
            self.count_kinds(s.seen[seat], at + (seat ^ me) * self.cards, row)
        # Rows of a full state must equal those of the view, which holds the viewer's own list alone.
        if row.viewer == me:
            self.count_kinds(s.lists[me], at + 2 * self.cards, row)

    def count_kinds(self, kinds: Unread, at: i64, row: Writer) -> None:
        """Count cards by kind."""
        column = self.column
        for kind in kinds:
            row.more(at + i64(column[kind]))

    def find_general(self, setup: Setup, u: int, me: Seat) -> int:
        """Return the row of a general among all generals, the observer's first."""
        return (setup.owner[u] ^ me) * self.most + int(self.row[u])

    def find_source(self, setup: Setup, source: int, me: Seat) -> int:
        """Return the row of a source of abilities among the sources of both seats."""
        u, part = divmod(source, PARTS)
        rows = self.most + 1
        if u < self.units:
            return ((setup.owner[u] ^ me) * rows + int(self.row[u])) * PARTS + part
        return ((u - self.units ^ me) * rows + self.most) * PARTS + part

    def put_current_act(self, s: GeneralsState, me: Seat, at: int, row: Writer) -> None:
        """Write the act on the stack and the choices made for it."""
        if not s.stack:
            return
        card_at = at + 2 * (len(ACTS) + 1)
        doer_at = card_at + self.cards
        aims_at = doer_at + 2 * self.most
        kind, unit, aims = self.put_question(s.stack[-1], aims_at + 2 * self.most, row)
        for i in range(len(s.stack) - 1, -1, -1):
            act = find_act(s.stack[i])
            if act is not None:
                side = act.doer ^ me
                row.one(at + side * (len(ACTS) + 1) + (act.code if act.code >= 0 else len(ACTS)))
                kind = act.kind if kind < 0 else kind
                unit = act.unit if unit < 0 else unit
                aims = aims + act.list_aims()
                if act.code == BY_MELEE:
                    aims = [*aims, act.other]
                break
        if kind >= 0:
            row.one(card_at + i64(self.column[kind]))
        if unit >= 0:
            row.one(doer_at + self.find_general(s.setup, unit, me))
        for u in aims:
            if u < self.units:
                row.one(aims_at + self.find_general(s.setup, u, me))

    def put_question(self, due: AnyStep, left_at: int, row: Writer) -> tuple[int, int, list[int]]:
        """Write the numbers of a question. Return its card, its general (-1 for none) and the generals it aims at."""
        kind = -1
        unit = -1
        aims: list[int] = []
        if isinstance(due, (Pay, Sacrifice, DiscardOwn, DiscardSeen, SearchPick, RecruitPick)):
            row.put(left_at, due.left)
        elif isinstance(due, InOrder):
            for i in range(min(WAITING, len(due.waiting))):
                row.put(left_at + 1 + i, 1 + i64(self.column[due.waiting[i].frame.kind]))
        elif isinstance(due, Pick):
            aims = due.picked
            kind, unit = due.frame.kind, due.frame.me
        elif isinstance(due, Fall):
            aims = due.victims[due.at : due.at + 1]
        elif isinstance(due, ChooseAct):
            unit = due.unit
        elif isinstance(due, (Placement, Bearer, Executor)):
            kind = due.kind
        return kind, unit, aims


def find_act(step: AnyStep) -> Act | None:
    """Return the act that a step is, asks about or prepares, or None."""
    if isinstance(step, Act):
        return step
    return step.act if isinstance(step, (Answer, Declare, Launch)) else None
