"""The ladder of a game: every level against every other, and what that makes of them.

Ratings follow Bradley and Terry (1952), on the scale of chess (400 points are ten to one), with the
first level at 0; where more than two sit at a table, Luce (1959), of whom theirs is the case of two: each
seat wins in proportion to its strength. Their intervals come from a bootstrap over the deals. A rating says
what the whole matrix says in one number; where levels beat each other in a circle, only the matrix tells.

How well a level does against those who do not know it is half of the matter. The last column is what the
exploiter (`lab/run/exploiter.py`) scores, who knows it and searches for the best answer to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import combinations, pairwise, permutations
from typing import Final

from gonfalon import games
from gonfalon.bots import Bot, kind, levels_for
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run import exploiter
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import (
    EXPLOITER,
    digest_of,
    entrant,
    game_of,
    interval,
    matchups,
    mean,
    percentile,
    play_deal,
)
from gonfalon.lab.run.workers import Team, Workers

SCALE: Final = 400 / math.log(10)
SAMPLES: Final = 200
"""Of the bootstrap."""
PRIOR: Final = 0.5
"""Wins that each seat of a meeting is given: without them, a level that never loses has no rating."""
SWEEPS: Final = 2_000
CLOSE: Final = 1e-7
GREEDY: Final = "greedy"
"""Stands on no rung of its own: what all others are measured against."""
UNKNOWN: Final = ("random",)
"""Levels that nobody needs to exploit."""


@dataclass(frozen=True)
class Rung:
    """A level on the ladder. Times are milliseconds: `p50` and `p95` of CPU for a decision of `iterations`, `limit`
    what it may take when people wait for it; None where there is no such number."""

    level: str
    rating: float
    low: float
    high: float
    p50: float
    p95: float
    limit: float | None
    iterations: int | None


@dataclass(frozen=True)
class Meeting:
    """What one level scored against another that sat in all other seats."""

    a: str
    b: str
    score: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Ladder:
    """A whole ladder, with what is needed to climb it again."""

    game: str
    version: str
    seats: int
    options: Options
    mirrored: bool
    """Whether all seats had the same deck."""
    pairs: int
    seed: int
    date: str
    machine: str
    build: str
    commit: str
    rungs: list[Rung]
    meetings: list[Meeting]
    trials: int
    """The exploiter's, for a decision."""
    exploits: list[Meeting]
    digest: str = ""
    """Stands for every game: the same by any workers. Ladders of before have none."""


Scores = dict[tuple[str, str], list[float]]
"""For each meeting what its first level scored in each deal."""


def climb(
    name: str,
    options: Options | None = None,
    pairs: int = 50,
    seed: int = 0,
    workers: Workers = 1,
    levels: list[str] | None = None,
    exploits: int = 0,
    mirrored: bool = False,
    near: bool = False,
) -> Ladder:
    """Play every pair of levels, and the exploiter against each in `exploits` deals. With more than two seats
    either level of a pair sits alone against the other. `mirrored`: all have the same deck (`matchups`). `near`: a
    level meets only the next ones and greedy. Raises OptionError."""
    setups = matchups(name, options or {}, mirrored)
    game = game_of(name, setups[0])
    entrants = levels or levels_for(game)
    bots = {level: entrant(level, game) for level in entrants}
    if len(entrants) < 2:
        raise OptionError(f"A ladder has two rungs at least, and {game.title} has {', '.join(entrants)}.")
    spans: dict[str, list[float]] = {level: [] for level in entrants}
    scores: Scores = {}
    exploited: Scores = {}
    digest = sha256()
    with Team(workers) as team:

        def meet(a: str, b: str, count: int) -> tuple[list[float], list[tuple[list[float], list[float]]]]:
            play = partial(play_deal, a, b, name, setups, seed)
            deals = list(team.map(play, range(count), most=10))
            digest.update(digest_of(game for played, _ in deals for game in played).encode())
            return [mean(one.score for one in played) for played, _ in deals], [times for _, times in deals]

        for b, a in pairings(entrants, game.seats, near):
            scores[a, b], times = meet(a, b, pairs)
            for of_a, of_b in times:
                spans[a] += of_a
                spans[b] += of_b
        for level in entrants if exploits else []:
            if level not in UNKNOWN:
                exploited[EXPLOITER + level, level], _ = meet(EXPLOITER + level, level, exploits)
    rated = rated_levels(entrants, scores, game.seats)
    return Ladder(
        game=name,
        version=games.kind(name).version,
        seats=game.seats,
        options=game_of(name, options or {}).shown_options() if options else {},
        mirrored=mirrored,
        pairs=pairs,
        seed=seed,
        date=date.today().isoformat(),
        machine=about.machine(),
        build=about.build(),
        commit=about.commit(),
        rungs=[rung(level, bots[level], rated[level], spans[level]) for level in entrants],
        meetings=met(scores, game.seats),
        trials=exploiter.TRIALS,
        exploits=met(exploited, game.seats),
        digest=digest.hexdigest()[:32],
    )


def met(scores: Scores, seats: int) -> list[Meeting]:
    """What the meetings come to."""
    return [Meeting(a, b, *interval(found), len(found) * seats) for (a, b), found in scores.items()]


def pairings(entrants: list[str], seats: int, near: bool) -> list[tuple[str, str]]:
    """Who meets whom, the lower level first. With more than two seats each pair meets both ways."""
    rungs = [level for level in entrants if level != GREEDY]
    close = {*pairwise(rungs), *pairwise(reversed(rungs))}
    pairs = combinations(entrants, 2) if seats == 2 else permutations(entrants, 2)
    return [pair for pair in pairs if not near or GREEDY in pair or pair in close]


def rung(level: str, bot: Bot, rated: tuple[float, float, float], spans: list[float]) -> Rung:
    """A level with its figures."""
    p50, p95 = (round(1000 * percentile(spans, share), 2) for share in (0.5, 0.95))
    limit = 1000 * kind(level.partition(":")[0]).seconds
    return Rung(level, *rated, p50, p95, limit or None, bot.budget.iterations)


def rated_levels(entrants: list[str], scores: Scores, seats: int) -> dict[str, tuple[float, float, float]]:
    """Ratings with their 95 % intervals."""
    plain = ratings(entrants, scores, seats)
    rng = Rng(1)
    drawn = [
        ratings(entrants, {pair: resampled(found, rng) for pair, found in scores.items()}, seats, plain)
        for _ in range(SAMPLES)
    ]
    found: dict[str, tuple[float, float, float]] = {}
    for i, level in enumerate(entrants):
        own = sorted(sample[i] for sample in drawn)
        low, high = own[round(0.025 * (SAMPLES - 1))], own[round(0.975 * (SAMPLES - 1))]
        found[level] = (round(plain[i]), round(min(low, plain[i])), round(max(high, plain[i])))
    return found


def resampled(values: list[float], rng: Rng) -> list[float]:
    """Draw as many scores from these and two losses and two wins, with replacement.

    Without the four, scores that are all equal would have an interval of no width.
    """
    known = [*values, 0.0, 0.0, 1.0, 1.0]
    return [known[rng.below(len(known))] for _ in values]


def ratings(entrants: list[str], scores: Scores, seats: int = 2, near: list[float] | None = None) -> list[float]:
    """The maximum-likelihood ratings, the first entrant's 0; found by Hunter's MM algorithm (2004), from `near`."""
    others = seats - 1
    place = {level: i for i, level in enumerate(entrants)}
    wins = [0.0] * len(entrants)
    meetings: list[tuple[int, int, float]] = []
    for (a, b), found in scores.items():
        i, j, count = place[a], place[b], len(found) * seats
        won = sum(found) * seats + PRIOR
        wins[i] += won
        wins[j] += count + seats * PRIOR - won
        meetings.append((i, j, count + seats * PRIOR))
    strength = [math.exp(value / SCALE) for value in near] if near else [1.0] * len(entrants)
    for _ in range(SWEEPS):
        shares = [0.0] * len(entrants)
        for i, j, played in meetings:
            share = played / (strength[i] + others * strength[j])
            shares[i] += share
            shares[j] += others * share
        new = [won / share if share else 1.0 for won, share in zip(wins, shares, strict=True)]
        new = [value / new[0] for value in new]
        moved = max(abs(math.log(a / b)) for a, b in zip(new, strength, strict=True))
        strength = new
        if moved < CLOSE:
            break
    return [SCALE * math.log(value) for value in strength]


# ---- telling ------------------------------------------------------------------------------------


def page(ladder: Ladder, plot: str = "") -> str:
    """A ladder as a page in Markdown, which a terminal shows as well."""
    many = ladder.seats > 2
    asked = bool(ladder.exploits)
    known = f" The exploiter tries out {ladder.trials} answers for a decision, knowing the level that it plays against."
    lines = [
        f"# Levels of {games.kind(ladder.game).title}" + (f", {ladder.seats} seats" if many else ""),
        "",
        f"{ladder.date}, rules version {ladder.version}, {ladder.pairs} deals for each meeting, "
        + ("all with the same deck, " if ladder.mirrored else "")
        + f"played from every seat, seed {ladder.seed}; {ladder.machine}, {ladder.build}.",
        "",
        "Times are of the CPU, for a decision of so many iterations; “of” is what a level may take when people wait."
        + known * asked,
        "",
        "| level | rating | 95 % | iterations | p50, ms | p95, ms | of, ms |" + " exploiter, % |" * asked,
        "|---|---|---|---|---|---|---|" + "---|" * asked,
    ]
    table = {(m.a, m.b): (m.score, m.low, m.high) for m in ladder.meetings + ladder.exploits}
    lines += [
        f"| {r.level} | {r.rating:.0f} | {r.low:.0f} to {r.high:.0f} | {shown(r.iterations)} | {r.p50} | {r.p95} "
        f"| {shown(r.limit)} |" + f" {cell(table.get((EXPLOITER + r.level, r.level)))} |" * asked
        for r in ladder.rungs
    ]
    if plot:
        lines += ["", f"![Ratings with their intervals]({plot})"]
    what = f"alone against {ladder.seats - 1} of" if many else "against"
    fair = f" ({100 / ladder.seats:.0f} would be even)" if many else ""
    names = [rung.level for rung in ladder.rungs]
    all_met = len(ladder.meetings) == len(pairings(names, ladder.seats, near=False))
    apart = "" if all_met else "; where nothing stands they have not met"
    lines += ["", f"What the level of the row scores {what} that of the column, in %{fair}{apart}:", ""]
    lines += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    if not many:
        table |= {(m.b, m.a): (1 - m.score, 1 - m.high, 1 - m.low) for m in ladder.meetings}
    for row in names:
        cells = [cell(table.get((row, column))) for column in names]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    if ladder.digest:
        lines += ["", f"Digest {ladder.digest}: the same with any number of workers."]
    return "\n".join(lines) + "\n"


def cell(found: tuple[float, float, float] | None) -> str:
    """`62 (55 to 69)`."""
    return "" if found is None else "{:.0f} ({:.0f} to {:.0f})".format(*(100 * value for value in found))


def shown(number: float | None) -> str:
    """A number that may be missing."""
    return "" if number is None else f"{number:,.0f}"
