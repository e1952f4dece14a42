"""`gonfalon learn` and `puzzles`."""

from __future__ import annotations

import argparse

from gonfalon.cli.arguments import Commands, make_number_parser


def add_learn(subparsers: Commands) -> None:
    """Add `learn` to the commands."""
    sub = subparsers.add_parser(
        "learn",
        help="play a guided first game",
        description="Play a guided first game or an exercise in this terminal. Nothing is saved.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", nargs="?", metavar="NAME", help="the lesson or exercise (default: the first game)")
    sub.add_argument("--plain", action="store_true", help="print line by line, in one column")
    sub.set_defaults(run=run_learn)


def add_puzzles(subparsers: Commands) -> None:
    """Add `puzzles` to the commands."""
    sub = subparsers.add_parser(
        "puzzles",
        help="solve a puzzle in this terminal",
        description="Solve a puzzle in this terminal: a position with one best move for the knowledge of its seat.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "number",
        nargs="?",
        type=make_number_parser(1, 100_000, "the number of a puzzle"),
        metavar="N",
        help="the puzzle (default: that of today)",
    )
    sub.add_argument("--plain", action="store_true", help="print line by line, in one column")
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
