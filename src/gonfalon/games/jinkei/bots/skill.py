"""What sets the levels apart: how far they look, how much they try, and which ideas they have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Skill:
    """The ideas of a level. Its budget in iterations is the most fights it tries out for a decision."""

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
