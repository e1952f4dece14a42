"""The scales that set right the chances that levels tell, fitted to games in which they play themselves.

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
from gonfalon.bots import levels_for
from gonfalon.bots.players.calibration import Scale, kept
from gonfalon.cli.arguments import SEED, Parser, number, option_argument, workers
from gonfalon.cli.lookups import playable_options
from gonfalon.core.basics.options import Options
from gonfalon.core.files.reading import read_text
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.match import game_of, matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.calibration import Told, added, binned, error_of, gather
from tools.command import run

CORNERS: Final = 10
"""Of a scale, at most; each for as many decisions."""
PULL: Final = 4
"""How strongly a scale is held to what changes nothing: as by so many games in which all came true as told."""


def fit(played: list[Told]) -> Scale:
    """The scale of games: chances in ascending groups of about equal size, with the mean of what was told and of what
    came; where that does not rise from one group to the next they are taken together."""
    data = sorted(one for told in played for one in told)
    pull = PULL / len(played)
    groups: list[tuple[float, float, float]] = []  # how many, the sum told, the sum that came
    begin = 0
    for end, (chance, _) in enumerate(data, start=1):
        if end < len(data) and (end - begin < len(data) / CORNERS or data[end][0] == chance):
            continue
        told = sum(chance for chance, _ in data[begin:end])
        came = sum(came for _, came in data[begin:end])
        groups.append(((1 + pull) * (end - begin), (1 + pull) * told, came + pull * told))
        begin = end
        while len(groups) > 1 and not rises(groups[-2], groups[-1]):
            last = groups.pop()
            groups[-1] = (groups[-1][0] + last[0], groups[-1][1] + last[1], groups[-1][2] + last[2])
    return Scale(tuple((round(told / held, 4), round(came / held, 4)) for held, told, came in groups))


def rises(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    """Whether both what was told and what came are higher in the second group, in the digits that are kept."""
    return all(round(a[i] / a[0], 4) < round(b[i] / b[0], 4) for i in (1, 2))


def learn(
    name: str,
    levels: list[str] | None,
    options: Options,
    count: int,
    seed: int,
    workers: Workers,
    path: Path,
) -> None:
    """Fit the scales of levels, from games in which they play themselves, and write them into a file beside
    what it holds. Each is told with its error before, and after, where half of the games had no part in it;
    a level whose error is no smaller after goes without a scale."""
    setups = matchups(name, options)
    game = game_of(name, setups[0])
    held: Held = {"scales": {}}
    if path.exists():
        held = json.loads(read_text(path))
    for level in levels or levels_for(game):
        played, _ = gather(level, level, name, setups, count, seed, workers, raw=True)
        if not any(played):
            continue
        scale = fit(played)
        halves = [played[::2], played[1::2]]
        crossed = [scaled(told, fit(halves[1 - half])) for half in (0, 1) for told in halves[half]]
        before, after = (error_of(added([binned(told) for told in found])) for found in (played, crossed))
        print(
            f"{name} {level}: error {before:.1%} before, {after:.1%} after, in games that it was not learned from"
            + ("" if after < before else "; it is left as it is"),
            flush=True,
        )
        scales = held["scales"].setdefault(str(game.seats), {})
        learned = held.setdefault("learned", {}).setdefault(str(game.seats), {})
        if after < before:
            scales[level] = scale.corners
            learned[level] = {"games": len(played), "seed": seed, "rules": games.kind(name).version}
        else:
            scales.pop(level, None)
            learned.pop(level, None)
        atomic_files.write(path, lined(held))
    kept.cache_clear()


Held = dict[str, dict[str, dict[str, object]]]
"""What a file of scales holds: part, seats, level."""


def lined(held: Held) -> str:
    """The file of a game's scales, a line for each."""
    parts = []
    for part, by_seats in sorted(held.items()):
        rows = []
        for seats, by_level in sorted(by_seats.items()):
            levels = [f"   {json.dumps(level)}: {json.dumps(found)}" for level, found in sorted(by_level.items())]
            rows.append(f"  {json.dumps(seats)}: {{\n" + ",\n".join(levels) + "\n  }")
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(rows) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def scaled(told: Told, scale: Scale) -> Told:
    """Chances set right."""
    return [(scale.of(chance), came) for chance, came in told]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = Parser(prog="python -m tools.fitting.chances", description="Fit what sets told chances right.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="default: all that tell chances")
    parser.add_argument("--games", type=number(2, 10_000_000, "the number of games"), default=400, metavar="N")
    parser.add_argument("--seed", type=SEED, default=1, metavar="N")
    parser.add_argument("--workers", type=workers, default=1, metavar="N", help="processes, or `all`")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file of scales")
    option_argument(parser)
    parser.set_defaults(run=fit_levels)
    return run(parser, arguments)


def fit_levels(args: argparse.Namespace) -> int:
    """Fit the scales that were asked for."""
    options = playable_options(args.game, args.option)
    learn(args.game, args.levels or None, options, args.games, args.seed, args.workers, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
