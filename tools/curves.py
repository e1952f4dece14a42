"""Train the baselines of the named tasks, measure our levels on the same boards, and draw the learning curves.

    python -m tools.curves train --folder runs     # examples/selfplay.py, five seeds each; needs PyTorch
    python -m tools.curves levels                  # into docs/learning/levels.csv
    python -m tools.curves collect --folder runs   # into docs/learning/curves.csv and docs/learning/weights
    python -m tools.curves play                    # into docs/learning/weights.csv
    python -m tools.curves draw                    # into docs/pictures/curves.svg

Finished runs and measurements are kept, so an interrupted command continues.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import hypot
from pathlib import Path
from typing import Final, NamedTuple

from examples.weights import DEALS, load, measure
from gonfalon.bots import make
from gonfalon.bridges.session import Session
from gonfalon.bridges.tasks import TASKS, make_task
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.charts.charts import SOFT

ROOT: Final = Path(__file__).parents[1]
CURVES: Final = ROOT / "docs" / "learning" / "curves.csv"
LEVELS: Final = ROOT / "docs" / "learning" / "levels.csv"
WEIGHTS: Final = ROOT / "docs" / "learning" / "weights"
"""The networks of the first seed on the small tasks."""
PLAYED: Final = WEIGHTS.with_suffix(".csv")
PICTURE: Final = ROOT / "docs" / "pictures" / "curves.svg"
METHODS: Final = ("ppo", "mmd", "rnad")
SEEDS: Final = range(11, 16)
DECISIONS: Final = 262_144
"""The decisions of all seats in one training."""
LONGER: Final = {"gonfalon/factionwars-small-v1": 524_288}
"""Tasks whose curves rise for longer."""
FULL: Final = ("gonfalon/jinkei-full-v1", "gonfalon/feint-full-v1")
"""The full games with trainings."""
SHORT: Final = 65_536
"""The decisions of the methods other than PPO in full games."""
GAMES: Final = 200
"""The games of each measurement of a network against an opponent."""
INTERVAL: Final = 32_768
"""The decisions between two measurements of a network."""
WEIGHTS_GAMES: Final = 1000
"""The games of published weights against each opponent."""
OPPONENTS: Final = ("random", "greedy")
PAIRS: Final = (
    ("greedy", "random", 100),
    *((level, opponent, deals) for level, deals in (("club", 50), ("strong", 30)) for opponent in OPPONENTS),
)
"""A level, its opponent, and the number of deals. Both seats play each deal."""
FIRST_DEAL: Final = 2_000_000
"""The seed of the first measured deal."""
T_95: Final = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
"""Quantiles of Student's distribution, by degrees of freedom."""


class Run(NamedTuple):
    """One training."""

    task: str
    method: str
    seed: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.task.split('/')[-1]}-{self.method}-{self.seed}"


def list_runs() -> list[Run]:
    """Return all trainings: three methods on the small tasks and on two full ones."""
    tasks = [*(name for name in sorted(TASKS) if "-small-" in name), *FULL]
    return [Run(task, method, seed) for method, task in product(METHODS, tasks) for seed in SEEDS]


def train(folder: Path, part: int, parts: int) -> None:
    """Run the trainings that have no files yet."""
    from examples import selfplay

    for run in list_runs()[part::parts]:
        if not (folder / f"{run.name}.csv").exists():
            is_short = run.task in FULL and run.method != "ppo"
            decisions = SHORT if is_short else LONGER.get(run.task, DECISIONS)
            given: list[object] = ["--task", run.task, "--method", run.method, "--seed", run.seed]
            given += ["--decisions", decisions, "--reports", decisions // INTERVAL]
            given += ["--games", GAMES, "--deals", DEALS]
            print(run.name, flush=True)
            selfplay.main([*map(str, given), "--write", str(folder)])


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write rows as a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def collect(folder: Path) -> None:
    """Join the curves of finished runs. A task and method with a missing seed keeps its rows."""
    known: dict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    for row in read(CURVES):
        known[row["task"], row["method"]].append({**row})
    groups: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in list_runs():
        groups[run.task, run.method].append(run)
    for key, runs in groups.items():
        files = [folder / f"{run.name}.csv" for run in runs]
        if "-small-" in runs[0].task and files[0].exists():
            WEIGHTS.mkdir(exist_ok=True)
            shutil.copy(files[0].with_suffix(".npz"), WEIGHTS)
        if all(file.exists() for file in files):
            known[key] = [
                {**run._asdict(), "deals": DEALS, **point}
                for run, file in zip(runs, files, strict=True)
                for point in read(file)
            ]
    write(CURVES, [row for rows in known.values() for row in rows])


def play_weights() -> None:
    """Play the published weights on their boards."""
    rows: list[dict[str, object]] = []
    for path, opponent in product(sorted(WEIGHTS.glob("*.npz")), OPPONENTS):
        task, policy = load(path)
        mean, half = estimate(measure(policy, task, opponent, WEIGHTS_GAMES, DEALS).tolist())
        row = {"task": task, "file": path.name, "opponent": opponent, "games": WEIGHTS_GAMES}
        rows.append({**row, "score": round(mean, 4), "half": round(half, 4)})
        print(*rows[-1].values(), flush=True)
    write(PLAYED, rows)


def play(task: str, level: str, opponent: str, deal: int) -> float:
    """Return the mean score of a level in both seats of a deal. A win counts 1."""
    scores = []
    for seat in (0, 1):
        session = Session(make_task(task))
        session.reset(FIRST_DEAL + deal)
        bots = [make(level if at == seat else opponent, session.game).begin_game() for at in (0, 1)]
        streams = [Rng(FIRST_DEAL + 2 * deal + at) for at in (0, 1)]
        state = session.full_state
        while state.stack:
            turn = state.turn
            state.apply(turn, bots[turn].choose(state.mask(turn), None, streams[turn]).action)
            session.settle()
        scores.append((state.returns()[seat] + 1) / 2)
    return sum(scores) / 2


def measure_levels() -> None:
    """Measure the levels against the opponents of the curves, and keep the rows that exist."""
    rows: list[dict[str, object]] = [{**row} for row in read(LEVELS)] if LEVELS.exists() else []
    known = {(row["task"], row["level"], row["opponent"]) for row in rows}
    for (level, opponent, deals), task in product(PAIRS, sorted(TASKS, reverse=True)):
        if (task, level, opponent) not in known:
            mean, half = estimate([play(task, level, opponent, deal) for deal in range(deals)])
            row = {"task": task, "level": level, "opponent": opponent, "deals": deals, "score": round(mean, 4)}
            # Without a loss, or a win, 3 / n bounds the share that was never seen (the rule of three).
            rows.append({**row, "half": round(half or 3 / deals, 4)})
            write(LEVELS, rows)


def estimate(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent values and half the width of its 95 % interval."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, float("nan")
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, T_95.get(n - 1, 1.96) * (variance / n) ** 0.5


class Point(NamedTuple):
    """A point of a mean curve."""

    task: str
    method: str
    decisions: int
    opponent: str
    mean: float
    half: float
    """Half the width of the 95 % interval over seeds and deals."""


class Change(NamedTuple):
    """The change of a mean curve from its third to its last quarter."""

    task: str
    method: str
    opponent: str
    mean: float
    half: float
    """Half the width of the 95 % interval over seeds. All of them play the same deals."""


def list_points() -> Iterator[Point]:
    """Yield the mean curves over seeds.

    All networks of a task play the same `GAMES` deals, so the error of the deals is the same for all seeds.
    """
    groups: dict[tuple[str, str, int], list[dict[str, str]]] = defaultdict(list)
    for row in read(CURVES):
        groups[row["task"], row["method"], int(row["decisions"])].append(row)
    for key, rows in groups.items():
        for opponent in OPPONENTS:
            mean, half = estimate([float(row[opponent]) for row in rows])
            shared = 1.96 * (mean * (1 - mean) / GAMES) ** 0.5
            yield Point(*key, opponent, mean, hypot(half, shared))


def list_changes() -> Iterator[Change]:
    """Yield the changes of the mean scores from the third to the last quarter, with their intervals.

    Curves with fewer than two measurements in a quarter are left out: one would hide what they rise.
    """
    groups: dict[tuple[str, str], dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for row in read(CURVES):
        if row["decisions"] != "0":
            groups[row["task"], row["method"]][row["seed"]].append(row)
    for key, seeds in groups.items():
        for opponent in OPPONENTS if all(len(rows) >= 8 for rows in seeds.values()) else ():
            found = []
            for rows in seeds.values():
                scores, size = [float(row[opponent]) for row in rows], len(rows) // 4
                found.append((sum(scores[-size:]) - sum(scores[-2 * size : -size])) / size)
            yield Change(*key, opponent, *estimate(found))


def draw() -> None:
    """Draw the curves with their intervals, and the levels as lines."""
    import altair as alt

    points, levels = list(list_points()), read(LEVELS)
    x = alt.X("decisions:Q", title="decisions in training", axis=alt.Axis(format="~s", tickCount=4))
    y = alt.Y("score:Q", title="score in %", scale=alt.Scale(domain=[0, 100]))
    color = alt.Color("method:N", scale=alt.Scale(range=["#8a1c2c", "#2b5d7d", "#c99a2e"]))
    panels = []
    for task, against in product(sorted({point.task for point in points}), OPPONENTS):
        mine = [
            {"method": p.method, "decisions": p.decisions, "score": 100 * p.mean}
            | {"low": 100 * (p.mean - p.half), "high": 100 * (p.mean + p.half)}
            for p in points
            if (p.task, p.opponent) == (task, against)
        ]
        known = [
            {"level": one["level"], "score": 100 * float(one["score"])}
            for one in levels
            if (one["task"], one["opponent"]) == (task, against)
        ]
        title = f"{task.split('/')[-1]}, against {against}"
        base = alt.Chart({"values": mine}).properties(width=240, height=150, title=title)
        band = base.mark_area(opacity=0.2).encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), color)
        line = base.mark_line(point=True).encode(x, y, color)
        rule = alt.Chart({"values": known}).mark_rule(strokeDash=[4, 3], color=SOFT).encode(y)
        # Side by side, because levels may have almost the same score.
        texts = [
            alt.Chart({"values": [one]})
            .mark_text(align="left", dx=3 + 45 * place, dy=-5, color=SOFT)
            .encode(y, text="level:N", x=alt.value(0))
            for place, one in enumerate(known)
        ]
        panels.append(alt.layer(band, line, rule, *texts))
    chart = alt.concat(*panels, columns=2).configure(background="#fbf8ef")
    chart.save(str(PICTURE))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description="Learning curves of the named tasks. A training takes less than a minute of CPU time.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("what", choices=("train", "levels", "collect", "play", "draw"))
    parser.add_argument("--folder", type=Path, default=Path("runs"), help="of the finished trainings")
    parser.add_argument("--part", type=int, default=0, help="number of this process among all that train")
    parser.add_argument("--parts", type=int, default=1, help="number of processes that train")
    args = parser.parse_args(arguments)
    if args.what == "train":
        train(args.folder.resolve(), args.part, args.parts)
    elif args.what == "levels":
        measure_levels()
    elif args.what == "collect":
        collect(args.folder.resolve())
    elif args.what == "play":
        play_weights()
    else:
        draw()
    return 0


if __name__ == "__main__":
    sys.exit(main())
