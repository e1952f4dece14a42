"""A check of reviews: the accuracy of luck, and marks by level that a third judge looks at.

Luck is computed in games of ordinary players that no fit used: its mean must be zero, and it must reduce the variance
of results. Then whole games between levels are reviewed, and some marks of each game go to a third judge: the rule of
thumb of the level `greedy` plays both actions to the end of the game in fresh worlds, with the same chance for both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from gonfalon import games, review
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import find_build
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE
from gonfalon.lab.run import machine as about
from gonfalon.lab.run import sources
from gonfalon.lab.run.match import get_game, list_matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.review.figures import Loss, compute_mean, compute_standard_error
from gonfalon.review.judging.baseline import load_baseline
from gonfalon.review.judging.beliefs import PlayerBelief
from gonfalon.review.judging.budgets import derive_seed
from gonfalon.review.judging.judging import MARKS
from gonfalon.review.judging.referee import Referee
from gonfalon.review.story import sum_decisions
from gonfalon.review.work import DecisionResult, Workplace, choose_budgets, describe_reviewer
from tools.reviews.baselines import MIN_RATIOS, LuckResult, explained_variance, get_table, measure_game_luck, play_game
from tools.reviews.notebook import Found, Notebook, Part, run_parts

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Report: TypeAlias = Callable[[str, int, int], None]
PAIRS: Final = (
    ("gentle", "strong"),
    ("casual", "club"),
    ("club", "gentle"),
    ("strong", "casual"),
    ("gentle", "casual"),
    ("club", "strong"),
    ("strong", "gentle"),
    ("club", "casual"),
    ("gentle", "club"),
    ("casual", "strong"),
)
"""The levels of the reviewed games, in turn. Each level plays five of ten."""
GAMES_PER_FULL_REVIEW: Final = 5
"""One game in this number is reviewed completely to measure the time. Luck changes no mark."""
MARKS_PER_GAME: Final = 2
"""Maximum number of marks of a game for the third judge."""
MIN_LUCK_GAMES: Final = 30
"""Minimum number of games for luck."""
MIN_CONFIRMED: Final = 0.925
"""Required share of marks that the third judge confirms."""
WORLDS: Final = 100
"""Number of worlds for the third judge, which plays as many again while its interval contains 0."""
MAX_WORLDS: Final = 400
"""Maximum number of worlds for the third judge."""
AGAIN: Final = 4
"""Use of a decision's random stream."""
SEED_OFFSET: Final = 0x51ED270B
"""Seed offset that separates these games from those a baseline was fitted to."""


@dataclass(frozen=True)
class CheckedMark:
    """A mark, with the loss by the third judge and half of its interval."""

    game: int
    at: int
    level: str
    mark: str
    text: str
    loss: float
    low: float
    high: float
    third: float
    half: float


@dataclass(frozen=True)
class SeatMarks:
    """The decisions and marks of a seat in a reviewed game."""

    level: str
    decisions: int
    judged: int
    refused: int
    """Number of losses that the second judge left without a mark."""
    marks: dict[str, int]


@dataclass(frozen=True)
class ReviewedGame:
    """A reviewed game."""

    seats: list[SeatMarks]
    checked: list[CheckedMark]
    spent: float | None
    """CPU seconds of a complete review; None if it was not measured."""


@dataclass(frozen=True)
class CheckReport:
    """The results, with everything needed to measure them again."""

    game: str
    version: str
    seats: int
    options: Options
    seed: int
    date: str
    machine: str
    build: str
    commit: str
    luck_games: int
    bias: float
    """Mean luck in percentage points."""
    bias_error: float
    ratio: float
    """Variance of results divided by that of corrected ones; 0 without a baseline."""
    ratio_low: float
    ratio_high: float
    games: list[ReviewedGame]


def check_game(
    name: str,
    options: Options,
    count: int = 200,
    reviewed: int = 10,
    seed: int = 0,
    workers: Workers = 1,
    path: Path | None = None,
    seconds: float | None = None,
    report: Report | None = None,
) -> CheckReport:
    """Check the reviews of a game.

    Args:
        name: The name of the game.
        options: Its options.
        count: The number of games for luck.
        reviewed: The number of reviewed games.
        seed: The seed of the games.
        workers: A number of processes, or a cluster.
        path: The file that stores the results; an existing one is continued.
        seconds: Time after which no game starts.
        report: Called after each game.

    Raises:
        OptionError: An option is unknown, or the file belongs to another study.
    """
    setups = list_matchups(name, options)
    game = get_game(name, setups[0])
    games_ = [
        Part(f"game {n}", n / reviewed, partial(run_to_json, review_game, name, setups, seed, n))
        for n in range(reviewed)
    ]
    lucks_ = list_luck_parts(name, setups, count, seed)
    notebook = Notebook(path, identify_study(game, options, seed))
    noted = run_parts([*games_, *lucks_], notebook, workers, seconds, report)
    lucks = [LuckResult(**noted[part.name]) for part in lucks_ if part.name in noted]  # type: ignore[arg-type]
    found = [read_reviewed(noted[part.name]) for part in games_ if part.name in noted]
    return summarize_checks(name, options, seed, lucks, found)


def summarize_checks(
    name: str, options: Options, seed: int, lucks: list[LuckResult], found: list[ReviewedGame]
) -> CheckReport:
    """Return the results from the games for luck and the reviewed ones."""
    ratio, low, high = variance_ratio(lucks)
    return CheckReport(
        game=name,
        version=games.find_game_class(name).version,
        seats=get_game(name, list_matchups(name, options)[0]).seats,
        options=get_game(name, options).shown_options() if options else {},
        seed=seed,
        date=date.today().isoformat(),
        machine=about.describe_machine(),
        build=about.describe_build(),
        commit=about.read_commit(),
        luck_games=len(lucks),
        bias=round(100 * compute_mean([one.luck for one in lucks]), 2),
        bias_error=round(100 * Z * compute_standard_error([one.luck for one in lucks]), 2),
        ratio=ratio,
        ratio_low=low,
        ratio_high=high,
        games=found,
    )


def list_luck_parts(name: str, setups: list[Options], count: int, seed: int) -> list[Part]:
    """Return the games for luck; none without a baseline."""
    baseline = load_baseline(get_table(get_game(name, setups[0])))
    if baseline is None:
        return []
    fitted = baseline.fitted
    return [
        Part(
            f"luck {n}",
            n / count,
            partial(run_to_json, measure_game_luck, name, setups, seed + SEED_OFFSET, fitted.weights, fitted.share, n),
        )
        for n in range(count)
    ]


def run_to_json(work: Callable[..., DataclassInstance], *asked: object) -> Found:
    """Return the result of a part in the form of a notebook."""
    return asdict(work(*asked))


def read_reviewed(found: Found) -> ReviewedGame:
    """Return a game from a notebook."""
    seats, checked, spent = found["seats"], found["checked"], found["spent"]
    assert isinstance(seats, list)
    assert isinstance(checked, list)
    assert spent is None or isinstance(spent, float)
    return ReviewedGame([SeatMarks(**one) for one in seats], [CheckedMark(**one) for one in checked], spent)


def identify_study(game: Game, options: Options, seed: int) -> dict[str, object]:
    """Return the identity of a study: results of other studies, versions or builds must not be mixed."""
    return {
        "study": "review",
        "game": game.name,
        "rules": game.rules_version,
        "data": game.data_hash,
        "sources": [sources.hash_game_sources(game.name), sources.hash_files([Path(review.__path__[0])])],
        "build": find_build(),
        "seats": game.seats,
        "options": dict(sorted(options.items())),
        "seed": seed,
        "reviewer": describe_reviewer(Record(game), seed),
    }


def review_game(name: str, setups: list[Options], seed: int, number: int) -> ReviewedGame:
    """Return the review of a game between two levels, with some of its marks judged by the third judge."""
    levels = [PAIRS[number % len(PAIRS)][seat % 2] for seat in range(get_game(name, setups[0]).seats)]
    record = play_game(name, setups, tuple(levels), seed, number)
    is_full = number % GAMES_PER_FULL_REVIEW == 0
    desk = Workplace(record, seed, choose_budgets(record))
    parts = [desk.judge_decision(at) for at, (seat, _) in enumerate(record.decisions) if seat != CHANCE]
    spent = round(sum(part.spent for part in parts) + desk.measure_cards().spent, 2) if is_full else None
    order = [i for i, part in enumerate(parts) if part.decided["mark"]]
    Rng(seed + number).shuffle(order)
    seats = []
    for seat, level in enumerate(levels):
        own = [part for part in parts if part.decided["seat"] == seat]
        sums = sum_decisions([part.decided for part in own], seat)
        refused = sum(part.decided["referee"] is not None and not part.decided["mark"] for part in own)
        seats.append(SeatMarks(level, sums["decisions"], sums["judged"], refused, sums["marks"]))
    checked = [check_mark(parts[i], desk, number, levels) for i in order[:MARKS_PER_GAME]]
    return ReviewedGame(seats, checked, spent)


def check_mark(part: DecisionResult, desk: Workplace, number: int, levels: Sequence[str]) -> CheckedMark:
    """Return a mark with the third judge's loss."""
    one, found = part.decided, part.found
    assert found is not None
    view, rng = desk.positions[one["at"]].mask(one["seat"]), Rng(derive_seed(desk.seed, one["at"], AGAIN))
    dealt, thumb = worlds(view), PlayerBelief(desk.table.thumb.name, desk.table.thumb)
    referee = Referee(thumb, view.viewer, rng)
    third = Loss(0.0, -1.0, 1.0)
    while third.low <= 0.0 <= third.high and len(referee.apart) < MAX_WORLDS:
        third = referee.compare(found.best, found.chosen, lambda: dealt.sample(rng), WORLDS)
    return CheckedMark(
        game=number,
        at=one["at"],
        level=levels[one["seat"]],
        mark=one["mark"],
        text=f"{one['text']} Better: {one['better']}",
        loss=round(found.loss.value, 4),
        low=round(found.loss.low, 4),
        high=round(found.loss.high, 4),
        third=round(third.value, 4),
        half=round(third.high - third.value, 4),
    )


def is_covered(one: CheckedMark) -> bool:
    """Return whether the third judge's loss is within the reported interval, including its own error."""
    half = one.high - one.loss if one.third > one.loss else one.loss - one.low
    return abs(one.third - one.loss) <= sqrt(half**2 + one.half**2)


def variance_ratio(lucks: list[LuckResult]) -> tuple[float, float, float]:
    """Return the variance of results divided by that of corrected ones, with its interval."""
    if len(lucks) < 2:
        return 0.0, 0.0, 0.0
    ratio, low, high = (round(1.0 / (1.0 - part), 3) for part in explained_variance(lucks))
    return ratio, low, high


def estimate_marks(counts: Sequence[int]) -> tuple[float, float, float]:
    """Return the mean number of marks in a game, with its 95 % bootstrap interval over games."""
    rng = Rng(1)
    drawn = sorted(compute_mean([counts[int(rng.below(len(counts)))] for _ in counts]) for _ in range(1000))
    return compute_mean(counts), find_quantile(drawn, 0.025), find_quantile(drawn, 0.975)


def find_quantile(values: Sequence[float], part: float, digits: int = 1) -> float:
    """Return a quantile of sorted values; 0 for none."""
    return round(values[round(part * (len(values) - 1))], digits) if values else 0.0


def print_progress(name: str, done: int, count: int) -> None:
    """Print the progress of a study."""
    print(f"{name}: {done:,} of {count:,} games", file=sys.stderr, flush=True)


# ---- output ------------------------------------------------------------------------------------


def format_page(found: CheckReport) -> str:
    """Return the results as a Markdown page."""
    lines = [
        f"# Reviews of {games.find_game_class(found.game).title}" + (f" for {found.seats}" if found.seats > 2 else ""),
        "",
        f"{found.date}, rules version {found.version}, {found.seats} seats, seed {found.seed}; {found.machine}, "
        f"{found.build}.",
        "",
        "Whether the reviews of finished games are right (`python -m tools.reviews`).",
        "",
        "| | found | wanted | met |",
        "|---|---|---|---|",
        *(luck_rows(found) if found.luck_games else []),
        *(mark_rows(found) if found.games else []),
    ]
    if found.games:
        lines += ["", f"Marks in {len(found.games)} games between levels, both seats reviewed:", ""]
        lines += ["| level | games | decisions | judged | marks a game | 95 % | inaccuracies, mistakes, blunders |"]
        lines += ["|---|---|---|---|---|---|---|", *level_rows(found)]
        lines += ["", describe_third(found)]
        wrong = [f"- {describe_mark(one)}" for one in list_checked(found) if one.third <= 0.0]
        lines += ["", "The marks that it does not confirm:", "", *wrong] if wrong else []
    return "\n".join(lines) + "\n"


def luck_rows(found: CheckReport) -> list[str]:
    """Return the rows about luck."""
    least, most = abs(found.bias) - found.bias_error, abs(found.bias) + found.bias_error
    many = found.luck_games >= MIN_LUCK_GAMES
    bias_met = format_verdict(many and most < 1.0, many and least >= 1.0)
    ratio_met = format_verdict(
        many and is_enough(found, found.ratio_low), many and not is_enough(found, found.ratio_high)
    )
    return [
        f"| luck on the whole, in points, {found.luck_games:,} games | {found.bias:+.2f} ± {found.bias_error:.2f} "
        f"| under 1 | {bias_met} |",
        f"| variance of results by that of corrected ones | {found.ratio:.2f} ({found.ratio_low:.2f} to "
        f"{found.ratio_high:.2f}) | {format_wanted_ratio(found.game)} | {ratio_met} |",
    ]


def list_checked(found: CheckReport) -> list[CheckedMark]:
    """Return the marks that the third judge judged."""
    return [one for game in found.games for one in game.checked]


def mark_rows(found: CheckReport) -> list[str]:
    """Return the rows about the third judge and the time of a review."""
    every = list_checked(found)
    right, certain = sum(one.third > 0.0 for one in every), sum(one.third > one.half for one in every)
    costs = [game.spent for game in found.games if game.spent is not None]
    high, most = max(costs, default=0.0), 50 if found.game == "generals" else 20
    return [
        f"| marks that a third judge confirms | {right} of {len(every)}, {certain} for certain "
        f"| at least 37 of 40 | {format_verdict(right >= MIN_CONFIRMED * len(every), right < len(every))} |",
        f"| its loss within the interval | {sum(map(is_covered, every))} of {len(every)} | | |",
        f"| losses that the second judge left without a mark "
        f"| {sum(seat.refused for game in found.games for seat in game.seats)} | | |",
        f"| CPU time of a review, mean and maximum of {len(costs)} | {compute_mean(costs):.1f} s, {high:.1f} s "
        f"| at most {most} s | {format_verdict(high <= most, high > most)} |",
    ]


def level_rows(found: CheckReport) -> list[str]:
    """Return the rows of the levels, the weakest first."""
    lines = []
    for level in ("gentle", "casual", "club", "strong"):
        own = [seat for game in found.games for seat in game.seats if seat.level == level]
        if own:
            mean, low, high = estimate_marks([sum(seat.marks.values()) for seat in own])
            kinds = ", ".join(str(sum(seat.marks[mark] for seat in own)) for _, mark in reversed(MARKS))
            decisions, judged = sum(seat.decisions for seat in own), sum(seat.judged for seat in own)
            lines.append(
                f"| {level} | {len(own)} | {decisions} | {judged} | {mean:.1f} | {low:.1f} to {high:.1f} | {kinds} |"
            )
    return lines


def describe_third(found: CheckReport) -> str:
    """Return the description of the third judge, and of what it shares with the others."""
    solved = found.game == "jinkei" or found.seats > 2
    shared = (
        "plays by the heuristic that the first judge uses too"
        if solved
        else "shares no network with the first judge, whose heuristic only weighs worlds and ends playouts"
    )
    return (
        f"The third judge got at most {MARKS_PER_GAME} marks of each game, drawn at random. It plays both actions to "
        f"the end with the rule of thumb of the level greedy, in {WORLDS} to {MAX_WORLDS} fresh worlds, as frequent as "
        f"the rules deal them. It {shared}, and no rule of the second."
    )


def describe_mark(one: CheckedMark) -> str:
    """Return a mark and the third judge's loss."""
    return (
        f"game {one.game}, decision {one.at + 1}, {one.level}, {one.mark}: {one.text} "
        f"{100 * one.loss:.0f} points ({100 * one.low:.0f} to {100 * one.high:.0f}), "
        f"third judge {100 * one.third:+.0f} ± {100 * one.half:.0f}."
    )


def format_verdict(yes: bool, no: bool) -> str:
    """Return whether a goal is met, as far as that is known."""
    return "yes" if yes else "no" if no else "not settled"


def is_enough(found: CheckReport, ratio: float) -> bool:
    """Return whether a ratio of variances is large enough."""
    return ratio > 1.0 and ratio >= least_ratio(found.game)


def least_ratio(name: str) -> float:
    """Return the minimum ratio of variances."""
    return MIN_RATIOS.get(name, 1.0)


def format_wanted_ratio(name: str) -> str:
    """Return the wanted ratio of variances in words."""
    least = least_ratio(name)
    return "above 1" if least == 1.0 else f"at least {least:g}"
