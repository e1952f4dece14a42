"""What is measured of a player in one game, part by part. Each figure follows from the seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gonfalon import games
from gonfalon.bots import Bot
from gonfalon.bots.choice import Z
from gonfalon.bots.network import load, save
from gonfalon.core.errors import GonfalonError
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.lab.match import Result, game_of, match, matchups
from gonfalon.learn.benchmark.agents import agent, file_of
from gonfalon.learn.benchmark.protocol import LEVELS, SEED
from gonfalon.learn.benchmark.tasks import Tasks, of_game
from gonfalon.learn.exact import exploitability_of
from gonfalon.review.budgets import stream
from gonfalon.review.figures import error, mean
from gonfalon.review.held import NETWORK, held_file, held_hash
from gonfalon.review.players import learnt
from gonfalon.vector.networks import Unlearnt

Figures = dict[str, Any]
Told = Callable[[str], None]
FRESH: Final = SEED + 1
"""Of the deals that a trained exploiter plays,"""
BEGINNING: Final = SEED + 2
"""and of those that tell what it begins as,"""
TRIAL: Final = 25
"""so many."""
ITSELF: Final = "the player"
"""Where a figure says that an exploiter began as the player."""
SPARRING: Final = "learnt against"
"""Where a figure says against whom an exploiter learnt, if it was not the player."""
TASK: Final = 12
"""Use of a task's stream."""


class LeftOut(GonfalonError):
    """A part that cannot be measured of a player, with the reason."""


def exact(text: str, name: str) -> Figures:
    """What a perfect opponent gains in each tiny configuration for two, and how far that is from exact. Raises
    LeftOut."""
    found: Figures = {}
    for number, tiny in enumerate(games.kind(name).tiny()):
        if tiny.seats == 2:
            try:
                player = agent(text, tiny)
            except Unlearnt:
                raise LeftOut(f"The network has not learnt the tiny configurations of {tiny.title}.") from None
            low, high = exploitability_of(tiny, player, SEED)
            found[f"tiny {number}"] = round((low + high) / 2, 6) or 0.0  # and not -0.0
            if low != high:
                found[f"tiny {number} ±"] = round((high - low) / 2, 6)
    return found


def against_levels(text: str, name: str, options: Options, pairs: int, workers: int) -> Figures:
    """The score against each fixed level over fixed deals."""
    return {level: score_of(match(text, level, name, options, pairs, SEED, workers, maker=agent)) for level in LEVELS}


def score_of(result: Result) -> Figures:
    """A score with its interval."""
    return {"score": round(result.score, 4), "low": round(result.low, 4), "high": round(result.high, 4)}


def response(
    text: str,
    name: str,
    options: Options,
    decisions: int,
    pairs: int,
    workers: int,
    tell: Told | None = None,
    sparring: str = "",
) -> Figures:
    """What an exploiter scores against a player that it was trained against: a lower bound. It learns against
    `sparring` where that is somebody, who should be the player in less time."""
    from gonfalon.learn.benchmark.response import respond

    setups = [game_of(name, setup) for setup in matchups(name, options)]
    begun_as = better_begun(text, name, options, setups[0], workers)
    players = [agent(sparring or text, game) for game in setups]
    net = respond(setups, players, decisions, SEED, tell, advised=begun_as == ITSELF)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "exploiter.npz"
        save(path, net)
        maker = partial(seated, str(path), text) if begun_as == ITSELF else agent
        result = match(str(path), text, name, options, pairs, FRESH, workers, maker=maker)
    found: Figures = {"decisions": decisions, "pairs": pairs, "begun as": begun_as, **score_of(result)}
    return found | {SPARRING: known_as(sparring)} if sparring else found


def known_as(text: str) -> str:
    """How a figure names a player: with the hash of its file, where it has one."""
    return f"{text} ({held})" if (held := file_of(text)) else text


def seated(exploiter: str, player: str, who: str, game: Game) -> Bot:
    """Who is called so in a match of a player with an exploiter that began as it, whose network is in such a file."""
    if who != exploiter:
        return agent(who, game)
    from gonfalon.learn.benchmark.shadow import ShadowBot

    return ShadowBot(who, game.without_secrets(), load(Path(exploiter)), agent(player, game))


def better_begun(text: str, name: str, options: Options, game: Game, workers: int) -> str:
    """What an exploiter begins as: the network in the game's folder, told by its hash, if that takes half or more of
    some deals; else the player itself, who would."""
    network = held_file(game, NETWORK)
    if network is None or learnt(game) is None:
        return ITSELF
    result = match(str(network), text, name, options, TRIAL, BEGINNING, workers, maker=agent)
    return held_hash(game, NETWORK) if result.score >= 0.5 else ITSELF


def on_tasks(text: str, name: str) -> Figures | None:
    """What the player gives away in the decision tasks on average; None where there are none for the game."""
    tasks = of_game(name)
    if tasks is None:
        return None
    tasks.check(games.kind(name))
    return {"hash": tasks.hash, **answered(text, tasks)}


def answered(text: str, tasks: Tasks) -> Figures:
    """The mean losses with their intervals, and how often the best action was chosen."""
    ahead, ended, best = [], [], 0
    for number, (task, game, view) in enumerate(tasks.laid_out):
        chosen = agent(text, game).choose(view, None, Rng(stream(SEED, number, TASK)))
        loss, end_loss = task.losses(game.notation(chosen.action))
        ahead.append(loss)
        ended.append(end_loss)
        best += loss == 0.0
    return {
        "tasks": len(ahead),
        "loss": with_error(ahead),
        "loss to the end": with_error(ended),
        "agreement": round(best / len(ahead), 4),
    }


def with_error(losses: list[float]) -> Figures:
    """A mean with its 95 % interval."""
    middle, half = mean(losses), Z * error(losses)
    return {"mean": round(middle, 4), "low": round(middle - half, 4), "high": round(middle + half, 4)}
