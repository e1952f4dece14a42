"""What can be turned at a training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The numbers of a training."""

    thumb: float
    """The part of the games with the rule of thumb in one seat."""
    decay: float
    """What turns out later counts so much less, for each decision between (lambda of generalised advantages)."""
    rivals: float = 0.3
    """The part of the others with an earlier version in one seat."""
    games: int = 256
    """Played side by side."""
    batch: int = 12288
    """Decisions that are learnt from at once."""
    part: int = 1024
    """Of these in each step."""
    passes: int = 2
    rate: float = 1.5e-3
    clip: float = 0.2
    curious: float = 0.01
    """What an even policy is worth, at the beginning; at the end a fifth of it."""
    keep: int = 4
    """How many earlier versions are played against, besides the very first."""
    renew: int = 40
    """Updates between two that are kept."""
