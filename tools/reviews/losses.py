"""How much of a loss comes true: the scale of a game's reviews, fitted to decisions of ordinary players.

Wherever a judge finds that anything was lost for certain the second referee plays the same question to the end. The
line through both says how much of a loss is told, and the floor of its error is the least at which the intervals that
are told hold what the second referee found as often as they claim.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.bots import levels_for
from gonfalon.bots.players.choice import Z
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run import atomic_files, machine
from gonfalon.lab.run.match import game_of, matchups
from gonfalon.lab.run.workers import Workers
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.losses import FILE_VERSION, Loss, Scale
from tools.reviews.baselines import ORDINARY, table_of
from tools.reviews.notebook import Notebook, work_through
from tools.reviews.reviews import NARROW, Judged, Report, games_of_levels, holds, read_judged, study_of

LEAST: Final = 20
"""Fewer losses than that say nothing."""
HOLDS: Final = 0.94
"""So many of the intervals hold what the second referee finds."""
ROUNDS: Final = 8
STEP: Final = 0.005
MOST: Final = 40
"""Steps of the floor, at most."""
SCALED: Final = ("discount", "doubt", "floor")
"""What comes of such a study, and nothing in it comes of: it is made with a narrow scale."""


def learn(
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
    """Fit the scale of a game's losses, say how it holds, and keep it. Raises OptionError."""
    setups = matchups(name, options)
    game = game_of(name, setups[0])
    levels = [level for level in levels_for(game) if level in ORDINARY]
    parts = list(games_of_levels(name, setups, levels, decisions, seed, all_losses=True).values())
    notebook = Notebook(path, study_of(game, options, decisions, seed, SCALED) | {"study": "losses"})
    noted = work_through(parts, notebook, workers, seconds, report)
    judged = [one for found in noted.values() for one in read_judged(found).judged if one.referee is not None]
    scale = fitted(judged)
    told = chosen(judged, scale)
    held = {
        "version": FILE_VERSION,
        "about": {
            "losses": len(told),
            "levels": levels,
            "seed": seed,
            "rules": games.kind(name).version,
            "network": table_of(game).network,
            "date": date.today().isoformat(),
            "commit": machine.commit(),
        },
        "told": scale.told,
        "doubt": scale.doubt,
        "floor": scale.floor,
    }
    atomic_files.write(file, json.dumps(held, indent=1) + "\n")
    aside = f"{100 * scale.floor:.1f} points aside"
    print(f"{name}: {scale.told:.0%} of a loss comes true, {aside}; {len(told)} losses say so.")


def fitted(judged: Sequence[Judged]) -> Scale:
    """The scale that fits to losses, of those that it would tell as certain itself. Raises OptionError."""
    some, scale = chosen(judged, NARROW), NARROW
    for _ in range(ROUNDS):
        if len(some) < LEAST:  # a wide interval leaves fewer that are certain
            raise OptionError(f"Only {len(some)} losses are certain, which says nothing: judge more decisions.")
        share = slope(some, scale)
        floors = [Scale(share, NARROW.doubt, round(STEP * n, 3)) for n in range(MOST + 1)]
        found = next((one for one in floors if holding(some, one) >= HOLDS), floors[-1])
        if found == scale:
            return scale
        scale, some = found, chosen(judged, found)
    raise OptionError("Which losses are certain does not settle, and says nothing so: judge more decisions.")


def chosen(judged: Sequence[Judged], scale: Scale) -> list[Judged]:
    """The losses that a scale would tell as certain, so that a mark is thought of."""
    return [one for one in judged if scale.of(raw_of(one)).low > Budgets().doubted]


def raw_of(one: Judged) -> Loss:
    """A loss in the judge's own worlds."""
    return Loss(one.raw, one.raw - one.raw_half, one.raw + one.raw_half)


def slope(some: Sequence[Judged], scale: Scale) -> float:
    """How much of a loss the second referee finds on the whole: whatever is surer weighs more."""
    above = below = 0.0
    for one in some:
        told = scale.of(raw_of(one))
        weight = Z**2 / (one.half**2 + (told.high - told.value) ** 2)
        above += weight * one.raw * (one.referee or 0.0)
        below += weight * one.raw**2
    return round(above / below, 2)


def holding(some: Sequence[Judged], scale: Scale) -> float:
    """How many of the intervals of a scale hold what the second referee found."""
    return sum(holds(scale.of(raw_of(one)), one) for one in some) / len(some)
