"""A check of reviews: the accuracy of luck, of mistakes, and of intervals.

Luck is computed in games of ordinary players that no fit used: its mean must be zero, and it must reduce the variance
of results. Then each level plays itself, and decisions of its games are judged: losses must fall from level to level.
Marks are judged by a third judge, the rule of thumb of the level `greedy`, which plays fresh worlds to the end: its
loss must be within the reported interval, and have the sign of the mark.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from gonfalon import games, review
from gonfalon.bots import list_playable_levels
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import find_build
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE
from gonfalon.lab.run import atomic_files, sources
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import get_game, list_matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.review.figures import Loss, compute_mean, compute_standard_error
from gonfalon.review.judging.baseline import load_baseline
from gonfalon.review.judging.beliefs import PlayerBelief
from gonfalon.review.judging.budgets import derive_seed
from gonfalon.review.judging.judging import Judgement
from gonfalon.review.judging.referee import Referee
from gonfalon.review.judging.trust import (
    CARDS,
    FILE_VERSION,
    MARKS,
    PARTS,
    MadeBy,
    ReviewCheck,
    read_checks,
)
from gonfalon.review.work import Workplace, choose_budgets, describe_reviewer
from tools.reviews.baselines import LuckResult, explained_variance, get_table, measure_game_luck, play_game
from tools.reviews.notebook import Found, Notebook, Part, run_parts
from tools.strength import plots

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Report: TypeAlias = Callable[[str, int, int], None]
MAX_DECISIONS_PER_GAME: Final = 20
"""Maximum number of judged decisions of one game, because they are similar."""
GAMES_PER_FULL_REVIEW: Final = 20
"""One game in this number is reviewed completely to measure its cost, because single decisions differ widely."""
MIN_GAMES: Final = 5
"""Minimum number of games of a level for an interval."""
MIN_LUCK_GAMES: Final = 30
"""Minimum number of games for luck."""
MIN_ASKED: Final = 30
"""Minimum number of decisions for a verdict on a part of the review."""
MIN_CONFIRMED: Final = 0.9
"""Required share of marks that the third judge confirms."""
MIN_COVERED: Final = 0.85
"""Required share of marks whose interval contains the third judge's loss."""
WORLDS: Final = 200
"""Number of worlds for the third judge."""
AGAIN: Final = 4
"""Use of a decision's random stream."""
SEED_OFFSET: Final = 0x51ED270B
"""Seed offset that separates these games from those a baseline was fitted to."""


@dataclass(frozen=True)
class Judged:
    """One decision: the reported loss, and the loss by the third judge."""

    loss: float
    low: float
    high: float
    mark: str
    third: float | None
    """The third judge's loss; None without a mark."""
    half: float
    """Half of its interval."""
    refused: bool
    """Whether the second judge was asked and left the loss without a mark."""


@dataclass(frozen=True)
class GameJudged:
    """Judged decisions of one game."""

    judged: list[Judged]
    spent: float | None
    """CPU seconds of a complete review; None if it was not measured."""


@dataclass(frozen=True)
class LevelLoss:
    """The mean loss of a level at a decision, with the 95 % interval over games; without one for too few games."""

    level: str
    games: int
    decisions: int
    loss: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CorrectCount:
    """The number of correct cases."""

    right: int
    of: int

    def part(self) -> float:
        """Return the share of correct cases; 0 for none."""
        return self.right / self.of if self.of else 0.0


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
    levels: list[LevelLoss]
    covered: CorrectCount
    signs: CorrectCount
    """Results for the shown marks."""
    cpu_games: int
    """Number of completely reviewed games."""
    cpu_median: float
    """Median CPU seconds of such a review, both seats."""
    cpu_high: float
    """95th percentile of these CPU seconds."""
    refused: int
    """Number of losses that the second judge left without a mark."""


def check_game(
    name: str,
    options: Options,
    count: int = 200,
    decisions: int = 100,
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
        decisions: The number of judged decisions of each level.
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
    levels = list_playable_levels(game)  # Including random play: beginners make mistakes that no level makes.
    games_ = map_level_parts(name, setups, levels, decisions, seed)
    lucks_ = list_luck_parts(name, setups, count, seed)
    notebook = Notebook(path, identify_study(game, options, decisions, seed))
    parts = [*games_.values(), *lucks_]
    noted = run_parts(parts, notebook, workers, seconds, report)
    lucks = [LuckResult(**noted[part.name]) for part in lucks_ if part.name in noted]  # type: ignore[arg-type]
    found: dict[str, list[GameJudged]] = {level: [] for level in levels}
    for (level, _), part in games_.items():
        if part.name in noted:
            found[level].append(read_judged(noted[part.name]))
    return summarize_checks(name, options, seed, lucks, found)


def summarize_checks(
    name: str, options: Options, seed: int, lucks: list[LuckResult], found: dict[str, list[GameJudged]]
) -> CheckReport:
    """Return the results from the games for luck and those of each level."""
    games_ = [game for played in found.values() for game in played]
    marked = [one for game in games_ for one in game.judged if one.third is not None]
    costs = sorted(game.spent for game in games_ if game.spent is not None)
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
        levels=[level_loss(level, played) for level, played in found.items()],
        covered=CorrectCount(sum(is_covered(one) for one in marked), len(marked)),
        signs=CorrectCount(sum((one.third or 0.0) > 0.0 for one in marked), len(marked)),
        refused=sum(one.refused for game in games_ for one in game.judged),
        cpu_games=len(costs),
        cpu_median=find_quantile(costs, 0.5),
        cpu_high=find_quantile(costs, 0.95),
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


def map_level_parts(
    name: str, setups: list[Options], levels: list[str], decisions: int, seed: int
) -> dict[tuple[str, int], Part]:
    """Return the games with judged decisions, by level and number, with the levels interleaved."""
    each = max(1, -(-decisions // MAX_DECISIONS_PER_GAME))
    return {
        (level, n): Part(
            f"{level} {n}",
            n / each,
            partial(run_to_json, judge_game, name, setups, level, decisions, seed, n),
        )
        for level in levels
        for n in range(each)
    }


def run_to_json(work: Callable[..., DataclassInstance], *asked: object) -> Found:
    """Return the result of a part in the form of a notebook."""
    return asdict(work(*asked))


def read_judged(found: Found) -> GameJudged:
    """Return a game from a notebook."""
    judged, spent = found["judged"], found["spent"]
    assert isinstance(judged, list)
    assert spent is None or isinstance(spent, float)
    return GameJudged([Judged(**one) for one in judged], spent)


def identify_study(game: Game, options: Options, decisions: int, seed: int) -> dict[str, object]:
    """Return the identity of a study: results of other studies, versions or builds must not be mixed."""
    reviewer = describe_reviewer(Record(game), seed)
    # The parts that reviews leave out follow from such a study and do not influence it.
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
        "a game": min(MAX_DECISIONS_PER_GAME, decisions),
        "reviewer": {name: value for name, value in reviewer.items() if name != "untold"},
    }


def judge_game(name: str, setups: list[Options], level: str, decisions: int, seed: int, number: int) -> GameJudged:
    """Return judged decisions of a game of a level against itself, spread over the game."""
    record = play_game(name, setups, (level,) * get_game(name, setups[0]).seats, seed, number)
    desk = Workplace(record, seed, choose_budgets(record))
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat != CHANCE]
    rng = Rng(seed + number)
    order = ats[:]
    rng.shuffle(order)
    judged: list[Judged] = []
    spent: float | None = None if number % GAMES_PER_FULL_REVIEW else desk.measure_cards().spent
    for at in order:
        if spent is None and len(judged) >= min(MAX_DECISIONS_PER_GAME, decisions):
            break
        part = desk.judge_decision(at)
        if spent is not None:
            spent += part.spent
        if part.found is not None and len(judged) < min(MAX_DECISIONS_PER_GAME, decisions):
            judged.append(judge_again(part.found, desk, at))
    return GameJudged(judged, spent)


def judge_again(found: Judgement, desk: Workplace, at: int) -> Judged:
    """Return a decision with the third judge's loss."""
    third = Loss(0.0, 0.0, 0.0)
    if found.mark:
        view = desk.positions[at].mask(desk.record.decisions[at][0])
        rng = Rng(derive_seed(desk.seed, at, AGAIN))
        thumb = PlayerBelief(desk.table.thumb.name, desk.table.thumb)
        dealt = worlds(view)
        third = Referee(thumb, view.viewer, rng).compare(found.best, found.chosen, lambda: dealt.sample(rng), WORLDS)
    return Judged(
        loss=round(found.loss.value, 4),
        low=round(found.loss.low, 4),
        high=round(found.loss.high, 4),
        mark=found.mark,
        third=round(third.value, 4) if found.mark else None,
        half=round(third.high - third.value, 4),
        refused=found.referee is not None and not found.mark,
    )


def is_covered(one: Judged) -> bool:
    """Return whether the third judge's loss is within the reported interval, including its own error."""
    assert one.third is not None
    half = one.high - one.loss if one.third > one.loss else one.loss - one.low
    return abs(one.third - one.loss) <= sqrt(half**2 + one.half**2)


def variance_ratio(lucks: list[LuckResult]) -> tuple[float, float, float]:
    """Return the variance of results divided by that of corrected ones, with its interval."""
    if len(lucks) < 2:
        return 0.0, 0.0, 0.0
    ratio, low, high = (round(1.0 / (1.0 - part), 3) for part in explained_variance(lucks))
    return ratio, low, high


def level_loss(level: str, played: Sequence[GameJudged]) -> LevelLoss:
    """Return the loss of a level at a decision."""
    some = [game.judged for game in played if game.judged]
    every = [one.loss for judged in some for one in judged]
    loss = round(compute_mean(every), 4)
    if len(some) < MIN_GAMES:
        return LevelLoss(level, len(some), len(every), loss, None, None)
    rng = Rng(1)
    drawn = sorted(
        compute_mean([one.loss for _ in some for one in some[int(rng.below(len(some)))]]) for _ in range(400)
    )
    return LevelLoss(level, len(some), len(every), loss, find_quantile(drawn, 0.025, 4), find_quantile(drawn, 0.975, 4))


def find_quantile(values: Sequence[float], part: float, digits: int = 1) -> float:
    """Return a quantile of sorted values; 0 for none."""
    return round(values[round(part * (len(values) - 1))], digits) if values else 0.0


def print_progress(name: str, done: int, count: int) -> None:
    """Print the progress of a study."""
    print(f"{name}: {done:,} of {count:,} games", file=sys.stderr, flush=True)


# ---- output ------------------------------------------------------------------------------------


def format_page(found: CheckReport, plot: str = "") -> str:
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
        *asked_rows(found),
        cost_row(found),
        "",
        f"*Not settled* is what an interval leaves open, and what fewer than {MIN_ASKED} decisions say. The figure "
        "decides meanwhile whether it is told.",
        "",
        "What each level is said to lose at a decision, in points of chance, when it plays itself:",
        "",
        "| level | games | decisions | loss | 95 % |",
        "|---|---|---|---|---|",
    ]
    lines += [level_row(one) for one in found.levels]
    if any(one.low is None for one in found.levels):
        lines += ["", f"A level with fewer than {MIN_GAMES} games has no interval, and says nothing about the order."]
    lines += ["", describe_trust(found)]
    if plot:
        lines += ["", f"![What each level loses, with its interval]({plot})"]
    return "\n".join(lines) + "\n"


PART_NAMES: Final = {
    CARDS: "what the cards brought",
    MARKS: "marks",
}
"""Names of the parts of a review."""


def describe_trust(found: CheckReport) -> str:
    """Return a sentence about the parts that reviews show after this check."""
    held = find_met_goals(found)
    right = [PART_NAMES[part] for part in PARTS if held[part]]
    wrong = [PART_NAMES[part] for part in PARTS if not held[part]]
    told = f"So a review of this game tells {', '.join(right)}." if right else "So a review of this game tells little."
    return f"{told} It leaves out: {', '.join(wrong)}." if wrong else told


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


def asked_rows(found: CheckReport) -> list[str]:
    """Return the rows about the third judge."""
    words = [
        format_verdict(few.part() >= least and few.of >= MIN_ASKED, few.part() < least and few.of >= MIN_ASKED)
        for least, few in ((MIN_COVERED, found.covered), (MIN_CONFIRMED, found.signs))
    ]
    return [
        f"| third judge within the interval | {format_share(found.covered)} | at least 85 % | {words[0]} |",
        f"| marks that it confirms | {format_share(found.signs)} | at least 90 % | {words[1]} |",
        f"| losses that the second judge left without a mark | {found.refused} | | |",
    ]


def cost_row(found: CheckReport) -> str:
    """Return the row about the cost of a review."""
    most = 50 if found.game == "generals" else 20
    what = f"CPU time of a game, both seats: median, 95th percentile of {found.cpu_games}"
    return (
        f"| {what} | {found.cpu_median:.1f} s, {found.cpu_high:.1f} s "
        f"| at most {most} s, compiled | {'yes' if max(found.cpu_median, found.cpu_high) <= most else 'no'} |"
    )


def level_row(one: LevelLoss) -> str:
    """Return the row of a level."""
    interval = "none" if one.low is None or one.high is None else f"{100 * one.low:.2f} to {100 * one.high:.2f}"
    return f"| {one.level} | {one.games} | {one.decisions} | {100 * one.loss:.2f} | {interval} |"


def format_verdict(yes: bool, no: bool) -> str:
    """Return whether a goal is met, as far as that is known."""
    return "yes" if yes else "no" if no else "not settled"


def find_met_goals(found: CheckReport) -> dict[str, bool]:
    """Return the parts of a review that are accurate enough."""
    return {
        CARDS: is_unbiased(found) and is_enough(found, found.ratio),
        MARKS: found.signs.part() >= MIN_CONFIRMED and found.covered.part() >= MIN_COVERED,
    }


def is_unbiased(found: CheckReport) -> bool:
    """Return whether there are enough games for luck, and its mean is not clearly over a point."""
    return found.luck_games >= MIN_LUCK_GAMES and abs(found.bias) - found.bias_error < 1.0


def is_enough(found: CheckReport, ratio: float) -> bool:
    """Return whether a ratio of variances is large enough."""
    return ratio > 1.0 and ratio >= least_ratio(found.game)


def write_trust(found: CheckReport, file: Path) -> None:
    """Write the parts that reviews show, next to those for other numbers of seats.

    A check without games for luck keeps the verdict on luck of the last one with the same baseline.
    """
    table = get_table(get_game(found.game, found.options))
    by, met, luck_games = MadeBy.of(table.game, table.network)._asdict(), find_met_goals(found), found.luck_games
    for one in read_checks(file):
        if not luck_games and by.items() <= one["about"].items():
            luck_games, met[CARDS] = one["about"]["luck games"], one["met"][CARDS]
    check: ReviewCheck = {
        "about": {
            **by,
            "luck games": luck_games,
            "decisions": sum(one.decisions for one in found.levels),
            "seed": found.seed,
            "date": found.date,
            "commit": found.commit,
        },
        "met": met,
    }
    others = [one for one in read_checks(file) if one["about"]["seats"] != found.seats]
    every = sorted([*others, check], key=lambda one: one["about"]["seats"])
    atomic_files.write_file(file, json.dumps({"version": FILE_VERSION, "checks": every}, indent=1) + "\n")


def least_ratio(name: str) -> float:
    """Return the minimum ratio of variances."""
    return {"factionwars": 2.0, "generals": 1.15, "feint": 1.05}.get(name, 1.0)


def format_wanted_ratio(name: str) -> str:
    """Return the wanted ratio of variances in words."""
    least = least_ratio(name)
    return "above 1" if least == 1.0 else f"at least {least:g}"


def format_share(part: CorrectCount) -> str:
    """Return a share in figures."""
    return f"{part.right} of {part.of}" + (f" ({100 * part.right / part.of:.0f} %)" if part.of else "")


def draw_losses(found: CheckReport) -> str:
    """Return a chart of the losses of each level."""
    rows = []
    for one in found.levels:
        if one.decisions:
            low, high = (one.loss, one.loss) if one.low is None or one.high is None else (one.low, one.high)
            rows.append((one.level, 100 * one.loss, 100 * low, 100 * high))
    return plots.draw_bars(rows or [("none", 0.0, 0.0, 0.0)], "points of chance lost at a decision")
