"""The position of a table: the result of its entries. Synchronous; it knows neither the store nor people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from typing import Final

from gonfalon.core.basics.errors import GonfalonError, Refusal
from gonfalon.core.files.proof import Proof
from gonfalon.core.files.record import ABANDONED, TIMED_OUT, Record, build_result
from gonfalon.core.knowledge.learned import has_learned, revealed_nothing
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import (
    CHANCE,
    NO_ACTIONS,
    SPECTATOR,
    TOGETHER,
    Action,
    Event,
    Seat,
    State,
    Together,
    masked_log,
)
from gonfalon.table import messages
from gonfalon.table.chance import draw_outcome
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

MOMENTS_KEPT: Final = 4
MOMENTS_VIEWED: Final = 32
"""The numbers of latest moments that are kept, and that can still be viewed."""


class Position:
    """The position after `length` entries."""

    def __init__(
        self, game: Game, dealt: bool = True, root: bytes | None = None, pace: Pace | None = None, now: float = 0.0
    ) -> None:
        self.game: Game = game
        self.dealt: bool = dealt
        """Whether the game has begun. Before that no seat is asked anything."""
        self.state: State = game.start(log=True)
        self.root: bytes | None = root
        """The seed of proved draws of chance (`core/files/proof.py`), or None. It determines all future draws."""
        self.drawn: int = 0
        """The number of draws so far. Undo does not decrease it, or a draw could be repeated."""
        self.length: int = 0
        self.shown_length: int = 0
        self.shown_at: float = 0.0
        """The table time at which spectators last saw something new; `shown_length` is the number of entries then."""
        self.course: list[Decided] = []
        """The decisions that led here, those of chance included and those that were undone excluded."""
        self.ended: Ended | None = None
        self.now: float = now
        """The table time of the next entry, or of the last one."""
        self.clock: Clock | None = None if pace is None else Clock(pace, game.seats)
        self.onward: Seat | None = None
        """The seat that acted last, if its further actions may follow at once: it has learned nothing, and it is still
        its turn."""
        self.acted: list[tuple[tuple[int, Action], ...]] = [()] * game.seats
        """For each seat its latest actions, each with the version of its view that it answered."""
        self.before: list[State] = []
        """The positions before the latest decisions of the seat to act that it can undo."""
        self.asking: Asking = Asking(game.seats)
        """The undo requests."""
        self.viewers: ViewerVersions = ViewerVersions()
        self.moments: tuple[State, ...] = ()
        """The moments between decisions (`State.moments`) that are kept. The last of them has the number
        `moment_count`."""
        self.moment_count: int = 0
        self._views: dict[int, State] = {}
        self.update_views()

    def clone(self) -> Position:
        """Return a copy to try changes on."""
        # A state is replaced and never changed, nor are the entries of these lists, so shallow copies are enough.
        twin = copy(self)
        twin.course = self.course[:]
        twin.clock = self.clock and self.clock.clone()
        twin.acted = self.acted[:]
        twin.before = self.before[:]
        twin.asking = copy(self.asking)
        twin.viewers = self.viewers.clone()
        twin._views = self._views.copy()
        return twin

    @property
    def over(self) -> bool:
        return self.state.over or self.ended is not None

    @property
    def decisions(self) -> int:
        """The number of decisions that led here."""
        return len(self.course)

    def ending(self, names: list[str]) -> str:
        """Return, as JSON, the facts that the record of a finished game needs besides its entries (`Ending`)."""
        found: Ending = {
            "result": build_result(self.game, self.state, names),
            "ended": self.ended,
            "decisions": [one.seq for one in self.course],
        }
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"))

    def version(self, viewer: int) -> int:
        """Return the number of different views that this viewer has seen."""
        return self.viewers.versions[viewer]

    def view(self, viewer: int) -> State:
        """Return the masked state of a viewer, made at the first call after a change. Readers share it and must not
        change it."""
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = self.state.mask(viewer)
        return view

    def forget_view(self, viewer: int) -> None:
        """Drop the masked state of a viewer until it is needed again."""
        self._views.pop(viewer, None)

    def window(self) -> str | None:
        """Return the name of the open answer window, as all viewers know it; None outside of windows."""
        # Most games have none, and need no view for that.
        return self.game.window(self.view(SPECTATOR)) if has_windows(self.game) else None

    def view_to_keep(self, viewer: int) -> State:
        """Return a masked state of the reader's own, which may be changed."""
        return self.state.mask(viewer)

    def moment(self, number: int) -> State | None:
        """Return the full state of a moment, to be masked; None if it can no longer be viewed. All viewers count
        moments alike, from 1."""
        back = self.moment_count - number
        if 0 <= back < len(self.moments):
            return self.moments[-1 - back]
        if self.game.moments_pass or not 0 <= back < min(self.moment_count, MOMENTS_VIEWED):
            return None
        # A decision that passed a moment is never undone, so those left lead to the same moments.
        state, passed = self.game.start(log=True), list[State]()
        for one in self.course:
            state.moments = passed
            state.apply(one.seat, one.action)
        return passed[-1 - back]

    def past(self, viewer: int, line: int) -> State | None:
        """Return a viewer's own view after the decision that wrote an event of their log, replayed from the decisions.

        It is None if there is no such event, and if the log tells less of what happened since than it did then: what
        the rules let players forget is not shown again.
        """
        if self.game.moments_pass:
            return None
        state, read, since = self.game.start(log=True), 0, 0
        found: State | None = None
        told: list[Event] = []
        for number, one in enumerate(self.course, start=1):
            state.apply(one.seat, one.action)
            told += masked_log((state.log or [])[read:], viewer, state.need(viewer))
            read = len(state.log or ())
            # Draws of chance follow at once, so no viewer saw the table before them.
            drawn = number == len(self.course) or self.course[number].seat != CHANCE
            if found is None and len(told) > line and drawn:
                found, since = state.mask(viewer), len(told)
        return None if found is None or told[since:] != (self.view(viewer).log or [])[since:] else found

    def is_asked(self, seat: Seat) -> bool:
        """Return whether the rules wait for this seat."""
        return self.dealt and not self.over and bool(self.state.legal(seat))

    def find_awaited_seats(self) -> list[Seat]:
        """Return the seats that the game waits for, as all viewers may know them: in a simultaneous decision all its
        seats until the last answer."""
        return [] if self.over or not self.dealt else [seat for seat in self.state.asked() if seat >= 0]

    def note_written(self, at: float) -> None:
        """Note the table time at which the latest entries were written."""
        # Zero marks a change that has no time yet, because its entry was not stored.
        if self.shown_at == 0.0:
            self.shown_at = at
        if self.asking.asked_at == 0.0:
            self.asking.asked_at = at

    def sight(self, viewer: int) -> Sight | None:
        """Return the clocks that a viewer is shown; None at a table without clocks."""
        return None if self.clock is None else self.clock.sight(viewer, viewer >= 0 and self.is_asked(viewer))

    @property
    def since(self) -> float | None:
        """The table time from which asked seats use their time; None if no seat is asked or the table has no clock."""
        return None if self.clock is None or not self.clock.asked else self.clock.since

    def flag_due(self, people: Sequence[Seat]) -> tuple[float, Seat] | None:
        """Return the time of the next flag among these seats, and its seat."""
        return None if self.clock is None else self.clock.due([seat for seat in people if self.is_asked(seat)])

    # ---- new entries: each call changes the position and returns what must be stored ------------------

    def draw_chance(self) -> list[Entry]:
        """Answer all chance decisions that are due."""
        entries = []
        while not self.over and self.state.turn == CHANCE:
            action = draw_outcome(self.state, self.root, self.drawn)
            entries.append(Entry(ACT, CHANCE, self.game.notation(action)))
            self.apply(CHANCE, action)
        return entries

    def act(self, seat: Seat, expected: int | None, actions: list[Action], came: float | None = None) -> list[Entry]:
        """Apply a seat's actions and the chance that follows.

        Each action is judged by the seat's knowledge at the time of sending. Actions after one that reveals something
        to the seat, or that passes the turn, are dropped without judgment: a refusal would be a free look at the
        revealed information.

        Args:
            seat: The seat that acts.
            expected: The version of its view that it answers; None for any.
            actions: The actions in order.
            came: The arrival time of a person's decision, to which its time is charged.

        Returns:
            The entries to store.

        Raises:
            Refusal: One of the actions is illegal. This position is then spoiled: try on a clone.
            Stale, Finished: The seat's view has changed, or the game is over.
        """
        self.check_version(seat, expected)
        if self.together:
            # Judged first, because applying an action could complete the decision and open the answers of others.
            self.check_answer(seat, actions)
        spent = None if self.clock is None or came is None else self.clock.measure_time(seat, came)
        entries: list[Entry] = []
        for action in actions:
            if self.over or not self.state.is_legal(seat, action):
                # The reason is worked out from what the seat may know.
                reason = self.view(seat).why_not(seat, action)
                raise Refusal(reason or messages.NOT_LEGAL)
            entries.append(Entry(ACT, seat, self.game.notation(action), spent=spent))
            self.apply(seat, action, spent)
            entries += self.draw_chance()
            # The first action of a request is charged with its whole time.
            spent = None if spent is None else 0
            if self.onward != seat:
                break
        return entries

    def check_answer(self, seat: Seat, actions: list[Action]) -> None:
        """Judge a whole answer to a simultaneous decision before any part of it is applied.

        Raises:
            Refusal: An action is illegal. The message does not depend on the answers of others.
        """
        view = self.view(seat).clone()
        for action in actions:
            if not view.is_legal(seat, action):
                done = view.answers[seat] and not view.legal(seat)
                raise Refusal(messages.ANSWERED if done else view.why_not(seat, action) or messages.NOT_LEGAL)
            view.answers[seat] = [*view.answers[seat], action]
            view.ask_viewer()

    def undo(self, seat: Seat, expected: int | None) -> list[Entry]:
        """Undo a seat's last decision. Raises Refusal if that decision has revealed something."""
        self.check_version(seat, expected)
        if not self.can_undo(seat):
            raise Refusal(messages.NOTHING_TO_UNDO)
        return [self.carry_out(Entry(BACK, seat))]

    def request_undo(self, seat: Seat, expected: int | None) -> list[Entry]:
        """Ask the others for an undo of a seat's last decision. Raises Refusal."""
        self.check_version(seat, expected)
        if not self.can_request_undo(seat):
            pending = self.asking.open is not None and self.asking.open.seat == seat
            spent = self.asking.asked[seat] >= MOST_ASKED
            if pending:
                raise Refusal(messages.UNDO_PENDING)
            raise Refusal(messages.UNDO_LIMIT.format(most=MOST_ASKED) if spent else messages.CANNOT_ASK_UNDO)
        return [self.carry_out(Entry(ASK, seat))]

    def answer_undo(self, seats: Sequence[Seat], number: int, agrees: bool) -> list[Entry]:
        """Answer the undo request of this number for all seats of a player, whose own request can only be withdrawn.

        Raises:
            Stale: The request is settled, or these seats have agreed already.
            Refusal: The player agrees to their own request.
        """
        self.check_version(0, None)
        request = self.asking.open
        if request is None or request.number != number:
            raise Stale(messages.NO_UNDO_REQUEST)
        if request.seat in seats and agrees:
            raise Refusal(messages.OWN_UNDO_REQUEST)
        if not agrees:
            return [self.carry_out(Entry(REFUSE, request.seat if request.seat in seats else seats[0]))]
        new = [seat for seat in seats if seat not in request.agreed]
        if not new:
            raise Stale(messages.AGREED)
        return [self.carry_out(Entry(AGREE, seat)) for seat in new]

    def grant_undo(self) -> list[Entry]:
        """Undo the decision whose undo all others have agreed to."""
        self.check_version(0, None)
        request = self.asking.open
        if request is None:
            raise Stale(messages.NO_UNDO_REQUEST)
        return [self.carry_out(Entry(BACK, request.seat, AGREED))]

    def can_request_undo(self, seat: Seat) -> bool:
        """Return whether a seat may ask for an undo of its last decision."""
        return not self.over and self.dealt and self.asking.may_ask(seat, self.state)

    def resign(self, seat: Seat) -> list[Entry]:
        """Resign for a seat."""
        self.check_version(seat, None)
        return [self.carry_out(Entry(RESIGN, seat))]

    def drop_flag(self, seat: Seat, lost: bool = False) -> list[Entry]:
        """Let a seat's flag fall, which may lose the game. Raises Stale if it is not due or already recorded."""
        self.check_version(seat, None)
        clock = self.clock
        if clock is None or not (self.is_asked(seat) or (lost and seat in clock.fallen - clock.secret)):
            raise Stale(messages.NO_CLOCK)
        if seat in clock.fallen and not lost:
            raise Stale(messages.FLAG_RECORDED)
        return [self.carry_out(Entry(FLAG, seat, LOST if lost else ""))]

    def return_seat(self, seat: Seat) -> list[Entry]:
        """Return a seat from its bot to its player."""
        self.check_version(seat, None)
        return [self.carry_out(Entry(RETURN, seat))]

    def abandon(self, days: int) -> list[Entry]:
        """End the game without a result after this many days without a move."""
        self.check_version(0, None)
        return [self.carry_out(Entry(ABANDONED, CHANCE, str(days)))]

    def repeats(self, seat: Seat, expected: int, actions: list[Action]) -> bool:
        """Return whether exactly these actions were accepted before: a double click, or a repeated request."""
        acted = self.acted[seat]
        for i, (version, _) in enumerate(acted):
            if version == expected:
                done = [action for _, action in acted[i : i + len(actions)]]
                # What followed may have been dropped, but only where a request goes no further.
                return done == actions or (done == actions[: len(done)] and self.onward != seat)
        return False

    def check_version(self, seat: Seat, expected: int | None) -> None:
        if self.over:
            raise Finished(messages.OVER)
        if not self.dealt:
            raise Stale(messages.NOT_STARTED)
        if expected is not None and expected != self.version(seat):
            raise Stale(messages.TABLE_CHANGED)

    @property
    def together(self) -> bool:
        """Whether several seats are asked at once."""
        return bool(self.state.stack) and self.state.stack[-1].seat == TOGETHER

    def can_undo(self, seat: Seat) -> bool:
        """Return whether a seat can undo its last decision: it has revealed nothing, no chance was drawn, and no other
        seat has decided since. Secret answers to the same simultaneous decision do not count, for the seat knows
        nothing of them."""
        if self.over or (self.clock is not None and seat in self.clock.secret):
            return False
        return bool(self.state.answers[seat]) if self.together else bool(self.before) and self.state.turn == seat

    def fits_undo(self, seat: Seat, how: str) -> bool:
        """Return whether an entry BACK is valid."""
        if how == AGREED:
            return not self.over and self.asking.open is not None and self.asking.open.seat == seat
        return not how and self.can_undo(seat)

    # ---- old entries ------------------------------------------------------------------------------

    def replay(self, entry: Entry) -> None:
        """Apply an entry of the store. Raises Broken if it does not fit."""
        # Clocks continue from the time at which the entry was written.
        self.now = entry.at
        self._replay(entry)
        self.note_written(entry.at)

    def _replay(self, entry: Entry) -> None:
        if entry.kind not in KINDS or not CHANCE <= entry.seat < self.game.seats:
            raise Broken(messages.BAD_KIND.format(number=self.length))
        if entry.kind != ACT:
            if entry.kind == BACK and not self.fits_undo(entry.seat, entry.text):
                raise Broken(messages.BAD_UNDO.format(number=self.length))
            if entry.kind in (ASK, AGREE, REFUSE) and not self._fits_request(entry):
                raise Broken(messages.BAD_REQUEST.format(number=self.length))
            self.carry_out(entry)
            return
        try:
            action = self.game.parse(entry.text)
        except (GonfalonError, ValueError, TypeError):
            # The cause is dropped, because its text could quote a hidden card.
            raise Broken(messages.BAD_ACTION.format(number=self.length)) from None
        if not self.state.is_legal(entry.seat, action):
            raise Broken(messages.BAD_DECISION.format(number=self.length))
        self.apply(entry.seat, action, entry.spent)

    def _fits_request(self, entry: Entry) -> bool:
        """Return whether an entry makes a valid undo request, or answers an open one."""
        if self.over:
            return False
        return self.can_request_undo(entry.seat) if entry.kind == ASK else self.asking.open is not None

    # ---- the steps themselves ---------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action, spent: int | None = None) -> None:
        if self.clock is not None and spent is not None:
            self.clock.charge(seat, spent, self.now)
        if seat == CHANCE:
            self.drawn += 1
        else:
            # A request has at most 64 actions (`moves.MOST_ACTIONS`), so this recognizes any repetition.
            self.acted[seat] = (*self.acted[seat][-63:], (self.version(seat), action))
        before, together = self.state, self.together
        # Read before the action, because decisions made in a window cannot be undone by request.
        window = self.window()
        passed: list[State] = []
        self.state = before.clone()
        self.state.moments = passed
        self.state.apply(seat, action)
        self.state.moments = None
        if passed:
            before_them = () if self.game.moments_pass else self.moments
            self.moments = (*before_them, *passed)[-MOMENTS_KEPT:]
        self.moment_count += len(passed)
        goes_on = self.state.turn == seat >= 0 and not self.together
        self.onward = seat if together or (goes_on and not has_learned(before, self.state, seat)) else None
        alone = seat >= 0 and not together and not self.together and not passed
        if alone and goes_on and revealed_nothing(self.game, before, self.state):
            self.before.append(before)
        else:
            self.before.clear()
        self.asking.note_decision(seat, Earlier(before, self.decisions) if alone and window is None else None)
        self.course.append(Decided(self.length, seat, action))
        self.length += 1
        shown = together and not self.state.answers[seat]
        if shown and self.clock is not None:
            self.clock.settle(self.decisions)
        self.update_views(before)

    def carry_out(self, entry: Entry) -> Entry:
        """Apply an entry that is not an action, and return it."""
        seat, before = entry.seat, self.state
        if entry.kind in (ASK, AGREE, REFUSE):
            {ASK: self.asking.ask, AGREE: self.asking.agree, REFUSE: self.asking.refuse}[entry.kind](seat)
            self.length += 1
            return entry  # it changes nobody's view of the game
        if entry.kind == BACK:
            self._undo(seat, entry.text)
        elif entry.kind == FLAG:
            if self.clock is not None:
                self.clock.drop_flag(seat)
            if entry.text == LOST:
                self.ended = {"seat": seat, "how": TIMED_OUT}
        elif entry.kind == RETURN:
            if self.clock is not None:
                self.clock.resume(seat, self.now)
        elif entry.kind == RESIGN:
            self.ended = {"seat": seat, "how": "resigned"}
            self.asking.close()
        elif entry.kind == ABANDONED:
            self.ended = {"seat": CHANCE, "how": ABANDONED, "days": int(entry.text)}
            self.asking.close()
        self.length += 1
        self.update_views(before)
        return entry

    def _undo(self, seat: Seat, how: str) -> None:
        if how == AGREED:
            earlier = self.asking.earlier[-1]
            self.state = earlier.state
            del self.course[earlier.decisions :]
            self.before.clear()
        elif self.together:
            # An answer is nothing but its line in `answers` until the last seat is done.
            self.state = state = self.state.clone()
            assert isinstance(state.stack[-1], Together)
            own = [place for place, one in enumerate(self.course) if one.seat == seat]
            # Deleting from the end keeps the earlier places valid.
            for place in reversed(own[len(own) - len(state.answers[seat]) :]):
                del self.course[place]
            state.answers[seat] = NO_ACTIONS
            state.settle()
        else:
            self.state = self.before.pop()
            self.course.pop()
        if how == AGREED:
            self.asking.grant(self.decisions)
        else:
            self.asking.note_undo(self.decisions)
        if self.clock is not None:
            self.clock.follow_undo(self.decisions)
        self.onward = seat

    def update_views(self, before: State | None = None) -> None:
        """Count a new version for every viewer whose view has changed since the full state `before`, if that is
        known."""
        # The order matters: clocks read the new view of spectators, and versions include the clocks.
        self._views = {}
        self.update_clock()
        if self.viewers.count(before, self.state, self._shown_beside):
            self.shown_length, self.shown_at = self.length, 0.0
        self.viewers.hand_over([seat for seat in range(self.state.seats) if self.is_asked(seat)])

    def _shown_beside(self, viewer: int) -> object:
        """Return the facts that a viewer is shown beside the view: how the game was ended, and the clocks."""
        sight = self.sight(viewer)
        return self.ended, sight and sight.mark()

    def update_clock(self) -> None:
        """Pass the asked seats to the clock. Chance takes no time and does not end a spell."""
        if self.clock is None or not self.dealt or (not self.over and self.state.turn == CHANCE):
            return
        asked = tuple(self.find_awaited_seats())
        if not asked:
            self.clock.ask("", (), self.now, self.decisions)
        elif self.together:
            self.clock.ask(ALL_ASKED, asked, self.now, self.decisions)
        elif self.window() is not None:
            self.clock.ask(WINDOW, asked, self.now, self.decisions)
        else:
            self.clock.ask(ONE_ASKED, asked, self.now, self.decisions)


def has_windows(game: Game) -> bool:
    """Return whether a game has answer windows."""
    return type(game).window is not Game.window


def position_after(
    game: Game, entries: list[Entry], root: bytes | None = None, pace: Pace | None = None, opened: float = 0.0
) -> Position:
    """Return the position after these entries.

    Args:
        game: The rules.
        entries: The record from its start.
        root: The seed of proved draws, for chance to come.
        pace: The time control of the table.
        opened: The table time at which the table was opened.

    Raises:
        Broken: An entry does not fit.
    """
    position = Position(game, root=root, pace=pace, now=opened)
    for entry in entries:
        position.replay(entry)
    return position


def make_record(
    game: Game, entries: list[Entry], names: list[str], proof: Proof | None = None, pace: Pace | None = None
) -> Record:
    """Return the record of a table, without undone decisions, with the proof of its chance and the clock time of each
    decision."""
    # Neither root nor clock is needed, because the entries hold all draws and all times.
    position = position_after(game, entries)
    ended = None if position.ended is None else {**position.ended}
    decisions = [(one.seat, one.action) for one in position.course]
    proved = None if proof is None else proof.to_json()
    clock: dict[str, object] | None = None
    if pace is not None:
        clock = {"spec": pace.to_json(), "spent": [entries[one.seq].spent for one in position.course]}
    return Record(game, names, decisions, build_result(game, position.state, names), ended, proved, clock)
