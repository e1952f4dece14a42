"""Do a level's chances come true? What it told at each decision, against how the game ended.

A level plays itself, or another one. All chances to win that it told go into ten bins, and each bin is asked
how often who told them won. The expected calibration error is the mean distance of the two, by decisions. The
decisions of a game share one end, so the interval is of games: they are drawn anew, with replacement, a few
hundred times. The same draws tell how large an error chance alone would make of so many games, were every
chance right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from gonfalon import games
from gonfalon.bots import levels_for, make
from gonfalon.bots.players.calibration import Scale
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import MIX, WORD, entrant, game_of, matchups
from gonfalon.lab.run.workers import Team, Workers

BINS: Final = 10
SAMPLES: Final = 400
"""Of the bootstrap."""

Told = list[tuple[float, float]]
"""The chances that were told in a game, each with 1 for who won, 0, or the part of a shared victory."""
Sums = list[tuple[int, float, float]]
"""For each bin of a game: how many, the sum of the chances, and of what came of them."""


@dataclass(frozen=True)
class Bin:
    """The decisions with a chance from `low` to `high`."""

    low: float
    high: float
    count: int
    told: float
    """The mean of the chances."""
    came: float
    """How much of them came true."""


@dataclass(frozen=True)
class Calibration:
    """How right a level's chances are."""

    level: str
    against: str
    games: int
    decisions: int
    """With a chance that was told."""
    silent: int
    """Without one, though there was a choice."""
    error: float
    low: float
    high: float
    by_chance: float
    """The error that would be found if all chances were right."""
    scale: list[list[float]] | None
    """The corners of the scale that was in use."""
    bins: list[Bin]


@dataclass(frozen=True)
class Report:
    """The levels of a game, with what is needed to measure them again."""

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


def measure(
    name: str,
    levels: list[str] | None = None,
    options: Options | None = None,
    count: int = 400,
    seed: int = 0,
    workers: Workers = 1,
    against: str | None = None,
) -> Report:
    """Measure levels (all that tell chances, if none are given), `count` games each. Raises OptionError."""
    setups = matchups(name, options or {})
    game = game_of(name, setups[0])
    found = []
    for level in levels or levels_for(game):
        played, silent = gather(level, against or level, name, setups, count, seed, workers)
        if any(played):
            scale = entrant(level, game).scale
            found.append(calibration(level, against or level, played, silent, scale))
        elif levels:
            raise OptionError(f"The level {level} of {game.title} tells no chances.")
    return Report(
        game=name,
        version=games.kind(name).version,
        seats=game.seats,
        options=game_of(name, options or {}).shown_options() if options else {},
        seed=seed,
        date=date.today().isoformat(),
        machine=about.machine(),
        build=about.build(),
        commit=about.commit(),
        levels=found,
    )


def gather(
    level: str,
    against: str,
    name: str,
    setups: list[Options],
    count: int,
    seed: int,
    workers: Workers,
    raw: bool = False,
) -> tuple[list[Told], int]:
    """What was told in so many games, and how many decisions went without; with `raw`, before any scale.
    A level that tells nothing in its first game is believed to tell nothing."""
    play = partial(play_told, level, against, name, setups, seed, raw)
    first = play(0)
    if not first[0]:
        return [[]], first[1]
    with Team(workers) as team:
        rest = list(team.map(play, range(1, count), most=10))
    played = [first, *rest]
    return [told for told, _ in played], sum(silent for _, silent in played)


def play_told(
    level: str, against: str, name: str, setups: list[Options], seed: int, raw: bool, number: int
) -> tuple[Told, int]:
    """What a level told in one game, and how often it told nothing though there was a choice. Against another
    level it sits in one seat, in each in turn."""
    game = game_of(name, setups[number % len(setups)])
    chance = Rng((seed + (number + 1) * MIX) & WORD).seed()
    asked = entrant(level, game)
    if raw:
        asked.scale = None
    own = [seat for seat in range(game.seats) if against == level or seat == number // len(setups) % game.seats]
    other = make(against.partition(":")[0], game) if against == level else entrant(against, game)
    driver = Driver(Record(game), [asked if seat in own else other for seat in range(game.seats)], chance, log=True)
    driver.advance()
    outcome = driver.state.outcome()
    winners = outcome.winners if outcome is not None else []
    told: Told = []
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


def calibration(level: str, against: str, played: list[Told], silent: int, scale: Scale | None) -> Calibration:
    """What the games of a level come to."""
    sums = [binned(told) for told in played]
    whole = added(sums)
    drawn: list[float] = []
    by_chance: list[float] = []
    rng = Rng(1)
    for _ in range(SAMPLES):
        sample = added([sums[rng.below(len(sums))] for _ in sums])
        drawn.append(error_of(sample))
        by_chance.append(error_of(sample, whole))
    drawn.sort()
    return Calibration(
        level=level,
        against=against,
        games=len(played),
        decisions=sum(count for count, _, _ in whole),
        silent=silent,
        error=round(error_of(whole), 4),
        low=round(drawn[round(0.025 * (SAMPLES - 1))], 4),
        high=round(drawn[round(0.975 * (SAMPLES - 1))], 4),
        by_chance=round(sum(by_chance) / SAMPLES, 4),
        scale=None if scale is None else [[told, came] for told, came in scale.corners],
        bins=[
            Bin(i / BINS, (i + 1) / BINS, count, round(told / count, 4), round(came / count, 4))
            for i, (count, told, came) in enumerate(whole)
            if count
        ],
    )


def binned(told: Told) -> Sums:
    """One game's chances by bins; 1 is in the last one."""
    found = [(0, 0.0, 0.0)] * BINS
    for chance, came in told:
        at = min(BINS - 1, int(chance * BINS))
        count, sum_told, sum_came = found[at]
        found[at] = (count + 1, sum_told + chance, sum_came + came)
    return found


def added(games_: Iterable[Sums]) -> Sums:
    """All games as one."""
    counts, told, came = [0] * BINS, [0.0] * BINS, [0.0] * BINS
    for sums in games_:
        for i, (a, b, c) in enumerate(sums):
            if a:
                counts[i] += a
                told[i] += b
                came[i] += c
    return list(zip(counts, told, came, strict=True))


def error_of(sums: Sums, right: Sums | None = None) -> float:
    """The expected calibration error. With `right` a bin's chances are taken to be wrong by as much as they are
    there, so that what is left is chance."""
    total = sum(count for count, _, _ in sums)
    error = 0.0
    for i, (count, told, came) in enumerate(sums):
        gap = told - came
        if right is not None and count:
            of, right_told, right_came = right[i]
            gap -= (right_told - right_came) * count / of
        error += abs(gap)
    return error / total if total else 0.0


# ---- telling ------------------------------------------------------------------------------------


def page(report: Report, plot: str = "") -> str:
    """A report as a page in Markdown."""
    title = games.kind(report.game).title
    lines = [
        f"# Chances of {title}",
        "",
        f"{report.date}, rules version {report.version}, {report.seats} seats, seed {report.seed}; {report.machine}, "
        f"{report.build}.",
        "",
        "What each level told at its decisions, its chance to win, against how the games ended. The error is the "
        "mean distance of the two in ten bins, with its 95 % interval; the last column is what chance alone would "
        "make of so many games.",
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
        lines += ["", f"![Told chances across, what came of them up]({plot})"]
    lines += ["", "Told and come true, in %, with the number of decisions:", ""]
    heads = [f"{100 * i // BINS} to {100 * (i + 1) // BINS}" for i in range(BINS)]
    lines += ["| level | " + " | ".join(heads) + " |", "|---" * (BINS + 1) + "|"]
    for found in report.levels:
        cells = [""] * BINS
        for b in found.bins:
            cells[round(b.low * BINS)] = f"{100 * b.told:.0f}: {100 * b.came:.0f} ({b.count:,})"
        lines.append(f"| {found.level} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
