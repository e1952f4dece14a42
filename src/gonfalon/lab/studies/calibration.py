"""Calibration of a level: its estimated win chances against the results of the games.

A level plays itself or another one. All win chances that it estimated go into ten bins, and each bin is compared with
the share of these decisions after which the level won. The expected calibration error is the mean distance of the two,
weighted by decisions. The decisions of a game share one ending, so the interval resamples whole games with replacement,
a few hundred times. The same samples show how large an error chance alone would cause if every estimate were right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from gonfalon import games
from gonfalon.bots import list_playable_levels, make
from gonfalon.bots.players.calibration import Scale
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, get_game, list_matchups
from gonfalon.lab.run.workers import Team, Workers

BIN_COUNT: Final = 10
BOOTSTRAP_SAMPLES: Final = 400
"""Number of bootstrap samples."""

Estimates = list[tuple[float, float]]
"""The estimated win chances of a game, each with the result: 1, 0, or the part of a shared victory."""
BinSums = list[tuple[int, float, float]]
"""For each bin of a game: the number of estimates, their sum, and the sum of the results."""


@dataclass(frozen=True)
class Bin:
    """The decisions with a win chance from `low` to `high`."""

    low: float
    high: float
    count: int
    told: float
    """Mean of the estimates."""
    came: float
    """Mean of the results."""


@dataclass(frozen=True)
class Calibration:
    """The calibration error of a level."""

    level: str
    against: str
    games: int
    decisions: int
    """Number of decisions with an estimate."""
    silent: int
    """Number of decisions between several actions without an estimate."""
    error: float
    low: float
    high: float
    by_chance: float
    """Expected error if all estimates were right."""
    scale: list[list[float]] | None
    """Corners of the scale in use."""
    bins: list[Bin]


@dataclass(frozen=True)
class CalibrationReport:
    """The calibration of the levels of a game, with everything needed to measure them again."""

    game: str
    version: str
    seats: int
    options: Options
    seed: int
    date: str
    machine: str
    build: str
    commit: str
    levels: list[Calibration]


def measure_levels(
    name: str,
    levels: list[str] | None = None,
    options: Options | None = None,
    count: int = 400,
    seed: int = 0,
    workers: Workers = 1,
    against: str | None = None,
) -> CalibrationReport:
    """Measure the calibration of levels.

    Args:
        name: The name of the game.
        levels: The levels; by default all that estimate win chances.
        options: Options of the game.
        count: The number of games for each level.
        seed: The seed of the games.
        workers: A number of processes, or a cluster.
        against: The level in the other seats; by default the measured one.

    Raises:
        OptionError: A named level estimates no win chances.
    """
    setups = list_matchups(name, options or {})
    game = get_game(name, setups[0])
    measure = partial(measure_level, name=name, setups=setups, count=count, seed=seed, workers=workers)
    found = [measure(level, against or level, bool(levels)) for level in levels or list_playable_levels(game)]
    return CalibrationReport(
        game=name,
        version=games.find_game_class(name).version,
        seats=game.seats,
        options=get_game(name, options or {}).shown_options() if options else {},
        seed=seed,
        date=date.today().isoformat(),
        machine=about.describe_machine(),
        build=about.describe_build(),
        commit=about.read_commit(),
        levels=[measured for measured in found if measured is not None],
    )


def measure_level(
    level: str,
    against: str,
    is_named: bool,
    *,
    name: str,
    setups: list[Options],
    count: int,
    seed: int,
    workers: Workers,
) -> Calibration | None:
    """Return the calibration of a level; None if it estimates no win chances and was not named.

    Raises:
        OptionError: The level was named and estimates no win chances.
    """
    played, silent = gather_estimates(level, against, name, setups, count, seed, workers)
    game = get_game(name, setups[0])
    if any(played):
        return summarize_level(level, against, played, silent, make(level, game).scale)
    if is_named:
        raise OptionError(f"The level {level} of {game.title} estimates no win chances.")
    return None


def gather_estimates(
    level: str,
    against: str,
    name: str,
    setups: list[Options],
    count: int,
    seed: int,
    workers: Workers,
    raw: bool = False,
) -> tuple[list[Estimates], int]:
    """Return the estimates of each game, and the number of decisions without one.

    A level without an estimate in its first game counts as a level that makes none. With `raw` no scale is applied.
    """
    play = partial(play_and_collect, level, against, name, setups, seed, raw)
    first = play(0)
    if not first[0]:
        return [[]], first[1]
    with Team(workers) as team:
        rest = list(team.map(play, range(1, count), most=10))
    played = [first, *rest]
    return [told for told, _ in played], sum(silent for _, silent in played)


def play_and_collect(
    level: str, against: str, name: str, setups: list[Options], seed: int, raw: bool, number: int
) -> tuple[Estimates, int]:
    """Play one game and return a level's estimates, and the number of its decisions without one.

    Against another level it takes one seat, each in turn.
    """
    game = get_game(name, setups[number % len(setups)])
    chance = Rng((seed + (number + 1) * SEED_FACTOR) & WORD_MASK).seed()
    asked = make(level, game)
    if raw:
        asked.scale = None
    # Against itself a level is measured in all seats.
    own = [seat for seat in range(game.seats) if against == level or seat == number // len(setups) % game.seats]
    other = make(against.partition(":")[0], game) if against == level else make(against, game)
    driver = Driver(Record(game), [asked if seat in own else other for seat in range(game.seats)], chance, log=True)
    driver.advance()
    outcome = driver.state.outcome()
    winners = outcome.winners if outcome is not None else []
    told: Estimates = []
    silent = 0
    for at, choice in driver.thoughts.items():
        seat = driver.record.decisions[at][0]
        if seat not in own:
            continue
        if choice.value is None:
            silent += 1
        else:
            told.append((choice.value.value, 1.0 / len(winners) if seat in winners else 0.0))
    return told, silent


# ---- figures ------------------------------------------------------------------------------------


def summarize_level(level: str, against: str, played: list[Estimates], silent: int, scale: Scale | None) -> Calibration:
    """Return the calibration of a level from its games."""
    sums = [sum_bins(told) for told in played]
    whole = add_sums(sums)
    drawn: list[float] = []
    by_chance: list[float] = []
    # A fixed seed makes the intervals reproducible.
    rng = Rng(1)
    for _ in range(BOOTSTRAP_SAMPLES):
        sample = add_sums([sums[rng.below(len(sums))] for _ in sums])
        drawn.append(calibration_error(sample))
        by_chance.append(calibration_error(sample, whole))
    drawn.sort()
    return Calibration(
        level=level,
        against=against,
        games=len(played),
        decisions=sum(count for count, _, _ in whole),
        silent=silent,
        error=round(calibration_error(whole), 4),
        low=round(drawn[round(0.025 * (BOOTSTRAP_SAMPLES - 1))], 4),
        high=round(drawn[round(0.975 * (BOOTSTRAP_SAMPLES - 1))], 4),
        by_chance=round(sum(by_chance) / BOOTSTRAP_SAMPLES, 4),
        scale=None if scale is None else [[told, came] for told, came in scale.corners],
        bins=[
            Bin(i / BIN_COUNT, (i + 1) / BIN_COUNT, count, round(told / count, 4), round(came / count, 4))
            for i, (count, told, came) in enumerate(whole)
            if count
        ],
    )


def sum_bins(told: Estimates) -> BinSums:
    """Return the sums of one game. An estimate of 1 belongs to the last bin."""
    found = [(0, 0.0, 0.0)] * BIN_COUNT
    for chance, came in told:
        # An estimate of exactly 1 belongs to the last bin.
        at = min(BIN_COUNT - 1, int(chance * BIN_COUNT))
        count, sum_told, sum_came = found[at]
        found[at] = (count + 1, sum_told + chance, sum_came + came)
    return found


def add_sums(games_: Iterable[BinSums]) -> BinSums:
    """Return the sums of all games."""
    counts, told, came = [0] * BIN_COUNT, [0.0] * BIN_COUNT, [0.0] * BIN_COUNT
    for sums in games_:
        for i, (a, b, c) in enumerate(sums):
            if a:
                counts[i] += a
                told[i] += b
                came[i] += c
    return list(zip(counts, told, came, strict=True))


def calibration_error(sums: BinSums, right: BinSums | None = None) -> float:
    """Return the expected calibration error.

    Args:
        sums: The sums of a sample.
        right: Sums whose error in each bin is subtracted, so that only the effect of chance remains.
    """
    total = sum(count for count, _, _ in sums)
    error = 0.0
    for i, (count, told, came) in enumerate(sums):
        gap = told - came
        if right is not None and count:
            of, right_told, right_came = right[i]
            gap -= (right_told - right_came) * count / of
        error += abs(gap)
    return error / total if total else 0.0


# ---- output ------------------------------------------------------------------------------------


def format_page(report: CalibrationReport, plot: str = "") -> str:
    """Return a report as a Markdown page."""
    title = games.find_game_class(report.game).title
    lines = [
        f"# Calibration of {title}",
        "",
        f"{report.date}, rules version {report.version}, {report.seats} seats, seed {report.seed}; {report.machine}, "
        f"{report.build}.",
        "",
        "The win chance that each level estimated at its decisions, against the results of the games. The error is the "
        "mean distance of the two in ten bins, with its 95 % interval; the last column is the error that chance alone "
        "would cause with this number of games.",
        "",
        "| level | against | games | decisions | error, % | 95 % | by chance |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.level} | {c.against} | {c.games} | {c.decisions:,} | {100 * c.error:.1f} "
        f"| {100 * c.low:.1f} to {100 * c.high:.1f} | {100 * c.by_chance:.1f} |"
        for c in report.levels
    ]
    if plot:
        lines += ["", f"![Win rate against estimated win chance]({plot})"]
    lines += ["", "Estimate and win rate, in %, with the number of decisions:", ""]
    heads = [f"{100 * i // BIN_COUNT} to {100 * (i + 1) // BIN_COUNT}" for i in range(BIN_COUNT)]
    lines += ["| level | " + " | ".join(heads) + " |", "|---" * (BIN_COUNT + 1) + "|"]
    for found in report.levels:
        cells = [""] * BIN_COUNT
        for b in found.bins:
            cells[round(b.low * BIN_COUNT)] = f"{100 * b.told:.0f}: {100 * b.came:.0f} ({b.count:,})"
        lines.append(f"| {found.level} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
