"""Calibration of the win chances that levels estimate, fitted to games in which they play themselves.

python -m tools.fitting.chances feint --games 400 --workers all --out src/gonfalon/games/feint/bots/chances.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.bots import list_playable_levels
from gonfalon.bots.players.calibration import Scale, kept
from gonfalon.cli.arguments import SEED, Parser, add_option_argument, make_number_parser, parse_workers
from gonfalon.cli.lookups import check_options
from gonfalon.core.basics.options import Options
from gonfalon.core.files.reading import read_text
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.match import get_game, list_matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.calibration import Estimates, add_sums, calibration_error, gather_estimates, sum_bins
from tools.command import run_command

MAX_CORNERS: Final = 10
"""Maximum number of corners of a scale; each covers the same number of decisions."""
PRIOR_GAMES: Final = 4
"""Strength of the prior for the identity: the number of games in which every estimate was exactly right."""


def fit_scale(played: list[Estimates]) -> Scale:
    """Return the scale of games.

    Estimates are grouped in ascending order into groups of about equal size, each with the mean estimate and the mean
    result. Groups whose means do not rise are merged.
    """
    data = sorted(one for told in played for one in told)
    pull = PRIOR_GAMES / len(played)
    groups: list[tuple[float, float, float]] = []  # how many, the sum told, the sum that came
    begin = 0
    for end, (chance, _) in enumerate(data, start=1):
        if end < len(data) and (end - begin < len(data) / MAX_CORNERS or data[end][0] == chance):
            continue
        told = sum(chance for chance, _ in data[begin:end])
        came = sum(came for _, came in data[begin:end])
        groups.append(((1 + pull) * (end - begin), (1 + pull) * told, came + pull * told))
        begin = end
        while len(groups) > 1 and not is_rising(groups[-2], groups[-1]):
            last = groups.pop()
            groups[-1] = (groups[-1][0] + last[0], groups[-1][1] + last[1], groups[-1][2] + last[2])
    return Scale(tuple((round(told / held, 4), round(came / held, 4)) for held, told, came in groups))


def is_rising(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    """Return whether mean estimate and mean result are higher in the second group, at the stored precision."""
    return all(round(a[i] / a[0], 4) < round(b[i] / b[0], 4) for i in (1, 2))


def learn_scales(
    name: str,
    levels: list[str] | None,
    options: Options,
    count: int,
    seed: int,
    workers: Workers,
    path: Path,
) -> None:
    """Fit the scales of levels and add them to a file.

    The errors before and after are printed; for the latter each half of the games uses the scale of the other half. A
    level
    whose error does not fall gets no scale.
    """
    setups = list_matchups(name, options)
    game = get_game(name, setups[0])
    held: ScaleFile = {"scales": {}}
    if path.exists():
        held = json.loads(read_text(path))
    for level in levels or list_playable_levels(game):
        played, _ = gather_estimates(level, level, name, setups, count, seed, workers, raw=True)
        if not any(played):
            continue
        scale = fit_scale(played)
        halves = [played[::2], played[1::2]]
        crossed = [apply_scale(told, fit_scale(halves[1 - half])) for half in (0, 1) for told in halves[half]]
        before, after = (calibration_error(add_sums([sum_bins(told) for told in found])) for found in (played, crossed))
        print(
            f"{name} {level}: error {before:.1%} before, {after:.1%} after, in games that the fit did not use"
            + ("" if after < before else "; unchanged"),
            flush=True,
        )
        scales = held["scales"].setdefault(str(game.seats), {})
        learned = held.setdefault("learned", {}).setdefault(str(game.seats), {})
        if after < before:
            scales[level] = scale.corners
            learned[level] = {"games": len(played), "seed": seed, "rules": games.find_game_class(name).version}
        else:
            scales.pop(level, None)
            learned.pop(level, None)
        atomic_files.write_file(path, format_file(held))
    kept.cache_clear()


ScaleFile = dict[str, dict[str, dict[str, object]]]
"""Contents of a file of scales: part, seats, level."""


def format_file(held: ScaleFile) -> str:
    """Return the text of a file of scales, one line for each scale."""
    parts = []
    for part, by_seats in sorted(held.items()):
        rows = []
        for seats, by_level in sorted(by_seats.items()):
            levels = [f"   {json.dumps(level)}: {json.dumps(found)}" for level, found in sorted(by_level.items())]
            rows.append(f"  {json.dumps(seats)}: {{\n" + ",\n".join(levels) + "\n  }")
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(rows) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def apply_scale(told: Estimates, scale: Scale) -> Estimates:
    """Return calibrated estimates."""
    return [(scale.of(chance), came) for chance, came in told]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = Parser(prog="python -m tools.fitting.chances", description="Fit the calibration of win chances.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="default: all that estimate win chances")
    parser.add_argument(
        "--games", type=make_number_parser(2, 10_000_000, "the number of games"), default=400, metavar="N"
    )
    parser.add_argument("--seed", type=SEED, default=1, metavar="N")
    parser.add_argument("--workers", type=parse_workers, default=1, metavar="N", help="processes, or `all`")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file of scales")
    add_option_argument(parser)
    parser.set_defaults(run=fit_levels)
    return run_command(parser, arguments)


def fit_levels(args: argparse.Namespace) -> int:
    """Fit the requested scales."""
    options = check_options(args.game, args.option)
    learn_scales(args.game, args.levels or None, options, args.games, args.seed, args.workers, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
