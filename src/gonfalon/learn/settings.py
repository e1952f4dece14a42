"""What can be turned at a training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The numbers of a training."""

    games: int = 256
    """Played side by side."""
    batch: int = 12288
    """Decisions that are learnt from at once."""
    part: int = 1024
    """Of these in each step."""
    passes: int = 2
    rate: float = 1.5e-3
    clip: float = 0.2
    decay: float = 0.95
    """How far ahead the value is trusted less (lambda)."""
    curious: float = 0.01
    """What an even policy is worth, at the beginning; at the end a fifth of it."""
    rivals: float = 0.25
    """The part of the games with an earlier version in one seat."""
    thumb: float = 0.15
    """The part with the rule of thumb in one seat."""
    keep: int = 4
    """How many earlier versions are played against, besides the very first."""
    renew: int = 40
    """Updates between two that are kept."""
