"""Many games stepped in one call: the loop of `gonfalon.vector`, compiled with the rules.

Rows, masks and candidates are written straight into one block of memory, which numpy maps, and of each only what has
changed: a row has thousands of numbers, of which fewer than 50 are not 0. Lane 7 of seed 1 plays the same games in any
process and beside any number of other lanes.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from gonfalon.core.basics.cards import Unread
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.rng import Rng, next_seed
from gonfalon.core.rules.state import CHANCE, NOBODY, State
from gonfalon.core.rules.tensor import Writer

LEARNER: Final = 0
"""The player of a seat is the caller."""
RANDOM: Final = 1
"""The player of a seat chooses at random."""
BOT: Final = 2
"""The player of a seat is a bot, which the caller asks for the lanes in `waiting`."""

OVER: Final = 0
"""The game of a lane is over."""
SHOWN: Final = 1
"""A lane shows a decision of the learner."""
WAITS: Final = 2
"""A lane waits for a bot."""

IDLE: Final = 1000
"""The number of games without a decision of the learner after which a lane fails."""
SEEDS: Final = (1 << 62) - 1
"""A mask of the bits of a seed."""
BOTS: Final = 0x5851F42D4C957F2D
"""Separates the random streams of the learner's opponents from the stream of chance."""
KEPT: Final = 256
"""The number of places that are kept of a dense row. A row with more of them is cleared as a whole."""
NOTHING: Final[list[int]] = []
"""The legal actions of a lane that shows no decision."""


class Ended:
    """A finished game: its lane, the returns of all seats, whether an illegal action ended it, and the last rows of the
    learners by seat."""

    def __init__(self, lane: int, returns: list[float], illegal: bool, seed: int, rows: dict[int, bytes]) -> None:
        self.lane: int = lane
        self.returns: list[float] = returns
        self.illegal: bool = illegal
        self.seed: int = seed
        self.rows: dict[int, bytes] = rows


class Lanes:
    """Games side by side: the lanes `first` to `first + count` of a seed.

    `numbers` are the game's actions in the caller's order. `write_into` sets the memory for rows, masks and candidates.
    With `once` a lane whose game is over rests until `reset`, and its `turns` are NOBODY.

    Args:
        start: The start of every game.
        writer: The writer of rows.
        size: The length of a row in bytes.
        roles: For each lane and seat LEARNER, RANDOM or BOT.
        first: The number of the first lane.
        seed: The seed of all lanes, of up to 64 bits.
        forced: Whether decisions with a single action are shown too.
    """

    def __init__(
        self, start: State, writer: Writer, size: int, roles: list[list[int]], first: int, seed: int, forced: bool
    ) -> None:
        self.start: State = start
        self.starts: list[State] = []  # of the pairings among which chance draws each game; empty: all begin at `start`
        self.writer: Writer = writer
        self.size: i64 = size
        self.roles: list[list[int]] = roles
        self.count: i64 = len(roles)
        self.first: int = first
        self.forced: bool = forced
        self.width: i64 = len(writer.ids)  # actions in a mask
        self.numbers: Unread = list(writer.ids)
        self.room: i64 = 0  # the maximum number of candidates of a decision
        self.block: vec[u8] = vec[u8]()  # the memory of the arrays below, which start there; -1 if they are unused
        self.rows_at: i64 = -1
        self.views_at: i64 = -1
        self.masks_at: i64 = -1
        self.candidates_at: i64 = -1
        self.places_at: i64 = -1
        self.values_at: i64 = -1
        self.cells: i64 = 0  # the maximum number of places and values of a row
        self.kept: vec[i32] = vec[i32]()  # for each dense row, first `rows` and then `views`: the places that are not 0
        self.kept_counts: vec[i32] = vec[i32]()
        self.marked: list[Unread] = [NOTHING for _ in range(self.count)]  # the actions that each lane shows as legal
        self.filled: vec[i32] = vec[i32]([0] * self.count)  # the number of places and values of each lane
        self.turns: vec[i32] = vec[i32]([0] * self.count)  # whose decision is shown in each lane
        self.counts: vec[i32] = vec[i32]([0] * self.count)  # how many actions are legal there
        self.once: bool = False
        self.last_rows: bool = False  # whether `ended` includes the last rows of the learners
        self.waiting: list[int] = []  # the lanes in which a bot has to answer
        self.ended: list[Ended] = []
        self.decisions: int = 0  # of all seats
        self.states: list[State] = [start for _ in range(self.count)]
        self.seeds: list[int] = [0] * self.count  # of the games that are played
        self.sources: list[Rng] = [Rng(0) for _ in range(self.count)]  # of the seeds of games: no seed reveals the next
        self.dice: list[Rng] = [Rng(0) for _ in range(self.count)]
        self.streams: list[Rng] = [Rng(0) for _ in range(self.count)]
        self.idle: list[int] = [0] * self.count
        self.sow(seed)

    def write_into(self, block: vec[u8], starts: dict[str, int], room: int, cells: int) -> None:
        """Set the memory of all arrays, filled with zeros.

        Args:
            block: The memory.
            starts: For each array the place of its first byte: `observations`, `views` (a row for each of the learner's
                seats, asked or not), `places` (4 bytes each) and `values` (the same rows, sparse), `masks`, and
                `candidates` (2 bytes each).
            room: The maximum number of candidates.
            cells: The maximum number of places and values.
        """
        self.block = block
        self.rows_at = starts.get("observations", -1)
        self.views_at = starts.get("views", -1)
        self.masks_at = starts.get("masks", -1)
        self.candidates_at = starts.get("candidates", -1)
        self.places_at = starts.get("places", -1)
        self.values_at = starts.get("values", -1)
        self.room = room
        self.cells = cells
        rows = self.count * (1 + self.roles[0].count(LEARNER)) if self.views_at >= 0 else self.count
        self.kept = vec[i32]([0] * (rows * KEPT))
        self.kept_counts = vec[i32]([0] * rows)
        if self.candidates_at >= 0:
            for i in range(2 * room * self.count):
                block[self.candidates_at + i] = 255

    def sow(self, seed: int) -> None:
        """Set the seed from which the next games of all lanes follow."""
        for lane in range(self.count):
            self.sow_lane(lane, seed, self.first + lane)

    def sow_lane(self, lane: int, seed: int, number: int) -> None:
        """Set the next games of a lane to those of the lane `number` of a seed."""
        start = next_seed(seed & SEEDS)
        if seed > SEEDS:  # the two highest bits of 64 are hashed separately
            start += next_seed(seed >> 62)
        self.sources[lane] = Rng(next_seed((start + number) & SEEDS))

    def begin(self, lane: int) -> None:
        """Start the next game of a lane."""
        seed = self.sources[lane].seed()
        self.seeds[lane] = seed
        # Chance has a stream of its own, so the draws of the other players do not change the shuffles of a game.
        self.dice[lane] = Rng(seed)
        self.streams[lane] = Rng(seed ^ BOTS)
        start = self.starts[self.dice[lane].below(len(self.starts))] if self.starts else self.start
        self.states[lane] = start.clone()

    def reset(self, chosen: list[int]) -> None:
        """Start new games in these lanes, and play them up to the first decision of the learner or of a bot."""
        self.ended = []
        self.waiting = []
        for lane in chosen:
            self.idle[lane] = 1  # a game that ends before the learner decided is not reported
            self.begin(lane)
            self.go_on(lane)

    def streams_of(self, lane: int) -> list[Rng]:
        """Return the random streams of a lane: seeds of its next games, chance, and its bots."""
        return [self.sources[lane], self.dice[lane], self.streams[lane]]

    def put(self, lane: int, state: State, seed: int, streams: list[Rng]) -> None:
        """Continue a lane from a state, up to the next decision of the learner or of a bot.

        Args:
            lane: The lane.
            state: A state of the game.
            seed: The seed of that game.
            streams: The random streams, as `streams_of` returned them.
        """
        self.ended = []
        self.waiting = []
        self.idle[lane] = 0
        self.states[lane] = state
        self.seeds[lane] = seed
        self.sources[lane] = streams[0]
        self.dice[lane] = streams[1]
        self.streams[lane] = streams[2]
        self.go_on(lane)

    def step(self, picks: Unread, by_number: bool) -> None:
        """Answer the shown decision of each lane.

        An illegal action ends the game. `ended` lists the games that finished.

        Args:
            picks: For each lane an index into the legal actions, or the number of an action.
            by_number: Whether `picks` are numbers of actions.
        """
        self.ended = []
        self.waiting = []
        for lane, item in enumerate(picks):
            pick: int = item
            # The lane rests until `reset`, so its pick has no meaning.
            if self.turns[lane] == NOBODY:
                continue
            s = self.states[lane]
            actions: Unread = s.actions
            # The learner decides in this game, so its end will be reported.
            self.idle[lane] = 0
            listed = self.numbers if by_number else actions
            # A negative index would count from the end, so it is illegal.
            action: Any = listed[pick] if 0 <= pick < len(listed) else None
            if action is not None and (not by_number or action in actions):
                self.decisions += 1
                s.apply(s.turn, action)
                self.go_on(lane)
            else:
                self.foul(lane)

    def foul(self, lane: int) -> None:
        """End a game as a loss of the learner, whose action was illegal."""
        s = self.states[lane]
        returns = [0.0] * s.seats
        returns[s.turn] = -1.0
        self.note(lane, returns, True)
        if self.once:
            self.rest(lane)
            return
        self.begin(lane)
        self.go_on(lane)

    def note(self, lane: int, returns: list[float], illegal: bool) -> None:
        """Record the end of a game."""
        rows: dict[int, bytes] = {}
        if self.last_rows:
            roles = self.roles[lane]
            for seat in range(len(roles)):
                if roles[seat] == LEARNER:
                    rows[seat] = self.row_of(lane, seat)
        self.ended.append(Ended(lane, returns, illegal, self.seeds[lane], rows))

    def go_on(self, lane: int) -> None:
        """Play on to the next decision of the learner or of a bot, through the ends of games."""
        while True:
            found = self.run_on(lane)
            if found == SHOWN:
                self.show(lane)
                return
            if found == WAITS:
                self.waiting.append(lane)
                return
            if self.idle[lane] == 0:
                # The result is recorded before `begin` replaces the state.
                self.note(lane, self.states[lane].returns(), False)
                if self.once:
                    self.rest(lane)
                    return
            self.idle[lane] += 1
            # A configuration in which the learner is never asked would loop here forever.
            if self.idle[lane] > IDLE:
                raise GonfalonError(f"The learner had no decision in {IDLE} games in a row.")
            self.begin(lane)

    def rest(self, lane: int) -> None:
        """Clear the targets of a lane whose game is over.

        The learners keep their last rows, of which with `last_rows` that of the first learner is the lane's row.
        """
        self.turns[lane] = NOBODY
        self.counts[lane] = 0
        # A stale row or mask would look like a decision to the learner.
        self.writer.clear()
        if self.last_rows:
            self.writer.fill(self.states[lane], self.roles[lane].index(LEARNER))
        self.put_row(lane)
        self.write_views(lane)
        self.put_actions(lane, NOTHING)

    def run_on(self, lane: int) -> int:
        """Play chance and random players until the learner or a bot is asked, or the game is over."""
        s = self.states[lane]
        rng = self.dice[lane]
        roles: Unread = self.roles[lane]
        while s.stack:
            seat = s.turn
            if seat == CHANCE:
                s.apply(seat, s.chance(rng))
                continue
            actions: Unread = s.actions
            role: int = roles[seat]
            count: i64 = len(actions)
            if role == LEARNER:
                if self.forced or count > 1:
                    return SHOWN
            elif role == RANDOM:
                self.decisions += 1
                s.apply(seat, actions[self.streams[lane].below(count)])
                continue
            elif count > 1:
                return WAITS
            self.decisions += 1
            s.apply(seat, actions[0])
        return OVER

    def answer(self, lane: int, action: int) -> None:
        """Apply the action of a bot. The caller empties `waiting` first."""
        s = self.states[lane]
        if action not in s.actions:
            raise GonfalonError(f"The bot at seat {s.turn} chose an illegal action ({action}).")
        self.decisions += 1
        s.apply(s.turn, action)
        self.go_on(lane)

    def row_of(self, lane: int, seat: int) -> bytes:
        """Return the row of a seat in a lane."""
        self.writer.fill(self.states[lane], seat)
        row: Any = self.writer.row
        return bytes(row)

    def show(self, lane: int) -> None:
        """Write the row and the legal actions of the seat that is asked."""
        s = self.states[lane]
        seat = s.turn
        actions: Unread = s.actions
        self.turns[lane] = seat
        self.counts[lane] = len(actions)
        if self.rows_at >= 0 or self.places_at >= 0:
            self.writer.fill(s, seat)
            self.put_row(lane)
        self.write_views(lane)
        self.put_actions(lane, actions)

    def write_views(self, lane: int) -> None:
        """Write the rows of the learner's seats, in the order of the seats."""
        if self.views_at < 0:
            return
        roles = self.roles[lane]
        slot: i64 = lane * roles.count(LEARNER)
        for seat in range(len(roles)):
            if roles[seat] == LEARNER:
                self.writer.fill(self.states[lane], seat)
                self.put_dense(self.count + slot, self.views_at + slot * self.size)
                slot += 1

    def put_row(self, lane: i64) -> None:
        """Replace the row of a lane by the row that the writer has filled."""
        if self.rows_at >= 0:
            self.put_dense(lane, self.rows_at + lane * self.size)
        if self.places_at >= 0:
            self.put_sparse(lane)

    def put_dense(self, slot: i64, at: i64) -> None:
        """Replace a dense row by the row that the writer has filled.

        Args:
            slot: The number of the row in `kept`.
            at: The place of the row in the block.
        """
        block = self.block
        kept = self.kept
        start = slot * KEPT
        old = i64(self.kept_counts[slot])
        if old <= KEPT:
            for i in range(old):
                block[at + i64(kept[start + i])] = 0
        else:
            for i in range(self.size):
                block[at + i] = 0
        row = self.writer.row
        places = self.writer.places
        count = self.writer.count
        for i in range(count):
            place = places[i]
            block[at + i64(place)] = row[i64(place)]
            if i < KEPT:
                kept[start + i] = place
        self.kept_counts[slot] = i32(count)

    def put_sparse(self, lane: i64) -> None:
        """Replace the places and values of a lane by those of the row that the writer has filled.

        Raises:
            OptionError: They do not fit.
        """
        block = self.block
        cells = self.cells
        count = self.writer.count
        if count > cells:
            raise OptionError(f"A row has {count} nonzero numbers, and `cells` allows {cells}.")
        self.writer.sort_places()
        row = self.writer.row
        places = self.writer.places
        at = self.places_at + lane * 4 * cells
        value_at = self.values_at + lane * cells
        for i in range(count):
            place = i64(places[i])
            block[at] = u8(place & 255)
            block[at + 1] = u8(place >> 8 & 255)
            block[at + 2] = u8(place >> 16 & 255)
            block[value_at + i] = row[place]
            at += 4
        for i in range(count, i64(self.filled[lane])):
            for byte in range(3):
                block[at + byte] = 0
            block[value_at + i] = 0
            at += 4
        self.filled[lane] = i32(count)

    def put_actions(self, lane: i64, actions: Unread) -> None:
        """Replace the legal actions in the mask and the candidates of a lane.

        A candidate is the number of an action in two bytes, the lower first; 0xFFFF means none.

        Raises:
            OptionError: There are more candidates than `room`.
        """
        if self.candidates_at >= 0 and len(actions) > self.room:
            raise OptionError(f"{len(actions)} actions are legal, and `room` allows {self.room}.")
        block = self.block
        writer = self.writer
        # No list of actions is ever changed, so these are the actions whose marks are set.
        old: Unread = self.marked[lane]
        self.marked[lane] = actions
        if self.masks_at >= 0:
            at = self.masks_at + lane * self.width
            for action in old:
                block[at + writer.number(action)] = 0
            for action in actions:
                block[at + writer.number(action)] = 1
        if self.candidates_at >= 0:
            at = self.candidates_at + lane * 2 * self.room
            for action in actions:
                number = writer.number(action)
                block[at] = u8(number & 255)
                block[at + 1] = u8(number >> 8 & 255)
                at += 2
            for _ in range(len(actions), len(old)):
                block[at] = 255
                block[at + 1] = 255
                at += 2


def make_memory(size: int) -> vec[u8]:
    """Return memory for the arrays of lanes, filled with zeros."""
    return vec[u8]([0] * size)
