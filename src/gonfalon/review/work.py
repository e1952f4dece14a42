"""The review of a whole game, divided among processes.

Each decision has its own random stream, which follows from the seed and the number of the decision. The result does not
depend on the process or the order.
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
"""Purposes of a decision's random streams. Luck uses 3, and `tools/reviews` 4."""
GAVE_UP: Final = {"resigned": "conceded", "time": "had no time left"}
"""Ways in which a seat loses before the end, as in a record, and in words."""


class Part(NamedTuple):
    """The result of one decision."""

    decided: Decided
    found: Judgement | None
    opened: Opened | None
    believed: list[Believed]
    spent: float
    """CPU seconds."""


class Counted(NamedTuple):
    """The luck of the cards."""

    par: float | None
    cards: Cards | None
    lines: list[LuckLine]
    spent: float
    """CPU seconds."""


Told: TypeAlias = Callable[[int, int, Decided], None]
"""Receives progress: the number of decisions judged, the number of all, and the latest one."""


class Desk:
    """The workplace for a record: its positions, and the judges of its game."""

    def __init__(self, record: Record, seed: int, budgets: Budgets) -> None:
        self.record = record
        self.seed = seed
        self.budgets = budgets
        self.game = record.game
        self.table = Table(record.game)
        self.positions: list[State] = positions(record)

    def part(self, at: int) -> Part:
        """Return the review of one decision."""
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
        """Return a decision in the form of the file."""
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
        """Add a judgement to a decision."""
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
        """Return an action in words."""
        text = self.called(self.game.describe(view, action))
        return text.replace(OPPONENT, names_of(self.record)[1 - view.viewer]) if self.game.seats == 2 else text

    def called(self, text: str) -> str:
        """Return a text with the record's names in place of numbered seats."""
        return put_names(self.game, text, names_of(self.record))

    def opened(self, at: int, view: State, found: Hindsight) -> Opened:
        """Return hindsight in the form of the file."""
        best = found.open_best
        return {
            "at": at,
            "open_best": self.game.notation(best),
            "text": self.described(view, best),
            "change": round(found.change, 4),
        }

    def believed(self, at: int, view: State) -> list[Believed]:
        """Return the beliefs about hidden facts, and the truth."""
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
        """Return the luck of the cards, and their par."""
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
        """Return the win rate of the first seat with the same cards if the player of worlds has all seats."""
        at = next((at for at, (seat, _) in enumerate(self.record.decisions) if seat != CHANCE), 0)
        rng = Rng(stream(self.seed, at, PAR))
        self.table.player.forget()  # the result must not depend on earlier decisions in this process
        states = [self.positions[at].clone() for _ in range(self.budgets.par)]
        for s in states:
            s.log = None
        self.table.play_on(states, ended, rng)
        return round(sum(share_of(s, 0) for s in states) / len(states), 4)


_DESKS: Final[list[Desk]] = []
"""The workplace of this process."""


def sit_down(text: str, seed: int, budgets: Budgets) -> None:
    """Make the workplace of a worker process."""
    _DESKS[:] = [Desk(load(text, games.game), seed, budgets)]


def part_here(at: int) -> Part:
    """Return the review of one decision, in a worker process."""
    return _DESKS[0].part(at)


def counted_here() -> Counted:
    """Return the luck of the cards, in a worker process."""
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
    """Review a finished game.

    Args:
        record: The record.
        seats: The seats whose decisions are judged; all by default.
        seed: The seed of all worlds.
        workers: Number of processes.
        report: Receives each decision as it is judged.
        budgets: Numbers of worlds in place of the game's usual ones.
        spent: Receives the CPU seconds of each part.

    Raises:
        ReviewError: The game is not over, or the record is damaged.
    """
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
"""A function that judges decisions in order, and one that measures the luck of the cards."""


@contextmanager
def at_work(record: Record, seed: int, budgets: Budgets, workers: int) -> Iterator[Work]:
    """Provide the functions that judge decisions and measure luck, in this process or in worker processes."""
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
    """Return the whole review from its parts."""
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
    """Return the description of the judges and their files."""
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
    """Return the usual numbers of worlds for a game."""
    return Budgets().times(insight_of(record.game.without_secrets()).worlds)


def hash_of(record: Record) -> str:
    """Return the hash of a record. Stored card data is identified by its hash."""
    body = record.to_json() | {"options": brief_options(record.game)}
    return sha256(write_body(body).encode()).hexdigest()[:32]


def names_of(record: Record) -> list[str]:
    """Return the names of the seats by the record, or else by the game."""
    return record.names if len(record.names) == record.game.seats else record.game.seat_names()


def ending_of(record: Record, names: list[str]) -> str:
    """Return the end of the game as a sentence."""
    if record.result is not None:
        return record.game.ending(record.replay().mask(OPEN), names)
    how = (record.ended or {}).get("how")
    seat = (record.ended or {}).get("seat")
    if isinstance(how, str) and how in GAVE_UP and isinstance(seat, int) and 0 <= seat < len(names):
        return f"{names[seat]} {GAVE_UP[how]}."
    return "The game was closed before its end."


def result_of(record: Record) -> list[float] | None:
    """Return each seat's share of the victory; None if the table was closed without a result.

    Raises:
        ReviewError: The game may continue, and its review would show every card, or the record is damaged.
    """
    seats = record.game.seats
    if record.result is not None:
        winners = record.result.get("winners")
        if not isinstance(winners, list) or not winners:
            raise ReviewError("This record is damaged: its result names no winners.")
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
    if record.ended is None:
        raise ReviewError("This game is not over. Review it after the end, because a review shows every card.")
    if record.ended.get("how") not in GAVE_UP or seats != 2:
        return None
    return [0.0 if seat == record.ended.get("seat") else 1.0 for seat in range(seats)]
