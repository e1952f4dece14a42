"""A record as a series of tables, for stepping through it on a screen."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN, SPECTATOR, Seat, State
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.viewport import Sight, Stage, build_sight


class Past:
    """The steps of a record as one viewer saw them."""

    def __init__(self, record: Record, viewer: int) -> None:
        self.record = record
        self.at = 0
        """Number of the step on the screen."""
        self.viewers = list(dict.fromkeys([*list_viewers(record), viewer]))
        self.viewer = viewer
        self.steps: list[tuple[State, Seat | None, str, int]] = []
        """For each step: the view after it, its seat, its action in notation, and the number of decisions carried out.
        """
        self.ats: list[int | None] = []
        """For each step: the number of its decision in the record; None at the beginning and at a moment."""
        self.change_viewer(viewer)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.record.game

    def change_viewer(self, viewer: int) -> None:
        """Show the same place of the game to another viewer."""
        decisions = self.steps[self.at][3] if self.steps else 0
        self.viewer = viewer
        self.steps = []
        for sight in replay_sights(self.record, viewer):
            what = "" if sight.action is None else self.game.notation(sight.action)
            self.steps.append((sight.state.mask(viewer), sight.seat, what, sight.decisions))
        self.ats = list_decision_numbers(self.record, [step[1] for step in self.steps])
        self.at = max((n for n, step in enumerate(self.steps) if step[3] <= decisions), default=0)

    def next_viewer(self) -> None:
        """Show the game to the next viewer."""
        self.change_viewer(self.viewers[(self.viewers.index(self.viewer) + 1) % len(self.viewers)])

    def step(self, by: int) -> None:
        """Go forward or back by a number of steps."""
        self.at = min(max(self.at + by, 0), len(self.steps) - 1)

    def chapters(self) -> list[tuple[int, str]]:
        """Return the steps at which a part of the game begins, with its name, including the first and last step."""
        names = [self.game.chapter(step[0]) for step in self.steps]
        found = [(n, name) for n, name in enumerate(names) if n in (0, len(names) - 1) or name != names[n - 1]]
        return [(n, messages.END if n and n == len(names) - 1 else name or messages.BEGINNING) for n, name in found]

    def chapter(self, by: int) -> None:
        """Go to the beginning of the next or previous part of the game."""
        ahead = [n for n, _ in self.chapters() if (n - self.at) * by > 0]
        self.at = (min(ahead) if by > 0 else max(ahead)) if ahead else self.at

    def number(self, step: int) -> int:
        """Return the number of a step: that of its decision, or of the decision of its moment, as in reviews.

        While a game continues, the viewer's own steps are counted, because the other number would show which seats have
        answered.
        """
        if not self.record.over:
            return step
        at, (view, _, _, made) = self.ats[step], self.steps[step]
        return at + 1 if at is not None else made + bool(view.moment)

    def format_moment(self, step: int) -> str:
        """Return which moment before a decision a step shows, as moments share its number; empty for other steps."""
        if not (self.record.over and self.steps[step][0].moment):
            return ""
        return f", moment {next(n for n in range(1, step + 1) if not self.steps[step - n][0].moment)}"

    @property
    def count(self) -> int:
        """The number of the last step."""
        return len(self.record.decisions) if self.record.over else len(self.steps) - 1

    def go_to(self, number: int) -> None:
        """Go to the step that shows a decision by its number, or to the last one before it."""
        steps = [n for n in range(len(self.steps)) if self.number(n) <= number]
        shown = [n for n in steps if self.ats[n] == number - 1]
        self.at = (shown or steps)[-1]

    def sight(self) -> Sight:
        """Return the table at the current step."""
        view, seat, what, _ = self.steps[self.at]
        plain = self.record.names if len(self.record.names) == self.game.seats else self.game.seat_names()
        names = names_for(self.game, self.viewer, list(plain))
        found = build_sight(self.game, view, plain, list(list_lines(self.game, view, names)), self.at)
        who = "" if seat is None else messages.CHANCE if seat == CHANCE else names[seat]
        did = messages.DID.format(player=who, action=what) if who and what else ""
        whose = {OPEN: messages.ALL_OPEN, SPECTATOR: messages.AS_SPECTATORS}
        seen = whose.get(self.viewer) or messages.AS_PLAYER.format(player=plain[self.viewer])
        moment = self.format_moment(self.at)
        place = messages.STEP.format(number=self.number(self.at), count=self.count, moment=moment, seen=seen)
        prompt = " ".join(filter(None, (place, did, found.over or found.prompt)))
        return replace(found, answers=(), prompt=prompt, over="", moment="")

    # ---- the protocol of a desk ------------------------------------------------------------------

    async def run(self, stage: Stage) -> None:
        """Show the first step."""
        stage.show(self.sight())

    async def act(self, answer: str) -> str:
        """Refuse an action."""
        return messages.REPLAY

    async def why_not(self, notation: str) -> str:
        """Return the refusal of any action."""
        return messages.REPLAY

    async def hint(self) -> Sequence[str]:
        """Refuse a hint."""
        raise GonfalonError(messages.REPLAY)

    async def undo(self) -> str:
        """Refuse undo."""
        return messages.REPLAY


def list_decision_numbers(record: Record, seats: Sequence[Seat | None]) -> list[int | None]:
    """Return the number of the decision that each step shows.

    A viewer sees a seat's decisions in their order, but simultaneous ones only after the last answer.

    Args:
        record: The record.
        seats: The seat of each step; None for a step without a decision.
    """
    by_seat = group_by_seat(record)
    return [by_seat[seat].popleft() if seat is not None else None for seat in seats]


def group_by_seat(record: Record) -> dict[Seat, deque[int]]:
    """Return the numbers of each seat's decisions, in order."""
    found: dict[Seat, deque[int]] = {}
    for at, (seat, _) in enumerate(record.decisions):
        found.setdefault(seat, deque()).append(at)
    return found


def list_viewers(record: Record) -> list[int]:
    """Return the possible viewers of a record. The open viewer is available only after the end."""
    return [*([OPEN] if record.over else []), SPECTATOR, *range(record.game.seats)]
