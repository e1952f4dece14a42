"""A whole game reviewed, shared out among processes.

Each decision has a stream of chance of its own, which follows from the seed and from its number: so it is no matter
who judges which, or when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from gonfalon import games
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.kept_data import brief_options
from gonfalon.core.files.record import Record, load, write_body
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import CHANCE, OPEN, Action, Seat, State
from gonfalon.core.rules.words import OPPONENT, put_names
from gonfalon.review.errors import ReviewError
from gonfalon.review.files import (
    FORMAT,
    FORMAT_VERSION,
    Believed,
    Cards,
    Decided,
    LuckLine,
    Opened,
    Review,
    Reviewer,
    untold,
)
from gonfalon.review.held import BASELINE, held_hash
from gonfalon.review.judging.baseline import baseline_of
from gonfalon.review.judging.budgets import Budgets, stream
from gonfalon.review.judging.course import asked_together, positions
from gonfalon.review.judging.hindsight import Hindsight, hindsight
from gonfalon.review.judging.judging import Judgement, ended, judge
from gonfalon.review.judging.luck import luck, whole
from gonfalon.review.judging.players import Table, insight_of, share_of
from gonfalon.review.judging.trust import CARDS, INTERVALS, MARKS
from gonfalon.review.story import summed, turning_points

DECISION, OPENED, PAR = 0, 1, 2
"""Uses of a decision's stream; luck has 3, and `tools/reviews` 4."""
GAVE_UP: Final = {"resigned": "conceded", "time": "had no time left"}
"""How a record says that a seat has lost before the end, and that in words."""


class Part(NamedTuple):
    """What was found at one decision."""

    decided: Decided
    found: Judgement | None
    opened: Opened | None
    believed: list[Believed]
    spent: float
    """Seconds of CPU time."""


class Counted(NamedTuple):
    """What was found in the cards."""

    par: float | None
    cards: Cards | None
    lines: list[LuckLine]
    spent: float


Told: TypeAlias = Callable[[int, int, Decided], None]
"""Progress: which decision, of how many, and what was found there."""


class Desk:
    """Where a record is reviewed: all its positions, and the table of its game."""

    def __init__(self, record: Record, seed: int, budgets: Budgets) -> None:
        self.record = record
        self.seed = seed
        self.budgets = budgets
        self.game = record.game
        self.table = Table(record.game)
        self.positions: list[State] = positions(record)

    def part(self, at: int) -> Part:
        """What is to be said of one decision."""
        began = process_time()
        seat, action = self.record.decisions[at]
        view = self.positions[at].mask(seat)
        found = judge(self.table, view, action, self.budgets, stream(self.seed, at, DECISION))
        opened = None
        if found is not None:
            others = asked_together(self.record, self.positions, at)
            seed = stream(self.seed, at, OPENED)
            opened = hindsight(self.table, self.positions[at], view, action, others, self.budgets, seed)
        believed = self.believed(at, view)
        shown = None if opened is None else self.opened(at, view, opened)
        return Part(self.decided(at, view, found), found, shown, believed, process_time() - began)

    def decided(self, at: int, view: State, found: Judgement | None) -> Decided:
        """A decision in the form of the file."""
        seat, action = self.record.decisions[at]
        notation, game = self.game.notation, self.game
        names = names_for(game, seat, names_of(self.record))
        one: Decided = {
            "at": at,
            "seat": seat,
            "asked": game.prompt(view, names),
            "chosen": notation(action),
            "text": self.described(view, action),
            "best": None,
            "better": "",
            "second": None,
            "value": None,
            "best_value": None,
            "loss": None,
            "low": None,
            "high": None,
            "lead": None,
            "lead_low": None,
            "worlds": 0,
            "referee": None,
            "mark": "",
            "why": "",
        }
        if found is not None:
            self.fill_in(one, view, found)
        return one

    def fill_in(self, one: Decided, view: State, found: Judgement) -> None:
        """Fill in how a decision was judged."""
        notation, second = self.game.notation, found.referee
        one["best"], one["better"] = notation(found.best), self.described(view, found.best)
        one["second"] = None if found.second is None else notation(found.second)
        one["value"], one["best_value"] = round(found.value, 4), round(found.best_value, 4)
        one["loss"], one["low"], one["high"] = (
            round(x, 4) for x in (found.loss.value, found.loss.low, found.loss.high)
        )
        if found.lead is not None:
            one["lead"], one["lead_low"] = round(found.lead.value, 4), round(found.lead.low, 4)
        one["worlds"], one["why"] = found.worlds, found.why
        one["mark"] = "" if MARKS in self.table.untold else found.mark
        if second is not None:
            one["referee"] = {
                "loss": round(second.value, 4),
                "low": round(second.low, 4),
                "high": round(second.high, 4),
            }

    def described(self, view: State, action: Action) -> str:
        """An action in words."""
        text = self.called(self.game.describe(view, action))
        return text.replace(OPPONENT, names_of(self.record)[1 - view.viewer]) if self.game.seats == 2 else text

    def called(self, text: str) -> str:
        """A text in which seats that a game gives no name but a number have the names of the record."""
        return put_names(self.game, text, names_of(self.record))

    def opened(self, at: int, view: State, found: Hindsight) -> Opened:
        """Hindsight in the form of the file."""
        best = found.open_best
        return {
            "at": at,
            "open_best": self.game.notation(best),
            "text": self.described(view, best),
            "change": round(found.change, 4),
        }

    def believed(self, at: int, view: State) -> list[Believed]:
        """What could be thought of the hidden things, with what was true."""
        insight, seat = self.table.insight, view.viewer
        insight.heuristic.prepare(view)
        truths = insight.truths(self.positions[at], seat)
        return [
            {
                "at": at,
                "seat": seat,
                "about": self.called(belief.about),
                "likely": [{"text": text, "chance": round(chance, 4)} for text, chance in belief.likely],
                "truth": truths[belief.about],
            }
            for belief in insight.beliefs(view)
            if belief.about in truths
        ]

    def counted(self) -> Counted:
        """What the cards brought, and what they are worth to whoever plays worlds on."""
        began = process_time()
        if self.game.seats != 2:
            return Counted(None, None, [], process_time() - began)
        baseline = baseline_of(self.table)
        lines = [] if baseline is None else luck(self.record, baseline, self.budgets.deals, self.seed)
        cards: Cards | None = None
        if baseline is not None:
            sum_ = whole(lines)
            cards = {
                "seat0": round(sum_.seat0, 4),
                "low": round(sum_.seat0 - Z * sum_.error, 4),
                "high": round(sum_.seat0 + Z * sum_.error, 4),
                "explains": baseline.fitted.explains,
                "shown": baseline.fitted.shown and CARDS not in self.table.untold,
            }
        shown: list[LuckLine] = [
            {"at": line.at, "seat0": round(line.seat0, 4), "error": round(line.error, 4)} for line in lines
        ]
        return Counted(self.par(), cards, shown, process_time() - began)

    def par(self) -> float:
        """How often the first seat wins with exactly these cards when the player of worlds has all seats."""
        at = next((at for at, (seat, _) in enumerate(self.record.decisions) if seat != CHANCE), 0)
        rng = Rng(stream(self.seed, at, PAR))
        self.table.player.forget()  # whatever this process has judged before
        states = [self.positions[at].clone() for _ in range(self.budgets.par)]
        for s in states:
            s.log = None
        self.table.play_on(states, ended, rng)
        return round(sum(share_of(s, 0) for s in states) / len(states), 4)


_DESKS: Final[list[Desk]] = []
"""The one of this process."""


def sit_down(text: str, seed: int, budgets: Budgets) -> None:
    """Make the desk of a process."""
    _DESKS[:] = [Desk(load(text, games.game), seed, budgets)]


def part_here(at: int) -> Part:
    """A decision, at the desk of this process."""
    return _DESKS[0].part(at)


def counted_here() -> Counted:
    """The cards, at the desk of this process."""
    return _DESKS[0].counted()


def review(
    record: Record,
    seats: list[Seat] | None = None,
    seed: int = 0,
    workers: int = 1,
    report: Told | None = None,
    budgets: Budgets | None = None,
    spent: list[float] | None = None,
) -> Review:
    """Review a finished game for some seats, all by default. `report` hears of each decision as it is judged, `spent`
    gets the seconds of CPU time. Raises ReviewError."""
    shares = result_of(record)
    seats = list(range(record.game.seats)) if seats is None else seats
    budgets = budgets or usual(record)
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat in seats]
    parts: list[Part] = []
    with at_work(record, seed, budgets, workers) as (found, counting):
        for part in found(ats):
            parts.append(part)
            if report is not None:
                report(len(parts), len(ats), part.decided)
        counted = counting()
    if spent is not None:
        spent += [part.spent for part in parts] + [counted.spent]
    return put_together(record, seats, shares, seed, budgets, parts, counted)


Work: TypeAlias = tuple[Callable[[list[int]], Iterator[Part]], Callable[[], Counted]]


@contextmanager
def at_work(record: Record, seed: int, budgets: Budgets, workers: int) -> Iterator[Work]:
    """What judges decisions, in their order, and what counts the cards: here, or in processes of their own."""
    if workers == 1:
        desk = Desk(record, seed, budgets)
        yield partial(map, desk.part), desk.counted
        return
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, sit_down, (record.dumps(), seed, budgets))
    try:
        yield partial(pool.map, part_here), lambda: pool.submit(counted_here).result()
    finally:
        pool.shutdown(cancel_futures=True)


def put_together(
    record: Record,
    seats: list[Seat],
    shares: list[float] | None,
    seed: int,
    budgets: Budgets,
    parts: list[Part],
    counted: Counted,
) -> Review:
    """All parts as one review."""
    game = record.game
    names = names_of(record)
    decided = [part.decided for part in parts]
    reviewer = reviewer_of(record, seed, budgets)
    sure = INTERVALS not in untold(reviewer)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "record": hash_of(record),
        "game": game.name,
        "title": game.title,
        "rules": game.rules_version,
        "data": game.data_hash,
        "names": names,
        "seats": seats,
        "result": shares,
        "ending": ending_of(record, names),
        "reviewer": reviewer,
        "par": counted.par,
        "cards": counted.cards,
        "luck": counted.lines,
        "decisions": decided,
        "hindsight": [part.opened for part in parts if part.opened is not None],
        "beliefs": [believed for part in parts for believed in part.believed],
        "story": [point for seat in seats for point in turning_points(decided, seat, sure)],
        "sums": [summed(decided, seat) for seat in seats],
    }


def reviewer_of(record: Record, seed: int, budgets: Budgets | None = None) -> Reviewer:
    """By whose play a game is judged."""
    table = Table(record.game)
    return {
        "judge": table.insight.judge or f"the play of {table.player.name}",
        "player": table.player.name,
        "referee": f"{table.player.name}, to the end of the game",
        "network": table.network,
        "baseline": held_hash(record.game, BASELINE),
        "seed": seed,
        "untold": list(table.untold),
        "discount": table.scale.told,
        "doubt": table.scale.doubt,
        "floor": table.scale.floor,
        "budgets": asdict(budgets or usual(record)),
    }


def usual(record: Record) -> Budgets:
    """What is tried for a game unless somebody says otherwise."""
    return Budgets().times(insight_of(record.game.without_secrets()).worlds)


def hash_of(record: Record) -> str:
    """Which record it is. Cards that the game keeps are told by their hash, as when they came with the program."""
    body = record.to_json() | {"options": brief_options(record.game)}
    return sha256(write_body(body).encode()).hexdigest()[:32]


def names_of(record: Record) -> list[str]:
    """The names of the seats as the record gives them, or as the game does."""
    return record.names if len(record.names) == record.game.seats else record.game.seat_names()


def ending_of(record: Record, names: list[str]) -> str:
    """How the game ended, in a sentence."""
    if record.result is not None:
        return record.game.ending(record.replay().mask(OPEN), names)
    how = (record.ended or {}).get("how")
    seat = (record.ended or {}).get("seat")
    if isinstance(how, str) and how in GAVE_UP and isinstance(seat, int) and 0 <= seat < len(names):
        return f"{names[seat]} {GAVE_UP[how]}."
    return "The game was closed before its end."


def result_of(record: Record) -> list[float] | None:
    """What each seat had of the victory; None where a table was closed without one. Raises ReviewError for a game that
    may still go on: its review would show every card."""
    seats = record.game.seats
    if record.result is not None:
        winners = record.result.get("winners")
        if not isinstance(winners, list) or not winners:
            raise ReviewError("This record is damaged: its result names no winners.")
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
    if record.ended is None:
        raise ReviewError("This game is not over, and its review would show every card: review it when it has ended.")
    if record.ended.get("how") not in GAVE_UP or seats != 2:
        return None
    return [0.0 if seat == record.ended.get("seat") else 1.0 for seat in range(seats)]
