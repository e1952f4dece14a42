"""The ladder of a game: ratings from matches between all pairs of levels.

Ratings follow Bradley and Terry (1952) on the scale of chess (400 points mean odds of ten to one), with the first level
at 0. With more than two seats they follow Luce (1959), which generalizes that model: each seat wins in proportion to
its strength. Their intervals come from a bootstrap over the deals. A rating summarizes the whole matrix in one number;
if levels beat each other in a circle, only the matrix shows it.

Strength against players that do not know a level is half of the matter. The last column is the score of the exploiter
(`bots/exploiter.py`), which knows the level and searches for the best answer to it.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import combinations, pairwise, permutations
from typing import Final, TypeAlias

from gonfalon import games
from gonfalon.bots import Bot, exploiter, list_playable_levels, make
from gonfalon.bots.outside.faults import describe_faults
from gonfalon.bots.outside.notation import EXPLOITER_PREFIX, is_notation
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.lab.run import machine as about
from gonfalon.lab.run.match import (
    estimate_interval,
    find_percentile,
    get_game,
    hash_games,
    list_matchups,
    play_deal,
    rounded_mean,
)
from gonfalon.lab.run.workers import Team, Workers

RATING_SCALE: Final = 400 / math.log(10)
"""Rating points for a factor of e in strength."""
BOOTSTRAP_SAMPLES: Final = 200
"""Number of bootstrap samples."""
PRIOR_WINS: Final = 0.5
"""Wins added for each seat of a meeting. Without them, a level that never loses has no rating."""
MAX_SWEEPS: Final = 2_000
"""Maximum number of iterations of the MM algorithm."""
TOLERANCE: Final = 1e-7
"""Change of the log strength at which the algorithm stops."""
GREEDY: Final = "greedy"
"""Level that is not on the ladder but meets all others as a common reference."""
NOT_EXPLOITED: Final = ("random",)
"""Levels that the exploiter does not play against."""


@dataclass(frozen=True)
class Rung:
    """A level on the ladder.

    Times are milliseconds: `p50` and `p95` of CPU for a decision of `iterations`, and the `limit` when people wait.
    None means that there is no such number.
    """

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
    """The score of one level against another level in all other seats."""

    a: str
    b: str
    score: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Ladder:
    """A ladder, with everything needed to measure it again."""

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
    """Number of the exploiter's trials for a decision."""
    exploits: list[Meeting]
    digest: str = ""
    """Hash of all games, the same with any number of workers. Empty in older files."""
    chosen: dict[str, dict[str, int]] = field(default_factory=dict)
    """Numbers of moves that were chosen for programs, by their faults."""


Times: TypeAlias = tuple[list[float], list[float]]
"""The CPU seconds of each decision of two levels in the games of a deal."""
Scores = dict[tuple[str, str], list[float]]
"""The scores of the first level of each meeting, one for each deal."""


def play_ladder(
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
    """Play every pair of levels, and the exploiter against each level.

    Args:
        name: The name of the game.
        options: Options of the game.
        pairs: The number of deals for each pair.
        seed: The seed of the deals.
        workers: A number of processes, or a cluster.
        levels: Levels, lowest first, and other bots; all levels by default.
        exploits: The number of deals of the exploiter against each level.
        mirrored: Whether all seats have the same deck (`list_matchups`).
        near: Whether a level meets only its neighbors and greedy.

    Raises:
        OptionError: There are fewer than two levels, or an option is unknown.
    """
    run = LadderRun(name, list_matchups(name, options or {}, mirrored), seed, levels)
    with Team(workers) as team:
        for b, a in list_pairings(run.entrants, run.game.seats, near):
            run.scores[a, b], times = run.play_meeting(team, a, b, pairs)
            run.add_times(a, b, times)
        for level in run.entrants if exploits else []:
            if level not in NOT_EXPLOITED and not is_notation(level):
                searcher = EXPLOITER_PREFIX + level
                run.exploited[searcher, level], _ = run.play_meeting(team, searcher, level, exploits)
    return summarize_ladder(run, options, pairs, mirrored)


class LadderRun:
    """A ladder that is being played: its levels, and the scores and times so far."""

    def __init__(self, name: str, setups: list[Options], seed: int, levels: list[str] | None) -> None:
        """Set up the levels.

        Raises:
            OptionError: There are fewer than two levels, or one is unknown.
        """
        self.name = name
        self.setups = setups
        self.seed = seed
        self.game: Game = get_game(name, setups[0])
        self.entrants: list[str] = levels or list_playable_levels(self.game)
        self.bots: dict[str, Bot] = {level: make(level, self.game) for level in self.entrants}
        if len(self.entrants) < 2:
            only = ", ".join(self.entrants)
            raise OptionError(f"A ladder needs at least two levels, and {self.game.title} has only {only}.")
        self.spans: dict[str, list[float]] = {level: [] for level in self.entrants}
        """CPU seconds of each decision, by level."""
        self.scores: Scores = {}
        self.exploited: Scores = {}
        self.digest = sha256()
        self.chosen: dict[str, Counter[str]] = {}
        """Moves that were chosen for programs, by their faults."""

    def play_meeting(self, team: Team, a: str, b: str, count: int) -> tuple[list[float], list[Times]]:
        """Play two levels against each other.

        Returns:
            The score of the first level and the times of both, for each deal.
        """
        play = partial(play_deal, a, b, self.name, self.setups, self.seed)
        deals = list(team.map(play, range(count), most=10))
        self.digest.update(hash_games(game for deal in deals for game in deal.games).encode())
        for deal in deals:
            for level, counts in zip((a, b), deal.chosen, strict=True):
                self.chosen.setdefault(level, Counter()).update(counts)
        return [rounded_mean(one.score for one in deal.games) for deal in deals], [deal.times for deal in deals]

    def add_times(self, a: str, b: str, times: list[Times]) -> None:
        """Add the times of a meeting."""
        for of_a, of_b in times:
            self.spans[a] += of_a
            self.spans[b] += of_b


def summarize_ladder(run: LadderRun, options: Options | None, pairs: int, mirrored: bool) -> Ladder:
    """Return the ladder after all meetings."""
    name, seats = run.name, run.game.seats
    # The exploiter is not rated: it knows its opponent, and levels do not.
    rated = rate_levels(run.entrants, run.scores, seats)
    return Ladder(
        game=name,
        version=games.find_game_class(name).version,
        seats=seats,
        options=get_game(name, options or {}).shown_options() if options else {},
        mirrored=mirrored,
        pairs=pairs,
        seed=run.seed,
        date=date.today().isoformat(),
        machine=about.describe_machine(),
        build=about.describe_build(),
        commit=about.read_commit(),
        rungs=[make_rung(level, run.bots[level], rated[level], run.spans[level]) for level in run.entrants],
        meetings=list_meetings(run.scores, seats),
        trials=exploiter.TRIALS_PER_DECISION,
        exploits=list_meetings(run.exploited, seats),
        digest=run.digest.hexdigest()[:32],
        chosen={level: dict(counts) for level, counts in run.chosen.items() if counts},
    )


def list_meetings(scores: Scores, seats: int) -> list[Meeting]:
    """Return the meetings with their scores."""
    return [Meeting(a, b, *estimate_interval(found), len(found) * seats) for (a, b), found in scores.items()]


def list_pairings(entrants: list[str], seats: int, near: bool) -> list[tuple[str, str]]:
    """Return the pairs of levels that meet, the lower level first.

    With more than two seats each pair meets both ways.
    """
    rungs = [level for level in entrants if level != GREEDY]
    close = {*pairwise(rungs), *pairwise(reversed(rungs))}
    pairs = combinations(entrants, 2) if seats == 2 else permutations(entrants, 2)
    return [pair for pair in pairs if not near or GREEDY in pair or pair in close]


def make_rung(level: str, bot: Bot, rated: tuple[float, float, float], spans: list[float]) -> Rung:
    """Return a level with its figures."""
    p50, p95 = (round(1000 * find_percentile(spans, share), 2) for share in (0.5, 0.95))
    limit = 1000 * (bot.patience.seconds or 0.0)
    return Rung(level, *rated, p50, p95, limit or None, bot.budget.iterations)


def rate_levels(entrants: list[str], scores: Scores, seats: int) -> dict[str, tuple[float, float, float]]:
    """Return ratings with their 95 % intervals."""
    plain = fit_ratings(entrants, scores, seats)
    # A fixed seed makes the intervals reproducible.
    rng = Rng(1)
    drawn = [
        fit_ratings(entrants, {pair: resample_scores(found, rng) for pair, found in scores.items()}, seats, plain)
        for _ in range(BOOTSTRAP_SAMPLES)
    ]
    found: dict[str, tuple[float, float, float]] = {}
    for i, level in enumerate(entrants):
        own = sorted(sample[i] for sample in drawn)
        low, high = own[round(0.025 * (BOOTSTRAP_SAMPLES - 1))], own[round(0.975 * (BOOTSTRAP_SAMPLES - 1))]
        found[level] = (round(plain[i]), round(min(low, plain[i])), round(max(high, plain[i])))
    return found


def resample_scores(values: list[float], rng: Rng) -> list[float]:
    """Draw as many scores as there are from these, two losses and two wins, with replacement.

    Without the added four, equal scores would have an interval of width zero.
    """
    # This corresponds to a weak prior of even results.
    known = [*values, 0.0, 0.0, 1.0, 1.0]
    return [known[rng.below(len(known))] for _ in values]


def fit_ratings(entrants: list[str], scores: Scores, seats: int = 2, near: list[float] | None = None) -> list[float]:
    """Return the maximum-likelihood ratings, with the first level at 0.

    They are found by Hunter's MM algorithm (2004), starting from `near`.
    """
    others = seats - 1
    place = {level: i for i, level in enumerate(entrants)}
    wins = [0.0] * len(entrants)
    meetings: list[tuple[int, int, float]] = []
    for (a, b), found in scores.items():
        i, j, count = place[a], place[b], len(found) * seats
        # A deal has a game from each seat, and its score is their mean.
        won = sum(found) * seats + PRIOR_WINS
        wins[i] += won
        wins[j] += count + seats * PRIOR_WINS - won
        meetings.append((i, j, count + seats * PRIOR_WINS))
    strength = [math.exp(value / RATING_SCALE) for value in near] if near else [1.0] * len(entrants)
    for _ in range(MAX_SWEEPS):
        shares = [0.0] * len(entrants)
        for i, j, played in meetings:
            share = played / (strength[i] + others * strength[j])
            shares[i] += share
            shares[j] += others * share
        new = [won / share if share else 1.0 for won, share in zip(wins, shares, strict=True)]
        # Strengths are only defined up to a factor; the first level is the unit.
        new = [value / new[0] for value in new]
        moved = max(abs(math.log(a / b)) for a, b in zip(new, strength, strict=True))
        strength = new
        if moved < TOLERANCE:
            break
    return [RATING_SCALE * math.log(value) for value in strength]


# ---- output ------------------------------------------------------------------------------------


def format_page(ladder: Ladder, plot: str = "") -> str:
    """Return a ladder as a Markdown page, which is readable in a terminal as well."""
    many = ladder.seats > 2
    asked = bool(ladder.exploits)
    known = f" The exploiter knows the level it plays against and runs {ladder.trials} trials for a decision."
    lines = [
        f"# Levels of {games.find_game_class(ladder.game).title}" + (f", {ladder.seats} seats" if many else ""),
        "",
        f"{ladder.date}, rules version {ladder.version}, {ladder.pairs} deals for each meeting, "
        + ("all with the same deck, " if ladder.mirrored else "")
        + f"played from every seat, seed {ladder.seed}; {ladder.machine}, {ladder.build}.",
        "",
        "Times are CPU times for a decision with these iterations; “of” is the limit when people wait." + known * asked,
        "",
        "| level | rating | 95 % | iterations | p50, ms | p95, ms | of, ms |" + " exploiter, % |" * asked,
        "|---|---|---|---|---|---|---|" + "---|" * asked,
    ]
    table = {(m.a, m.b): (m.score, m.low, m.high) for m in ladder.meetings + ladder.exploits}
    for rung in ladder.rungs:
        exploited = format_cell(table.get((EXPLOITER_PREFIX + rung.level, rung.level)))
        lines.append(format_rung(rung) + f" {exploited} |" * asked)
    if plot:
        lines += ["", f"![Ratings with their intervals]({plot})"]
    what = f"alone against {ladder.seats - 1} of" if many else "against"
    fair = f" ({100 / ladder.seats:.0f} is even)" if many else ""
    names = [rung.level for rung in ladder.rungs]
    all_met = len(ladder.meetings) == len(list_pairings(names, ladder.seats, near=False))
    apart = "" if all_met else "; empty cells: not played"
    lines += ["", f"Score of the row's level {what} the column's level, in %{fair}{apart}:", ""]
    lines += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    if not many:
        table |= {(m.b, m.a): (1 - m.score, 1 - m.high, 1 - m.low) for m in ladder.meetings}
    for row in names:
        cells = [format_cell(table.get((row, column))) for column in names]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    for name, counts in ladder.chosen.items():
        lines += ["", describe_faults(name, counts)]
    if ladder.digest:
        lines += ["", f"Digest {ladder.digest}: the same with any number of workers."]
    return "\n".join(lines) + "\n"


def format_rung(rung: Rung) -> str:
    """Return the row of a level in the table of ratings."""
    numbers = f"{rung.rating:.0f} | {rung.low:.0f} to {rung.high:.0f} | {format_number(rung.iterations)}"
    return f"| {rung.level} | {numbers} | {rung.p50} | {rung.p95} | {format_number(rung.limit)} |"


def format_cell(found: tuple[float, float, float] | None) -> str:
    """Return text like `62 (55 to 69)`."""
    return "" if found is None else "{:.0f} ({:.0f} to {:.0f})".format(*(100 * value for value in found))


def format_number(number: float | None) -> str:
    """Return a number as text; empty if it is missing."""
    return "" if number is None else f"{number:,.0f}"
