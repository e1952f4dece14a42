"""A table's position: the result of its entries. Synchronous, and knows neither store nor people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from gonfalon.core.basics.errors import GonfalonError, Refusal
from gonfalon.core.files.proof import Proof
from gonfalon.core.files.record import ABANDONED, TIMED_OUT, Record, result_of
from gonfalon.core.knowledge.learned import learned, revealed_nothing
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, SPECTATOR, TOGETHER, Action, Seat, State, Together
from gonfalon.table.chance import draw
from gonfalon.table.errors import Broken, Finished, Stale
from gonfalon.table.game.clock import ALONE as ONE_ASKED
from gonfalon.table.game.clock import TOGETHER as ALL_ASKED
from gonfalon.table.game.clock import WINDOW, Clock, Pace, Sight
from gonfalon.table.game.entries import (
    ACT,
    AGREE,
    AGREED,
    ASK,
    BACK,
    FLAG,
    KINDS,
    LOST,
    REFUSE,
    RESIGN,
    RETURN,
    Decided,
    Ended,
    Ending,
    Entry,
)
from gonfalon.table.game.takebacks import MOST_ASKED, Asking, Earlier
from gonfalon.table.game.viewer_versions import ViewerVersions

MOMENTS_KEPT: Final = 32
"""The latest moments can still be looked at."""
UNDEALT: Final = "The game has not begun: not everybody is ready."
ANSWERED: Final = "Your answer is complete, and nothing comes after it."
ASKED: Final = "You are waiting for an answer to that already."
ENOUGH: Final = f"You have asked {MOST_ASKED} times in this game; that is all."
NOT_ASKED: Final = "Nobody asks to take anything back now."
UNASKABLE: Final = "There is nothing of yours that the others could let you take back: something has followed from it."


class Position:
    """The position after `length` entries."""

    def __init__(
        self, game: Game, dealt: bool = True, root: bytes | None = None, pace: Pace | None = None, now: float = 0.0
    ) -> None:
        self.game: Game = game
        self.dealt: bool = dealt
        """Whether the game has begun; until then nobody is asked anything."""
        self.state: State = game.start(log=True)
        self.root: bytes | None = root
        """The seed of proved draws of chance (`core/files/proof.py`), or None. It determines all draws to come."""
        self.drawn: int = 0
        """How many there were. What is taken back does not make one undone, or it could be drawn again."""
        self.length: int = 0
        self.shown_length: int = 0
        self.shown_at: float = 0.0
        """How many entries there were when everybody saw something new last, and when that was written."""
        self.course: list[Decided] = []
        """The decisions, those of chance too, that have led here; none of those that were taken back."""
        self.ended: Ended | None = None
        self.now: float = now
        """When the next entry is written, or the last one was."""
        self.clock: Clock | None = None if pace is None else Clock(pace, game.seats)
        self.onward: Seat | None = None
        """Whoever acted last, if what they sent with it may follow at once: they learned nothing by it, and it is still
        their turn."""
        self.acted: list[tuple[tuple[int, Action], ...]] = [()] * game.seats
        """For each seat its latest actions, each with the version of its view that it answered."""
        self.before: list[State] = []
        """The positions before the latest decisions of the seat whose turn it is, as far as it can undo them."""
        self.asking: Asking = Asking(game.seats)
        """What a seat may ask the others to let it take back."""
        self.viewers: ViewerVersions = ViewerVersions()
        self.moments: tuple[State, ...] = ()
        """The latest moments between decisions (`State.moments`), the last of them number `moment_count`."""
        self.moment_count: int = 0
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
        twin.shown_length = self.shown_length
        twin.shown_at = self.shown_at
        twin.course = self.course[:]
        twin.onward = self.onward
        twin.ended = self.ended
        twin.now = self.now
        twin.clock = self.clock and self.clock.clone()
        twin.acted = self.acted[:]
        twin.before = self.before[:]
        twin.asking = self.asking.clone()
        twin.viewers = self.viewers.clone()
        twin.moments = self.moments
        twin.moment_count = self.moment_count
        return twin

    @property
    def over(self) -> bool:
        return self.state.over or self.ended is not None

    @property
    def decisions(self) -> int:
        """How many decisions have led here."""
        return len(self.course)

    def ending(self, names: list[str]) -> str:
        """Return what the record of a finished game needs beside its entries (`Ending`), as JSON."""
        found: Ending = {
            "result": result_of(self.game, self.state, names),
            "ended": self.ended,
            "decisions": [one.seq for one in self.course],
        }
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"))

    def version(self, viewer: int) -> int:
        """How many different things this viewer has seen so far."""
        return self.viewers.versions[viewer].version

    def view(self, viewer: int) -> State:
        """The viewer's masked state, made once for each change. Everybody reads this one, so nobody may change it."""
        return self.viewers.views[viewer]

    def view_to_keep(self, viewer: int) -> State:
        """One of the reader's own, with which they may do as they like."""
        return self.state.mask(viewer)

    def moment(self, number: int) -> State | None:
        """A whole state: mask it. Moments are counted from 1, for all viewers alike; None when it is long past."""
        back = self.moment_count - number
        return self.moments[-1 - back] if 0 <= back < len(self.moments) else None

    def asked(self, seat: Seat) -> bool:
        """Whether the rules wait for this seat, and it has not decided yet."""
        return self.dealt and not self.over and bool(self.state.legal(seat))

    def waited_for(self) -> list[Seat]:
        """The seats that the game waits for, as everybody may know it: at a simultaneous decision all of
        them until the last has answered."""
        return [] if self.over or not self.dealt else [seat for seat in self.state.asked() if seat >= 0]

    def written(self, at: float) -> None:
        """The entries that have been added last were written then."""
        if self.shown_at == 0.0:
            self.shown_at = at
        if self.asking.asked_at == 0.0:
            self.asking.asked_at = at

    def sight(self, viewer: int) -> Sight | None:
        """What a viewer is shown of the clocks; None at a table without."""
        if self.clock is None:
            return None
        return self.clock.sight(viewer, viewer >= 0 and self.asked(viewer))

    @property
    def since(self) -> float | None:
        """When those who are asked begin to use their time; None when nobody is, and at a table without clocks."""
        return None if self.clock is None or not self.clock.asked else self.clock.since

    def flag_due(self, people: Sequence[Seat]) -> tuple[float, Seat] | None:
        """When the next flag of these seats falls, and whose."""
        return None if self.clock is None else self.clock.due([seat for seat in people if self.asked(seat)])

    # ---- new entries: each call changes the position and returns what must be stored ------------------

    def chance(self) -> list[Entry]:
        """Answer all chance decisions that are due."""
        entries = []
        while not self.over and self.state.turn == CHANCE:
            action = draw(self.state, self.root, self.drawn)
            entries.append(Entry(ACT, CHANCE, self.game.notation(action)))
            self.apply(CHANCE, action)
        return entries

    def act(self, seat: Seat, expected: int | None, actions: list[Action], came: float | None = None) -> list[Entry]:
        """A seat's actions, with the chance that follows. A person's are charged for the time until they `came`. None
        of them is done when one is refused (then this position is spoilt: try on a clone). Each is judged by what the
        seat knew when it sent them: what comes after the first that tells it more, or that passes the turn, is dropped
        unjudged, or a refusal would be a free look at what was revealed."""
        self.guard(seat, expected)
        if self.together:
            self.check_answer(seat, actions)
        spent = None if self.clock is None or came is None else self.clock.used(seat, came)
        entries: list[Entry] = []
        for action in actions:
            if self.over or not self.state.is_legal(seat, action):
                # The reason is worked out from what the seat may know.
                reason = self.view(seat).why_not(seat, action)
                raise Refusal(reason or "This is not legal now.")
            entries.append(Entry(ACT, seat, self.game.notation(action), spent=spent))
            self.apply(seat, action, spent)
            entries += self.chance()
            spent = None if spent is None else 0
            if self.onward != seat:
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
        """Undo a seat's last decision. Raises Refusal where that has revealed something."""
        self.guard(seat, expected)
        if not self.can_take_back(seat):
            raise Refusal("There is no answer of yours that could be taken back.")
        return [self.carry_out(Entry(BACK, seat))]

    def ask_back(self, seat: Seat, expected: int | None) -> list[Entry]:
        """A seat asks the others to let it take its last decision back."""
        self.guard(seat, expected)
        if not self.can_ask_back(seat):
            pending = self.asking.open is not None and self.asking.open.seat == seat
            spent = self.asking.asked[seat] >= MOST_ASKED
            raise Refusal(ASKED if pending else ENOUGH if spent else UNASKABLE)
        return [self.carry_out(Entry(ASK, seat))]

    def answer_back(self, seats: Sequence[Seat], number: int, agrees: bool) -> list[Entry]:
        """Somebody, who may have several seats, answers the request of that number; whoever asked may only say no."""
        self.guard(0, None)
        request = self.asking.open
        if request is None or request.number != number:
            raise Stale(NOT_ASKED)
        if request.seat in seats and agrees:
            raise Refusal("Only the others can agree to that.")
        if not agrees:
            return [self.carry_out(Entry(REFUSE, request.seat if request.seat in seats else seats[0]))]
        new = [seat for seat in seats if seat not in request.agreed]
        if not new:
            raise Stale("You have agreed already.")
        return [self.carry_out(Entry(AGREE, seat)) for seat in new]

    def grant_back(self) -> list[Entry]:
        """All agree that the seat that has asked goes back."""
        self.guard(0, None)
        request = self.asking.open
        if request is None:
            raise Stale(NOT_ASKED)
        return [self.carry_out(Entry(BACK, request.seat, AGREED))]

    def can_ask_back(self, seat: Seat) -> bool:
        """Whether a seat may ask the others to let it take back what it decided last."""
        return not self.over and self.dealt and self.asking.may_ask(seat, self.state)

    def resign(self, seat: Seat) -> list[Entry]:
        """A seat gives up."""
        self.guard(seat, None)
        return [self.carry_out(Entry(RESIGN, seat))]

    def flag(self, seat: Seat, lost: bool = False) -> list[Entry]:
        """A seat's time is up, by which the game may be `lost`. Raises Stale when it is not, or was told already."""
        self.guard(seat, None)
        clock = self.clock
        if clock is None or not (self.asked(seat) or (lost and seat in clock.fallen - clock.secret)):
            raise Stale("There is no time that runs out here.")
        if seat in clock.fallen and not lost:
            raise Stale("That this flag fell is written down already.")
        return [self.carry_out(Entry(FLAG, seat, LOST if lost else ""))]

    def come_back(self, seat: Seat) -> list[Entry]:
        """The person of a seat is back, for whom a bot has played."""
        self.guard(seat, None)
        return [self.carry_out(Entry(RETURN, seat))]

    def abandon(self, days: int) -> list[Entry]:
        """The game ends without a result: nobody has moved for so many days."""
        self.guard(0, None)
        return [self.carry_out(Entry(ABANDONED, CHANCE, str(days)))]

    def repeats(self, seat: Seat, expected: int, actions: list[Action]) -> bool:
        """Whether exactly this was accepted before: a double click, or a request sent again."""
        acted = self.acted[seat]
        for i, (version, _) in enumerate(acted):
            if version == expected:
                done = [action for _, action in acted[i : i + len(actions)]]
                # What followed may have been dropped, but only where a request goes no further.
                return done == actions or (done == actions[: len(done)] and self.onward != seat)
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
        """Whether a seat can undo its last decision: that has revealed nothing to anybody, no chance was drawn, and no
        other seat has decided since (secret answers to the same question excepted, of which it knows nothing)."""
        if self.over or (self.clock is not None and seat in self.clock.secret):
            return False
        if self.together:
            return bool(self.state.answers[seat])
        return bool(self.before) and self.state.turn == seat

    def can_undo(self, seat: Seat, how: str) -> bool:
        """Whether an entry BACK fits."""
        if how == AGREED:
            return not self.over and self.asking.open is not None and self.asking.open.seat == seat
        return not how and self.can_take_back(seat)

    # ---- old entries ------------------------------------------------------------------------------

    def replay(self, entry: Entry) -> None:
        """Carry out an entry of the store. Raises Broken when it does not fit."""
        self.now = entry.at
        self._replay(entry)
        self.written(entry.at)

    def _replay(self, entry: Entry) -> None:
        if entry.kind not in KINDS or not CHANCE <= entry.seat < self.game.seats:
            raise Broken(f"Entry {self.length} of this table is none that this program writes.")
        if entry.kind != ACT:
            if entry.kind == BACK and not self.can_undo(entry.seat, entry.text):
                raise Broken(f"Entry {self.length} of this table takes back what was not there.")
            if entry.kind in (ASK, AGREE, REFUSE) and not self._fits_request(entry):
                raise Broken(f"Entry {self.length} of this table asks for what could not be.")
            self.carry_out(entry)
            return
        try:
            action = self.game.parse(entry.text)
        except (GonfalonError, ValueError, TypeError):
            raise Broken(f"Entry {self.length} of this table is no action of its game.") from None
        if not self.state.is_legal(entry.seat, action):
            raise Broken(f"Entry {self.length} of this table is not legal by the rules of this program.")
        self.apply(entry.seat, action, entry.spent)

    def _fits_request(self, entry: Entry) -> bool:
        """Return whether an entry asks for a take-back that may be asked for, or answers an open request."""
        if self.over:
            return False
        return self.can_ask_back(entry.seat) if entry.kind == ASK else self.asking.open is not None

    # ---- the steps themselves ---------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action, spent: int | None = None) -> None:
        if self.clock is not None and spent is not None:
            self.clock.charge(seat, spent, self.now)
        if seat == CHANCE:
            self.drawn += 1
        else:
            self.acted[seat] = (*self.acted[seat][-63:], (self.version(seat), action))
        before, together = self.state.clone(), self.together
        window = self.game.window(self.view(SPECTATOR))
        passed: list[State] = []
        self.state.moments = passed
        self.state.apply(seat, action)
        self.state.moments = None
        if passed:
            before_them = () if self.game.moments_pass else self.moments
            self.moments = (*before_them, *passed)[-MOMENTS_KEPT:]
        self.moment_count += len(passed)
        goes_on = self.state.turn == seat >= 0 and not self.together
        self.onward = seat if together or (goes_on and not learned(before, self.state, seat)) else None
        alone = seat >= 0 and not together and not self.together and not passed
        if alone and goes_on and revealed_nothing(self.game, before, self.state):
            self.before.append(before)
        else:
            self.before.clear()
        self.asking.decided(seat, Earlier(before, self.decisions) if alone and window is None else None)
        self.course.append(Decided(self.length, seat, action))
        self.length += 1
        shown = together and not self.state.answers[seat]
        if shown and self.clock is not None:
            self.clock.settle(self.decisions)
        self.look()

    def carry_out(self, entry: Entry) -> Entry:
        """Let an entry that is no action take effect, and return it."""
        seat = entry.seat
        if entry.kind in (ASK, AGREE, REFUSE):
            {ASK: self.asking.ask, AGREE: self.asking.agree, REFUSE: self.asking.refuse}[entry.kind](seat)
            self.length += 1
            return entry  # it changes nobody's view of the game
        if entry.kind == BACK:
            self._undo(seat, entry.text)
        elif entry.kind == FLAG:
            if self.clock is not None:
                self.clock.fall(seat)
            if entry.text == LOST:
                self.ended = {"seat": seat, "how": TIMED_OUT}
        elif entry.kind == RETURN:
            if self.clock is not None:
                self.clock.return_to(seat, self.now)
        elif entry.kind == RESIGN:
            self.ended = {"seat": seat, "how": "resigned"}
            self.asking.moved()
        elif entry.kind == ABANDONED:
            self.ended = {"seat": CHANCE, "how": ABANDONED, "days": int(entry.text)}
            self.asking.moved()
        self.length += 1
        self.look()
        return entry

    def _undo(self, seat: Seat, how: str) -> None:
        state = self.state
        if how == AGREED:
            earlier = self.asking.earlier[-1]
            self.state = earlier.state.clone()
            del self.course[earlier.decisions :]
            self.before.clear()
        elif self.together:
            # An answer is nothing but its line in `answers` until the last seat is done.
            assert isinstance(state.stack[-1], Together)
            own = [place for place, one in enumerate(self.course) if one.seat == seat]
            for place in reversed(own[len(own) - len(state.answers[seat]) :]):
                del self.course[place]
            state.answers[seat] = NO_ACTIONS
            state.settle()
        else:
            self.state = self.before.pop().clone()  # whoever this was cloned from has it too
            self.course.pop()
        if how == AGREED:
            self.asking.grant(self.decisions)
        else:
            self.asking.went_back(self.decisions)
        if self.clock is not None:
            self.clock.go_back(self.decisions)
        self.onward = seat

    def look(self) -> None:
        """Count a new version for every viewer whose view has changed."""
        self.viewers.mask(self.state)
        self.wind()
        if self.viewers.count(self._shown_beside):
            self.shown_length, self.shown_at = self.length, 0.0
        self.viewers.hand_over([seat for seat in range(self.state.seats) if self.asked(seat)])

    def _shown_beside(self, viewer: int) -> object:
        """Return what a viewer is shown beside the view: how the game was ended, and the clocks."""
        sight = self.sight(viewer)
        return self.ended, sight and sight.mark()

    def wind(self) -> None:
        """Tell the clock who is asked. Chance takes no time, and does not end a spell."""
        if self.clock is None or not self.dealt or (not self.over and self.state.turn == CHANCE):
            return
        asked = tuple(self.waited_for())
        if not asked:
            self.clock.ask("", (), self.now, self.decisions)
        elif self.together:
            self.clock.ask(ALL_ASKED, asked, self.now, self.decisions)
        elif self.game.window(self.view(SPECTATOR)) is not None:
            self.clock.ask(WINDOW, asked, self.now, self.decisions)
        else:
            self.clock.ask(ONE_ASKED, asked, self.now, self.decisions)


def position_after(
    game: Game, entries: list[Entry], root: bytes | None = None, pace: Pace | None = None, opened: float = 0.0
) -> Position:
    """The position after these entries, from which chance goes on by a proof's `root`, at a table of that `pace` and
    `opened` then. Raises Broken."""
    position = Position(game, root=root, pace=pace, now=opened)
    for entry in entries:
        position.replay(entry)
    return position


def record(
    game: Game, entries: list[Entry], names: list[str], proof: Proof | None = None, pace: Pace | None = None
) -> Record:
    """The record of a table, without the answers that were taken back unseen; with the proof of its chance, and what
    each decision took by its clock."""
    position = position_after(game, entries)
    ended = None if position.ended is None else {**position.ended}
    decisions = [(one.seat, one.action) for one in position.course]
    proved = None if proof is None else proof.to_json()
    clock: dict[str, object] | None = None
    if pace is not None:
        clock = {"spec": pace.to_json(), "spent": [entries[one.seq].spent for one in position.course]}
    return Record(game, names, decisions, result_of(game, position.state, names), ended, proved, clock)
