"""The law of builds: two builds, or two processes, play the same games.

`python -m gonfalon.check.laws.formats.builds` reads the games to play from standard input and prints their digests. The
environment variable GONFALON_OTHER_PYTHON names an interpreter with the other build (compiled or plain). Without it a
second process of the same interpreter is used, in which strings have other hashes.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import TypedDict

from gonfalon.bots.players.greedy import GreedyBot
from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.formats.copies import dump_without_log
from gonfalon.check.observe import list_viewers
from gonfalon.check.play import Bench, Case, play_case, play_to_end
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import find_build
from gonfalon.core.files.freeze import freeze, thaw
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State

GAMES_PER_CONFIGURATION = 1
"""Number of games for each configuration."""
OTHER_PYTHON_VARIABLE = "GONFALON_OTHER_PYTHON"
"""Environment variable with the interpreter of the other build."""


def digest_games(game: Game, seeds: list[int]) -> str:
    """Return a digest of whole games.

    It covers decisions, positions, logs and views, some frozen states and the continuation of one, and the choices and
    reasons of the rule of thumb.

    Args:
        game: The game.
        seeds: The seeds of the games to play.
    """
    total = hashlib.sha256()
    thumb = None if game.rule_of_thumb() is None else GreedyBot("greedy", game)
    for seed in seeds:
        case = play_case(game, seed)
        total.update(json.dumps(case.decisions).encode())
        # A sample is enough, because an early difference changes all later positions.
        for state in case.states[::7]:
            total.update(json.dumps(dump_without_log(state)).encode())
            total.update(freeze_without_secrets(game, state))
            asked = [seat for seat in range(game.seats) if len(state.legal(seat)) > 1]
            if thumb is not None and asked:
                total.update(repr(thumb.choose(state.mask(asked[0]), None, Rng(seed))).encode())
        if case.crash is None:
            twin = thaw(game, freeze_without_secrets(game, case.states[len(case.states) // 2]))
            play_to_end(twin, Rng(seed), game.bound)
            total.update(json.dumps(twin.dump()).encode())
        for viewer in list_viewers(game):
            total.update(json.dumps(case.states[-1].mask(viewer).dump()).encode())
        total.update(repr(case.crash).encode())
    return total.hexdigest()[:32]


def freeze_without_secrets(game: Game, state: State) -> bytes:
    """Return a frozen state, which must be the same bytes in the other build."""
    # thaw() makes states of the game without secrets, and expects its options in the bytes.
    state = state.clone()
    state.rules = game.without_secrets()
    return freeze(state)


class Order(TypedDict):
    """The input of the other process: a game and the seeds to play."""

    path: list[str]
    module: str
    cls: str
    options: Options
    seeds: list[int]


class Answer(TypedDict):
    """The output of the other process: its build, and the digest of each order."""

    build: str
    digests: list[str]


def build_order(game: Game, seeds: list[int]) -> Order:
    """Return the order to play this game."""
    cls = type(game)
    return {
        "path": [str(Path(entry or ".").resolve()) for entry in sys.path],
        "module": cls.__module__,
        "cls": cls.__qualname__,
        "options": game.shown_options(),
        "seeds": seeds,
    }


def ask_other_process(python: str, orders: list[Order], own_path: bool) -> Answer | None:
    """Return the answer of another process; None if it cannot play these games.

    Args:
        python: The interpreter.
        orders: The games to play.
        own_path: Whether the process needs the import path of the current one.
    """
    # Another hash seed shows rules that iterate over sets of strings.
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    if own_path:
        environment["PYTHONPATH"] = os.pathsep.join(orders[0]["path"])
    try:
        done = subprocess.run(
            [python, "-m", "gonfalon.check.laws.formats.builds"],
            input=json.dumps(orders),
            capture_output=True,
            text=True,
            timeout=120,
            env=environment,
        )
        answer: Answer | None = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def check_other_process(bench: Bench, case: Case) -> int:
    """Another process, or the compiled build, plays the same games.

    Mistake:
        A rule depends on the hash of a string, on the order of a set, or on numbers beyond 64 bits.
    Cure:
        Iterate over lists or sorted values, and keep numbers within 64 bits.
    """
    games = bench.games
    # One comparison covers all configurations.
    if case.game is not games[0]:
        return 0
    # Classes of a script or a function cannot be imported in another process.
    if any(type(game).__module__ == "__main__" or "<locals>" in type(game).__qualname__ for game in games):
        bench.note = "another process cannot import this game"
        return 0
    seeds = [case.seed * 1000 + i for i in range(GAMES_PER_CONFIGURATION)]
    own = [digest_games(game, seeds) for game in games]
    python = os.environ.get(OTHER_PYTHON_VARIABLE, "")
    # An interpreter of another build must not import the packages of this one.
    answer = ask_other_process(python or sys.executable, [build_order(game, seeds) for game in games], not python)
    if answer is None:
        if python:
            raise LawBrokenError(f"the interpreter in {OTHER_PYTHON_VARIABLE} cannot play these games")
        bench.note = "another process cannot make this game"
        return 0
    both = f"{find_build()} here, {answer['build']} there"
    if answer["digests"] != own:
        number = next(i for i, one in enumerate(own) if answer["digests"][i] != one)
        raise LawBrokenError(f"another process ({both}) played configuration {number + 1} differently", 0)
    whole = hashlib.sha256("".join(own).encode()).hexdigest()[:12]
    bench.note = f"{both}; digest {whole}" if answer["build"] != find_build() else f"one build; digest {whole}"
    return GAMES_PER_CONFIGURATION * len(games)


LAWS = [Law("another process, or build, plays the same games", "games", check_other_process, once=True)]


def main() -> int:
    """Play the games in standard input and print their digests."""
    orders: list[Order] = json.loads(sys.stdin.read())
    digests = []
    for one in orders:
        cls = attrgetter(one["cls"])(importlib.import_module(one["module"]))
        digests.append(digest_games(cls(**one["options"]), one["seeds"]))
    print(json.dumps(Answer(build=find_build(), digests=digests)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
