"""A check on reviews: are they right about luck, about mistakes, and about how sure they are?

Luck is worked out in games of ordinary players that nothing was fitted to: it must be nothing on the whole, and take
something off the variance of results. Then each level plays itself, and decisions of its games are judged: what is said
to be lost must fall from level to level. Where something was lost for certain the second referee is asked once more, in
fresh worlds: its loss must lie within the interval that was told, and have the sign of the mark.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from itertools import combinations
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from gonfalon import games, review
from gonfalon.bots import levels_for
from gonfalon.bots.levels import kind as level_named
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import build
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE
from gonfalon.lab.run import atomic_files, sources
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import game_of, matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.review.figures import compute_mean, compute_standard_error
from gonfalon.review.judging.baseline import load_baseline
from gonfalon.review.judging.budgets import derive_seed
from gonfalon.review.judging.judging import Judge, Judgement
from gonfalon.review.judging.losses import Loss, Scale
from gonfalon.review.judging.trust import CARDS, FILE_VERSION, INTERVALS, MARKS, PARTS, SUMS, MadeBy, read_checks
from gonfalon.review.work import Workplace, choose_budgets, describe_reviewer
from tools.reviews.baselines import Tried, explained, game_between, table_of, tried
from tools.reviews.notebook import Found, Notebook, Part, work_through
from tools.strength import plots

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Report: TypeAlias = Callable[[str, int, int], None]
A_GAME: Final = 20
"""Decisions that are judged of one game, at most: those of one game are alike."""
WHOLE: Final = 20
"""One game in so many is reviewed as a whole, for what that costs: a few of its decisions say little, since some cost
many times as much as others."""
LEAST_GAMES: Final = 5
"""Games of a level from which there is an interval: one that is drawn from fewer is too narrow."""
LEAST_LUCK: Final = 30
"""Games whose luck says anything: from one or two there is hardly an interval."""
LEAST_ASKED: Final = 30
"""Decisions of which a part is settled: of fewer, a single one moves it by more than three points."""
CONFIRMED: Final = 0.9
"""So many marks keep their sign with the second referee."""
COVERED: Final = (0.9, 0.97)
"""So many intervals hold what it finds."""
NARROW: Final = Scale(told=0.75, doubt=0.18, floor=0.03)
"""The scale by which losses are certain that another one is fitted to: it leaves few of them out."""
AGAIN: Final = 4
"""Use of a decision's stream."""
OTHER: Final = 0x51ED270B
"""So that these are not the games that a baseline was fitted to with the same seed."""


@dataclass(frozen=True)
class Judged:
    """One decision: what was told, and what the second referee found when it was asked once more."""

    loss: float
    low: float
    high: float
    raw: float
    """The loss in the judge's own worlds."""
    raw_half: float
    """Half of its interval."""
    mark: str
    referee: float | None
    half: float
    """Half of the referee's interval."""


@dataclass(frozen=True)
class GameJudged:
    """Decisions of one game."""

    judged: list[Judged]
    spent: float | None
    """Seconds of CPU time for a review of all of it; None where that was not measured."""


@dataclass(frozen=True)
class LevelLoss:
    """What a level is said to lose at a decision, with the 95 % interval, games being drawn anew; without one where
    there are too few of them."""

    level: str
    games: int
    decisions: int
    loss: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Right:
    """How many of some were right."""

    right: int
    of: int

    def part(self) -> float:
        """The part that was; 0 of none."""
        return self.right / self.of if self.of else 0.0


@dataclass(frozen=True)
class Checked:
    """What was found, with what is needed to measure it again."""

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
    """In points of chance, that is hundredths."""
    bias_error: float
    ratio: float
    """The variance of results by that of corrected ones; 0 where there is no baseline."""
    ratio_low: float
    ratio_high: float
    levels: list[LevelLoss]
    covered: Right
    signs: Right
    """Of the marks that are shown."""
    cpu_games: int
    """Games that were reviewed as a whole."""
    cpu_median: float
    """Seconds of CPU time for one of them, both seats."""
    cpu_high: float
    """The same at the 95th percentile."""
    refused: int
    """How many more would have been marked had the second referee agreed at once."""


def measure(
    name: str,
    options: Options,
    count: int = 200,
    decisions: int = 100,
    seed: int = 0,
    workers: Workers = 1,
    path: Path | None = None,
    seconds: float | None = None,
    report: Report | None = None,
) -> Checked:
    """Check the reviews of a game. What is found is kept in the file `path`, from which it is gone on with; after so
    many seconds no game is begun any more. Raises OptionError."""
    setups = matchups(name, options)
    game = game_of(name, setups[0])
    levels = levels_for(game)  # at random too: beginners err as no level does
    games_ = games_of_levels(name, setups, levels, decisions, seed)
    lucks_ = lucks_of(name, setups, count, seed)
    notebook = Notebook(path, study_of(game, options, decisions, seed))
    parts = [*games_.values(), *lucks_]
    noted = work_through(parts, notebook, workers, seconds, report)
    lucks = [Tried(**noted[part.name]) for part in lucks_ if part.name in noted]  # type: ignore[arg-type]
    found: dict[str, list[GameJudged]] = {level: [] for level in levels}
    for (level, _), part in games_.items():
        if part.name in noted:
            found[level].append(read_judged(noted[part.name]))
    return checked(name, options, seed, lucks, found)


def checked(name: str, options: Options, seed: int, lucks: list[Tried], found: dict[str, list[GameJudged]]) -> Checked:
    """All that the games come to: those whose luck is told, and those of each level."""
    games_ = [game for played in found.values() for game in played]
    asked = [one for game in games_ for one in game.judged if one.referee is not None]
    marked = [one for one in asked if one.mark]
    costs = sorted(game.spent for game in games_ if game.spent is not None)
    ratio, low, high = ratio_of(lucks)
    return Checked(
        game=name,
        version=games.kind(name).version,
        seats=game_of(name, matchups(name, options)[0]).seats,
        options=game_of(name, options).shown_options() if options else {},
        seed=seed,
        date=date.today().isoformat(),
        machine=about.machine(),
        build=about.build(),
        commit=about.commit(),
        luck_games=len(lucks),
        bias=round(100 * compute_mean([one.luck for one in lucks]), 2),
        bias_error=round(100 * Z * compute_standard_error([one.luck for one in lucks]), 2),
        ratio=ratio,
        ratio_low=low,
        ratio_high=high,
        levels=[level_loss(level, played) for level, played in found.items()],
        covered=Right(sum(covers(one) for one in asked), len(asked)),
        signs=Right(sum((one.referee or 0.0) > 0.0 for one in marked), len(marked)),
        refused=len(asked) - len(marked),
        cpu_games=len(costs),
        cpu_median=quantile(costs, 0.5),
        cpu_high=quantile(costs, 0.95),
    )


def lucks_of(name: str, setups: list[Options], count: int, seed: int) -> list[Part]:
    """The games whose luck is told; none where no baseline was fitted."""
    baseline = load_baseline(table_of(game_of(name, setups[0])))
    if baseline is None:
        return []
    fitted = baseline.fitted
    return [
        Part(
            f"luck {n}",
            n / count,
            partial(as_found, tried, name, setups, seed + OTHER, fitted.weights, fitted.share, n),
        )
        for n in range(count)
    ]


def games_of_levels(
    name: str, setups: list[Options], levels: list[str], decisions: int, seed: int, all_losses: bool = False
) -> dict[tuple[str, int], Part]:
    """The games whose decisions are judged, by level and number; each level's turn comes in its turn."""
    each = max(1, -(-decisions // A_GAME))
    return {
        (level, n): Part(
            f"{level} {n}", n / each, partial(as_found, judge_game, name, setups, level, decisions, seed, all_losses, n)
        )
        for level in levels
        for n in range(each)
    }


def as_found(work: Callable[..., DataclassInstance], *asked: object) -> Found:
    """What a part finds, in the form of a notebook."""
    return asdict(work(*asked))


def read_judged(found: Found) -> GameJudged:
    """A game as a notebook has it."""
    judged, spent = found["judged"], found["spent"]
    assert isinstance(judged, list)
    assert spent is None or isinstance(spent, float)
    return GameJudged([Judged(**one) for one in judged], spent)


def study_of(game: Game, options: Options, decisions: int, seed: int, apart: Sequence[str] = ()) -> dict[str, object]:
    """What parts of a study have in common: those of another cannot be counted with them, nor those that were found by
    another version, or in the other build, which takes other times. `apart` is no part of it."""
    reviewer = describe_reviewer(Record(game), seed)
    # What is untold comes of such a study; nothing in it comes of that.
    return {
        "study": "review",
        "game": game.name,
        "rules": game.rules_version,
        "data": game.data_hash,
        "sources": [sources.of_game(game.name), sources.hashed([Path(review.__path__[0])])],
        "build": build(),
        "seats": game.seats,
        "options": dict(sorted(options.items())),
        "seed": seed,
        "a game": min(A_GAME, decisions),
        "reviewer": {name: value for name, value in reviewer.items() if name not in ("untold", *apart)},
    }


def judge_game(
    name: str, setups: list[Options], level: str, decisions: int, seed: int, all_losses: bool, number: int
) -> GameJudged:
    """Some decisions of a game of a level against itself, spread over the game. The second referee is asked where a
    review would ask it, and once more, or wherever anything was lost for certain by the narrow scale, but once."""
    record = game_between(name, setups, (level,) * game_of(name, setups[0]).seats, seed, number)
    budgets = choose_budgets(record)
    doubted = budgets.doubted
    if all_losses:
        budgets, doubted = replace(budgets, doubted=1.0), 0.0
    desk = Workplace(record, seed, budgets)
    if all_losses:  # a scale is fitted to these, so one that was fitted before has no say
        desk.table.scale = NARROW
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat != CHANCE]
    rng = Rng(seed + number)
    order = ats[:]
    rng.shuffle(order)
    judged: list[Judged] = []
    spent: float | None = None if all_losses or number % WHOLE else desk.counted().spent
    for at in order:
        if spent is None and len(judged) >= min(A_GAME, decisions):
            break
        part = desk.part(at)
        if spent is not None:
            spent += part.spent
        if part.found is not None and len(judged) < min(A_GAME, decisions):
            judged.append(told_of(part.found, desk, at, doubted))
    return GameJudged(judged, spent)


def told_of(found: Judgement, desk: Workplace, at: int, doubted: float) -> Judged:
    """What is noted of a decision."""
    again = asked_again(desk, at, found) if found.loss.low > doubted else None
    return Judged(
        loss=round(found.loss.value, 4),
        low=round(found.loss.low, 4),
        high=round(found.loss.high, 4),
        raw=round(found.raw.value, 4),
        raw_half=round((found.raw.high - found.raw.low) / 2.0, 4),
        mark=found.mark,
        referee=None if again is None else round(again.value, 4),
        half=0.0 if again is None else round((again.high - again.low) / 2.0, 4),
    )


def asked_again(desk: Workplace, at: int, found: Judgement) -> Loss:
    """What the second referee says of a loss in half as many fresh worlds as there may be."""
    view = desk.positions[at].mask(desk.record.decisions[at][0])
    judge = Judge(desk.table, view, desk.budgets, Rng(derive_seed(desk.seed, at, AGAIN)))
    most = desk.budgets.referee_most // 2
    return judge.second_opinion(found.best, found.chosen, found.against, most, most)


def covers(one: Judged) -> bool:
    """Whether what the second referee found lies within the interval that was told."""
    return holds(Loss(one.loss, one.low, one.high), one)


def holds(told: Loss, one: Judged) -> bool:
    """Whether what the second referee found lies within an interval, its own error counted in."""
    assert one.referee is not None
    half = told.high - told.value if one.referee > told.value else told.value - told.low
    return abs(one.referee - told.value) <= sqrt(half**2 + one.half**2)


def ratio_of(lucks: list[Tried]) -> tuple[float, float, float]:
    """The variance of results by that of corrected ones, with its interval."""
    if len(lucks) < 2:
        return 0.0, 0.0, 0.0
    ratio, low, high = (round(1.0 / (1.0 - part), 3) for part in explained(lucks))
    return ratio, low, high


def level_loss(level: str, played: Sequence[GameJudged]) -> LevelLoss:
    """What a level loses at a decision."""
    some = [game.judged for game in played if game.judged]
    every = [one.loss for judged in some for one in judged]
    loss = round(compute_mean(every), 4)
    if len(some) < LEAST_GAMES:
        return LevelLoss(level, len(some), len(every), loss, None, None)
    rng = Rng(1)
    drawn = sorted(
        compute_mean([one.loss for _ in some for one in some[int(rng.below(len(some)))]]) for _ in range(400)
    )
    return LevelLoss(level, len(some), len(every), loss, quantile(drawn, 0.025, 4), quantile(drawn, 0.975, 4))


def quantile(values: Sequence[float], part: float, digits: int = 1) -> float:
    """A value that so large a part of sorted values does not exceed; 0 of none."""
    return round(values[round(part * (len(values) - 1))], digits) if values else 0.0


def tell(name: str, done: int, count: int) -> None:
    """Say how far a study is."""
    print(f"{name}: {done:,} of {count:,} games", file=sys.stderr, flush=True)


# ---- telling ------------------------------------------------------------------------------------


def page(found: Checked, plot: str = "") -> str:
    """What was found as a page in Markdown."""
    lines = [
        f"# Reviews of {games.kind(found.game).title}" + (f" for {found.seats}" if found.seats > 2 else ""),
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
        f"*Not settled* is what an interval leaves open, and what fewer than {LEAST_ASKED} decisions say. The figure "
        "decides meanwhile whether it is told.",
        "",
        "What each level is said to lose at a decision, in points of chance, when it plays itself:",
        "",
        "| level | games | decisions | loss | 95 % |",
        "|---|---|---|---|---|",
    ]
    lines += [level_row(one) for one in found.levels]
    if any(one.low is None for one in found.levels):
        lines += ["", f"A level with fewer than {LEAST_GAMES} games has no interval, and says nothing about the order."]
    lines += ["", shown(found)]
    if plot:
        lines += ["", f"![What each level loses, with its interval]({plot})"]
    return "\n".join(lines) + "\n"


TOLD: Final = {
    CARDS: "what the cards brought",
    MARKS: "marks",
    INTERVALS: "how sure a loss is",
    SUMS: "what was given away on the whole",
}


def shown(found: Checked) -> str:
    """What of a review is told after this check."""
    held = met(found)
    right = [TOLD[part] for part in PARTS if held[part]]
    wrong = [TOLD[part] for part in PARTS if not held[part]]
    told = f"So a review of this game tells {', '.join(right)}." if right else "So a review of this game tells little."
    return f"{told} It leaves out: {', '.join(wrong)}." if wrong else told


def luck_rows(found: Checked) -> list[str]:
    """Whether luck is told rightly."""
    least, most = abs(found.bias) - found.bias_error, abs(found.bias) + found.bias_error
    many = found.luck_games >= LEAST_LUCK
    bias_met = settled(many and most < 1.0, many and least >= 1.0)
    ratio_met = settled(many and enough(found, found.ratio_low), many and not enough(found, found.ratio_high))
    return [
        f"| luck on the whole, in points, {found.luck_games:,} games | {found.bias:+.2f} ± {found.bias_error:.2f} "
        f"| under 1 | {bias_met} |",
        f"| variance of results by that of corrected ones | {found.ratio:.2f} ({found.ratio_low:.2f} to "
        f"{found.ratio_high:.2f}) | {wanted(found.game)} | {ratio_met} |",
    ]


def asked_rows(found: Checked) -> list[str]:
    """Whether the second referee stands by what is told."""
    held = met(found)
    words = [
        settled(held[part] and few.of >= LEAST_ASKED, not held[part] and few.of >= LEAST_ASKED)
        for part, few in ((INTERVALS, found.covered), (MARKS, found.signs))
    ]
    return [
        f"| second referee within the interval | {told(found.covered)} | 90 to 97 % | {words[0]} |",
        f"| marks that it confirms when it is asked once more | {told(found.signs)} | at least 90 % | {words[1]} |",
        f"| losses that it left without a mark | {found.refused} | | |",
    ]


def cost_row(found: Checked) -> str:
    """What a review costs."""
    most = 50 if found.game == "generals" else 20
    what = f"CPU time of a game, both seats: median, 95th percentile of {found.cpu_games}"
    return (
        f"| {what} | {found.cpu_median:.1f} s, {found.cpu_high:.1f} s "
        f"| at most {most} s, compiled | {'yes' if max(found.cpu_median, found.cpu_high) <= most else 'no'} |"
    )


def level_row(one: LevelLoss) -> str:
    """What a level loses."""
    interval = "none" if one.low is None or one.high is None else f"{100 * one.low:.2f} to {100 * one.high:.2f}"
    return f"| {one.level} | {one.games} | {one.decisions} | {100 * one.loss:.2f} | {interval} |"


def settled(yes: bool, no: bool) -> str:
    """Whether a goal is met, as far as that is known."""
    return "yes" if yes else "no" if no else "not settled"


def met(found: Checked) -> dict[str, bool]:
    """Which parts of a review are right enough to be told."""
    return {
        CARDS: unbiased(found) and enough(found, found.ratio),
        MARKS: found.signs.part() >= CONFIRMED,
        INTERVALS: found.covered.part() >= COVERED[0] and found.covered.right <= ceil(COVERED[1] * found.covered.of),
        SUMS: in_order(found.levels),
    }


def unbiased(found: Checked) -> bool:
    """Whether luck is told in enough games, and is not over a point on the whole for certain."""
    return found.luck_games >= LEAST_LUCK and abs(found.bias) - found.bias_error < 1.0


def enough(found: Checked, ratio: float) -> bool:
    """Whether so large a ratio of variances is."""
    return ratio > 1.0 and ratio >= least_ratio(found.game)


def in_order(levels: Sequence[LevelLoss]) -> bool:
    """Whether the weakest of the numbered levels loses more than the strongest for certain, and none for certain less
    than a stronger one. Those without an interval say nothing."""
    found = [
        (one.low, one.high)
        for one in levels
        if one.low is not None and one.high is not None and level_named(one.level).number
    ]
    wrong = any(high < low for (_, high), (low, _) in combinations(found, 2))
    return len(found) > 1 and found[0][0] > found[-1][1] and not wrong


def keep_trust(found: Checked, file: Path) -> None:
    """Write down what of a review is told, beside what was found with other numbers of seats."""
    table = table_of(game_of(found.game, found.options))
    check = {
        "about": {
            **MadeBy.of(table.game, table.network)._asdict(),
            "luck games": found.luck_games,
            "decisions": sum(one.decisions for one in found.levels),
            "seed": found.seed,
            "date": found.date,
            "commit": found.commit,
        },
        "met": met(found),
    }
    others = [one for one in read_checks(file) if one["about"]["seats"] != found.seats]
    every = sorted([*others, check], key=lambda one: one["about"]["seats"])
    atomic_files.write(file, json.dumps({"version": FILE_VERSION, "checks": every}, indent=1) + "\n")


def least_ratio(name: str) -> float:
    """What a ratio of variances is to be at least."""
    return {"factionwars": 2.0, "generals": 1.15, "feint": 1.05}.get(name, 1.0)


def wanted(name: str) -> str:
    """What a ratio of variances is to be."""
    least = least_ratio(name)
    return "above 1" if least == 1.0 else f"at least {least:g}"


def told(part: Right) -> str:
    """A part in figures."""
    return f"{part.right} of {part.of}" + (f" ({100 * part.right / part.of:.0f} %)" if part.of else "")


def picture(found: Checked) -> str:
    """What each level loses."""
    rows = []
    for one in found.levels:
        if one.decisions:
            low, high = (one.loss, one.loss) if one.low is None or one.high is None else (one.low, one.high)
            rows.append((one.level, 100 * one.loss, 100 * low, 100 * high))
    return plots.bars(rows or [("none", 0.0, 0.0, 0.0)], "points of chance lost at a decision")
