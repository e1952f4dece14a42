"""`gonfalon learn` and `puzzles`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import (
    Commands,
    number,
)


def add_learn(subparsers: Commands) -> None:
    """Add `learn` to the commands."""
    sub = subparsers.add_parser(
        "learn",
        help="a guided first game",
        description="A guided first game in this terminal, or an exercise. It starts nothing that has to be kept.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", nargs="?", metavar="NAME", help="the lesson or exercise (default: the first game)")
    sub.add_argument("--plain", action="store_true", help="one column, nothing cleared")
    sub.set_defaults(run=run_learn)


def add_puzzles(subparsers: Commands) -> None:
    """Add `puzzles` to the commands."""
    sub = subparsers.add_parser(
        "puzzles",
        help="solve a puzzle in this terminal",
        description="Solve a puzzle in this terminal: a position in which one answer is the best for what its seat can "
        "know.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "number", nargs="?", type=number(1, 100_000, "a puzzle's number"), metavar="N", help="default: today's"
    )
    sub.add_argument("--plain", action="store_true", help="one column, nothing cleared")
    sub.set_defaults(run=run_puzzles)


def run_learn(args: argparse.Namespace) -> int:
    """Run `gonfalon learn`. Return the exit code."""
    from gonfalon.games import find_game_class
    from gonfalon.terminal.games.lesson import play_lesson as guide

    return guide(find_game_class(args.game), args.name, args.plain)


def run_puzzles(args: argparse.Namespace) -> int:
    """Run `gonfalon puzzles`. Return the exit code."""
    from gonfalon.games import find_game_class
    from gonfalon.terminal.games.puzzle import play_puzzle as solve

    return solve(find_game_class(args.game), args.number, args.plain)
