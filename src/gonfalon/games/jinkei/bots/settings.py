"""What sets the levels apart: how far they look, how much they try, and which ideas they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Settings:
    """The ideas of a level."""

    iterations: int = 1
    """How many fights it tries at most for a decision."""
    horizon: int = 0
    """How many battles it looks ahead; 0: all of the round."""
    worlds: int = 1
    """In how many worlds it plays the battles to the end."""
    rank_only: bool = False
    """It lays cards by their rank alone."""
    tries: int = 1
    """How many ways to lay its cards it compares by fights; 1: none."""
    opponents: int = 0
    """How many of the other's formations the best ways have to fight."""
    climbs: int = 0
    """How often it looks around the best way found, two cards changing places."""
    picky: int = 1
    """Out of how many ways it lets the other choose the better one."""
    matrix: int = 0
    """How many rounds it plays for each pair of formations before it chooses its own; 0: by first sight."""
    beliefs: bool = False
    """It reads which kinds of cards people lay face down."""
    endgame: int = 0
    """With so many battles left, or fewer, it solves the game with its hidden cards; 0: never."""
    score: bool = False
    """It plays for the win, not for points."""


LEVELS: Final = {
    # Sees the battle that is on, and lays the highest cards in front.
    "gentle": Settings(50, horizon=1, rank_only=True),
    # Sees two battles ahead, and knows which rank is worth what on which space.
    "casual": Settings(50, horizon=2, worlds=2),
    # Plays some worlds of its view to the end of the round.
    "club": Settings(100, worlds=6),
    # Compares ways to lay its cards by fights, and reads face-down cards.
    "strong": Settings(400, worlds=15, tries=12, opponents=8, beliefs=True),
    # Compares many ways and looks around the best one, expects opponents that choose well, knows what types and
    # formations are worth against each other, solves the last battles, and plays for the win.
    "expert": Settings(
        4000, worlds=60, tries=48, opponents=96, climbs=2, picky=2, matrix=60, beliefs=True, endgame=5, score=True
    ),
}
