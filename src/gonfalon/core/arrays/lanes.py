"""Many games stepped in one call: the loop of `gonfalon.vector`, compiled with the rules.

Rows are written straight into the caller's memory (numpy, or shared with another process), and no object is created for
a step. Lane 7 of seed 1 plays the same games in any process and beside any number of other lanes.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from gonfalon.core.basics.cards import Unread
from gonfalon.core.basics.errors import GonfalonError
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


class Ended:
    """A finished game: its lane, the returns of all seats, whether an illegal action ended it, and the last rows of the
    learners by seat."""

    __slots__ = ("lane", "returns", "illegal", "seed", "rows")

    def __init__(self, lane: int, returns: list[float], illegal: bool, seed: int, rows: dict[int, bytes]) -> None:
        self.lane: int = lane
        self.returns: list[float] = returns
        self.illegal: bool = illegal
        self.seed: int = seed
        self.rows: dict[int, bytes] = rows


class Lanes:
    """Games side by side: the lanes `first` to `first + count` of a seed.

    `numbers` are the game's actions in the caller's order. The targets are `rows`, `views` (a row for each of the
    learner's seats, asked or not), `masks` and `candidates`: flat buffers of bytes, or None if unused. With `once` a
    lane whose game is over rests until `reset`, and its `turns` are NOBODY.

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
        self.size: int = size
        self.roles: list[list[int]] = roles
        self.count: int = len(roles)
        self.first: int = first
        self.forced: bool = forced
        self.width: int = len(writer.ids)  # actions in a mask
        self.numbers: Unread = list(writer.ids)
        self.room: int = 0  # the maximum number of candidates of a decision
        self.row_at: list[slice] = [slice(lane * size, (lane + 1) * size) for lane in range(self.count)]
        self.marks_at: list[slice] = [slice(lane * self.width, (lane + 1) * self.width) for lane in range(self.count)]
        self.blank: bytes = bytes(size)
        self.no_marks: bytes = bytes(self.width)
        # Typed as Any: the caller passes numpy arrays or shared memory, and the core needs neither.
        self.rows: Any = None
        self.views: Any = None
        self.masks: Any = None
        self.candidates: Any = None
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
        """Clear the targets of a lane whose game is over. The learners keep their last rows."""
        self.turns[lane] = NOBODY
        self.counts[lane] = 0
        # A stale row or mask would look like a decision to the learner.
        if self.rows is not None:
            self.rows[self.row_at[lane]] = self.blank
        if self.views is not None:
            self.write_views(lane)
        if self.masks is not None:
            self.masks[self.marks_at[lane]] = self.no_marks
        if self.candidates is not None:
            self.list_candidates(lane, [])

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
        row: Any = self.writer.row_of(self.states[lane], seat)
        return bytes(row)

    def legal(self, lane: int) -> list[int]:
        """Return the numbers of the legal actions in a lane."""
        ids: dict[Any, Any] = self.writer.ids
        actions: Unread = self.states[lane].actions
        return [ids[action] for action in actions]

    def show(self, lane: int) -> None:
        """Write the row and the legal actions of the seat that is asked."""
        s = self.states[lane]
        seat = s.turn
        actions: Unread = s.actions
        self.turns[lane] = seat
        self.counts[lane] = len(actions)
        if self.rows is not None:
            row: Any = self.writer.row_of(s, seat)
            self.rows[self.row_at[lane]] = row
        if self.views is not None:
            self.write_views(lane)
        if self.masks is not None:
            marks: Any = self.writer.marks_of(s.actions)
            self.masks[self.marks_at[lane]] = marks
        if self.candidates is not None:
            self.list_candidates(lane, actions)

    def write_views(self, lane: int) -> None:
        """Write the rows of the learner's seats, in the order of the seats."""
        roles = self.roles[lane]
        at = lane * roles.count(LEARNER) * self.size
        for seat in range(len(roles)):
            if roles[seat] == LEARNER:
                self.views[at : at + self.size] = self.row_of(lane, seat)
                at += self.size

    def list_candidates(self, lane: int, actions: Unread) -> None:
        """Write the numbers of the legal actions, each in two bytes, the lower first; 0xFFFF means none."""
        ids = self.writer.ids
        numbers = bytearray(b"\xff") * (2 * self.room)
        at = 0
        for action in actions:
            # Further actions have no room. A mask would still list them.
            if at == 2 * self.room:
                break
            number = ids[action]
            numbers[at] = number & 255
            numbers[at + 1] = number >> 8
            at += 2
        start = lane * 2 * self.room
        self.candidates[start : start + 2 * self.room] = numbers
