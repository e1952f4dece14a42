"""The calibration of losses: the scale of a game's reviews, fitted to decisions of ordinary players.

Wherever a judge finds a certain loss, the second referee plays the same question to the end. The regression line
through both gives the reported share of a loss. The floor of its error is the smallest one for which the reported
intervals cover the second referee's result as often as they claim.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.bots import list_playable_levels
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run import atomic_files, machine
from gonfalon.lab.run.match import get_game, list_matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.losses import FILE_VERSION, Loss, Scale
from tools.reviews.baselines import ORDINARY_LEVELS, get_table
from tools.reviews.notebook import Notebook, run_parts
from tools.reviews.reviews import NARROW_SCALE, Judged, Report, identify_study, is_within, map_level_parts, read_judged

MIN_LOSSES: Final = 20
"""Minimum number of losses."""
MIN_COVERAGE: Final = 0.94
"""Required coverage of the intervals."""
ROUNDS: Final = 8
"""Maximum number of iterations."""
STEP: Final = 0.005
"""Step of the floor."""
MAX_STEPS: Final = 40
"""Maximum number of steps of the floor."""
SCALE_FIELDS: Final = ("discount", "doubt", "floor")
"""Parts of a reviewer that such a study determines. They do not influence it, because it uses a narrow scale."""


def learn_scale(
    name: str,
    options: Options,
    decisions: int,
    seed: int,
    workers: Workers,
    path: Path | None,
    seconds: float | None,
    report: Report | None,
    file: Path,
) -> None:
    """Fit the scale of a game's losses, print its coverage, and write it.

    Raises:
        OptionError: There are too few losses.
    """
    setups = list_matchups(name, options)
    game = get_game(name, setups[0])
    levels = [level for level in list_playable_levels(game) if level in ORDINARY_LEVELS]
    parts = list(map_level_parts(name, setups, levels, decisions, seed, all_losses=True).values())
    notebook = Notebook(path, identify_study(game, options, decisions, seed, SCALE_FIELDS) | {"study": "losses"})
    noted = run_parts(parts, notebook, workers, seconds, report)
    judged = [one for found in noted.values() for one in read_judged(found).judged if one.referee is not None]
    scale = fit_scale(judged)
    told = choose_certain(judged, scale)
    held = {
        "version": FILE_VERSION,
        "about": {
            "losses": len(told),
            "levels": levels,
            "seed": seed,
            "rules": games.find_game_class(name).version,
            "network": get_table(game).network,
            "date": date.today().isoformat(),
            "commit": machine.read_commit(),
        },
        "told": scale.told,
        "doubt": scale.doubt,
        "floor": scale.floor,
    }
    atomic_files.write_file(file, json.dumps(held, indent=1) + "\n")
    aside = f"{100 * scale.floor:.1f} points aside"
    print(f"{name}: {scale.told:.0%} of a loss comes true, {aside}; based on {len(told)} losses.")


def fit_scale(judged: Sequence[Judged]) -> Scale:
    """Return the scale fitted to the losses that it classifies as certain.

    Raises:
        OptionError: There are too few losses, or the selection does not converge.
    """
    some, scale = choose_certain(judged, NARROW_SCALE), NARROW_SCALE
    for _ in range(ROUNDS):
        if len(some) < MIN_LOSSES:  # Wide intervals leave fewer certain losses.
            raise OptionError(f"Only {len(some)} losses are certain. Judge more decisions.")
        share = fit_slope(some, scale)
        floors = [Scale(share, NARROW_SCALE.doubt, round(STEP * n, 3)) for n in range(MAX_STEPS + 1)]
        found = next((one for one in floors if measure_coverage(some, one) >= MIN_COVERAGE), floors[-1])
        if found == scale:
            return scale
        scale, some = found, choose_certain(judged, found)
    raise OptionError("The selection of certain losses does not converge. Judge more decisions.")


def choose_certain(judged: Sequence[Judged], scale: Scale) -> list[Judged]:
    """Return the losses that a scale classifies as certain."""
    return [one for one in judged if scale.of(raw_loss(one)).low > Budgets().doubted]


def raw_loss(one: Judged) -> Loss:
    """Return the loss in the judge's own worlds."""
    return Loss(one.raw, one.raw - one.raw_half, one.raw + one.raw_half)


def fit_slope(some: Sequence[Judged], scale: Scale) -> float:
    """Return the second referee's losses relative to the judge's, weighted by precision."""
    above = below = 0.0
    for one in some:
        told = scale.of(raw_loss(one))
        weight = Z**2 / (one.half**2 + (told.high - told.value) ** 2)
        above += weight * one.raw * (one.referee or 0.0)
        below += weight * one.raw**2
    return round(above / below, 2)


def measure_coverage(some: Sequence[Judged], scale: Scale) -> float:
    """Return the share of a scale's intervals that cover the second referee's results."""
    return sum(is_within(scale.of(raw_loss(one)), one) for one in some) / len(some)
