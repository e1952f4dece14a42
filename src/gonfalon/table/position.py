"""A table's position: what its entries come to. Synchronous, and knows neither store nor people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

from gonfalon.core.cards import KIND
from gonfalon.core.errors import GonfalonError, Refusal
from gonfalon.core.game import Game
from gonfalon.core.proof import Proof
from gonfalon.core.record import Record, result_of
from gonfalon.core.state import CHANCE, EVERYBODY, NO_ACTIONS, SPECTATOR, TOGETHER, Action, Seat, State, Together
from gonfalon.table.chance import draw
from gonfalon.table.errors import Broken, Finished, Stale

ACT: Final = "act"
BACK: Final = "back"
"""A seat takes back its own answer to an unfinished simultaneous decision, which nobody has seen; or, in a game that
allows it, its own last decision, by which nobody has learned anything."""
RESIGN: Final = "resign"
ABANDONED: Final = "abandoned"
"""Nobody has moved for as many days as its text says; the game is over without a result."""


@dataclass(frozen=True)
class Entry:
    """One line of a table's record; `text` is the notation of an action. On its way to the store it carries what a bot
    thought about it, and whether it is the last one of the game."""

    kind: str
    seat: Seat
    text: str = ""
    thought: str = ""
    last: bool = False


class Ended(TypedDict):
    """What has ended a game before the rules did: who (nobody: CHANCE), how, and after how many `days` of rest."""

    seat: Seat
    how: str
    days: NotRequired[int]


@dataclass(frozen=True)
class ViewVersion:
    """What one viewer sees now, as a mark to compare, and how many times it has changed."""

    version: int
    mark: int


MOMENTS_KEPT: Final = 32
"""The latest moments can still be looked at."""
UNDEALT: Final = "The game has not begun: not everybody is ready."
ANSWERED: Final = "Your answer is complete, and nothing comes after it."


class Position:
    """The position after `length` entries.

    Each viewer has a version of their own, which counts the changes of what *they* may see. It is what
    their answers refer to; a number shared by all would tell them of the others' secret answers.
    """

    def __init__(self, game: Game, dealt: bool = True, root: bytes | None = None) -> None:
        self.game: Game = game
        self.dealt: bool = dealt
        """Whether the game has begun; until then nobody is asked anything."""
        self.state: State = game.start(log=True)
        self.root: bytes | None = root
        """What draws of chance follow from where they are proved (`core/proof.py`); it tells all that is to come."""
        self.drawn: int = 0
        """How many there were. What is taken back does not make one undone, or it could be drawn again."""
        self.length: int = 0
        self.ended: Ended | None = None
        self.acted: list[tuple[tuple[int, Action], ...]] = [()] * game.seats
        """For each seat its latest actions, each with the version of its view that it answered."""
        self.before: list[State] = []
        """The positions before those last decisions of the seat that is asked which it may take back."""
        self.versions: dict[int, ViewVersion] = {}
        self.moments: tuple[State, ...] = ()
        """The latest moments between decisions (`State.moments`), the last of them number `moment_count`."""
        self.moment_count: int = 0
        self._views: dict[int, State] = {}
        """What each viewer sees now."""
        self.look()

    def clone(self) -> Position:
        """A copy on which something can be tried."""
        twin = object.__new__(Position)
        twin.game = self.game
        twin.dealt = self.dealt
        twin.state = self.state.clone()
        twin.root = self.root
        twin.drawn = self.drawn
        twin.length = self.length
        twin.ended = self.ended
        twin.acted = self.acted[:]
        twin.before = self.before[:]
        twin.versions = self.versions.copy()
        twin.moments = self.moments
        twin.moment_count = self.moment_count
        twin._views = self._views.copy()
        return twin

    @property
    def over(self) -> bool:
        return self.state.over or self.ended is not None

    def version(self, viewer: int) -> int:
        """How many different things this viewer has seen so far."""
        return self.versions[viewer].version

    def view(self, viewer: int) -> State:
        """The viewer's masked state, made once for each change. Everybody reads this one, so nobody may change it."""
        return self._views[viewer]

    def view_to_keep(self, viewer: int) -> State:
        """One of the reader's own, with which they may do as they like."""
        return self.state.mask(viewer)

    def moment(self, number: int) -> State | None:
        """A whole state: mask it. Moments are counted from 1, for all viewers alike; None when it is long past."""
        back = self.moment_count - number
        return self.moments[-1 - back] if 0 <= back < len(self.moments) else None

    def asked(self, seat: Seat) -> bool:
        """Whether the rules wait for this seat."""
        return self.dealt and not self.over and bool(self.state.legal(seat))

    def waited_for(self) -> list[Seat]:
        """The seats that the game waits for, as everybody may know it: at a simultaneous decision all of
        them until the last has answered."""
        return [] if self.over or not self.dealt else [seat for seat in self.state.asked() if seat >= 0]

    # ---- new entries: each call changes the position and returns what must be stored ------------------

    def chance(self) -> list[Entry]:
        """Answer all chance decisions that are due."""
        entries = []
        while not self.over and self.state.turn == CHANCE:
            action = draw(self.state, self.root, self.drawn)
            entries.append(Entry(ACT, CHANCE, self.game.notation(action)))
            self.apply(CHANCE, action)
        return entries

    def act(self, seat: Seat, expected: int | None, actions: list[Action]) -> list[Entry]:
        """A seat's actions, with the chance that follows. None of them is done when one is refused
        (then this position is spoilt: try on a clone). Each is judged by what the seat knew when it sent them: what
        comes after the first that tells it more, or that passes the turn, is dropped unjudged, or a refusal would be a
        free look at what was revealed."""
        self.guard(seat, expected)
        if self.together:
            self.check_answer(seat, actions)
        entries = []
        for number, action in enumerate(actions, start=1):
            if self.over or not self.state.is_legal(seat, action):
                # The reason is worked out from what the seat may know.
                reason = self.view(seat).why_not(seat, action)
                raise Refusal(reason or "This is not legal now.")
            before, together = self.state.clone(), self.together
            entries.append(Entry(ACT, seat, self.game.notation(action)))
            self.apply(seat, action)
            drawn = self.chance()
            entries += drawn
            passed = self.together or self.state.turn != seat
            if number < len(actions) and not together and (drawn or passed or learned(before, self.state, seat)):
                break
        return entries

    def check_answer(self, seat: Seat, actions: list[Action]) -> None:
        """Judge all of an answer to a simultaneous decision before any of it is given. Raises Refusal, with the same
        words whoever else has answered and whatever they chose."""
        view = self.view(seat).clone()
        for action in actions:
            if not view.is_legal(seat, action):
                done = view.answers[seat] and not view.legal(seat)
                raise Refusal(ANSWERED if done else view.why_not(seat, action) or "This is not legal now.")
            view.answers[seat] = [*view.answers[seat], action]
            view.ask_viewer()

    def take_back(self, seat: Seat, expected: int | None) -> list[Entry]:
        """Make a seat's answer to an unfinished simultaneous decision undone."""
        self.guard(seat, expected)
        if not self.can_take_back(seat):
            raise Refusal("There is no answer of yours that could be taken back.")
        self.undo(seat)
        return [Entry(BACK, seat)]

    def resign(self, seat: Seat) -> list[Entry]:
        """A seat gives up."""
        self.guard(seat, None)
        self.end(seat)
        return [Entry(RESIGN, seat)]

    def abandon(self, days: int) -> list[Entry]:
        """The game ends without a result: nobody has moved for so many days."""
        self.guard(0, None)
        self.give_up(days)
        return [Entry(ABANDONED, CHANCE, str(days))]

    def repeats(self, seat: Seat, expected: int, actions: list[Action]) -> bool:
        """Whether exactly this was accepted before: a double click, or a request sent again."""
        acted = self.acted[seat]
        for i, (version, _) in enumerate(acted):
            if version == expected:
                done = [action for _, action in acted[i : i + len(actions)]]
                return done == actions[: len(done)]  # the rest may have been dropped
        return False

    def guard(self, seat: Seat, expected: int | None) -> None:
        if self.over:
            raise Finished("The game is over.")
        if not self.dealt:
            raise Stale(UNDEALT)
        if expected is not None and expected != self.version(seat):
            raise Stale("The table has changed since you saw it; look again, then choose.")

    @property
    def together(self) -> bool:
        """Whether several seats are asked at once."""
        return bool(self.state.stack) and self.state.stack[-1].seat == TOGETHER

    def can_take_back(self, seat: Seat) -> bool:
        """Whether a seat has an answer that nobody has seen yet, or a decision that told nobody anything."""
        if self.over:
            return False
        if self.together:
            return bool(self.state.answers[seat])
        return bool(self.before) and self.state.turn == seat

    # ---- old entries ------------------------------------------------------------------------------

    def replay(self, entry: Entry) -> None:
        """Carry out an entry of the store. Raises Broken when it does not fit."""
        if entry.kind not in (ACT, BACK, RESIGN, ABANDONED) or not CHANCE <= entry.seat < self.game.seats:
            raise Broken(f"Entry {self.length} of this table is none that this program writes.")
        if entry.kind == RESIGN:
            self.end(entry.seat)
            return
        if entry.kind == ABANDONED:
            self.give_up(int(entry.text))
            return
        if entry.kind == BACK:
            if not self.can_take_back(entry.seat):
                raise Broken(f"Entry {self.length} of this table takes back what was not there.")
            self.undo(entry.seat)
            return
        try:
            action = self.game.parse(entry.text)
        except GonfalonError:
            raise Broken(f"Entry {self.length} of this table is no action of its game.") from None
        if not self.state.is_legal(entry.seat, action):
            raise Broken(f"Entry {self.length} of this table is not legal by the rules of this program.")
        self.apply(entry.seat, action)

    # ---- the steps themselves ---------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> None:
        if seat == CHANCE:
            self.drawn += 1
        else:
            self.acted[seat] = (*self.acted[seat][-63:], (self.version(seat), action))
        before = self.state.clone() if self.game.takes_back and seat >= 0 and not self.together else None
        passed: list[State] = []
        self.state.moments = passed
        self.state.apply(seat, action)
        self.state.moments = None
        if passed:
            before_them = () if self.game.moments_pass else self.moments
            self.moments = (*before_them, *passed)[-MOMENTS_KEPT:]
        self.moment_count += len(passed)
        if before is not None and self.state.turn == seat and told_nothing(self.game, before, self.state):
            self.before.append(before)
        else:
            self.before.clear()
        self.length += 1
        self.look()

    def undo(self, seat: Seat) -> None:
        state = self.state
        if self.together:
            # An answer is nothing but its line in `answers` until the last seat is done.
            assert isinstance(state.stack[-1], Together)
            state.answers[seat] = NO_ACTIONS
            state.settle()
        else:
            self.state = self.before.pop().clone()  # whoever this was cloned from has it too
        self.length += 1
        self.look()

    def end(self, seat: Seat) -> None:
        self.ended = {"seat": seat, "how": "resigned"}
        self.length += 1
        self.look()

    def give_up(self, days: int) -> None:
        self.ended = {"seat": CHANCE, "how": ABANDONED, "days": days}
        self.length += 1
        self.look()

    def look(self) -> None:
        """Count a new version for every viewer whose view has changed."""
        for viewer in (*range(self.state.seats), SPECTATOR):
            view = self._views[viewer] = self.state.mask(viewer)
            # The log only grows: its length stands for it.
            log, view.log = view.log, None
            mark = hash(repr((view.dump(), len(log or ()), self.ended)))
            view.log = log
            seen = self.versions.get(viewer)
            if seen is None:
                self.versions[viewer] = ViewVersion(1, mark)
            elif seen.mark != mark:
                self.versions[viewer] = ViewVersion(seen.version + 1, mark)


def told_nothing(game: Game, before: State, after: State) -> bool:
    """Whether a decision told nobody anything and did nothing that stays: no event was for some alone (a draw, a
    look), nobody knows a card that they did not know, the other seats' answers are out of it. Both states are whole and
    keep their logs."""
    old, new = before.log or [], after.log or []
    if len(new) < len(old) or any(event[1] != EVERYBODY or game.stays(event) for event in new[len(old) :]):
        return False
    return not any(known(after, viewer) - known(before, viewer) for viewer in (*range(before.seats), SPECTATOR))


def learned(before: State, after: State, seat: Seat) -> bool:
    """Whether a seat knows more than before: a card, or an event that not everybody hears of."""
    events = (after.log or [])[len(before.log or []) :]
    return any(event[1] != EVERYBODY for event in events) or bool(known(after, seat) - known(before, seat))


def known(state: State, viewer: int) -> Counter[int]:
    """The kinds of all cards that a viewer knows, wherever they lie."""
    need = state.need(viewer)
    zones = (*state.ordered_zones(), *state.unordered_zones())
    return Counter(card & KIND for zone in zones for card in zone if card & need == need)


def position_after(game: Game, entries: list[Entry], root: bytes | None = None) -> Position:
    """The position after these entries, from which chance goes on by a proof's `root`. Raises Broken."""
    position = Position(game, root=root)
    for entry in entries:
        position.replay(entry)
    return position


def record(game: Game, entries: list[Entry], names: list[str], proof: Proof | None = None) -> Record:
    """The record of a table, without the answers that were taken back unseen; with the proof of its chance."""
    position, kept = standing_entries(game, entries)
    ended = None if position.ended is None else {**position.ended}
    decisions = [(entries[seq].seat, game.parse(entries[seq].text)) for seq in kept]
    proved = None if proof is None else proof.to_json()
    return Record(game, names, decisions, result_of(game, position.state, names), ended, proved)


def standing_entries(game: Game, entries: list[Entry]) -> tuple[Position, list[int]]:
    """The position after these entries, and the numbers of those that are decisions of the record."""
    position = Position(game)
    kept: list[int] = []
    for seq, entry in enumerate(entries):
        if entry.kind == BACK:
            for _ in position.state.answers[entry.seat] if position.together else (entry,):
                kept.remove(max(other for other in kept if entries[other].seat == entry.seat))
        elif entry.kind == ACT:
            kept.append(seq)
        position.replay(entry)
    return position, kept
