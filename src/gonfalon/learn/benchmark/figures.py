"""The figures of a player in one game. They follow from the seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from gonfalon import games
from gonfalon.bots import make
from gonfalon.bots.players.bot import UntrainedError
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run.match import get_game, list_matchups, play_match
from gonfalon.learn.benchmark.protocol import LEVELS, SEED
from gonfalon.learn.exact import measure_exploitability
from gonfalon.review.data_files import NETWORK, hash_data_file

Figures = dict[str, Any]
"""JSON values."""
SOLVED: Final = Path(__file__).with_name("solved.json")
"""Values and exploitabilities of the solved configurations."""


class NotMeasuredError(GonfalonError):
    """An error with the reason why a figure of a player cannot be measured."""


def read_solved() -> dict[str, list[Figures]]:
    """Return the known facts about the solved configurations of each game (`tools/solved.py`)."""
    found: dict[str, list[Figures]] = json.loads(SOLVED.read_text("utf-8"))
    return found


def describe_game(name: str, options: Options, pairs: int) -> Figures:
    """Return the facts that identify a game in which a player is measured."""
    game = get_game(name, list_matchups(name, options)[0])
    return {
        "rules": game.version,
        "cards": game.data_hash,
        "network": hash_data_file(game, NETWORK),
        "options": dict(options),
        "solved": read_solved().get(name, []),
        "pairs": pairs,
    }


def measure_solved_games(text: str, name: str) -> Figures:
    """Return the exploitability of a player in each solved configuration.

    Where it is not exact, half the width of its interval is added.

    Raises:
        NotMeasuredError: The player does not play the solved configurations.
    """
    found: Figures = {}
    for number, solved in enumerate(games.find_game_class(name).solved(), 1):
        # A network may know the complete game and none of its small configurations.
        try:
            player = make(text, solved)
        except UntrainedError:
            raise NotMeasuredError(
                f"The network was not trained on the solved configurations of {solved.title}."
            ) from None
        low, high = measure_exploitability(solved, player, SEED)
        found[f"solved {number}"] = round((low + high) / 2, 6) or 0.0  # Avoid -0.0.
        if low != high:
            found[f"solved {number} ±"] = round((high - low) / 2, 6)
    return found


def list_opponents(name: str, options: Options) -> tuple[list[str], list[str]]:
    """Return the levels that play a game, and a sentence about each other one."""
    game = get_game(name, list_matchups(name, options)[0])
    found, reasons = [], []
    for level in LEVELS:
        try:
            make(level, game)
            found.append(level)
        except OptionError as error:
            reasons.append(f"Left out {level}: {error}")
    return found, reasons


def score_against_levels(text: str, name: str, options: Options, pairs: int, workers: int) -> Figures:
    """Return the score against each fixed level over fixed deals, with its 95 % interval."""
    found: Figures = {}
    for level in list_opponents(name, options)[0]:
        result = play_match(text, level, name, options, pairs, SEED, workers)
        found[level] = {"score": round(result.score, 4), "low": round(result.low, 4), "high": round(result.high, 4)}
        if "A" in result.chosen:
            found[level]["chosen"] = result.chosen["A"]
    return found
