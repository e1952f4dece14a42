"""The review of a whole game, divided among processes.

Each decision has its own random stream, which follows from the seed and the number of the decision. The result does not
depend on the process or the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from itertools import pairwise
from multiprocessing import get_context
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from gonfalon import games
from gonfalon.bots.players.choice import Z
from gonfalon.core.files.kept_data import brief_options
from gonfalon.core.files.record import Record, load, write_body
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import OPEN, Action, Seat, State
from gonfalon.core.rules.words import put_names
from gonfalon.core.text.english import OPPONENT
from gonfalon.review.data_files import BASELINE, hash_data_file
from gonfalon.review.errors import ReviewError
from gonfalon.review.files import FORMAT, FORMAT_VERSION, CardLuck, JudgedBelief, JudgedDecision, Review, Reviewer
from gonfalon.review.judging.baseline import load_baseline
from gonfalon.review.judging.beliefs import give_turn
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.course import list_positions
from gonfalon.review.judging.judging import Judgement, judge_decision
from gonfalon.review.judging.luck import measure_luck, sum_lines
from gonfalon.review.judging.players import Table, compute_share
from gonfalon.review.parent_process import end_with_parent
from gonfalon.review.story import find_turning_points, sum_decisions

DECISION: Final = 0
"""Purpose of a decision's random stream. Luck uses 3, and `tools/reviews` 4."""
MAX_FULL_SEATS: Final = 3
"""Maximum number of seats whose decisions get all worlds."""
EARLY_ENDINGS: Final = {"resigned": "resigned", "time": "ran out of time"}
"""Ways in which a seat loses before the end, as in a record, and in words."""


class DecisionResult(NamedTuple):
    """The result of one decision."""

    decided: JudgedDecision
    found: Judgement | None
    believed: list[JudgedBelief]
    spent: float
    """CPU seconds."""


class CardsResult(NamedTuple):
    """The luck of the cards."""

    cards: CardLuck | None
    spent: float
    """CPU seconds."""


ProgressReport: TypeAlias = Callable[[int, int, JudgedDecision], None]
"""Receives progress: the number of decisions judged, the number of all, and the latest one."""


class Workplace:
    """The workplace for a record: its positions, and the judges of its game."""

    def __init__(self, record: Record, seed: int, budgets: Budgets) -> None:
        self.record = record
        self.seed = seed
        self.budgets = budgets
        self.game = record.game
        self.table = Table(record.game)
        self.positions: list[State] = list_positions(record)

    def judge_decision(self, at: int) -> DecisionResult:
        """Return the review of one decision."""
        began = process_time()
        seat, action = self.record.decisions[at]
        view = self.positions[at].mask(seat)
        # The judge gets the view and never the position, so the judgement cannot reveal a secret.
        found = judge_decision(self.table, view, action, self.budgets, derive_seed(self.seed, at, DECISION))
        believed = self.build_beliefs(at, view)
        return DecisionResult(self.build_decision(at, view, found), found, believed, process_time() - began)

    def build_decision(self, at: int, view: State, found: Judgement | None) -> JudgedDecision:
        """Return a decision in the form of the file."""
        seat, action = self.record.decisions[at]
        notation, game = self.game.notation, self.game
        names = names_for(game, seat, list_names(self.record))
        one: JudgedDecision = {
            "at": at,
            "seat": seat,
            "asked": game.prompt(view, names),
            "chosen": notation(action),
            "text": self.describe_action(view, action),
            "best": None,
            "better": "",
            "second": None,
            "next": "",
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
            self.add_judgement(one, view, found)
        return one

    def add_judgement(self, one: JudgedDecision, view: State, found: Judgement) -> None:
        """Add a judgement to a decision."""
        notation, second = self.game.notation, found.referee
        one["best"], one["better"] = notation(found.best), self.describe_action(view, found.best)
        if found.second is not None:
            one["second"], one["next"] = notation(found.second), self.describe_action(view, found.second)
        one["value"], one["best_value"] = round(found.value, 4), round(found.best_value, 4)
        one["loss"], one["low"], one["high"] = (
            round(x, 4) for x in (found.loss.value, found.loss.low, found.loss.high)
        )
        if found.lead is not None:
            one["lead"], one["lead_low"] = round(found.lead.value, 4), round(found.lead.low, 4)
        one["worlds"], one["mark"], one["why"] = found.worlds, found.mark, found.why
        if second is not None:
            one["referee"] = {
                "loss": round(second.value, 4),
                "low": round(second.low, 4),
                "high": round(second.high, 4),
            }

    def describe_action(self, view: State, action: Action) -> str:
        """Return an action in words."""
        text = self.name_seats(self.game.describe(view, action))
        return text.replace(OPPONENT, list_names(self.record)[1 - view.viewer]) if self.game.seats == 2 else text

    def name_seats(self, text: str) -> str:
        """Return a text with the record's names in place of numbered seats."""
        return put_names(self.game, text, list_names(self.record))

    def build_beliefs(self, at: int, view: State) -> list[JudgedBelief]:
        """Return the beliefs about hidden facts, and the truth."""
        insight, seat = self.table.insight, view.viewer
        insight.heuristic.prepare(view)
        # Only the comparison reads the true position; beliefs come from the view.
        truths = insight.truths(self.positions[at], seat)
        return [
            {
                "at": at,
                "seat": seat,
                "about": self.name_seats(belief.about),
                "likely": [{"text": text, "chance": round(chance, 4)} for text, chance in belief.likely],
                "truth": truths[belief.about],
            }
            for belief in insight.beliefs(view)
            if belief.about in truths
        ]

    def order_decisions(self, ats: list[int], first: Sequence[Seat]) -> list[int]:
        """Return decisions in the order in which they are judged: those of some seats first, and of each seat those
        after which its chance to win changed most, because they are likely to matter most."""
        changes: dict[int, float] = {}
        for seat in range(self.game.seats):
            own = [at for at, (one, _) in enumerate(self.record.decisions) if one == seat]
            asked = [self.positions[at].clone() for at in own]
            for s in asked:
                give_turn(s, seat)
            chances = [*self.table.estimate_chances(asked, seat), compute_share(self.positions[-1], seat)]
            changes |= {at: abs(after - before) for at, (before, after) in zip(own, pairwise(chances), strict=True)}
        return sorted(ats, key=lambda at: (self.record.decisions[at][0] not in first, -changes[at], at))

    def measure_cards(self) -> CardsResult:
        """Return the luck of the cards."""
        began = process_time()
        # The baseline is a regression for the first of two seats.
        if self.game.seats != 2:
            return CardsResult(None, process_time() - began)
        baseline = load_baseline(self.table)
        lines = [] if baseline is None else measure_luck(self.record, baseline, self.budgets.deals, self.seed)
        cards: CardLuck | None = None
        if baseline is not None:
            sum_ = sum_lines(lines)
            cards = {
                "seat0": round(sum_.seat0, 4),
                "low": round(sum_.seat0 - Z * sum_.error, 4),
                "high": round(sum_.seat0 + Z * sum_.error, 4),
                "explains": baseline.fitted.explains,
                "shown": baseline.fitted.shown,
            }
        return CardsResult(cards, process_time() - began)


_WORKPLACES: Final[list[Workplace]] = []
"""The workplace of this process."""


def start_worker(text: str, seed: int, budgets: Budgets) -> None:
    """Make the workplace of a worker process, which ends with its parent."""
    end_with_parent()
    _WORKPLACES[:] = [Workplace(load(text, games.game), seed, budgets)]


def judge_in_worker(at: int) -> DecisionResult:
    """Return the review of one decision, in a worker process."""
    return _WORKPLACES[0].judge_decision(at)


def measure_in_worker() -> CardsResult:
    """Return the luck of the cards, in a worker process."""
    return _WORKPLACES[0].measure_cards()


def review(
    record: Record,
    seats: list[Seat] | None = None,
    seed: int = 0,
    workers: int = 1,
    report: ProgressReport | None = None,
    budgets: Budgets | None = None,
    spent: list[float] | None = None,
    first: Sequence[Seat] = (),
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
        first: The seats whose decisions are judged before those of others. The result is the same.

    Raises:
        ReviewError: The game is not over, or the record is damaged.
    """
    shares = compute_result(record)
    seats = list(range(record.game.seats)) if seats is None else seats
    budgets = budgets or choose_budgets(record)
    # Decisions of chance have seat -1, and are never judged.
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat in seats]
    parts: list[DecisionResult] = []
    tell = report or (lambda _done, _count, _decided: None)
    with open_workers(record, seed, budgets, workers) as (found, counting):
        for part in found(ats, first):
            parts.append(part)
            tell(len(parts), len(ats), part.decided)
        counted = counting()
    if spent is not None:
        spent += [part.spent for part in parts] + [counted.spent]
    in_order = sorted(parts, key=lambda part: part.decided["at"])
    return build_review(record, seats, shares, seed, budgets, in_order, counted)


Work: TypeAlias = tuple[Callable[[list[int], Sequence[Seat]], Iterator[DecisionResult]], Callable[[], CardsResult]]
"""A function that judges decisions, those of some seats first, and one that measures the luck of the cards."""


@contextmanager
def open_workers(record: Record, seed: int, budgets: Budgets, workers: int) -> Iterator[Work]:
    """Provide the functions that judge decisions and measure luck, in this process or in worker processes."""
    desk = Workplace(record, seed, budgets)
    if workers == 1:
        yield (lambda ats, first: map(desk.judge_decision, desk.order_decisions(ats, first))), desk.measure_cards
        return
    # A forked process could inherit a lock that another thread holds.
    context = get_context("spawn")
    # The record is sent as text, from which each process makes its own game.
    pool = ProcessPoolExecutor(workers, context, start_worker, (record.dumps(), seed, budgets))
    try:

        def judge(ats: list[int], first: Sequence[Seat]) -> Iterator[DecisionResult]:
            waiting = [pool.submit(judge_in_worker, at) for at in desk.order_decisions(ats, first)]
            return (one.result() for one in as_completed(waiting))

        yield judge, lambda: pool.submit(measure_in_worker).result()
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupted review must not wait for the rest


def build_review(
    record: Record,
    seats: list[Seat],
    shares: list[float] | None,
    seed: int,
    budgets: Budgets,
    parts: list[DecisionResult],
    counted: CardsResult,
) -> Review:
    """Return the whole review from its parts."""
    game = record.game
    names = list_names(record)
    decided = [part.decided for part in parts]
    reviewer = describe_reviewer(record, seed, budgets)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "record": hash_record(record),
        "game": game.name,
        "title": game.title,
        "rules": game.rules_version,
        "data": game.data_hash,
        "names": names,
        "seats": seats,
        "result": shares,
        "ending": describe_ending(record, names),
        "reviewer": reviewer,
        "cards": counted.cards,
        "decisions": decided,
        "beliefs": [believed for part in parts for believed in part.believed],
        "story": [point for seat in seats for point in find_turning_points(decided, seat)],
        "sums": [sum_decisions(decided, seat) for seat in seats],
    }


def describe_reviewer(record: Record, seed: int, budgets: Budgets | None = None) -> Reviewer:
    """Return the description of the judges and their files."""
    table = Table(record.game)
    return {
        "judge": table.insight.judge or f"the play of {table.player.name}",
        "referee": "simple rules, to the end of the game",
        "network": table.network,
        "baseline": hash_data_file(record.game, BASELINE),
        "seed": seed,
        "budgets": asdict(budgets or choose_budgets(record)),
    }


def choose_budgets(record: Record) -> Budgets:
    """Return the usual numbers of worlds for a game. More seats than three have more decisions, which take longer to
    play out, so each of them gets fewer worlds."""
    share = min(1.0, MAX_FULL_SEATS / record.game.seats) ** 2
    return Budgets().scale_worlds(share)


def hash_record(record: Record) -> str:
    """Return the hash of a record. Stored card data is identified by its hash."""
    # Records with and without the card data of the same game are equal.
    body = record.to_json() | {"options": brief_options(record.game)}
    return sha256(write_body(body).encode()).hexdigest()[:32]


def list_names(record: Record) -> list[str]:
    """Return the names of the seats by the record, or else by the game."""
    return record.names if len(record.names) == record.game.seats else record.game.seat_names()


def describe_ending(record: Record, names: list[str]) -> str:
    """Return the end of the game as a sentence."""
    if record.result is not None:
        return record.game.ending(record.replay().mask(OPEN), names)
    how = (record.ended or {}).get("how")
    seat = (record.ended or {}).get("seat")
    if isinstance(how, str) and how in EARLY_ENDINGS and isinstance(seat, int) and 0 <= seat < len(names):
        return f"{names[seat]} {EARLY_ENDINGS[how]}."
    return "The game was closed before its end."


def compute_result(record: Record) -> list[float] | None:
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
    # A running game may continue, and its review would show the hidden cards to its players.
    if record.ended is None:
        raise ReviewError("This game is not over. Review it after the end, because a review shows every card.")
    if record.ended.get("how") not in EARLY_ENDINGS or seats != 2:
        return None
    return [0.0 if seat == record.ended.get("seat") else 1.0 for seat in range(seats)]
