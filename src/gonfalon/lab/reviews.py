"""A check on reviews: are they right about luck, about mistakes, and about how sure they are?

Luck is worked out in games of ordinary players that nothing was fitted to: it must be nothing on the whole, and take
something off the variance of results. Then each level plays itself, and decisions of its games are judged: what is said
to be lost must fall from level to level. Where something was lost for certain the second referee is asked in any case:
its loss must lie within the interval that was told, and have the sign of the mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import sqrt
from multiprocessing import get_context
from typing import Final

from gonfalon import games
from gonfalon.bots import levels_for
from gonfalon.bots.choice import Z
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.lab import about, svg
from gonfalon.lab.baselines import Tried, explained, game_between, table_of, tried
from gonfalon.lab.match import game_of, matchups
from gonfalon.review.baseline import baseline_of
from gonfalon.review.figures import error, mean
from gonfalon.review.work import Desk, usual

A_GAME: Final = 20
"""Decisions that are judged of one game, at most: those of one game are alike."""
OTHER: Final = 0x51ED270B
"""So that these are not the games that a baseline was fitted to with the same seed."""


@dataclass(frozen=True)
class Judged:
    """One decision: what was told, and what the second referee found, where it was asked."""

    loss: float
    low: float
    high: float
    mark: str
    referee: float | None
    half: float
    """Half of the referee's interval."""
    spent: float


@dataclass(frozen=True)
class GameJudged:
    """Decisions of one game."""

    judged: list[Judged]
    decisions: int
    """How many the game has, which review would judge or try to."""
    looked: int


@dataclass(frozen=True)
class LevelLoss:
    """What a level is said to lose at a decision, with the 95 % interval, games being drawn anew."""

    level: str
    games: int
    decisions: int
    loss: float
    low: float
    high: float


@dataclass(frozen=True)
class Part:
    """How many of some were right."""

    right: int
    of: int


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
    covered: Part
    signs: Part
    cpu_median: float
    """Seconds of CPU time for a game, both seats."""
    cpu_high: float
    """The same at the 95th percentile."""


def measure(
    name: str, options: Options, count: int = 200, decisions: int = 100, seed: int = 0, workers: int = 1
) -> Checked:
    """Check the reviews of a game. Raises OptionError."""
    setups = matchups(name, options)
    game = game_of(name, setups[0])
    levels = [level for level in levels_for(game) if level != "random"]
    each = max(1, -(-decisions // A_GAME))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        baseline = baseline_of(table_of(game))
        lucks: list[Tried] = []
        if baseline is not None:
            lucks = list(pool.map(partial(tried, name, setups, seed + OTHER, baseline.fitted.weights), range(count)))
        found = {
            level: list(pool.map(partial(judge_game, name, setups, level, decisions, seed), range(each)))
            for level in levels
        }
    every = [one for played in found.values() for game_ in played for one in game_.judged]
    asked = [one for one in every if one.referee is not None]
    costs = sorted(cost(game_) for played in found.values() for game_ in played if game_.looked)
    ratio, low, high = ratio_of(lucks)
    return Checked(
        game=name,
        version=games.kind(name).version,
        seats=game.seats,
        options=game_of(name, options).shown_options() if options else {},
        seed=seed,
        date=date.today().isoformat(),
        machine=about.machine(),
        build=about.build(),
        commit=about.commit(),
        luck_games=len(lucks),
        bias=round(100 * mean([one.luck for one in lucks]), 2),
        bias_error=round(100 * Z * error([one.luck for one in lucks]), 2),
        ratio=ratio,
        ratio_low=low,
        ratio_high=high,
        levels=[level_loss(level, played) for level, played in found.items()],
        covered=Part(sum(covers(one) for one in asked), len(asked)),
        signs=Part(sum((one.referee or 0.0) > 0.0 for one in asked), len(asked)),
        cpu_median=quantile(costs, 0.5),
        cpu_high=quantile(costs, 0.95),
    )


def judge_game(name: str, setups: list[Options], level: str, decisions: int, seed: int, number: int) -> GameJudged:
    """Some decisions of a game of a level against itself, spread over the game."""
    record = game_between(name, setups, (level,) * game_of(name, setups[0]).seats, seed, number)
    desk = Desk(record, seed, usual(record))
    ats = [at for at, (seat, _) in enumerate(record.decisions) if seat != CHANCE]
    rng = Rng(seed + number)
    order = ats[:]
    rng.shuffle(order)
    judged: list[Judged] = []
    looked = 0
    for at in order:
        if len(judged) >= min(A_GAME, decisions):
            break
        part = desk.part(at)
        looked += 1
        one = part.decided
        if one["loss"] is None:
            continue
        second = one["referee"]
        judged.append(
            Judged(
                one["loss"],
                one["low"] or 0.0,
                one["high"] or 0.0,
                one["mark"],
                None if second is None else second["loss"],
                0.0 if second is None else (second["high"] - second["low"]) / 2.0,
                part.spent,
            )
        )
    return GameJudged(judged, len(ats), looked)


def cost(game: GameJudged) -> float:
    """The CPU time that the review of a whole game would take, by its decisions that were looked at."""
    return sum(one.spent for one in game.judged) * game.decisions / game.looked


def covers(one: Judged) -> bool:
    """Whether what the second referee found lies within the interval that was told, its own error counted in."""
    assert one.referee is not None
    half = one.high - one.loss if one.referee > one.loss else one.loss - one.low
    return abs(one.referee - one.loss) <= sqrt(half**2 + one.half**2)


def ratio_of(lucks: list[Tried]) -> tuple[float, float, float]:
    """The variance of results by that of corrected ones, with its interval."""
    if len(lucks) < 2:
        return 0.0, 0.0, 0.0
    ratio, low, high = (round(1.0 / (1.0 - part), 3) for part in explained(lucks))
    return ratio, low, high


def level_loss(level: str, played: Sequence[GameJudged]) -> LevelLoss:
    """What a level loses at a decision."""
    some = [game.judged for game in played if game.judged]
    rng = Rng(1)
    drawn = sorted(
        mean([one.loss for _ in some for one in some[int(rng.below(len(some)))]]) for _ in range(400 if some else 0)
    )
    every = [one.loss for judged in some for one in judged]
    return LevelLoss(
        level, len(some), len(every), round(mean(every), 4), quantile(drawn, 0.025, 4), quantile(drawn, 0.975, 4)
    )


def quantile(values: Sequence[float], part: float, digits: int = 1) -> float:
    """A value that so large a part of sorted values does not exceed; 0 of none."""
    return round(values[round(part * (len(values) - 1))], digits) if values else 0.0


# ---- telling ------------------------------------------------------------------------------------


def page(found: Checked, plot: str = "") -> str:
    """What was found as a page in Markdown."""
    lines = [
        f"# Reviews of {games.kind(found.game).title}",
        "",
        f"{found.date}, rules version {found.version}, {found.seats} seats, seed {found.seed}; {found.machine}, "
        f"{found.build}.",
        "",
        "Whether the reviews of finished games are right (`gonfalon lab review`).",
        "",
        "| | found | wanted |",
        "|---|---|---|",
    ]
    if found.luck_games:
        lines += [
            f"| luck on the whole, in points, {found.luck_games:,} games | {found.bias:+.2f} ± {found.bias_error:.2f} "
            "| under 1 |",
            f"| variance of results by that of corrected ones | {found.ratio:.2f} ({found.ratio_low:.2f} to "
            f"{found.ratio_high:.2f}) | {wanted(found.game)} |",
        ]
    lines += [
        f"| second referee within the interval | {told(found.covered)} | 90 to 97 % |",
        f"| and of the same sign; a mark without is not shown | {told(found.signs)} | at least 90 % |",
        f"| CPU time of a game, both seats: median, 95th percentile | {found.cpu_median:.1f} s, {found.cpu_high:.1f} s "
        f"| at most {50 if found.game == 'generals' else 20} s, compiled |",
        "",
        "What each level is said to lose at a decision, in points of chance, when it plays itself:",
        "",
        "| level | games | decisions | loss | 95 % |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.level} | {one.games} | {one.decisions} | {100 * one.loss:.2f} | {100 * one.low:.2f} to "
        f"{100 * one.high:.2f} |"
        for one in found.levels
    ]
    if plot:
        lines += ["", f"![What each level loses, with its interval]({plot})"]
    return "\n".join(lines) + "\n"


def wanted(name: str) -> str:
    """What a ratio of variances is to be."""
    least = {"factionwars": 2.0, "generals": 1.15, "feint": 1.05}.get(name)
    return "above 1" if least is None else f"at least {least:g}"


def told(part: Part) -> str:
    """A part in figures."""
    return f"{part.right} of {part.of}" + (f" ({100 * part.right / part.of:.0f} %)" if part.of else "")


def picture(found: Checked) -> str:
    """What each level loses."""
    rows = [(one.level, 100 * one.loss, 100 * one.low, 100 * one.high) for one in found.levels if one.decisions]
    return svg.bars(rows or [("none", 0.0, 0.0, 0.0)], "points of chance lost at a decision")
