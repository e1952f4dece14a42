"""The ladder of a game: every level against every other, and what that makes of them.

Ratings follow Bradley and Terry (1952), on the scale of chess (400 points are ten to one), with the
first level at 0. Their intervals come from a bootstrap over the deals. A rating says what the whole
matrix says in one number; where levels beat each other in a circle, only the matrix tells.
"""

from __future__ import annotations

import json
import math
import os
import platform
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gonfalon import games
from gonfalon.bots import levels_for
from gonfalon.core.build import sentence
from gonfalon.core.errors import OptionError
from gonfalon.core.rng import Rng
from gonfalon.lab.match import entrant, game_of, interval, matchups, mean, percentile, play_deal

if TYPE_CHECKING:
    import numpy as np

SCALE: Final = 400 / math.log(10)
SAMPLES: Final = 200
"""Of the bootstrap."""
PRIOR: Final = 0.01
"""Of choix's regularisation: without it, a level that never loses has no rating."""


@dataclass(frozen=True)
class Rung:
    """A level on the ladder. Times are milliseconds of CPU a decision."""

    level: str
    rating: float
    low: float
    high: float
    p50: float
    p95: float


@dataclass(frozen=True)
class Meeting:
    """What the stronger of two levels scored against the other."""

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
    options: dict[str, Any]
    pairs: int
    seed: int
    date: str
    machine: str
    build: str
    rungs: list[Rung]
    meetings: list[Meeting]


def climb(
    name: str,
    options: dict[str, Any] | None = None,
    pairs: int = 50,
    seed: int = 0,
    workers: int = 1,
    levels: list[str] | None = None,
) -> Ladder:
    """Play every pair of levels. Raises OptionError, for a game of more than two seats too."""
    setups = matchups(name, options or {})
    game = game_of(name, setups[0])
    if game.seats != 2:
        raise OptionError(f"A ladder is climbed in twos; give {game.title} two seats.")
    entrants = levels or levels_for(game)
    for level in entrants:
        entrant(level, game)
    if len(entrants) < 2:
        raise OptionError(f"A ladder has two rungs at least, and {game.title} has {', '.join(entrants)}.")
    scores: dict[tuple[str, str], list[float]] = {}
    spans: dict[str, list[float]] = {level: [] for level in entrants}
    with ProcessPoolExecutor(workers) as pool:
        for b, a in combinations(entrants, 2):
            play = partial(play_deal, a, b, name, setups, seed)
            deals = list(pool.map(play, range(pairs), chunksize=max(1, pairs // (4 * workers))))
            scores[a, b] = [mean(game.score for game in played) for played, _ in deals]
            for _, (of_a, of_b) in deals:
                spans[a] += of_a
                spans[b] += of_b
    meetings = [Meeting(a, b, *interval(found), len(found) * 2) for (a, b), found in scores.items()]
    return Ladder(
        game=name,
        version=games.kind(name).version,
        options=game_of(name, options or {}).shown_options() if options else {},
        pairs=pairs,
        seed=seed,
        date=date.today().isoformat(),
        machine=f"{os.cpu_count()} cores, {platform.machine()}, {platform.python_implementation()} "
        f"{platform.python_version()}",
        build=sentence(),
        rungs=rungs(entrants, scores, spans),
        meetings=meetings,
    )


def rungs(entrants: list[str], scores: dict[tuple[str, str], list[float]], spans: dict[str, list[float]]) -> list[Rung]:
    """Ratings, their 95 % intervals, and times."""
    plain = ratings(entrants, scores)
    rng = Rng(1)
    drawn = [ratings(entrants, {pair: resampled(found, rng) for pair, found in scores.items()}) for _ in range(SAMPLES)]
    found = []
    for i, level in enumerate(entrants):
        own = sorted(sample[i] for sample in drawn)
        low, high = own[round(0.025 * (SAMPLES - 1))], own[round(0.975 * (SAMPLES - 1))]
        times = [1000 * percentile(spans[level], share) for share in (0.5, 0.95)]
        found.append(Rung(level, *(round(value) for value in (plain[i], low, high)), *(round(t, 2) for t in times)))
    return found


def resampled(values: list[float], rng: Rng) -> list[float]:
    """As many of them, drawn with replacement."""
    return [values[rng.below(len(values))] for _ in values]


def ratings(entrants: list[str], scores: dict[tuple[str, str], list[float]]) -> list[float]:
    """The maximum-likelihood ratings, the first entrant's 0. Raises OptionError."""
    try:
        import choix
        import numpy
    except ModuleNotFoundError as error:
        raise OptionError(f"Ratings need the package {error.name}: pip install 'gonfalon[ladder]'.") from None
    won: np.ndarray[Any, Any] = numpy.zeros((len(entrants), len(entrants)))
    for (a, b), found in scores.items():
        i, j = entrants.index(a), entrants.index(b)
        won[i, j] += sum(found)
        won[j, i] += len(found) - sum(found)
    strengths = choix.ilsr_pairwise_dense(won, alpha=PRIOR)
    return [float(SCALE * (value - strengths[0])) for value in strengths]


# ---- telling ------------------------------------------------------------------------------------


def main(
    name: str, options: dict[str, Any], pairs: int, seed: int, workers: int, folder: Path | None, as_json: bool
) -> int:
    """The command `gonfalon lab ladder`."""
    ladder = climb(name, options, pairs, seed, workers)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(asdict(ladder), indent=1) + "\n", "utf-8")
        (folder / f"{name}.md").write_text(page(ladder), "utf-8")
        plot(ladder, folder / f"{name}.svg")
    if as_json:
        print(json.dumps(asdict(ladder), indent=1))
    else:
        print(page(ladder), end="")
    return 0


def page(ladder: Ladder) -> str:
    """A ladder as a page in Markdown, which a terminal shows as well."""
    lines = [
        f"# Levels of {games.kind(ladder.game).title}",
        "",
        f"{ladder.date}, rules version {ladder.version}, {ladder.pairs} pairs of games each, seed {ladder.seed}; "
        f"{ladder.machine}, {ladder.build}. Times are of the CPU, for a decision.",
        "",
        "| level | rating | 95 % | p50, ms | p95, ms |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {r.level} | {r.rating:.0f} | {r.low:.0f} to {r.high:.0f} | {r.p50} | {r.p95} |" for r in ladder.rungs]
    lines += ["", "What the level of the row scores against that of the column, in %:", ""]
    names = [rung.level for rung in ladder.rungs]
    lines += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    table = {(m.a, m.b): (m.score, m.low, m.high) for m in ladder.meetings}
    table |= {(m.b, m.a): (1 - m.score, 1 - m.high, 1 - m.low) for m in ladder.meetings}
    for row in names:
        cells = [cell(table.get((row, column))) for column in names]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def cell(found: tuple[float, float, float] | None) -> str:
    """`62 (55 to 69)`."""
    return "" if found is None else "{:.0f} ({:.0f} to {:.0f})".format(*(100 * value for value in found))


def plot(ladder: Ladder, path: Path) -> None:
    """The ratings with their intervals, as a picture. Raises OptionError."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise OptionError(f"The picture needs the package {error.name}: pip install 'gonfalon[ladder]'.") from None
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "gonfalon"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 0.45 * len(ladder.rungs) + 0.9))
    at = [rung.rating for rung in ladder.rungs]
    bars = [[r.rating - r.low for r in ladder.rungs], [r.high - r.rating for r in ladder.rungs]]
    axes.errorbar(at, [rung.level for rung in ladder.rungs], xerr=bars, fmt="o", color="#8c2f39", capsize=4)
    axes.set_xlabel(f"rating, {ladder.rungs[0].level} = 0")
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
