"""The hyperparameters of a training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of a training."""

    thumb: float
    """Share of the games with the heuristic in one seat."""
    decay: float
    """Lambda of generalized advantage estimation."""
    rivals: float = 0.3
    """Share of the other games with an earlier version in one seat."""
    games: int = 256
    """Number of parallel games."""
    batch: int = 12288
    """Number of decisions in a lot."""
    part: int = 1024
    """Number of decisions in a gradient step."""
    passes: int = 2
    """Number of passes over a lot."""
    rate: float = 1.5e-3
    """Initial learning rate."""
    clip: float = 0.2
    """Clipping range of the probability ratio."""
    curious: float = 0.01
    """Weight of the entropy bonus at the beginning; it falls to a fifth."""
    keep: int = 4
    """Number of earlier versions kept as rivals, in addition to the first."""
    renew: int = 40
    """Number of updates between two kept versions."""
