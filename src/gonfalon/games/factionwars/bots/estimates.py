"""Chances to win with their intervals, and what is worth telling of a card that is picked."""

from __future__ import annotations

from math import sqrt
from typing import Final

from gonfalon.bots.players.choice import Alternative, Estimate, Z, ranked, within
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.bots.trial_round import Trial

ENOUGH: Final = 10
"""Trials before a chance is worth telling."""


def around(mean: float, variance: float, count: float) -> Estimate:
    """The mean of so many chances to win with its interval, which few trials leave wide."""
    return within(mean, Z * max(sqrt(max(0.0, variance) / max(1.0, count)), 0.1 / (count + 1)))


def others(actions: list[Action], values: list[Estimate], count: float, chosen: Action) -> tuple[Alternative, ...]:
    """The others with the highest chances; each action was tried as often as the other ones."""
    share = 1.0 / len(actions)
    found = [Alternative(a, v if count >= ENOUGH else None, share) for a, v in zip(actions, values, strict=True)]
    return ranked(one for one in found if one.action != chosen)


def worth(trial: Trial, me: Seat, kind: int, others: list[float]) -> tuple[tuple[str, float], ...]:
    """What is worth telling of a card that is picked. `others` says how likely each seat goes there."""
    nobody = 1.0
    rival = -1
    for seat, chance in enumerate(others):
        if seat != me:
            nobody *= 1.0 - chance
            if rival < 0 or chance > others[rival]:
                rival = seat
    return (
        ("points", trial.worth(me, kind)),
        ("contested", 1.0 - nobody),
        ("rival", float(rival)),
        ("their points", trial.worth(rival, kind)),
        ("odds", trial.odds()[me * trial.seats + rival]),
    )
